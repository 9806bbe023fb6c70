//! What unit tests share: the tables of labels and traces without a file.

use std::sync::Once;

use trace::layout::{FILE_SIZE, Header, MAGIC, VERSION};

use crate::recorder::Recorder;
use crate::runtime::Gate;

/// Maps the tables of labels into the test process.
pub fn map_tables() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| crate::shadow::map().expect("the tables fit the address space"));
}

/// A recorder on a trace in private memory.
pub fn recorder(cap: u64) -> Recorder {
    map_tables();
    let gate: &'static Gate = Box::leak(Box::new(Gate::closed()));
    gate.open();
    let base = crate::system::reserve::<u8>(FILE_SIZE as usize).expect("address space").as_ptr();
    // SAFETY: fresh memory of the size of a trace.
    unsafe {
        let header = &mut *base.cast::<Header>();
        header.magic = MAGIC;
        header.version = VERSION;
        header.memory_cap = cap;
        Recorder::new(base, gate).expect("memory for the tables")
    }
}
