//! Calls single functions where an analysis without a run found how they fail.
//!
//! A driver is a C file that includes the source, whose `main` gets another name, and calls the function with parameters and memory as
//! they are on the path. That it fails says that the function does, called so; whether the program ever calls it so, it does not say.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cc::bundle::Program;
use mix::{Driver, Found, PROGRAM_MAIN};
use report::{CommandLine, Finding, Step, Verdict};

use super::confirm::{Runner, Runs, is_at};
use crate::exit::Failure;

/// Drivers that are run at most: each is compiled.
const DRIVERS: usize = 8;

/// Makes and runs drivers for what no input was found for; `folder` is where they are kept, if they are.
pub fn run(
    files: &[PathBuf],
    folder: Option<&Path>,
    found: &[Found],
    findings: &mut [Finding],
    runs: &mut Runs,
    interrupt: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let scratch = tempfile::tempdir().map_err(cc::Error::temporary).map_err(Failure::input)?;
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(Failure::input)?;
    }
    let open = found.iter().zip(findings).filter(|(_, finding)| finding.verdict == Verdict::NotRun);
    let drivers = open.filter_map(|(found, finding)| Some((found.driver.as_ref()?, finding)));
    for (number, (driver, finding)) in (1..).zip(drivers).take(DRIVERS) {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Some((source, others)) = split(files, driver) else { continue };
        let Ok(source) = std::path::absolute(source) else { continue };
        let path = folder.unwrap_or(scratch.path()).join(format!("driver-{number}.c"));
        fs::write(&path, text(&source, driver)).map_err(Failure::input)?;
        let mut flags: Vec<OsString> = vec![format!("-Dmain={PROGRAM_MAIN}").into(), "-w".into()];
        flags.extend(others.map(|file| file.clone().into_os_string()));
        let started = Instant::now();
        let Ok(program) = Program::open_source(&path, &flags) else {
            // What cannot be named outside its function makes a driver that does not compile, and is of no use to anybody.
            fs::remove_file(&path).map_err(Failure::input)?;
            continue;
        };
        let runner = Runner::new(&program, &path, interrupt)?;
        runs.making += started.elapsed();
        let started = Instant::now();
        let outcome = runner.run(&mix::Input::default())?;
        runs.running += started.elapsed();
        if is_at(&outcome, finding) == Some(Verdict::Confirmed) {
            let text = format!("a driver has called `{}` so, and this happened", driver.function);
            finding.path.push(Step { position: finding.position.clone(), text });
            if folder.is_some() && files.len() == 1 {
                finding.reproduce = CommandLine::new(["provoke".as_ref(), "replay".as_ref(), path.as_os_str()]);
            }
        } else if folder.is_some() {
            fs::remove_file(&path).map_err(Failure::input)?;
        }
    }
    Ok(())
}

/// The file that a driver includes, and all others.
fn split<'a>(files: &'a [PathBuf], driver: &Driver) -> Option<(&'a PathBuf, impl Iterator<Item = &'a PathBuf>)> {
    let is_it = |file: &&PathBuf| {
        let same = |a: &Path, b: &Path| fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b));
        cc::bundle::source_language(file).is_some() && same(file, Path::new(&driver.file))
    };
    let source = files.iter().find(is_it)?;
    Some((source, files.iter().filter(move |file| *file != source)))
}

fn text(source: &Path, driver: &Driver) -> String {
    format!(
        "#include <provoke.h>\n#define main {PROGRAM_MAIN}\n#include \"{}\"\n#undef main\n\n{}",
        source.display().to_string().replace('\\', "\\\\").replace('"', "\\\""),
        driver.main
    )
}
