//! Sizes of types and the arrays in them.

use crate::program::{ArrayRange, Layout};
use llvm::{Kind, Module, Type, Value};

/// Arrays in structures in arrays, and so on; deeper ones are taken as bytes.
const DEPTH: u32 = 16;

/// Bytes of a pointer.
const WORD: u64 = 8;

/// Arrays that one type may have in it before all of it is taken as bytes.
const ARRAYS: usize = 256;

/// The layout of a type.
pub fn of(module: Module, ty: Type) -> Layout {
    let mut layout = Layout { size: module.alloc_size(ty), arrays: Vec::new() };
    if !arrays(module, ty, 0, DEPTH, &mut layout.arrays) || layout.arrays.len() > ARRAYS {
        layout.arrays = vec![ArrayRange { start: 0, element: 1, end: u64::MAX }];
    }
    layout
}

/// How many places for pointers there are in a type.
pub fn pointers(module: Module, ty: Type) -> u64 {
    pointers_within(module, ty, DEPTH)
}

fn pointers_within(module: Module, ty: Type, depth: u32) -> u64 {
    // Only one member of a union is in its type.
    let is_union = || ty.name().starts_with("union.");
    match ty.kind() {
        Kind::LLVMPointerTypeKind => 1,
        Kind::LLVMStructTypeKind if depth > 0 && !is_union() => {
            ty.fields().into_iter().map(|field| pointers_within(module, field, depth - 1)).sum()
        }
        Kind::LLVMArrayTypeKind if depth > 0 => {
            let (element, count) = ty.elements();
            pointers_within(module, element, depth - 1).saturating_mul(count)
        }
        Kind::LLVMStructTypeKind | Kind::LLVMArrayTypeKind | Kind::LLVMVectorTypeKind => module.alloc_size(ty) / WORD,
        _ => 0,
    }
}

/// The layout of something of which not even the size is known.
pub fn unknown() -> Layout {
    Layout { size: 0, arrays: vec![ArrayRange { start: 0, element: 1, end: u64::MAX }] }
}

/// The layout of a structure that is passed as a copy.
pub fn by_value(module: Module, function: Value, parameter: u32) -> Layout {
    match function.by_value_type(parameter) {
        Some(ty) => of(module, ty),
        None => unknown(),
    }
}

/// Collects the arrays in a type; false if they are nested too deeply.
fn arrays(module: Module, ty: Type, at: u64, depth: u32, found: &mut Vec<ArrayRange>) -> bool {
    if depth == 0 {
        return false;
    }
    match ty.kind() {
        Kind::LLVMArrayTypeKind => {
            let (element, count) = ty.elements();
            let size = module.alloc_size(element);
            if size > 0 {
                // An array at the end of a structure is often longer than it says.
                let end = if count <= 1 { u64::MAX } else { at.saturating_add(size.saturating_mul(count)) };
                found.push(ArrayRange { start: at, element: size, end });
            }
            arrays(module, element, at, depth - 1, found)
        }
        Kind::LLVMStructTypeKind => (0..)
            .zip(ty.fields())
            .all(|(index, field)| arrays(module, field, at + module.field_offset(ty, index), depth - 1, found)),
        _ => true,
    }
}
