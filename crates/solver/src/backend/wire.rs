//! Numbers and strings as bytes, for the pipe to a worker and for the query cache.

use expr::BitVec;

/// Writes.
#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, value: &str) {
        self.u32(value.len() as u32);
        self.bytes.extend(value.as_bytes());
    }

    pub(crate) fn value(&mut self, value: &BitVec) {
        self.u16(value.width());
        for word in value.words() {
            self.u64(word);
        }
    }
}

/// Reads what an [`Encoder`] wrote; everything is `None` where the bytes end too early.
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { bytes }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    pub(crate) fn value(&mut self) -> Option<BitVec> {
        let width = self.u16().filter(|width| (1..=expr::MAX_WIDTH).contains(width))?;
        let words: Option<Vec<u64>> = (0..width.div_ceil(64)).map(|_| self.u64()).collect();
        Some(BitVec::from_words(width, &words?))
    }
}
