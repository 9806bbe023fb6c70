//! What is known of a value.

/// What is known of a value of at most 64 bits: the least and the greatest it can be, unsigned and signed, and bits that are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(super) width: u16,
    pub(super) least: u64,
    pub(super) greatest: u64,
    /// The least as a signed number.
    pub(super) low: i64,
    /// The greatest as a signed number.
    pub(super) high: i64,
    /// Bits that are certainly 0.
    pub(super) zeros: u64,
    /// Bits that are certainly 1.
    pub(super) ones: u64,
}

pub(super) fn mask(width: u16) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The least signed number of a width.
pub(super) fn lowest(width: u16) -> i64 {
    i64::MIN >> (64 - u32::from(width))
}

/// The greatest signed number of a width.
pub(super) fn highest(width: u16) -> i64 {
    !lowest(width)
}

/// A value of a width as a signed number.
fn extend(width: u16, value: u64) -> i64 {
    let shift = 64 - u32::from(width);
    (value << shift) as i64 >> shift
}

/// All bits up to the highest one bit.
fn smear(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::MAX >> value.leading_zeros() }
}

impl Bounds {
    pub(super) fn any(width: u16) -> Bounds {
        Bounds {
            width,
            least: 0,
            greatest: mask(width),
            low: lowest(width),
            high: highest(width),
            zeros: !mask(width),
            ones: 0,
        }
    }

    pub(crate) fn exactly(width: u16, value: u64) -> Bounds {
        Bounds::between(width, value, value)
    }

    /// The values between two, both included.
    pub(super) fn between(width: u16, least: u64, greatest: u64) -> Bounds {
        Bounds { least, greatest, ..Bounds::any(width) }.tightened()
    }

    /// The same for signed numbers.
    pub(super) fn between_signed(width: u16, low: i64, high: i64) -> Bounds {
        Bounds { low, high, ..Bounds::any(width) }.tightened()
    }

    pub(super) fn bits(width: u16, zeros: u64, ones: u64) -> Bounds {
        Bounds { zeros: zeros | !mask(width), ones, ..Bounds::any(width) }.tightened()
    }

    /// The smallest bounds that contain all of these values.
    pub(crate) fn of_values(width: u16, values: impl Iterator<Item = u64>) -> Bounds {
        let nothing = Bounds {
            width,
            least: u64::MAX,
            greatest: 0,
            low: i64::MAX,
            high: i64::MIN,
            zeros: u64::MAX,
            ones: u64::MAX,
        };
        let all = values.fold(nothing, |all, value| Bounds {
            width,
            least: all.least.min(value),
            greatest: all.greatest.max(value),
            low: all.low.min(extend(width, value)),
            high: all.high.max(extend(width, value)),
            zeros: all.zeros & !value,
            ones: all.ones & value,
        });
        if all.least > all.greatest { Bounds::any(width) } else { all }
    }

    pub(super) fn truth(decided: Option<bool>) -> Bounds {
        decided.map_or(Bounds::any(1), |value| Bounds::exactly(1, value.into()))
    }

    /// Lets both intervals and the bits learn from one another.
    pub(super) fn tightened(self) -> Bounds {
        let Bounds { width, mut low, mut high, .. } = self;
        let mut least = self.least.max(self.ones);
        let mut greatest = self.greatest.min(!self.zeros);
        // Among numbers of one sign both orders are the same.
        if low >= 0 || high < 0 {
            least = least.max(low as u64 & mask(width));
            greatest = greatest.min(high as u64 & mask(width));
        }
        if greatest >> (width - 1) == least >> (width - 1) {
            low = low.max(extend(width, least));
            high = high.min(extend(width, greatest));
        }
        // The bits above the highest one in which both ends differ are certain.
        let certain = !smear(least ^ greatest);
        let (zeros, ones) = (self.zeros | (certain & !least), self.ones | (certain & least));
        Bounds { width, least, greatest, low, high, zeros, ones }
    }

    /// The same for values with all bits turned over.
    pub(super) fn complement(self) -> Bounds {
        let Bounds { width, least, greatest, low, high, zeros, ones } = self;
        let all = mask(width);
        let (zeros, ones) = (ones | !all, zeros & all);
        Bounds { width, least: all - greatest, greatest: all - least, low: !high, high: !low, zeros, ones }
    }

    pub(super) fn union(self, other: Bounds) -> Bounds {
        Bounds {
            width: self.width,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// What both say; `None` if there is no such value.
    pub(super) fn and(self, other: Bounds) -> Option<Bounds> {
        let both = Bounds {
            width: self.width,
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        };
        let both = both.tightened();
        (both.least <= both.greatest && both.low <= both.high && both.zeros & both.ones == 0).then_some(both)
    }

    /// Whether a value lies within.
    pub(super) fn allows(&self, value: u64) -> bool {
        (self.least..=self.greatest).contains(&value)
            && (self.low..=self.high).contains(&extend(self.width, value))
            && value & self.zeros == 0
            && !value & self.ones == 0
    }

    /// The only value, if there is one.
    pub(super) fn only(&self) -> Option<u64> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// Of a one-bit term: that it is 0.
    pub(super) fn is_false(&self) -> bool {
        self.greatest == 0
    }

    /// Of one bit: whether it is 1.
    pub(super) fn is_true(&self) -> bool {
        self.least == 1
    }
}
