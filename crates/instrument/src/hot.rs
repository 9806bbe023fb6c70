//! The hot code: what is added to the program's own instructions.
//!
//! Per memory access one summary byte is read, per segment one test decides whether its cold function is called. Nothing
//! else happens while no labels are around.

use crate::annotate::CHECK;
use crate::calls::{self, Callee};
use crate::cold::{Cold, Finished};
use crate::context::Context;
use crate::frame;
use crate::llvm::{Builder, Module, Opcode, Value, split_if_unlikely};
use crate::plan::{self, Head, Plan, Segment};
use crate::rules;
use rustc_hash::FxHashSet;
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::sites::SiteKind;

/// Instruments one function.
pub fn instrument(cx: &mut Context, function: Value) {
    function.split_invoke_edges();
    let plan = Plan::new(cx.module, function);
    // All cold functions first: they are made from the function as the plan describes it.
    let finished: Vec<Option<Finished>> = (0..plan.segments.len()).map(|i| cold_function(cx, &plan, i)).collect();

    let builder = cx.module.builder();
    let state = State::new(cx, &plan, &builder);
    for (segment, cold) in plan.segments.iter().zip(finished) {
        let tail = before_tail(cx, &builder, &plan, segment);
        drop_results(cx, &builder, segment, cold.is_some() && takes_result(&plan, segment));
        if let Some(cold) = cold {
            insert_test(cx, &builder, &plan, segment, &cold, &state, tail);
        }
    }
    frame::prepare(cx, &builder, &plan);
}

/// Takes away the calls that stand for checks: the cold functions have them.
pub fn erase_checks(module: Module) {
    let Some(check) = module.function(CHECK) else { return };
    check.users().into_iter().for_each(Value::erase);
    check.delete_function();
}

/// Where a function's labels are while it runs.
struct State {
    slots: Value,
    mask: Option<Value>,
}

impl State {
    fn new(cx: &Context, plan: &Plan, builder: &Builder) -> State {
        let first = frame::after_variables(plan.function);
        let Some(first) = first.filter(|_| plan.slot_count > 0) else {
            return State { slots: cx.ptr.zero(), mask: None };
        };
        builder.before(first);
        let slots = builder.alloca(cx.module.array(cx.i32, u64::from(plan.slot_count)));
        let mask_type = cx.module.int(plan.mask_width);
        let state = State { slots, mask: Some(builder.alloca(mask_type)) };
        state.write(plan, builder, mask_type.constant(0));
        state
    }

    /// The mask as it is here. After a second return of setjmp a register would hold an old one, memory does not.
    fn read(&self, cx: &Context, plan: &Plan, builder: &Builder) -> Value {
        let mask_type = cx.module.int(plan.mask_width);
        let Some(mask) = self.mask else { return mask_type.constant(0) };
        let load = builder.load(mask_type, mask);
        if plan.returns_twice {
            load.set_volatile();
        }
        load
    }

    fn write(&self, plan: &Plan, builder: &Builder, value: Value) {
        if let Some(mask) = self.mask {
            let store = builder.store(value, mask);
            if plan.returns_twice {
                store.set_volatile();
            }
        }
    }
}

fn cold_function(cx: &mut Context, plan: &Plan, index: usize) -> Option<Finished> {
    let segment = &plan.segments[index];
    let mut cold = Cold::new(cx, plan, index);
    match segment.head {
        Head::Entry => rules::take_parameters(&mut cold),
        Head::Call(call) => rules::take_results(&mut cold, call),
        Head::Block => {}
    }
    rules::start_of_block(&mut cold, segment);
    for instruction in &segment.instructions {
        rules::apply(&mut cold, *instruction);
    }
    if calls::is_call(segment.tail) {
        rules::pass_arguments(&mut cold, segment.tail);
    }
    if segment.ends_block {
        rules::end_of_block(&mut cold, segment);
    } else if let Some(name) = filled_with_label(plan, segment) {
        rules::fill(&mut cold, segment.tail, &name);
    }
    for value in defined_values(plan, segment) {
        if let Some(slots) = plan.own.get(&value).copied() {
            let labels = cold.labels(value);
            cold.write(slots, labels, false);
        }
    }
    cold.finish()
}

