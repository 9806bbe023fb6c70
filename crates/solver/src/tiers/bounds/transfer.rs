//! The bounds of a term, from those of its operands.

use expr::{BitVec, Kind, Sort, Store, Term, Var};

use super::facts::implied;
use super::float;
use super::value::{Bounds, highest, lowest, mask};

/// The bounds of a term of at most 64 bits.
pub(super) fn of_term(
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

/// The bounds of a term; `None` if nothing is known.
fn node(store: &Store, term: Term, width: u16, known: impl Fn(Term) -> Option<Bounds>) -> Option<Bounds> {
    let node = store.node(term);
    let operand = |place: usize| known(node.operands[place]);
    let a = operand(0)?;
    match node.kind {
        Kind::Not => Some(a.complement()),
        Kind::Extract => Some(extracted(width, node.imm, a)),
        Kind::ZExt => {
            let Bounds { low, high, .. } = Bounds::any(width);
            Some(Bounds { width, low, high, ..a }.tightened())
        }
        Kind::SExt => {
            let inner = mask(a.width);
            let (zeros, ones) = ((a.zeros & inner) | !mask(width), a.ones & inner);
            Some(Bounds { low: a.low, high: a.high, zeros, ones, ..Bounds::any(width) }.tightened())
        }
        Kind::Lookup => {
            let table = (0..).zip(store.table(term)?);
            let values = table.filter(|(number, _)| a.allows(*number)).filter_map(|(_, value)| value.to_u64());
            Some(Bounds::of_values(width, values))
        }
        Kind::Ite => {
            let way = |taken: bool| chosen(store, node.operands, taken, &known);
            match a.only() {
                Some(1) => operand(1),
                Some(_) => operand(2),
                None => Some(way(true)?.union(way(false)?)),
            }
        }
        Kind::FSqrt | Kind::FRound | Kind::FConvert | Kind::FFromS | Kind::FFromU | Kind::FToS => {
            float::unary(&node, width, a)
        }
        // What programs ask to find out what is no number.
        Kind::FEq if node.operands[0] == node.operands[1] => Some(Bounds::truth(float::Numbers::of(a).map(|_| true))),
        kind if kind.is_float() => float::pair(kind, a, operand(1)?),
        _ => pair(node.kind, width, a, operand(1)?),
    }
}

/// What is known of one side of a choice, which is only taken where the condition says so.
fn chosen(store: &Store, parts: [Term; 3], taken: bool, known: &impl Fn(Term) -> Option<Bounds>) -> Option<Bounds> {
    let [condition, yes, no] = parts;
    let side = if taken { yes } else { no };
    let found = known(side)?;
    let implied = implied(store, condition, taken, known).into_iter().flatten();
    Some(implied.filter(|(term, _)| *term == side).fold(found, |found, (_, more)| found.and(more).unwrap_or(found)))
}

/// Bits of a value: those that are left of it when it is shifted to the right, and cut off.
fn extracted(width: u16, from: u32, a: Bounds) -> Bounds {
    let bits = Bounds::bits(width, a.zeros >> from, a.ones >> from & mask(width));
    let (least, mut greatest) = within_unsigned(width, (a.least >> from).into(), (a.greatest >> from).into());
    if from == 0 && width + 1 == a.width {
        greatest = greatest.min(float::greatest_magnitude(a));
    }
    let (low, high) = within(width, (a.low >> from).into(), (a.high >> from).into());
    Bounds { least, greatest, low, high, ..bits }.tightened()
}

/// The interval between two numbers, or all numbers of the width if it holds more than those.
fn within(width: u16, low: i128, high: i128) -> (i64, i64) {
    let fits = i128::from(lowest(width)) <= low && high <= i128::from(highest(width));
    if fits { (low as i64, high as i64) } else { (lowest(width), highest(width)) }
}

/// The same for unsigned numbers.
fn within_unsigned(width: u16, least: i128, greatest: i128) -> (u64, u64) {
    let fits = 0 <= least && greatest <= i128::from(mask(width));
    if fits { (least as u64, greatest as u64) } else { (0, mask(width)) }
}

/// The ends of what comes of two intervals by an operation that has its extremes at their ends.
fn corners(a: [i64; 2], b: [i64; 2], operation: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let results = a.map(|a| b.map(|b| operation(a.into(), b.into())));
    let all = results.as_flattened();
    (all.iter().copied().min().unwrap_or(i128::MIN), all.iter().copied().max().unwrap_or(i128::MAX))
}

/// Sums, differences and products, before they are cut to their width: as unsigned and as signed numbers. Products of 64 bits are at
/// most 128 bits wide, of which unsigned ones need all.
fn arithmetic(kind: Kind, a: Bounds, b: Bounds) -> Option<[(i128, i128); 2]> {
    let unsigned = |value: u64| i128::from(value);
    let (a_least, a_greatest, b_least, b_greatest) =
        (unsigned(a.least), unsigned(a.greatest), unsigned(b.least), unsigned(b.greatest));
    let (a_signed, b_signed) = ([a.low, a.high], [b.low, b.high]);
    Some(match kind {
        Kind::Add | Kind::SAddO | Kind::UAddO => {
            [(a_least + b_least, a_greatest + b_greatest), corners(a_signed, b_signed, |a, b| a + b)]
        }
        Kind::Sub | Kind::SSubO => {
            [(a_least - b_greatest, a_greatest - b_least), corners(a_signed, b_signed, |a, b| a - b)]
        }
        Kind::Mul | Kind::SMulO | Kind::UMulO => [
            (a_least.saturating_mul(b_least), a_greatest.saturating_mul(b_greatest)),
            corners(a_signed, b_signed, |a, b| a * b),
        ],
        _ => return None,
    })
}

fn pair(kind: Kind, width: u16, a: Bounds, b: Bounds) -> Option<Bounds> {
    Some(match kind {
        Kind::And => Bounds::bits(width, a.zeros | b.zeros, a.ones & b.ones),
        Kind::Or => Bounds::bits(width, a.zeros & b.zeros, a.ones | b.ones),
        Kind::Xor if width > 1 && b.only() == Some(mask(width) ^ mask(width - 1)) => float::negated(a),
        Kind::Xor => {
            Bounds::bits(width, (a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros))
        }
        Kind::Add | Kind::Sub | Kind::Mul => {
            let [unsigned, signed] = arithmetic(kind, a, b)?;
            let (least, greatest) = within_unsigned(width, unsigned.0, unsigned.1);
            let (low, high) = within(width, signed.0, signed.1);
            Bounds { least, greatest, low, high, ..Bounds::any(width) }.tightened()
        }
        Kind::UDiv if b.least > 0 => Bounds::between(width, a.least / b.greatest, a.greatest / b.least),
        Kind::URem if b.least > 0 => Bounds::between(width, 0, a.greatest.min(b.greatest - 1)),
        Kind::SDiv if b.low > 0 => {
            let (low, high) = corners([a.low, a.high], [b.low, b.high], |a, b| a / b);
            Bounds::between_signed(width, low as i64, high as i64)
        }
        Kind::SRem if b.low > 0 => {
            // The remainder has the sign of the dividend, and is no larger.
            let largest = b.high - 1;
            Bounds::between_signed(width, a.low.clamp(-largest, 0), a.high.clamp(0, largest))
        }
        Kind::Shl => shifted_left(width, a, b.only().filter(|amount| *amount < width.into())?),
        Kind::LShr => match b.only() {
            Some(amount) if amount < width.into() => Bounds::between(width, a.least >> amount, a.greatest >> amount),
            _ => Bounds::between(width, 0, a.greatest),
        },
        Kind::AShr => match b.only() {
            Some(amount) if amount < width.into() => Bounds::between_signed(width, a.low >> amount, a.high >> amount),
            // It comes closer to 0, or to -1.
            _ => Bounds::between_signed(width, a.low.min(0), a.high.max(-1)),
        },
        Kind::Concat => {
            let low = b.width;
            let (zeros, ones) = ((a.zeros << low) | (b.zeros & mask(low)) | !mask(width), a.ones << low | b.ones);
            let (least, greatest) = (a.least << low | b.least, a.greatest << low | b.greatest);
            Bounds { least, greatest, zeros, ones, ..Bounds::any(width) }.tightened()
        }
        _ => Bounds::truth(compared(kind, a, b)?),
    })
}

fn shifted_left(width: u16, a: Bounds, amount: u64) -> Bounds {
    let power = 1_i128 << amount;
    let times = |value: u64| i128::from(value).saturating_mul(power);
    let (least, greatest) = within_unsigned(width, times(a.least), times(a.greatest));
    let (low, high) = within(width, i128::from(a.low) * power, i128::from(a.high) * power);
    let (zeros, ones) = (!(!a.zeros << amount) | !mask(width), a.ones << amount & mask(width));
    Bounds { width, least, greatest, low, high, zeros, ones }.tightened()
}

/// What a comparison says, or a question whether a result fits; `None` for other operators.
fn compared(kind: Kind, a: Bounds, b: Bounds) -> Option<Option<bool>> {
    let fits = |[unsigned, signed]: [(i128, i128); 2]| {
        let (low, high, ends) = match kind {
            Kind::UAddO | Kind::UMulO => (0, i128::from(mask(a.width)), unsigned),
            _ => (i128::from(lowest(a.width)), i128::from(highest(a.width)), signed),
        };
        decide(high < ends.0 || ends.1 < low, low <= ends.0 && ends.1 <= high)
    };
    Some(match kind {
        Kind::Eq => {
            let apart = a.greatest < b.least
                || b.greatest < a.least
                || a.high < b.low
                || b.high < a.low
                || a.zeros & b.ones != 0
                || a.ones & b.zeros != 0;
            let same = a.only().is_some() && a.only() == b.only();
            decide(same, apart)
        }
        Kind::Ult | Kind::USubO => decide(a.greatest < b.least, a.least >= b.greatest),
        Kind::Ule => decide(a.greatest <= b.least, a.least > b.greatest),
        Kind::Slt => decide(a.high < b.low, a.low >= b.high),
        Kind::Sle => decide(a.high <= b.low, a.low > b.high),
        _ => fits(arithmetic(kind, a, b)?),
    })
}

fn decide(certainly: bool, never: bool) -> Option<bool> {
    if certainly { Some(true) } else { never.then_some(false) }
}
