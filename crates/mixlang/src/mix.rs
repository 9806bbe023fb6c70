//! The two mix rules, figure 4 of the paper: all that type checker and symbolic executor know of each other.

use std::rc::Rc;

use expr::{Model, Term};
use rustc_hash::FxHashSet;
use solver::Answer;

use crate::analysis::{Analysis, Checked};
use crate::check::{Entry, Gamma, join};
use crate::execute::state::{Binding, Memory, Path, Sigma, State, Stop, Unfinished};
use crate::execute::values::{Sym, WORD, has_sign};
use crate::rules::Premise;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Mode, Name};
use crate::types::{Sign, Type};
use crate::verdict::{BlockPlace, Cause, Rejection};
use crate::witness::{Entrance, Variable};

/// A symbolic block that is being executed.
pub(crate) struct BlockContext {
    /// What is known of unknowns, on all paths.
    pub facts: Vec<Term>,
    /// Paths that were left.
    pub unfinished: Vec<Unfinished>,
    paths: usize,
    limit: usize,
}

impl BlockContext {
    /// Whether there may be one path more.
    pub fn add_path(&mut self) -> bool {
        let room = self.paths < self.limit;
        self.paths += usize::from(room);
        room
    }
}

impl Analysis<'_> {
    /// Does something inside a block.
    pub fn enter_block<T>(&mut self, mode: Mode, span: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.blocks.push(BlockPlace { mode, span });
        let result = inside(self);
        self.blocks.pop();
        result
    }

    /// TSYMBLOCK: the type of a symbolic block is the one that all of its paths have.
    pub fn symbolic_block(&mut self, body: &Expr, gamma: &Gamma) -> Checked<Type> {
        self.stats.symbolic_blocks += 1;
        let (entrance, paths) = self.all_paths(body, gamma);
        let result = self.conclude(&entrance, paths);
        self.contexts.pop();
        result
    }

    /// Executes a symbolic block from its start. The block's context is still the innermost one afterwards.
    pub fn all_paths(&mut self, body: &Expr, gamma: &Gamma) -> (Entrance, Vec<Path>) {
        let limit = self.options.good_enough.unwrap_or(self.options.paths).max(1);
        self.contexts.push(BlockContext { facts: Vec::new(), unfinished: Vec::new(), paths: 1, limit });
        let (entrance, sigma, state) = self.entrance(body, gamma);
        let calls = std::mem::take(&mut self.calls);
        let paths = self.execute(body, &sigma, state);
        self.calls = calls;
        (entrance, paths)
    }

    /// Σ(x) = α:Γ(x) for all x, in the state (true; μ).
    fn entrance(&mut self, body: &Expr, gamma: &Gamma) -> (Entrance, Sigma, State) {
        let memory_name = self.encoding.fresh_name("memory");
        let cells = self.store.named_array(&memory_name, WORD, WORD);
        let mut state = State {
            condition: self.store.bool(true),
            facts: Vec::new(),
            memory: Memory { cells, inconsistent: Vec::new() },
            slots: Vec::new(),
            allocations: 0,
            trail: Vec::new(),
            model: Rc::new(Model::new()),
        };
        let mut sigma = Sigma::default();
        let mut variables = Vec::new();
        let mentioned = mentioned(body);
        for (name, entry) in gamma.visible() {
            if !mentioned.contains(name) {
                continue;
            }
            let value = self.unknown(&mut state, name, &entry.ty);
            let binding = if entry.assignable {
                state.slots.push(value.clone());
                Binding::Slot(state.slots.len() - 1)
            } else {
                Binding::Fixed(value.clone())
            };
            variables.push(Variable { name: name.clone(), entry: entry.clone(), value });
            sigma = sigma.with(name.clone(), binding);
        }
        let block = self.blocks.last().copied().unwrap_or(BlockPlace { mode: Mode::Symbolic, span: body.span });
        (Entrance { block, body: body.clone(), variables, cells }, sigma, state)
    }

    /// From paths to a type.
    fn conclude(&mut self, entrance: &Entrance, paths: Vec<Path>) -> Checked<Type> {
        self.stats.paths += paths.len() as u64;
        let mut rejections = Vec::new();
        let mut finished: Vec<(State, Type)> = Vec::new();
        for path in paths {
            match path.outcome {
                Ok(value) => match self.finish(entrance, &path.state, &value) {
                    Ok(ty) => finished.push((path.state, ty)),
                    Err(failed) => {
                        let (state, rejection) = *failed;
                        rejections.extend(self.if_feasible(entrance, &state, vec![rejection]));
                    }
                },
                Err(Stop::Rejected(reasons)) => rejections.extend(self.if_feasible(entrance, &path.state, reasons)),
                Err(Stop::Unfinished(unfinished)) => {
                    if let Some(context) = self.contexts.last_mut() {
                        context.unfinished.push(unfinished);
                    }
                }
            }
        }
        if rejections.is_empty() {
            let conditions: Vec<Term> = finished.iter().map(|(state, _)| state.condition).collect();
            rejections.extend(self.not_exhaustive(entrance, &conditions));
        }
        if !rejections.is_empty() {
            return Err(rejections);
        }
        let mut types = finished.iter().map(|(state, ty)| (state.clone(), ty.clone()));
        let Some((_, mut all)) = types.next() else {
            // Nothing was explored: no type would be wrong, but there is none to give.
            let message = "no path through the block comes to an end";
            return Err(vec![self.unexplored(entrance.block.span, message)]);
        };
        for (state, ty) in types {
            match join(&all, &ty) {
                Some(joined) => all = joined,
                None if !self.rules.need(Premise::SamePaths) => {}
                None => {
                    let message =
                        format!("the paths through the block have different types: this one {ty}, another one {all}");
                    let rejection = self.reject("TSYMBLOCK", Cause::Type, entrance.block.span, message);
                    let reasons = self.if_feasible(entrance, &state, vec![rejection]);
                    if !reasons.is_empty() {
                        return Err(reasons);
                    }
                }
            }
        }
        Ok(all)
    }

    /// What must hold at the end of a path; its type.
    fn finish(&mut self, entrance: &Entrance, state: &State, value: &Sym) -> Result<Type, Box<(State, Rejection)>> {
        let spoiled = if self.rules.need(Premise::ConsistentEnd) { self.spoiled(state) } else { None };
        if let Some((write, state)) = spoiled {
            let message = "the block leaves a value in a cell that is not of the cell's type";
            let rejection = self
                .reject("TSYMBLOCK", Cause::Memory, write.span, message)
                .related(write.span, write.what)
                .help("write a value of the cell's type before the block ends, or use `var`");
            return Err(Box::new((state, rejection)));
        }
        // In the order in which the entrance made the slots.
        let assignable = entrance.variables.iter().filter(|variable| variable.entry.assignable);
        for (Variable { name, entry, .. }, last) in assignable.zip(&state.slots) {
            if self.rules.need(Premise::VariablesRestored) && !self.has_type(state, last, &entry.ty) {
                let message = format!("the block leaves {} in `{name}`, which is {} outside", last.ty, entry.ty);
                let rejection = self.reject("TSYMBLOCK", Cause::Type, self.here(), message);
                return Err(Box::new((state.clone(), rejection)));
            }
        }
        Ok(self.type_of_value(state, value))
    }

    fn here(&self) -> Span {
        self.blocks.last().map(|block| block.span).unwrap_or_default()
    }

    /// The type that a typed block may give to a symbolic value: what the path condition says about signs included.
    fn type_of_value(&mut self, state: &State, value: &Sym) -> Type {
        let Type::Int(_) = value.ty else { return self.with_arrow(&value.ty) };
        for sign in [Sign::Pos, Sign::Neg, Sign::Zero] {
            let holds = has_sign(&mut self.store, sign, value.term);
            if self.is_valid(state, holds) {
                return Type::Int(sign);
            }
        }
        Type::INT
    }

    /// exhaustive(g₁, …, gₙ): whether the path conditions together are a tautology.
    pub fn not_exhaustive(&mut self, entrance: &Entrance, finished: &[Term]) -> Option<Rejection> {
        let context = self.contexts.last()?;
        let (mut constraints, unfinished) = (context.facts.clone(), context.unfinished.clone());
        for condition in finished {
            constraints.push(self.store.not(*condition));
        }
        if !self.rules.need(Premise::Exhaustive) {
            return None;
        }
        let answer = self.solve(&constraints, &Model::new());
        if let Answer::Unsat = answer {
            return None;
        }
        if self.options.good_enough.is_some() && !finished.is_empty() {
            self.inexhaustive = true;
            return None;
        }
        let mut rejection = match unfinished.first() {
            Some(first) => self.unexplored(first.span, &first.why),
            None => self.unexplored(entrance.block.span, "it is not known whether all paths were explored"),
        };
        match answer {
            Answer::Sat(solution) => rejection.witness = Some(self.witness(entrance, &solution.model)),
            Answer::Unknown(reason) => rejection.related.push((entrance.block.span, reason.to_string())),
            Answer::Unsat => {}
        }
        Some(rejection)
    }

    fn unexplored(&self, span: Span, why: &str) -> Rejection {
        self.reject("TSYMBLOCK", Cause::NotExhaustive, span, format!("not all paths were explored: {why}")).help(
            "put the part that takes too long in a typed block, `{t … t}`, raise the limit, or accept some paths as \
             good enough",
        )
    }

    /// Reasons to reject with path and witness; none if the path is not feasible.
    fn if_feasible(&mut self, entrance: &Entrance, state: &State, reasons: Vec<Rejection>) -> Vec<Rejection> {
        let witness = match self.solve(&state.with(&[]), &state.model) {
            Answer::Unsat => return Vec::new(),
            Answer::Sat(solution) => Some(self.witness(entrance, &solution.model)),
            Answer::Unknown(_) => None,
        };
        let with_path = |mut reason: Rejection| {
            reason.path = state.trail.iter().copied().chain(reason.path).collect();
            reason.witness = reason.witness.or_else(|| witness.clone());
            reason
        };
        reasons.into_iter().map(with_path).collect()
    }

    /// SETYPBLOCK: a typed block is any value of its type, and anything may have happened to memory.
    pub fn typed_block(&mut self, body: &Expr, sigma: &Sigma, mut state: State) -> Path {
        self.stats.typed_blocks += 1;
        let spoiled = if self.rules.need(Premise::ConsistentStart) { self.spoiled(&state) } else { None };
        if let Some((write, state)) = spoiled {
            let message = "a typed block starts while a cell holds a value that is not of the cell's type";
            let rejection = self
                .reject("SETYPBLOCK", Cause::Memory, self.here(), message)
                .related(write.span, write.what)
                .help("write a value of the cell's type before the block starts");
            return Path::rejected(state, rejection);
        }
        let gamma = self.gamma(body, sigma, &state);
        let ty = match self.check(body, &gamma) {
            Ok(ty) => ty,
            Err(_) if !self.rules.need(Premise::BlockChecks) => Type::INT,
            Err(reasons) => return Path { state, outcome: Err(Stop::Rejected(reasons)) },
        };
        if self.rules.need(Premise::FreshMemory) {
            let name = self.encoding.fresh_name("memory");
            let cells = self.store.named_array(&name, WORD, WORD);
            state.memory = Memory { cells, inconsistent: Vec::new() };
        }
        if self.rules.need(Premise::VariablesForgotten) {
            self.forget_assigned(body, sigma, &mut state);
        }
        let value = self.unknown(&mut state, "block", &ty);
        Path::value(state, value)
    }

    /// ⊢ Σ : Γ
    fn gamma(&mut self, body: &Expr, sigma: &Sigma, state: &State) -> Gamma {
        let mut gamma = Gamma::default();
        let mentioned = mentioned(body);
        for (name, binding) in sigma.visible() {
            if !mentioned.contains(name) {
                continue;
            }
            let entry = match binding {
                Binding::Fixed(value) => Entry::fixed(self.type_of_value(state, value)),
                Binding::Slot(slot) => match state.slots.get(*slot) {
                    Some(value) => Entry { ty: self.with_arrow(&value.ty), assignable: true },
                    None => continue,
                },
            };
            gamma = gamma.with(name.clone(), entry);
        }
        gamma
    }

    /// Gives the variables that a typed block assigns to fresh values.
    fn forget_assigned(&mut self, body: &Expr, sigma: &Sigma, state: &mut State) {
        let names = assigned(body);
        for (name, binding) in sigma.visible() {
            let Binding::Slot(slot) = binding else { continue };
            if !names.contains(name) {
                continue;
            }
            let Some(ty) = state.slots.get(*slot).map(|value| value.ty.clone()) else { continue };
            let ty = self.with_arrow(&ty);
            let value = self.unknown(state, name, &ty);
            if let Some(place) = state.slots.get_mut(*slot) {
                *place = value;
            }
        }
    }
}

/// The names that occur in an expression. What is in scope and not among them does not matter to it.
fn mentioned(expr: &Expr) -> FxHashSet<Name> {
    let mut names = FxHashSet::default();
    collect(expr, &mut names, |kind| match kind {
        ExprKind::Variable(name) | ExprKind::Set(name, _) => Some(name),
        _ => None,
    });
    names
}

/// The variables that are assigned to. One of that name may also be bound inside; then more is forgotten than need be.
fn assigned(expr: &Expr) -> FxHashSet<Name> {
    let mut names = FxHashSet::default();
    collect(expr, &mut names, |kind| match kind {
        ExprKind::Set(name, _) => Some(name),
        _ => None,
    });
    names
}

fn collect(expr: &Expr, names: &mut FxHashSet<Name>, name: fn(&ExprKind) -> Option<&Name>) {
    crate::with_stack(|| {
        names.extend(name(&expr.kind).cloned());
        expr.parts().into_iter().for_each(|part| collect(part, names, name));
    });
}
