//! What a function does on entry and on return: its stack variables become known as regions, structures passed by value
//! and variadic arguments get their labels.

use crate::around_calls::expose_each;
use crate::calls::{self, Callee};
use crate::context::Context;
use crate::plan::{Plan, ends_arrays};
use llvm::{Builder, Opcode, Value};
use llvm_sys::LLVMIntPredicate;
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::layout::{LEAST_ROOM, Reason};

/// Adds entry and exit code to an instrumented function. `takes` says whether the function's own code takes the labels of
/// its parameters.
pub fn prepare(cx: &mut Context, builder: &Builder, plan: &Plan, takes: bool) {
    let Some(first) = after_variables(plan.function) else { return };
    take_by_value(cx, builder, plan.function, first);
    take_variadic(cx, builder, plan, first);
    if !takes && (cx.takers.contains(&plan.function) || has_address_taken(plan.function)) {
        decline_arguments(cx, builder, plan.function, first);
    }
    register(cx, builder, plan, first);
}

/// At the entry of a function that does not look at its labels: tells the caller that they were not lost.
fn decline_arguments(cx: &Context, builder: &Builder, function: Value, first: Value) {
    builder.before(first);
    let at = cx.thread_field(builder, offset_of!(ThreadSlots, argument_tag));
    let tag = builder.load(cx.ptr, at);
    let is_mine = builder.eq(tag, function);
    builder.store(builder.select(is_mine, cx.ptr.zero(), tag), at);
}

fn has_address_taken(function: Value) -> bool {
    let calls_it = |user: &Value| {
        user.is_instruction()
            && calls::is_call(*user)
            && user.callee() == function
            && !user.arguments().contains(&function)
    };
    !function.parameters().is_empty() && !function.users().iter().all(calls_it)
}

/// At the entry of a function: in whose name its results are given. Usually in its own.
pub fn result_tag(cx: &Context, builder: &Builder, function: Value) -> Value {
    let Some(first) = after_variables(function).filter(|_| cx.tail_targets.contains(&function)) else {
        return function;
    };
    builder.before(first);
    let at = cx.thread_field(builder, offset_of!(ThreadSlots, tail_to));
    let tag = builder.load(cx.ptr, at);
    let is_me = builder.eq(tag, function);
    builder.store(builder.select(is_me, cx.ptr.zero(), tag), at);
    let from = builder.load(cx.ptr, cx.thread_field(builder, offset_of!(ThreadSlots, tail_from)));
    builder.select(is_me, from, function)
}

/// The first instruction of a function after the variables of its frame.
pub fn after_variables(function: Value) -> Option<Value> {
    let entry = function.blocks().first().copied()?;
    let is_variable = |i: &Value| i.opcode() == Opcode::LLVMAlloca && i.operand(0).as_constant().is_some();
    entry.instructions().into_iter().find(|i| !is_variable(i))
}

/// The structures that a call passes by value in memory, with their sizes.
pub fn by_value_arguments(call: Value) -> Vec<(Value, u64)> {
    let arguments = (0..).zip(call.arguments());
    arguments.map(|(i, a)| (a, call.by_value_argument(i))).filter(|(_, size)| *size > 0).collect()
}

/// Before a call: says where the originals of structures passed by value are. Returns what the test of the segment has to
/// precede.
pub fn pass_by_value(cx: &mut Context, builder: &Builder, call: Value) -> Value {
    let copies = by_value_arguments(call);
    if copies.is_empty() {
        return call;
    }
    builder.before(call);
    for (i, (pointer, _)) in copies.iter().take(abi::BY_VALUE_SLOTS).enumerate() {
        builder.store(*pointer, cx.thread_field(builder, offset_of!(ThreadSlots, by_value) + 8 * i));
    }
    builder.store(call.callee(), cx.thread_field(builder, offset_of!(ThreadSlots, by_value_tag)));
    let rest = copies.get(abi::BY_VALUE_SLOTS..).unwrap_or_default();
    expose_each(cx, builder, call, Reason::Representation, rest).unwrap_or(call)
}

