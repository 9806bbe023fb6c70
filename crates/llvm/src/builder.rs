//! Making instructions.

use super::{Block, Module, Place, Type, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate};

/// An instruction builder.
pub struct Builder(pub(super) LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.0) }
    }
}

macro_rules! binary {
    ($($name:ident = $build:ident;)*) => {
        $(pub fn $name(&self, a: Value, b: Value) -> Value {
            Value(unsafe { $build(self.0, a.0, b.0, c"".as_ptr()) })
        })*
    };
}

impl Builder {
    binary! {
        add = LLVMBuildAdd;
        sub = LLVMBuildSub;
        mul = LLVMBuildMul;
        and = LLVMBuildAnd;
        or = LLVMBuildOr;
        xor = LLVMBuildXor;
        shl = LLVMBuildShl;
        lshr = LLVMBuildLShr;
        ashr = LLVMBuildAShr;
        urem = LLVMBuildURem;
        sdiv = LLVMBuildSDiv;
        srem = LLVMBuildSRem;
        fmul = LLVMBuildFMul;
    }

    pub fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.0, block.0) }
    }

    pub fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.0, instruction.0);
            // Calls inserted next to code with positions need one of their own, or the verifier objects.
            LLVMSetCurrentDebugLocation2(self.0, LLVMInstructionGetDebugLoc(instruction.0));
        }
    }

    /// Gives what is made next another place in the source, if one is known.
    pub fn set_place(&self, place: Option<Place>) {
        if let Some(Place(place)) = place {
            unsafe { LLVMSetCurrentDebugLocation2(self.0, place) }
        }
    }

    pub fn block(&self) -> Block {
        Block(unsafe { LLVMGetInsertBlock(self.0) })
    }

    pub fn insert(&self, instruction: Value) {
        unsafe { LLVMInsertIntoBuilder(self.0, instruction.0) }
    }

    pub fn icmp(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.0, predicate, a.0, b.0, c"".as_ptr()) })
    }

    pub fn fcmp(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildFCmp(self.0, predicate, a.0, b.0, c"".as_ptr()) })
    }

    pub fn eq(&self, a: Value, b: Value) -> Value {
        self.icmp(LLVMIntPredicate::LLVMIntEQ, a, b)
    }

    pub fn is_not_zero(&self, a: Value) -> Value {
        self.icmp(LLVMIntPredicate::LLVMIntNE, a, a.ty().zero())
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.0, condition.0, a.0, b.0, c"".as_ptr()) })
    }

    /// Zero-extends or truncates an integer.
    pub fn resize(&self, value: Value, ty: Type) -> Value {
        let (from, to) = (value.ty().int_width(), ty.int_width());
        unsafe {
            match from.cmp(&to) {
                std::cmp::Ordering::Less => Value(LLVMBuildZExt(self.0, value.0, ty.0, c"".as_ptr())),
                std::cmp::Ordering::Greater => Value(LLVMBuildTrunc(self.0, value.0, ty.0, c"".as_ptr())),
                std::cmp::Ordering::Equal => value,
            }
        }
    }

    pub fn sext(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildSExt(self.0, value.0, ty.0, c"".as_ptr()) })
    }

    pub fn ptr_to_int(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildPtrToInt(self.0, value.0, ty.0, c"".as_ptr()) })
    }

    pub fn int_to_ptr(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildIntToPtr(self.0, value.0, ty.0, c"".as_ptr()) })
    }

    pub fn bitcast(&self, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildBitCast(self.0, value.0, ty.0, c"".as_ptr()) })
    }

    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        Value(unsafe { LLVMBuildExtractElement(self.0, vector.0, index.0, c"".as_ptr()) })
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildExtractValue(self.0, aggregate.0, index, c"".as_ptr()) })
    }

    /// The address `bytes` behind `pointer`.
    pub fn offset(&self, module: Module, pointer: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        self.offset_by(module, pointer, module.int(64).constant(bytes))
    }

    /// The same for a number of bytes that is computed.
    pub fn offset_by(&self, module: Module, pointer: Value, bytes: Value) -> Value {
        let mut index = [bytes.0];
        Value(unsafe { LLVMBuildGEP2(self.0, module.int(8).0, pointer.0, index.as_mut_ptr(), 1, c"".as_ptr()) })
    }

    pub fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.0, ty.0, c"".as_ptr()) })
    }

    pub fn load(&self, ty: Type, pointer: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.0, ty.0, pointer.0, c"".as_ptr()) })
    }

    pub fn store(&self, value: Value, pointer: Value) -> Value {
        Value(unsafe { LLVMBuildStore(self.0, value.0, pointer.0) })
    }

    pub fn memset_zero(&self, module: Module, pointer: Value, bytes: u64) {
        let (zero, bytes) = (module.int(8).constant(0), module.int(64).constant(bytes));
        unsafe { LLVMBuildMemSet(self.0, pointer.0, zero.0, bytes.0, 4) };
    }

    pub fn call(&self, ty: Type, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        let count = arguments.len() as u32;
        Value(unsafe { LLVMBuildCall2(self.0, ty.0, function.0, arguments.as_mut_ptr(), count, c"".as_ptr()) })
    }

    pub fn branch(&self, to: Block) {
        unsafe { LLVMBuildBr(self.0, to.0) };
    }

    pub fn branch_if(&self, condition: Value, then: Block, otherwise: Block) {
        unsafe { LLVMBuildCondBr(self.0, condition.0, then.0, otherwise.0) };
    }

    pub fn ret(&self, value: Option<Value>) {
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.0, value.0),
                None => LLVMBuildRetVoid(self.0),
            }
        };
    }

    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        unsafe {
            let phi = LLVMBuildPhi(self.0, ty.0, c"".as_ptr());
            let mut values: Vec<LLVMValueRef> = incoming.iter().map(|(v, _)| v.0).collect();
            let mut blocks: Vec<LLVMBasicBlockRef> = incoming.iter().map(|(_, b)| b.0).collect();
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), values.len() as u32);
            Value(phi)
        }
    }
}
