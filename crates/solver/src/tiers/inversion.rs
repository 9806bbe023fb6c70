//! The goal computed backwards: from the value that it should have, through operators that can be undone, to the
//! variables. Other operands keep the values that they have under the path's input, so proposals stay close to it.
//!
//! A proposal is a guess; whoever uses it evaluates the path under it.

use core::cmp::Ordering;

use expr::{BitVec, Kind, Store, Term, Var};

pub(crate) mod float;

use super::what_if::Evaluated;
pub(crate) use float::read as read_float;

/// A value for each of some variables.
pub(crate) type Proposal = Vec<(Var, BitVec)>;

/// How many different proposals are made at most for a goal.
pub(crate) const ATTEMPTS: u32 = 8;
/// Steps of one proposal.
const MAX_STEPS: usize = 256;
/// Operators through which it is followed which bits a term may have.
const REACH_DEPTH: u32 = 8;

/// Values for variables that should make the one-bit `goal` true. Each `attempt` decides differently where there is a
/// choice.
pub(crate) fn propose(store: &Store, values: &Evaluated, goal: Term, attempt: u32) -> Option<Proposal> {
    let mut inverter = Inverter { store, values, choices: attempt, proposal: Vec::new() };
    let mut stack = vec![(goal, BitVec::bool(true))];
    for _ in 0..MAX_STEPS {
        let Some((term, target)) = stack.pop() else { return Some(inverter.proposal) };
        inverter.invert(term, target, &mut stack)?;
    }
    None
}

struct Inverter<'a> {
    store: &'a Store,
    values: &'a Evaluated,
    /// One bit for each choice that is still to be made.
    choices: u32,
    proposal: Proposal,
}

type Wishes = Vec<(Term, BitVec)>;

