//! Types.

use super::{Kind, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type(pub LLVMTypeRef);

impl Type {
    pub fn kind(self) -> Kind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type and count of a vector.
    pub fn lanes(self) -> (Type, u32) {
        unsafe { (Type(LLVMGetElementType(self.0)), LLVMGetVectorSize(self.0)) }
    }

    /// Element type and count of an array.
    pub fn elements(self) -> (Type, u64) {
        unsafe { (Type(LLVMGetElementType(self.0)), LLVMGetArrayLength2(self.0)) }
    }

    pub fn fields(self) -> Vec<Type> {
        unsafe { (0..LLVMCountStructElementTypes(self.0)).map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i))).collect() }
    }

    /// Name of a structure type; empty if it has none.
    pub fn name(self) -> String {
        unsafe {
            let name = LLVMGetStructName(self.0);
            if name.is_null() { String::new() } else { std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned() }
        }
    }

    /// Whether its size is known.
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn parameter_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    /// The integer constant of this type.
    pub fn constant(self, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    pub fn zero(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }
}

/// What functions of a type return.
pub fn result_type(function: Type) -> Type {
    Type(unsafe { LLVMGetReturnType(function.0) })
}
