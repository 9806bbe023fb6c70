//! Where control goes at the end of a block: to others of the function, round a loop, back to the caller.

use crate::state::{LoopVisit, State, Taken};
use crate::value::Value;
use crate::{Executor, Outflow, Turn};
use expr::Term;
use ir::{BlockId, FunctionId, SiteId, Terminator, Type};

/// Rounds of a loop before what it changes is forgotten: where a branch in it could go both ways, and where none could.
const ROUNDS: u32 = 1;
const SURE_ROUNDS: u32 = 64;

impl Executor<'_> {
    /// Leaves a block.
    pub fn leave(&mut self, mut state: State, id: FunctionId, terminator: &Terminator, site: SiteId) {
        match terminator {
            Terminator::Jump(to) => self.enter(state, *to, site),
            Terminator::Unreachable => {}
            Terminator::Return(value) => {
                let value = value.as_ref().map(|operand| (self.operand(&state, operand), operand));
                if let Some((value, operand)) = value
                    && self.subject.program.function(id).result_nonnull
                    && !self.require(&mut state, value, operand, None, true)
                {
                    return;
                }
                self.leave_function(state, value.map(|(value, _)| value), site);
            }
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.condition(&state, condition);
                let negated = self.store.not(condition);
                if self.is_true(condition) {
                    return self.enter(state, *then, site);
                }
                if self.is_true(negated) {
                    return self.enter(state, *otherwise, site);
                }
                let mut other = state.clone();
                let goes = [self.assume(&mut state, condition), self.assume(&mut other, negated)];
                if goes == [true, true] {
                    [&mut state, &mut other].into_iter().for_each(mark_fork);
                }
                for (state, goes, to) in [(&mut state, goes[0], *then), (&mut other, goes[1], *otherwise)] {
                    if goes {
                        note_way(state, condition, to, site);
                        self.enter(state.clone(), to, site);
                    }
                }
            }
            Terminator::Switch { value, bits, cases, default } => {
                let value = self.operand(&state, value);
                let value = self.bits(value, *bits);
                self.switch(state, value, *bits, cases, *default, site);
            }
            Terminator::Any(targets) => {
                mark_fork(&mut state);
                for to in targets {
                    self.enter(state.clone(), *to, site);
                }
            }
        }
    }

    fn switch(
        &mut self,
        mut state: State,
        value: Term,
        bits: u32,
        cases: &[(u128, BlockId)],
        default: BlockId,
        site: SiteId,
    ) {
        // Cases that lead to the same block are one way.
        let mut ways: Vec<(BlockId, Term)> = Vec::new();
        let mut none = self.store.bool(true);
        for (case, to) in cases {
            let case = self.store.small(bits.clamp(1, 64) as u16, *case as u64);
            let same_width = self.store.width(value) == self.store.width(case);
            let hit = if same_width { self.store.eq(value, case) } else { self.fresh_term(1) };
            let miss = self.store.not(hit);
            none = self.store.and(none, miss);
            match ways.iter_mut().find(|(block, _)| block == to) {
                Some((_, condition)) => *condition = self.store.or(*condition, hit),
                None => ways.push((*to, hit)),
            }
        }
        ways.push((default, none));
        if self.store.value(value).is_none() {
            mark_fork(&mut state);
        }
        for (to, condition) in ways {
            let mut way = state.clone();
            if self.assume(&mut way, condition) {
                if !self.is_true(condition) {
                    note_way(&mut way, condition, to, site);
                }
                self.enter(way, to, site);
            }
        }
    }

    /// Enters a block, and keeps count of the loops that this is about.
    fn enter(&mut self, mut state: State, to: BlockId, site: SiteId) {
        let Some(id) = state.frames.last().map(|frame| frame.function) else { return };
        let loops = self.loops_of(id);
        let Some(frame) = state.frames.last_mut() else { return };
        let from = frame.block;
        frame.loops.retain(|visit| loops.by_header.get(&visit.header).is_some_and(|known| known.body.contains(&to)));
        frame.previous = Some(from);
        frame.block = to;
        frame.index = 0;
        if let Some(known) = loops.by_header.get(&to) {
            match frame.loops.iter_mut().find(|visit| visit.header == to) {
                Some(visit) if known.body.contains(&from) => {
                    visit.rounds += 1;
                    let limit = if visit.forked { ROUNDS } else { SURE_ROUNDS };
                    if visit.rounds > limit {
                        let was_cut = visit.is_cut;
                        visit.is_cut = true;
                        let touched = &known.touched;
                        let cares = |cell| touched.writes.contains(cell);
                        self.tell_memory(&state, cares, site);
                        // What comes next was executed for any round already.
                        if was_cut {
                            return;
                        }
                        self.forget(&mut state, &touched.writes);
                    }
                }
                Some(visit) => *visit = LoopVisit { header: to, rounds: 0, is_cut: false, forked: false },
                None => frame.loops.push(LoopVisit { header: to, rounds: 0, is_cut: false, forked: false }),
            }
        }
        self.wait(state);
    }

    /// Returns to the caller, or ends the execution of the whole block.
    fn leave_function(&mut self, mut state: State, value: Option<Value>, site: SiteId) {
        let Some(frame) = state.frames.pop() else { return };
        for region in &frame.locals {
            state.memory.remove(region);
        }
        if state.frames.is_empty() {
            if let Some(value) = value
                && self.subject.program.function(frame.function).result.is_some_and(Type::can_hold_pointer)
                && !self.execution.outflows.contains_key(&Outflow::Result)
                && self.words(value).into_iter().any(|(_, word)| self.can_be_null(&state, word))
            {
                self.tell(Outflow::Result, site);
            }
            self.tell_memory(&state, |_| true, site);
            return;
        }
        if let Some(value) = value {
            state.set(frame.result, value);
        }
        if let Some(caller) = state.frames.last_mut() {
            caller.index += 1;
        }
        self.wait(state);
    }
}

/// Remembers which way a state goes at the end of its block.
fn note_way(state: &mut State, condition: Term, to: BlockId, site: SiteId) {
    if let Some(frame) = state.frames.last() {
        let turn = Turn::Branch(frame.function, frame.block, to);
        state.taken.push(Taken { guard: None, condition, site, turn });
    }
}

fn mark_fork(state: &mut State) {
    for frame in &mut state.frames {
        frame.loops.iter_mut().for_each(|visit| visit.forked = true);
    }
}
