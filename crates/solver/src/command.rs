//! What `provoke solve FILE` does.

use core::fmt::Write;
use std::sync::Arc;

use expr::{Claim, Model, ParseError, Store, Term, VarName, parse_query};
use thiserror::Error;

use crate::answer::Answer;
use crate::dump::read_input;
use crate::session::Session;
use crate::smtlib::{self, SmtLibError};

/// A query file that cannot be read.
#[derive(Debug, Error)]
pub enum QueryError {
    /// In the text form.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// In SMT-LIB.
    #[error(transparent)]
    SmtLib(#[from] SmtLibError),
}

/// A query as it was read.
pub struct Query {
    /// The terms.
    pub store: Store,
    /// For each question, in their order, what must hold together, simplified and as the file says it. The text form asks one.
    pub questions: Vec<Vec<Claim>>,
    /// Values for what the constraints leave open.
    pub base: Model,
}

/// Reads a query, in the text form or in SMT-LIB (which starts by setting or declaring something).
pub fn read(text: &str) -> Result<Query, QueryError> {
    let mut store = Store::new();
    if smtlib::looks_like(text) {
        let terms = smtlib::read_script(&mut store, text)?;
        let originals = store.exactly(|store| smtlib::read_script(store, text))?;
        let questions = terms.into_iter().zip(originals).map(|(terms, originals)| claims(terms, originals)).collect();
        return Ok(Query { store, questions, base: Model::new() });
    }
    let input = read_input(&mut store, text);
    let terms = parse_query(&mut store, text)?;
    let originals = store.exactly(|store| parse_query(store, text))?;
    let questions = vec![claims(terms, originals)];
    Ok(Query { store, questions, base: Model::of_input(Arc::new(input)) })
}

fn claims(terms: Vec<Term>, originals: Vec<Term>) -> Vec<Claim> {
    terms.into_iter().zip(originals).map(|(term, original)| Claim { term, original }).collect()
}

/// Answers one of the questions, numbered from 0, and says so: the answer on the first line; for a model, a line for each variable whose value is not
/// the base's own; for no answer, the reason as a comment.
pub fn answer(session: &mut Session, query: &mut Query, question: usize) -> (Answer, String) {
    let constraints = query.questions.get(question).map_or(&[][..], Vec::as_slice);
    let answer = session.solve(&mut query.store, constraints, &query.base);
    let mut text = format!("{}\n", answer.word());
    match &answer {
        Answer::Unknown(reason) => {
            let _ = writeln!(text, "; {reason}");
        }
        Answer::Unsat => {}
        Answer::Sat(solution) => {
            for (var, value) in solution.model.values() {
                let name = match query.store.var_name(var) {
                    VarName::Input { part, offset } => format!("{}[{offset}]", query.store.part_name(*part)),
                    VarName::Named(name) => name.clone(),
                };
                let _ = writeln!(text, "{name} = {value:?}");
            }
            for (var, value) in solution.model.arrays() {
                let VarName::Named(name) = query.store.var_name(var) else { continue };
                for (index, element) in &value.elements {
                    let _ = writeln!(text, "{name}[{index}] = {element:?}");
                }
            }
        }
    }
    (answer, text)
}
