//! Makes instrumented variants of a program from the bitcode that it carries.
//!
//! A view is made in five steps: all modules are linked into one, optimised, instrumented, turned into an object, and
//! linked the way the program itself was, with a runtime. Finished views are kept in a folder of the project, under
//! a hash of everything that they were made from.
//!
//! This crate knows LLVM and the file system. It knows nothing of traces, terms or solving.

mod bitcode;
mod cache;
mod concolic;
mod coverage;
mod models;
mod replay;
mod seal;
mod wrapping;

pub use bitcode::Error as BitcodeError;
pub use cache::Cache;
pub use models::{MODELS, Model};

use bitcode::Bitcode;
use cc::bundle::{Module, Program};
use instrument::annotate::RefinementError;
use llvm_sys::prelude::LLVMModuleRef;
use refine::Specification;
use std::path::{Path, PathBuf};
use trace::abi::MODEL_PREFIX;
use trace::rule::RuleSet;

/// Which variant of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Labels and events, with checks of these rules.
    Concolic(RuleSet),
    /// AddressSanitizer, and tests of the same checks.
    Replay(RuleSet),
    /// Counters of edges, with the numbers that they have in the replay view with the same checks.
    Coverage(RuleSet),
}

impl Kind {
    fn name(self) -> String {
        match self {
            Kind::Concolic(rules) => format!("concolic-{:x}", rules.code()),
            Kind::Replay(rules) => format!("replay-{:x}", rules.code()),
            Kind::Coverage(rules) => format!("coverage-{:x}", rules.code()),
        }
    }
}

/// What goes wrong while a view is made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bitcode can't be used.
    #[error(transparent)]
    Bitcode(#[from] BitcodeError),
    /// The program can't be linked again.
    #[error(transparent)]
    Link(#[from] cc::Error),
    /// A file can't be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder where views are kept can't be made or used.
    #[error(
        "cannot make views of the program in {path}: {source}; run provoke in a folder that you can write to, where .provoke can be made"
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A shared library by itself can't be run.
    #[error("{path} is a shared library: give a program that uses it")]
    NoProgram {
        /// The library.
        path: PathBuf,
    },
    /// Refinements that can't be checked.
    #[error("{}", one_per_line(.0))]
    Refinements(Vec<RefinementError>),
}

fn one_per_line(errors: &[RefinementError]) -> String {
    errors.iter().map(RefinementError::to_string).collect::<Vec<_>>().join("\n")
}

impl Error {
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    }

    fn folder(path: &Path) -> impl Fn(std::io::Error) -> Error {
        move |source| Error::Folder { path: path.to_owned(), source }
    }

    /// Whether the cause lies in Provoke and not in what it was given.
    pub fn is_internal(&self) -> bool {
        matches!(self, Error::Bitcode(BitcodeError::Internal { .. }))
    }
}

/// Makes a view at `out`, with the refinements that the program's source states and those of the specification.
/// `progress` is told of each step.
pub fn make(
    program: &Program,
    kind: Kind,
    specification: &Specification,
    out: &Path,
    progress: &dyn Fn(&str),
) -> Result<(), Error> {
    if !program.has_main() {
        return Err(Error::NoProgram { path: program.path().to_owned() });
    }
    progress("linking bitcode");
    let whole = link(program)?;
    match kind {
        Kind::Concolic(rules) => concolic::make(program, whole, rules, specification, out, progress),
        Kind::Replay(rules) => replay::make(program, whole, rules, specification, out, progress),
        Kind::Coverage(rules) => coverage::make(program, whole, rules, specification, out, progress),
    }
}

/// Shows the whole program's bitcode to a static analysis, as it was compiled: not optimised, with the compiler's checks.
pub fn inspect<T>(program: &Program, read: impl FnOnce(LLVMModuleRef) -> T) -> Result<T, Error> {
    Ok(read(link(program)?.module()))
}

/// The functions that a file of models has models of.
pub fn modelled(models: &Module) -> Result<Vec<String>, Error> {
    let whole = Bitcode::link([(models.source.as_str(), models.bitcode.as_slice())], |_, _| {})?;
    let functions = llvm::Module::new(whole.module()).functions().into_iter();
    let names = functions.filter(|function| !function.is_declaration()).map(llvm::Value::name);
    Ok(names.filter_map(|name| Some(name.strip_prefix(MODEL_PREFIX)?.to_owned())).collect())
}

/// Links all modules of a program into one.
fn link(program: &Program) -> Result<Bitcode, Error> {
    let modules = program.modules.iter().map(|m| (m.source.as_str(), m.bitcode.as_slice()));
    let wrapped: Vec<Vec<String>> = (0..program.images.len()).map(|image| program.wrapped_symbols(image)).collect();
    let linker_wraps = program.has_code_without_bitcode();
    let whole = Bitcode::link(modules, |number, module| {
        let image = program.modules.get(number).map_or(0, |m| m.image);
        let symbols = wrapped.get(image).map_or(&[][..], Vec::as_slice);
        // SAFETY: the module is complete, and nothing else uses it.
        unsafe { wrapping::wrap(module, symbols, linker_wraps) };
    })?;
    Ok(whole)
}
