//! Who may come in: one activity at a time.
//!
//! As long as there is one thread, it only notes that it is inside. The first other one that comes, however it was started,
//! makes everybody go through a lock from then on.
//!
//! A signal handler that interrupts the runtime is turned away. One that leaves the runtime by `longjmp` must not leave
//! it locked: whoever comes next finds out that nobody is inside any more.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64, compiler_fence};

use crate::system::{KeepErrno, fence_all_threads};
use crate::thread;

/// How often a thread looks for the one inside to leave before it lets others run in between.
const SPINS: u32 = 200;
/// How often it looks at all. The one inside may have been killed: losing labels is better than waiting forever.
const PATIENCE: u32 = 1 << 20;

/// Stacks are smaller than this; addresses further apart are on different ones.
const LARGEST_STACK: u64 = 1 << 30;

/// In [`Gate::only`]: threads go through the lock.
const SEVERAL: u64 = 0;
/// In [`Gate::only`]: a second thread waits for the first one to be outside.
const CHANGING: u64 = 1;

/// The door of the runtime.
pub struct Gate {
    open: AtomicU32,
    /// The thread that opened the gate.
    first: AtomicU64,
    /// The same as long as it is the only one, else [`SEVERAL`] or [`CHANGING`].
    only: AtomicU64,
    /// The stack pointer of the first thread if it is inside and came as the only one, or 0.
    stack: AtomicU64,
    /// With several threads: the one inside, or 0.
    holder: AtomicU64,
    /// The holder's stack pointer, or 0 if it has not said yet.
    holder_stack: AtomicU64,
}

impl Gate {
    /// A gate that lets nobody in.
    pub const fn closed() -> Gate {
        Gate {
            open: AtomicU32::new(0),
            first: AtomicU64::new(0),
            only: AtomicU64::new(SEVERAL),
            stack: AtomicU64::new(0),
            holder: AtomicU64::new(0),
            holder_stack: AtomicU64::new(0),
        }
    }

