//! Threads and the ends of processes.

use core::ffi::{c_int, c_void};

use trace::layout::Reason;

use crate::arguments::Arguments;
use crate::runtime::gate;
use crate::start::end;

/// pthread_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    function: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_pthread_create));
    arguments.pin(&[
        (0, thread as u64, Reason::ModelArgument),
        (1, attributes as u64, Reason::ModelArgument),
        (2, function as *const () as u64, Reason::CallTarget),
        (3, argument as u64, Reason::ModelArgument),
    ]);
    if let Some(gate) = gate() {
        gate.expect_threads();
    }
    libc::pthread_create(thread, attributes, function, argument)
}

/// _exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x__exit(status: c_int) -> ! {
    let arguments = Arguments::take(address_of!(__provoke_x__exit));
    arguments.pin(&[(0, status as u64, Reason::ModelArgument)]);
    end();
    libc::_exit(status)
}

/// _Exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x__Exit(status: c_int) -> ! {
    let arguments = Arguments::take(address_of!(__provoke_x__Exit));
    arguments.pin(&[(0, status as u64, Reason::ModelArgument)]);
    end();
    libc::_exit(status)
}
