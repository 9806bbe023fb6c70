//! Models of library functions against the library itself: the programs in `tests/libc` call them on arguments out of their
//! input, and must print the same in the concolic view, for many inputs. Those in `tests/libc/flips` compare results; for each
//! comparison an input must be found that makes it true.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use run::{Inputs, Limits};
use testing::case::Case;
use testing::compare::Pair;
use testing::suite::{self, programs};
use testing::toolchain::Toolchain;

/// Inputs for each program.
const INPUTS: u64 = 25;
/// Bytes of an input.
const LENGTH: usize = 400;

fn main() -> ExitCode {
    suite::main(trials())
}

fn trials() -> Result<Vec<Trial>> {
    let trial = |(name, path): (String, PathBuf), run: fn(&Path) -> Result<()>| {
        Trial::test(name, move || run(&path).map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let compared = programs("libc")?.into_iter().map(|program| trial(program, compare));
    let flipped = programs("libc/flips")?.into_iter().map(|program| trial(program, flip));
    Ok(compared.chain(flipped).collect())
}

/// Bytes that look random and are the same each time.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..LENGTH).map(|_| next()).collect()
}

/// What a program is compiled with.
fn flags(case: Case) -> Vec<String> {
    ["-O0", "-w"].into_iter().map(str::to_owned).chain(case.cflags).collect()
}

fn compare(path: &Path) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let work = tempfile::Builder::new().prefix("provoke-libc-").tempdir()?;
    let (native, view, stdin) = (work.path().join("program"), work.path().join("view"), work.path().join("input"));
    toolchain.compile(path, &flags(Case::read(path)?), &native)?;
    toolchain.view(&native, &view)?;
    for seed in 0..INPUTS {
        std::fs::write(&stdin, bytes(seed))?;
        let inputs = Inputs { stdin: Some(stdin.clone()), ..Inputs::default() };
        let limits = Limits::default();
        let pair = Pair { native: native.clone(), view: view.clone(), args: Vec::new(), inputs, limits };
        let traced = pair.traced()?;
        let problems = pair.problems(&traced)?;
        ensure!(problems.is_empty(), "input {seed} of {}:\n{}", path.display(), problems.join("\n"));
    }
    Ok(())
}

fn flip(path: &Path) -> Result<()> {
    let source = std::fs::read_to_string(path)?;
    let wanted: BTreeSet<u32> = source.split("WANT(").filter_map(|rest| rest.split(',').next()?.parse().ok()).collect();
    let case = Case::read(path)?;
    let toolchain = Toolchain::find()?;
    let work = tempfile::Builder::new().prefix("provoke-libc-").tempdir()?;
    let (native, stdin) = (work.path().join("program"), work.path().join("input"));
    std::fs::write(&stdin, case.stdin.clone().context("a program without input")?)?;
    toolchain.compile(path, &flags(case), &native)?;
    let mut command = Command::new(&toolchain.provoke);
    command.current_dir(work.path()).env("PROVOKE_SELFCHECK", "1").arg("trace").arg(&native);
    // Whether an input is found is nothing that a busy machine may decide.
    command.args(["--limit", "time=600,query-time=600", "--flip", "flips", "--stdin"]).arg(&stdin);
    let output = command.output()?;
    ensure!(output.status.success(), "{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(work.path().join("flips"))? {
        let input = std::fs::File::open(entry?.path())?;
        let output = Command::new(&native).stdin(input).stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        seen.extend(text.lines().filter_map(|line| line.strip_prefix("got ")?.parse::<u32>().ok()));
    }
    let missing: Vec<&u32> = wanted.difference(&seen).collect();
    ensure!(missing.is_empty(), "no input was found for {missing:?} of {}", path.display());
    Ok(())
}
