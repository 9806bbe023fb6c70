//! Intervals and known bits: goals that are false whatever the variables are.

use expr::{BitVec, Kind, Sort, Store, Term, Var, postorder};
use rustc_hash::FxHashMap;

/// What is known of a value of at most 64 bits: the least and the greatest it can be, and bits that are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    width: u16,
    least: u64,
    greatest: u64,
    /// Bits that are certainly 0.
    zeros: u64,
    /// Bits that are certainly 1.
    ones: u64,
}

fn mask(width: u16) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// All bits up to the highest one bit.
fn smear(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::MAX >> value.leading_zeros() }
}

impl Bounds {
    fn any(width: u16) -> Bounds {
        Bounds { width, least: 0, greatest: mask(width), zeros: !mask(width), ones: 0 }
    }

    fn exactly(width: u16, value: u64) -> Bounds {
        Bounds { width, least: value, greatest: value, zeros: !value, ones: value }
    }

    /// The values between two, both included.
    fn between(width: u16, least: u64, greatest: u64) -> Bounds {
        Bounds { least, greatest, ..Bounds::any(width) }.tightened()
    }

    fn bits(width: u16, zeros: u64, ones: u64) -> Bounds {
        Bounds { zeros: zeros | !mask(width), ones, ..Bounds::any(width) }.tightened()
    }

    /// The smallest bounds that contain all of these values.
    pub(crate) fn of_values(width: u16, values: impl Iterator<Item = u64>) -> Bounds {
        let start = Bounds { width, least: u64::MAX, greatest: 0, zeros: u64::MAX, ones: u64::MAX };
        let all = values.fold(start, |all, value| Bounds {
            width,
            least: all.least.min(value),
            greatest: all.greatest.max(value),
            zeros: all.zeros & !value,
            ones: all.ones & value,
        });
        if all.least > all.greatest { Bounds::any(width) } else { all }
    }

    /// Lets the interval learn from the bits and the other way round.
    fn tightened(self) -> Bounds {
        let least = self.least.max(self.ones);
        let greatest = self.greatest.min(!self.zeros);
        // The bits above the highest one in which both ends differ are certain.
        let certain = !smear(least ^ greatest);
        let (zeros, ones) = (self.zeros | (certain & !least), self.ones | (certain & least));
        Bounds { width: self.width, least, greatest, zeros, ones }
    }

