//! Who may come in: one activity at a time.
//!
//! A signal handler that interrupts the runtime is turned away. One that leaves the runtime by `longjmp` must not leave
//! it locked: whoever comes next finds out that nobody is inside any more.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64, compiler_fence};

use crate::thread;

/// How often a thread looks for the one inside to leave before it lets others run in between.
const SPINS: u32 = 200;
/// How often it looks at all. The one inside may have been killed: losing labels is better than waiting forever.
const PATIENCE: u32 = 1 << 20;

/// Stacks are smaller than this; addresses further apart are on different ones.
const LARGEST_STACK: u64 = 1 << 30;

/// The door of the runtime.
pub struct Gate {
    open: AtomicU32,
    threaded: AtomicU32,
    /// With several threads: the one inside, or 0.
    holder: AtomicU64,
    /// The stack pointer of whoever is inside, or 0.
    stack: AtomicU64,
}

impl Gate {
    /// A gate that lets nobody in.
    pub const fn closed() -> Gate {
        Gate {
            open: AtomicU32::new(0),
            threaded: AtomicU32::new(0),
            holder: AtomicU64::new(0),
            stack: AtomicU64::new(0),
        }
    }

    /// Whether tracing is on.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.open.load(Relaxed) != 0
    }

    /// Starts tracing.
    pub fn open(&self) {
        self.open.store(1, Release);
    }

    /// Ends tracing.
    pub fn close(&self) {
        self.open.store(0, Release);
    }

    /// From now on more than one thread may come.
    pub fn expect_threads(&self) {
        self.threaded.store(1, Release);
    }

    /// Goes in; `false` if somebody is inside.
    #[inline(always)]
    pub fn enter(&self) -> bool {
        if self.threaded.load(Relaxed) != 0 {
            return self.enter_threaded();
        }
        let here = thread::stack_pointer();
        let inside = self.stack.load(Relaxed);
        if inside != 0 && !is_abandoned(here, inside) {
            return false;
        }
        self.stack.store(here, Relaxed);
        compiler_fence(AcqRel);
        true
    }

    #[cold]
    fn enter_threaded(&self) -> bool {
        let me = thread::identity();
        let here = thread::stack_pointer();
        for attempt in 0..PATIENCE {
            match self.holder.compare_exchange_weak(0, me, Acquire, Relaxed) {
                Ok(_) => {
                    self.stack.store(here, Relaxed);
                    return true;
                }
                Err(holder) if holder == me => {
                    let abandoned = is_abandoned(here, self.stack.load(Relaxed));
                    if abandoned {
                        self.stack.store(here, Relaxed);
                    }
                    return abandoned;
                }
                Err(_) if attempt < SPINS => core::hint::spin_loop(),
                // SAFETY: only gives the processor away.
                Err(_) => unsafe {
                    libc::sched_yield();
                },
            }
        }
        false
    }

    /// Goes out.
    #[inline(always)]
    pub fn leave(&self) {
        compiler_fence(AcqRel);
        self.stack.store(0, Relaxed);
        if self.threaded.load(Relaxed) != 0 {
            self.holder.store(0, Release);
        }
    }
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
