//! Scripts to constraints.

use expr::{BitVec, MAX_WIDTH, Sort, Store, Term};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::apply::apply;
use super::sexpr::{Id, Tree};
use super::token::{TokenKind, Tokens, literal};

/// A script that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct SmtLibError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// Whether a text is more likely an SMT-LIB script than the text form.
pub fn looks_like(text: &str) -> bool {
    let words = Tokens::new(text).filter_map(|token| match token.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    });
    let commands = ["set-logic", "set-info", "set-option", "declare-fun", "declare-const", "define-fun", "check-sat"];
    words.take(1).any(|word| commands.contains(&word))
}

/// Reads a script: for each `check-sat`, the constraints that are asserted there; those at its end if it has none.
pub fn read_script(store: &mut Store, text: &str) -> Result<Vec<Vec<Term>>, SmtLibError> {
    let fail = |at: usize, message: String| {
        let line = text.get(..at).unwrap_or(text).matches('\n').count() + 1;
        SmtLibError { line, message }
    };
    let tree = Tree::read(text).map_err(|(at, message)| fail(at, message.to_owned()))?;
    let mut reader = Reader {
        store,
        tree: &tree,
        scope: FxHashMap::default(),
        sorts: FxHashMap::default(),
        declared: Vec::new(),
        asserted: Vec::new(),
        levels: Vec::new(),
        questions: Vec::new(),
    };
    for command in &tree.top {
        match reader.command(*command).map_err(|(id, message)| fail(tree.at(id), message))? {
            Next::Continue => {}
            Next::Stop => break,
        }
    }
    if reader.questions.is_empty() {
        reader.questions.push(reader.asserted);
    }
    Ok(reader.questions)
}

enum Next {
    Continue,
    Stop,
}

type Failure = (Id, String);

struct Reader<'s, 't, 'a> {
    store: &'s mut Store,
    tree: &'t Tree<'a>,
    /// What names mean, the innermost meaning last.
    scope: FxHashMap<&'a str, Vec<Term>>,
    sorts: FxHashMap<&'a str, Sort>,
    /// Names that were declared or defined and are still known.
    declared: Vec<&'a str>,
    asserted: Vec<Term>,
    /// How much was declared and asserted at each `push`.
    levels: Vec<(usize, usize)>,
    questions: Vec<Vec<Term>>,
}

/// A step of reading a term.
enum Work {
    Read(Id),
    /// Takes as many terms as the expression has operands, and makes one.
    Apply(Id),
    /// Takes the values of a `let` and binds them.
    Bind(Id),
    /// Forgets the bindings of a `let`.
    Unbind(Id),
}

impl<'a> Reader<'_, '_, 'a> {
    fn command(&mut self, id: Id) -> Result<Next, Failure> {
        let fail = |message: &str| (id, message.to_owned());
        let tree = self.tree;
        let items = tree.list(id).ok_or_else(|| fail("expected a command"))?;
        let word = items.first().and_then(|item| tree.atom(*item)).ok_or_else(|| fail("expected a command"))?;
        match (word, &items[1..]) {
            ("check-sat", []) => self.questions.push(self.asserted.clone()),
            ("check-sat-assuming", [assumed]) => {
                let assumed = tree.list(*assumed).ok_or_else(|| fail("expected what is assumed, in parentheses"))?;
                let mut question = self.asserted.clone();
                for body in assumed {
                    question.push(self.condition(*body)?);
                }
                self.questions.push(question);
            }
            ("exit", _) => return Ok(Next::Stop),
            ("declare-const", [name, sort]) => self.declare(*name, *sort)?,
            ("declare-fun", [name, parameters, sort]) => {
                if tree.list(*parameters).is_none_or(|list| !list.is_empty()) {
                    return Err(fail("functions with parameters are not part of QF_ABV"));
                }
                self.declare(*name, *sort)?;
            }
            ("define-fun", [name, parameters, _, body]) => {
                if tree.list(*parameters).is_none_or(|list| !list.is_empty()) {
                    return Err(fail("definitions with parameters are not supported; write the body where it is used"));
                }
                let name = tree.atom(*name).ok_or_else(|| fail("expected a name"))?;
                let term = self.term(*body)?;
                self.define(name, term);
            }
            ("define-sort", [name, _, sort]) => {
                let name = tree.atom(*name).ok_or_else(|| fail("expected a name"))?;
                let sort = self.sort(*sort, 0)?;
                self.sorts.insert(name, sort);
            }
            ("assert", [body]) => {
                let term = self.condition(*body)?;
                self.asserted.push(term);
            }
            ("push", rest) => {
                let now = (self.declared.len(), self.asserted.len());
                self.levels.extend(std::iter::repeat_n(now, self.count(id, rest)?));
            }
            ("pop", rest) => {
                for _ in 0..self.count(id, rest)? {
                    let (declared, asserted) = self.levels.pop().ok_or_else(|| fail("nothing to pop"))?;
                    self.asserted.truncate(asserted);
                    for name in self.declared.drain(declared..) {
                        self.scope.entry(name).or_default().pop();
                    }
                }
            }
            ("set-logic" | "set-info" | "set-option" | "get-model" | "get-value" | "echo", _) => {}
            _ => return Err((id, format!("cannot do `{word}`"))),
        }
        Ok(Next::Continue)
    }