fn take_by_value(cx: &Context, builder: &Builder, function: Value, first: Value) {
    let copies = function.parameters().into_iter().enumerate();
    let copies: Vec<(Value, u64)> =
        copies.map(|(i, p)| (p, function.by_value_parameter(i as u32))).filter(|(_, size)| *size > 0).collect();
    if copies.is_empty() {
        return;
    }
    builder.before(first);
    let at = cx.thread_field(builder, offset_of!(ThreadSlots, by_value_tag));
    let is_mine = builder.eq(builder.load(cx.ptr, at), function);
    builder.store(cx.ptr.zero(), at);
    for (i, (copy, size)) in copies.into_iter().enumerate() {
        let (all, none) = (cx.i64.constant(size), cx.i64.constant(0));
        let mut cleared = all;
        if i < abi::BY_VALUE_SLOTS {
            let slot = cx.thread_field(builder, offset_of!(ThreadSlots, by_value) + 8 * i);
            let original = builder.load(cx.ptr, slot);
            let moved = builder.select(is_mine, all, none);
            cx.call(builder, abi::MEMMOVE, &[copy, original, moved]);
            cleared = builder.select(is_mine, none, all);
        }
        cx.call(builder, abi::MEMSET, &[copy, cx.label(0), cx.label(0), cleared]);
    }
}

fn take_variadic(cx: &Context, builder: &Builder, plan: &Plan, first: Value) {
    let is_start = |i: &Value| {
        calls::is_call(*i) && matches!(calls::classify(*i), Callee::Intrinsic(n) if n.starts_with("llvm.va_start"))
    };
    let starts: Vec<Value> =
        plan.function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_start).collect();
    if starts.is_empty() {
        return;
    }
    builder.before(first);
    let save = builder.alloca(cx.module.array(cx.i64, (4 * abi::VARIADIC_BYTES as u64 + 8) / 8));
    // Labels that were meant for another function are nobody's.
    let tag = builder.load(cx.ptr, cx.thread_field(builder, offset_of!(ThreadSlots, argument_tag)));
    let is_mine = builder.eq(tag, plan.function);
    let at = cx.thread_field(builder, offset_of!(ThreadSlots, has_variadic));
    let has = builder.select(is_mine, builder.load(cx.i32, at), cx.label(0));
    builder.store(has, at);
    cx.call(builder, abi::VARIADIC_ENTRY, &[save]);
    for start in starts {
        if let Some(next) = start.next() {
            builder.before(next);
            cx.call(builder, abi::VARIADIC_START, &[start.operand(0), save]);
        }
    }
}

/// Where a frame keeps the address of a variable.
fn address_offset(variable: usize) -> u64 {
    16 + 8 * variable as u64
}

/// Where a frame with so many variables keeps the size of a variable-length array; the label of the size follows.
fn array_size_offset(variables: usize, array: usize) -> u64 {
    address_offset(variables) + 16 * array as u64
}

/// Says where variable-length arrays are while they are there.
fn register_arrays(cx: &Context, builder: &Builder, plan: &Plan, record: Value) {
    let (count, all) = (plan.variables.len(), plan.variables.len() + plan.arrays.len());
    for (i, array) in plan.arrays.iter().enumerate() {
        let Some(next) = array.next() else { continue };
        builder.before(next);
        let element = cx.i64.constant(cx.module.alloc_size(array.allocated_type()));
        let size = builder.mul(builder.resize(array.operand(0), cx.i64), element);
        let at = |offset| builder.offset(cx.module, record, offset);
        builder.store(*array, at(address_offset(count + i)));
        builder.store(size, at(array_size_offset(all, i)));
        builder.store(cx.i64.constant(0), at(array_size_offset(all, i) + 8));
        enlarge(cx, builder, *array);
    }
    let instructions = plan.function.blocks().into_iter().flat_map(|block| block.instructions());
    for restore in instructions.filter(|i| ends_arrays(*i)) {
        builder.before(restore);
        let bottom = builder.ptr_to_int(restore.operand(0), cx.i64);
        for i in count..all {
            let at = builder.offset(cx.module, record, address_offset(i));
            let address = builder.load(cx.i64, at);
            let is_gone = builder.icmp(LLVMIntPredicate::LLVMIntULT, address, bottom);
            builder.store(builder.select(is_gone, cx.i64.constant(0), address), at);
        }
    }
}

