//! The inputs of a campaign as files, in the folders and under the names of AFL++.

use std::fs;
use std::path::Path;

use anyhow::Context;
use search::explore::from_store;
use store::Campaign;

use super::summary::Found;
use crate::exit::Failure;

/// Writes `queue`, the inputs that reached something new, and `crashes`, those of findings.
pub fn write(folder: &Path, campaign: &Campaign, found: &[Found]) -> Result<(), Failure> {
    let interesting = campaign.interesting().map_err(Failure::input)?;
    let write = || -> std::io::Result<()> {
        let queue = folder.join("queue");
        fs::create_dir_all(&queue)?;
        for (item, score) in &interesting {
            let coverage = if *score > 0 { ",+cov" } else { "" };
            let name = match &item.cut {
                Some(cut) => format!("id:{:06},src:{:06},op:cut,pos:{}{coverage}", item.id, cut.parent, cut.constraint),
                None => format!("id:{:06},orig:seed{coverage}", item.id),
            };
            put(&queue.join(name), &from_store(&item.input))?;
        }
        let crashes = folder.join("crashes");
        fs::create_dir_all(&crashes)?;
        for (index, found) in found.iter().enumerate() {
            let name = format!("id:{index:06},src:{:06},rule:{}", found.root, found.violation.rule);
            put(&crashes.join(name), &found.input)?;
        }
        Ok(())
    };
    write().with_context(|| format!("cannot write to {}", folder.display())).map_err(Failure::Input)
}

/// A file has one input's bytes: those of its first part.
fn put(path: &Path, input: &replay::Input) -> std::io::Result<()> {
    match input.parts.first() {
        Some(part) if !path.exists() => fs::write(path, &part.bytes),
        _ => Ok(()),
    }
}
