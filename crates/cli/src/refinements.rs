//! Refinements that are stated beside the program's source: the same option on every command that checks.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use refine::{Specification, UnitName};
use trace::rule::{Rule, RuleSet};

use crate::exit::Failure;

/// A file with refinements.
#[derive(Args, Debug)]
#[command(next_help_heading = "Functions and their conditions")]
pub struct Refinements {
    /// File with conditions that variables must fulfil, one on a line: `function.variable: CONDITION`,
    /// `function(): CONDITION` on its `result`, or `global: CONDITION`; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Call this function and nothing else, as FUNCTION or FILE:FUNCTION: its arguments, and what they point to, come out of standard
    /// input
    #[arg(long, value_name = "FUNCTION")]
    pub unit: Option<String>,
}

impl Refinements {
    /// Whether there is a file.
    pub fn are_given(&self) -> bool {
        self.spec.is_some()
    }

    /// What the file states. It must not be forgotten in silence that it has no effect with these rules.
    pub fn read(&self, rules: RuleSet) -> Result<Specification, Failure> {
        let driven = self.unit.as_deref().map(UnitName::parse);
        let Some(file) = &self.spec else { return Ok(Specification { driven, ..Specification::default() }) };
        let text = fs::read_to_string(file);
        let text = text.with_context(|| format!("cannot read the specification {}", file.display()));
        let specification = Specification::parse(&file.display().to_string(), &text.map_err(Failure::Input)?);
        if !rules.contains(Rule::Refinement) {
            eprintln!("provoke: note: --spec has no effect: the checker refinement is switched off");
        }
        specification.map(|specification| Specification { driven, ..specification }).map_err(Failure::input)
    }

    /// The option as the user would write it.
    pub fn words(&self) -> Vec<OsString> {
        let file = self.spec.iter().flat_map(|file| ["--spec".into(), file.clone().into_os_string()]);
        file.chain(self.unit.iter().flat_map(|unit| ["--unit".into(), unit.into()])).collect()
    }
}
