//! Values of all kinds.

use super::{Opcode, Type, text};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

/// A value: constant, argument, instruction, function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub LLVMValueRef);

impl Value {
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(pointer, length)
    }

    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is the address of a label of the function's, which no other function can name.
    pub fn is_block_address(self) -> bool {
        unsafe { !LLVMIsABlockAddress(self.0).is_null() }
    }

    pub fn is_instruction(self) -> bool {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }
    }

    pub fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }

    /// The section that a variable or function is put in; empty if nobody says.
    pub fn section(self) -> String {
        let section = unsafe { LLVMGetSection(self.0) };
        match section.is_null() {
            true => String::new(),
            false => unsafe { std::ffi::CStr::from_ptr(section) }.to_string_lossy().into_owned(),
        }
    }

    /// The text of inline assembly in AT&T's syntax, and the constraints of its operands; nothing for Intel's.
    pub fn inline_asm(self) -> Option<(String, String)> {
        let (mut length, mut constraints) = (0, 0);
        unsafe {
            if LLVMGetInlineAsmDialect(self.0) != llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT {
                return None;
            }
            let code = LLVMGetInlineAsmAsmString(self.0, &mut length);
            let rules = LLVMGetInlineAsmConstraintString(self.0, &mut constraints);
            Some((text(code, length), text(rules, constraints)))
        }
    }

    pub fn is_global_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    /// The variable that a constant address lies in; anything else is itself.
    pub fn without_constant_offset(self) -> Value {
        let mut value = self.0;
        unsafe {
            while !LLVMIsAConstantExpr(value).is_null() && LLVMGetConstOpcode(value) == Opcode::LLVMGetElementPtr {
                value = LLVMGetOperand(value, 0);
            }
        }
        Value(value)
    }

    /// The value of an integer constant of at most 64 bits.
    pub fn as_constant(self) -> Option<u64> {
        unsafe {
            let int = LLVMIsAConstantInt(self.0);
            (!int.is_null() && LLVMGetIntTypeWidth(LLVMTypeOf(int)) <= 64).then(|| LLVMConstIntGetZExtValue(int))
        }
    }
}
