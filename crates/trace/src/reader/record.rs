//! The trace that the engine makes for a run.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::ptr;

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use super::spare;
use super::{Error, Trace};
use crate::layout::{
    DATA_CAPACITY, DATA_OFFSET, FILE_SIZE, Header, MAGIC, OPTION_CONCRETE_MEMORY, OPTION_SELFCHECK, PARTS_CAPACITY,
    PARTS_OFFSET, Part, PartKind, VERSION,
};

/// An input that the engine knows before the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPart {
    /// What it is.
    pub kind: PartKind,
    /// Path or name, as it is shown to people.
    pub name: String,
    /// Device number of a file.
    pub device: u64,
    /// As [`Part::inode`].
    pub inode: u64,
    /// Size in bytes.
    pub len: u64,
    /// Contents that the runtime is given with the trace: those of a buffer.
    pub data: Vec<u8>,
}

/// What a trace is made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether the runtime compares every labelled value with its node's.
    pub selfcheck: bool,
    /// What becomes of addresses that depend on input.
    pub memory: Memory,
    /// Bytes of nodes and events after which the trace ends.
    pub memory_cap: u64,
    /// The inputs.
    pub parts: Vec<NewPart>,
}

/// What becomes of addresses that depend on input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Memory {
    /// What they refer to is followed, as far as it is known and not too much.
    #[default]
    Precise,
    /// They are pinned.
    Concrete,
}

/// A trace that is being written by a run.
#[derive(Debug)]
pub struct Recording {
    file: File,
}

/// Makes the trace for a run: a sparse file in memory, with the header and the input parts filled in.
pub fn create(options: &Options) -> Result<Recording, Error> {
    let system = |action| move |error: rustix::io::Errno| Error::System { action, source: error.into() };
    if options.parts.len() > PARTS_CAPACITY as usize {
        return Err(Error::TooManyParts(options.parts.len()));
    }
    let file = match spare::take() {
        Some(file) => file,
        None => {
            let file = memfd_create("provoke-trace", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
                .map_err(system("make the trace in memory"))?;
            ftruncate(&file, FILE_SIZE).map_err(system("give the trace its size"))?;
            // From here on the program cannot take away pages that the engine is going to read.
            fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW)
                .map_err(system("seal the size of the trace"))?;
            File::from(file)
        }
    };
    let recording = Recording { file };
    recording.fill(options)?;
    Ok(recording)
}

impl Recording {
    fn fill(&self, options: &Options) -> Result<(), Error> {
        let len = PARTS_OFFSET as usize + options.parts.len() * size_of::<Part>();
        let map = MmapOptions::new().len(len).map_raw(&self.file);
        let map: MmapRaw = map.map_err(|source| Error::System { action: "map the trace", source })?;
        let header = map.as_mut_ptr().cast::<Header>();
        let mut flags = if options.selfcheck { OPTION_SELFCHECK } else { 0 };
        if options.memory == Memory::Concrete {
            flags |= OPTION_CONCRETE_MEMORY;
        }
        // SAFETY: the map starts with a header, is aligned to pages, and nobody else knows of the file yet.
        unsafe {
            (*header).magic = MAGIC;
            (*header).version = VERSION;
            (*header).options = flags;
            (*header).memory_cap = options.memory_cap;
            *(*header).parts.get_mut() = options.parts.len() as u32;
        }
        let mut next_data = DATA_OFFSET;
        for (index, part) in options.parts.iter().enumerate() {
            let data_offset = if part.data.is_empty() { 0 } else { next_data };
            if data_offset != 0 {
                next_data += part.data.len() as u64;
                let too_large = next_data > DATA_OFFSET + DATA_CAPACITY;
                let written = match too_large {
                    true => Err(std::io::ErrorKind::FileTooLarge.into()),
                    false => self.file.write_all_at(&part.data, data_offset),
                };
                written.map_err(|source| Error::System { action: "give the program its buffers", source })?;
            }
            let name = part.name.as_bytes();
            let mut bytes = [0; 4056];
            let start = bytes.get_mut(..name.len()).ok_or(Error::NameTooLong(name.len()))?;
            start.copy_from_slice(name);
            let part = Part {
                kind: part.kind as u32,
                name_len: name.len() as u32,
                device: part.device,
                inode: part.inode,
                len: part.len,
                data_offset,
                name: bytes,
            };
            // SAFETY: `len` above has room for every part, at an aligned place.
            unsafe {
                let place = map.as_mut_ptr().add(PARTS_OFFSET as usize + index * size_of::<Part>());
                ptr::write(place.cast::<Part>(), part);
            }
        }
        Ok(())
    }

    /// Where another process of the same user finds the trace, as long as this one lives.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()))
    }

    /// Reads what was traced: a copy, which is checked after it was made. Every process of the run should be gone. If so, the
    /// memory is used for another trace.
    pub fn finish(self) -> Result<Trace, Error> {
        let trace = Trace::from_file(&self.file)?;
        spare::keep(self.file, trace.size());
        Ok(trace)
    }
}
