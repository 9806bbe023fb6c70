//! What debug information says about variables, results and fields.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call here passes handles of the one live module")]

mod types;

pub use types::{Field, Shape, TypeRef};

use crate::{Module, Place, Value};
use llvm_sys::prelude::*;
use std::ffi::{c_char, c_void};
use std::mem::zeroed;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawText {
    start: *const c_char,
    length: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawType {
    name: RawText,
    form: u32,
    bits: u32,
}

#[repr(C)]
struct RawVariable {
    address: LLVMValueRef,
    name: RawText,
    ty: RawType,
    scope: LLVMMetadataRef,
    location: LLVMMetadataRef,
    declared: LLVMMetadataRef,
    parameter: u32,
}

#[repr(C)]
struct RawMember {
    structure: LLVMMetadataRef,
    structure_name: RawText,
    name: RawText,
    ty: RawType,
    file: RawText,
    line: u32,
    is_bit_field: u32,
    offset: u64,
    tag: RawText,
}

#[repr(C)]
struct RawEnumerator {
    name: RawText,
    value: u64,
    is_signed: u32,
}

type VisitVariable = extern "C" fn(*mut c_void, *const RawVariable);
type VisitMember = extern "C" fn(*mut c_void, *const RawMember);
type VisitEnumerator = extern "C" fn(*mut c_void, *const RawEnumerator);

unsafe extern "C" {
    fn provoke_each_local(function: LLVMValueRef, visit: VisitVariable, data: *mut c_void);
    fn provoke_each_global(module: LLVMModuleRef, visit: VisitVariable, data: *mut c_void);
    fn provoke_each_member(module: LLVMModuleRef, visit: VisitMember, data: *mut c_void);
    fn provoke_each_enumerator(module: LLVMModuleRef, visit: VisitEnumerator, data: *mut c_void);
    fn provoke_result(function: LLVMValueRef, found: *mut RawVariable) -> i32;
    fn provoke_outer_scope(scope: LLVMMetadataRef) -> LLVMMetadataRef;
    fn provoke_is_local_scope(scope: LLVMMetadataRef) -> i32;
    fn provoke_last_beside(store: LLVMValueRef) -> LLVMValueRef;
    fn provoke_field_offset(module: LLVMModuleRef, address: LLVMValueRef, structure: *mut RawText) -> u64;
}

/// What kind of number a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// None.
    Other,
    /// An integer that can be negative.
    Signed,
    /// An integer that cannot; a truth value.
    Unsigned,
    /// An address.
    Pointer,
}

/// A type of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceType {
    /// As C writes it, where it has a name.
    pub name: String,
    /// What kind of number its values are.
    pub form: Form,
    /// Their width in memory.
    pub bits: u32,
}

/// A scope of the source: a block, a function, a compilation unit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scope(LLVMMetadataRef);

/// A variable, or the result of a function.
#[derive(Clone)]
pub struct Variable {
    /// Where it lies; a result lies nowhere.
    pub address: Value,
    pub name: String,
    pub ty: SourceType,
    /// The same, with what it is made of.
    pub whole: TypeRef,
    pub scope: Scope,
    /// Where a local variable is declared.
    pub declared: Option<Place>,
    pub is_parameter: bool,
}

/// A field of a structure or union.
#[derive(Clone)]
pub struct Member {
    /// The structure: its identity and its name.
    pub structure: Scope,
    pub structure_name: String,
    pub name: String,
    pub ty: SourceType,
    /// Where it is declared.
    pub file: String,
    pub line: u32,
    pub is_bit_field: bool,
    /// Bits from the start of the structure.
    pub offset: u64,
    /// Text of an attribute that clang keeps here, whatever becomes of the field in the code.
    pub tag: String,
}

/// A constant of an enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumerator {
    pub name: String,
    pub value: u64,
    pub is_signed: bool,
}

