//! Terms as conditions over the inputs of a unit.
//!
//! Terms compute modulo powers of two, conditions do not. Where the ranges of values show that nothing wraps around, the
//! condition is as short as the source; elsewhere it says so with remainders. What cannot be said is nothing.

use super::entry::Entry;
use super::linear::{Linear, Range, at_least_zero, number, zero};
use super::meaning::WIDTH;
use expr::{Kind, Store, Term, VarName};

/// An input of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As the source names it.
    pub name: String,
    /// Where it starts in its part.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it can be negative.
    pub signed: bool,
}

impl Input {
    /// A pointer, of which only is said whether it is null.
    pub fn pointer(name: &str) -> Input {
        Input { name: name.to_owned(), offset: 0, size: 8, signed: false }
    }

    /// Its value as a term, as wide as conditions are computed in.
    pub fn value(&self, store: &mut Store, part: u32) -> Term {
        let mut value = store.input(part, self.offset);
        for distance in 1..self.size {
            let byte = store.input(part, self.offset.saturating_add(distance));
            value = store.concat(byte, value);
        }
        if self.signed { store.sext(value, WIDTH) } else { store.zext(value, WIDTH) }
    }
}

/// Terms that are made of more pieces than this are not for people.
const LARGEST: usize = 400;
/// Nor are choices between more values than this.
const MOST_CASES: usize = 4;

/// What becomes of signed sums and products that are too large for their type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// They wrap around, and the condition says so.
    Wrap,
    /// There are none, as far as somebody else has shown.
    Fit,
}

/// Makes conditions.
pub struct Express<'a> {
    pub store: &'a Store,
    entry: &'a Entry,
    sums: Sums,
    steps: usize,
}

/// A condition in pieces, so that it can be negated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    Truth(bool),
    /// A comparison: as it is, and its negation.
    Atom(String, String),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    pub fn negated(self) -> Formula {
        match self {
            Formula::Truth(holds) => Formula::Truth(!holds),
            Formula::Atom(text, negation) => Formula::Atom(negation, text),
            Formula::And(all) => any(all.into_iter().map(Formula::negated)),
            Formula::Or(all) => every(all.into_iter().map(Formula::negated)),
        }
    }

    /// As text; alternatives within a conjunction, and the other way round, are in parentheses.
    pub fn text(&self) -> String {
        let joined = |all: &[Formula], sign: &str| {
            let piece = |formula: &Formula| match formula {
                Formula::And(_) | Formula::Or(_) => format!("({})", formula.text()),
                _ => formula.text(),
            };
            all.iter().map(piece).collect::<Vec<_>>().join(sign)
        };
        match self {
            Formula::Truth(holds) => u8::from(*holds).to_string(),
            Formula::Atom(text, _) => text.clone(),
            Formula::And(all) => joined(all, " && "),
            Formula::Or(all) => joined(all, " || "),
        }
    }
}

/// A conjunction, without what is always true.
pub fn every(all: impl Iterator<Item = Formula>) -> Formula {
    let mut pieces = Vec::new();
    for formula in all {
        match formula {
            Formula::Truth(true) => {}
            Formula::Truth(false) => return formula,
            Formula::And(inner) => {
                pieces.extend(inner.into_iter().filter(|piece| !pieces.contains(piece)).collect::<Vec<_>>())
            }
            other if pieces.contains(&other) => {}
            other => pieces.push(other),
        }
    }
    match pieces.pop() {
        None => Formula::Truth(true),
        Some(only) if pieces.is_empty() => only,
        Some(last) => {
            pieces.push(last);
            Formula::And(pieces)
        }
    }
}

/// A disjunction, without what is always false.
pub fn any(all: impl Iterator<Item = Formula>) -> Formula {
    match every(all.map(Formula::negated)) {
        Formula::And(all) => Formula::Or(all.into_iter().map(Formula::negated).collect()),
        other => other.negated(),
    }
}

