//! Labels of arguments and results on their way between functions.

use crate::calls::{self, Callee};
use crate::cold::{Cold, Label};
use crate::llvm::{Kind, Value};
use crate::shape;
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::layout::Reason;
use trace::sites::SiteKind;

/// Before a call: the labels of its arguments go to where the callee finds them, or are lost and this is said.
pub fn pass_arguments(cold: &mut Cold, call: Value) {
    let arguments = call.arguments();
    match calls::classify(call) {
        Callee::Labelled | Callee::Model => {
            if !call.callee().is_constant() {
                cold.pin_all(call.callee(), call, Reason::CallTarget);
            }
            pass_labels(cold, call, &arguments);
        }
        Callee::External(name) if calls::is_output_only(call, &name) => {}
        Callee::External(name) => {
            pin(cold, call, &arguments, SiteKind::Call(name.clone()), Reason::UnmodelledCall);
            lose_memory(cold, call, SiteKind::Call(name));
        }
        Callee::Assembly => pin(cold, call, &arguments, SiteKind::Other, Reason::Assembly),
        Callee::Intrinsic(name) if calls::is_block_operation(&name) => {
            super::memory::operands_of_block_operation(cold, call, &name);
        }
        Callee::Intrinsic(_) | Callee::Check => {}
    }
}

fn pin(cold: &mut Cold, call: Value, arguments: &[Value], kind: SiteKind, reason: Reason) {
    let site = cold.site(call, kind);
    let reason = cold.cx.i32.constant(reason as u64);
    for argument in arguments.iter().filter(|a| cold.plan.carries(**a)) {
        for (i, label) in cold.labels(*argument).into_iter().enumerate() {
            let Some(label) = label else { continue };
            let scalar = cold.leaf(*argument, i);
            let value = cold.word(scalar);
            cold.act_when(label, |c| c.act(abi::PIN, &[label, site, reason, value]));
        }
    }
}

/// Says that a function without code here is shown memory with labels.
fn lose_memory(cold: &mut Cold, call: Value, kind: SiteKind) {
    let site = cold.site(call, kind);
    let reason = cold.cx.i32.constant(Reason::UnmodelledCall as u64);
    for pointer in calls::exposed_pointers(call) {
        let pointer = cold.concrete(pointer);
        let summary = cold.cx.summary_of_any(cold.values(), pointer);
        let bytes = cold.number(0);
        cold.act_when(summary, |c| c.act(abi::LOSS, &[site, reason, bytes]));
    }
}

fn pass_labels(cold: &mut Cold, call: Value, arguments: &[Value]) {
    let fixed = call.callee_type().parameter_count() as usize;
    let is_variadic = call.callee_type().is_variadic() && arguments.len() > fixed;
    let (named, variadic) = arguments.split_at(fixed.min(arguments.len()));
    let mut labels: Vec<Label> = named.iter().flat_map(|a| cold.labels(*a)).collect();
    labels.truncate(abi::ARGUMENT_SLOTS);
    let extra: Vec<(u64, u64, Label, Value)> = variadic_places(cold, call, named, variadic);
    let all: Vec<Label> = labels.iter().copied().chain(extra.iter().map(|e| e.2)).collect();
    let Some(any) = cold.any(&all) else { return };
    let kind = SiteKind::Call(if call.callee().is_function() { call.callee().name() } else { String::new() });
    let site = cold.site(call, kind);
    let callee = cold.concrete(call.callee());
    cold.act_when(any, |c| {
        for (i, label) in labels.iter().enumerate() {
            let slot = c.cx.argument_slot(&c.body, i);
            c.body.store(c.plain(*label), slot);
        }
        for (offset, bytes, label, word) in extra {
            let (offset, bytes, label) = (c.number(offset), c.number(bytes), c.plain(label));
            c.act(abi::VARIADIC_ARGUMENT, &[offset, bytes, label, word]);
        }
        let field = |offset| c.cx.thread_field(&c.body, offset);
        c.body.store(site, field(offset_of!(ThreadSlots, call_site)));
        c.body.store(c.cx.label(u32::from(is_variadic)), field(offset_of!(ThreadSlots, has_variadic)));
        c.body.store(callee, field(offset_of!(ThreadSlots, argument_tag)));
    });
}