impl Scope {
    /// The scope around this one; beyond a compilation unit there is none.
    pub fn outer(self) -> Option<Scope> {
        let outer = unsafe { provoke_outer_scope(self.0) };
        (!outer.is_null()).then_some(Scope(outer))
    }

    /// Whether it lies in a function.
    pub fn is_local(self) -> bool {
        unsafe { provoke_is_local_scope(self.0) != 0 }
    }
}

/// The variables of a function on the stack, in the order of their declarations.
pub fn locals(function: Value) -> Vec<Variable> {
    let mut found: Vec<Variable> = Vec::new();
    unsafe { provoke_each_local(function.0, keep_variable, (&raw mut found).cast()) };
    found
}

/// The variables outside of functions, and the static ones of functions.
pub fn globals(module: Module) -> Vec<Variable> {
    let mut found: Vec<Variable> = Vec::new();
    unsafe { provoke_each_global(module.module, keep_variable, (&raw mut found).cast()) };
    found
}

/// The fields of all structures and unions.
pub fn members(module: Module) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    unsafe { provoke_each_member(module.module, keep_member, (&raw mut found).cast()) };
    found
}

/// The constants of all enumerations.
pub fn enumerators(module: Module) -> Vec<Enumerator> {
    let mut found: Vec<Enumerator> = Vec::new();
    unsafe { provoke_each_enumerator(module.module, keep_enumerator, (&raw mut found).cast()) };
    found
}

/// A function as the source has it: its name, the type of its result, its scope.
pub fn result(function: Value) -> Option<Variable> {
    unsafe {
        let mut raw: RawVariable = zeroed();
        (provoke_result(function.0, &mut raw) != 0).then(|| variable(&raw))
    }
}

/// The last store with the same place in the source that is always made when this one is: an initialiser is complete there.
pub fn last_beside(store: Value) -> Value {
    Value(unsafe { provoke_last_beside(store.0) })
}

/// For the address of a field: its distance from the start of its structure, in bits, and the structure's name.
pub fn field_offset(module: Module, address: Value) -> (u64, String) {
    unsafe {
        let mut name: RawText = zeroed();
        let offset = provoke_field_offset(module.module, address.0, &mut name);
        (offset, text(name))
    }
}

extern "C" fn keep_variable(found: *mut c_void, raw: *const RawVariable) {
    unsafe { (*found.cast::<Vec<Variable>>()).push(variable(&*raw)) }
}

extern "C" fn keep_enumerator(found: *mut c_void, raw: *const RawEnumerator) {
    unsafe {
        let (name, value, is_signed) = (text((*raw).name), (*raw).value, (*raw).is_signed != 0);
        (*found.cast::<Vec<Enumerator>>()).push(Enumerator { name, value, is_signed });
    }
}

extern "C" fn keep_member(found: *mut c_void, raw: *const RawMember) {
    unsafe {
        let raw = &*raw;
        (*found.cast::<Vec<Member>>()).push(Member {
            structure: Scope(raw.structure),
            structure_name: text(raw.structure_name),
            name: text(raw.name),
            ty: source_type(raw.ty),
            file: text(raw.file),
            line: raw.line,
            is_bit_field: raw.is_bit_field != 0,
            offset: raw.offset,
            tag: text(raw.tag),
        });
    }
}

fn variable(raw: &RawVariable) -> Variable {
    Variable {
        address: Value(raw.address),
        name: text(raw.name),
        ty: source_type(raw.ty),
        whole: TypeRef::new(raw.declared),
        scope: Scope(raw.scope),
        declared: Place::new(raw.location),
        is_parameter: raw.parameter != 0,
    }
}

fn source_type(raw: RawType) -> SourceType {
    let form = match raw.form {
        1 => Form::Signed,
        2 => Form::Unsigned,
        3 => Form::Pointer,
        _ => Form::Other,
    };
    SourceType { name: text(raw.name), form, bits: raw.bits }
}

fn text(raw: RawText) -> String {
    crate::text(raw.start, raw.length)
}
