//! The natural loops of a function.

use super::{Block, Value};
use llvm_sys::prelude::*;
use rustc_hash::FxHashSet;
use std::ffi::c_void;

#[repr(C)]
struct Found {
    parent: i64,
    header: LLVMBasicBlockRef,
    blocks: *const LLVMBasicBlockRef,
    count: usize,
}

unsafe extern "C" {
    fn provoke_each_loop(
        function: LLVMValueRef,
        visit: unsafe extern "C" fn(*mut c_void, *const Found),
        data: *mut c_void,
    );
}

/// A natural loop.
pub struct Loop {
    /// Index of the loop around it among the function's.
    pub parent: Option<usize>,
    /// The block that every iteration begins with.
    pub header: Block,
    /// All blocks, those of loops within included.
    pub blocks: FxHashSet<Block>,
}

impl Loop {
    /// Whether a value is computed in the loop.
    pub fn computes(&self, value: Value) -> bool {
        value.is_instruction() && self.blocks.contains(&value.block())
    }
}

impl Value {
    /// The loops of a function, those outside before those within.
    pub fn loops(self) -> Vec<Loop> {
        unsafe extern "C" fn visit(data: *mut c_void, found: *const Found) {
            unsafe {
                let (all, found) = (&mut *data.cast::<Vec<Loop>>(), &*found);
                let blocks = std::slice::from_raw_parts(found.blocks, found.count);
                all.push(Loop {
                    parent: usize::try_from(found.parent).ok(),
                    header: Block(found.header),
                    blocks: blocks.iter().copied().map(Block).collect(),
                });
            }
        }
        let mut all: Vec<Loop> = Vec::new();
        unsafe { provoke_each_loop(self.0, visit, (&raw mut all).cast()) };
        all
    }
}
