//! What type checker and symbolic executor share, and where an analysis starts.

use expr::{Model, Store, Term};
use rustc_hash::FxHashMap;
use solver::{Answer, Session};

use crate::check::{Entry, Gamma};
use crate::execute::values::Encoding;
use crate::functions::Codes;
use crate::mix::BlockContext;
use crate::rules::Rules;
use crate::span::Span;
use crate::syntax::{Mode, Program};
use crate::types::{CodeId, Type};
use crate::verdict::{BlockPlace, Cause, Rejection, Report, Stats, Verdict};

/// Reasons to reject that are shown: more would repeat themselves.
const MAX_REJECTIONS: usize = 10;

/// How a program is analysed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The analysis of what is in no block.
    pub outermost: Mode,
    /// Conditionals become conditional values (SEIF-DEFER) instead of paths.
    pub defer: bool,
    /// Accept after this many paths through each symbolic block, explored exhaustively or not.
    pub good_enough: Option<usize>,
    /// Paths that are explored in one symbolic block.
    pub paths: usize,
    /// Iterations of a loop that are followed on one path.
    pub iterations: usize,
    /// Expressions that are looked at, in the whole analysis.
    pub steps: u64,
    /// Ignores all blocks: everything is analysed as the outermost mode says.
    pub ignore_blocks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            outermost: Mode::Typed,
            defer: false,
            good_enough: None,
            // As many as a person would wait for: a path costs about a query.
            paths: 1_000,
            iterations: 100,
            steps: 1_000_000,
            ignore_blocks: false,
        }
    }
}

/// Analyses a program.
pub fn analyse(program: &Program, session: &mut Session, options: &Options) -> Report {
    Analysis::new(session, options.clone(), Rules::default()).run(program)
}

/// The state of an analysis.
pub(crate) struct Analysis<'s> {
    pub session: &'s mut Session,
    pub store: Store,
    pub options: Options,
    pub rules: Rules,
    pub encoding: Encoding,
    pub stats: Stats,
    pub codes: Codes,
    /// The blocks around the current place.
    pub blocks: Vec<BlockPlace>,
    /// The symbolic blocks that are being executed, innermost last.
    pub contexts: Vec<BlockContext>,
    /// Whether a path was left unexplored and accepted as good enough.
    pub inexhaustive: bool,
    /// Functions that were given an arrow type, or found to have none.
    pub arrows: FxHashMap<CodeId, Option<Type>>,
    /// How many function bodies are being checked for the sake of subtyping.
    pub code_depth: u32,
    pub steps_left: u64,
    pub calls: u32,
}

/// The outcome of a rule: a type, or why there is none.
pub(crate) type Checked<T> = Result<T, Vec<Rejection>>;

impl<'s> Analysis<'s> {
    pub fn new(session: &'s mut Session, options: Options, rules: Rules) -> Analysis<'s> {
        Analysis {
            session,
            store: Store::new(),
            steps_left: options.steps,
            options,
            rules,
            encoding: Encoding::default(),
            stats: Stats::default(),
            codes: Codes::default(),
            blocks: Vec::new(),
            contexts: Vec::new(),
            inexhaustive: false,
            arrows: FxHashMap::default(),
            code_depth: 0,
            calls: 0,
        }
    }

    pub fn run(&mut self, program: &Program) -> Report {
        let verdict = match self.judge(program) {
            Ok(ty) => Verdict::Accepted { ty: ty.to_string(), exhaustive: !self.inexhaustive },
            Err(rejections) => Verdict::Rejected { rejections: distinct(rejections) },
        };
        Report { verdict, stats: self.stats }
    }

    /// Type checks the program, in a symbolic block if that is the outermost mode.
    pub fn judge(&mut self, program: &Program) -> Checked<Type> {
        let gamma = externs(program);
        let mode = self.options.outermost;
        self.enter_block(mode, program.body.span, |analysis| match mode {
            Mode::Typed => analysis.check(&program.body, &gamma),
            Mode::Symbolic => analysis.symbolic_block(&program.body, &gamma),
        })
    }

    /// A reason to reject at the current place.
    pub fn reject(&self, rule: &'static str, cause: Cause, span: Span, message: impl Into<String>) -> Rejection {
        Rejection {
            rule,
            cause,
            span,
            message: message.into(),
            help: None,
            related: Vec::new(),
            blocks: self.blocks.clone(),
            path: Vec::new(),
            witness: None,
        }
    }

    /// Whether constraints can hold together. The model `base` is tried first.
    pub fn solve(&mut self, constraints: &[Term], base: &Model) -> Answer {
        self.stats.queries += 1;
        self.session.solve(&mut self.store, constraints, base)
    }

    /// Takes one of the steps that there are, if one is left. There is none for whoever is interrupted.
    pub fn step(&mut self) -> bool {
        if self.session.is_stopped() {
            self.steps_left = 0;
        }
        let left = self.steps_left.checked_sub(1);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether the analysis follows a block, or passes through it.
    pub fn follows(&self, mode: Mode, current: Mode) -> bool {
        mode != current && !self.options.ignore_blocks
    }
}

/// What a program is checked in.
pub(crate) fn externs(program: &Program) -> Gamma {
    program.externs.iter().map(|external| (external.name.clone(), Entry::fixed(external.ty.clone()))).collect()
}

/// Each place and message once, confirmed ones first.
fn distinct(mut rejections: Vec<Rejection>) -> Vec<Rejection> {
    rejections.sort_by_key(|rejection| !rejection.is_confirmed());
    let mut seen = Vec::new();
    rejections.retain(|rejection| {
        let key = (rejection.span, rejection.message.clone());
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    rejections.truncate(MAX_REJECTIONS);
    rejections
}

impl Rejection {
    pub(crate) fn help(mut self, help: impl Into<String>) -> Rejection {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn related(mut self, span: Span, message: impl Into<String>) -> Rejection {
        self.related.push((span, message.into()));
        self
    }
}
