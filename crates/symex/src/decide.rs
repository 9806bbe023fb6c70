//! Which conditions can hold on a path.

use crate::state::State;
use crate::value::Value;
use crate::{Executor, Turn, Violation};
use expr::{Evaluator, Model, Term, Var};
use ir::{FunctionId, Operand, SiteId};
use rustc_hash::FxHashSet;
use solver::Answer;
use std::rc::Rc;

/// Whether something can hold.
#[derive(Clone, Debug)]
pub enum Possible {
    /// With these values.
    Yes(Rc<Model>),
    /// Never.
    No,
    /// Nobody knows.
    Unknown,
}

/// How it is known that something can be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The types say so.
    ByTypes,
    /// A path makes it null, or nobody can tell.
    Otherwise,
}

impl Executor<'_> {
    /// Whether a condition can hold on a path.
    pub fn possible(&mut self, state: &State, condition: Term) -> Possible {
        if self.is_false(condition) {
            return Possible::No;
        }
        if let Some(model) = &state.model
            && Evaluator::new(&self.store, model).all_true(&[condition])
        {
            return Possible::Yes(model.clone());
        }
        let negated = self.store.not(condition);
        if state.constraints.contains(&negated) {
            return Possible::No;
        }
        self.execution.queries += 1;
        if self.execution.queries > self.budget.queries {
            self.give_up("more queries than the budget allows");
            return Possible::Unknown;
        }
        let mut constraints = state.constraints.clone();
        constraints.push(condition);
        let base = state.model.as_deref().cloned().unwrap_or_default();
        match self.session.solve(&mut self.store, &constraints, &base) {
            Answer::Sat(solution) => Possible::Yes(Rc::new(solution.model)),
            Answer::Unsat => Possible::No,
            Answer::Unknown(_) => {
                self.unanswered += 1;
                if self.unanswered > self.budget.unanswered {
                    self.give_up("more queries without an answer than the budget allows");
                }
                Possible::Unknown
            }
        }
    }

    /// Lets a path go on only where a condition holds; false if it never does.
    pub fn assume(&mut self, state: &mut State, condition: Term) -> bool {
        if self.is_true(condition) {
            return true;
        }
        match self.possible(state, condition) {
            Possible::No => return false,
            Possible::Yes(model) => state.model = Some(model),
            Possible::Unknown => state.model = None,
        }
        if !state.constraints.contains(&condition) {
            state.constraints.push(condition);
        }
        true
    }

    /// Whether a value can be null on a path.
    pub fn can_be_null(&mut self, state: &State, value: Value) -> bool {
        let null = self.null_condition(value);
        !matches!(self.possible(state, null), Possible::No)
    }

    /// Reports a value that must not be null and can be. The path goes on where it is not; false if it is always null.
    pub fn require(
        &mut self,
        state: &mut State,
        value: Value,
        operand: &Operand,
        argument: Option<(FunctionId, u32)>,
        report: bool,
    ) -> bool {
        let null = self.null_condition(value);
        if self.is_false(null) {
            return true;
        }
        let Some(frame) = state.frames.last() else { return false };
        let at = (frame.block.0, frame.index as u32);
        let function = frame.function;
        if self.types.never_fails(function, at, argument) {
            self.believe(state, null);
            return !self.is_true(null);
        }
        let place = (function, at, argument);
        // Known already: there is nothing to be asked but where the path goes on. Unless it was a guess, and this is none.
        let is_known = match self.seen.get(&place) {
            None => false,
            Some(Seen::ByTypes) => !self.guesses_in(null).is_empty(),
            Some(Seen::Otherwise) => true,
        };
        if report && !is_known {
            let answer = self.possible(state, null);
            let (model, is_certain) = match answer {
                Possible::No => (None, false),
                Possible::Yes(model) => (Some(model), true),
                Possible::Unknown => (Some(Rc::default()), false),
            };
            if let Some(model) = model {
                let by_types = is_certain && self.is_guessed(state, null);
                self.seen.insert(place, if by_types { Seen::ByTypes } else { Seen::Otherwise });
                let path = self.path_under(state, null, &model);
                let calls = state.frames.iter().map(|frame| (frame.function, frame.called_at)).collect();
                let value = operand.clone();
                let input = self.input_for(state, null);
                let situation = self.situation_for(state, null);
                self.execution.violations.push(Violation {
                    function,
                    at,
                    value,
                    argument,
                    path,
                    calls,
                    is_certain,
                    by_types,
                    input,
                    situation,
                });
            }
        }
        let holds = self.store.not(null);
        self.assume(state, holds)
    }

    /// Whether a condition holds on a path only if something is null of which only the types say so.
    fn is_guessed(&mut self, state: &State, condition: Term) -> bool {
        let guesses = self.guesses_in(condition);
        if guesses.is_empty() {
            return false;
        }
        let without = guesses.into_iter().fold(condition, |all, guess| {
            let is_not = self.store.not(guess);
            self.store.and(all, is_not)
        });
        !matches!(self.possible(state, without), Possible::Yes(_))
    }

    fn guesses_in(&self, condition: Term) -> Vec<Term> {
        let terms = expr::postorder(&self.store, &[condition], |_| false).into_iter();
        terms.filter(|term| self.guesses.contains(term)).collect()
    }

    /// Takes for granted that something does not hold.
    pub fn believe(&mut self, state: &mut State, false_condition: Term) {
        let holds = self.store.not(false_condition);
        if state.constraints.contains(&holds) {
            return;
        }
        let is_model = |model: &Rc<Model>| Evaluator::new(&self.store, model).all_true(&[holds]);
        if !state.model.as_ref().is_some_and(is_model) {
            state.model = None;
        }
        state.constraints.push(holds);
    }

    /// What happens with these values on the way to where a condition holds.
    fn path_under(&self, state: &State, condition: Term, model: &Model) -> Vec<(SiteId, Turn)> {
        let mut evaluator = Evaluator::new(&self.store, model);
        let matters: Vec<Term> = state.constraints.iter().copied().chain([condition]).collect();
        let matters: FxHashSet<Var> = expr::variables(&self.store, &matters).into_iter().collect();
        let mut path = Vec::new();
        for taken in &state.taken {
            if !taken.guard.is_none_or(|guard| evaluator.eval(guard).is_true()) {
                continue;
            }
            if let Turn::ReturnsNull(_) = taken.turn {
                let mut variables = expr::variables(&self.store, &[taken.condition]).into_iter();
                let holds = evaluator.eval(taken.condition).is_true();
                if !holds || !variables.any(|variable| matters.contains(&variable)) {
                    continue;
                }
            }
            path.push((taken.site, taken.turn));
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use crate::{Budget, Execution, Start, Subject, Task, Types};
    use ir::{
        Binary, Block, BlockId, CellId, Comparison, Effects, Function, FunctionId, Instruction, Names, Op, Operand,
        Parameter, PointsTo, Program, Register, Site, SiteId, Terminator, Type,
    };
    use solver::{Config, Session};
    use std::time::Duration;

    struct NeverNull;

    impl Types for NeverNull {
        fn cell_is_null(&self, _: CellId) -> bool {
            false
        }

        fn cell_is_null_at_start(&self, _: CellId) -> bool {
            false
        }

        fn cell_is_never_null(&self, _: CellId) -> bool {
            true
        }

        fn never_fails(&self, _: FunctionId, _: (u32, u32), _: Option<(FunctionId, u32)>) -> bool {
            true
        }

        fn result_is_null(&self, _: FunctionId) -> bool {
            false
        }

        fn follows(&self, _: FunctionId) -> bool {
            false
        }
    }

    /// Executes `if (a * b * (a + b) == 7 || … == 9 || …) {}` with a solver that has no time for any query.
    fn execute(unanswered: u64) -> Execution {
        let number = Type::bits(64);
        let register = |number| Operand::Register(Register(number));
        let computed = |result, ty, op| Instruction { result: Some(Register(result)), ty, op, site: SiteId(0) };
        let product = vec![
            computed(2, number, Op::Binary(Binary::Mul, register(0), register(1))),
            computed(3, number, Op::Binary(Binary::Add, register(0), register(1))),
            computed(4, number, Op::Binary(Binary::Mul, register(2), register(3))),
        ];
        let is = |value| {
            let right = Operand::Integer { value, bits: 64 };
            computed(5, Type::bits(1), Op::Compare { comparison: Comparison::Eq, left: register(4), right, ty: number })
        };
        let decided = |instructions, next| {
            let terminator = Terminator::Branch { condition: register(5), then: BlockId(3), otherwise: BlockId(next) };
            Block { instructions, terminator, site: SiteId(0) }
        };
        let blocks = vec![
            decided(product.into_iter().chain([is(7)]).collect(), 1),
            decided(vec![is(9)], 2),
            decided(vec![is(11)], 3),
            Block { instructions: Vec::new(), terminator: Terminator::Return(None), site: SiteId(0) },
        ];
        let parameters = vec![Parameter { ty: number, ..Parameter::default() }; 2];
        let function = Function { name: "f".to_owned(), parameters, blocks, registers: 6, ..Function::default() };
        let program = Program { functions: vec![function], sites: vec![Site::default()], ..Program::default() };
        let points_to = PointsTo::new(&program, &|| false).expect("nobody stops it");
        let (effects, names) = (Effects::new(&program, &points_to), Names::new(&program));
        let subject =
            Subject { program: &program, points_to: &points_to, effects: &effects, names: &names, stop: &|| false };
        let no_time = solver::Budget { time: Duration::ZERO, ..solver::Budget::default() };
        let mut session = Session::new(Config { budget: no_time, ..Config::default() }).expect("it needs no files");
        let task = Task {
            function: FunctionId(0),
            null_parameters: vec![false; 2],
            start: Start::Typed,
            check_accesses: true,
            seeks_input: false,
        };
        crate::execute(subject, &NeverNull, &mut session, &task, Budget { unanswered, ..Budget::default() })
    }

    #[test]
    fn a_block_is_given_up_that_the_solver_has_no_answers_for() {
        let given_up = execute(2).inconclusive;
        assert_eq!(given_up.as_deref(), Some("more queries without an answer than the budget allows"));
        assert_eq!(execute(3).inconclusive, None);
    }
}
