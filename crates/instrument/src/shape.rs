//! Which scalars a type consists of: each has one label.

use llvm::{Kind, Module, Type};

/// A scalar within a value.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Where it is, from the outside in: lane or field numbers.
    pub path: Vec<u32>,
    /// Its width in bits.
    pub width: u32,
    /// Its place in memory, in bytes from the start of the value; `None` where it does not start at a whole byte.
    pub offset: Option<u64>,
}

/// Aggregates with more scalars than this are taken as concrete. clang keeps larger ones in memory.
const MOST_LEAVES: usize = 64;

/// The widest value that can have a label.
const WIDEST: u32 = 1024;

/// The scalars of a type, or none if its values never have labels.
pub fn leaves(module: Module, ty: Type) -> Vec<Leaf> {
    let mut all = Vec::new();
    if collect(module, ty, &mut Vec::new(), Some(0), &mut all) { all } else { Vec::new() }
}

/// The width of a scalar type that can have a label.
pub fn scalar_width(ty: Type) -> Option<u32> {
    match ty.kind() {
        Kind::LLVMIntegerTypeKind => Some(ty.int_width()).filter(|w| *w <= WIDEST),
        Kind::LLVMPointerTypeKind | Kind::LLVMDoubleTypeKind => Some(64),
        Kind::LLVMFloatTypeKind => Some(32),
        Kind::LLVMHalfTypeKind | Kind::LLVMBFloatTypeKind => Some(16),
        _ => None,
    }
}

/// Whether it is a floating-point type, or a vector of one.
pub fn is_float(ty: Type) -> bool {
    match ty.kind() {
        Kind::LLVMVectorTypeKind => is_float(ty.lanes().0),
        Kind::LLVMHalfTypeKind
        | Kind::LLVMBFloatTypeKind
        | Kind::LLVMFloatTypeKind
        | Kind::LLVMDoubleTypeKind
        | Kind::LLVMX86_FP80TypeKind
        | Kind::LLVMFP128TypeKind
        | Kind::LLVMPPC_FP128TypeKind => true,
        _ => false,
    }
}

fn collect(module: Module, ty: Type, path: &mut Vec<u32>, offset: Option<u64>, all: &mut Vec<Leaf>) -> bool {
    if all.len() >= MOST_LEAVES {
        return false;
    }
    if let Some(width) = scalar_width(ty) {
        all.push(Leaf { path: path.clone(), width, offset });
        return true;
    }
    let parts: Vec<(Type, Option<u64>)> = match ty.kind() {
        Kind::LLVMVectorTypeKind => {
            let (element, count) = ty.lanes();
            let bits = module.bits(element);
            // Lanes are packed: an odd width starts in the middle of a byte.
            let place = |i: u32| offset.filter(|_| bits.is_multiple_of(8)).map(|o| o + u64::from(i) * bits / 8);
            (0..count).map(|i| (element, place(i))).collect()
        }
        Kind::LLVMStructTypeKind => {
            let fields = ty.fields();
            let place = |i: usize| offset.map(|o| o + module.field_offset(ty, i as u32));
            fields.into_iter().enumerate().map(|(i, field)| (field, place(i))).collect()
        }
        Kind::LLVMArrayTypeKind => {
            let (element, count) = ty.elements();
            if count > MOST_LEAVES as u64 {
                return false;
            }
            let size = module.alloc_size(element);
            (0..count).map(|i| (element, offset.map(|o| o + i * size))).collect()
        }
        _ => return false,
    };
    for (i, (part, place)) in parts.into_iter().enumerate() {
        path.push(i as u32);
        let fits = collect(module, part, path, place, all);
        path.pop();
        if !fits {
            return false;
        }
    }
    true
}
