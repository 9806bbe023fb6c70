//! `--baseline FILE`.

use std::fs;
use std::path::Path;

use anyhow::Context;
use report::Baseline;

use crate::exit::Failure;

/// Reads an earlier report.
pub fn read(file: &Path) -> Result<Baseline, Failure> {
    let bytes = fs::read(file).with_context(|| file.display().to_string()).map_err(Failure::Input)?;
    Baseline::parse(&bytes).with_context(|| file.display().to_string()).map_err(Failure::Input)
}
