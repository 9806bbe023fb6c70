//! Where blocks start and end: phis, branches, switches and returns.

use crate::annotate::UNREACHABLE;
use crate::calls;
use crate::cold::{Cold, Label};
use crate::context::position;
use crate::loops::Condition;
use crate::plan::{Head, Segment};
use llvm::{Block, Opcode, Value};
use std::mem::offset_of;
use trace::abi::{self, ThreadSlots};
use trace::layout::Reason;
use trace::sites::{Position, SiteKind};

/// Takes over the labels of the phis that the segment starts with.
pub fn start_of_block(cold: &mut Cold, segment: &Segment) {
    let phis = segment.instructions.iter().take_while(|i| i.opcode() == Opcode::LLVMPHI);
    for phi in phis.copied().filter(|p| cold.plan.carries(*p)) {
        let incoming = phi.incoming();
        if let (Head::Call(invoke), [(value, _)]) = (segment.head, incoming.as_slice())
            && *value == invoke
        {
            // The result of the invoke that leads here: there was no block before in which its label was known.
            let labels = cold.labels(invoke);
            cold.set(phi, labels);
            continue;
        }
        if let Some(slots) = cold.plan.incoming.get(&phi).copied() {
            let labels = cold.read(slots, cold.plan.leaves(phi).len());
            cold.set(phi, labels);
        }
    }
}

/// What a terminator does with labels.
pub fn end_of_block(cold: &mut Cold, segment: &Segment) {
    let tail = segment.tail;
    match tail.opcode() {
        Opcode::LLVMBr if tail.is_conditional() => {
            let condition = tail.operand(0);
            if let Some(label) = cold.label(condition) {
                let site = cold.site(tail, branch_kind(tail));
                let taken = cold.concrete(condition);
                let taken = cold.values().resize(taken, cold.cx.i32);
                let condition = cold.plan.boundaries.conditions.get(&segment.block).copied();
                cold.act_when(label, |c| {
                    tell_of_loop(c, condition, site);
                    c.act(abi::BRANCH, &[label, site, taken]);
                });
                tell_of_end(cold, condition, label, taken);
            }
        }
        Opcode::LLVMSwitch => {
            let selector = tail.operand(0);
            if let Some(label) = cold.label(selector) {
                if selector.ty().int_width() > 64 {
                    cold.pin_all(selector, tail, Reason::Representation);
                } else {
                    let cases = tail.operands().into_iter().skip(2).step_by(2).filter_map(Value::as_constant);
                    let site = cold.site(tail, SiteKind::Switch(cases.collect()));
                    let value = cold.concrete(selector);
                    let value = cold.word(value);
                    let condition = cold.plan.boundaries.conditions.get(&segment.block).copied();
                    cold.act_when(label, |c| {
                        tell_of_loop(c, condition, site);
                        c.act(abi::SWITCH, &[label, site, value]);
                    });
                }
            }
        }
        Opcode::LLVMIndirectBr => cold.pin_all(tail.operand(0), tail, Reason::CallTarget),
        Opcode::LLVMRet => give_results(cold, tail),
        _ => {}
    }
    hand_to_phis(cold, segment);
}

/// Says which loop the decision that follows is about.
fn tell_of_loop(cold: &mut Cold, condition: Option<Condition>, site: Value) {
    let Some(condition) = condition else { return };
    let place = cold.frame_place(condition.place);
    let (number, index) = (cold.cx.label(condition.number), cold.cx.label(condition.index));
    cold.act(abi::LOOP, &[place, site, number, index]);
}

/// Says that the loop is left, if the decision was so. Where that is not known here, the runtime finds out later.
fn tell_of_end(cold: &mut Cold, condition: Option<Condition>, label: Value, taken: Value) {
    let Some(Condition { place, leaves_if: Some(leaves_if), .. }) = condition else { return };
    let left = cold.body.eq(taken, cold.cx.label(u32::from(leaves_if)));
    let left = cold.body.select(left, label, cold.cx.label(0));
    cold.act_when(left, |c| {
        let place = c.frame_place(place);
        c.act(abi::LEAVE, &[place]);
    });
}

