//! The runtime's state and the one door to it.
//!
//! The state lies in pages that the kernel wipes in a forked child: there the door is closed, and the child runs
//! untraced without any handler of ours.

use core::mem::MaybeUninit;
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use trace::layout::{Counter, Header};

use crate::events::Losses;
use crate::gate::Gate;
use crate::models::input::Inputs;
use crate::models::stream_table::StreamTable;
use crate::models::units::Units;
use crate::pointers::Pointers;
use crate::recorder::Recorder;
use crate::regions::Regions;

/// Everything that tracing needs.
pub struct Runtime {
    /// The trace.
    pub recorder: Recorder,
    /// Losses that are logged already.
    pub losses: Losses,
    /// Blocks of memory that events refer to.
    pub regions: Regions,
    /// How addresses with labels are followed.
    pub pointers: Pointers,
    /// Parts of the input and the descriptors that they are read through.
    pub inputs: Inputs,
    /// Streams that the input is read through.
    pub streams: StreamTable,
    /// Objects that the next unit gets.
    pub units: Units,
}

/// What lies in the pages that a child does not get.
pub struct Pages {
    /// The door.
    pub gate: Gate,
    /// What is behind it; written before the gate opens.
    pub runtime: MaybeUninit<Runtime>,
}

static PAGES: AtomicPtr<Pages> = AtomicPtr::new(null_mut());

/// Makes `pages`, whose runtime has been written, the process's own, and opens the gate.
pub fn install(pages: &'static Pages) {
    PAGES.store(core::ptr::from_ref(pages).cast_mut(), Release);
    pages.gate.open();
}

/// The gate, if this process started with a trace.
pub fn gate() -> Option<&'static Gate> {
    let pages = PAGES.load(Relaxed);
    // SAFETY: installed pages stay mapped; in a child they read as zeros, which is a closed gate.
    (!pages.is_null()).then(|| unsafe { &(*pages).gate })
}

/// Whether tracing is on.
#[inline(always)]
pub fn is_tracing() -> bool {
    gate().is_some_and(Gate::is_open)
}

/// The first page of the trace while tracing is on, busy or not.
pub fn header() -> Option<&'static Header> {
    let pages = PAGES.load(Relaxed);
    if pages.is_null() {
        return None;
    }
    // SAFETY: behind an open gate the runtime is initialised; the header is read through atomics.
    unsafe { (*pages).gate.is_open().then(|| (*pages).runtime.assume_init_ref().recorder.header()) }
}

/// Runs `work` with the runtime; gives `otherwise` where tracing is off or the runtime is busy.
#[inline(always)]
pub fn with<R>(otherwise: R, work: impl FnOnce(&mut Runtime) -> R) -> R {
    let pages = PAGES.load(Relaxed);
    if pages.is_null() {
        return otherwise;
    }
    // SAFETY: installed pages stay mapped; in a child they read as zeros, which is a closed gate. The gate admits one
    // activity at a time, so the exclusive borrow of the runtime is the only one.
    unsafe {
        let gate = &(*pages).gate;
        if !gate.is_open() {
            return otherwise;
        }
        if !gate.enter() {
            return turned_away(otherwise);
        }
        let result = work((*pages).runtime.assume_init_mut());
        gate.leave();
        result
    }
}

/// Runs `work` with the runtime unless it is busy, which is nobody's loss then.
pub fn with_if_free(work: impl FnOnce(&mut Runtime)) {
    let pages = PAGES.load(Relaxed);
    if pages.is_null() {
        return;
    }
    // SAFETY: as in `with`.
    unsafe {
        let gate = &(*pages).gate;
        if gate.is_open() && gate.enter() {
            work((*pages).runtime.assume_init_mut());
            gate.leave();
        }
    }
}

#[cold]
fn turned_away<R>(otherwise: R) -> R {
    if let Some(cell) = header().and_then(|header| header.counters.get(Counter::Reentered as usize)) {
        cell.fetch_add(1, Relaxed);
    }
    otherwise
}