    /// How many levels a `push` or `pop` is about.
    fn count(&self, id: Id, rest: &[Id]) -> Result<usize, Failure> {
        let count = match rest {
            [] => Some(1),
            [number] => self.tree.atom(*number).and_then(|word| word.parse().ok()).filter(|count| *count <= 1 << 16),
            _ => None,
        };
        count.ok_or_else(|| (id, "expected a number of levels, 65536 at most".to_owned()))
    }

    /// A term that can be asserted.
    fn condition(&mut self, body: Id) -> Result<Term, Failure> {
        let term = self.term(body)?;
        match self.store.sort(term) {
            Sort::BitVec(1) => Ok(term),
            _ => Err((body, "an assertion is a Boolean".to_owned())),
        }
    }

    fn define(&mut self, name: &'a str, term: Term) {
        self.declared.push(name);
        self.scope.entry(name).or_default().push(term);
    }

    fn declare(&mut self, name: Id, sort: Id) -> Result<(), Failure> {
        let text = self.tree.atom(name).ok_or((name, "expected a name".to_owned()))?;
        let term = match self.sort(sort, 0)? {
            Sort::BitVec(width) => self.store.named(text, width),
            Sort::Array { index, element } => self.store.named_array(text, index, element),
        };
        self.define(text, term);
        Ok(())
    }

    fn sort(&self, id: Id, depth: u32) -> Result<Sort, Failure> {
        let fail = || (id, "only Bool, (_ BitVec N) and arrays of bit-vectors, to 1024 bits, are supported".to_owned());
        if let Some(name) = self.tree.atom(id) {
            return match name {
                "Bool" => Ok(Sort::BitVec(1)),
                _ => self.sorts.get(name).copied().ok_or_else(fail),
            };
        }
        let items = self.tree.list(id).ok_or_else(fail)?;
        let word = |place: usize| items.get(place).and_then(|item| self.tree.atom(*item));
        match (word(0), word(1), items) {
            (Some("_"), Some("BitVec"), [_, _, _]) => {
                let width =
                    word(2).and_then(|width| width.parse().ok()).filter(|width| (1..=MAX_WIDTH).contains(width));
                width.map(Sort::BitVec).ok_or_else(fail)
            }
            (Some("Array"), _, [_, index, element]) if depth == 0 => {
                match (self.sort(*index, 1)?, self.sort(*element, 1)?) {
                    (Sort::BitVec(index), Sort::BitVec(element)) => Ok(Sort::Array { index, element }),
                    _ => Err(fail()),
                }
            }
            _ => Err(fail()),
        }
    }

