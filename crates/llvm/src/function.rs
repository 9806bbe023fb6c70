//! Functions and globals, and their attributes.

use super::{Block, EFFECT_ATTRIBUTES, Module, Type, Value, attribute, list};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use std::ffi::CStr;

unsafe extern "C" {
    fn provoke_move_body(to: LLVMValueRef, from: LLVMValueRef);
    fn provoke_split_invoke_edges(function: LLVMValueRef);
    fn provoke_clone_function(function: LLVMValueRef) -> LLVMValueRef;
    fn provoke_step_in_between(function: LLVMValueRef) -> LLVMValueRef;
    fn provoke_by_value_parameter(function: LLVMValueRef, argument: u32) -> u64;
}

/// LLVM's number for the calling convention in which the callee saves nearly all registers.
const PRESERVE_MOST: u32 = 14;

impl Value {
    /// The same for a function.
    pub fn strip_effects(self) {
        for name in EFFECT_ATTRIBUTES {
            unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute(name)) }
        }
    }

    pub fn has_attribute(self, name: &str) -> bool {
        let kind = attribute(name);
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null() }
    }

    pub fn add_attributes(self, module: Module, names: &[&str]) {
        for name in names {
            unsafe {
                let attribute = LLVMCreateEnumAttribute(module.context, attribute(name), 0);
                LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    pub fn remove_attribute(self, name: &str) {
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute(name)) }
    }

    /// Says that a function touches no memory that the program can see.
    pub fn set_touches_hidden_memory_only(self, module: Module) {
        self.set_memory_effects(module, 3 << 2);
    }

    /// Says that a function reads what its arguments point to, and touches no other memory that the program can see. Calls of one
    /// that writes nothing at all would be removed.
    pub fn set_reads_arguments_only(self, module: Module) {
        self.set_memory_effects(module, 1 | 3 << 2);
    }

    /// Two bits, for reading and writing, for each kind of memory: what arguments point to, the hidden one, the rest.
    fn set_memory_effects(self, module: Module, effects: u64) {
        unsafe {
            let attribute = LLVMCreateEnumAttribute(module.context, attribute("memory"), effects);
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub fn is_internal(self) -> bool {
        use llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMInternalLinkage | LLVMPrivateLinkage)
    }

    /// Whether it is declared weak and defined elsewhere, if anywhere: its address may be null.
    pub fn is_weak_reference(self) -> bool {
        unsafe { LLVMGetLinkage(self.0) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage }
    }

    /// Takes over string attributes of another function.
    pub fn copy_string_attributes(self, from: Value, names: &[&str]) {
        for name in names {
            unsafe {
                let index = llvm_sys::LLVMAttributeFunctionIndex;
                let found = LLVMGetStringAttributeAtIndex(from.0, index, name.as_ptr().cast(), name.len() as u32);
                if !found.is_null() {
                    LLVMAddAttributeAtIndex(self.0, index, found);
                }
            }
        }
    }

    /// Whether the function has a string attribute.
    pub fn has_mark(self, mark: &CStr) -> bool {
        let (index, length) = (llvm_sys::LLVMAttributeFunctionIndex, mark.count_bytes() as u32);
        unsafe { !LLVMGetStringAttributeAtIndex(self.0, index, mark.as_ptr(), length).is_null() }
    }

    /// Adds a string attribute without a value.
    pub fn add_mark(self, module: Module, mark: &CStr) {
        unsafe {
            let length = mark.count_bytes() as u32;
            let attribute = LLVMCreateStringAttribute(module.context, mark.as_ptr(), length, c"".as_ptr(), 0);
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// What an alias stands for; anything else is itself.
    pub fn without_alias(self) -> Value {
        let mut value = self.0;
        unsafe {
            while !LLVMIsAGlobalAlias(value).is_null() {
                value = LLVMAliasGetAliasee(value);
            }
        }
        Value(value)
    }

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn is_available_externally(self) -> bool {
        unsafe { LLVMGetLinkage(self.0) == llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage }
    }

    /// Whether what is run when it is called lies outside the module: it has no code here, or a copy of it for inlining only, as the
    /// headers of the C library give for `atof`.
    pub fn is_elsewhere(self) -> bool {
        self.is_declaration() || self.is_available_externally()
    }

    pub fn is_intrinsic(self) -> bool {
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn is_global_constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn is_global_constant_variable(self) -> bool {
        self.is_global_variable() && self.is_global_constant()
    }

    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    pub fn set_thread_local(self) {
        unsafe {
            LLVMSetThreadLocalMode(self.0, llvm_sys::LLVMThreadLocalMode::LLVMLocalExecTLSModel);
        }
    }

    /// The symbol is one of this program or library and of no other.
    pub fn set_hidden(self) {
        unsafe { LLVMSetVisibility(self.0, llvm_sys::LLVMVisibility::LLVMHiddenVisibility) }
    }

    pub fn set_internal(self) {
        unsafe { LLVMSetLinkage(self.0, llvm_sys::LLVMLinkage::LLVMInternalLinkage) }
    }

    /// Lets a definition be left out where nothing uses it.
    pub fn set_taken_if_used(self) {
        unsafe { LLVMSetLinkage(self.0, llvm_sys::LLVMLinkage::LLVMLinkOnceODRLinkage) }
    }

    /// Lets the callee save nearly all registers: a function or a call of it.
    pub fn set_preserve_most(self) {
        unsafe {
            if self.is_function() {
                LLVMSetFunctionCallConv(self.0, PRESERVE_MOST);
            } else {
                LLVMSetInstructionCallConv(self.0, PRESERVE_MOST);
            }
        }
    }

    pub fn parameters(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|i| Value(unsafe { LLVMGetParam(self.0, i) })).collect()
    }

    /// The same for a parameter of a function.
    pub fn by_value_parameter(self, index: u32) -> u64 {
        unsafe { provoke_by_value_parameter(self.0, index) }
    }

    /// The type of a structure that is passed to a function as a copy.
    pub fn by_value_type(self, index: u32) -> Option<Type> {
        unsafe {
            let by_value = LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute("byval"));
            (!by_value.is_null()).then(|| Type(LLVMGetTypeAttributeValue(by_value)))
        }
    }

    pub fn blocks(self) -> Vec<Block> {
        unsafe { list(LLVMGetFirstBasicBlock(self.0), LLVMGetNextBasicBlock).into_iter().map(Block).collect() }
    }

    /// A copy of a function, in the same module.
    pub fn clone_function(self) -> Value {
        Value(unsafe { provoke_clone_function(self.0) })
    }

    /// A function that calls this one and stands for it wherever its address is taken, if that is so and possible.
    pub fn step_in_between(self) -> Option<Value> {
        let step = unsafe { provoke_step_in_between(self.0) };
        (!step.is_null()).then_some(Value(step))
    }

    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    pub fn delete_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }

    pub fn move_body_to(self, to: Value) {
        unsafe { provoke_move_body(to.0, self.0) }
    }

    pub fn split_invoke_edges(self) {
        unsafe { provoke_split_invoke_edges(self.0) }
    }
}
