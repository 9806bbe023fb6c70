//! The coverage view: counters of edges and nothing else, so that it is fast. It says what an input reaches; what the input
//! violates is for the replay view to say.

use crate::Error;
use crate::bitcode::Bitcode;
use crate::replay::{counted, finish};
use cc::bundle::Program;
use instrument::drop_checks;
use refine::Specification;
use std::path::Path;
use trace::rule::RuleSet;

pub fn make(
    program: &Program,
    mut whole: Bitcode,
    rules: RuleSet,
    specification: &Specification,
    out: &Path,
    progress: &dyn Fn(&str),
) -> Result<(), Error> {
    progress("instrumenting");
    let sites = counted(program, &mut whole, rules, specification)?;
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    unsafe { drop_checks(whole.module()) };
    progress("optimising");
    whole.run_passes("default<O2>", "optimising")?;
    finish(program, whole, &sites, &[], out, progress)
}
