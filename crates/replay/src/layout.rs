//! The file that a replay view writes its violations to. `crates/views/src/replay/runtime.c` is the other side.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use crate::input::Input;

/// Environment variable with the path of the file.
pub(crate) const VARIABLE: &str = "PROVOKE_REPORT";

const MAGIC: u64 = 0x796c_7065_722d_7670;
const VERSION: u32 = 1;
const PAGE: u64 = 4096;
const RECORDS_OFFSET: u32 = 4096;
const RECORDS_CAPACITY: u32 = 256 << 10;
/// More edges than any program that fits into memory several times over.
const COVERAGE_CAPACITY: u32 = 4 << 20;

/// Places in the header, which consists of 32-bit words behind an 8-byte magic number.
mod word {
    pub(super) const VERSION: usize = 2;
    pub(super) const RECORDS_OFFSET: usize = 4;
    pub(super) const RECORDS_CAPACITY: usize = 5;
    pub(super) const USED: usize = 6;
    pub(super) const LOST: usize = 8;
    pub(super) const SILENT_OFFSET: usize = 9;
    pub(super) const SILENT_COUNT: usize = 10;
    pub(super) const BUFFERS_OFFSET: usize = 11;
    pub(super) const BUFFERS_SIZE: usize = 12;
    pub(super) const COVERAGE_OFFSET: usize = 13;
    pub(super) const COVERAGE_CAPACITY: usize = 14;
    pub(super) const COVERAGE_COUNT: usize = 15;
    pub(super) const STOPPED: usize = 16;
    pub(super) const COUNT: usize = 18;
}

type Header = [u32; word::COUNT];

/// The file, for one run after the other.
pub(crate) struct Report {
    file: File,
    /// What the engine fills in.
    header: Header,
    room: u32,
    dirty: Dirty,
}

/// How much of the file the last run has written to.
#[derive(Default)]
struct Dirty {
    records: usize,
    counters: usize,
}

/// What the file says after a run. Nothing of it is to be believed: the program can write to the file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Records, one behind the other.
    pub(crate) records: Vec<u8>,
    /// Records that found no room.
    pub(crate) lost: u32,
    /// Whether the program's first process was stopped by a violation.
    pub(crate) stopped: bool,
    /// Counters of edges.
    pub(crate) counters: Vec<u8>,
}

/// An argument, and its number: the first one behind the program's name is 1.
pub(crate) type Argument = (u32, OsString);

/// What a view finds in the file: buffers under their names, and arguments under a zero byte and their numbers.
fn pieces<'a>(input: &'a Input, args: &'a [Argument]) -> impl Iterator<Item = (Vec<u8>, &'a [u8])> {
    let buffers = input.buffers().map(|(name, bytes)| (name.as_bytes().to_vec(), bytes));
    let named = |number: u32| [&[0][..], &number.to_ne_bytes()].concat();
    buffers.chain(args.iter().map(move |(number, arg)| (named(*number), arg.as_bytes())))
}

impl Report {
    /// Makes the file, with a bit for each of so many checks and room for so many bytes of buffers.
    pub(crate) fn create(checks: u32, buffers: u32) -> io::Result<Report> {
        let coverage = RECORDS_OFFSET + RECORDS_CAPACITY;
        let silent_offset = coverage + COVERAGE_CAPACITY;
        let buffers_offset = (u64::from(silent_offset) + u64::from(checks) / 8 + 1 + PAGE).next_multiple_of(PAGE);
        let too_large = |_| io::Error::other("more checks than any program has");
        let buffers_offset = u32::try_from(buffers_offset).map_err(too_large)?;
        let mut header: Header = [0; word::COUNT];
        header[0] = MAGIC as u32;
        header[1] = (MAGIC >> 32) as u32;
        header[word::VERSION] = VERSION;
        header[word::RECORDS_OFFSET] = RECORDS_OFFSET;
        header[word::RECORDS_CAPACITY] = RECORDS_CAPACITY;
        header[word::SILENT_OFFSET] = silent_offset;
        header[word::SILENT_COUNT] = checks;
        header[word::BUFFERS_OFFSET] = buffers_offset;
        header[word::COVERAGE_OFFSET] = coverage;
        header[word::COVERAGE_CAPACITY] = COVERAGE_CAPACITY;
        let file = memfd_create("provoke-report", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        // Sparse: what nobody writes to costs nothing.
        ftruncate(&file, u64::from(buffers_offset) + u64::from(buffers) + PAGE)?;
        // Later runs need the pages that a hostile one would take away.
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok(Report { file: File::from(file), header, room: buffers, dirty: Dirty::default() })
    }

    /// How many bytes the buffers of an input and arguments take.
    pub(crate) fn needed(input: &Input, args: &[Argument]) -> io::Result<u32> {
        let sizes = pieces(input, args).map(|(name, bytes)| 8 + name.len() + bytes.len());
        u32::try_from(sizes.sum::<usize>()).map_err(|_| io::Error::other("inputs of more than 4 GiB together"))
    }

    /// Whether they find room.
    pub(crate) fn has_room(&self, input: &Input, args: &[Argument]) -> bool {
        Report::needed(input, args).is_ok_and(|needed| needed <= self.room)
    }

    /// Gets the file ready for a run on an input, with those arguments that its process was not started with. Checks whose bit is set in
    /// `silent` are not reported.
    pub(crate) fn prepare(&mut self, silent: &[u8], input: &Input, args: &[Argument]) -> io::Result<()> {
        let mut buffers = Vec::new();
        for (name, bytes) in pieces(input, args) {
            buffers.extend((name.len() as u32).to_ne_bytes());
            buffers.extend((bytes.len() as u32).to_ne_bytes());
            buffers.extend(name);
            buffers.extend(bytes);
        }
        let dirty = std::mem::take(&mut self.dirty);
        self.file.write_all_at(&vec![0; dirty.records], RECORDS_OFFSET.into())?;
        self.file.write_all_at(&vec![0; dirty.counters], u64::from(RECORDS_OFFSET + RECORDS_CAPACITY))?;
        // All of it each time: a hostile run may have written over it.
        self.header[word::BUFFERS_SIZE] = buffers.len() as u32;
        let header: Vec<u8> = self.header.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.file.write_all_at(&header, 0)?;
        self.file.write_all_at(silent, self.header[word::SILENT_OFFSET].into())?;
        self.file.write_all_at(&buffers, self.header[word::BUFFERS_OFFSET].into())
    }

    /// Where the program finds the file, as long as this process lives.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()))
    }

    /// What the program has written. It is copied: the program could take the file's pages away.
    pub(crate) fn finish(&mut self) -> io::Result<Contents> {
        let mut bytes = [0; word::COUNT * size_of::<u32>()];
        self.read(&mut bytes, 0)?;
        let mut header: Header = [0; word::COUNT];
        for (word, bytes) in header.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_ne_bytes(*bytes);
        }
        let mut records = vec![0; header[word::USED].min(RECORDS_CAPACITY) as usize];
        self.read(&mut records, RECORDS_OFFSET.into())?;
        let mut counters = vec![0; header[word::COVERAGE_COUNT].min(COVERAGE_CAPACITY) as usize];
        self.read(&mut counters, u64::from(RECORDS_OFFSET + RECORDS_CAPACITY))?;
        self.dirty = Dirty { records: records.len(), counters: counters.len() };
        Ok(Contents { records, lost: header[word::LOST], stopped: header[word::STOPPED] != 0, counters })
    }

    /// Reads what there is; the rest stays 0.
    fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let mut done = 0;
        while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, offset + done as u64)? {
                0 => break,
                count => done += count,
            }
        }
        Ok(())
    }
}
