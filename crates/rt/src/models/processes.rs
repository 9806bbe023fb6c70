//! Threads and the ends of processes.

use core::ffi::{c_int, c_void};

use trace::abi::ThreadSlots;
use trace::layout::Reason;

use crate::arguments::Arguments;
use crate::runtime::{gate, with};
use crate::start::end;
use crate::thread;

unsafe extern "C" {
    fn thrd_create(thread: *mut c_void, function: extern "C" fn(*mut c_void) -> c_int, argument: *mut c_void) -> c_int;
}

/// What `thrd_create` gives where there is no memory.
const THRD_NOMEM: c_int = 3;

/// What a new thread runs.
struct Task<R> {
    function: extern "C" fn(*mut c_void) -> R,
    argument: *mut c_void,
    /// Where it was started.
    site: u32,
}

/// The memory of a task for a thread that is about to be started; null if there is none.
unsafe fn prepare<R>(task: Task<R>) -> *mut c_void {
    let place = libc::malloc(size_of::<Task<R>>());
    if !place.is_null() {
        place.cast::<Task<R>>().write(task);
    }
    place
}

/// The first function of a thread. Whoever joins it gets its result without a label.
extern "C" fn run<R: Copy + Into<Joined>>(place: *mut c_void) -> R {
    // SAFETY: a task that was prepared for this thread.
    let Task { function, argument, site } = unsafe {
        let task = place.cast::<Task<R>>().read();
        libc::free(place);
        task
    };
    let result = function(argument);
    // SAFETY: the slots belong to this thread.
    let slots: &mut ThreadSlots = unsafe { &mut *thread::slots() };
    if slots.result_tag == function as *const () as u64 {
        slots.result_tag = 0;
        let Joined(value) = result.into();
        with((), |runtime| runtime.recorder.pin(slots.results[0], site, Reason::UnmodelledCall, value));
    }
    result
}

/// A thread's result as a number.
struct Joined(u64);

impl From<*mut c_void> for Joined {
    fn from(result: *mut c_void) -> Joined {
        Joined(result as u64)
    }
}

impl From<c_int> for Joined {
    fn from(result: c_int) -> Joined {
        Joined(result as u64)
    }
}

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
    let Some(gate) = gate() else { return libc::pthread_create(thread, attributes, function, argument) };
    gate.expect_threads();
    let task = prepare(Task { function, argument, site: arguments.site });
    if task.is_null() {
        return libc::EAGAIN;
    }
    let status = libc::pthread_create(thread, attributes, run::<*mut c_void>, task);
    if status != 0 {
        libc::free(task);
    }
    status
}

/// thrd_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __provoke_x_thrd_create(
    thread: *mut c_void,
    function: extern "C" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
) -> c_int {
    let arguments = Arguments::take(address_of!(__provoke_x_thrd_create));
    arguments.pin(&[
        (0, thread as u64, Reason::ModelArgument),
        (1, function as *const () as u64, Reason::CallTarget),
        (2, argument as u64, Reason::ModelArgument),
    ]);
    let Some(gate) = gate() else { return thrd_create(thread, function, argument) };
    gate.expect_threads();
    let task = prepare(Task { function, argument, site: arguments.site });
    if task.is_null() {
        return THRD_NOMEM;
    }
    let status = thrd_create(thread, run::<c_int>, task);
    if status != 0 {
        libc::free(task);
    }
    status
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
