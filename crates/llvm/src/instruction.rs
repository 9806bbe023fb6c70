//! Instructions, and the blocks that they stand in.

use super::{Opcode, Type, Value, list, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate};

unsafe extern "C" {
    fn provoke_split_if_unlikely(condition: LLVMValueRef, before: LLVMValueRef) -> LLVMValueRef;
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block(pub LLVMBasicBlockRef);

impl Value {
    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn operands(self) -> Vec<Value> {
        let count = unsafe { LLVMGetNumOperands(self.0) }.max(0) as u32;
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) }.max(0) as u32
    }

    /// What a global variable starts with.
    pub fn initializer(self) -> Option<Value> {
        let value =
            unsafe { if self.is_global_variable() { LLVMGetInitializer(self.0) } else { std::ptr::null_mut() } };
        (!value.is_null()).then_some(Value(value))
    }

    /// The characters of a constant array of bytes.
    pub fn as_text(self) -> Option<String> {
        unsafe {
            if LLVMIsAConstantDataSequential(self.0).is_null() || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut length = 0;
            let pointer = LLVMGetAsString(self.0, &mut length);
            Some(text(pointer, length))
        }
    }

    /// The block that an instruction stands in.
    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    /// Takes over the place in the source of another instruction.
    pub fn copy_location(self, from: Value) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, LLVMInstructionGetDebugLoc(from.0)) }
    }

    pub fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    /// The function that an instruction belongs to.
    pub fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.0)) })
    }

    pub fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    pub fn previous(self) -> Option<Value> {
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Value(previous))
    }

    /// The instructions that use this value.
    pub fn users(self) -> Vec<Value> {
        let uses = unsafe { list(LLVMGetFirstUse(self.0), LLVMGetNextUse) };
        uses.into_iter().map(|u| Value(unsafe { LLVMGetUser(u) })).collect()
    }

    /// A copy that stands nowhere yet, and that has no place in the source.
    pub fn clone_instruction(self) -> Value {
        unsafe {
            let copy = LLVMInstructionClone(self.0);
            LLVMInstructionSetDebugLoc(copy, std::ptr::null_mut());
            Value(copy)
        }
    }

    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    pub fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn real_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// Whether an instruction of floating-point numbers may be computed in other ways than IEEE 754 says.
    pub fn is_inexact(self) -> bool {
        unsafe { LLVMCanValueUseFastMathFlags(self.0) != 0 && LLVMGetFastMathFlags(self.0) != 0 }
    }

    pub fn alignment(self) -> u64 {
        unsafe { u64::from(LLVMGetAlignment(self.0)) }
    }

    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }

    pub fn set_volatile(self) {
        unsafe { LLVMSetVolatile(self.0, 1) }
    }

    /// Element type that a `getelementptr` starts from.
    pub fn gep_source_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            if count == 0 { Vec::new() } else { std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec() }
        }
    }

    /// Mask of a `shufflevector`; a negative entry is "any".
    pub fn shuffle_mask(self) -> Vec<i32> {
        unsafe { (0..LLVMGetNumMaskElements(self.0)).map(|i| LLVMGetMaskValue(self.0, i)).collect() }
    }

    pub fn rmw_operation(self) -> llvm_sys::LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub fn successors(self) -> Vec<Block> {
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect() }
    }

    /// Normal destination of an `invoke`.
    pub fn normal_destination(self) -> Block {
        Block(unsafe { LLVMGetNormalDest(self.0) })
    }

    /// Incoming values of a phi with their blocks.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }
}

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstInstruction(self.0), LLVMGetNextInstruction).into_iter().map(Value).collect() }
    }

    /// The branches that lead here.
    pub fn predecessors(self) -> Vec<Value> {
        let users = Value(unsafe { LLVMBasicBlockAsValue(self.0) }).users();
        users.into_iter().filter(|user| user.is_instruction() && user.opcode() != Opcode::LLVMPHI).collect()
    }

    pub fn terminator(self) -> Option<Value> {
        let last = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!last.is_null()).then_some(Value(last))
    }
}

/// Splits the block of `before` there, and enters a new block, which jumps back, where `condition` holds. Returns the jump.
pub fn split_if_unlikely(condition: Value, before: Value) -> Value {
    Value(unsafe { provoke_split_if_unlikely(condition.0, before.0) })
}