/// The values whose labels the segment computes.
fn defined_values(plan: &Plan, segment: &Segment) -> Vec<Value> {
    let mut values = match segment.head {
        Head::Entry => plan.function.parameters(),
        Head::Call(call) => vec![call],
        Head::Block => Vec::new(),
    };
    values.extend(&segment.instructions);
    values
}

/// Name of the tail if it fills memory with a byte that can have a label.
fn filled_with_label(plan: &Plan, segment: &Segment) -> Option<String> {
    match calls::is_call(segment.tail).then(|| calls::classify(segment.tail)) {
        Some(Callee::Intrinsic(name)) if name.starts_with("llvm.memset") => {
            plan.carries(segment.tail.operand(1)).then_some(name)
        }
        _ => None,
    }
}

/// Code that runs just before the tail whatever its labels are. Returns what the test has to precede.
fn before_tail(cx: &mut Context, builder: &Builder, plan: &Plan, segment: &Segment) -> Value {
    let tail = segment.tail;
    if !calls::is_call(tail) {
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
            let site = cx.site(tail, SiteKind::Call(tail.callee().name()[abi::MODEL_PREFIX.len()..].to_owned()));
            builder.before(tail);
            builder.store(cx.label(site), cx.thread_field(builder, offset_of!(ThreadSlots, call_site)));
            tail
        }
        Callee::Labelled => {
            frame::pass_by_value(cx, builder, tail);
            tail
        }
        _ => tail,
    }
}

/// Makes sure that results which nobody takes are not taken for those of a later call. `takes` says whether the segment
/// that follows the call does.
fn drop_results(cx: &Context, builder: &Builder, segment: &Segment, takes: bool) {
    let clear = |before: Value| {
        builder.before(before);
        builder.store(cx.ptr.zero(), cx.thread_field(builder, offset_of!(ThreadSlots, result_tag)));
    };
    if let Head::Call(call) = segment.head
        && !takes
        && !matches!(calls::classify(call), Callee::Intrinsic(_))
    {
        // The result of an invoke arrives where its normal destination starts.
        let starts = call.opcode() == Opcode::LLVMInvoke;
        let first = if starts { first_after_phis(segment) } else { call.next() };
        first.into_iter().for_each(clear);
    }
    // Whatever an exception flew over.
    if let Some(pad) = segment.instructions.iter().find(|i| i.opcode() == Opcode::LLVMLandingPad)
        && let Some(next) = pad.next()
    {
        clear(next);
    }
}

fn first_after_phis(segment: &Segment) -> Option<Value> {
    segment.block.instructions().into_iter().find(|i| i.opcode() != Opcode::LLVMPHI)
}

/// Whether the test of the segment looks for the result of the call that comes before it.
fn takes_result(plan: &Plan, segment: &Segment) -> bool {
    matches!(segment.head, Head::Call(call) if plan.carries(call) && !call.users().is_empty())
}

fn insert_test(
    cx: &mut Context,
    builder: &Builder,
    plan: &Plan,
    segment: &Segment,
    cold: &Finished,
    state: &State,
    tail: Value,
) {
    let summary = read_summaries(cx, builder, plan, segment, tail);
    builder.before(tail);
    let mask = state.read(cx, plan, builder);
    let mut test = builder.and(mask, mask.ty().constant(cold.bits));
    test = builder.resize(test, cx.i64);
    if let Some(summary) = summary {
        test = builder.or(test, summary);
    }
    let tag = match segment.head {
        Head::Entry if plan.function.parameters().iter().any(|p| plan.carries(*p) && !p.users().is_empty()) => {
            Some(offset_of!(ThreadSlots, argument_tag))
        }
        Head::Call(_) if takes_result(plan, segment) => Some(offset_of!(ThreadSlots, result_tag)),
        _ => None,
    };
    let mut condition = builder.is_not_zero(test);
    if let Some(offset) = tag {
        let tag = builder.load(cx.i64, cx.thread_field(builder, offset));
        condition = builder.or(condition, builder.is_not_zero(tag));
    }
    if filled_with_label(plan, segment).is_some() {
        condition = cx.module.int(1).constant(1);
    }
    let back = split_if_unlikely(condition, tail);
    builder.before(back);
    let mut arguments = vec![state.slots, mask];
    arguments.extend(&cold.inputs);
    let call = builder.call(cold.function.value_type(), cold.function, &arguments);
    call.set_preserve_most();
    state.write(plan, builder, call);
}

