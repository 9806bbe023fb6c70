//! What the user calls PROG: a program that carries bitcode, a view of one, or a C source file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use trace::sites::{SiteError, SiteTable};

use crate::exit::Failure;

/// A concolic view that is ready to run.
pub struct View {
    /// The file.
    pub path: PathBuf,
    /// Its sites.
    pub sites: SiteTable,
}

/// The concolic view of what the user named.
pub fn concolic(named: &Path) -> Result<View, Failure> {
    match sites(named) {
        Ok(sites) => Ok(View { path: absolute(named)?, sites }),
        Err(error) => Err(Failure::Input(error)),
    }
}

/// A path that is looked up as it is, and not in `PATH`.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(Failure::input)
}

fn sites(view: &Path) -> Result<SiteTable, anyhow::Error> {
    let bytes = fs::read(view).with_context(|| format!("cannot read {}", view.display()))?;
    let table: Result<SiteTable, SiteError> = SiteTable::of_view(&bytes);
    table.with_context(|| view.display().to_string())
}