/// Where the callee's `va_list` will find the variadic arguments (x86-64 System V): offset in the save area or behind
/// it, size, label, value.
fn variadic_places(cold: &mut Cold, call: Value, named: &[Value], variadic: &[Value]) -> Vec<(u64, u64, Label, Value)> {
    const GENERAL_END: u64 = 48;
    const VECTOR_END: u64 = 176;
    let (mut general, mut vector, mut memory) = (0u64, GENERAL_END, VECTOR_END);
    let mut places = Vec::new();
    for (i, argument) in named.iter().chain(variadic).enumerate() {
        let is_variadic = i >= named.len();
        let ty = argument.ty();
        if ty.kind() == Kind::LLVMX86_FP80TypeKind {
            if is_variadic {
                memory = memory.next_multiple_of(16) + 16;
            }
            continue;
        }
        let structure = call.by_value_argument(i as u32);
        if structure > 0 {
            if is_variadic {
                places.extend(words_of_structure(cold, *argument, structure, memory));
                memory += structure.next_multiple_of(8);
            }
            continue;
        }
        let place = if shape::is_float(ty) || ty.kind() == Kind::LLVMVectorTypeKind {
            let here = vector;
            vector += 16;
            if here < VECTOR_END { Some(here) } else { None }
        } else {
            let here = general;
            general += 8;
            if here < GENERAL_END { Some(here) } else { None }
        };
        if !is_variadic {
            continue;
        }
        let place = place.unwrap_or_else(|| {
            memory += 8;
            memory - 8
        });
        let Some(width) = shape::scalar_width(ty).filter(|w| *w % 8 == 0 && *w <= 64) else { continue };
        if place + 8 > abi::VARIADIC_BYTES as u64 {
            continue;
        }
        let label = cold.label(*argument);
        let scalar = cold.concrete(*argument);
        places.push((place, u64::from(width / 8), label, cold.word(scalar)));
    }
    places
}

/// The same for the words of a structure that is copied to `place`.
fn words_of_structure(cold: &mut Cold, pointer: Value, size: u64, place: u64) -> Vec<(u64, u64, Label, Value)> {
    let base = cold.concrete(pointer);
    let mut words = Vec::new();
    let fits = size.min((abi::VARIADIC_BYTES as u64).saturating_sub(place));
    for offset in (0..fits).step_by(8) {
        // Several loads for an odd rest: labels are loaded for 1, 2, 4 or 8 bytes.
        let mut at = offset;
        while at < fits.min(offset + 8) {
            let rest = fits.min(offset + 8) - at;
            let bytes = 1 << rest.ilog2();
            let address = cold.values().offset(cold.cx.module, base, at);
            let loaded = cold.values().load(cold.cx.module.int(8 * bytes as u32), address);
            loaded.set_alignment(1);
            let word = cold.word(loaded);
            let label = cold.build(abi::LOAD, &[address, cold.number(bytes), word]);
            words.push((place + at, bytes, Some(label), word));
            at += bytes;
        }
    }
    words
}

/// At the start of a function: the labels of its parameters.
pub fn take_parameters(cold: &mut Cold) {
    let function = cold.plan.function;
    let field = offset_of!(ThreadSlots, argument_tag);
    let at = cold.cx.thread_field(cold.values(), field);
    let tag = cold.values().load(cold.cx.ptr, at);
    let is_mine = cold.values().eq(tag, function);
    let zero = cold.cx.label(0);
    let mut index = 0;
    for parameter in function.parameters() {
        let count = shape::leaves(cold.cx.module, parameter.ty()).len();
        let mut labels = Vec::new();
        for i in index..index + count {
            labels.push((i < abi::ARGUMENT_SLOTS).then(|| {
                let values = cold.values();
                let label = values.load(cold.cx.i32, cold.cx.argument_slot(values, i));
                values.select(is_mine, label, zero)
            }));
        }
        index += count;
        if cold.plan.carries(parameter) {
            cold.set(parameter, labels);
        }
    }
    // Also where the labels were meant for a function that is not instrumented: they have no other taker.
    cold.values().store(cold.cx.ptr.zero(), at);
}

/// After a call: the labels of its result.
pub fn take_results(cold: &mut Cold, call: Value) {
    if !cold.plan.carries(call) {
        return;
    }
    let callee = cold.concrete(call.callee());
    let zero = cold.cx.label(0);
    let count = cold.plan.leaves(call).len();
    let values = cold.values();
    let at = cold.cx.thread_field(values, offset_of!(ThreadSlots, result_tag));
    let tag = values.load(cold.cx.ptr, at);
    let is_its = values.eq(tag, callee);
    let label = |i: usize| {
        (i < abi::RESULT_SLOTS).then(|| {
            let label = values.load(cold.cx.i32, cold.cx.result_slot(values, i));
            values.select(is_its, label, zero)
        })
    };
    let labels = (0..count).map(label).collect();
    values.store(cold.cx.ptr.zero(), at);
    cold.set(call, labels);
}
