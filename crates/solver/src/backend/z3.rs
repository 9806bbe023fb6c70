//! Z3.

mod float;

use ::z3::ast::{Array, BV, Bool, Dynamic, Float};
use ::z3::{Params, SatResult, Solver, Sort as Z3Sort};
use expr::{BitVec, Choice, Kind, Sort, Store, Term, decision, postorder};
use rustc_hash::FxHashMap;

use super::Outcome;
use super::engine::{Engine, Limits, Step};
use crate::answer::Reason;

/// The version that is linked in.
pub(super) fn version() -> String {
    ::z3::full_version().to_owned()
}

#[derive(Default)]
pub(super) struct Z3Engine {
    instances: FxHashMap<u64, Solver>,
    terms: FxHashMap<Term, Dynamic>,
    /// Terms that are floating-point numbers, as such.
    floats: FxHashMap<Term, Float>,
}

impl Z3Engine {
    pub(super) fn new() -> Z3Engine {
        Z3Engine::default()
    }

    fn translate(&mut self, store: &Store, roots: &[Term]) {
        let order = postorder(store, roots, |term| self.terms.contains_key(&term));
        for term in order {
            let node = store.node(term);
            if node.kind.gives_float() {
                if let Some((number, bits)) = self.number(&node) {
                    self.floats.insert(term, number);
                    self.terms.insert(term, bits);
                }
                continue;
            }
            // Only a sort error could leave a term out, and the store has checked sorts.
            if let Some(made) = self.node(store, term) {
                self.terms.insert(term, made);
            }
        }
    }

    fn vector(&self, term: Term) -> Option<BV> {
        self.terms.get(&term)?.as_bv()
    }

    fn array(&self, term: Term) -> Option<Array> {
        self.terms.get(&term)?.as_array()
    }

    fn truth(&self, term: Term) -> Bool {
        match self.vector(term) {
            Some(made) => made.eq(BV::from_u64(1, 1)),
            None => Bool::from_bool(true),
        }
    }

    fn node(&self, store: &Store, term: Term) -> Option<Dynamic> {
        if let Some(value) = store.value(term) {
            return Some(Dynamic::from_ast(&constant(value)?));
        }
        let node = store.node(term);
        let [a, b, c] = node.operands;
        if let Some(var) = store.var_of(term) {
            let name = format!("v{}", var.index());
            return Some(match node.sort {
                Sort::BitVec(width) => Dynamic::from_ast(&BV::new_const(name, width.into())),
                Sort::Array { index, element } => {
                    let (domain, range) = (Z3Sort::bitvector(index.into()), Z3Sort::bitvector(element.into()));
                    Dynamic::from_ast(&Array::new_const(name, &domain, &range))
                }
            });
        }
        if node.kind.is_float() {
            return self.of_numbers(store, &node);
        }
        let width = u32::from(node.sort.width());
        match (node.kind, node.sort) {
            (Kind::Ite, _) => {
                let condition = self.truth(a);
                return Some(condition.ite(self.terms.get(&b)?, self.terms.get(&c)?));
            }
            (Kind::Select, _) => return Some(self.array(a)?.select(&self.vector(b)?)),
            (Kind::Store, _) => {
                return Some(Dynamic::from_ast(&self.array(a)?.store(&self.vector(b)?, &self.vector(c)?)));
            }
            (Kind::ConstArray, Sort::Array { index, .. }) => {
                let domain = Z3Sort::bitvector(index.into());
                return Some(Dynamic::from_ast(&Array::const_array(&domain, &self.vector(a)?)));
            }
            (Kind::Eq, _) => return Some(bit(&self.terms.get(&a)?.eq(self.terms.get(&b)?))),
            _ => {}
        }
        let x = self.vector(a)?;
        let vector = match node.kind {
            Kind::Lookup => lookup(store.table(term)?, &x)?,
            Kind::Not => x.bvnot(),
            Kind::Extract => x.extract(node.imm + width - 1, node.imm),
            Kind::ZExt => x.zero_ext(width - x.get_size()),
            Kind::SExt => x.sign_ext(width - x.get_size()),
            kind => return self.pair(kind, &x, &self.vector(b)?),
        };
        Some(Dynamic::from_ast(&vector))
    }

    fn pair(&self, kind: Kind, x: &BV, y: &BV) -> Option<Dynamic> {
        let predicate = match kind {
            Kind::Ult | Kind::USubO => x.bvult(y),
            Kind::Ule => x.bvule(y),
            Kind::Slt => x.bvslt(y),
            Kind::Sle => x.bvsle(y),
            // Z3's own "no overflow" predicates look at one direction only for signed operands, so these are spelt out.
            Kind::UAddO => x.bvadd(y).bvult(x),
            Kind::SAddO => signs_differ(&x.bvadd(y), x, y),
            Kind::SSubO => signs_differ(x, y, &x.bvsub(y)),
            Kind::SMulO => widened(x, y, true, x.get_size(), |x, y| x.bvmul(y)),
            Kind::UMulO => widened(x, y, false, x.get_size(), |x, y| x.bvmul(y)),
            _ => {
                let vector = match kind {
                    Kind::And => x.bvand(y),
                    Kind::Or => x.bvor(y),
                    Kind::Xor => x.bvxor(y),
                    Kind::Add => x.bvadd(y),
                    Kind::Sub => x.bvsub(y),
                    Kind::Mul => x.bvmul(y),
                    Kind::UDiv => x.bvudiv(y),
                    Kind::URem => x.bvurem(y),
                    Kind::SDiv => x.bvsdiv(y),
                    Kind::SRem => x.bvsrem(y),
                    Kind::Shl => x.bvshl(y),
                    Kind::LShr => x.bvlshr(y),
                    Kind::AShr => x.bvashr(y),
                    Kind::Concat => x.concat(y),
                    _ => return None,
                };
                return Some(Dynamic::from_ast(&vector));
            }
        };
        Some(bit(&predicate))
    }

