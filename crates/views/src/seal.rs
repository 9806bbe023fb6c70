//! What stands at the end of a view in the cache and shows that it is as it was made. No loader looks there.

use cc::checksum;
use std::fs::{self, File};
use std::io::{Result, Write};
use std::path::Path;

const MAGIC: &[u8] = b"PVKSEAL1";

/// Seals a view that is complete.
pub fn add(view: &Path) -> Result<()> {
    let checksum = checksum::of(&[&fs::read(view)?]);
    File::options().append(true).open(view)?.write_all(&[MAGIC, &checksum].concat())
}

/// Whether a view is there and as it was when it was sealed.
pub fn is_whole(view: &Path) -> bool {
    let is_sealed = |bytes: &[u8]| {
        let (rest, checksum) = bytes.split_last_chunk::<{ checksum::SIZE }>()?;
        let contents = rest.strip_suffix(MAGIC)?;
        Some(checksum::of(&[contents]) == *checksum)
    };
    fs::read(view).is_ok_and(|bytes| is_sealed(&bytes) == Some(true))
}
