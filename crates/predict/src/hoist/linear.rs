//! Sums of multiples of things, over mathematical integers: what conditions are made of.

use std::collections::BTreeMap;

/// Numbers beyond this are not computed with: conditions have 128 bits, and sums of several must fit.
const LARGEST: i128 = 1 << 100;

/// Lowest and highest value.
pub type Range = (i128, i128);

/// `constant + factor * thing + …`, where a thing is a piece of a condition's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    constant: i128,
    things: BTreeMap<String, (i128, Range)>,
}

impl Linear {
    pub fn constant(value: i128) -> Linear {
        Linear { constant: value, things: BTreeMap::new() }
    }

    pub fn thing(text: String, range: Range) -> Linear {
        Linear { constant: 0, things: BTreeMap::from([(text, (1, range))]) }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.things.is_empty().then_some(self.constant)
    }

    /// Nothing if numbers get too large.
    pub fn range(&self) -> Option<Range> {
        let (mut low, mut high) = (self.constant, self.constant);
        for (factor, (least, most)) in self.things.values() {
            let (a, b) = (factor.checked_mul(*least)?, factor.checked_mul(*most)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        (low > -LARGEST && high < LARGEST).then_some((low, high))
    }

    pub fn plus(&self, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant)?;
        for (text, (factor, range)) in &other.things {
            let entry = sum.things.entry(text.clone()).or_insert((0, *range));
            entry.0 = entry.0.checked_add(*factor)?;
        }
        sum.things.retain(|_, (factor, _)| *factor != 0);
        sum.range()?;
        Some(sum)
    }

    pub fn times(&self, factor: i128) -> Option<Linear> {
        let mut product = self.clone();
        product.constant = product.constant.checked_mul(factor)?;
        for entry in product.things.values_mut() {
            entry.0 = entry.0.checked_mul(factor)?;
        }
        product.things.retain(|_, (factor, _)| *factor != 0);
        product.range()?;
        Some(product)
    }

    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(&other.times(-1)?)
    }

    /// How often 2 divides all of it.
    pub fn twos(&self) -> u32 {
        let factors = self.things.values().map(|(factor, _)| *factor).chain([self.constant]);
        factors.filter(|number| *number != 0).map(i128::trailing_zeros).min().unwrap_or(0)
    }

    /// Without so many of the twos that divide it.
    pub fn halved(&self, times: u32) -> Linear {
        let mut half = self.clone();
        half.constant >>= times;
        half.things.values_mut().for_each(|(factor, _)| *factor >>= times);
        half
    }

    /// As a piece of a condition.
    pub fn text(&self) -> Option<String> {
        let mut pieces: Vec<String> = Vec::new();
        for (text, (factor, _)) in &self.things {
            pieces.push(match factor {
                1 => text.clone(),
                factor => format!("{} * {text}", number(*factor)?),
            });
        }
        if self.constant != 0 || pieces.is_empty() {
            pieces.push(number(self.constant)?);
        }
        Some(if pieces.len() == 1 { pieces.concat() } else { format!("({})", pieces.join(" + ")) })
    }

    /// Factor, text and rest, if it is about one thing.
    fn single(&self) -> Option<(i128, &str, i128)> {
        let mut things = self.things.iter();
        let (text, (factor, _)) = things.next()?;
        things.next().is_none().then_some((*factor, text.as_str(), self.constant))
    }

    /// Text, range and rest, if it is one thing and a constant.
    pub fn as_shifted(&self) -> Option<(&str, Range, i128)> {
        let (_, text, constant) = self.single().filter(|(factor, ..)| *factor == 1)?;
        let (_, range) = self.things.get(text)?;
        Some((text, *range, constant))
    }

