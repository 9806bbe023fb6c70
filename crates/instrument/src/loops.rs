//! Loops whose conditions can depend on input: where they begin and end is part of the trace.
//!
//! Each has 8 bytes of its own in the frame. The code that computes the labels of such a condition tells the runtime where
//! they are; the runtime writes a number into them, and finds out from it later whether the loop is still running. So all
//! that a loop without labels costs is one store where it is left.

mod leaves;

use crate::context::Context;
use crate::plan::Plan;
use llvm::{Block, Builder, Loop, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use trace::sites::{self, SiteKind};

/// A branch that decides whether a loop goes on.
#[derive(Clone, Copy)]
pub struct Condition {
    /// Index of the loop in the site table.
    pub number: u32,
    /// Index of the branch among those of the loop.
    pub index: u32,
    /// Where the loop's bytes are, from the start of the slots.
    pub place: u64,
    /// For a branch of two ways: the value of the condition with which the loop is left.
    pub leaves_if: Option<bool>,
}

/// The loops of a function that the trace tells of.
#[derive(Default)]
pub struct Boundaries {
    /// By the block that ends with it.
    pub conditions: FxHashMap<Block, Condition>,
    /// Blocks behind a loop, with the place of its bytes.
    exits: Vec<(Block, u64)>,
    /// Bytes for all loops, from the start of the slots.
    pub end: u64,
}

impl Boundaries {
    /// Finds the loops and describes them in the site table.
    pub fn find(cx: &mut Context, plan: &Plan) -> Boundaries {
        let mut boundaries = Boundaries::default();
        // After a second return of setjmp nobody knows which loops are running.
        if plan.returns_twice {
            return boundaries;
        }
        let start = (4 * u64::from(plan.slot_count)).next_multiple_of(8);
        boundaries.end = start;
        let loops = plan.function.loops();
        let blocks = plan.function.blocks();
        for (index, found) in loops.iter().enumerate() {
            let is_inner = |block: &Block| {
                loops.iter().enumerate().any(|(i, inner)| {
                    i > index && inner.blocks.len() < found.blocks.len() && inner.blocks.contains(block)
                }) && found.blocks.contains(block)
            };
            let own = blocks.iter().copied().filter(|block| found.blocks.contains(block) && !is_inner(block));
            let conditions: Vec<Block> = own.filter(|block| decides(plan, found, *block)).collect();
            let Some(first) = conditions.first().and_then(|block| block.terminator()) else { continue };
            let number = cx.table.loops.len() as u32;
            let site = cx.site(first, SiteKind::Branch);
            let closes = conditions.iter().map(|block| closes(found, *block)).collect();
            let leaves = leaves::leaves(found, &blocks, &loops);
            let ends = conditions.iter().filter_map(|block| block.terminator());
            let shrinks = ends.into_iter().all(|end| leaves::shrinks(found, &loops, end.operand(0)));
            cx.table.loops.push(sites::Loop { site, closes, shrinks, leaves });
            let place = boundaries.end;
            for (index, block) in (0..).zip(conditions) {
                let condition = Condition { number, index, place, leaves_if: leaves_if(found, block) };
                boundaries.conditions.insert(block, condition);
            }
            for block in exits(found, &blocks) {
                boundaries.exits.push((block, place));
            }
            boundaries.end += 8;
        }
        if boundaries.conditions.is_empty() {
            boundaries.end = 0;
        }
        boundaries
    }

    /// Says where loops are left.
    pub fn mark_exits(&self, cx: &Context, builder: &Builder, slots: Value) {
        for (block, place) in &self.exits {
            let is_first = |i: &Value| !matches!(i.opcode(), Opcode::LLVMPHI | Opcode::LLVMLandingPad);
            let Some(first) = block.instructions().into_iter().find(is_first) else { continue };
            builder.before(first);
            builder.store(cx.i64.constant(0), builder.offset(cx.module, slots, *place));
        }
    }
}

/// Whether a block ends with a branch out of the loop on a value that can have a label.
fn decides(plan: &Plan, found: &Loop, block: Block) -> bool {
    let Some(end) = block.terminator() else { return false };
    let is_choice = match end.opcode() {
        Opcode::LLVMBr => end.is_conditional(),
        opcode => opcode == Opcode::LLVMSwitch,
    };
    is_choice && plan.carries(end.operand(0)) && end.successors().iter().any(|next| !found.blocks.contains(next))
}

/// The blocks behind a loop, among `blocks`.
fn exits(found: &Loop, blocks: &[Block]) -> Vec<Block> {
    let ends = found.blocks.iter().filter_map(|block| block.terminator());
    let exits: FxHashSet<Block> =
        ends.flat_map(Value::successors).filter(|next| !found.blocks.contains(next)).collect();
    blocks.iter().copied().filter(|block| exits.contains(block)).collect()
}

fn leaves_if(found: &Loop, block: Block) -> Option<bool> {
    let end = block.terminator().filter(|end| end.opcode() == Opcode::LLVMBr)?;
    match end.successors().iter().map(|next| found.blocks.contains(next)).collect::<Vec<_>>()[..] {
        [true, false] => Some(false),
        [false, true] => Some(true),
        _ => None,
    }
}

/// Whether the way from the end of a block that stays in the loop leads straight to the next iteration.
fn closes(found: &Loop, block: Block) -> bool {
    let Some(end) = block.terminator() else { return false };
    end.successors().into_iter().filter(|next| found.blocks.contains(next)).all(|next| {
        let is_jump = |block: Block| block.instructions().len() == 1;
        let target = |block: Block| block.terminator().and_then(|end| end.successors().first().copied());
        next == found.header || is_jump(next) && target(next) == Some(found.header)
    })
}
