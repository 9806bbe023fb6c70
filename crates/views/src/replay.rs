//! The replay view: AddressSanitizer, a guard for every check, counters of edges.

use crate::bitcode::{Bitcode, Effort};
use crate::{BitcodeError, Error};
use cc::bundle::Program;
use cc::elf::{NewSection, add_sections};
use instrument::annotate::{annotate, keep_reads};
use instrument::{
    call_as_optimised, check_addresses, copy_without_fortification, count_edges, guard_allocations, guard_checks,
    guard_formats, guard_printed, keep_calls_apart, prepare, recursive_functions, use_models, watch_library,
};
use refine::Specification;
use std::fs::File;
use std::path::Path;
use tempfile::TempDir;
use trace::rule::{Rule, RuleSet};
use trace::sites::{Site, SiteTable};

/// What guards and AddressSanitizer report to: `replay/runtime.c`.
const RUNTIME: &[u8] = include_bytes!(env!("PROVOKE_REPLAY_RUNTIME"));

/// Attributes of functions: an access through a null pointer is one that happens, not one that optimisation may take as
/// impossible; branches stay branches.
const FLAGS: [&str; 2] = ["null_pointer_is_valid", "optforfuzzing"];

/// Further attributes: every caller is on the stack when a violation happens, and every stack can be walked; calls of
/// library functions, which the sanitizer stands in for, stay calls.
const ATTRIBUTES: [(&str, &str); 3] = [("frame-pointer", "all"), ("disable-tail-calls", "true"), ("no-builtins", "")];

/// Enough to make the program fast, and nothing that makes one piece of code out of two: each has its own line.
const OPTIMISATION: &str = "always-inline,cgscc(inline),globaldce,function(sroa,early-cse<memssa>,\
     instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)";

/// Functions that `replay/lookup.c` stands in front of.
const LOOKUPS: [&str; 2] = ["dlsym", "dlvsym"];

/// Annotates a module and lets it count edges. Both views that count them do it in the same way, so that an edge has the same
/// number in both. Gives the table of the edges' sites and of the checks.
pub fn counted(
    program: &Program,
    whole: &mut Bitcode,
    rules: RuleSet,
    specification: &Specification,
) -> Result<SiteTable, Error> {
    // What fails because a precondition does not hold is the mistake; only the concolic view looks at preconditions.
    let stated = specification.without_preconditions();
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    let annotated = unsafe { annotate(whole.module(), rules, &stated) }.map_err(Error::Refinements)?;
    let stand_ins = program.stand_ins.iter().map(|module| (module.source.as_str(), module.bitcode.as_slice()));
    // SAFETY: as above.
    whole.link_used(stand_ins, |program, models| unsafe { use_models(program, models) })?;
    // SAFETY: as above.
    unsafe { prepare(whole.module()) };
    FLAGS.iter().for_each(|name| whole.add_function_attribute(name));
    // Checks and counters come before optimisation, which would take away accesses that it can prove nobody needs.
    whole.run_passes("globaldce,function(sroa,break-crit-edges)", "promoting variables")?;
    // SAFETY: as above.
    let recursive = unsafe { recursive_functions(whole.module()) };
    // SAFETY: as above.
    let edges = unsafe { count_edges(whole.module()) };
    // An edge has the site whose number is one above its own: site 0 is unknown.
    let sites = std::iter::once(Site::default()).chain(edges).collect();
    Ok(SiteTable { sites, checks: annotated.checks, recursive, ..SiteTable::default() })
}

/// Generates code, links it with the runtime and adds the table.
pub fn finish(
    program: &Program,
    mut whole: Bitcode,
    sites: &SiteTable,
    flags: &[String],
    out: &Path,
    progress: &dyn Fn(&str),
) -> Result<(), Error> {
    progress("generating code");
    let code = whole.object(Effort::Usual)?;
    drop(whole);
    progress("linking");
    let folder = TempDir::with_prefix("provoke-").map_err(cc::Error::temporary)?;
    let (object, runtime) = (folder.path().join("program.o"), folder.path().join("libreplay.a"));
    std::fs::write(&object, code).map_err(cc::Error::temporary)?;
    std::fs::write(&runtime, RUNTIME).map_err(cc::Error::temporary)?;
    program.relink(&object, &runtime, out, flags)?;
    let encoded = sites.encode().map_err(|error| {
        Error::Bitcode(BitcodeError::Internal { step: "encoding the site table", reason: error.to_string() })
    })?;
    let view = File::options().read(true).write(true).open(out).map_err(Error::file(out))?;
    let section = NewSection { name: trace::sites::SECTION, contents: &encoded };
    add_sections(&view, &[section]).map_err(Error::file(out))
}

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
    let module = whole.module();
    // SAFETY: the module is ours, and nothing else runs on it or its context.
    unsafe { call_as_optimised(module) };
    ATTRIBUTES.iter().for_each(|(name, value)| whole.set_function_attribute(name, value));
    // SAFETY: as above.
    unsafe {
        guard_checks(module);
        guard_allocations(module);
        copy_without_fortification(module);
        watch_library(module);
        guard_printed(module);
        if rules.contains(Rule::FormatString) {
            guard_formats(module);
        }
        check_addresses(module);
        keep_reads(module);
        keep_calls_apart(module);
    }
    if cfg!(debug_assertions) || std::env::var_os("PROVOKE_SELFCHECK").is_some() {
        whole.verify("checking guarded code")?;
    }
    progress("optimising");
    whole.run_passes(OPTIMISATION, "optimising")?;
    finish(program, whole, &sites, &link_flags(program), out, progress)
}

/// What the sanitizer and its fast start need of the linker. A program that wraps the same functions would be called before it is ready.
fn link_flags(program: &Program) -> Vec<String> {
    let is_wrapped = |symbol: &String| LOOKUPS.contains(&symbol.as_str());
    let is_taken = (0..program.images.len()).any(|image| program.wrapped_symbols(image).iter().any(is_wrapped));
    let lookups = LOOKUPS.iter().filter(|_| !is_taken).map(|name| format!("-Wl,--wrap={name}"));
    std::iter::once("-fsanitize=address".to_owned()).chain(lookups).collect()
}
