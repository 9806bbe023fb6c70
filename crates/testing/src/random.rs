//! Chance that is the same each time, for programs that are made by it.

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    /// The next number, which is less than a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        // Steele and others, "Fast splittable pseudorandom number generators".
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }

    /// One of some texts.
    pub fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts.get(self.below(texts.len() as u64) as usize).copied().unwrap_or_default()
    }
}
