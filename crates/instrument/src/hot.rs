//! The hot code: what is added to the program's own instructions.
//!
//! Per memory access one summary byte is read, per segment one test decides whether its cold function is called. Nothing
//! else happens while no labels are around.

use crate::annotate::CHECK;
use crate::around_calls;
use crate::calls::{self, Callee};
use crate::cold::{Cold, Finished};
use crate::context::Context;
use crate::frame;
use crate::loops::Boundaries;
use crate::plan::{self, End, Head, Plan, Segment};
use crate::rules;
use llvm::{Builder, Module, Opcode, Value, split_if_unlikely};
use rustc_hash::FxHashSet;
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};

/// Instruments one function.
pub fn instrument(cx: &mut Context, function: Value) {
    function.split_invoke_edges();
    let mut plan = Plan::new(cx.module, function, cx.lookups.clone());
    let builder = cx.module.builder();
    plan.result_tag = frame::result_tag(cx, &builder, function);
    plan.boundaries = Boundaries::find(cx, &plan);
    // All cold functions first: they are made from the function as the plan describes it.
    let finished: Vec<Option<Finished>> = (0..plan.segments.len()).map(|i| cold_function(cx, &plan, i)).collect();

    let state = State::new(cx, &plan, &builder);
    let mut takes_arguments = false;
    for (segment, cold) in plan.segments.iter().zip(finished) {
        let tail = around_calls::before_tail(cx, &builder, &plan, segment);
        around_calls::after_head(cx, &builder, segment, cold.is_some() && takes_result(&plan, segment));
        if let Some(cold) = cold {
            insert_test(cx, &builder, &plan, segment, &cold, &state, tail);
            takes_arguments |= has_arguments(&plan, segment);
        }
    }
    plan.boundaries.mark_exits(cx, &builder, state.slots);
    frame::prepare(cx, &builder, &plan, takes_arguments);
}

/// Takes away the calls that stand for checks: the cold functions have them.
pub fn erase_checks(module: Module) {
    crate::annotate::members::erase(module);
    let Some(check) = module.function(CHECK) else { return };
    check.users().into_iter().for_each(Value::erase);
    check.delete_function();
}

/// Takes away what says when variables are in use: those that never are at the same time would get the same place in the frame, and
/// nobody could tell which of them, and of what size, an address belongs to.
pub fn keep_variables_apart(module: Module) {
    for name in ["llvm.lifetime.start.p0", "llvm.lifetime.end.p0"] {
        if let Some(marker) = module.function(name) {
            marker.users().into_iter().for_each(Value::erase);
            marker.delete_function();
        }
    }
}

/// Where a function's labels are while it runs.
struct State {
    slots: Value,
    mask: Option<Value>,
}

impl State {
    fn new(cx: &Context, plan: &Plan, builder: &Builder) -> State {
        let first = frame::after_variables(plan.function);
        let bytes = plan.boundaries.end.max(4 * u64::from(plan.slot_count));
        let Some(first) = first.filter(|_| bytes > 0) else {
            return State { slots: cx.ptr.zero(), mask: None };
        };
        builder.before(first);
        let slots = builder.alloca(cx.module.array(cx.i64, bytes.div_ceil(8)));
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
        Head::Block | Head::Within => {}
    }
    rules::start_of_block(&mut cold, segment);
    for instruction in &segment.instructions {
        rules::apply(&mut cold, *instruction);
    }
    if matches!(segment.end, End::Call | End::Block) && calls::is_call(segment.tail) {
        rules::pass_arguments(&mut cold, segment.tail);
    }
    if segment.end == End::Write {
        rules::apply(&mut cold, segment.tail);
    } else if segment.end == End::Block {
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
        Head::Block | Head::Within => Vec::new(),
    };
    values.extend(&segment.instructions);
    values
}

/// Name of the tail if it fills memory with a byte that can have a label.
fn filled_with_label(plan: &Plan, segment: &Segment) -> Option<String> {
    let is_tail = segment.end == End::Call && calls::is_call(segment.tail);
    match is_tail.then(|| calls::classify(segment.tail)) {
        Some(Callee::Intrinsic(name)) if name.starts_with("llvm.memset") => {
            plan.carries(segment.tail.operand(1)).then_some(name)
        }
        _ => None,
    }
}

/// Whether the test of the segment looks for the result of the call that comes before it.
fn takes_result(plan: &Plan, segment: &Segment) -> bool {
    matches!(segment.head, Head::Call(call) if plan.carries(call) && !call.users().is_empty())
}

/// Whether the test of the segment looks for labels of the function's parameters.
fn has_arguments(plan: &Plan, segment: &Segment) -> bool {
    segment.head == Head::Entry && plan.function.parameters().iter().any(|p| plan.carries(*p) && !p.users().is_empty())
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
    let summary = read_summaries(cx, builder, segment, tail);
    builder.before(tail);
    let mask = state.read(cx, plan, builder);
    let mut test = builder.and(mask, mask.ty().constant(cold.bits));
    test = builder.resize(test, cx.i64);
    if let Some(summary) = summary {
        test = builder.or(test, summary);
    }
    let tag = match segment.head {
        Head::Entry if has_arguments(plan, segment) => Some(offset_of!(ThreadSlots, argument_tag)),
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
fn read_summaries(cx: &Context, builder: &Builder, segment: &Segment, tail: Value) -> Option<Value> {
    let mut seen = FxHashSet::default();
    let mut all: Option<Value> = None;
    let stored = Some(&segment.tail).filter(|_| segment.end == End::Write);
    for instruction in segment.instructions.iter().chain(stored) {
        for access in accesses(cx, *instruction) {
            if !seen.insert((access.pointer, access.bytes)) {
                continue;
            }
            builder.before(*instruction);
            let summary = read_summary(cx, builder, &access);
            all = Some(all.map_or(summary, |all| builder.or(all, summary)));
        }
    }
    let structures = if matches!(segment.end, End::Length | End::Write) {
        Vec::new()
    } else {
        calls::variadic_structures(segment.tail)
    };
    for (pointer, bytes) in structures {
        builder.before(tail);
        let summary = read_summary(cx, builder, &Access { pointer, bytes, alignment: 1 });
        all = Some(all.map_or(summary, |all| builder.or(all, summary)));
    }
    all
}

struct Access {
    pointer: Value,
    bytes: u64,
    alignment: u64,
}

fn accesses(cx: &Context, instruction: Value) -> Vec<Access> {
    let one = |pointer: Value, bytes: u64| vec![Access { pointer, bytes, alignment: instruction.alignment() }];
    let size = |v: Value| cx.module.store_size(v.ty());
    if !plan::is_ordinary_access(instruction) {
        return Vec::new();
    }
    match instruction.opcode() {
        Opcode::LLVMLoad if plan::reads_variable_memory(instruction) => one(instruction.operand(0), size(instruction)),
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
