//! Runs `provoke explore` on the C programs in `tests/explore`, with every strategy.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use testing::findings::checking::explore;
use testing::findings::judge::judge;
use testing::findings::program::Program;
use testing::toolchain::Toolchain;

/// All of them are exhaustive.
const STRATEGIES: [&str; 4] = ["generational", "dfs", "bfs", "random"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explore");
    let folder = folder.canonicalize().with_context(|| format!("there is no {}", folder.display()))?;
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let name = format!("explore/{}", path.file_name().unwrap_or_default().to_string_lossy());
            trials.push(Trial::test(name, move || run(&path).map_err(|error| Failed::from(format!("{error:#}")))));
        }
    }
    trials.sort_by(|left, right| left.name().cmp(right.name()));
    Ok(trials)
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
