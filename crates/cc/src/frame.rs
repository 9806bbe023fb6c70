//! Frames: what an object carries, in a form that survives being concatenated by linkers.
//!
//! A frame starts with a magic number, a version, its kind, the lengths of payload and name, and a checksum of all but the magic
//! number; then come name and payload. It is padded with zeros to [`ALIGNMENT`], which is also the alignment of the section: `ld` puts the sections of several
//! objects behind each other and adds at most zeros between them.

use crate::checksum;

/// Name of the section that holds frames.
pub const SECTION: &str = ".provoke.bc";
/// Frames start at multiples of this.
pub const ALIGNMENT: usize = 16;

const MAGIC: [u8; 8] = *b"PVKFRAME";
const VERSION: u32 = 2;
/// Where the checksum is; it covers what is between the magic number and this.
const CHECKSUM: usize = 32;
const HEADER_SIZE: usize = CHECKSUM + checksum::SIZE;

/// What a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Raw bitcode of a translation unit.
    Bitcode = 1,
    /// An object file for which there is no bitcode (assembler, say). It carries itself, so that it reaches the final
    /// program exactly when the linker takes it.
    Object = 2,
}

/// One thing that an object carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// What it is.
    pub kind: Kind,
    /// The source file, as it was named on the command line.
    pub name: String,
    /// Bitcode or object file.
    pub payload: &'a [u8],
}

/// Why frames could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// Bytes that are neither padding nor a frame.
    #[error("no frame at offset {0}")]
    NoFrame(usize),
    /// Made by another version.
    #[error("it has the form {0} of another version of Provoke, not the form {VERSION}")]
    Version(u32),
    /// A kind of frame that is not known.
    #[error("frame of unknown kind {0}")]
    Kind(u32),
    /// The section ends within a frame.
    #[error("frame at offset {0} is cut off")]
    CutOff(usize),
    /// Bytes have changed since it was made.
    #[error("the checksum of the frame at offset {0} is wrong")]
    Changed(usize),
}

impl Frame<'_> {
    /// Appends the frame to the contents of a section.
    pub fn write(&self, section: &mut Vec<u8>) {
        let padded = section.len().next_multiple_of(ALIGNMENT);
        section.resize(padded, 0);
        let mut header = Vec::with_capacity(HEADER_SIZE);
        header.extend_from_slice(&MAGIC);
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&(self.kind as u32).to_le_bytes());
        header.extend_from_slice(&(self.payload.len() as u64).to_le_bytes());
        header.extend_from_slice(&(self.name.len() as u64).to_le_bytes());
        let described = header.get(MAGIC.len()..).unwrap_or_default();
        let checksum = checksum::of(&[described, self.name.as_bytes(), self.payload]);
        section.extend_from_slice(&header);
        section.extend_from_slice(&checksum);
        section.extend_from_slice(self.name.as_bytes());
        section.extend_from_slice(self.payload);
        section.resize(section.len().next_multiple_of(ALIGNMENT), 0);
    }
}

/// All frames of a section.
///
/// # Errors
/// If the bytes are not frames; what came before the damage is not returned.
pub fn read(section: &[u8]) -> Result<Vec<Frame<'_>>, FrameError> {
    let mut frames = Vec::new();
    let mut offset = 0;
    while let Some(rest) = section.get(offset..).filter(|rest| !rest.is_empty()) {
        // Padding that a linker put in may have any length, if it was told to align differently.
        if rest[0] == 0 {
            offset += 1;
            continue;
        }
        let (frame, size) = read_one(rest, offset)?;
        frames.push(frame);
        offset += size;
    }
    Ok(frames)
}