/// What is called where an assertion fails.
const FAILURES: &[&str] =
    &["__assert_fail", "__assert_perror_fail", "__assert", "abort", UNREACHABLE, "llvm.trap", "llvm.ubsantrap"];

fn branch_kind(branch: Value) -> SiteKind {
    match branch.successors().into_iter().map(failure).collect::<Vec<_>>().as_slice() {
        [Some(failure), None] => SiteKind::Assertion(true, positions(*failure)),
        [None, Some(failure)] => SiteKind::Assertion(false, positions(*failure)),
        _ => SiteKind::Branch,
    }
}

/// Where a call stands that failed; nothing if optimisation has made one of several.
fn positions(failure: Value) -> Vec<Position> {
    let location = failure.location();
    let is_known = location.first().is_some_and(|(_, line, ..)| *line != 0);
    if is_known { location.into_iter().map(position).collect() } else { Vec::new() }
}

/// The call by which the program ends itself in a block, failing.
fn failure(block: Block) -> Option<Value> {
    let ends = block.terminator().is_some_and(|end| end.opcode() == Opcode::LLVMUnreachable);
    let instructions = block.instructions();
    let calls: Vec<Value> =
        instructions.into_iter().filter(|i| calls::is_call(*i) && i.callee().is_function()).collect();
    let is_failure = |call: &Value| FAILURES.contains(&call.callee().name().as_str());
    let failure = calls.iter().position(is_failure)?;
    // Behind `exit` and its like the compiler says, in their place, that nobody comes there.
    let is_behind_the_end = calls[failure].callee().name() == UNREACHABLE
        && failure
            .checked_sub(1)
            .is_some_and(|before| calls[before].place().is_some_and(|place| Some(place) == calls[failure].place()));
    (ends && !is_behind_the_end).then_some(calls[failure])
}

fn give_results(cold: &mut Cold, tail: Value) {
    let Some(value) = tail.operands().first().copied() else { return };
    let mut labels: Vec<Label> = cold.labels(value);
    let rest = labels.split_off(labels.len().min(abi::RESULT_SLOTS));
    for (i, label) in rest.into_iter().enumerate().filter(|(_, label)| label.is_some()) {
        let leaf = cold.leaf(value, abi::RESULT_SLOTS + i);
        cold.pin(label, leaf, tail, Reason::Representation);
    }
    let Some(any) = cold.any(&labels) else { return };
    let name = cold.concrete(cold.plan.result_tag);
    cold.act_when(any, |c| {
        for (i, label) in labels.iter().enumerate() {
            let slot = c.cx.result_slot(&c.body, i);
            c.body.store(c.plain(*label), slot);
        }
        let tag = c.cx.thread_field(&c.body, offset_of!(ThreadSlots, result_tag));
        c.body.store(name, tag);
    });
}

/// Leaves the labels that the next blocks' phis take over. A phi has slots for this alone, so nothing that is still
/// needed is overwritten, whichever way the branch goes.
fn hand_to_phis(cold: &mut Cold, segment: &Segment) {
    let mut successors: Vec<Block> = segment.tail.successors();
    let mut seen = Vec::new();
    successors.retain(|b| {
        !seen.contains(b) && {
            seen.push(*b);
            true
        }
    });
    for block in successors {
        for phi in block.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let Some(slots) = cold.plan.incoming.get(&phi).copied() else { continue };
            let incoming = phi.incoming();
            let Some((value, _)) = incoming.iter().find(|(_, from)| *from == segment.block) else { continue };
            if *value == segment.tail {
                continue;
            }
            let labels = cold.labels(*value);
            let partial = cold.plan.own.contains_key(&phi);
            cold.write(slots, labels, partial);
        }
    }
}
