//! The layout of libFuzzer: files are named by the SHA-1 of their contents.

use std::io;
use std::path::Path;

use sha1_smol::Sha1;

use super::{Corpus, Folder, bytes, item_input};

const CRASH: &str = "crash-";
const TIMEOUT: &str = "timeout-";

pub(super) fn write(folder: &Path, corpus: &Corpus) -> io::Result<()> {
    let mut inputs = Folder::make(folder.join("corpus"), corpus.moment)?;
    for item in &corpus.queue {
        named(&mut inputs, "", bytes(&item_input(item)))?;
    }
    inputs.finish(is_hash)?;
    let mut beside = Folder::make(folder.to_owned(), corpus.moment)?;
    for found in corpus.found {
        named(&mut beside, CRASH, bytes(&found.input))?;
    }
    for item in &corpus.hangs {
        named(&mut beside, TIMEOUT, bytes(&item_input(item)))?;
    }
    beside.finish(|name| [CRASH, TIMEOUT].iter().any(|prefix| name.strip_prefix(prefix).is_some_and(is_hash)))
}

fn named(folder: &mut Folder, prefix: &str, bytes: &[u8]) -> io::Result<()> {
    folder.put(format!("{prefix}{}", Sha1::from(bytes).digest()), bytes)
}

fn is_hash(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