impl<'a> Express<'a> {
    pub fn new(store: &'a Store, entry: &'a Entry, sums: Sums) -> Express<'a> {
        Express { store, entry, sums, steps: 0 }
    }

    /// What a one-bit term says.
    pub fn formula(&mut self, term: Term) -> Option<Formula> {
        self.step()?;
        let node = self.store.node(term);
        if node.sort.width() != 1 {
            return None;
        }
        let [a, b, c] = node.operands;
        match node.kind {
            Kind::Const => Some(Formula::Truth(self.store.value(term)?.is_true())),
            Kind::Not => Some(self.formula(a)?.negated()),
            Kind::And => Some(every([self.formula(a)?, self.formula(b)?].into_iter())),
            Kind::Or => Some(any([self.formula(a)?, self.formula(b)?].into_iter())),
            Kind::Xor => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let one = every([a.clone(), b.clone().negated()].into_iter());
                Some(any([one, every([a.negated(), b].into_iter())].into_iter()))
            }
            Kind::Ite => {
                let (choice, a, b) = (self.formula(a)?, self.formula(b)?, self.formula(c)?);
                let then = every([choice.clone(), a].into_iter());
                Some(any([then, every([choice.negated(), b].into_iter())].into_iter()))
            }
            Kind::Eq if self.store.width(a) == 1 => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let both = every([a.clone(), b.clone()].into_iter());
                Some(any([both, every([a.negated(), b.negated()].into_iter())].into_iter()))
            }
            Kind::Eq if self.is_end_of_string(a, b) || self.is_end_of_string(b, a) => Some(Formula::Truth(false)),
            Kind::Eq | Kind::Ult | Kind::Ule | Kind::Slt | Kind::Sle if self.has_choice(a) || self.has_choice(b) => {
                self.by_cases(node.kind, a, b)
            }
            Kind::Eq => {
                // Both as signed or both as unsigned: whichever is easier to say.
                let difference = self.both(a, b, Express::signed, Express::unsigned)?;
                comparison(zero(&difference, true)?, zero(&difference, false)?)
            }
            Kind::Ult | Kind::Ule | Kind::Slt | Kind::Sle if let Some(formula) = self.shifted(node.kind, a, b) => {
                Some(formula)
            }
            Kind::Ult | Kind::Ule => {
                if let Some(formula) = self.below_constant(a, b, node.kind == Kind::Ule) {
                    return Some(formula);
                }
                let (a, b) = (self.unsigned(a)?, self.unsigned(b)?);
                less(&a, &b, node.kind == Kind::Ult)
            }
            Kind::Slt | Kind::Sle => {
                let (a, b) = (self.signed(a)?, self.signed(b)?);
                less(&a, &b, node.kind == Kind::Slt)
            }
            Kind::SAddO | Kind::SSubO | Kind::SMulO | Kind::UAddO | Kind::USubO | Kind::UMulO => {
                let is_signed = matches!(node.kind, Kind::SAddO | Kind::SSubO | Kind::SMulO);
                let width = self.store.width(a);
                let (a, b) = match is_signed {
                    true => (self.signed(a)?, self.signed(b)?),
                    false => (self.unsigned(a)?, self.unsigned(b)?),
                };
                let exact = match node.kind {
                    Kind::SAddO | Kind::UAddO => a.plus(&b)?,
                    Kind::SSubO | Kind::USubO => a.minus(&b)?,
                    _ => product(&a, &b)?,
                };
                let (low, high) = match is_signed {
                    true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                    false => (0, (1i128 << width) - 1),
                };
                let fits =
                    [less(&Linear::constant(low), &exact, false)?, less(&exact, &Linear::constant(high), false)?];
                Some(every(fits.into_iter()).negated())
            }
            _ => {
                let value = self.unsigned(term)?.minus(&Linear::constant(1))?;
                comparison(zero(&value, true)?, zero(&value, false)?)
            }
        }
    }

    /// Whether a byte of a string is compared with 0, before the string's end.
    fn is_end_of_string(&self, byte: Term, zero: Term) -> bool {
        let byte = self.without_extension(byte);
        let variable = self.store.var_of(byte).map(|variable| self.store.var_name(variable));
        let is_byte = matches!(variable, Some(VarName::Input { part, .. }) if self.entry.strings.contains_key(part));
        is_byte && self.constant(zero) == Some(0)
    }

    fn without_extension(&self, term: Term) -> Term {
        let mut term = term;
        while self.store.node(term).kind == Kind::ZExt {
            term = self.store.node(term).operands[0];
        }
        term
    }

    /// Whether a term is a choice between others, perhaps made wider.
    fn has_choice(&self, term: Term) -> bool {
        let term = self.without_extension(term);
        self.store.node(term).kind == Kind::Ite && self.store.width(term) > 1
    }

    /// A comparison with choices on its sides, by cases.
    fn by_cases(&mut self, kind: Kind, a: Term, b: Term) -> Option<Formula> {
        let is_signed = matches!(kind, Kind::Slt | Kind::Sle);
        let (left, right) = (self.cases(a, is_signed)?, self.cases(b, is_signed)?);
        let mut all = Vec::new();
        for (chosen, a) in &left {
            for (other, b) in &right {
                let holds = match kind {
                    Kind::Eq => {
                        let difference = a.minus(b)?;
                        comparison(zero(&difference, true)?, zero(&difference, false)?)?
                    }
                    _ => less(a, b, matches!(kind, Kind::Ult | Kind::Slt))?,
                };
                all.push(every([chosen.clone(), other.clone(), holds].into_iter()));
            }
        }
        Some(any(all.into_iter()))
    }

    /// The values that a term can have, each with the condition for it.
    fn cases(&mut self, term: Term, is_signed: bool) -> Option<Vec<(Formula, Linear)>> {
        self.step()?;
        let plain = self.without_extension(term);
        let node = self.store.node(plain);
        if node.kind != Kind::Ite || self.store.width(plain) == 1 {
            let value = if is_signed { self.signed(term)? } else { self.unsigned(term)? };
            return Some(vec![(Formula::Truth(true), value)]);
        }
        // What was made wider has no sign any more.
        let is_signed = is_signed && plain == term;
        let [condition, a, b] = node.operands;
        let chosen = self.formula(condition)?;
        let mut cases = Vec::new();
        for (inner, condition) in [(a, chosen.clone()), (b, chosen.negated())] {
            for (other, value) in self.cases(inner, is_signed)? {
                cases.push((every([condition.clone(), other].into_iter()), value));
            }
        }
        (cases.len() <= MOST_CASES).then_some(cases)
    }

    /// A comparison of a thing that was shifted, and may have wrapped around, with a constant: the thing itself then lies between two
    /// others, or outside of them.
    fn shifted(&mut self, kind: Kind, a: Term, b: Term) -> Option<Formula> {
        let width = self.store.width(a);
        let full = 1i128.checked_shl(width.into()).filter(|_| width <= 64)?;
        let (is_signed, is_strict) = (matches!(kind, Kind::Slt | Kind::Sle), matches!(kind, Kind::Slt | Kind::Ult));
        let (least, most) = if is_signed { (-full / 2, full / 2 - 1) } else { (0, full - 1) };
        let read = |value: i128| if value > most { value - full } else { value };
        let (term, low, high) = match (self.constant(a).map(read), self.constant(b).map(read)) {
            (None, Some(limit)) => (a, least, limit - i128::from(is_strict)),
            (Some(limit), None) => (b, limit + i128::from(is_strict), most),
            _ => return None,
        };
        if low > high || (low, high) == (least, most) {
            return None;
        }
        let node = self.store.node(term);
        let (term, (low, high), full, least, most) = match node.kind {
            Kind::SExt => {
                let inner = node.operands[0];
                let half = 1i128 << (self.store.width(inner) - 1);
                (inner, narrowed((low, high), half, full, is_signed)?, 2 * half, -half, half - 1)
            }
            _ => (term, (low, high), full, least, most),
        };
        if !matches!(self.store.node(term).kind, Kind::Add | Kind::Sub) {
            return None;
        }
        let exact = self.exact(term)?;
        let (lowest, highest) = exact.range()?;
        let (text, (first, last), shift) = exact.as_shifted()?;
        let does_not_wrap = lowest >= least && highest <= most;
        if does_not_wrap || last - first != full - 1 {
            return None;
        }
        let place = |value: i128| first + (value - shift - first).rem_euclid(full);
        let (from, to) = (place(low), place(high));
        let thing = Linear::thing(text.to_owned(), (first, last));
        let bounds = [less(&Linear::constant(from), &thing, false)?, less(&thing, &Linear::constant(to), false)?];
        Some(if from <= to { every(bounds.into_iter()) } else { any(bounds.into_iter()) })
    }

    /// `a < constant` or `a <= constant`, unsigned, where `a` is easier to say as a signed number.
    fn below_constant(&mut self, a: Term, b: Term, or_equal: bool) -> Option<Formula> {
        let limit = i128::from(self.store.value(b)?.to_u64()?) + i128::from(or_equal);
        let width = self.store.width(a);
        let signed = self.signed(a)?;
        let (low, _) = signed.range()?;
        if low >= 0
            || width > 64
            || limit > 1i128 << (width - 1)
            || self.unsigned(a)?.text()?.len() <= signed.text()?.len()
        {
            return None;
        }
        let at_least = less(&Linear::constant(0), &signed, false)?;
        let below = less(&signed, &Linear::constant(limit), true)?;
        Some(every([at_least, below].into_iter()))
    }

    /// The difference of two terms of the same width, in whichever of two readings is shorter.
    fn both(
        &mut self,
        a: Term,
        b: Term,
        one: fn(&mut Express<'a>, Term) -> Option<Linear>,
        other: fn(&mut Express<'a>, Term) -> Option<Linear>,
    ) -> Option<Linear> {
        let mut read = |how: fn(&mut Express<'a>, Term) -> Option<Linear>| {
            let (a, b) = (how(self, a)?, how(self, b)?);
            a.minus(&b)
        };
        let readings = [read(one), read(other)];
        readings.into_iter().flatten().min_by_key(|linear| linear.text().map_or(usize::MAX, |text| text.len()))
    }

    /// The value of a term as a number from 0 on.
    fn unsigned(&mut self, term: Term) -> Option<Linear> {
        self.step()?;
        let node = self.store.node(term);
        let width = self.store.width(term);
        if width > 64 {
            return None;
        }
        let [a, b, _] = node.operands;
        if let Some(input) = self.input(term) {
            let bits = input.size * 8;
            return match input.signed {
                false => Some(Linear::thing(input.name.clone(), (0, (1i128 << bits) - 1))),
                true => wrapped(&self.signed(term)?, width),
            };
        }
        match node.kind {
            Kind::Const => Some(Linear::constant(i128::from(self.store.value(term)?.to_u64()?))),
            Kind::Var => self.byte(term),
            Kind::ZExt => self.unsigned(a),
            Kind::SExt => wrapped(&self.signed(a)?, width),
            Kind::Concat => self.unsigned(a)?.times(1i128 << self.store.width(b))?.plus(&self.unsigned(b)?),
            Kind::Extract => {
                let whole = self.unsigned(a)?;
                let shifted = divided(&whole, 1i128 << node.imm)?;
                wrapped(&shifted, width)
            }
            Kind::Add | Kind::Sub | Kind::Mul | Kind::Shl => wrapped(&self.exact(term)?, width),
            Kind::Not => Linear::constant((1i128 << width) - 1).minus(&self.unsigned(a)?),
            Kind::UDiv => divided(&self.unsigned(a)?, self.constant(b)?),
            Kind::URem => {
                let divisor = self.constant(b)?;
                remainder(&self.unsigned(a)?, divisor)
            }
            Kind::LShr => divided(&self.unsigned(a)?, 1i128.checked_shl(u32::try_from(self.constant(b)?).ok()?)?),
            Kind::And => {
                let (value, mask) = match self.constant(b) {
                    Some(mask) => (a, mask),
                    None => (b, self.constant(a)?),
                };
                // Only masks of ones in a row are remainders and quotients.
                let low = mask.trailing_zeros();
                let ones = mask >> low;
                if ones & (ones + 1) != 0 {
                    return None;
                }
                let shifted = divided(&self.unsigned(value)?, 1i128 << low)?;
                remainder(&shifted, ones + 1)?.times(1i128 << low)
            }
            _ => None,
        }
    }

    /// The value of a term as a number that can be negative.
    fn signed(&mut self, term: Term) -> Option<Linear> {
        self.step()?;
        let node = self.store.node(term);
        let width = self.store.width(term);
        if width > 64 {
            return None;
        }
        if let Some(input) = self.input(term).filter(|input| input.signed) {
            let half = 1i128 << (input.size * 8 - 1);
            return Some(Linear::thing(input.name.clone(), (-half, half - 1)));
        }
        let half = 1i128 << (width - 1);
        match node.kind {
            Kind::SExt => self.signed(node.operands[0]),
            Kind::Const => {
                let value = i128::from(self.store.value(term)?.to_u64()?);
                Some(Linear::constant(if value >= half { value - 2 * half } else { value }))
            }
            Kind::Add | Kind::Sub | Kind::Mul => {
                let exact = self.exact(term)?;
                if self.sums == Sums::Fit {
                    return Some(exact);
                }
                let (low, high) = exact.range()?;
                if low >= -half && high < half {
                    return Some(exact);
                }
                wrapped(&exact.plus(&Linear::constant(half))?, width)?.minus(&Linear::constant(half))
            }
            _ => {
                let value = self.unsigned(term)?;
                if value.range()?.1 < half {
                    return Some(value);
                }
                wrapped(&value.plus(&Linear::constant(half))?, width)?.minus(&Linear::constant(half))
            }
        }
    }

    /// A sum, difference or product before it wraps around: it is the value, or differs from it by what is lost then. Operands are read
    /// as signed numbers where that is how they were made.
    fn exact(&mut self, term: Term) -> Option<Linear> {
        self.step()?;
        let node = self.store.node(term);
        let [a, b, _] = node.operands;
        let mut read = |term: Term| {
            // What an operand loses when it wraps around is lost in the end anyway.
            let is_sum = matches!(self.store.node(term).kind, Kind::Add | Kind::Sub | Kind::Mul | Kind::Shl);
            if let Some(exact) = is_sum.then(|| self.exact(term)).flatten() {
                return Some(exact);
            }
            let (signed, unsigned) = (self.signed(term), self.unsigned(term));
            let length = |linear: &Linear| linear.text().map_or(usize::MAX, |text| text.len());
            signed.into_iter().chain(unsigned).min_by_key(length)
        };
        match node.kind {
            Kind::Add => read(a)?.plus(&read(b)?),
            Kind::Sub => read(a)?.minus(&read(b)?),
            Kind::Mul => product(&read(a)?, &read(b)?),
            Kind::Shl => {
                let value = read(a)?;
                let amount = u32::try_from(self.constant(b)?).ok().filter(|amount| *amount < 64)?;
                value.times(1i128 << amount)
            }
            _ => None,
        }
    }

    fn constant(&self, term: Term) -> Option<i128> {
        self.store.value(term)?.to_u64().map(i128::from)
    }

    /// The input that a term is the whole of.
    fn input(&self, term: Term) -> Option<&'a Input> {
        // Bytes stand highest first.
        let mut bytes: Vec<(u32, u64)> = Vec::new();
        let mut rest = vec![term];
        while let Some(term) = rest.pop() {
            let node = self.store.node(term);
            match node.kind {
                Kind::Concat if bytes.len() < 8 => rest.extend([node.operands[1], node.operands[0]]),
                Kind::Var => match self.store.var_name(self.store.var_of(term)?) {
                    VarName::Input { part, offset } => bytes.push((*part, *offset)),
                    VarName::Named(_) => return None,
                },
                _ => return None,
            }
        }
        let (part, start) = *bytes.last()?;
        let mut inputs = self.entry.inputs.get(&part)?.iter();
        let input = inputs.find(|input| input.offset == start && input.size == bytes.len() as u64)?;
        let is_whole = bytes.iter().rev().zip(start..).all(|((own, offset), place)| *own == part && *offset == place);
        is_whole.then_some(input)
    }

    /// One byte of an input.
    fn byte(&self, term: Term) -> Option<Linear> {
        let VarName::Input { part, offset } = self.store.var_name(self.store.var_of(term)?) else { return None };
        let mut inputs = self.entry.inputs.get(part)?.iter();
        let input = inputs.find(|input| (input.offset..input.offset + input.size).contains(offset))?;
        let bits = u32::try_from(input.size * 8).ok()?;
        let range = match input.signed {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        let whole = wrapped(&Linear::thing(input.name.clone(), range), u16::try_from(bits).ok()?)?;
        wrapped(&divided(&whole, 1i128 << (8 * (*offset - input.offset)))?, 8)
    }

    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps < LARGEST).then_some(())
    }
}