    /// Whether tracing is on.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.open.load(Relaxed) != 0
    }

    /// Starts tracing; whoever calls this first is the only thread until another one comes.
    pub fn open(&self) {
        let me = thread::identity();
        if self.first.compare_exchange(0, me, Relaxed, Relaxed).is_ok() {
            self.only.store(me, Relaxed);
        }
        self.open.store(1, Release);
    }

    /// Ends tracing.
    pub fn close(&self) {
        self.open.store(0, Release);
    }

    /// From now on more than one thread may come. They would find out by themselves, but that takes a system call, and some
    /// sandboxes refuse it.
    pub fn expect_threads(&self) {
        let me = thread::identity();
        if self.only.load(Relaxed) == me && self.is_outside() {
            self.only.store(SEVERAL, Release);
        }
    }

    /// Whether the first thread, which asks, is not inside as the only one.
    fn is_outside(&self) -> bool {
        let inside = self.stack.load(Relaxed);
        if inside != 0 {
            if !is_abandoned(thread::stack_pointer(), inside) {
                return false;
            }
            self.stack.store(0, Relaxed);
        }
        true
    }

    /// Goes in; `false` if somebody is inside.
    #[inline(always)]
    pub fn enter(&self) -> bool {
        let me = thread::identity();
        if self.only.load(Relaxed) != me {
            return self.enter_among_several(me);
        }
        let here = thread::stack_pointer();
        let inside = self.stack.load(Relaxed);
        if inside != 0 && !is_abandoned(here, inside) {
            return false;
        }
        self.stack.store(here, Relaxed);
        compiler_fence(AcqRel);
        // Again: whoever wants to change this lets all threads come past a fence and then looks at the stack pointer. Either it
        // is there in time, or the change is seen here.
        if self.only.load(Relaxed) != me {
            self.stack.store(0, Release);
            return self.enter_among_several(me);
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn enter_among_several(&self, me: u64) -> bool {
        // A handler that interrupted the first thread inside finds it there.
        if me == self.first.load(Relaxed) && !self.is_outside() {
            return false;
        }
        let here = thread::stack_pointer();
        let entered = self.become_several(me)
            && wait(|| match self.holder.compare_exchange(0, me, Acquire, Relaxed) {
                Ok(_) => Some(true),
                Err(holder) if holder == me => {
                    let inside = self.holder_stack.load(Relaxed);
                    Some(inside != 0 && is_abandoned(here, inside))
                }
                Err(_) => None,
            });
        if entered {
            self.holder_stack.store(here, Relaxed);
        }
        entered
    }

    /// Makes all threads go through the lock from now on; `false` if that cannot be.
    fn become_several(&self, me: u64) -> bool {
        let first = self.first.load(Relaxed);
        let is_changed = || match self.only.load(Acquire) {
            SEVERAL => Some(true),
            CHANGING => None,
            _ => Some(false),
        };
        let is_for_others = first == me || is_changed() == Some(true);
        if is_for_others || self.only.compare_exchange(first, CHANGING, AcqRel, Relaxed).is_err() {
            return wait(is_changed);
        }
        let changed = fence_all_threads() && wait(|| (self.stack.load(Acquire) == 0).then_some(true));
        self.only.store(if changed { SEVERAL } else { first }, Release);
        changed
    }

    /// Goes out.
    #[inline(always)]
    pub fn leave(&self) {
        compiler_fence(AcqRel);
        self.stack.store(0, Release);
        if self.only.load(Relaxed) == SEVERAL {
            self.leave_among_several();
        }
    }

    /// The first thread may have come as the only one: then it does not hold the lock.
    #[cold]
    fn leave_among_several(&self) {
        if self.holder.load(Relaxed) == thread::identity() {
            self.holder_stack.store(0, Relaxed);
            self.holder.store(0, Release);
        }
    }
}

/// Waits for an answer; `false` if there is none for too long.
fn wait(mut answer: impl FnMut() -> Option<bool>) -> bool {
    for attempt in 0..PATIENCE {
        if let Some(answer) = answer() {
            return answer;
        }
        if attempt < SPINS {
            core::hint::spin_loop();
        } else {
            let _errno = KeepErrno::new();
            // SAFETY: only gives the processor away.
            unsafe { libc::sched_yield() };
        }
    }
    false
}

/// Whether the activity that came in at `inside` is gone, seen from `here` in the same thread. It is still there if a
/// signal handler interrupted it: then the handler's frame lies between the two, or the handler has a stack of its own.
#[cold]
#[inline(never)]
fn is_abandoned(here: u64, inside: u64) -> bool {
    if is_on_signal_stack() {
        return false;
    }
    if here >= inside || inside - here > LARGEST_STACK {
        return true;
    }
    let Some(trampoline) = signal_trampoline() else { return true };
    let first = here.next_multiple_of(8);
    // SAFETY: both ends are in the stack of this thread.
    !(first..inside).step_by(8).any(|at| unsafe { (at as *const u64).read_volatile() } == trampoline)
}

fn is_on_signal_stack() -> bool {
    // SAFETY: asks only; all zero bits are a valid description.
    unsafe {
        let mut stack: libc::stack_t = core::mem::zeroed();
        libc::sigaltstack(core::ptr::null(), &mut stack) == 0 && stack.ss_flags & libc::SS_ONSTACK != 0
    }
}

/// What the kernel knows of a signal's handler.
#[repr(C)]
struct KernelAction {
    handler: u64,
    flags: u64,
    trampoline: u64,
    mask: u64,
}

/// Where handlers return to, which is in every handler's frame; `None` if no handler is installed. libc uses one address
/// for all.
fn signal_trampoline() -> Option<u64> {
    (1..=64).find_map(|signal: libc::c_long| {
        let mut action = KernelAction { handler: 0, flags: 0, trampoline: 0, mask: 0 };
        let nothing = core::ptr::null::<KernelAction>();
        let mask_size = size_of::<u64>();
        // SAFETY: asks only, with a structure of the kernel's layout.
        let status = unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, nothing, &raw mut action, mask_size) };
        (status == 0 && action.trampoline != 0).then_some(action.trampoline)
    })
}
