//! Modules: what is in them, and making types, functions and globals.

use super::{Block, Builder, Type, Value, c_name, list};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, c_char};

unsafe extern "C" {
    fn provoke_split_off(module: LLVMModuleRef, mark: *const c_char) -> LLVMModuleRef;
    fn provoke_mark_used(module: LLVMModuleRef, values: *const LLVMValueRef, count: usize);
    fn provoke_add_constructor(module: LLVMModuleRef, function: LLVMValueRef);
    fn provoke_check_addresses(module: LLVMModuleRef);
    fn provoke_name_variables(module: LLVMModuleRef);
    fn provoke_relax_flags(module: LLVMModuleRef);
}

/// A module with its context and data layout.
#[derive(Clone, Copy)]
pub struct Module {
    pub module: LLVMModuleRef,
    pub context: LLVMContextRef,
    layout: LLVMTargetDataRef,
}

impl Module {
    /// Wraps a module; the caller keeps owning it.
    pub fn new(module: LLVMModuleRef) -> Module {
        unsafe { Module { module, context: LLVMGetModuleContext(module), layout: LLVMGetModuleDataLayout(module) } }
    }

    /// Lets the module be linked with modules that were compiled with other options, as the linker does.
    pub fn relax_flags(self) {
        unsafe { provoke_relax_flags(self.module) }
    }

