//! A thin layer over LLVM's C interface: copyable handles and just the calls that the instrumenter makes.
//!
//! Handles are plain pointers into the module that is being instrumented; they are valid as long as that module is,
//! and nothing in this crate keeps one longer.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call here passes handles of the one live module")]

use llvm_sys::LLVMIntPredicate;
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMTypeKind as Kind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, c_char};

unsafe extern "C" {
    fn provoke_split_if_unlikely(condition: LLVMValueRef, before: LLVMValueRef) -> LLVMValueRef;
    fn provoke_move_body(to: LLVMValueRef, from: LLVMValueRef);
    fn provoke_split_invoke_edges(function: LLVMValueRef);
    fn provoke_location_function(location: LLVMMetadataRef, length: *mut usize) -> *const c_char;
    fn provoke_returns_twice(instruction: LLVMValueRef) -> i32;
    fn provoke_by_value_argument(call: LLVMValueRef, argument: u32) -> u64;
    fn provoke_clone_function(function: LLVMValueRef) -> LLVMValueRef;
    fn provoke_split_off(module: LLVMModuleRef, mark: *const c_char) -> LLVMModuleRef;
    fn provoke_mark_used(module: LLVMModuleRef, values: *const LLVMValueRef, count: usize);
    fn provoke_add_constructor(module: LLVMModuleRef, function: LLVMValueRef);
    fn provoke_by_value_parameter(function: LLVMValueRef, argument: u32) -> u64;
    fn provoke_check_addresses(module: LLVMModuleRef);
    fn provoke_name_variables(module: LLVMModuleRef);
}

/// LLVM's number for the calling convention in which the callee saves nearly all registers.
const PRESERVE_MOST: u32 = 14;

/// A value: constant, argument, instruction, function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block(pub LLVMBasicBlockRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type(pub LLVMTypeRef);

/// A module with its context and data layout.
#[derive(Clone, Copy)]
pub struct Module {
    pub module: LLVMModuleRef,
    pub context: LLVMContextRef,
    layout: LLVMTargetDataRef,
}

pub fn text(pointer: *const c_char, length: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The file that a scope of the source lies in.
fn file_of(scope: LLVMMetadataRef) -> String {
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        let mut length = 0u32;
        if file.is_null() { String::new() } else { text(LLVMDIFileGetFilename(file, &mut length), length as usize) }
    }
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

impl Module {
    /// Wraps a module; the caller keeps owning it.
    pub fn new(module: LLVMModuleRef) -> Module {
        unsafe { Module { module, context: LLVMGetModuleContext(module), layout: LLVMGetModuleDataLayout(module) } }
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

    /// Lets a function without parameters run before all of the program's own constructors.
    /// Keeps optimisation from assuming that it sees all uses of these variables.
    pub fn mark_used(self, variables: &[Value]) {
        let values: Vec<LLVMValueRef> = variables.iter().map(|v| v.0).collect();
        unsafe { provoke_mark_used(self.module, values.as_ptr(), values.len()) }
    }

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

/// A name for the C interface: the first NUL ends it, so one is there.
fn c_name(name: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = name.bytes().filter(|b| *b != 0).collect();
    bytes.push(0);
    bytes
}

fn attribute(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

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

/// Where an instruction stands in the source, innermost first: file, line, column, function.
pub type Location = Vec<(String, u32, u32, String)>;

impl Value {
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let pointer = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(pointer, length)
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

    // Instructions.

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

    // Calls.

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

    /// Forgets what LLVM had inferred about the memory that a call touches: it now touches the runtime's too.
    pub fn strip_call_effects(self) {
        for name in EFFECT_ATTRIBUTES {
            unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute(name)) }
        }
    }

    // Functions and globals.

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

    /// Says that a function touches no memory that the program can see.
    pub fn set_touches_hidden_memory_only(self, module: Module) {
        self.set_memory_effects(module, 3 << 2);
    }

    /// Says that a function writes no memory, and reads only what its arguments point to.
    pub fn set_reads_arguments_only(self, module: Module) {
        self.set_memory_effects(module, 1);
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

    pub fn set_internal(self) {
        unsafe { LLVMSetLinkage(self.0, llvm_sys::LLVMLinkage::LLVMInternalLinkage) }
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

    pub fn blocks(self) -> Vec<Block> {
        unsafe { list(LLVMGetFirstBasicBlock(self.0), LLVMGetNextBasicBlock).into_iter().map(Block).collect() }
    }

    /// A copy of a function, in the same module.
    pub fn clone_function(self) -> Value {
        Value(unsafe { provoke_clone_function(self.0) })
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

    // Positions.

    /// Where a function starts.
    pub fn start(self) -> Location {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return Vec::new();
            }
            vec![(file_of(subprogram), LLVMDISubprogramGetLine(subprogram), 0, self.name())]
        }
    }

    pub fn location(self) -> Location {
        self.place().map(Place::location).unwrap_or_default()
    }

    pub fn place(self) -> Option<Place> {
        Place::new(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }
}

/// A place in the source, as debug information has it.
#[derive(Clone, Copy)]
pub struct Place(LLVMMetadataRef);

impl Place {
    /// Nothing where it is not known.
    pub fn new(location: LLVMMetadataRef) -> Option<Place> {
        (!location.is_null()).then_some(Place(location))
    }

    pub fn location(self) -> Location {
        let mut all = Vec::new();
        unsafe {
            let mut at = self.0;
            while !at.is_null() {
                let mut length = 0;
                let function = provoke_location_function(at, &mut length);
                let function = text(function, length);
                let name = file_of(LLVMDILocationGetScope(at));
                all.push((name, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at), function));
                at = LLVMDILocationGetInlinedAt(at);
            }
        }
        all
    }
}

/// Attributes that promise something about a function's effects that instrumentation makes untrue.
const EFFECT_ATTRIBUTES: [&str; 3] = ["memory", "speculatable", "nosync"];

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

/// An instruction builder.
pub struct Builder(LLVMBuilderRef);

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
        let mut index = [module.int(64).constant(bytes).0];
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
