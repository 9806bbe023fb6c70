//! The concolic view: labels and events.

use crate::bitcode::{Bitcode, Effort};
use crate::models::MODELS;
use crate::{BitcodeError, Error};
use cc::bundle::Program;
use cc::elf::{NewSection, add_sections};
use instrument::annotate::{annotate, check_copies, keep_accesses, keep_reads};
use instrument::{drop_looks_at_strings, observe_formats, observe_printed, use_models};
use refine::Specification;
use std::fs::File;
use std::path::Path;
use tempfile::TempDir;
use trace::rule::{Rule, RuleSet};

/// The runtime that the view is linked with.
const RUNTIME: &[u8] = include_bytes!(env!("PROVOKE_RUNTIME"));

/// Attribute that keeps switches from becoming tables of their results.
const NO_TABLES: &str = "no-jump-tables";

/// What a string that is read too far violates.
const READS: [Rule; 4] =
    [Rule::StackBufferOverflow, Rule::HeapBufferOverflow, Rule::GlobalBufferOverflow, Rule::NullDeref];

pub fn make(
    program: &Program,
    mut whole: Bitcode,
    rules: RuleSet,
    specification: &Specification,
    out: &Path,
    progress: &dyn Fn(&str),
) -> Result<(), Error> {
    progress("optimising");
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    let mut annotated = unsafe { annotate(whole.module(), rules, specification) }.map_err(Error::Refinements)?;
    // SAFETY: as above.
    unsafe {
        check_copies(whole.module(), rules, &mut annotated);
        drop_looks_at_strings(whole.module());
    }
    if !rules.is_empty() {
        // SAFETY: as above.
        unsafe {
            keep_accesses(whole.module());
            keep_reads(whole.module());
        }
    }
    if READS.iter().any(|rule| rules.contains(*rule)) {
        // SAFETY: as above.
        unsafe { observe_printed(whole.module()) };
    }
    if rules.contains(Rule::FormatString) {
        // SAFETY: as above.
        unsafe { observe_formats(whole.module()) };
    }
    // The user's come first: what they define is not looked for among ours.
    let given = program.models.iter().chain(&program.stand_ins);
    let given: Vec<(&str, &[u8])> = given.map(|model| (model.source.as_str(), model.bitcode.as_slice())).collect();
    for models in [given, MODELS.iter().map(|model| (model.file, model.bitcode)).collect()] {
        // SAFETY: as above.
        let linked = whole.link_used(models, |program, models| unsafe { use_models(program, models) });
        linked.map_err(|error| blame(program, error))?;
    }
    // Keeps the program's branches: a choice made by arithmetic gives no constraint, and symbolic addresses in its place.
    whole.add_function_attribute("optforfuzzing");
    // So does this, for switches; code is generated with jump tables again.
    whole.set_function_attribute(NO_TABLES, "true");
    if !rules.is_empty() {
        // A branch that leaves a pointer null before it is used is not one that never happens.
        whole.add_function_attribute("null_pointer_is_valid");
    }
    whole.run_passes("default<O2>", "optimising")?;
    whole.set_function_attribute(NO_TABLES, "false");
    progress("instrumenting");
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    let mut instrumented = unsafe { instrument::concolic(whole.module()) };
    instrumented.sites.checks = annotated.checks;
    instrumented.sites.units = annotated.units;
    let cold = whole.adopt(instrumented.cold).serialised();
    if cfg!(debug_assertions) || std::env::var_os("PROVOKE_SELFCHECK").is_some() {
        whole.verify("checking instrumented code")?;
    }
    // The masks of labels become registers.
    whole.run_passes("function(mem2reg)", "promoting masks")?;
    progress("generating code");
    let (code, cold_code) = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut cold = Bitcode::link([("labels", cold.as_slice())], |_, _| {})?;
            cold.verify("checking the code of labels")?;
            cold.object(Effort::Little)
        });
        let code = whole.object(Effort::Usual)?;
        let cold_code = other.join().unwrap_or_else(|_| {
            let reason = "a thread panicked".to_owned();
            Err(BitcodeError::Internal { step: "generating the code of labels", reason })
        })?;
        Ok((code, cold_code))
    })
    .map_err(|error| blame(program, error))?;
    drop(whole);
    progress("linking");
    let folder = TempDir::with_prefix("provoke-").map_err(cc::Error::temporary)?;
    let file = |name: &str| folder.path().join(name);
    let (object, cold_object, runtime) = (file("program.o"), file("labels.o"), file("librt.a"));
    for (file, contents) in [(&object, code.as_slice()), (&cold_object, &cold_code), (&runtime, RUNTIME)] {
        std::fs::write(file, contents).map_err(cc::Error::temporary)?;
    }
    program.relink(&object, &runtime, out, &[cold_object.display().to_string()])?;
    let encoded = instrumented.sites.encode().map_err(|error| {
        Error::Bitcode(BitcodeError::Internal { step: "encoding the site table", reason: error.to_string() })
    })?;
    let view = File::options().read(true).write(true).open(out).map_err(Error::file(out))?;
    let section = NewSection { name: trace::sites::SECTION, contents: &encoded };
    add_sections(&view, &[section]).map_err(Error::file(out))
}

/// What does not go together is the user's affair where models of the user's are among it: ours go with every program.
fn blame(program: &Program, error: BitcodeError) -> BitcodeError {
    match error {
        BitcodeError::Internal { reason, .. } if !program.models.is_empty() => {
            let files: Vec<&str> = program.models.iter().map(|model| model.source.as_str()).collect();
            BitcodeError::Models { files: files.join(", "), reason }
        }
        error => error,
    }
}