    pub fn functions(self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstFunction(self.module), LLVMGetNextFunction).into_iter().map(Value).collect() }
    }

    pub fn globals(self) -> Vec<Value> {
        unsafe { list(LLVMGetFirstGlobal(self.module), LLVMGetNextGlobal).into_iter().map(Value).collect() }
    }

    /// The functions that are chosen from several while the program is being loaded.
    pub fn indirect_functions(self) -> Vec<IndirectFunction> {
        let all = unsafe { list(LLVMGetFirstGlobalIFunc(self.module), LLVMGetNextGlobalIFunc) };
        all.into_iter().map(IndirectFunction).collect()
    }

    pub fn function(self, name: &str) -> Option<Value> {
        let name = c_name(name);
        let found = unsafe { LLVMGetNamedFunction(self.module, name.as_ptr().cast()) };
        (!found.is_null()).then_some(Value(found))
    }

    pub fn int(self, width: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context, width) })
    }

    pub fn void(self) -> Type {
        Type(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    pub fn ptr(self) -> Type {
        Type(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    pub fn array(self, element: Type, count: u64) -> Type {
        Type(unsafe { LLVMArrayType2(element.0, count) })
    }

    pub fn structure(self, fields: &[Type]) -> Type {
        let mut fields: Vec<LLVMTypeRef> = fields.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMStructTypeInContext(self.context, fields.as_mut_ptr(), fields.len() as u32, 0) })
    }

    pub fn function_type(self, result: Type, parameters: &[Type]) -> Type {
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMFunctionType(result.0, parameters.as_mut_ptr(), parameters.len() as u32, 0) })
    }

    pub fn variadic_type(self, result: Type, parameters: &[Type]) -> Type {
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMFunctionType(result.0, parameters.as_mut_ptr(), parameters.len() as u32, 1) })
    }

    pub fn add_function(self, name: &str, ty: Type) -> Value {
        let name = c_name(name);
        Value(unsafe { LLVMAddFunction(self.module, name.as_ptr().cast(), ty.0) })
    }

    /// A new global; without `value` a declaration.
    pub fn add_global(self, name: &str, ty: Type, value: Option<Value>) -> Value {
        let name = c_name(name);
        unsafe {
            let global = LLVMAddGlobal(self.module, ty.0, name.as_ptr().cast());
            if let Some(value) = value {
                LLVMSetInitializer(global, value.0);
                LLVMSetGlobalConstant(global, 1);
                LLVMSetLinkage(global, llvm_sys::LLVMLinkage::LLVMPrivateLinkage);
            }
            Value(global)
        }
    }

    /// A new constant with a text in it, and a zero byte behind it.
    pub fn add_text(self, name: &str, text: &str) -> Value {
        let value = unsafe {
            let context = LLVMGetModuleContext(self.module);
            LLVMConstStringInContext2(context, text.as_ptr().cast(), text.len(), 0)
        };
        self.add_global(name, Value(value).ty(), Some(Value(value)))
    }

    /// A new global that other objects of the program see, all zeros.
    pub fn add_zeroed_global(self, name: &str, ty: Type, alignment: u32) -> Value {
        let global = self.add_global(name, ty, None);
        unsafe {
            LLVMSetInitializer(global.0, LLVMConstNull(ty.0));
            LLVMSetVisibility(global.0, llvm_sys::LLVMVisibility::LLVMHiddenVisibility);
            LLVMSetAlignment(global.0, alignment);
        }
        global
    }

    /// A new constant that other objects of the program see.
    pub fn add_hidden_constant(self, name: &str, value: Value) {
        let global = self.add_global(name, value.ty(), Some(value));
        unsafe {
            LLVMSetLinkage(global.0, llvm_sys::LLVMLinkage::LLVMExternalLinkage);
            LLVMSetVisibility(global.0, llvm_sys::LLVMVisibility::LLVMHiddenVisibility);
        }
    }

    pub fn const_array(self, element: Type, values: &[Value]) -> Value {
        let mut values: Vec<LLVMValueRef> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstArray2(element.0, values.as_mut_ptr(), values.len() as u64) })
    }

    pub fn const_struct(self, values: &[Value]) -> Value {
        let mut values: Vec<LLVMValueRef> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstStructInContext(self.context, values.as_mut_ptr(), values.len() as u32, 0) })
    }

    /// Bytes that a store of this type writes.
    pub fn store_size(self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.layout, ty.0) }
    }

    /// Bytes from one element of this type to the next.
    pub fn alloc_size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.layout, ty.0) }
    }

    /// Width in bits.
    pub fn bits(self, ty: Type) -> u64 {
        unsafe { LLVMSizeOfTypeInBits(self.layout, ty.0) }
    }

    pub fn field_offset(self, structure: Type, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.layout, structure.0, field) }
    }

    pub fn builder(self) -> Builder {
        Builder(unsafe { LLVMCreateBuilderInContext(self.context) })
    }

    /// Moves the functions with a string attribute into a module of their own, which the caller owns.
    pub fn split_off(self, mark: &CStr) -> LLVMModuleRef {
        unsafe { provoke_split_off(self.module, mark.as_ptr()) }
    }

    /// Keeps optimisation from assuming that it sees all uses of these variables.
    pub fn mark_used(self, variables: &[Value]) {
        let values: Vec<LLVMValueRef> = variables.iter().map(|v| v.0).collect();
        unsafe { provoke_mark_used(self.module, values.as_ptr(), values.len()) }
    }

    /// Lets a function without parameters run before all of the program's own constructors.
    pub fn add_constructor(self, function: Value) {
        unsafe { provoke_add_constructor(self.module, function.0) }
    }

    /// Gives variables on the stack the names that debug information has for them.
    pub fn name_variables(self) {
        unsafe { provoke_name_variables(self.module) }
    }

    /// Puts AddressSanitizer's checks into the functions that are marked for it.
    pub fn check_addresses(self) {
        unsafe { provoke_check_addresses(self.module) }
    }

    pub fn append_block(self, function: Value, name: &str) -> Block {
        let name = c_name(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr().cast()) })
    }
}

/// A function with a resolver, which chooses its implementation.
#[derive(Clone, Copy)]
pub struct IndirectFunction(LLVMValueRef);

impl IndirectFunction {
    pub fn resolver(self) -> Value {
        Value(unsafe { LLVMGetGlobalIFuncResolver(self.0) }).without_alias()
    }

    pub fn set_resolver(self, resolver: Value) {
        unsafe { LLVMSetGlobalIFuncResolver(self.0, resolver.0) }
    }
}
