//! Functions that are called by a driver, with arguments out of standard input.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use refine::UnitName;

use crate::exit::Failure;
use crate::target::Target;

/// Says, in the folder of a campaign, which function its inputs are for.
const MARK: &str = "driven-unit";

/// What a campaign starts from if nobody says: nothing but zeros, more of them than arguments need.
const ZEROS: (&str, usize) = ("zeros", 1024);

/// The function that tests are for, if a campaign made them for one.
pub fn of_tests(tests: &Path) -> Result<Option<UnitName>, Failure> {
    let folder = fs::canonicalize(tests).unwrap_or_else(|_| tests.to_owned());
    let mark = folder.parent().unwrap_or(&folder).join(MARK);
    match fs::read_to_string(&mark) {
        Ok(text) => Ok(Some(UnitName::parse(text.trim()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Input(anyhow::Error::new(error).context(mark.display().to_string()))),
    }
}

/// Says in the folder of a campaign what its inputs are for, and gives it something to start from if it has nothing.
pub fn prepare(out: &Path, unit: &str, target: &Target, has_seeds: bool) -> Result<Target, Failure> {
    let cannot = |file: &Path| format!("cannot write {}", file.display());
    let write = |file: PathBuf, bytes: &[u8]| -> Result<PathBuf, Failure> {
        fs::write(&file, bytes).with_context(|| cannot(&file)).map_err(Failure::Input)?;
        Ok(file)
    };
    write(out.join(MARK), unit.as_bytes())?;
    if has_seeds || target.inputs().stdin.is_some() {
        return Ok(target.clone());
    }
    let (name, length) = ZEROS;
    Ok(target.with_stdin(write(out.join(name), &vec![0; length])?))
}