    fn term(&mut self, root: Id) -> Result<Term, Failure> {
        let mut work = vec![Work::Read(root)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Work::Read(id) => match self.tree.list(id) {
                    None => values.push(self.atom(id)?),
                    Some(items) => self.open(id, items, &mut work, &mut values)?,
                },
                Work::Apply(id) => {
                    let count = self.tree.list(id).map_or(0, |items| items.len() - 1);
                    let operands = values.split_off(values.len().saturating_sub(count));
                    let term = self.apply(id, &operands).map_err(|message| (id, message))?;
                    values.push(term);
                }
                Work::Bind(id) => {
                    let names = self.bound_names(id)?;
                    let bound = values.split_off(values.len().saturating_sub(names.len()));
                    for (name, value) in names.into_iter().zip(bound) {
                        self.scope.entry(name).or_default().push(value);
                    }
                }
                Work::Unbind(id) => {
                    for name in self.bound_names(id)? {
                        self.scope.entry(name).or_default().pop();
                    }
                }
            }
        }
        values.pop().ok_or((root, "expected a term".to_owned()))
    }

    fn atom(&mut self, id: Id) -> Result<Term, Failure> {
        let word = self.tree.atom(id).unwrap_or("");
        if let Some(term) = self.scope.get(word).and_then(|meanings| meanings.last()) {
            return Ok(*term);
        }
        match (word, literal(word, None)) {
            ("true" | "false", _) => Ok(self.store.bool(word == "true")),
            (_, Some(value)) => Ok(self.store.constant(value)),
            _ => Err((id, format!("`{word}` is not declared"))),
        }
    }

    /// The name and the value of each binding of a `let`.
    fn bindings(&self, id: Id) -> Result<Vec<(&'a str, Id)>, Failure> {
        let fail = || (id, "a let is `(let ((NAME TERM)…) TERM)`".to_owned());
        let items = self.tree.list(id).filter(|items| items.len() == 3).ok_or_else(fail)?;
        let pairs = self.tree.list(items[1]).ok_or_else(fail)?;
        let pair = |pair: &Id| match self.tree.list(*pair) {
            Some([name, value]) => Some((self.tree.atom(*name)?, *value)),
            _ => None,
        };
        pairs.iter().map(|item| pair(item).ok_or_else(fail)).collect()
    }

    fn bound_names(&self, id: Id) -> Result<Vec<&'a str>, Failure> {
        Ok(self.bindings(id)?.into_iter().map(|(name, _)| name).collect())
    }

    fn open(&mut self, id: Id, items: &[Id], work: &mut Vec<Work>, values: &mut Vec<Term>) -> Result<(), Failure> {
        let word = items.first().and_then(|item| self.tree.atom(*item));
        match (word, items) {
            (Some("let"), [_, _, body]) => {
                work.extend([Work::Unbind(id), Work::Read(*body), Work::Bind(id)]);
                work.extend(self.bindings(id)?.into_iter().rev().map(|(_, value)| Work::Read(value)));
            }
            (Some("!"), [_, body, ..]) => work.push(Work::Read(*body)),
            (Some("_"), [_, number, width]) => {
                let number = self.tree.atom(*number).unwrap_or("");
                let width = self.tree.atom(*width).and_then(|width| width.parse().ok());
                let width = width.filter(|width| (1..=MAX_WIDTH).contains(width));
                let value: Option<BitVec> = if number.starts_with("bv") { literal(number, width) } else { None };
                let value = value.ok_or((id, "expected a constant such as `(_ bv65 8)`".to_owned()))?;
                values.push(self.store.constant(value));
            }
            (_, [_, operands @ ..]) if !operands.is_empty() => {
                work.push(Work::Apply(id));
                work.extend(operands.iter().rev().map(|operand| Work::Read(*operand)));
            }
            _ => return Err((id, "expected a term".to_owned())),
        }
        Ok(())
    }

    fn apply(&mut self, id: Id, operands: &[Term]) -> Result<Term, String> {
        let head = self.tree.list(id).and_then(|items| items.first().copied()).unwrap_or(id);
        if let Some(name) = self.tree.atom(head) {
            return apply(self.store, name, &[], operands);
        }
        let items = self.tree.list(head).unwrap_or_default();
        let word = |place: usize| items.get(place).and_then(|item| self.tree.atom(*item)).unwrap_or("");
        match (word(0), word(1), operands) {
            ("as", "const", [value]) if items.len() == 3 => match self.sort(items[2], 0).map_err(|(_, text)| text)? {
                Sort::Array { index, .. } => Ok(self.store.const_array(index, *value)),
                Sort::BitVec(_) => Err("expected an array sort".to_owned()),
            },
            ("_", name, _) => {
                let indices: Option<Vec<u32>> = (2..items.len()).map(|place| word(place).parse().ok()).collect();
                apply(self.store, name, &indices.ok_or("expected numbers after the operator")?, operands)
            }
            _ => Err("expected an operator".to_owned()),
        }
    }
}
