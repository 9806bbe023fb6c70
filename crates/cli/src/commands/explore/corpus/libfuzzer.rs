//! The layout of libFuzzer: files are named by the SHA-1 of their contents.

use std::fs;
use std::io;
use std::path::Path;

use sha1_smol::Sha1;

use super::{Corpus, bytes, item_input, put};

pub(super) fn write(folder: &Path, corpus: &Corpus) -> io::Result<()> {
    let inputs = folder.join("corpus");
    fs::create_dir_all(&inputs)?;
    for item in &corpus.queue {
        named(&inputs, "", bytes(&item_input(item)))?;
    }
    for found in corpus.found {
        named(folder, "crash-", bytes(&found.input))?;
    }
    for item in &corpus.hangs {
        named(folder, "timeout-", bytes(&item_input(item)))?;
    }
    Ok(())
}

fn named(folder: &Path, prefix: &str, bytes: &[u8]) -> io::Result<()> {
    put(&folder.join(format!("{prefix}{}", Sha1::from(bytes).digest())), bytes)
}
