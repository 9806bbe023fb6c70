//! Calls.

use super::{EFFECT_ATTRIBUTES, Module, Opcode, Type, Value, attribute, text};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

unsafe extern "C" {
    fn provoke_returns_twice(instruction: LLVMValueRef) -> i32;
    fn provoke_by_value_argument(call: LLVMValueRef, argument: u32) -> u64;
}

impl Value {
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub fn callee_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub fn arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }

    pub fn returns_twice(self) -> bool {
        unsafe { provoke_returns_twice(self.0) != 0 }
    }

    /// Size of the structure that an argument points to if the call makes a copy of it, else 0.
    pub fn by_value_argument(self, index: u32) -> u64 {
        unsafe { provoke_by_value_argument(self.0, index) }
    }

    /// Alignment of an argument that is passed as a copy in memory.
    pub fn argument_alignment(self, index: u32) -> u64 {
        unsafe {
            let align = LLVMGetCallSiteEnumAttribute(self.0, index + 1, attribute("align"));
            if align.is_null() { 0 } else { LLVMGetEnumAttributeValue(align) }
        }
    }

    /// Whether the callee is known to write only what an argument points to.
    pub fn is_write_only(self, index: u32) -> bool {
        let (callee, kind) = (self.callee(), attribute("writeonly"));
        unsafe {
            !LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind).is_null()
                || callee.is_function() && !LLVMGetEnumAttributeAtIndex(callee.0, index + 1, kind).is_null()
        }
    }

    /// Type of the memory that an argument of inline assembly stands for.
    pub fn memory_operand(self, index: u32) -> Option<Type> {
        unsafe {
            let element = LLVMGetCallSiteEnumAttribute(self.0, index + 1, attribute("elementtype"));
            (!element.is_null()).then(|| Type(LLVMGetTypeAttributeValue(element)))
        }
    }

    /// Instructions of inline assembly.
    pub fn assembly_template(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
        text(pointer, length)
    }

    /// Operands of inline assembly, as LLVM spells them.
    pub fn assembly_constraints(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut length) };
        text(pointer, length)
    }

    /// Lets the stack frame of the caller stay while the call runs.
    pub fn clear_must_tail(self) {
        unsafe { LLVMSetTailCallKind(self.0, llvm_sys::LLVMTailCallKind::LLVMTailCallKindNone) }
    }

    pub fn is_must_tail(self) -> bool {
        self.opcode() == Opcode::LLVMCall
            && unsafe { LLVMGetTailCallKind(self.0) == llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    /// Keeps AddressSanitizer from looking at an access.
    pub fn exclude_from_checks(self, module: Module) {
        let name = "nosanitize";
        unsafe {
            let kind = LLVMGetMDKindIDInContext(module.context, name.as_ptr().cast(), name.len() as u32);
            let nothing = LLVMMDNodeInContext2(module.context, std::ptr::null_mut(), 0);
            LLVMSetMetadata(self.0, kind, LLVMMetadataAsValue(module.context, nothing));
        }
    }

    /// Adds an attribute without a value to a call.
    pub fn add_call_attribute(self, module: Module, name: &str) {
        unsafe {
            let attribute = LLVMCreateEnumAttribute(module.context, attribute(name), 0);
            LLVMAddCallSiteAttribute(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Keeps optimisation from making one call out of this one and others.
    pub fn kept_apart(self, module: Module) -> Value {
        self.add_call_attribute(module, "nomerge");
        self
    }

    /// Keeps code generation from making anything else of this call, whatever it knows about the function.
    pub fn kept_as_call(self, module: Module) {
        self.add_call_attribute(module, "nobuiltin");
    }

    /// Forgets what LLVM had inferred about the memory that a call touches: it now touches the runtime's too.
    pub fn strip_call_effects(self) {
        for name in EFFECT_ATTRIBUTES {
            unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute(name)) }
        }
    }
}
