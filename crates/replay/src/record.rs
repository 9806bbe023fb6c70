//! The records that a replay view writes.

/// A record. Numbers and text come from the program and are not to be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) kind: Kind,
    /// Number of the process that wrote it.
    pub(crate) process: u32,
    /// Addresses of the call stack, innermost first; each lies inside of the instruction that was being executed.
    pub(crate) stack: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// What is loaded where, for the records of the same process that follow: address and path.
    Modules(Vec<(u64, String)>),
    /// A check does not hold.
    Check { number: u32, a: u64, b: u64 },
    /// AddressSanitizer found something.
    Sanitizer { description: String, is_write: bool, address: u64, size: u64 },
    /// What AddressSanitizer said about it.
    SanitizerReport(String),
    /// `assert` failed, with this condition.
    Assertion(String),
    /// `abort` was called.
    Abort,
    /// A format takes more arguments than it was given, or writes to one of them.
    Format { format: String, taken: u64, given: u64 },
    /// An allocator is asked for so much.
    Allocation { size: u64 },
}

/// Bytes before the addresses of a record.
const FIXED: usize = 72;

/// Reads records until the end, or until something cannot be one.
pub(crate) fn read(mut bytes: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    while let Some(size) = word(bytes, 0).map(|size| size as usize).filter(|size| *size >= FIXED) {
        let Some((this, rest)) = bytes.split_at_checked(size) else { break };
        // One that is not ready is that of a process that was killed while it wrote.
        if word(this, 1) == Some(1)
            && let Some(record) = record(this)
        {
            records.push(record);
        }
        bytes = rest;
    }
    records
}

fn record(bytes: &[u8]) -> Option<Record> {
    let (frames, text) = (word(bytes, 5)? as usize, word(bytes, 6)? as usize);
    let (stack, rest) = bytes.get(FIXED..)?.split_at_checked(frames.checked_mul(8)?)?;
    let text = || rest.get(..text).map(|text| String::from_utf8_lossy(text).into_owned());
    let kind = match word(bytes, 2)? {
        1 => Kind::Modules(modules(&text()?)),
        2 => Kind::Check { number: word(bytes, 4)?, a: long(bytes, 32)?, b: long(bytes, 40)? },
        3 => Kind::Sanitizer {
            description: text()?,
            is_write: word(bytes, 7)? != 0,
            address: long(bytes, 56)?,
            size: long(bytes, 64)?,
        },
        4 => Kind::SanitizerReport(text()?),
        5 => Kind::Assertion(text()?),
        6 => Kind::Abort,
        7 => Kind::Format { format: text()?, taken: long(bytes, 32)?, given: long(bytes, 40)? },
        8 => Kind::Allocation { size: long(bytes, 32)? },
        _ => return None,
    };
    let stack = stack.as_chunks().0.iter().map(|address| u64::from_ne_bytes(*address)).collect();
    Some(Record { kind, process: word(bytes, 3)?, stack })
}

/// Lines of address and path.
fn modules(text: &str) -> Vec<(u64, String)> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(base, path)| Some((u64::from_str_radix(base, 16).ok()?, path.to_owned()))).collect()
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    bytes.get(index * 4..).and_then(|bytes| bytes.first_chunk()).map(|bytes| u32::from_ne_bytes(*bytes))
}

fn long(bytes: &[u8], offset: usize) -> Option<u64> {
    bytes.get(offset..).and_then(|bytes| bytes.first_chunk()).map(|bytes| u64::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(kind: u32, check: u32, stack: &[u64], text: &str) -> Vec<u8> {
        let size = (FIXED + stack.len() * 8 + text.len()).next_multiple_of(8);
        let words = [size as u32, 1, kind, 42, check, stack.len() as u32, text.len() as u32, 1];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let longs = [7, 8, 9, 10, 11].into_iter().chain(stack.iter().copied());
        bytes.extend(longs.flat_map(u64::to_ne_bytes));
        bytes.extend(text.as_bytes());
        bytes.resize(size, 0);
        bytes
    }

    #[test]
    fn records_are_read_in_their_order() {
        let mut bytes = encode(1, 0, &[], "00005555 /bin/x y\nnonsense\n");
        bytes.extend(encode(2, 3, &[100, 200], ""));
        bytes.extend(encode(3, 0, &[1], "double-free"));
        let records = read(&bytes);
        assert_eq!(records[0].kind, Kind::Modules(vec![(0x5555, "/bin/x y".to_owned())]));
        let check = Record { kind: Kind::Check { number: 3, a: 7, b: 8 }, process: 42, stack: vec![100, 200] };
        assert_eq!(records[1], check);
        let description = "double-free".to_owned();
        assert_eq!(records[2].kind, Kind::Sanitizer { description, is_write: true, address: 10, size: 11 });
    }

    #[test]
    fn unfinished_records_are_left_out() {
        let mut bytes = encode(2, 3, &[100], "");
        bytes[4] = 0;
        bytes.extend(encode(6, 0, &[], ""));
        assert_eq!(read(&bytes).into_iter().map(|record| record.kind).collect::<Vec<_>>(), [Kind::Abort]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(mut bytes in proptest::collection::vec(any::<u8>(), 0..300), size in 0u32..300) {
            read(&bytes);
            if let Some(start) = bytes.first_chunk_mut() {
                *start = size.to_ne_bytes();
            }
            read(&bytes);
        }

        #[test]
        fn damaged_records_are_read(kind in 0u32..9, at in 0usize..120, byte: u8) {
            let mut bytes = encode(kind, 3, &[100, 200], "some text");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            read(&bytes);
        }
    }
}
