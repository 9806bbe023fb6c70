//! Values: bit-vectors of 1 to 1024 bits.

use core::cmp::Ordering;
use core::fmt;

use num_bigint::BigUint;

/// Widest bit-vector.
pub const MAX_WIDTH: u16 = 1024;

/// A value of a fixed width. Up to 64 bits are kept inline; arithmetic is modulo 2^width.
///
/// Operations on two values expect equal widths, which whoever builds terms has checked; they never panic for other
/// widths, the result then has the first one's.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec(Repr);

// Invariants: 1 ≤ width ≤ MAX_WIDTH; Small exactly for widths up to 64; bits above the width are 0.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(u16, u64),
    Wide(u16, Box<BigUint>),
}

fn mask(width: u16) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn power(exponent: u32) -> BigUint {
    BigUint::from(1u32) << exponent
}

impl BitVec {
    /// The low `width` bits of `value`. Widths outside 1 to 1024 are brought into that range.
    pub fn new(width: u16, value: u64) -> BitVec {
        let width = width.clamp(1, MAX_WIDTH);
        if width <= 64 { BitVec(Repr::Small(width, value & mask(width))) } else { BitVec::wide(width, value.into()) }
    }

    /// All bits 0.
    pub fn zero(width: u16) -> BitVec {
        BitVec::new(width, 0)
    }

    /// All bits 1.
    pub fn ones(width: u16) -> BitVec {
        if width <= 64 { BitVec::new(width, u64::MAX) } else { BitVec::wide(width, power(width.into()) - 1u32) }
    }

    /// Only the sign bit.
    pub fn min_signed(width: u16) -> BitVec {
        if width <= 64 {
            BitVec::new(width, 1 << (width.max(1) - 1))
        } else {
            BitVec::wide(width, power(width as u32 - 1))
        }
    }

    /// One bit.
    pub fn bool(value: bool) -> BitVec {
        BitVec::new(1, value.into())
    }

    /// From 64-bit words, least significant first; missing ones are 0.
    pub fn from_words(width: u16, words: &[u64]) -> BitVec {
        if width <= 64 {
            return BitVec::new(width, words.first().copied().unwrap_or(0));
        }
        let digits = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
        BitVec::wide(width, BigUint::new(digits))
    }

    /// From digits in `radix` (2 to 36), or `None` if they are no number. A number that is too large is cut.
    pub fn parse(width: u16, digits: &str, radix: u32) -> Option<BitVec> {
        if digits.starts_with('+') {
            return None;
        }
        match u64::from_str_radix(digits, radix) {
            Ok(small) => Some(BitVec::new(width, small)),
            Err(_) => BigUint::parse_bytes(digits.as_bytes(), radix).map(|value| BitVec::from_big(width, value)),
        }
    }

    fn wide(width: u16, value: BigUint) -> BitVec {
        let width = width.min(MAX_WIDTH);
        let value = if value.bits() > width.into() { value % power(width.into()) } else { value };
        BitVec(Repr::Wide(width, Box::new(value)))
    }

    fn from_big(width: u16, value: BigUint) -> BitVec {
        if width > 64 { BitVec::wide(width, value) } else { BitVec::new(width, low(&value)) }
    }

    fn big(&self) -> BigUint {
        match &self.0 {
            Repr::Small(_, value) => BigUint::from(*value),
            Repr::Wide(_, value) => (**value).clone(),
        }
    }

    /// Number of bits.
    pub fn width(&self) -> u16 {
        match self.0 {
            Repr::Small(width, _) | Repr::Wide(width, _) => width,
        }
    }

    /// The low 64 bits.
    pub fn low64(&self) -> u64 {
        match &self.0 {
            Repr::Small(_, value) => *value,
            Repr::Wide(_, value) => low(value),
        }
    }

