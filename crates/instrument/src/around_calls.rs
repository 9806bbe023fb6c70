//! What the hot code does before and after calls, whatever labels there are.

use crate::calls::{self, Callee};
use crate::context::Context;
use crate::exposure;
use crate::frame;
use crate::plan::{End, Head, Plan, Segment};
use crate::shape;
use llvm::{Builder, Kind, Opcode, Value, split_if_unlikely};
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::layout::Reason;
use trace::processes::starts_process;
use trace::sites::SiteKind;

/// Functions that replace the program by another one.
const REPLACING: &[&str] =
    &["execl", "execlp", "execle", "execv", "execvp", "execvpe", "execve", "execveat", "fexecve"];

/// Code that runs just before the tail. Returns what the segment's test has to precede.
pub fn before_tail(cx: &mut Context, builder: &Builder, plan: &Plan, segment: &Segment) -> Value {
    let tail = segment.tail;
    if matches!(segment.end, End::Length | End::Write) || !calls::is_call(tail) {
        return tail;
    }
    match calls::classify(tail) {
        Callee::Intrinsic(name) if calls::is_block_operation(&name) => {
            builder.before(tail);
            let size = builder.resize(tail.operand(2), cx.i64);
            let (to, from) = (tail.operand(0), tail.operand(1));
            if !name.starts_with("llvm.memset") {
                return cx.call(builder, abi::MEMMOVE, &[to, from, size]);
            }
            if !plan.carries(from) {
                let byte = builder.resize(from, cx.i32);
                return cx.call(builder, abi::MEMSET, &[to, cx.label(0), byte, size]);
            }
            tail
        }
        Callee::Model => {
            say_site(cx, builder, tail);
            tail
        }
        Callee::Labelled => {
            if !tail.callee().is_function() {
                // It may be a model, or what calls a function without code here.
                say_site(cx, builder, tail);
            }
            jump_in_our_name(cx, builder, plan, tail);
            let copied = frame::pass_by_value(cx, builder, tail);
            let exposed = expose_to_foreign_code(cx, builder, tail);
            if copied == tail { exposed.unwrap_or(tail) } else { copied }
        }
        callee => {
            let exposed = expose(cx, builder, tail);
            let unseen = say_what_is_unseen(cx, builder, tail, &callee);
            if is_replacing(&callee) {
                builder.before(tail);
                cx.call(builder, abi::REPLACED, &[cx.label(1)]);
            }
            exposed.or(unseen).unwrap_or(tail)
        }
    }
}

fn say_site(cx: &mut Context, builder: &Builder, call: Value) {
    let site = cx.site(call, kind_of_site(call));
    if site != abi::CALLERS_SITE {
        builder.before(call);
        builder.store(cx.label(site), cx.thread_field(builder, offset_of!(ThreadSlots, call_site)));
    }
}

/// Code that runs when the call before the segment has returned. `takes` says whether the segment takes its result.
pub fn after_head(cx: &mut Context, builder: &Builder, segment: &Segment, takes: bool) {
    if let Head::Call(call) = segment.head
        && let Some(first) = where_result_arrives(segment, call)
    {
        match calls::classify(call) {
            Callee::Intrinsic(_) => {}
            Callee::Labelled | Callee::Model => {
                if !takes {
                    drop_results(cx, builder, first);
                }
                if !call.callee().is_function() {
                    look_for_arguments(cx, builder, call, first);
                }
            }
            callee => {
                if is_replacing(&callee) {
                    builder.before(first);
                    cx.call(builder, abi::REPLACED, &[cx.label(0)]);
                }
                // Callbacks gave them to code that does not know what they are.
                report_if_set(cx, builder, call, first, offset_of!(ThreadSlots, result_tag));
            }
        }
    }
    // Whatever an exception flew over.
    if let Some(pad) = segment.instructions.iter().find(|i| i.opcode() == Opcode::LLVMLandingPad)
        && let Some(next) = pad.next()
    {
        drop_results(cx, builder, next);
    }
}

/// The result of an invoke arrives where its normal destination starts.
fn where_result_arrives(segment: &Segment, call: Value) -> Option<Value> {
    if call.opcode() == Opcode::LLVMInvoke {
        return segment.block.instructions().into_iter().find(|i| i.opcode() != Opcode::LLVMPHI);
    }
    call.next()
}

fn is_replacing(callee: &Callee) -> bool {
    matches!(callee, Callee::External(name) if REPLACING.contains(&name.as_str()))
}

/// How the site of a call is described.
pub fn kind_of_site(call: Value) -> SiteKind {
    let callee = call.callee();
    if callee.is_inline_asm() {
        return SiteKind::Other;
    }
    let name = if callee.is_function() { callee.name() } else { String::new() };
    SiteKind::Call(name.strip_prefix(abi::MODEL_PREFIX).unwrap_or(&name).to_owned())
}

/// Results that nobody takes must not be taken for those of a later call.
fn drop_results(cx: &Context, builder: &Builder, before: Value) {
    builder.before(before);
    builder.store(cx.ptr.zero(), cx.thread_field(builder, offset_of!(ThreadSlots, result_tag)));
}

