//! A thin layer over LLVM's C interface: copyable handles and just the calls that Provoke makes.
//!
//! Handles are plain pointers into a module; they are valid as long as that module is,
//! and nothing in this crate keeps one longer.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call here passes handles of the one live module")]
#![allow(clippy::not_unsafe_ptr_arg_deref, reason = "who passes a handle on has a live module, as above")]
#![allow(missing_docs, reason = "most functions are the one of LLVM's that they call, under a shorter name")]

mod builder;
mod call;
mod constant;
pub mod debug_info;
mod function;
mod instruction;
mod loops;
mod module;
mod place;
mod types;
mod value;

pub use builder::Builder;
pub use instruction::{Block, split_if_unlikely};
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMTypeKind as Kind;
pub use loops::Loop;
pub use module::Module;
pub use place::{Location, Place};
pub use types::{Type, result_type};
pub use value::Value;

use llvm_sys::core::LLVMGetEnumAttributeKindForName;
use std::ffi::c_char;

/// Attributes that promise something about a function's effects that instrumentation makes untrue.
const EFFECT_ATTRIBUTES: [&str; 3] = ["memory", "speculatable", "nosync"];

pub fn text(pointer: *const c_char, length: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Walks one of LLVM's intrusive lists.
fn list<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let mut all = Vec::new();
    let mut item = first;
    while !item.is_null() {
        all.push(item);
        item = unsafe { next(item) };
    }
    all
}

/// A name for the C interface: the first NUL ends it, so one is there.
fn c_name(name: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = name.bytes().filter(|b| *b != 0).collect();
    bytes.push(0);
    bytes
}

fn attribute(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
