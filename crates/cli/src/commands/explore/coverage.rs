//! Which lines were reached, in the form of lcov.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use report::FileCoverage;
use store::Campaign;
use trace::sites::SiteTable;

use crate::exit::Failure;

/// Which lines were reached: a line counts if an edge to it was taken. Lines that no edge leads to are left out.
pub fn files(campaign: &Campaign, sites: &SiteTable) -> Result<Vec<FileCoverage>, Failure> {
    Ok(reached(&campaign.edges().map_err(Failure::input)?, sites))
}

fn reached(edges: &[u64], sites: &SiteTable) -> Vec<FileCoverage> {
    let mut files: BTreeMap<&str, BTreeMap<u32, bool>> = BTreeMap::new();
    // Edge N leads to site N + 1.
    for (edge, site) in (0..).zip(sites.sites.iter().skip(1)) {
        let is_taken = edges.binary_search(&edge).is_ok();
        let Some(position) = site.positions.first().filter(|p| !p.file.is_empty() && p.line > 0) else { continue };
        *files.entry(&position.file).or_default().entry(position.line).or_default() |= is_taken;
    }
    let file = |(file, lines): (&str, BTreeMap<u32, bool>)| FileCoverage {
        file: file.to_owned(),
        lines: lines.into_iter().collect(),
    };
    files.into_iter().map(file).collect()
}

/// Writes `coverage.info`.
pub fn write(folder: &Path, files: &[FileCoverage]) -> Result<(), Failure> {
    let file = folder.join("coverage.info");
    let written = fs::write(&file, text(files));
    written.with_context(|| format!("cannot write {}", file.display())).map_err(Failure::Input)
}

fn text(files: &[FileCoverage]) -> String {
    let mut text = String::from("TN:\n");
    for FileCoverage { file, lines } in files {
        // A name cannot end a line in this form.
        let _ = writeln!(text, "SF:{}", file.replace(['\n', '\r'], " "));
        for (line, is_taken) in lines {
            let _ = writeln!(text, "DA:{line},{}", u8::from(*is_taken));
        }
        let hit = lines.iter().filter(|(_, is_taken)| *is_taken).count();
        let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use trace::sites::{Position, Site};

    use super::*;

    #[test]
    fn lines_are_taken_or_not() {
        let site = |file: &str, line: u32| {
            let position = Position { file: file.to_owned(), line, ..Position::default() };
            Site { positions: vec![position], ..Site::default() }
        };
        let sites = vec![Site::default(), site("b.c", 3), site("a.c", 7), site("a.c", 7), site("a.c", 9), site("", 1)];
        let sites = SiteTable { sites, ..SiteTable::default() };
        let expected = "TN:\nSF:a.c\nDA:7,1\nDA:9,0\nLF:2\nLH:1\nend_of_record\n\
            SF:b.c\nDA:3,0\nLF:1\nLH:0\nend_of_record\n";
        assert_eq!(text(&reached(&[2], &sites)), expected);
    }
}