impl Inverter<'_> {
    fn value(&self, term: Term) -> BitVec {
        self.values.value(term).cloned().unwrap_or_else(|| BitVec::zero(self.store.width(term)))
    }

    fn is_constant(&self, term: Term) -> bool {
        self.store.value(term).is_some()
    }

    fn choose(&mut self) -> bool {
        let choice = self.choices & 1 == 1;
        self.choices >>= 1;
        choice
    }

    /// The operand to change and the one to keep: never a constant to change.
    fn pick(&mut self, a: Term, b: Term) -> (Term, Term, bool) {
        let second = self.is_constant(a) || (!self.is_constant(b) && self.choose());
        if second { (b, a, true) } else { (a, b, false) }
    }

    fn invert(&mut self, term: Term, target: BitVec, stack: &mut Wishes) -> Option<()> {
        let node = self.store.node(term);
        let [a, b, c] = node.operands;
        if let Some(var) = self.store.var_of(term) {
            return self.assign(var, target);
        }
        if self.values.value(term) == Some(&target)
            && node.kind != Kind::Const
            && self.proposal.is_empty()
            && stack.is_empty()
        {
            // Nothing has been changed so far, and nothing needs to be.
            return Some(());
        }
        match node.kind {
            Kind::Const => (self.store.value(term) == Some(&target)).then_some(())?,
            Kind::Not => stack.push((a, target.not())),
            Kind::And | Kind::Or if target.width() == 1 => self.connective(node.kind, a, b, &target, stack),
            Kind::Or | Kind::Add | Kind::Xor if self.put_together(a, b, &target, stack) => {}
            Kind::Shl | Kind::LShr | Kind::AShr => self.shift(node.kind, a, b, &target, stack)?,
            Kind::And => {
                let (change, keep, _) = self.pick(a, b);
                let mask = self.value(keep);
                target.and(&mask.not()).is_zero().then_some(())?;
                stack.push((change, target.or(&self.value(change).and(&mask.not()))));
            }
            Kind::Or => {
                let (change, keep, _) = self.pick(a, b);
                let mask = self.value(keep);
                mask.and(&target.not()).is_zero().then_some(())?;
                stack.push((change, target.and(&mask.not()).or(&self.value(change).and(&mask))));
            }
            Kind::Xor => {
                let (change, keep, _) = self.pick(a, b);
                stack.push((change, target.xor(&self.value(keep))));
            }
            Kind::Add => {
                let (change, keep, _) = self.pick(a, b);
                stack.push((change, target.sub(&self.value(keep))));
            }
            Kind::Sub => {
                let (change, keep, second) = self.pick(a, b);
                let kept = self.value(keep);
                stack.push((change, if second { kept.sub(&target) } else { target.add(&kept) }));
            }
            Kind::Mul => {
                let (change, keep, _) = self.pick(a, b);
                stack.push((change, divide(&target, &self.value(keep))?));
            }
            Kind::UDiv if !self.is_constant(a) => stack.push((a, target.mul(&self.value(b)))),
            Kind::URem if !self.is_constant(a) => {
                let divisor = self.value(b);
                let old = self.value(a);
                stack.push((a, old.sub(&old.urem(&divisor)).add(&target)));
            }
            Kind::Concat => {
                let low = self.store.width(b);
                stack.push((a, target.extract(low, self.store.width(a))));
                stack.push((b, target.extract(0, low)));
            }
            Kind::ZExt => {
                let inner = target.extract(0, self.store.width(a));
                (inner.zext(target.width()) == target).then_some(())?;
                stack.push((a, inner));
            }
            Kind::SExt => {
                let inner = target.extract(0, self.store.width(a));
                (inner.sext(target.width()) == target).then_some(())?;
                stack.push((a, inner));
            }
            Kind::Extract => {
                let old = self.value(a);
                let amount = BitVec::new(old.width(), node.imm.into());
                let mask = BitVec::ones(target.width()).zext(old.width()).shl(&amount);
                let new = target.zext(old.width()).shl(&amount);
                stack.push((a, old.and(&mask.not()).or(&new)));
            }
            Kind::Lookup => {
                let table = self.store.table(term).unwrap_or_default();
                let fitting: Vec<u64> =
                    (0..).zip(table).filter(|(_, value)| **value == target).map(|(number, _)| number).collect();
                // Different ones in turn, until all have been tried or there is nothing left to choose by.
                let chosen = *fitting.get(self.choices as usize % fitting.len().max(1))?;
                self.choices >>= 1;
                stack.push((a, BitVec::new(self.store.width(a), chosen)));
            }
            Kind::Ite => {
                let flip = self.choose();
                let taken = self.value(a).is_true() != flip;
                stack.push((if taken { b } else { c }, target));
                if flip {
                    stack.push((a, BitVec::bool(taken)));
                }
            }
            kind if kind.is_float() => self.number(&node, &target, stack)?,
            kind if kind.is_predicate() => self.predicate(kind, a, b, target.is_true(), stack)?,
            _ => return None,
        }
        Some(())
    }

    /// Wishes for the two sides of a term that puts bits side by side: what a program has read ahead, and the next byte above it. Where
    /// they may overlap, there are none.
    fn put_together(&self, a: Term, b: Term, target: &BitVec, stack: &mut Wishes) -> bool {
        let [of_a, of_b] = [a, b].map(|side| self.reach(side, REACH_DEPTH));
        if !of_a.and(&of_b).is_zero() || !of_a.or(&of_b).not().and(target).is_zero() {
            return false;
        }
        for (side, reach) in [(a, of_a), (b, of_b)] {
            let wish = target.and(&reach);
            // What is there already is likely to stay.
            if self.values.value(side) != Some(&wish) {
                stack.push((side, wish));
            }
        }
        true
    }

    /// The bits of a term that may be 1 as long as shifts go as far as they do.
    fn reach(&self, term: Term, depth: u32) -> BitVec {
        let node = self.store.node(term);
        let width = self.store.width(term);
        let [a, b, _] = node.operands;
        let of = |operand: Term| self.reach(operand, depth - 1);
        match node.kind {
            Kind::Const => self.value(term),
            _ if depth == 0 => BitVec::ones(width),
            Kind::ZExt => of(a).zext(width),
            Kind::Extract => of(a).extract(node.imm as u16, width),
            Kind::Concat => {
                of(a).zext(width).shl(&BitVec::new(width, self.store.width(b).into())).or(&of(b).zext(width))
            }
            Kind::Shl => of(a).shl(&self.value(b)),
            Kind::LShr => of(a).lshr(&self.value(b)),
            Kind::And => of(a).and(&of(b)),
            Kind::Or | Kind::Xor => of(a).or(&of(b)),
            _ => BitVec::ones(width),
        }
    }

    /// Shifts go as far as they do; what they leave out stays what it is.
    fn shift(&self, kind: Kind, a: Term, b: Term, target: &BitVec, stack: &mut Wishes) -> Option<()> {
        let (old, amount) = (self.value(a), self.value(b));
        let ones = BitVec::ones(old.width());
        let (back, left_out) = match kind {
            Kind::Shl => (target.lshr(&amount), ones.lshr(&amount).not()),
            _ => (target.shl(&amount), ones.shl(&amount).not()),
        };
        let wish = back.or(&old.and(&left_out));
        let gives = match kind {
            Kind::Shl => wish.shl(&amount),
            Kind::LShr => wish.lshr(&amount),
            _ => wish.ashr(&amount),
        };
        (gives == *target).then_some(())?;
        if wish != old {
            stack.push((a, wish));
        }
        Some(())
    }

    fn assign(&mut self, var: Var, value: BitVec) -> Option<()> {
        match self.proposal.iter().find(|(known, _)| *known == var) {
            Some((_, before)) => (*before == value).then_some(()),
            None => {
                self.proposal.push((var, value));
                Some(())
            }
        }
    }

    fn connective(&mut self, kind: Kind, a: Term, b: Term, target: &BitVec, stack: &mut Wishes) {
        if target.is_true() == (kind == Kind::And) {
            // Both have to have it; the ones that do already are likely to keep it.
            for side in [a, b] {
                if self.value(side) != *target {
                    stack.push((side, target.clone()));
                }
            }
        } else {
            let (change, ..) = self.pick(a, b);
            stack.push((change, target.clone()));
        }
    }

    /// An operand's new value such that a predicate becomes `wanted`.
    fn predicate(&mut self, kind: Kind, a: Term, b: Term, wanted: bool, stack: &mut Wishes) -> Option<()> {
        let (change, keep, second) = self.pick(a, b);
        let (old, kept) = (self.value(change), self.value(keep));
        let width = old.width();
        let one = BitVec::new(width, 1);
        let new = match (kind, wanted) {
            (Kind::Eq, true) => kept,
            (Kind::Eq, false) => match self.choices % 3 {
                0 => kept.add(&one),
                1 => kept.sub(&one),
                _ => kept.xor(&BitVec::min_signed(width)),
            },
            (Kind::Ult | Kind::Ule | Kind::Slt | Kind::Sle, _) => {
                let signed = matches!(kind, Kind::Slt | Kind::Sle);
                let strict = matches!(kind, Kind::Ult | Kind::Slt) == wanted;
                // Whether the changed operand has to become the smaller one.
                let smaller = wanted != second;
                bound(&kept, smaller, strict, signed, self.choose())?
            }
            (Kind::UAddO, true) => kept.neg(),
            (Kind::UAddO, false) | (Kind::UMulO, false) | (Kind::SMulO, false) => BitVec::zero(width),
            (Kind::SAddO | Kind::SSubO, false) if second => BitVec::zero(width),
            (Kind::SAddO | Kind::SSubO, false) => kept,
            (Kind::USubO, _) => bound(&kept, wanted != second, wanted, false, false)?,
            (Kind::SAddO, true) if kept.is_negative() => BitVec::min_signed(width),
            (Kind::SAddO, true) => BitVec::min_signed(width).not(),
            (Kind::SSubO, true) if kept.is_negative() == second => BitVec::min_signed(width).not(),
            (Kind::SSubO, true) => BitVec::min_signed(width),
            (Kind::UMulO, true) => BitVec::ones(width).udiv(&kept).add(&one),
            (Kind::SMulO, true) => BitVec::min_signed(width).not(),
            _ => return None,
        };
        stack.push((change, new));
        Some(())
    }
}