/// Gives a variable-length array the memory that one whose size depends on input must have.
fn enlarge(cx: &Context, builder: &Builder, array: Value) {
    let count = array.operand(0);
    let least = LEAST_ROOM.div_ceil(cx.module.alloc_size(array.allocated_type()).max(1));
    builder.before(array);
    let least = count.ty().constant(least);
    let is_less = builder.icmp(LLVMIntPredicate::LLVMIntULT, count, least);
    array.set_operand(0, builder.select(is_less, least, count));
}

/// Links the frame's variables into the thread's list of frames, and unlinks them on return.
fn register(cx: &mut Context, builder: &Builder, plan: &Plan, first: Value) {
    let (variables, arrays) = (&plan.variables, &plan.arrays);
    if variables.is_empty() && arrays.is_empty() {
        return;
    }
    let all: Vec<Value> = variables.iter().chain(arrays).copied().collect();
    let mut shape = Vec::new();
    for (i, variable) in all.iter().enumerate() {
        let size = match i.checked_sub(variables.len()) {
            Some(array) => abi::VARIABLE_LENGTH | array_size_offset(all.len(), array),
            None => {
                let count = variable.operand(0).as_constant().unwrap_or(0);
                cx.module.alloc_size(variable.allocated_type()) * count
            }
        };
        let name = Some(variable.name()).filter(|n| !n.is_empty()).unwrap_or_else(|| format!("#{i}"));
        let id = cx.region(format!("{}:{name}", plan.function.name()));
        shape.extend([cx.i64.constant(size), cx.i64.constant(id)]);
    }
    shape.insert(0, cx.i64.constant(all.len() as u64));
    let shape_type = cx.module.array(cx.i64, shape.len() as u64);
    let shape = cx.module.add_global("provoke.frame", shape_type, Some(cx.module.const_array(cx.i64, &shape)));

    builder.before(first);
    let record = builder.alloca(cx.module.array(cx.i64, array_size_offset(all.len(), arrays.len()) / 8));
    let head = cx.thread_field(builder, offset_of!(ThreadSlots, frames));
    let outer = builder.load(cx.i64, head);
    builder.store(outer, record);
    builder.store(shape, builder.offset(cx.module, record, 8));
    for (i, variable) in variables.iter().enumerate() {
        builder.store(*variable, builder.offset(cx.module, record, address_offset(i)));
    }
    for i in variables.len()..all.len() {
        builder.store(cx.i64.constant(0), builder.offset(cx.module, record, address_offset(i)));
    }
    builder.store(record, head);
    register_arrays(cx, builder, plan, record);

    for block in plan.function.blocks() {
        for instruction in block.instructions() {
            let leaves = match instruction.opcode() {
                Opcode::LLVMRet => !block.instructions().iter().any(|i| calls::is_call(*i) && i.is_must_tail()),
                Opcode::LLVMResume => true,
                Opcode::LLVMCall => instruction.is_must_tail(),
                _ => false,
            };
            if leaves {
                builder.before(instruction);
                builder.store(outer, cx.thread_field(builder, offset_of!(ThreadSlots, frames)));
            }
            // Inner frames that were left by longjmp or an exception did not unlink themselves.
            let returns_again = instruction.opcode() == Opcode::LLVMLandingPad
                || calls::is_call(instruction) && instruction.returns_twice();
            if let (true, Some(next)) = (returns_again, instruction.next()) {
                builder.before(next);
                builder.store(record, cx.thread_field(builder, offset_of!(ThreadSlots, frames)));
            }
        }
    }
}
