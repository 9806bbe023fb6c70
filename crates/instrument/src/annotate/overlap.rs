//! Blocks of a constant size that are copied between addresses which the input decides about: they must not overlap.
//!
//! Optimisation makes a load and a store of the small ones, so this is a check before that. The runtime sees the sizes that are no
//! constants, and in the replay view the sanitizer looks at all of them.

use super::{Annotated, Pass};
use crate::calls::is_call;
use llvm::{Block, Kind, Module, Opcode, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::prelude::LLVMModuleRef;
use trace::rule::{Rule, RuleSet};
use trace::sites::CheckSubject;

/// What a call of memcpy is in raw bitcode.
const COPIES: [&str; 2] = ["memcpy", "llvm.memcpy.p0.p0.i64"];

/// Adds the checks to a module that was annotated. Their numbers come behind those that all views have.
///
/// # Safety
/// As of [`super::annotate`].
pub unsafe fn check_copies(module: LLVMModuleRef, rules: RuleSet, annotated: &mut Annotated) {
    let (module, checks) = (Module::new(module), std::mem::take(&mut annotated.checks));
    let mut pass = Pass { module, builder: module.builder(), rules, checks, units: vec![] };
    let instructions = module.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions);
    let copies = instructions.filter(|i| is_call(*i) && i.callee().is_function());
    for call in copies.filter(|call| COPIES.contains(&call.callee().name().as_str())).collect::<Vec<_>>() {
        check(&mut pass, call);
    }
    annotated.checks = pass.checks;
}

fn check(pass: &mut Pass, call: Value) {
    let arguments = call.arguments();
    let [to, from, size, ..] = arguments.as_slice() else { return };
    let Some(bytes) = size.as_constant().filter(|bytes| *bytes > 1) else { return };
    if !may_overlap(pass.module, *to, *from, bytes) {
        return;
    }
    let Some(number) = pass.number(Rule::Overlap, CheckSubject::Copy, call.place(), false) else { return };
    let (builder, i64) = (&pass.builder, pass.module.int(64));
    builder.before(call);
    let [to, from] = [*to, *from].map(|pointer| builder.ptr_to_int(pointer, i64));
    let (up, down, least) = (builder.sub(to, from), builder.sub(from, to), i64.constant(bytes));
    let is_far = |distance: Value| builder.icmp(LLVMIntPredicate::LLVMIntUGE, distance, least);
    let is_apart = builder.and(is_far(up), is_far(down));
    // A block that is copied to where it is stays what it is, and compilers copy structures so.
    let holds = builder.or(is_apart, builder.eq(to, from));
    pass.call_check(number, holds, to, from, None).copy_location(call);
}

/// What a pointer is computed from.
#[derive(PartialEq, Eq)]
enum Origin {
    Variable(Value),
    Unknown,
}

/// Whether two blocks can overlap, as far as the code shows. To look at the address of a variable keeps it in memory: one that is no array, or
/// is copied as a whole, has better things to do.
fn may_overlap(module: Module, to: Value, from: Value, bytes: u64) -> bool {
    match (origin(to), origin(from)) {
        (Origin::Unknown, Origin::Unknown) => true,
        (Origin::Variable(variable), Origin::Unknown) | (Origin::Unknown, Origin::Variable(variable)) => {
            let ty = if variable.is_global_variable() { variable.value_type() } else { variable.allocated_type() };
            let is_constant = variable.is_global_variable() && variable.is_global_constant_variable();
            !is_constant && ty.kind() == Kind::LLVMArrayTypeKind && module.alloc_size(ty) > bytes
        }
        (a, b) => a == b,
    }
}

fn origin(pointer: Value) -> Origin {
    let mut base = pointer.without_constant_offset();
    while base.is_instruction() && base.opcode() == Opcode::LLVMGetElementPtr {
        base = base.operand(0).without_constant_offset();
    }
    let is_local = base.is_instruction() && base.opcode() == Opcode::LLVMAlloca;
    if is_local || base.is_global_variable() { Origin::Variable(base) } else { Origin::Unknown }
}
