//! Constants.

use super::{Opcode, Value, attribute};
use llvm_sys::core::*;

impl Value {
    /// Whether it is a constant of zeros only: a null pointer, a zero, an aggregate of such.
    pub fn is_zero(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// Whether it may be anything, as far as LLVM knows.
    pub fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    /// The operator of a constant expression.
    pub fn constant_operator(self) -> Option<Opcode> {
        unsafe { (!LLVMIsAConstantExpr(self.0).is_null()).then(|| LLVMGetConstOpcode(self.0)) }
    }

    /// An element of a constant structure, array or vector.
    pub fn element(self, index: u32) -> Option<Value> {
        unsafe {
            let is_aggregate = !LLVMIsAConstantStruct(self.0).is_null()
                || !LLVMIsAConstantArray(self.0).is_null()
                || !LLVMIsAConstantVector(self.0).is_null()
                || !LLVMIsAConstantDataSequential(self.0).is_null()
                || !LLVMIsAConstantAggregateZero(self.0).is_null();
            let found = if is_aggregate { LLVMGetAggregateElement(self.0, index) } else { std::ptr::null_mut() };
            (!found.is_null()).then_some(Value(found))
        }
    }

    /// Whether a function promises something of a parameter, or of its result where there is no index.
    pub fn promises(self, parameter: Option<u32>, name: &str) -> bool {
        let index = parameter.map_or(0, |index| index + 1);
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, index, attribute(name)).is_null() }
    }
}