fn comparison(text: Result<String, bool>, negation: Result<String, bool>) -> Option<Formula> {
    Some(match (text, negation) {
        (Ok(text), Ok(negation)) => Formula::Atom(text, negation),
        (Err(holds), _) => Formula::Truth(holds),
        (_, Err(fails)) => Formula::Truth(!fails),
    })
}

/// Which numbers from `-half` up to `half` lie between two others when they are made wider, where there are `full` numbers: from the first
/// one upwards to the second, beyond the highest to the lowest if need be.
fn narrowed((low, high): Range, half: i128, full: i128, is_signed: bool) -> Option<Range> {
    if is_signed {
        return Some((low.max(-half), high.min(half - 1))).filter(|(low, high)| low <= high);
    }
    match (low, high) {
        (_, high) if high < half => Some((low, high)),
        // What is negative is large.
        (1.., high) if high == full - 1 && low < half => Some((low, -1)),
        _ => None,
    }
}

/// `a < b`, or `a <= b`.
fn less(a: &Linear, b: &Linear, strictly: bool) -> Option<Formula> {
    let difference = b.minus(a)?.minus(&Linear::constant(i128::from(strictly)))?;
    let opposite = a.minus(b)?.minus(&Linear::constant(i128::from(!strictly)))?;
    comparison(at_least_zero(&difference)?, at_least_zero(&opposite)?)
}

