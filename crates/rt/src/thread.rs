//! The thread-local slots in which labels travel between functions.
//!
//! Stable Rust cannot define a thread-local symbol of a given name, so assembly does.

use core::arch::{asm, global_asm};

use trace::abi::ThreadSlots;

global_asm!(
    ".pushsection .tbss.__provoke_thread,\"awT\",@nobits",
    ".globl __provoke_thread",
    ".type __provoke_thread, @object",
    ".balign 16",
    "__provoke_thread:",
    ".zero {size}",
    ".size __provoke_thread, {size}",
    ".popsection",
    size = const size_of::<ThreadSlots>(),
);

/// The slots of the calling thread.
#[inline(always)]
pub fn slots() -> *mut ThreadSlots {
    let slots: *mut ThreadSlots;
    // SAFETY: reads the thread pointer and adds a constant of the linker's; valid in executables, which views are.
    unsafe {
        asm!(
            "mov {0}, qword ptr fs:[0]",
            "lea {0}, [{0} + __provoke_thread@TPOFF]",
            out(reg) slots,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    slots
}

/// A number that tells threads apart: an address, never 0.
#[inline(always)]
pub fn identity() -> u64 {
    let pointer: u64;
    // SAFETY: reads the thread pointer.
    unsafe { asm!("mov {0}, qword ptr fs:[0]", out(reg) pointer, options(pure, nomem, nostack, preserves_flags)) };
    pointer
}

/// The stack pointer, near enough to compare with the addresses of outer frames.
#[inline(always)]
pub fn stack_pointer() -> u64 {
    let pointer: u64;
    // SAFETY: copies a register.
    unsafe { asm!("mov {0}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}
