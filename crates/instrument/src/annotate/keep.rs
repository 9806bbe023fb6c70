//! Keeps optimisation from taking away accesses to memory that nobody reads: a write behind the end of an array is a
//! mistake also where the array is not used any more.

use crate::whole_program::redirect_to_models;
use llvm::{Kind, Module, Opcode, Type, Value};
use llvm_sys::prelude::LLVMModuleRef;

/// A function that is said to read what it is given. It has no code: its calls go when optimisation is over.
pub(super) const KEEP: &str = "provoke.keep";

/// Calls of these are known to LLVM, which removes blocks that are only written.
const ALLOCATION: &[&str] = &["malloc", "calloc", "realloc", "reallocarray", "free", "posix_memalign", "aligned_alloc"];

/// Prepares a raw module for optimisation.
///
/// # Safety
/// As of [`crate::concolic`].
pub unsafe fn keep_accesses(module: LLVMModuleRef) {
    let module = Module::new(module);
    redirect_to_models(module, ALLOCATION);
    let variables = module.globals();
    let written = variables.into_iter().filter(|g| !g.is_declaration() && !g.is_global_constant_variable());
    let arrays = written.filter(|g| g.is_internal() && !g.name().starts_with("llvm.") && has_array(g.value_type()));
    module.mark_used(&arrays.collect::<Vec<_>>());
    for function in module.functions() {
        keep_variables(module, function);
    }
}

/// Takes away what [`keep_accesses`] has put into the code.
pub fn release(module: Module) {
    let Some(keep) = module.function(KEEP) else { return };
    keep.users().into_iter().for_each(Value::erase);
    keep.delete_function();
}

/// Has every array of a function read where its life ends.
fn keep_variables(module: Module, function: Value) {
    let Some(entry) = function.blocks().first().copied() else { return };
    keep_sized(module, function);
    let instructions = entry.instructions().into_iter();
    let arrays = instructions.filter(|i| i.opcode() == Opcode::LLVMAlloca && has_array(i.allocated_type()));
    let arrays: Vec<Value> = arrays.collect();
    if arrays.is_empty() {
        return;
    }
    let ends: Vec<Value> = function.blocks().into_iter().filter_map(|block| block.terminator()).collect();
    let returns: Vec<Value> = ends.into_iter().filter(|end| end.opcode() == Opcode::LLVMRet).collect();
    for array in arrays {
        let of_life = array.users().into_iter().filter(|user| {
            user.opcode() == Opcode::LLVMCall
                && user.callee().is_function()
                && user.callee().name().starts_with("llvm.lifetime.end")
        });
        let of_life: Vec<Value> = of_life.collect();
        let places = if of_life.is_empty() { returns.clone() } else { of_life };
        for place in places {
            read(module, array, place);
        }
    }
}

/// The same for memory on the stack whose size is computed: how much there is can be the mistake. It may be allocated on some
/// ways through the function only, so a variable says at its end which of it there was last.
fn keep_sized(module: Module, function: Value) {
    let blocks = function.blocks();
    let instructions = blocks.iter().flat_map(|block| block.instructions());
    let is_sized = |i: &Value| i.opcode() == Opcode::LLVMAlloca && i.operand(0).as_constant().is_none();
    let sized: Vec<Value> = instructions.filter(is_sized).collect();
    let Some(first) = blocks.first().and_then(|entry| entry.instructions().first().copied()) else { return };
    let builder = module.builder();
    for array in sized {
        let Some(next) = array.next() else { continue };
        builder.before(first);
        let latest = builder.alloca(module.ptr());
        builder.store(module.ptr().zero(), latest);
        builder.before(next);
        builder.store(array, latest);
        for end in blocks.iter().filter_map(|block| block.terminator()).filter(|end| end.opcode() == Opcode::LLVMRet) {
            builder.before(end);
            read(module, builder.load(module.ptr(), latest), end);
        }
    }
}

fn read(module: Module, array: Value, before: Value) {
    let ty = module.function_type(module.void(), &[module.ptr()]);
    let function = module.function(KEEP).unwrap_or_else(|| {
        let function = module.add_function(KEEP, ty);
        function.add_attributes(module, &["nounwind", "willreturn", "nocallback", "nofree", "nosync"]);
        function.set_reads_arguments_only(module);
        function
    });
    let builder = module.builder();
    builder.before(before);
    builder.call(ty, function, &[array]).copy_location(before);
}

/// Whether there is an array in the type. Types are as deep as the source has them.
fn has_array(ty: Type) -> bool {
    match ty.kind() {
        Kind::LLVMArrayTypeKind => true,
        Kind::LLVMStructTypeKind => ty.fields().into_iter().any(has_array),
        _ => false,
    }
}
