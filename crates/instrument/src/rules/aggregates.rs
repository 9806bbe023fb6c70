//! Structures and vectors in registers.

use crate::cold::{Cold, Label};
use crate::shape::{self, Leaf};
use llvm::Value;
use trace::abi;
use trace::layout::Reason;
use trace::op::Op;

/// The leaves of an aggregate that lie under `prefix`, as a range.
fn range(leaves: &[Leaf], prefix: &[u32]) -> std::ops::Range<usize> {
    let first = leaves.iter().position(|l| l.path.starts_with(prefix)).unwrap_or(leaves.len());
    let count = leaves[first..].iter().take_while(|l| l.path.starts_with(prefix)).count();
    first..first + count
}

pub fn extract_value(cold: &mut Cold, instruction: Value) {
    let whole = instruction.operand(0);
    let labels = cold.labels(whole);
    let part = range(cold.plan.leaves(whole), &instruction.indices());
    cold.set(instruction, labels.get(part).unwrap_or_default().to_vec());
}

pub fn insert_value(cold: &mut Cold, instruction: Value) {
    let mut labels = cold.labels(instruction.operand(0));
    let part = cold.labels(instruction.operand(1));
    let place = range(cold.plan.leaves(instruction), &instruction.indices());
    labels.splice(place, part);
    cold.set(instruction, labels);
}

pub fn extract_element(cold: &mut Cold, instruction: Value) {
    let (vector, index) = (instruction.operand(0), instruction.operand(1));
    let labels = cold.labels(vector);
    cold.pin_all(index, instruction, Reason::Instruction);
    let chosen = match index.as_constant() {
        Some(number) => labels.get(number as usize).copied().flatten(),
        None => {
            let at = cold.concrete(index);
            let mut chosen: Label = None;
            for (lane, label) in labels.into_iter().enumerate() {
                let Some(label) = label else { continue };
                let here = cold.body.eq(at, at.ty().constant(lane as u64));
                chosen = Some(cold.body.select(here, label, cold.plain(chosen)));
            }
            chosen
        }
    };
    cold.set(instruction, vec![chosen]);
}

pub fn insert_element(cold: &mut Cold, instruction: Value) {
    let mut labels = cold.labels(instruction.operand(0));
    let label = cold.label(instruction.operand(1));
    let index = instruction.operand(2);
    cold.pin_all(index, instruction, Reason::Instruction);
    match index.as_constant() {
        Some(number) => {
            if let Some(slot) = labels.get_mut(number as usize) {
                *slot = label;
            }
        }
        None => {
            let at = cold.concrete(index);
            for (lane, slot) in labels.iter_mut().enumerate() {
                if slot.is_none() && label.is_none() {
                    continue;
                }
                let here = cold.body.eq(at, at.ty().constant(lane as u64));
                *slot = Some(cold.body.select(here, cold.plain(label), cold.plain(*slot)));
            }
        }
    }
    cold.set(instruction, labels);
}

pub fn shuffle(cold: &mut Cold, instruction: Value) {
    let mut labels = cold.labels(instruction.operand(0));
    labels.extend(cold.labels(instruction.operand(1)));
    let mask = instruction.shuffle_mask();
    let pick = |i: &i32| usize::try_from(*i).ok().and_then(|i| labels.get(i).copied().flatten());
    cold.set(instruction, mask.iter().map(pick).collect());
}

/// A cast between types of one size: lanes are glued together or cut apart where their widths differ.
pub fn bitcast(cold: &mut Cold, instruction: Value) {
    let operand = instruction.operand(0);
    let labels = cold.labels(operand);
    let from = shape::leaves(cold.cx.module, operand.ty());
    let to = cold.plan.leaves(instruction).to_vec();
    if from.len() == to.len() {
        cold.set(instruction, labels);
        return;
    }
    let whole_value = cold.concrete(operand);
    let total: u32 = from.iter().map(|l| l.width).sum();
    if total > 1024 {
        cold.pin_all(operand, instruction, Reason::Representation);
        cold.set(instruction, vec![None; to.len()]);
        return;
    }
    // Through one wide value, lane 0 least significant.
    let Some(any) = cold.any(&labels) else { return cold.set(instruction, vec![None; to.len()]) };
    let scalars: Vec<Value> = from.iter().map(|l| cold.descend(whole_value, &l.path)).collect();
    let wide_type = cold.cx.module.int(total);
    let mut wide_value = wide_type.constant(0);
    let mut low_words = Vec::new();
    let mut shift = 0;
    for (leaf, scalar) in from.iter().zip(&scalars) {
        let part = cold.integer(*scalar);
        let part = cold.values().resize(part, wide_type);
        let part = cold.values().shl(part, wide_type.constant(u64::from(shift)));
        wide_value = cold.values().or(wide_value, part);
        low_words.push(cold.word(wide_value));
        shift += leaf.width;
    }
    let wide = cold.when(any, |cold| {
        let mut glued = cold.labelled(labels[0], scalars[0]);
        let mut width = from[0].width;
        for i in 1..from.len() {
            let upper = cold.labelled(labels[i], scalars[i]);
            width += from[i].width;
            let code = cold.coded(Op::Concat, width);
            glued = cold.build(abi::WIDE_BINARY, &[code, upper, glued, low_words[i]]);
        }
        glued
    });
    let mut results = Vec::new();
    let mut low = 0;
    for (lane, leaf) in to.iter().enumerate() {
        if leaf.width == total {
            results.push(Some(wide));
            break;
        }
        let result = cold.leaf(instruction, lane);
        results.push(cold.unary(Op::Extract, leaf.width, Some(wide), u64::from(low), wide_value, result));
        low += leaf.width;
    }
    cold.set(instruction, results);
}
