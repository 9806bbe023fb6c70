//! Answers on disk, shared between runs and between processes that run at the same time.
//!
//! One file to which records are only ever appended, each by a single write under a lock. A record carries a checksum,
//! so one that a dying process left behind half-written is skipped. What other processes append while this one runs is
//! picked up from time to time.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use core::hash::Hasher;
use expr::BitVec;
use rustc_hash::{FxHashMap, FxHasher};
use rustix::fs::{FlockOperation, flock};

use super::canonical::Key;
use crate::backend::wire::{Decoder, Encoder};

/// Starts every record. The last byte is the version of the format, and of how keys are made.
const MAGIC: u32 = u32::from_le_bytes(*b"PQC\x02");
/// Lookups without result after which the file is looked at again.
const REFRESH: u32 = 1024;

/// An answer: values for the variables in canonical order, or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cached {
    Sat(Vec<BitVec>),
    Unsat,
}

/// The cache: in memory, and in a file if there is one.
#[derive(Default)]
pub(crate) struct QueryCache {
    known: FxHashMap<Key, Cached>,
    file: Option<File>,
    /// How much of the file has been read.
    read: u64,
    misses: u32,
}

impl QueryCache {
    /// Opens or makes the file and reads it.
    pub(crate) fn open(path: &Path) -> io::Result<QueryCache> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut cache = QueryCache { file: Some(file), ..QueryCache::default() };
        cache.refresh()?;
        Ok(cache)
    }

    pub(crate) fn get(&mut self, key: Key) -> Option<&Cached> {
        if !self.known.contains_key(&key) {
            self.misses += 1;
            if self.misses.is_multiple_of(REFRESH) {
                // The cache only saves time: what cannot be read is solved again.
                let _ = self.refresh();
            }
        }
        self.known.get(&key)
    }

    pub(crate) fn insert(&mut self, key: Key, answer: Cached) {
        if let Some(file) = &mut self.file {
            let record = encode(key, &answer);
            let locked = flock(&*file, FlockOperation::LockExclusive).is_ok();
            let _ = file.write_all(&record);
            if locked {
                let _ = flock(&*file, FlockOperation::Unlock);
            }
        }
        self.known.insert(key, answer);
    }

    /// Reads what has been appended since.
    fn refresh(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.metadata()?.len() <= self.read {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut rest = bytes.as_slice();
        // What is left at the end may be a record that is being written; it is read again next time.
        let mut consumed = 0;
        while !rest.is_empty() {
            match decode(rest) {
                Some((key, answer, length)) => {
                    self.known.insert(key, answer);
                    rest = rest.get(length..).unwrap_or_default();
                    consumed = bytes.len() - rest.len();
                }
                None => rest = rest.get(1..).unwrap_or_default(),
            }
        }
        self.read += consumed as u64;
        Ok(())
    }
}

fn checksum(payload: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(payload);
    let sum = hasher.finish();
    (sum ^ sum >> 32) as u32
}

/// Magic, length of the payload, its checksum, the payload.
fn encode(key: Key, answer: &Cached) -> Vec<u8> {
    let mut payload = Encoder::default();
    payload.u64(key.0);
    payload.u64(key.1);
    match answer {
        Cached::Unsat => payload.u8(0),
        Cached::Sat(values) => {
            payload.u8(1);
            for value in values {
                payload.value(value);
            }
        }
    }
    let mut record = Encoder::default();
    record.u32(MAGIC);
    record.u32(payload.bytes.len() as u32);
    record.u32(checksum(&payload.bytes));
    record.bytes.extend(payload.bytes);
    record.bytes
}

/// The record at the start of `bytes`, and its length.
fn decode(bytes: &[u8]) -> Option<(Key, Cached, usize)> {
    let mut header = Decoder::new(bytes);
    if header.u32()? != MAGIC {
        return None;
    }
    let (length, sum) = (header.u32()? as usize, header.u32()?);
    let payload = bytes.get(12..12usize.checked_add(length)?)?;
    if checksum(payload) != sum {
        return None;
    }
    let mut decoder = Decoder::new(payload);
    let key = Key(decoder.u64()?, decoder.u64()?);
    let answer = match decoder.u8()? {
        0 => Cached::Unsat,
        _ => {
            let mut values = Vec::new();
            while !decoder.is_done() {
                values.push(decoder.value()?);
            }
            Cached::Sat(values)
        }
    };
    Some((key, answer, 12 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sat(value: u64) -> Cached {
        Cached::Sat(vec![BitVec::new(8, value), BitVec::new(100, value)])
    }

    #[test]
    fn answers_survive_and_are_shared() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("queries");
        let mut first = QueryCache::open(&path).unwrap();
        let mut second = QueryCache::open(&path).unwrap();
        first.insert(Key(1, 2), sat(7));
        second.insert(Key(3, 4), Cached::Unsat);
        let mut third = QueryCache::open(&path).unwrap();
        assert_eq!(third.get(Key(1, 2)), Some(&sat(7)));
        assert_eq!(third.get(Key(3, 4)), Some(&Cached::Unsat));
        assert_eq!(third.get(Key(5, 6)), None);
        // The first one notices what the second one wrote.
        for _ in 0..REFRESH {
            first.get(Key(9, 9));
        }
        assert_eq!(first.get(Key(3, 4)), Some(&Cached::Unsat));
    }

    #[test]
    fn damage_costs_only_the_damaged_records() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("queries");
        let mut cache = QueryCache::open(&path).unwrap();
        for key in 0..20 {
            cache.insert(Key(key, key), sat(key));
        }
        let mut bytes = std::fs::read(&path).unwrap();
        let record = bytes.len() / 20;
        bytes[record * 3 + 20] ^= 0xff;
        bytes.truncate(bytes.len() - 5);
        std::fs::write(&path, &bytes).unwrap();
        let mut again = QueryCache::open(&path).unwrap();
        let found = (0..20).filter(|key| again.get(Key(*key, *key)) == Some(&sat(*key))).count();
        assert_eq!(found, 18);
        // And it can be written to again.
        again.insert(Key(50, 50), Cached::Unsat);
        assert_eq!(QueryCache::open(&path).unwrap().get(Key(50, 50)), Some(&Cached::Unsat));
    }
}
