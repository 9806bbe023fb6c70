//! The replay view: AddressSanitizer and edge coverage.

use crate::Error;
use crate::bitcode::{Bitcode, Effort};
use cc::bundle::Program;
use std::path::Path;
use tempfile::TempDir;

pub fn make(program: &Program, mut whole: Bitcode, out: &Path, progress: &dyn Fn(&str)) -> Result<(), Error> {
    progress("instrumenting");
    whole.add_function_attribute("sanitize_address");
    // Little optimisation before the checks: what they look at must still be there.
    whole.run_passes("default<O1>,sancov-module,asan", "inserting address checks")?;
    progress("generating code");
    let folder = TempDir::with_prefix("provoke-").map_err(Error::file(&std::env::temp_dir()))?;
    let object = folder.path().join("program.o");
    whole.emit_object(&object, Effort::Usual)?;
    drop(whole);
    progress("linking");
    program.relink(&object, Path::new(""), out, &["-fsanitize=address".to_owned()]).map_err(Error::from)
}