    /// The parts with positive and with negative factors, the latter with their signs turned.
    fn sides(&self) -> Option<(Linear, Linear)> {
        let side = |sign: i128| {
            let things = self.things.iter().filter(|(_, (factor, _))| factor.signum() == sign);
            Linear { constant: 0, things: things.map(|(t, (f, r))| (t.clone(), (f * sign, *r))).collect() }
        };
        let (mut left, mut right) = (side(1), side(-1));
        match self.constant {
            c if c > 0 && !right.things.is_empty() => left.constant = c,
            c => right.constant = c.checked_neg()?,
        }
        Some((left, right))
    }
}

/// A number, as conditions write it.
pub fn number(value: i128) -> Option<String> {
    match u64::try_from(value.unsigned_abs()) {
        Ok(size) if value < 0 => Some(format!("-{size}")),
        Ok(size) => Some(size.to_string()),
        // The one beyond it is what 64 bits wrap around at.
        Err(_) if value == 1 << 64 => Some(format!("({} + 1)", u64::MAX)),
        Err(_) => None,
    }
}

/// `0 <= linear`, in the words that are easiest to read. Nothing if it cannot be written; a truth value if it always or never holds.
pub fn at_least_zero(linear: &Linear) -> Option<Result<String, bool>> {
    let (low, high) = linear.range()?;
    if low >= 0 || high < 0 {
        return Some(Err(low >= 0));
    }
    if let Some((factor, text, constant)) = linear.single() {
        // factor * thing >= -constant
        return Some(Ok(if factor > 0 {
            format!(
                "{text} >= {}",
                number((-constant).div_euclid(factor) + i128::from((-constant).rem_euclid(factor) != 0))?
            )
        } else {
            format!("{text} <= {}", number(constant.div_euclid(-factor))?)
        }));
    }
    let (left, right) = linear.sides()?;
    Some(Ok(format!("{} >= {}", left.text()?, right.text()?)))
}

/// `0 == linear`, or `0 != linear`.
pub fn zero(linear: &Linear, is_equal: bool) -> Option<Result<String, bool>> {
    let (low, high) = linear.range()?;
    if (low, high) == (0, 0) || low > 0 || high < 0 {
        return Some(Err(((low, high) == (0, 0)) == is_equal));
    }
    let sign = if is_equal { "==" } else { "!=" };
    if let Some((factor, text, constant)) = linear.single() {
        if constant % factor != 0 {
            return Some(Err(!is_equal));
        }
        return Some(Ok(format!("{text} {sign} {}", number(-constant / factor)?)));
    }
    let (left, right) = linear.sides()?;
    Some(Ok(format!("{} {sign} {}", left.text()?, right.text()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Linear {
        Linear::thing("x".into(), (0, 255))
    }

    #[test]
    fn comparisons_are_about_the_thing_itself() {
        let bound = |factor: i128, constant: i128| {
            at_least_zero(&x().times(factor).unwrap().plus(&Linear::constant(constant)).unwrap())
        };
        assert_eq!(bound(-4, 39), Some(Ok("x <= 9".into())));
        assert_eq!(bound(4, -39), Some(Ok("x >= 10".into())));
        assert_eq!(bound(1, 0), Some(Err(true)));
        assert_eq!(bound(-1, -1), Some(Err(false)));
        assert_eq!(zero(&x().times(2).unwrap().plus(&Linear::constant(-7)).unwrap(), true), Some(Err(false)));
    }

    #[test]
    fn twos_are_taken_out() {
        let sum = x().times(-12).unwrap().plus(&Linear::constant(8)).unwrap();
        assert_eq!((sum.twos(), sum.halved(2)), (2, x().times(-3).unwrap().plus(&Linear::constant(2)).unwrap()));
        assert_eq!(Linear::constant(0).twos(), 0);
    }

    #[test]
    fn sums_have_two_sides() {
        let y = Linear::thing("y".into(), (0, 255));
        let sum = x().minus(&y.times(3).unwrap()).unwrap().plus(&Linear::constant(5)).unwrap();
        assert_eq!(at_least_zero(&sum), Some(Ok("(x + 5) >= 3 * y".into())));
        assert_eq!(zero(&x().minus(&x()).unwrap(), true), Some(Err(true)));
    }
}
