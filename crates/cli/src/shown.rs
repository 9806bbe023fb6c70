//! Reports, where the user wants them.

use std::io::{IsTerminal, Write};

use report::text::Palette;
use report::{Destination, Report, Sources};

use crate::exit::{self, Failure};

/// Writes a report to files and to standard output. Files first: whoever closes our output still gets them. Whoever has no room for
/// them still gets what was found.
pub fn show(destinations: &[Destination], report: &Report, sources: &dyn Sources) -> Result<(), Failure> {
    let written = write(destinations, report, sources);
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let palette = if colours { Palette::coloured() } else { Palette::plain() };
    let text = report::text::render(report, sources, &palette);
    let mut out = std::io::stdout().lock();
    exit::shown(out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
    written
}

/// Writes a report to files alone.
pub fn write(destinations: &[Destination], report: &Report, sources: &dyn Sources) -> Result<(), Failure> {
    let write = |destination: &Destination| destination.write(report, sources).map_err(Failure::input);
    // One that cannot be written keeps no other from being.
    let done: Vec<Result<(), Failure>> = destinations.iter().map(write).collect();
    done.into_iter().collect()
}
