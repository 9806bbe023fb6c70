//! The runtime of the concolic view.
//!
//! Instrumented code enters through the functions in [`entries`], whose names and parameters `trace::abi` fixes, and
//! through the [`models`] of library functions. Both find the [`runtime::Runtime`] through [`runtime::with`], which is
//! also where re-entry from signal handlers, threads, forked children and the memory cap are decided. [`shadow`] keeps
//! the labels of memory, [`recorder`] appends nodes and events to the trace, [`build`] makes nodes, [`bytes`] takes
//! them apart into bytes and puts them together again.
//!
//! The runtime lives inside somebody else's program: it never uses the heap, never unwinds, and believes nothing that
//! the program could have overwritten.
// Clippy looks at all targets at once, and those of tests need std in the crate `trace`.
#![cfg_attr(not(any(test, clippy)), no_std)]

pub mod arguments;
pub mod build;
pub mod bytes;
pub mod entries;
pub mod events;
pub mod exposure;
pub mod gate;
pub mod loops;
pub mod models;
pub mod pointers;
pub mod recorder;
pub mod regions;
pub mod runtime;
pub mod shadow;
pub mod start;
pub mod system;
#[cfg(test)]
mod testing;
pub mod thread;
pub mod variadic;

// Programs that divide 128-bit numbers take that from the archive's compiler builtins, which name what handles exceptions in
// Rust. Nothing here unwinds, so any address will do; weak, because the program may have Rust code of its own.
#[cfg(not(any(test, clippy)))]
core::arch::global_asm!(".weak rust_eh_personality", "rust_eh_personality:", "ud2");

#[cfg(not(any(test, clippy)))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    system::complain("provoke: internal error in the runtime; the program is stopped\n");
    // SAFETY: abort has no precondition.
    unsafe { libc::abort() }
}
