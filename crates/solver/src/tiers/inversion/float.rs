//! Operators of floating-point numbers undone: nearly, which is as good as exactly, because proposals are guesses.

use expr::{BitVec, Kind, Node};

use super::{Inverter, Wishes};

/// The number that some bits are.
pub(crate) fn read(bits: &BitVec) -> f64 {
    match bits.width() {
        32 => f32::from_bits(bits.low64() as u32).into(),
        _ => f64::from_bits(bits.low64()),
    }
}

fn write(width: u16, value: f64) -> BitVec {
    match width {
        32 => BitVec::new(32, (value as f32).to_bits().into()),
        _ => BitVec::new(64, value.to_bits()),
    }
}

/// The number next to another one.
fn beside(width: u16, value: f64, above: bool) -> f64 {
    match (width, above) {
        (32, true) => (value as f32).next_up().into(),
        (32, false) => (value as f32).next_down().into(),
        (_, true) => value.next_up(),
        (_, false) => value.next_down(),
    }
}

/// An integer of `width` bits near a number, if it has one.
fn integer(width: u16, value: f64, signed: bool) -> Option<BitVec> {
    let value = value.round();
    let bits = i32::from(width);
    let (least, end) = if signed { (-2f64.powi(bits - 1), 2f64.powi(bits - 1)) } else { (0.0, 2f64.powi(bits)) };
    let fits = value >= least && value < end;
    let number = if value < 0.0 { value as i64 as u64 } else { value as u64 };
    fits.then(|| BitVec::new(width, number))
}

impl Inverter<'_> {
    /// Wishes for operands of an operator on floating-point numbers, or of one that makes them.
    pub(super) fn number(&mut self, node: &Node, target: &BitVec, stack: &mut Wishes) -> Option<()> {
        let [a, b, _] = node.operands;
        let inner = self.store.width(a);
        if node.kind.is_predicate() {
            return self.order(node, target.is_true(), stack);
        }
        let wanted = read(target);
        let new = match node.kind {
            Kind::FToS => {
                let whole = target.sext(64).low64() as i64 as f64;
                // Somewhere between this one and the next.
                write(inner, if self.choose() { whole + 0.5f64.copysign(whole) } else { whole })
            }
            Kind::FFromS => integer(inner, wanted, true)?,
            Kind::FFromU => integer(inner, wanted, false)?,
            Kind::FConvert | Kind::FRound => write(inner, wanted),
            Kind::FSqrt => write(inner, wanted * wanted),
            kind => {
                let (change, keep, second) = self.pick(a, b);
                let kept = read(&self.value(keep));
                let value = match (kind, second) {
                    (Kind::FAdd, _) => wanted - kept,
                    (Kind::FSub, false) => wanted + kept,
                    (Kind::FSub, true) => kept - wanted,
                    (Kind::FMul, _) => wanted / kept,
                    (Kind::FDiv, false) => wanted * kept,
                    (Kind::FDiv, true) => kept / wanted,
                    _ => return None,
                };
                // It may have to be a little more for the result to be what is wanted.
                let value = if self.choose() { beside(inner, value, value > 0.0) } else { value };
                stack.push((change, write(inner, value)));
                return Some(());
            }
        };
        stack.push((a, new));
        Some(())
    }

    /// An operand's new value such that a comparison becomes `wanted`.
    fn order(&mut self, node: &Node, wanted: bool, stack: &mut Wishes) -> Option<()> {
        let [a, b, _] = node.operands;
        let width = self.store.width(a);
        let (change, keep, second) = self.pick(a, b);
        let kept = read(&self.value(keep));
        let above = if node.kind == Kind::FEq { self.choose() } else { wanted == second };
        let is_equal_enough = match node.kind {
            Kind::FEq => wanted,
            Kind::FLt => !wanted,
            _ => wanted,
        };
        let value = match (is_equal_enough, self.choices % 4) {
            (true, 0 | 1) => kept,
            (true, _) if node.kind == Kind::FEq => kept,
            (_, 0) => beside(width, kept, above),
            (_, 1) if above => kept + 1.0,
            (_, 1) => kept - 1.0,
            (_, 2) if above => kept + kept.abs() + 1.0,
            (_, 2) => kept - kept.abs() - 1.0,
            _ if above => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        };
        self.choices >>= 2;
        stack.push((change, write(width, value)));
        Some(())
    }
}
