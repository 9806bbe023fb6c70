//! The replay view: AddressSanitizer, with clang's own runtime.

use crate::Error;
use crate::bitcode::{Bitcode, Effort};
use cc::bundle::Program;
use instrument::annotate::annotate;
use std::path::Path;
use tempfile::TempDir;
use trace::rule::RuleSet;

/// An archive without members: clang brings the sanitizer's runtime, and there is none of ours.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

pub fn make(
    program: &Program,
    mut whole: Bitcode,
    rules: RuleSet,
    out: &Path,
    progress: &dyn Fn(&str),
) -> Result<(), Error> {
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    let _checks = unsafe { annotate(whole.module(), &|check| check.is_wanted(rules)) };
    progress("instrumenting");
    whole.add_function_attribute("sanitize_address");
    // The checks come before optimisation, which would take away accesses that it can prove nobody needs.
    whole.run_passes("function(sroa),asan,default<O1>", "inserting address checks")?;
    progress("generating code");
    let folder = TempDir::with_prefix("provoke-").map_err(Error::file(&std::env::temp_dir()))?;
    let object = folder.path().join("program.o");
    whole.emit_object(&object, Effort::Usual)?;
    drop(whole);
    progress("linking");
    let runtime = folder.path().join("none.a");
    std::fs::write(&runtime, EMPTY_ARCHIVE).map_err(Error::file(&runtime))?;
    program.relink(&object, &runtime, out, &["-fsanitize=address".to_owned()]).map_err(Error::from)
}
