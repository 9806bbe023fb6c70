//! What types of the source are made of.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call here passes handles of the one live module")]

use super::{RawText, text};
use llvm_sys::prelude::*;
use std::ffi::c_void;
use std::mem::zeroed;

#[repr(C)]
struct RawShape {
    kind: u32,
    is_system: u32,
    is_character: u32,
    bytes: u64,
    count: u64,
    inner: LLVMMetadataRef,
}

#[repr(C)]
struct RawField {
    name: RawText,
    ty: LLVMMetadataRef,
    offset: u64,
    is_bit_field: u32,
}

type VisitField = extern "C" fn(*mut c_void, *const RawField);

unsafe extern "C" {
    fn provoke_type_shape(ty: LLVMMetadataRef, found: *mut RawShape);
    fn provoke_each_field(ty: LLVMMetadataRef, visit: VisitField, data: *mut c_void);
}

/// A type of the source; it may be `void`, or not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeRef(LLVMMetadataRef);

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An integer.
    Integer {
        /// Whether it can be negative.
        signed: bool,
        /// Whether it is a plain `char`.
        is_character: bool,
    },
    /// A pointer to something.
    Pointer(TypeRef),
    /// A structure.
    Structure {
        /// Whether the system declares it, and alone knows what it means.
        is_system: bool,
    },
    /// An array of so many elements; 0 where that is not known.
    Array(TypeRef, u64),
    /// Anything else.
    Other,
}

/// A field of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; empty for a structure or union without one.
    pub name: String,
    /// Its type.
    pub ty: TypeRef,
    /// Bytes from the start of the structure.
    pub offset: u64,
    /// Whether it has no address.
    pub is_bit_field: bool,
}

impl TypeRef {
    pub(super) fn new(ty: LLVMMetadataRef) -> TypeRef {
        TypeRef(ty)
    }

    fn raw(self) -> RawShape {
        unsafe {
            let mut raw: RawShape = zeroed();
            if !self.0.is_null() {
                provoke_type_shape(self.0, &mut raw);
            }
            raw
        }
    }

    /// How many bytes it has; 0 if that is not known.
    pub fn bytes(self) -> u64 {
        self.raw().bytes
    }

    /// What it is made of.
    pub fn shape(self) -> Shape {
        let raw = self.raw();
        match raw.kind {
            kind @ 1..=2 => Shape::Integer { signed: kind == 1, is_character: raw.is_character != 0 },
            3 => Shape::Pointer(TypeRef(raw.inner)),
            4 => Shape::Structure { is_system: raw.is_system != 0 },
            5 => Shape::Array(TypeRef(raw.inner), raw.count),
            _ => Shape::Other,
        }
    }

    /// The fields of a structure.
    pub fn fields(self) -> Vec<Field> {
        let mut found: Vec<Field> = Vec::new();
        if !self.0.is_null() {
            unsafe { provoke_each_field(self.0, keep_field, (&raw mut found).cast()) };
        }
        found
    }
}

extern "C" fn keep_field(found: *mut c_void, raw: *const RawField) {
    unsafe {
        let raw = &*raw;
        (*found.cast::<Vec<Field>>()).push(Field {
            name: text(raw.name),
            ty: TypeRef(raw.ty),
            offset: raw.offset,
            is_bit_field: raw.is_bit_field != 0,
        });
    }
}
