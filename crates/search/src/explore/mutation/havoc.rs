//! Inputs from inputs, by chance.

/// Numbers that look random, the same each time.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// Starts somewhere.
    pub fn new(seed: u64) -> Chance {
        Chance { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below a limit; 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Something of a list.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// Whether something happens that happens once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A length of at least 1: mostly short, at times as long as possible.
    fn length(&mut self, longest: usize) -> usize {
        let usual = match self.below(16) {
            0 => longest,
            1..=3 => 128,
            4..=7 => 32,
            _ => 8,
        };
        1 + self.below(usual.min(longest))
    }
}

/// No input becomes longer than this: what is found with a long one is found with a short one too, and faster.
const LONGEST: usize = 1 << 14;

/// Most changes at a time, as a power of two.
const MOST_CHANGES: usize = 6;

/// Numbers at which programs change their minds.
const SPECIAL: [i64; 24] = [
    0,
    1,
    -1,
    2,
    4,
    8,
    16,
    32,
    64,
    100,
    127,
    -128,
    255,
    256,
    512,
    1000,
    1024,
    4096,
    32767,
    -32768,
    65535,
    65536,
    0x7fff_ffff,
    -0x8000_0000,
];

/// What mutants are made of.
pub struct Material<'a> {
    /// Texts that mean something to the program.
    pub tokens: &'a [Vec<u8>],
    /// Another input.
    pub other: &'a [u8],
    /// Whether the length may change.
    pub resizes: bool,
}

/// Changes an input in a few ways.
pub fn mutate(bytes: &mut Vec<u8>, material: &Material, chance: &mut Chance) {
    let changes = 1 << chance.below(MOST_CHANGES + 1);
    for _ in 0..1 + chance.below(changes) {
        change(bytes, material, chance);
    }
    if material.resizes {
        bytes.truncate(LONGEST);
    }
}

fn change(bytes: &mut Vec<u8>, material: &Material, chance: &mut Chance) {
    let kind = chance.below(if material.resizes { 21 } else { 12 });
    match kind {
        0 | 1 => with_byte(bytes, chance, |byte, chance| *byte ^= 1 << chance.below(8)),
        2 | 3 => with_byte(bytes, chance, |byte, chance| *byte = chance.below(256) as u8),
        4 | 5 => with_byte(bytes, chance, |byte, chance| {
            let by = 1 + chance.below(35) as u8;
            *byte = if chance.once_in(2) { byte.wrapping_add(by) } else { byte.wrapping_sub(by) };
        }),
        6 | 7 => number(bytes, chance),
        8 => copy_over(bytes, chance),
        9 => overwrite_with(bytes, material.other, chance),
        10 | 11 => {
            let token = chance.one_of(material.tokens).cloned().unwrap_or_default();
            let at = chance.below(bytes.len());
            bytes.iter_mut().skip(at).zip(token).for_each(|(place, byte)| *place = byte);
        }
        12 | 13 => {
            let token = chance.one_of(material.tokens).cloned().unwrap_or_default();
            insert(bytes, token, chance);
        }
        14 | 15 => {
            let (start, end) = range(bytes.len(), chance);
            bytes.drain(start..end);
        }
        16 => {
            let (start, end) = range(bytes.len(), chance);
            let piece = bytes.get(start..end).unwrap_or_default().to_vec();
            insert(bytes, piece, chance);
        }
        17 => {
            let byte =
                if chance.once_in(2) { chance.below(256) as u8 } else { chance.one_of(bytes).copied().unwrap_or(0) };
            let length = chance.length(64);
            insert(bytes, vec![byte; length], chance);
        }
        18 => {
            let (start, end) = range(material.other.len(), chance);
            insert(bytes, material.other.get(start..end).unwrap_or_default().to_vec(), chance);
        }
        19 => {
            // More of the same where it is.
            let start = chance.below(bytes.len());
            let end = (start + 1 + chance.below(8)).min(bytes.len());
            let length = chance.one_of(&crate::growth::LENGTHS).copied().unwrap_or(0);
            crate::growth::repeat(bytes, start..end, length);
        }
        _ => {
            // The beginning of one and the end of the other.
            let at = chance.below(bytes.len() + 1);
            let from = chance.below(material.other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(material.other.get(from..).unwrap_or_default());
        }
    }
}

fn with_byte(bytes: &mut [u8], chance: &mut Chance, change: impl FnOnce(&mut u8, &mut Chance)) {
    let at = chance.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        change(byte, chance);
    }
}

/// Writes a number of some width over what is there, or adds to it, in either order of bytes.
fn number(bytes: &mut [u8], chance: &mut Chance) {
    let width = 1 << chance.below(4);
    let at = chance.below((bytes.len() + 1).saturating_sub(width));
    let Some(place) = bytes.get_mut(at..at + width) else { return };
    let is_big = chance.once_in(2);
    if is_big {
        place.reverse();
    }
    let mut old = [0; 8];
    old.iter_mut().zip(place.iter()).for_each(|(to, from)| *to = *from);
    let old = i64::from_le_bytes(old);
    let new = match chance.below(3) {
        0 => chance.one_of(&SPECIAL).copied().unwrap_or(0),
        1 => old.wrapping_add(1 + chance.below(35) as i64),
        _ => old.wrapping_sub(1 + chance.below(35) as i64),
    };
    place.iter_mut().zip(new.to_le_bytes()).for_each(|(to, from)| *to = from);
    if is_big {
        place.reverse();
    }
}

fn range(length: usize, chance: &mut Chance) -> (usize, usize) {
    if length == 0 {
        return (0, 0);
    }
    let start = chance.below(length);
    (start, start + chance.length(length - start))
}

fn copy_over(bytes: &mut [u8], chance: &mut Chance) {
    let (start, end) = range(bytes.len(), chance);
    let piece = bytes.get(start..end).unwrap_or_default().to_vec();
    let at = chance.below(bytes.len());
    bytes.iter_mut().skip(at).zip(piece).for_each(|(to, from)| *to = from);
}

fn overwrite_with(bytes: &mut [u8], other: &[u8], chance: &mut Chance) {
    let (start, end) = range(other.len(), chance);
    let at = chance.below(bytes.len());
    let piece = other.get(start..end).unwrap_or_default();
    bytes.iter_mut().skip(at).zip(piece).for_each(|(to, from)| *to = *from);
}

fn insert(bytes: &mut Vec<u8>, piece: Vec<u8>, chance: &mut Chance) {
    if bytes.len() < LONGEST {
        let at = chance.below(bytes.len() + 1);
        bytes.splice(at..at, piece);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Nothing that chance does panics, lengths stay as they are where they must, and nothing grows without end.
        #[test]
        fn anything_can_be_mutated(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            other in prop::collection::vec(any::<u8>(), 0..40),
            seed in any::<u64>(),
            resizes in any::<bool>(),
        ) {
            let tokens = [b"<!--".to_vec(), Vec::new()];
            let material = Material { tokens: &tokens, other: &other, resizes };
            let mut chance = Chance::new(seed);
            let mut mutant = bytes.clone();
            for _ in 0..50 {
                mutate(&mut mutant, &material, &mut chance);
            }
            prop_assert!(mutant.len() <= LONGEST);
            prop_assert!(resizes || mutant.len() == bytes.len());
        }

        #[test]
        fn chance_stays_below_its_limit(seed in any::<u64>(), limit in 1usize..1000) {
            let mut chance = Chance::new(seed);
            prop_assert!((0..100).all(|_| chance.below(limit) < limit));
        }
    }
}
