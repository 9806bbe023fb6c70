//! Blocks that are copied between addresses which the input decides about: they must not overlap.
//!
//! Optimisation makes a load and a store of the small ones, so this is a check before that. The runtime sees the sizes that depend on
//! input, which is a check of its own then, and in the replay view the sanitizer looks at all of them.

use std::collections::HashMap;

use super::{Annotated, Pass};
use crate::calls::is_call;
use llvm::{Block, Module, Opcode, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::prelude::LLVMModuleRef;
use trace::rule::{Rule, RuleSet};
use trace::sites::CheckSubject;

/// What a call of memcpy is in raw bitcode, in a program that is fortified, too.
const COPIES: [&str; 3] = ["memcpy", "__memcpy_chk", "llvm.memcpy.p0.p0.i64"];

/// Adds the checks to a module that was annotated. Their numbers come behind those that all views have.
///
/// # Safety
/// As of [`super::annotate`].
pub unsafe fn check_copies(module: LLVMModuleRef, rules: RuleSet, annotated: &mut Annotated) {
    let (module, checks) = (Module::new(module), std::mem::take(&mut annotated.checks));
    let mut pass = Pass { module, builder: module.builder(), rules, checks, units: vec![] };
    let instructions = module.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions);
    let mut escaping = HashMap::new();
    for call in instructions.filter(|instruction| is_copy(*instruction)).collect::<Vec<_>>() {
        check(&mut pass, call, &mut escaping);
    }
    annotated.checks = pass.checks;
}

fn is_copy(instruction: Value) -> bool {
    is_call(instruction) && instruction.callee().is_function() && COPIES.contains(&instruction.callee().name().as_str())
}

fn check(pass: &mut Pass, call: Value, escaping: &mut HashMap<Value, bool>) {
    let arguments = call.arguments();
    let [to, from, size, ..] = arguments.as_slice() else { return };
    let bytes = size.as_constant();
    if bytes.is_some_and(|bytes| bytes <= 1) || size.ty() != pass.module.int(64) {
        return;
    }
    if !may_overlap(pass.module, (*to, *from), bytes.unwrap_or(2), escaping) {
        return;
    }
    let Some(number) = pass.number(Rule::Overlap, CheckSubject::Copy, call.place(), false) else { return };
    let (builder, i64) = (&pass.builder, pass.module.int(64));
    builder.before(call);
    let [to, from] = [*to, *from].map(|pointer| builder.ptr_to_int(pointer, i64));
    let (up, down, least) = (builder.sub(to, from), builder.sub(from, to), *size);
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

/// Whether two blocks of at least so many bytes can overlap, and not be the same, as far as the code shows. What is copied as a whole is
/// what it is, or lies elsewhere.
fn may_overlap(module: Module, (to, from): (Value, Value), bytes: u64, escaping: &mut HashMap<Value, bool>) -> bool {
    match (origin(to), origin(from)) {
        (Origin::Unknown, Origin::Unknown) => true,
        (Origin::Variable(variable), Origin::Unknown) | (Origin::Unknown, Origin::Variable(variable)) => {
            let ty = if variable.is_global_variable() { variable.value_type() } else { variable.allocated_type() };
            let is_sized = !variable.is_global_variable() && variable.operand(0).as_constant() != Some(1);
            let is_larger = is_sized || module.alloc_size(ty) > bytes;
            is_larger && *escaping.entry(variable).or_insert_with(|| escapes(variable))
        }
        (a, b) => a == b,
    }
}

/// Whether somebody may know the address of a variable who does not know the variable. If not, to look at its address would only keep it in
/// memory.
fn escapes(variable: Value) -> bool {
    if variable.is_global_variable() {
        return !variable.is_global_constant_variable();
    }
    variable.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMICmp => false,
        Opcode::LLVMStore => user.operand(0) == variable,
        Opcode::LLVMGetElementPtr => escapes(user),
        // The function returns where it has copied to.
        _ if is_copy(user) => user.operand(0) == variable && escapes(user),
        _ => !is_call(user) || !user.callee().is_function() || !keeps_nothing(&user.callee().name()),
    })
}

/// Calls that hand the address to nobody.
fn keeps_nothing(function: &str) -> bool {
    ["llvm.mem", "llvm.lifetime.", "llvm.dbg.", "llvm.objectsize."].iter().any(|start| function.starts_with(start))
        || [super::CHECK, super::keep::KEEP].contains(&function)
}

fn origin(pointer: Value) -> Origin {
    let mut base = pointer.without_constant_offset();
    while base.is_instruction() && base.opcode() == Opcode::LLVMGetElementPtr {
        base = base.operand(0).without_constant_offset();
    }
    let is_local = base.is_instruction() && base.opcode() == Opcode::LLVMAlloca;
    if is_local || base.is_global_variable() { Origin::Variable(base) } else { Origin::Unknown }
}
