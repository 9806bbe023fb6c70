//! Any program that reads SMT-LIB 2.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::process::{self, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use expr::{BitVec, Sort, Store, Term, Var, smtlib_script, smtlib_symbol};
use rustc_hash::FxHashMap;
use rustix::fs::MemfdFlags;

use super::child::Watched;
use super::{Backend, BackendQuery, Outcome};
use crate::answer::{Budget, Reason};
use crate::smtlib::token::{TokenKind, Tokens, literal};

/// A solver that is started anew for every query.
pub(super) struct Command {
    line: String,
}

impl Command {
    pub(super) fn new(line: &str) -> Command {
        Command { line: line.to_owned() }
    }

    fn run(&self, script: &str, budget: &Budget, stop: Option<&AtomicBool>) -> Result<String, Reason> {
        let crashed = |error: std::io::Error| Reason::Crashed(error.to_string());
        // A file in memory and not a pipe: no deadlock with a program that writes before it has read everything.
        let descriptor =
            rustix::fs::memfd_create("query", MemfdFlags::CLOEXEC).map_err(|error| crashed(error.into()))?;
        let mut file = File::from(descriptor);
        file.write_all(script.as_bytes()).map_err(crashed)?;
        file.seek(SeekFrom::Start(0)).map_err(crashed)?;
        let mut command = process::Command::new("sh");
        command.arg("-c").arg(&self.line).stdin(Stdio::from(file)).stderr(Stdio::null());
        let mut child = Watched::spawn(&mut command).map_err(crashed)?;
        let deadline = Instant::now() + budget.time;
        let mut output = Vec::new();
        // Reads to the end; a program that dies after its answer has still answered.
        let ended = child.read(&mut output, deadline, budget.memory, stop, |_| false);
        if let Err(limit @ (Reason::Time | Reason::Memory | Reason::Stopped)) = ended {
            return Err(limit);
        }
        let text = String::from_utf8_lossy(&output).into_owned();
        let answered =
            Tokens::new(&text).any(|token| matches!(token.kind, TokenKind::Word("sat" | "unsat" | "unknown")));
        match ended {
            Err(Reason::Crashed(how)) if !answered => Err(Reason::Crashed(how)),
            _ => Ok(text),
        }
    }
}

impl Backend for Command {
    fn solve(&mut self, store: &Store, query: &BackendQuery<'_>, budget: &Budget) -> Outcome {
        let constraints = [query.constraints, query.goals].concat();
        let mut script = smtlib_script(store, &constraints, query.wanted);
        script.push_str("(exit)\n");
        match self.run(&script, budget, query.stop) {
            Ok(text) => read_answer(store, query.wanted, &text),
            Err(reason) => Outcome::Unknown(reason),
        }
    }
}

/// Reads `sat` and the list of values, or `unsat`, or whatever else the program said.
fn read_answer(store: &Store, wanted: &[Term], text: &str) -> Outcome {
    let mut tokens = Tokens::new(text).map(|token| token.kind).skip_while(|kind| !matches!(kind, TokenKind::Word(_)));
    match tokens.next() {
        Some(TokenKind::Word("unsat")) => Outcome::Unsat,
        Some(TokenKind::Word("sat")) => read_values(store, wanted, tokens),
        Some(TokenKind::Word("unknown" | "timeout")) => Outcome::Unknown(Reason::GaveUp("unknown".to_owned())),
        _ => {
            let said: String = text.chars().take(120).collect();
            Outcome::Unknown(Reason::Crashed(format!("it said `{}`", said.trim())))
        }
    }
}

/// The values are listed in the order in which they were asked for, so only literals outside of names count.
fn read_values<'a>(store: &Store, wanted: &[Term], tokens: impl Iterator<Item = TokenKind<'a>>) -> Outcome {
    let names: FxHashMap<String, Term> = wanted
        .iter()
        .map(|term| {
            let name = match store.var_of(*term) {
                Some(var) => symbol(store, var),
                None => format!("t{}", term.index()),
            };
            (name, *term)
        })
        .collect();
    let mut found: FxHashMap<Term, BitVec> = FxHashMap::default();
    let mut current = None;
    let mut pending: Option<&str> = None;
    for token in tokens {
        let TokenKind::Word(word) = token else { continue };
        if let Some(term) = names.get(word) {
            current = Some(*term);
            continue;
        }
        let Some(term) = current else { continue };
        let width = store.width(term);
        if word.starts_with("bv") {
            // `(_ bv65 8)`
            pending = Some(word);
        }
        if let Some(value) = literal(pending.take().unwrap_or(word), Some(width)).filter(|value| value.width() == width)
        {
            found.insert(term, value);
            current = None;
        }
    }
    let constant = |term: &Term| store.value(*term).cloned();
    let values: Option<Vec<BitVec>> =
        wanted.iter().map(|term| found.get(term).cloned().or_else(|| constant(term))).collect();
    match values {
        Some(values) => Outcome::Sat(values),
        None => Outcome::Unknown(Reason::Crashed("its model is not complete".to_owned())),
    }
}

/// A variable's symbol as the tokens have it: without bars.
fn symbol(store: &Store, var: Var) -> String {
    debug_assert!(matches!(store.var_sort(var), Sort::BitVec(_)));
    smtlib_symbol(store, var).trim_matches('|').to_owned()
}
