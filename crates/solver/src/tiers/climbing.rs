//! Goals about floating-point numbers, by trying: one byte of the input after the other is changed so that the goal comes nearer.
//!
//! For a backend a sum of quotients is a circuit of a million gates. But most such goals ask whether a number can be larger, or smaller,
//! than another one, and whoever can evaluate it soon finds out which bytes make it so.

use expr::{BitVec, Evaluator, Kind, Model, Store, Term, Var, postorder};

use super::inversion::{Proposal, read_float};

/// Bytes that are changed; a goal about more is about too much.
const MOST_BYTES: usize = 256;
/// How often all bytes have their turn.
const SWEEPS: usize = 3;
/// Terms that are evaluated in all.
const EVALUATIONS: usize = 1_000_000;
/// A goal of more terms would be evaluated too seldom.
const MOST_TERMS: usize = 20_000;
/// Conditions within a condition that are looked at.
const CONDITIONS: u32 = 64;
/// How far a byte goes from its value, beside going to its ends.
const STEPS: [i64; 6] = [1, -1, 4, -4, 24, -24];

/// Values for bytes under which the goal holds, where the model does not have it hold. `ends` are the least and the largest value
/// that the path leaves of a byte.
pub(crate) fn climb(store: &Store, base: &Model, goal: Term, ends: impl Fn(Var) -> (u64, u64)) -> Option<Proposal> {
    let mut looked_at = 0;
    let terms = postorder(store, &[goal], |_| {
        looked_at += 1;
        looked_at > MOST_TERMS
    });
    if looked_at > MOST_TERMS {
        return None;
    }
    let bytes: Vec<Var> = terms.iter().filter_map(|term| store.var_of(*term)).collect();
    let is_byte = |var: &Var| matches!(store.var_sort(*var), expr::Sort::BitVec(1..=8));
    if bytes.len() > MOST_BYTES || !bytes.iter().all(is_byte) {
        return None;
    }
    let mut model = base.clone();
    let mut least = distance(store, &model, goal);
    let mut left = EVALUATIONS / terms.len().max(1);
    for _ in 0..SWEEPS {
        let before = least;
        for var in &bytes {
            let (lowest, highest) = ends(*var);
            let width = store.var_sort(*var).width();
            let now = model.value(store, *var).low64();
            let near = STEPS.iter().filter_map(|step| now.checked_add_signed(*step));
            let values = [lowest, highest].into_iter().chain(near);
            for value in values.filter(|value| (lowest..=highest).contains(value) && *value != now) {
                left = left.checked_sub(1)?;
                let mut nearer = model.clone();
                nearer.set(*var, BitVec::new(width, value));
                let distance = distance(store, &nearer, goal);
                if distance < least {
                    (model, least) = (nearer, distance);
                }
            }
            if least == 0.0 {
                let values =
                    |model: &Model| bytes.iter().map(|var| (*var, model.value(store, *var))).collect::<Proposal>();
                let (old, new) = (values(base), values(&model));
                return Some(new.into_iter().zip(old).filter(|(new, old)| new != old).map(|(new, _)| new).collect());
            }
        }
        if least >= before {
            return None;
        }
    }
    None
}

/// How far a goal is from being true under a model.
fn distance(store: &Store, model: &Model, goal: Term) -> f64 {
    Distance { store, evaluator: Evaluator::new(store, model), left: CONDITIONS }.of(goal, true)
}

/// How far conditions are from being what is wanted, under a model.
struct Distance<'a> {
    store: &'a Store,
    evaluator: Evaluator<'a>,
    /// Conditions that may still be looked at.
    left: u32,
}

impl Distance<'_> {
    /// 0 exactly where the condition is what is wanted.
    fn of(&mut self, condition: Term, wanted: bool) -> f64 {
        if self.evaluator.eval(condition).is_true() == wanted {
            return 0.0;
        }
        let Some(left) = self.left.checked_sub(1) else { return FAR };
        self.left = left;
        let node = self.store.node(condition);
        let [a, b, _] = node.operands;
        let (x, y) = match node.kind {
            Kind::Not => return self.of(a, !wanted),
            Kind::And | Kind::Or => {
                let (a, b) = (self.of(a, wanted), self.of(b, wanted));
                // Both have to be what is wanted, or one of them.
                return if (node.kind == Kind::And) == wanted { a + b } else { a.min(b) };
            }
            Kind::FEq | Kind::FLt | Kind::FLe => {
                (read_float(&self.evaluator.eval(a)), read_float(&self.evaluator.eval(b)))
            }
            Kind::Slt | Kind::Sle => (self.signed(a), self.signed(b)),
            Kind::SAddO | Kind::SSubO | Kind::SMulO => {
                let (x, y) = (self.signed(a), self.signed(b));
                let result = match node.kind {
                    Kind::SAddO => x + y,
                    Kind::SSubO => x - y,
                    _ => x * y,
                };
                (result.abs(), 2f64.powi(i32::from(self.store.width(a)) - 1))
            }
            Kind::Eq | Kind::Ult | Kind::Ule => (self.unsigned(a), self.unsigned(b)),
            _ => return FAR,
        };
        // Numbers that are equal are no distance from each other and may not be what is wanted.
        let distance = (x - y).abs() + f64::MIN_POSITIVE;
        if distance.is_finite() { distance } else { FAR }
    }

    fn unsigned(&mut self, term: Term) -> f64 {
        self.evaluator.eval(term).low64() as f64
    }

    fn signed(&mut self, term: Term) -> f64 {
        self.evaluator.eval(term).sext(64).low64() as i64 as f64
    }
}

/// Where nothing says how far it is.
const FAR: f64 = f64::MAX;

#[cfg(test)]
mod tests {
    use expr::parse_term;

    use super::*;

    /// The quotients of two bytes by 3.0 and 7.0, together.
    const SUM: &str = "(fadd (fdiv (ffroms 64 (zext 17 part0[0])) 0x4008000000000000) \
                       (fdiv (ffroms 64 (zext 17 part0[1])) 0x401c000000000000))";

    fn found(goal: &str, ends: (u64, u64)) -> Option<Vec<u64>> {
        let mut store = Store::new();
        let goal = parse_term(&mut store, goal).unwrap();
        let base = Model::new();
        let proposal = climb(&store, &base, goal, |_| ends)?;
        let mut model = base.clone();
        proposal.iter().for_each(|(var, value)| model.set(*var, value.clone()));
        assert!(Evaluator::new(&store, &model).eval(goal).is_true());
        Some(proposal.iter().map(|(_, value)| value.low64()).collect())
    }

    #[test]
    fn what_does_not_fit_is_found() {
        // At most 10321, which is behind the end of 16 bits with this.
        let whole = format!("(ftos 32 (fmul {SUM} 0x4055400000000000))");
        assert_eq!(found(&format!("(saddo (extract 16 0 {whole}) 0x5800)"), (0, 255)), Some(vec![255, 255]));
    }

    #[test]
    fn numbers_become_larger_or_smaller_as_they_should() {
        // More than 100.0 takes both.
        let goal = format!("(not (fle {SUM} 0x4059000000000000))");
        assert_eq!(found(&goal, (0, 255)), Some(vec![255, 255]));
        // With at most 100 in each there is no such thing.
        assert_eq!(found(&goal, (0, 100)), None);
    }

    #[test]
    fn a_number_in_between_is_come_near_to() {
        // From 20.0 on, and below 21.0.
        let goal = format!("(and (fle 0x4034000000000000 {SUM}) (flt {SUM} 0x4035000000000000))");
        assert!(found(&goal, (0, 255)).is_some());
    }
}
