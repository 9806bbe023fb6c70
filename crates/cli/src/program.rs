//! What the user calls PROG: a program that carries bitcode, a concolic view of one, or a C source file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cc::bundle::Program;
use cc::header::StandIn;
use refine::Specification;
use trace::rule::RuleSet;
use trace::sites::SiteTable;
use views::{Cache, Kind};

use crate::exit::Failure;
use crate::progress::Progress;
use crate::project;
use crate::target::Target;

/// A concolic view that is ready to run.
pub struct View {
    /// The file.
    pub path: PathBuf,
    /// Its sites.
    pub sites: SiteTable,
}

/// The concolic view of what the user named, with checks of these rules.
pub fn concolic(target: &Target, rules: RuleSet) -> Result<View, Failure> {
    let named = &target.program;
    if let Ok(bytes) = fs::read(named)
        && let Ok(sites) = SiteTable::of_view(&bytes)
    {
        // As it is, and not looked up in `PATH`.
        return Ok(View { path: std::path::absolute(named).map_err(Failure::input)?, sites });
    }
    concolic_of(&target.open_with_input()?, rules, &Specification::default())
}

/// The concolic view of a program.
pub fn concolic_of(program: &Program, rules: RuleSet, specification: &Specification) -> Result<View, Failure> {
    let path = view(program, Kind::Concolic(rules), specification)?;
    let sites = fs::read(&path).map_err(anyhow::Error::from).and_then(|bytes| Ok(SiteTable::of_view(&bytes)?));
    let sites = sites.with_context(|| format!("the view {}", path.display())).map_err(Failure::Internal)?;
    Ok(View { path, sites })
}

/// Opens a program; what the user should know about it is said on standard error.
pub fn open(named: &Path) -> Result<Program, Failure> {
    let program = Program::open(named).map_err(Failure::input)?;
    say_notes(&program);
    Ok(program)
}

/// Says what the user should know about a program.
pub fn say_notes(program: &Program) {
    for note in &program.notes {
        eprintln!("provoke: note: {note}");
    }
}

/// Gives a program that asks the system for random numbers the same ones in each run.
pub fn repeat_random_numbers(program: &mut Program) -> Result<(), Failure> {
    match program.needs(StandIn::Entropy) {
        true => program.add_stand_in(StandIn::Entropy).map_err(Failure::input),
        false => Ok(()),
    }
}

/// A view of a program, from the project's cache or made now.
pub fn view(program: &Program, kind: Kind, specification: &Specification) -> Result<PathBuf, Failure> {
    let project = std::path::absolute(project::folder()).map_err(Failure::input)?;
    let progress = Progress::start();
    let what = match kind {
        Kind::Concolic(_) => "concolic",
        Kind::Replay(_) => "replay",
        Kind::Coverage(_) => "coverage",
    };
    let say = |step: &str| progress.step(&format!("making the {what} view, which is kept: {step}"));
    let view = Cache::of_project(&project).sharing(cc::user_cache::views()).view(program, kind, specification, &say);
    view.map_err(|error| if error.is_internal() { Failure::internal(error) } else { Failure::input(error) })
}