/// After a call of a function that is known only at run time: if it is not instrumented, it took nothing.
fn look_for_arguments(cx: &mut Context, builder: &Builder, call: Value, first: Value) {
    let copies: Vec<(Value, u64)> = frame::by_value_arguments(call);
    if !copies.is_empty() {
        builder.before(first);
        let at = cx.thread_field(builder, offset_of!(ThreadSlots, by_value_tag));
        let tag = builder.load(cx.i64, at);
        let back = split_if_unlikely(builder.is_not_zero(tag), first);
        builder.before(back);
        expose_each(cx, builder, call, Reason::UnmodelledCall, &copies);
        builder.store(cx.i64.constant(0), cx.thread_field(builder, offset_of!(ThreadSlots, by_value_tag)));
    }
    if !call.arguments().is_empty() {
        report_if_set(cx, builder, call, first, offset_of!(ThreadSlots, argument_tag));
    }
}

fn report_if_set(cx: &mut Context, builder: &Builder, call: Value, first: Value, tag: usize) {
    let site = cx.site(call, kind_of_site(call));
    builder.before(first);
    let tag = builder.load(cx.i64, cx.thread_field(builder, tag));
    let back = split_if_unlikely(builder.is_not_zero(tag), first);
    builder.before(back);
    cx.call(builder, abi::UNTAKEN, &[cx.label(site)]);
}

/// Before a call of code that knows no labels. Returns the first instruction that was inserted.
fn expose(cx: &mut Context, builder: &Builder, call: Value) -> Option<Value> {
    let (reason, exposed) = exposure::of_call(cx.module, call);
    let pointers: Vec<(Value, u64)> = exposed.into_iter().map(|e| (e.pointer, e.bytes)).collect();
    builder.before(call);
    expose_each(cx, builder, call, reason, &pointers)
}

/// Before a call of a function without code here: what it does that nobody can follow. Returns the first instruction that was
/// inserted.
fn say_what_is_unseen(cx: &mut Context, builder: &Builder, call: Value, callee: &Callee) -> Option<Value> {
    let Callee::External(name) = callee else { return None };
    let format = calls::unknown_format(call, name).filter(|_| calls::is_output_only(call, name));
    let (starts, reads) = (starts_process(name), calls::reads_unseen(call, name));
    if format.is_none() && !starts && !reads {
        return None;
    }
    let site = cx.site(call, kind_of_site(call));
    let site = cx.label(site);
    builder.before(call);
    let printed = format.map(|format| cx.call(builder, abi::PRINTED, &[site, format]));
    let reason = cx.label(Reason::UnmodelledCall as u32);
    let started = starts.then(|| cx.call(builder, abi::LOSS, &[site, reason, cx.i64.constant(0)]));
    let read = reads.then(|| cx.call(builder, abi::READ_UNSEEN, &[site]));
    printed.or(started).or(read)
}

/// Before a call of a function that is known only at run time: if it is none of the program's own, it knows no labels. Returns
/// the first instruction that was inserted.
fn expose_to_foreign_code(cx: &mut Context, builder: &Builder, call: Value) -> Option<Value> {
    let callee = call.callee();
    let pointers = if callee.is_constant() { Vec::new() } else { exposure::of_unknown_callee(call) };
    if pointers.is_empty() {
        return None;
    }
    let pointers: Vec<(Value, u64)> = pointers.into_iter().map(|e| (e.pointer, e.bytes)).collect();
    builder.before(call);
    let target = builder.ptr_to_int(callee, cx.i64);
    let start = builder.load(cx.i64, cx.text);
    let size = builder.load(cx.i64, builder.offset(cx.module, cx.text, 8));
    let distance = builder.sub(target, start);
    let is_foreign = builder.icmp(llvm_sys::LLVMIntPredicate::LLVMIntUGE, distance, size);
    builder.before(split_if_unlikely(is_foreign, call));
    expose_each(cx, builder, call, Reason::UnmodelledCall, &pointers);
    Some(target)
}

/// Says of each pointer that so many bytes there are read.
pub fn expose_each(
    cx: &mut Context,
    builder: &Builder,
    call: Value,
    reason: Reason,
    pointers: &[(Value, u64)],
) -> Option<Value> {
    if pointers.is_empty() {
        return None;
    }
    let site = cx.site(call, kind_of_site(call));
    let (site, reason) = (cx.label(site), cx.label(reason as u32));
    let mut first = None;
    for (pointer, bytes) in pointers {
        for address in addresses(cx, builder, *pointer) {
            let report = cx.call(builder, abi::EXPOSE, &[site, reason, address, cx.i64.constant(*bytes)]);
            first = first.or(Some(report));
        }
    }
    first
}

fn addresses(cx: &Context, builder: &Builder, pointer: Value) -> Vec<Value> {
    match pointer.ty().kind() {
        Kind::LLVMIntegerTypeKind => vec![builder.int_to_ptr(pointer, cx.ptr)],
        Kind::LLVMVectorTypeKind => {
            let lanes = 0..pointer.ty().lanes().1;
            lanes.map(|lane| builder.extract_element(pointer, cx.label(lane))).collect()
        }
        _ => vec![pointer],
    }
}

/// Before a call that ends this function: its result is taken for ours.
fn jump_in_our_name(cx: &Context, builder: &Builder, plan: &Plan, call: Value) {
    if !call.is_must_tail() || shape::leaves(cx.module, call.ty()).is_empty() {
        return;
    }
    builder.before(call);
    builder.store(plan.result_tag, cx.thread_field(builder, offset_of!(ThreadSlots, tail_from)));
    builder.store(call.callee(), cx.thread_field(builder, offset_of!(ThreadSlots, tail_to)));
}