fn read_one(bytes: &[u8], offset: usize) -> Result<(Frame<'_>, usize), FrameError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(FrameError::NoFrame(offset));
    }
    let cut_off = FrameError::CutOff(offset);
    let word = |at: usize| -> Result<u32, FrameError> {
        let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or(cut_off)
    };
    let length = |at: usize| -> Result<usize, FrameError> {
        let bytes = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).and_then(|length| usize::try_from(length).ok()).ok_or(cut_off)
    };
    let version = word(8)?;
    if version != VERSION {
        return Err(FrameError::Version(version));
    }
    let kind = match word(12)? {
        1 => Kind::Bitcode,
        2 => Kind::Object,
        other => return Err(FrameError::Kind(other)),
    };
    let payload_length = length(16)?;
    let payload_start = length(24)?.checked_add(HEADER_SIZE).ok_or(cut_off)?;
    let end = payload_start.checked_add(payload_length).ok_or(cut_off)?;
    let name = bytes.get(HEADER_SIZE..payload_start).ok_or(cut_off)?;
    let payload = bytes.get(payload_start..end).ok_or(cut_off)?;
    let described = bytes.get(MAGIC.len()..CHECKSUM).ok_or(cut_off)?;
    let checksum = bytes.get(CHECKSUM..HEADER_SIZE).ok_or(cut_off)?;
    if checksum::of(&[described, name, payload]) != checksum {
        return Err(FrameError::Changed(offset));
    }
    Ok((Frame { kind, name: String::from_utf8_lossy(name).into_owned(), payload }, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind() -> impl Strategy<Value = Kind> {
        prop_oneof![Just(Kind::Bitcode), Just(Kind::Object)]
    }

    proptest! {
        #[test]
        fn concatenated_sections_are_read_back(
            parts in prop::collection::vec((kind(), ".{0,20}", prop::collection::vec(any::<u8>(), 0..100), 0usize..40), 0..6)
        ) {
            let mut section = Vec::new();
            for (kind, name, payload, padding) in &parts {
                let mut one = Vec::new();
                Frame { kind: *kind, name: name.clone(), payload }.write(&mut one);
                section.extend_from_slice(&one);
                section.resize(section.len() + padding, 0);
            }
            let frames = read(&section).unwrap();
            prop_assert_eq!(frames.len(), parts.len());
            for (frame, (kind, name, payload, _)) in frames.iter().zip(&parts) {
                prop_assert_eq!(frame, &Frame { kind: *kind, name: name.clone(), payload });
            }
        }

        #[test]
        fn damaged_sections_are_errors_and_nothing_else(
            payload in prop::collection::vec(any::<u8>(), 0..64), at in any::<prop::sample::Index>(), byte in any::<u8>(),
            keep in any::<prop::sample::Index>()
        ) {
            let mut section = Vec::new();
            let frame = Frame { kind: Kind::Bitcode, name: "a.c".into(), payload: &payload };
            frame.write(&mut section);
            let index = at.index(section.len());
            section[index] = byte;
            section.truncate(keep.index(section.len() + 1));
            // The first frame that is read is the one that was written, or there is none.
            let read = read(&section);
            prop_assert!(read.is_err() || read == Ok(Vec::new()) || read == Ok(vec![frame]), "{read:?}");
        }
    }

    #[test]
    fn a_cut_off_frame_is_noticed() {
        let mut section = Vec::new();
        Frame { kind: Kind::Bitcode, name: "a.c".into(), payload: &[7; 100] }.write(&mut section);
        assert_eq!(read(&section[..64]), Err(FrameError::CutOff(0)));
        assert_eq!(read(b"something else"), Err(FrameError::NoFrame(0)));
    }

    #[test]
    fn a_changed_frame_is_noticed() {
        let mut section = Vec::new();
        Frame { kind: Kind::Bitcode, name: "a.c".into(), payload: &[7; 100] }.write(&mut section);
        for at in CHECKSUM..HEADER_SIZE + 3 + 100 {
            let mut changed = section.clone();
            changed[at] ^= 1;
            assert_eq!(read(&changed), Err(FrameError::Changed(0)), "byte {at}");
        }
        section[MAGIC.len()] = 1;
        assert_eq!(read(&section), Err(FrameError::Version(1)));
    }
}
