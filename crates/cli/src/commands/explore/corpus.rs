//! The inputs of a campaign as files, in the layouts of other tools.

mod afl;
pub mod ktest;
mod libfuzzer;
mod minimal;

use std::fs;
use std::path::Path;

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
}

/// Writes a campaign's inputs into a folder.
pub fn write(
    folder: &Path,
    campaign: &mut Campaign,
    found: &[Found],
    replayer: &Replayer,
    layout: Layout,
    which: Which,
) -> Result<(), Failure> {
    let mut corpus = Corpus {
        queue: campaign.interesting(0).map_err(Failure::input)?,
        hangs: campaign.hangs().map_err(Failure::input)?,
        found,
        counts: campaign.counts().map_err(Failure::input)?,
        samples: campaign.samples().map_err(Failure::input)?,
        all_edges: replayer.sites().sites.len().saturating_sub(1) as u64,
    };
    if which == Which::Minimal {
        corpus.queue = minimal::minimal(corpus.queue, replayer)?;
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

fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.exists() { Ok(()) } else { fs::write(path, bytes) }
}

fn item_input(item: &Item) -> Input {
    from_store(&item.input)
}
