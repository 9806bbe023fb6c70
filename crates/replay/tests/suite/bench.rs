//! A program, its replay view, and what comes of inputs.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use cc::bundle::Program;
use replay::{Input, Outcome, Replayer, Settings, Target, Violation};
use run::{Limits, Surroundings};
use tempfile::TempDir;
use trace::rule::{Rule, RuleSet};
use views::Kind;

/// A program in the making.
pub struct Bench {
    _folder: TempDir,
    source: String,
    target: Target,
    settings: Settings,
    pub replayer: Replayer,
}

/// Far beyond what any test takes: reaching it is a failure.
pub fn patient() -> Limits {
    Limits { time: Duration::from_secs(100), ..Limits::default() }
}

impl Bench {
    pub fn new(source: &str) -> Bench {
        Bench::with(source, &[], Settings { limits: patient(), ..Settings::default() })
    }

    pub fn with(source: &str, args: &[&str], settings: Settings) -> Bench {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("program.c");
        fs::write(&file, source).expect("a source file");
        let program = Program::open(&file).expect("it compiles");
        let view = folder.path().join("view");
        views::make(&program, Kind::Replay(RuleSet::all()), &refine::Specification::default(), &view, &|_| {})
            .expect("a view");
        let target = Target { view, args: args.iter().map(Into::into).collect(), ..Target::default() };
        let settings = Settings { output: run::Output::Discard, ..settings };
        let replayer = Replayer::new(target.clone(), settings.clone()).expect("a replayer");
        Bench { _folder: folder, source: source.to_owned(), target, settings, replayer }
    }

    /// Runs an input in a process of its own.
    pub fn alone(&self, input: &Input) -> Outcome {
        self.alone_with(self.target.args.clone(), self.target.surroundings.clone(), input)
    }

    /// The same with other arguments and surroundings.
    pub fn alone_with(&self, args: Vec<OsString>, surroundings: Surroundings, input: &Input) -> Outcome {
        let target = Target { args, surroundings, ..self.target.clone() };
        let settings = Settings { serve_at_once: false, ..self.settings.clone() };
        Replayer::new(target, settings).expect("a replayer").replay(input).expect("it runs")
    }

    pub fn run(&self, input: &str) -> Outcome {
        self.replayer.replay(&Input::stdin(input)).expect("it runs")
    }

    /// The view.
    pub fn view(&self) -> &Path {
        &self.target.view
    }

    /// Line of the source with this mark on it.
    pub fn line(&self, mark: &str) -> u32 {
        let line = self.source.lines().position(|line| line.contains(&format!("// {mark}")));
        line.expect("the mark is there") as u32 + 1
    }

    /// The one violation of a run, which is of this rule and on the line with this mark.
    pub fn only(&self, input: &str, rule: Rule, mark: &str) -> Violation {
        let outcome = self.run(input);
        let [violation] = outcome.violations.as_slice() else { panic!("not one violation: {outcome:#?}") };
        assert_eq!(violation.rule, rule, "{violation:#?}");
        assert_eq!(violation.position().expect("a position").line, self.line(mark), "{violation:#?}");
        violation.clone()
    }
}