    /// The value, if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small(_, value) => Some(*value),
            Repr::Wide(_, value) => (value.bits() <= 64).then(|| low(value)),
        }
    }

    /// The bits as 64-bit words, least significant first; as many as the width needs.
    pub fn words(&self) -> Vec<u64> {
        match &self.0 {
            Repr::Small(_, value) => vec![*value],
            Repr::Wide(width, value) => {
                let mut words = value.to_u64_digits();
                words.resize(usize::from(*width).div_ceil(64), 0);
                words
            }
        }
    }

    /// Whether any bit is 1. For one bit: whether it is true.
    pub fn is_true(&self) -> bool {
        !self.is_zero()
    }

    /// Whether all bits are 0.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small(_, value) => *value == 0,
            Repr::Wide(_, value) => value.bits() == 0,
        }
    }

    /// Whether all bits are 1.
    pub fn is_ones(&self) -> bool {
        match &self.0 {
            Repr::Small(width, value) => *value == mask(*width),
            Repr::Wide(width, value) => value.count_ones() == u64::from(*width),
        }
    }

    /// Bit `index`, 0 beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        match &self.0 {
            Repr::Small(_, value) => index < 64 && value >> index & 1 == 1,
            Repr::Wide(_, value) => value.bit(index.into()),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(u32::from(self.width()) - 1)
    }

    /// The exponent, if the value is a power of two.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// Number of one bits.
    pub fn count_ones(&self) -> u32 {
        match &self.0 {
            Repr::Small(_, value) => value.count_ones(),
            Repr::Wide(_, value) => value.count_ones() as u32,
        }
    }

    /// Number of zero bits above the highest one bit; the width for 0.
    pub fn leading_zeros(&self) -> u32 {
        let used = match &self.0 {
            Repr::Small(_, value) => 64 - value.leading_zeros(),
            Repr::Wide(_, value) => value.bits() as u32,
        };
        u32::from(self.width()) - used
    }

    /// Number of zero bits below the lowest one bit; the width for 0.
    pub fn trailing_zeros(&self) -> u32 {
        let width = u32::from(self.width());
        match &self.0 {
            Repr::Small(_, value) => value.trailing_zeros().min(width),
            Repr::Wide(_, value) => value.trailing_zeros().map_or(width, |bits| bits as u32),
        }
    }

    /// Applies `small` to widths up to 64 and `wide` beyond.
    fn with(
        &self,
        other: &BitVec,
        small: impl FnOnce(u64, u64) -> u64,
        wide: impl FnOnce(BigUint, BigUint) -> BigUint,
    ) -> BitVec {
        match (&self.0, &other.0) {
            (Repr::Small(width, a), Repr::Small(_, b)) => BitVec::new(*width, small(*a, *b)),
            _ => BitVec::from_big(self.width(), wide(self.big(), other.big())),
        }
    }

    /// Complement.
    pub fn not(&self) -> BitVec {
        self.xor(&BitVec::ones(self.width()))
    }

    /// Two's complement.
    pub fn neg(&self) -> BitVec {
        BitVec::zero(self.width()).sub(self)
    }

    /// Bitwise and.
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.with(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.with(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.with(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// Sum.
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.with(other, u64::wrapping_add, |a, b| a + b)
    }

    /// Difference.
    pub fn sub(&self, other: &BitVec) -> BitVec {
        let width = self.width();
        self.with(other, u64::wrapping_sub, |a, b| (a + power(width.into())) - b)
    }

    /// Product.
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.with(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// Unsigned quotient; all ones for a divisor of 0, as SMT-LIB has it.
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() { BitVec::ones(self.width()) } else { self.with(other, |a, b| a / b, |a, b| a / b) }
    }

    /// Unsigned remainder; the dividend for a divisor of 0.
    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() { self.clone() } else { self.with(other, |a, b| a % b, |a, b| a % b) }
    }

    /// The magnitude, read as signed.
    fn magnitude(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient }
    }

    /// Signed remainder, with the sign of the dividend.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// A shift amount, or `None` if everything is shifted out.
    fn amount(&self, width: u16) -> Option<u32> {
        self.to_u64().filter(|amount| *amount < u64::from(width)).map(|amount| amount as u32)
    }

    /// Shift left; 0 where the amount is not below the width.
    pub fn shl(&self, amount: &BitVec) -> BitVec {
        match amount.amount(self.width()) {
            None => BitVec::zero(self.width()),
            Some(n) => self.with(self, |a, _| a << n, |a, _| a << n),
        }
    }

    /// Logical shift right.
    pub fn lshr(&self, amount: &BitVec) -> BitVec {
        match amount.amount(self.width()) {
            None => BitVec::zero(self.width()),
            Some(n) => self.with(self, |a, _| a >> n, |a, _| a >> n),
        }
    }

    /// Arithmetic shift right.
    pub fn ashr(&self, amount: &BitVec) -> BitVec {
        if self.is_negative() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    /// Unsigned comparison.
    pub fn ucmp(&self, other: &BitVec) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(_, a), Repr::Small(_, b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }

    /// Signed comparison.
    pub fn scmp(&self, other: &BitVec) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.ucmp(other))
    }

    /// `self` above `other`. A result above 1024 bits is cut.
    pub fn concat(&self, other: &BitVec) -> BitVec {
        let width = self.width().saturating_add(other.width());
        match (&self.0, &other.0) {
            (Repr::Small(_, a), Repr::Small(low, b)) if width <= 64 => BitVec::new(width, a << low | b),
            _ => BitVec::from_big(width.min(MAX_WIDTH), self.big() << other.width() | other.big()),
        }
    }

    /// `width` bits from bit `low` on; bits beyond the value are 0.
    pub fn extract(&self, low: u16, width: u16) -> BitVec {
        match &self.0 {
            Repr::Small(_, value) => BitVec::new(width, if low < 64 { value >> low } else { 0 }),
            Repr::Wide(_, value) => {
                let shifted: BigUint = &**value >> low;
                BitVec::from_big(width.max(1), if width <= 64 { shifted } else { shifted % power(width.into()) })
            }
        }
    }

    /// Zero bits above.
    pub fn zext(&self, width: u16) -> BitVec {
        match &self.0 {
            Repr::Small(_, value) => BitVec::new(width, *value),
            Repr::Wide(_, value) => BitVec::from_big(width, (**value).clone()),
        }
    }

    /// Copies of the sign bit above.
    pub fn sext(&self, width: u16) -> BitVec {
        if self.is_negative() { self.not().zext(width).not() } else { self.zext(width) }
    }

    /// Whether the signed sum does not fit.
    pub fn saddo(&self, other: &BitVec) -> bool {
        self.is_negative() == other.is_negative() && self.add(other).is_negative() != self.is_negative()
    }

    /// Whether the unsigned sum does not fit.
    pub fn uaddo(&self, other: &BitVec) -> bool {
        self.add(other).ucmp(self).is_lt()
    }

    /// Whether the signed difference does not fit.
    pub fn ssubo(&self, other: &BitVec) -> bool {
        self.is_negative() != other.is_negative() && self.sub(other).is_negative() != self.is_negative()
    }

    /// Whether the unsigned difference does not fit.
    pub fn usubo(&self, other: &BitVec) -> bool {
        self.ucmp(other).is_lt()
    }

    /// Whether the signed product does not fit.
    pub fn smulo(&self, other: &BitVec) -> bool {
        let product = self.magnitude().big() * other.magnitude().big();
        let limit = power(u32::from(self.width()) - 1);
        if self.is_negative() == other.is_negative() { product >= limit } else { product > limit }
    }

    /// Whether the unsigned product does not fit.
    pub fn umulo(&self, other: &BitVec) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(width, a), Repr::Small(_, b)) => u128::from(*a) * u128::from(*b) > u128::from(mask(*width)),
            _ => (self.big() * other.big()).bits() > self.width().into(),
        }
    }

    /// The bits in the opposite order.
    pub fn bit_reverse(&self) -> BitVec {
        let width = self.width();
        let mut words = vec![0; usize::from(width).div_ceil(64)];
        for index in (0..width).filter(|index| self.bit((*index).into())) {
            let target = width - 1 - index;
            words[usize::from(target / 64)] |= 1 << (target % 64);
        }
        BitVec::from_words(width, &words)
    }

    /// The bytes in the opposite order. The width is a multiple of 8; bits beyond the last whole byte become 0.
    pub fn byte_swap(&self) -> BitVec {
        let bytes = self.width() / 8;
        (1..bytes)
            .fold(self.extract(0, 8), |swapped, index| swapped.concat(&self.extract(index * 8, 8)))
            .zext(self.width())
    }

    /// Digits without prefix, as many as the width needs, in base 2.
    pub fn binary_digits(&self) -> String {
        (0..u32::from(self.width())).rev().map(|index| if self.bit(index) { '1' } else { '0' }).collect()
    }
}

fn low(value: &BigUint) -> u64 {
    value.iter_u64_digits().next().unwrap_or(0)
}

/// Hexadecimal with prefix, without the width: `0x41`.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(_, value) => write!(f, "{value:#x}"),
            Repr::Wide(_, value) => write!(f, "{:#x}", **value),
        }
    }
}

/// As [`Display`](fmt::Display), then the width: `0x41:8`.
impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width())
    }
}
