//! Labels of arguments and results on their way between functions.

use super::variadic::{Place, places};
use crate::around_calls::kind_of_site;
use crate::calls::{self, Callee};
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::Value;
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::layout::Reason;

/// Before a call: the labels of its arguments go to where the callee finds them, or are lost and this is said.
pub fn pass_arguments(cold: &mut Cold, call: Value) {
    let arguments = call.arguments();
    match calls::classify(call) {
        Callee::Labelled | Callee::Model => {
            let callee = call.callee();
            if !callee.is_constant() {
                cold.pin_all(callee, call, Reason::CallTarget);
            }
            if cold.cx.takers.contains(&callee) || calls::classify(call) == Callee::Model || !callee.is_function() {
                pass_labels(cold, call, &arguments);
            }
        }
        Callee::External(name) if calls::is_output_only(call, &name) => {
            pin(cold, call, &calls::deciding(call, &name), Reason::UnmodelledCall);
        }
        Callee::External(_) => pin(cold, call, &arguments, Reason::UnmodelledCall),
        Callee::Assembly => pin(cold, call, &arguments, Reason::Assembly),
        Callee::Intrinsic(name) if calls::is_block_operation(&name) => {
            super::memory::operands_of_block_operation(cold, call, &name);
        }
        Callee::Intrinsic(name) if name.starts_with("llvm.va_start") => {}
        Callee::Intrinsic(name) => super::intrinsics::apply(cold, call, &name),
        Callee::Check => {}
    }
}

fn pin(cold: &mut Cold, call: Value, arguments: &[Value], reason: Reason) {
    for argument in arguments.iter().filter(|a| cold.plan.carries(**a)) {
        for (i, label) in cold.labels(*argument).into_iter().enumerate() {
            if label.is_some() {
                let scalar = cold.leaf(*argument, i);
                pin_scalar(cold, call, label, scalar, reason);
            }
        }
    }
}

pub fn pin_scalar(cold: &mut Cold, call: Value, label: Label, scalar: Value, reason: Reason) {
    let Some(label) = label else { return };
    let value = cold.word(scalar);
    let site = cold.site(call, kind_of_site(call));
    let reason = cold.cx.label(reason as u32);
    cold.act_when(label, |c| c.act(abi::PIN, &[label, site, reason, value]));
}

fn pass_labels(cold: &mut Cold, call: Value, arguments: &[Value]) {
    let fixed = call.callee_type().parameter_count() as usize;
    let is_variadic = call.callee_type().is_variadic() && arguments.len() > fixed;
    let (named, variadic) = arguments.split_at(fixed.min(arguments.len()));
    let mut labels: Vec<Label> = Vec::new();
    for argument in named {
        for (i, label) in cold.labels(*argument).into_iter().enumerate() {
            if labels.len() < abi::ARGUMENT_SLOTS {
                labels.push(label);
            } else if label.is_some() {
                let scalar = cold.leaf(*argument, i);
                pin_scalar(cold, call, label, scalar, Reason::Representation);
            }
        }
    }
    let extra = places(cold, call, named, variadic);
    let all: Vec<Label> = labels.iter().copied().chain(extra.iter().map(|e| e.label)).collect();
    let Some(any) = cold.any(&all) else { return };
    let site = cold.site(call, kind_of_site(call));
    let is_of_caller = site.as_constant() == Some(u64::from(abi::CALLERS_SITE));
    let callee = cold.concrete(call.callee());
    cold.act_when(any, |c| {
        for (i, label) in labels.iter().enumerate() {
            let slot = c.cx.argument_slot(&c.body, i);
            c.body.store(c.plain(*label), slot);
        }
        for Place { offset, bytes, label, word } in extra {
            let (offset, bytes, label) = (c.number(offset), c.number(bytes), c.plain(label));
            c.act(abi::VARIADIC_ARGUMENT, &[offset, bytes, label, word]);
        }
        let field = |offset| c.cx.thread_field(&c.body, offset);
        if !is_of_caller {
            c.body.store(site, field(offset_of!(ThreadSlots, call_site)));
        }
        c.body.store(c.cx.label(u32::from(is_variadic)), field(offset_of!(ThreadSlots, has_variadic)));
        c.body.store(callee, field(offset_of!(ThreadSlots, argument_tag)));
    });
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
    // Labels that were meant for a function that is not instrumented have no taker.
    let values = cold.values();
    let is_other = values.select(is_mine, cold.cx.ptr.zero(), tag);
    let site = values.load(cold.cx.i32, cold.cx.thread_field(values, offset_of!(ThreadSlots, call_site)));
    values.store(cold.cx.ptr.zero(), at);
    cold.note_when(is_other, |c| {
        c.build(abi::UNTAKEN, &[site]);
    });
}

/// After a call: the labels of its result.
pub fn take_results(cold: &mut Cold, call: Value) {
    if !cold.plan.carries(call) {
        return;
    }
    let callee = cold.concrete(call.callee());
    let site = cold.site(call, kind_of_site(call));
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
    let is_other = values.select(is_its, cold.cx.ptr.zero(), tag);
    values.store(cold.cx.ptr.zero(), at);
    cold.set(call, labels);
    // Callbacks gave them to code that does not know what they are.
    cold.note_when(is_other, |c| {
        c.build(abi::UNTAKEN, &[site]);
    });
}