    fn union(self, other: Bounds) -> Bounds {
        Bounds {
            width: self.width,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// Whether a value lies within.
    fn allows(&self, value: u64) -> bool {
        (self.least..=self.greatest).contains(&value) && value & self.zeros == 0 && !value & self.ones == 0
    }

    fn truth(decided: Option<bool>) -> Bounds {
        decided.map_or(Bounds::any(1), |value| Bounds::exactly(1, value.into()))
    }

    /// Of a one-bit term: that it is 0.
    fn is_false(&self) -> bool {
        self.greatest == 0
    }

    /// Seen as signed: the interval, if it does not wrap around.
    fn signed(&self) -> (i64, i64) {
        let shift = 64 - u32::from(self.width);
        let sign = 1 << (self.width - 1);
        let extend = |value: u64| (value << shift) as i64 >> shift;
        if self.greatest < sign || self.least >= sign {
            (extend(self.least), extend(self.greatest))
        } else {
            (extend(sign), extend(sign - 1))
        }
    }
}

/// Goals with more terms than this are left to others.
const MAX_TERMS: usize = 1000;

/// Whether the one-bit `goal` is false for all values that the variables can have.
pub(crate) fn is_never(store: &Store, goal: Term, bounds: impl Fn(Var) -> Option<Bounds>) -> bool {
    let mut seen = 0;
    let order = postorder(store, &[goal], |_| {
        seen += 1;
        seen > 4 * MAX_TERMS
    });
    if seen > 4 * MAX_TERMS || order.len() > MAX_TERMS {
        return false;
    }
    let mut known: FxHashMap<Term, Bounds> = FxHashMap::default();
    for term in order {
        let operand = |term: Term| known.get(&term).copied();
        if let Some(found) = of_term(store, term, operand, &bounds) {
            known.insert(term, found);
        }
    }
    known.get(&goal).is_some_and(Bounds::is_false)
}

/// What is known of the terms of a path. Along a path variables can only have fewer and fewer values, so what was true of a
/// term stays true; more may be true later.
#[derive(Default)]
pub(crate) struct Remembered {
    /// By index of term.
    known: Vec<Fact>,
}

#[derive(Clone, Copy)]
enum Fact {
    NotAsked,
    /// It is too wide.
    Nothing,
    Bounds(Bounds),
}

impl Remembered {
    /// As [`is_never`], for little where most of the goal's terms have been looked at before.
    pub(crate) fn is_never(&mut self, store: &Store, goal: Term, bounds: impl Fn(Var) -> Option<Bounds>) -> bool {
        self.known.resize(store.len(), Fact::NotAsked);
        let is_known = |term: Term| !matches!(self.known.get(term.index()), Some(Fact::NotAsked));
        for term in postorder(store, &[goal], is_known) {
            let operand = |term: Term| self.bounds(term);
            let found = of_term(store, term, operand, &bounds).map_or(Fact::Nothing, Fact::Bounds);
            if let Some(known) = self.known.get_mut(term.index()) {
                *known = found;
            }
        }
        self.bounds(goal).is_some_and(|goal| goal.is_false())
    }

    fn bounds(&self, term: Term) -> Option<Bounds> {
        match self.known.get(term.index()) {
            Some(Fact::Bounds(bounds)) => Some(*bounds),
            _ => None,
        }
    }
}

/// The bounds of a term of at most 64 bits.
fn of_term(
    store: &Store,
    term: Term,
    operand: impl Fn(Term) -> Option<Bounds>,
    of_var: impl Fn(Var) -> Option<Bounds>,
) -> Option<Bounds> {
    let Sort::BitVec(width @ 1..=64) = store.sort(term) else { return None };
    Some(match (store.value(term).and_then(BitVec::to_u64), store.var_of(term)) {
        (Some(value), _) => Bounds::exactly(width, value),
        (_, Some(var)) => of_var(var).unwrap_or(Bounds::any(width)),
        _ => node(store, term, width, operand).unwrap_or(Bounds::any(width)),
    })
}

/// The bounds of a term from those of its operands; `None` if nothing is known.
fn node(store: &Store, term: Term, width: u16, known: impl Fn(Term) -> Option<Bounds>) -> Option<Bounds> {
    let node = store.node(term);
    let operand = |place: usize| known(node.operands[place]);
    let a = operand(0)?;
    match node.kind {
        Kind::Not => {
            return Some(Bounds {
                least: mask(width) - a.greatest,
                greatest: mask(width) - a.least,
                ..Bounds::bits(width, a.ones, a.zeros & mask(width))
            });
        }
        Kind::Extract => {
            if node.imm == 0 && a.greatest <= mask(width) {
                return Some(Bounds { width, zeros: a.zeros | !mask(width), ..a });
            }
            return Some(Bounds::bits(width, a.zeros >> node.imm, a.ones >> node.imm & mask(width)));
        }
        Kind::ZExt => return Some(Bounds { width, ..a }),
        Kind::Lookup => {
            let table = (0..).zip(store.table(term)?);
            let values = table.filter(|(number, _)| a.allows(*number)).filter_map(|(_, value)| value.to_u64());
            return Some(Bounds::of_values(width, values));
        }
        Kind::SExt => {
            let inner = a.width;
            let high = mask(width) & !mask(inner);
            return match (a.zeros >> (inner - 1) & 1, a.ones >> (inner - 1) & 1) {
                (1, _) => Some(Bounds { width, ..a }),
                (_, 1) => Some(Bounds {
                    width,
                    least: a.least | high,
                    greatest: a.greatest | high,
                    zeros: (a.zeros & mask(inner)) | !mask(width),
                    ones: a.ones | high,
                }),
                _ => None,
            };
        }
        _ => {}
    }
    let b = operand(1)?;
    pair(node.kind, width, a, b).or_else(|| (node.kind == Kind::Ite).then(|| choice(a, b, operand(2)))?)
}

fn choice(condition: Bounds, a: Bounds, b: Option<Bounds>) -> Option<Bounds> {
    let b = b?;
    Some(match (condition.least, condition.greatest) {
        (1, _) => a,
        (_, 0) => b,
        _ => a.union(b),
    })
}

fn pair(kind: Kind, width: u16, a: Bounds, b: Bounds) -> Option<Bounds> {
    Some(match kind {
        Kind::And => Bounds::bits(width, a.zeros | b.zeros, a.ones & b.ones),
        Kind::Or => Bounds::bits(width, a.zeros & b.zeros, a.ones | b.ones),
        Kind::Xor => {
            Bounds::bits(width, (a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros))
        }
        Kind::Add => {
            let greatest = a.greatest.checked_add(b.greatest).filter(|sum| *sum <= mask(width))?;
            Bounds::between(width, a.least + b.least, greatest)
        }
        Kind::Sub => {
            let least = a.least.checked_sub(b.greatest)?;
            Bounds::between(width, least, a.greatest - b.least)
        }
        Kind::Mul => {
            let greatest = a.greatest.checked_mul(b.greatest).filter(|product| *product <= mask(width))?;
            Bounds::between(width, a.least * b.least, greatest)
        }
        Kind::UDiv if b.least > 0 => Bounds::between(width, a.least / b.greatest, a.greatest / b.least),
        Kind::URem if b.least > 0 => Bounds::between(width, 0, a.greatest.min(b.greatest - 1)),
        Kind::LShr if b.least == b.greatest && b.least < width.into() => {
            Bounds::between(width, a.least >> b.least, a.greatest >> b.least)
        }
        Kind::LShr => Bounds::between(width, 0, a.greatest),
        Kind::Concat => {
            let low = b.width;
            Bounds {
                width,
                least: a.least << low | b.least,
                greatest: a.greatest << low | b.greatest,
                zeros: (a.zeros << low) | (b.zeros & mask(low)) | !mask(width),
                ones: a.ones << low | b.ones,
            }
        }
        Kind::Eq => {
            let apart = a.greatest < b.least || b.greatest < a.least || a.zeros & b.ones != 0 || a.ones & b.zeros != 0;
            let same = a.least == a.greatest && b.least == b.greatest && a.least == b.least;
            Bounds::truth(if apart { Some(false) } else { same.then_some(true) })
        }
        Kind::Ult | Kind::USubO => Bounds::truth(decide(a.greatest < b.least, a.least >= b.greatest)),
        Kind::Ule => Bounds::truth(decide(a.greatest <= b.least, a.least > b.greatest)),
        Kind::Slt => {
            let ((a_least, a_greatest), (b_least, b_greatest)) = (a.signed(), b.signed());
            Bounds::truth(decide(a_greatest < b_least, a_least >= b_greatest))
        }
        Kind::Sle => {
            let ((a_least, a_greatest), (b_least, b_greatest)) = (a.signed(), b.signed());
            Bounds::truth(decide(a_greatest <= b_least, a_least > b_greatest))
        }
        Kind::UAddO => {
            let fits = a.greatest.checked_add(b.greatest).is_some_and(|sum| sum <= mask(a.width));
            let over = a.least.checked_add(b.least).is_none_or(|sum| sum > mask(a.width));
            Bounds::truth(decide(over, fits))
        }
        Kind::UMulO => {
            let fits = a.greatest.checked_mul(b.greatest).is_some_and(|product| product <= mask(a.width));
            Bounds::truth(decide(false, fits))
        }
        _ => return None,
    })
}

fn decide(certainly: bool, never: bool) -> Option<bool> {
    if certainly { Some(true) } else { never.then_some(false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::Evaluator;
    use expr::generate::Generator;

    /// What is said to be false always is false under all models that are tried.
    #[test]
    fn never_is_never() {
        let mut never = 0;
        for seed in 0..20_000 {
            let mut store = Store::new();
            let mut generator = Generator::new(seed);
            let raw = generator.term(&mut store, 1, 4);
            // The simplifier would leave nothing to find for constants, so both forms are looked at.
            for goal in [raw, store.simplified(raw)] {
                let is_never = is_never(&store, goal, |_| None);
                assert_eq!(Remembered::default().is_never(&store, goal, |_| None), is_never);
                if !is_never {
                    continue;
                }
                never += 1;
                for _ in 0..20 {
                    let model = generator.model(&store);
                    assert!(!Evaluator::new(&store, &model).eval(goal).is_true(), "{}", expr::print_term(&store, goal));
                }
            }
        }
        assert!(never > 500, "only {never} goals were decided");
    }

    #[test]
    fn variables_bring_their_bounds() {
        let mut store = Store::new();
        let goal = expr::parse_term(&mut store, "(ult 0x200 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
        assert!(is_never(&store, goal, |_| None));
        let goal = expr::parse_term(&mut store, "(ult 0x60 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
        assert!(!is_never(&store, goal, |_| None));
        assert!(is_never(&store, goal, |_| Some(Bounds::of_values(8, 0..0x30))));
    }

    #[test]
    fn what_is_remembered_stays_true() {
        let mut store = Store::new();
        let goal = expr::parse_term(&mut store, "(ult 0x60 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
        let mut remembered = Remembered::default();
        let small = |_: Var| Some(Bounds::of_values(8, 0..0x30));
        assert!(remembered.is_never(&store, goal, small));
        assert!(remembered.is_never(&store, goal, |_| None));
        let larger = expr::parse_term(&mut store, "(ult 0x70 (add (zext 16 a[0]) (zext 16 a[1])))").unwrap();
        assert!(remembered.is_never(&store, larger, |_| None));
    }
}
