//! The command under test.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The `provoke` command.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Its path.
    pub provoke: PathBuf,
}

impl Toolchain {
    /// The command that `PROVOKE` names, or the one that was built together with this executable.
    pub fn find() -> Result<Toolchain> {
        if let Some(path) = std::env::var_os("PROVOKE") {
            return Ok(Toolchain { provoke: path.into() });
        }
        let own = std::env::current_exe().context("cannot find this executable")?;
        let found = own.ancestors().skip(1).take(2).map(|folder| folder.join("provoke")).find(|path| path.is_file());
        let provoke = found.context("there is no provoke beside the tests: build it first (make test does)")?;
        Ok(Toolchain { provoke })
    }

    /// Compiles one source file to a program that carries its bitcode.
    pub fn compile(&self, source: &Path, flags: &[String], program: &Path) -> Result<()> {
        let driver = if source.extension().is_some_and(|extension| extension == "cpp") { "c++" } else { "cc" };
        let mut command = Command::new(&self.provoke);
        command.arg(driver).arg("-g").args(flags).arg(source).arg("-o").arg(program);
        run(command)
    }

    /// Makes the concolic view of a program.
    pub fn view(&self, program: &Path, view: &Path) -> Result<()> {
        let mut command = Command::new(&self.provoke);
        command.args(["view", "concolic"]).arg(program).arg("-o").arg(view);
        // Where views are kept is the current folder's business, and a test leaves nothing behind.
        if let Some(folder) = view.parent() {
            command.current_dir(folder);
        }
        run(command)
    }
}

fn run(mut command: Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