fn product(a: &Linear, b: &Linear) -> Option<Linear> {
    match (a.as_constant(), b.as_constant()) {
        (Some(a), _) => b.times(a),
        (_, Some(b)) => a.times(b),
        (None, None) => {
            let ((a_low, a_high), (b_low, b_high)) = (a.range()?, b.range()?);
            let mut corners = [
                a_low.checked_mul(b_low)?,
                a_low.checked_mul(b_high)?,
                a_high.checked_mul(b_low)?,
                a_high.checked_mul(b_high)?,
            ];
            corners.sort_unstable();
            let product = Linear::thing(format!("({} * {})", a.text()?, b.text()?), (corners[0], corners[3]));
            product.range().map(|_| product)
        }
    }
}

/// What is left of a number when only so many bits are kept.
fn wrapped(value: &Linear, width: u16) -> Option<Linear> {
    if width > 64 {
        return None;
    }
    let modulus = 1i128 << width;
    let (low, high) = value.range()?;
    if low >= 0 && high < modulus {
        return Some(value.clone());
    }
    // What is counted in fours wraps around at a quarter of the numbers.
    let twos = u16::try_from(value.twos()).ok()?.min(width.saturating_sub(1));
    if twos > 0 {
        return wrapped(&value.halved(twos.into()), width - twos)?.times(1i128 << twos);
    }
    if low >= 0 {
        return remainder(value, modulus);
    }
    // Remainders of negative numbers are negative: they are made positive first, or afterwards.
    let rounds = modulus.checked_mul(low.checked_neg()?.div_euclid(modulus) + 1)?;
    if let Some(raised) = value.plus(&Linear::constant(rounds)).and_then(|raised| remainder(&raised, modulus)) {
        return Some(raised);
    }
    let text = format!("(({} % {modulus} + {modulus}) % {modulus})", value.text()?, modulus = number(modulus)?);
    Some(Linear::thing(text, (0, modulus - 1)))
}

/// The remainder of a number that is not negative.
fn remainder(value: &Linear, divisor: i128) -> Option<Linear> {
    let (low, high) = value.range()?;
    if divisor <= 0 || low < 0 {
        return None;
    }
    if high < divisor {
        return Some(value.clone());
    }
    Some(Linear::thing(format!("({} % {})", value.text()?, number(divisor)?), (0, divisor - 1)))
}

/// The quotient of a number that is not negative.
fn divided(value: &Linear, divisor: i128) -> Option<Linear> {
    let (low, high) = value.range()?;
    if divisor <= 0 || low < 0 {
        return None;
    }
    if divisor == 1 {
        return Some(value.clone());
    }
    let text = format!("({} / {})", value.text()?, number(divisor)?);
    Some(Linear::thing(text, (low / divisor, high / divisor)))
}
