//! Checksums of what files carry: LLVM trusts bitcode, and a linker objects, so damage has to be noticed before they read it.

/// Bytes of a checksum: enough for accidents, and nobody guards against more.
pub const SIZE: usize = 8;

/// The checksum of all parts, one behind the other.
pub fn of(parts: &[&[u8]]) -> [u8; SIZE] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let mut checksum = [0; SIZE];
    hasher.finalize_xof().fill(&mut checksum);
    checksum
}
