//! Runs `provoke explore` on the C programs in `tests/explore`, with every strategy.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use testing::findings::checking::explore;
use testing::findings::judge::judge;
use testing::findings::program::Program;
use testing::suite::{self, programs};
use testing::toolchain::Toolchain;

/// All of them are exhaustive.
const STRATEGIES: [&str; 4] = ["generational", "dfs", "bfs", "random"];

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let trial = |(name, path): (String, PathBuf)| {
        Trial::test(name, move || run(&path).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    Ok(programs("explore")?.into_iter().map(trial).collect())
}

fn run(path: &Path) -> Result<()> {
    let program = Program::read(path)?;
    let toolchain = Toolchain::find()?;
    let work = tempfile::Builder::new().prefix("provoke-explore-").tempdir()?;
    for strategy in STRATEGIES {
        let (explored, paths, divergences) = explore(&toolchain, &program, strategy, work.path())?;
        let judged = judge(&program, &explored).message();
        ensure!(judged.is_empty(), "[{strategy}] {judged}");
        let expected = program.paths.unwrap_or(paths);
        ensure!(paths == expected, "[{strategy}] {} has {expected} paths, not {paths}", path.display());
        ensure!((divergences > 0) == program.diverges, "[{strategy}] {divergences} divergences in {}", path.display());
        ensure!(explored.verified == program.verified, "[{strategy}] verified: {}", explored.verified);
    }
    Ok(())
}
