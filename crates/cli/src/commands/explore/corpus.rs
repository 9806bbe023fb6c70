//! The inputs of a campaign as files, in the layouts of other tools.

mod afl;
pub mod ktest;
mod libfuzzer;
mod minimal;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use replay::{Input, Replayer};
use search::explore::from_store;
use store::{Campaign, Counts, Item, Sample};

use super::summary::Found;
use crate::exit::Failure;

/// Folders and names of which tool.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// queue, crashes, hangs, `fuzzer_stats` and `plot_data`
    Afl,
    /// A folder corpus, and crash-HASH and timeout-HASH beside it
    Libfuzzer,
    /// testNUMBER.ktest, and for findings testNUMBER.RULE.err beside it
    Ktest,
}

/// When it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// While others may write more: nothing is removed.
    Meanwhile,
    /// At the end: what an earlier time wrote, and does not belong there any more, goes.
    End,
}

/// Which inputs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All that reached something new when they were made
    All,
    /// So few that together they reach the same
    Minimal,
}

/// What is written.
struct Corpus<'a> {
    /// Inputs that reached something new.
    queue: Vec<Item>,
    /// Inputs that took too long.
    hangs: Vec<Item>,
    found: &'a [Found],
    counts: Counts,
    samples: Vec<Sample>,
    /// Edges that there are.
    all_edges: u64,
    moment: Moment,
}

/// Writes a campaign's inputs into a folder, in the layout that is asked for, or one that has room for all of their parts.
pub fn write(
    folder: &Path,
    campaign: &mut Campaign,
    found: &[Found],
    replayer: &Replayer,
    (layout, which, moment): (Option<Layout>, Which, Moment),
) -> Result<(), Failure> {
    let mut corpus = Corpus {
        queue: campaign.interesting(0).map_err(Failure::input)?,
        hangs: campaign.hangs().map_err(Failure::input)?,
        found,
        counts: campaign.counts().map_err(Failure::input)?,
        samples: campaign.samples().map_err(Failure::input)?,
        all_edges: replayer.sites().sites.len().saturating_sub(1) as u64,
        moment,
    };
    if which == Which::Minimal {
        corpus.queue = minimal::minimal(corpus.queue, replayer)?;
    }
    let several = corpus.queue.iter().any(|item| item.input.parts.len() > 1);
    let layout = layout.unwrap_or(if several { Layout::Ktest } else { Layout::Afl });
    if several && layout != Layout::Ktest && moment == Moment::End {
        eprintln!(
            "provoke: note: these inputs have several parts, and the layout has room for the first; `--layout ktest` keeps all"
        );
    }
    let written = match layout {
        Layout::Afl => afl::write(folder, &corpus),
        Layout::Libfuzzer => libfuzzer::write(folder, &corpus),
        Layout::Ktest => ktest::write(folder, &corpus),
    };
    written.with_context(|| format!("cannot write to {}", folder.display())).map_err(Failure::Input)
}

/// The bytes of an input in a file that has no room for more than one part: those of its first part.
fn bytes(input: &Input) -> &[u8] {
    input.parts.first().map(|part| part.bytes.as_slice()).unwrap_or_default()
}

/// The files of a folder. The campaign may have written some before, when it knew less: of those only what it writes again stays.
struct Folder {
    path: PathBuf,
    moment: Moment,
    written: HashSet<String>,
}

impl Folder {
    fn make(path: PathBuf, moment: Moment) -> io::Result<Folder> {
        fs::create_dir_all(&path)?;
        Ok(Folder { path, moment, written: HashSet::new() })
    }

    fn put(&mut self, name: String, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(&name);
        if !fs::read(&path).is_ok_and(|there| there == bytes) {
            fs::write(path, bytes)?;
        }
        self.written.insert(name);
        Ok(())
    }

    /// Removes what was not written again, of the files that have such names.
    fn finish(self, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
        if self.moment == Moment::Meanwhile {
            return Ok(());
        }
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let is_old = |name: &str| is_ours(name) && !self.written.contains(name);
            if entry.file_type()?.is_file() && entry.file_name().to_str().is_some_and(is_old) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn item_input(item: &Item) -> Input {
    from_store(&item.input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_again_goes() {
        let place = tempfile::tempdir().unwrap();
        for name in ["id:1", "id:2", "notes"] {
            fs::write(place.path().join(name), "before").unwrap();
        }
        let mut folder = Folder::make(place.path().to_owned(), Moment::End).unwrap();
        folder.put("id:2".to_owned(), b"now").unwrap();
        folder.put("id:3".to_owned(), b"new").unwrap();
        folder.finish(|name| name.starts_with("id:")).unwrap();
        let contents = |name: &str| fs::read_to_string(place.path().join(name)).ok();
        assert_eq!(contents("id:1"), None);
        assert_eq!(contents("id:2").as_deref(), Some("now"));
        assert_eq!(contents("id:3").as_deref(), Some("new"));
        assert_eq!(contents("notes").as_deref(), Some("before"), "it is somebody else's");
    }
}