/// Reads the summary of all memory that the segment accesses; the result is not 0 if a label is near any of it.
fn read_summaries(cx: &Context, builder: &Builder, plan: &Plan, segment: &Segment, tail: Value) -> Option<Value> {
    let mut seen = FxHashSet::default();
    let mut all: Option<Value> = None;
    for instruction in &segment.instructions {
        for access in accesses(cx, plan, *instruction) {
            if !seen.insert((access.pointer, access.bytes)) {
                continue;
            }
            builder.before(*instruction);
            let summary = read_summary(cx, builder, &access);
            all = Some(all.map_or(summary, |all| builder.or(all, summary)));
        }
    }
    for (pointer, bytes) in calls::variadic_structures(segment.tail) {
        builder.before(tail);
        let summary = read_summary(cx, builder, &Access { pointer, bytes, alignment: 1 });
        all = Some(all.map_or(summary, |all| builder.or(all, summary)));
    }
    // What a function without code here reads is not accessed yet, and may be no address at all.
    for pointer in calls::exposed_pointers(segment.tail) {
        builder.before(tail);
        let summary = cx.summary_of_any(builder, pointer);
        all = Some(all.map_or(summary, |all| builder.or(all, summary)));
    }
    all
}

struct Access {
    pointer: Value,
    bytes: u64,
    alignment: u64,
}

fn accesses(cx: &Context, plan: &Plan, instruction: Value) -> Vec<Access> {
    let one = |pointer: Value, bytes: u64| vec![Access { pointer, bytes, alignment: instruction.alignment() }];
    let size = |v: Value| cx.module.store_size(v.ty());
    if !plan::is_ordinary_access(instruction) {
        return Vec::new();
    }
    match instruction.opcode() {
        Opcode::LLVMLoad if plan.carries(instruction) => one(instruction.operand(0), size(instruction)),
        Opcode::LLVMStore => one(instruction.operand(1), size(instruction.operand(0))),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => one(instruction.operand(0), size(instruction.operand(1))),
        Opcode::LLVMCall => match calls::classify(instruction) {
            Callee::Intrinsic(name) if calls::is_block_operation(&name) => {
                let bytes = plan::inline_size(instruction).unwrap_or(0);
                let fills = name.starts_with("llvm.memset");
                let pointers = &[instruction.operand(0), instruction.operand(1)][..if fills { 1 } else { 2 }];
                pointers.iter().map(|p| Access { pointer: *p, bytes, alignment: 1 }).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// One load that covers the summary bytes of an access; reading a few more does no harm.
fn read_summary(cx: &Context, builder: &Builder, access: &Access) -> Value {
    const GRANULE: u64 = 1 << abi::SUMMARY_SHIFT;
    let bytes = access.bytes.max(1);
    let aligned = access.alignment >= GRANULE || access.alignment >= bytes;
    let granules = if aligned { bytes.div_ceil(GRANULE) } else { (bytes + GRANULE - 2) / GRANULE + 1 };
    let width = granules.next_power_of_two().min(8) * 8;
    let address = builder.ptr_to_int(access.pointer, cx.i64);
    // Vectors of more than 64 bytes take several.
    let parts = (0..granules.div_ceil(8)).map(|part| cx.summary(builder, address, width as u32, 8 * part));
    parts.reduce(|all, part| builder.or(all, part)).unwrap_or_else(|| cx.i64.constant(0))
}