    fn ask(&self, solver: &Solver, step: &Step<'_>, limits: Limits) -> Outcome {
        let mut params = Params::new();
        params.set_u32("timeout", u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX).max(1));
        if let Some(conflicts) = limits.conflicts {
            params.set_u32("max_conflicts", u32::try_from(conflicts).unwrap_or(u32::MAX));
        }
        solver.set_params(&params);
        for constraint in step.constraints {
            solver.assert(self.truth(*constraint));
        }
        // Z3 solves assumptions that are no literals by way of definitions that stay; a scope leaves nothing behind.
        solver.push();
        for goal in step.goals {
            solver.assert(self.truth(*goal));
        }
        let outcome = match solver.check() {
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Sat => self.values(solver, step.wanted),
            SatResult::Unknown => Outcome::Unknown(reason(&solver.get_reason_unknown().unwrap_or_default(), limits)),
        };
        solver.pop(1);
        outcome
    }

    fn values(&self, solver: &Solver, wanted: &[Term]) -> Outcome {
        let failed = || Outcome::Unknown(Reason::GaveUp("no model".to_owned()));
        let Some(model) = solver.get_model() else { return failed() };
        let mut values = Vec::with_capacity(wanted.len());
        for term in wanted {
            let value = self.vector(*term).and_then(|term| model.eval(&term, true)).as_ref().and_then(value);
            match value {
                Some(value) => values.push(value),
                None => return failed(),
            }
        }
        Outcome::Sat(values)
    }
}

impl Engine for Z3Engine {
    fn step(&mut self, store: &Store, step: &Step<'_>) -> Outcome {
        self.translate(store, step.constraints);
        self.translate(store, step.goals);
        self.translate(store, step.wanted);
        let found = step.instance.and_then(|id| self.instances.remove(&id));
        let solver = found.unwrap_or_default();
        let outcome = self.ask(&solver, step, step.limits);
        if let Some(id) = step.instance {
            self.instances.insert(id, solver);
        }
        outcome
    }

    fn forget(&mut self, instance: u64) {
        self.instances.remove(&instance);
    }

    fn translated(&self) -> usize {
        self.terms.len()
    }

    fn reset(&mut self) {
        *self = Z3Engine::new();
    }
}

fn reason(text: &str, limits: Limits) -> Reason {
    match text {
        // What it calls a search that it broke off; these theories are decidable.
        "incomplete" if limits.conflicts.is_some() => Reason::Conflicts,
        "timeout" | "canceled" => Reason::Time,
        "max-conflicts-reached" => Reason::Conflicts,
        _ if text.contains("memory") || text.contains("memout") => Reason::Memory,
        _ if text.contains("conflicts") => Reason::Conflicts,
        _ => Reason::GaveUp(text.to_owned()),
    }
}

fn bit(predicate: &Bool) -> Dynamic {
    Dynamic::from_ast(&predicate.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)))
}

/// The element of a table, by the bits of the index.
fn lookup(table: &[BitVec], index: &BV) -> Option<BV> {
    let mut steps: Vec<BV> = Vec::new();
    for step in decision(table) {
        let made = match step {
            Choice::Value(value) => constant(value)?,
            Choice::Either { bit, high, low } => {
                let is_set = index.extract(bit, bit).eq(BV::from_u64(1, 1));
                is_set.ite(steps.get(high)?, steps.get(low)?)
            }
        };
        steps.push(made);
    }
    steps.pop()
}

fn constant(value: &BitVec) -> Option<BV> {
    match value.to_u64() {
        Some(small) => Some(BV::from_u64(small, value.width().into())),
        None => {
            let bits: Vec<bool> = (0..u32::from(value.width())).map(|index| value.bit(index)).collect();
            BV::from_bits(&bits)
        }
    }
}

/// Whether the sign of `a` is neither that of `b` nor that of `c`. Of a sum `a` and its operands, and of a minuend `a`
/// with its subtrahend and the difference, this is signed overflow.
fn signs_differ(a: &BV, b: &BV, c: &BV) -> Bool {
    let top = a.get_size() - 1;
    a.bvxor(b).bvand(a.bvxor(c)).extract(top, top).eq(BV::from_u64(1, 1))
}

/// Whether an operation repeated with more bits gives something else than its extended result.
fn widened(x: &BV, y: &BV, signed: bool, extra: u32, operation: fn(&BV, &BV) -> BV) -> Bool {
    let wide = |term: &BV| if signed { term.sign_ext(extra) } else { term.zero_ext(extra) };
    operation(&wide(x), &wide(y)).eq(wide(&operation(x, y))).not()
}

/// The value of a numeral, which prints as `#x41` or `#b101`.
fn value(numeral: &BV) -> Option<BitVec> {
    let width = u16::try_from(numeral.get_size()).ok()?;
    if let Some(small) = numeral.as_u64() {
        return Some(BitVec::new(width, small));
    }
    let text = numeral.to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    BitVec::parse(width, digits, radix)
}
