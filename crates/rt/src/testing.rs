//! What unit tests share: the tables of labels and traces without a file.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use trace::layout::{FILE_SIZE, Header, MAGIC, VERSION};

use crate::gate::Gate;
use crate::recorder::Recorder;
use crate::system::{release, reserve};

/// Maps the tables of labels into the test process.
pub fn map_tables() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| crate::shadow::map().expect("the tables fit the address space"));
}

/// A recorder on a trace in private memory, which goes with it.
pub struct TestRecorder {
    recorder: Recorder,
    base: NonNull<u8>,
}

impl Deref for TestRecorder {
    type Target = Recorder;

    fn deref(&self) -> &Recorder {
        &self.recorder
    }
}

impl DerefMut for TestRecorder {
    fn deref_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }
}

impl Drop for TestRecorder {
    fn drop(&mut self) {
        // SAFETY: reserved below with this size; the recorder is not used any more.
        unsafe { release(self.base, FILE_SIZE as usize) };
    }
}

/// A recorder on an empty trace.
pub fn recorder(cap: u64) -> TestRecorder {
    map_tables();
    let gate: &'static Gate = Box::leak(Box::new(Gate::closed()));
    gate.open();
    let base = new_trace(cap);
    // SAFETY: a trace that nobody else knows of.
    let recorder = unsafe { Recorder::new(base.as_ptr(), gate).expect("memory for the tables") };
    TestRecorder { recorder, base }
}

/// The runtime of the test process, which entry points and models find: on a trace that nobody reads.
pub fn process_runtime() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        map_tables();
        let base = new_trace(u64::MAX);
        // SAFETY: fresh memory of the size of a trace, with a valid header.
        unsafe { crate::start::set_up(base.as_ptr()) }.expect("memory for the tables");
        crate::runtime::gate().expect("set up").expect_threads();
    });
}

/// Only one test at a time may look at the events of the process's trace.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_trace(cap: u64) -> NonNull<u8> {
    let base = reserve::<u8>(FILE_SIZE as usize).expect("address space");
    // SAFETY: fresh memory of the size of a trace.
    let header = unsafe { &mut *base.as_ptr().cast::<Header>() };
    header.magic = MAGIC;
    header.version = VERSION;
    header.memory_cap = cap;
    base
}