/// A value on the given side of `limit`: next to it, or (if `far`) at the end of the range.
fn bound(limit: &BitVec, smaller: bool, strict: bool, signed: bool, far: bool) -> Option<BitVec> {
    let width = limit.width();
    let (least, greatest) = match signed {
        true => (BitVec::min_signed(width), BitVec::min_signed(width).not()),
        false => (BitVec::zero(width), BitVec::ones(width)),
    };
    let end = if smaller { least } else { greatest };
    let compare = |a: &BitVec| if signed { a.scmp(limit) } else { a.ucmp(limit) };
    if strict && compare(&end) == Ordering::Equal {
        return None;
    }
    let one = BitVec::new(width, 1);
    Some(match (far, strict, smaller) {
        (true, _, _) => end,
        (false, false, _) => limit.clone(),
        (false, true, true) => limit.sub(&one),
        (false, true, false) => limit.add(&one),
    })
}

/// A factor that gives `product` together with `factor`, modulo 2^width.
fn divide(product: &BitVec, factor: &BitVec) -> Option<BitVec> {
    let shift = factor.trailing_zeros();
    if factor.is_zero() || product.trailing_zeros() < shift {
        return None;
    }
    let amount = BitVec::new(factor.width(), shift.into());
    let (odd, rest) = (factor.lshr(&amount), product.lshr(&amount));
    // Newton's iteration doubles the number of correct bits; the start has three.
    let two = BitVec::new(factor.width(), 2);
    let mut inverse = odd.clone();
    let mut correct = 3;
    while correct < u32::from(factor.width()) {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        correct *= 2;
    }
    Some(rest.mul(&inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn division_undoes_multiplication(a: u64, b in 1u64.., width in 1u16..=64) {
            let (a, b) = (BitVec::new(width, a), BitVec::new(width, b));
            if !b.is_zero() {
                let product = a.mul(&b);
                let found = divide(&product, &b).unwrap();
                proptest::prop_assert_eq!(found.mul(&b), product);
            }
        }
    }
}
