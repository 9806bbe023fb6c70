//! Text to terms, with an explicit stack: nesting may be as deep as it likes.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::SPELLINGS;
use super::token::{Token, TokenKind, Tokens};
use crate::bitvec::{BitVec, MAX_WIDTH};
use crate::store::{Kind, Sort, Store, Term};

/// Text that is no term or query.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// Reads one term. Parts are known by the names that the store has for them; unknown ones are added.
pub fn parse_term(store: &mut Store, text: &str) -> Result<Term, ParseError> {
    let mut terms = read(store, text, false)?;
    match (terms.pop(), terms.is_empty()) {
        (Some(term), true) => Ok(term),
        _ => Err(located(text, text.len(), "expected exactly one term")),
    }
}

/// Reads a query: lines `(define NAME TERM)` and `(assert TERM)`. Every constraint is one bit wide.
pub fn parse_query(store: &mut Store, text: &str) -> Result<Vec<Term>, ParseError> {
    read(store, text, true)
}

fn located(text: &str, at: usize, message: &str) -> ParseError {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |place| place + 1);
    ParseError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.to_owned(),
    }
}

/// An operand that has been read.
#[derive(Clone)]
enum Item {
    Term(Term),
    /// A number without width: a constant, or a parameter of an operator.
    Number(String, u32),
    /// A name that is to be bound.
    Name(String),
}

/// What an open bracket stands for.
#[derive(Clone, Copy, PartialEq)]
enum Head {
    /// The word after the bracket has not been read.
    Unknown,
    Apply(Kind),
    Neg,
    Ne,
    Let,
    /// A `let` whose bindings have been read.
    LetBody,
    Bindings,
    Binding,
    Define,
    Assert,
}

struct Open {
    at: usize,
    head: Head,
    items: Vec<Item>,
    /// Names bound by this `let`, with what they meant before.
    bound: Vec<(String, Option<Term>)>,
}

struct Parser<'a> {
    store: &'a mut Store,
    names: FxHashMap<String, Term>,
    open: Vec<Open>,
    done: Vec<Term>,
    query: bool,
}

fn read(store: &mut Store, text: &str, query: bool) -> Result<Vec<Term>, ParseError> {
    let mut parser = Parser { store, names: FxHashMap::default(), open: Vec::new(), done: Vec::new(), query };
    for token in Tokens::new(text) {
        let at = token.at;
        parser.token(token).map_err(|message| located(text, at, &message))?;
    }
    match parser.open.last() {
        Some(open) => Err(located(text, open.at, "this bracket is not closed")),
        None => Ok(parser.done),
    }
}

impl Parser<'_> {
    fn token(&mut self, token: Token<'_>) -> Result<(), String> {
        match token.kind {
            TokenKind::Open => {
                let head = match self.open.last() {
                    Some(Open { head: Head::Let, .. }) => Head::Bindings,
                    Some(Open { head: Head::Bindings, .. }) => Head::Binding,
                    Some(Open { head: Head::Unknown, .. }) => return Err("expected an operator".to_owned()),
                    _ => Head::Unknown,
                };
                self.open.push(Open { at: token.at, head, items: Vec::new(), bound: Vec::new() });
                Ok(())
            }
            TokenKind::Close => self.close(),
            TokenKind::Unclosed => Err("this name has no closing bar".to_owned()),
            TokenKind::Quoted(name, after) => self.name(&name, after),
            TokenKind::Word(word) => self.word(word),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        if let Some(open) = self.open.last_mut().filter(|open| open.head == Head::Unknown) {
            open.head = match word {
                "neg" => Head::Neg,
                "ne" => Head::Ne,
                "let" => Head::Let,
                "define" => Head::Define,
                "assert" => Head::Assert,
                _ => match SPELLINGS.iter().find(|(spelling, _)| *spelling == word) {
                    Some((_, kind)) => Head::Apply(*kind),
                    None => return Err(format!("no operator is called `{word}`")),
                },
            };
            return Ok(());
        }
        match word {
            "true" | "false" => {
                let term = self.store.bool(word == "true");
                return self.item(Item::Term(term));
            }
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => return self.number(word),
            _ => {}
        }
        let split = word.find(['[', ':']).unwrap_or(word.len());
        let (name, after) = word.split_at(split);
        self.name(name, after)
    }

    fn number(&mut self, word: &str) -> Result<(), String> {
        let (digits, width) = match word.split_once(':') {
            Some((digits, width)) => (digits, Some(width_of(width)?)),
            None => (word, None),
        };
        let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |hex| (hex, 16));
        let Some(widest) = BitVec::parse(MAX_WIDTH, digits, radix) else {
            return Err(format!("`{word}` is no number"));
        };
        match width {
            None => self.item(Item::Number(digits.to_owned(), radix)),
            Some(width) => {
                let value = widest.extract(0, width);
                if value.zext(MAX_WIDTH) != widest {
                    return Err(format!("`{word}` does not fit its width"));
                }
                let term = self.store.constant(value);
                self.item(Item::Term(term))
            }
        }
    }

    fn name(&mut self, name: &str, after: &str) -> Result<(), String> {
        if after.is_empty() {
            return match self.names.get(name) {
                Some(term) if !self.expects_name() => self.item(Item::Term(*term)),
                _ => self.item(Item::Name(name.to_owned())),
            };
        }
        if let Some(offset) = after.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let offset = offset.parse().map_err(|_| format!("`{offset}` is no offset"))?;
            let part = self.part(name);
            let term = self.store.input(part, offset);
            return self.item(Item::Term(term));
        }
        let sort = after.strip_prefix(':').ok_or_else(|| format!("cannot read `{after}` after a name"))?;
        let term = match sort.split_once('>') {
            Some((index, element)) => self.store.named_array(name, width_of(index)?, width_of(element)?),
            None => self.store.named(name, width_of(sort)?),
        };
        self.item(Item::Term(term))
    }

    fn part(&mut self, name: &str) -> u32 {
        self.store.part_named(name).unwrap_or_else(|| {
            let part = self.store.named_parts();
            self.store.set_part_name(part, name);
            part
        })
    }

    /// Whether the next name is one that gets bound.
    fn expects_name(&self) -> bool {
        self.open.last().is_some_and(|open| matches!(open.head, Head::Binding | Head::Define) && open.items.is_empty())
    }

    fn item(&mut self, item: Item) -> Result<(), String> {
        if let Item::Name(name) = &item
            && !self.expects_name()
        {
            return Err(format!("`{name}` is not bound; a variable is written `{name}:WIDTH` or `{name}[OFFSET]`"));
        }
        match (self.open.last_mut(), item) {
            (Some(open), item) => open.items.push(item),
            (None, Item::Term(term)) if !self.query => self.done.push(term),
            (None, Item::Number(..)) => return Err("this number needs a width: `0x41:8`".to_owned()),
            (None, _) => return Err("expected `(assert …)` or `(define …)`".to_owned()),
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.open.pop() else { return Err("nothing is open here".to_owned()) };
        let at_top = self.open.is_empty();
        match (open.head, open.items.as_slice()) {
            (Head::Unknown, _) => Err("expected an operator".to_owned()),
            (Head::Bindings, []) => self.bindings_done(open.bound),
            (Head::Binding, [Item::Name(name), Item::Term(term)]) => {
                let before = self.names.insert(name.clone(), *term);
                if let Some(bindings) = self.open.last_mut() {
                    bindings.bound.push((name.clone(), before));
                }
                Ok(())
            }
            (Head::Binding, _) => Err("a binding is `(NAME TERM)`".to_owned()),
            (Head::LetBody, [Item::Term(term)]) => {
                for (name, before) in open.bound.into_iter().rev() {
                    match before {
                        Some(before) => self.names.insert(name, before),
                        None => self.names.remove(&name),
                    };
                }
                self.finish(*term, at_top)
            }
            (Head::Let | Head::LetBody | Head::Bindings, _) => Err("a let is `(let ((NAME TERM)…) TERM)`".to_owned()),
            (Head::Define, [Item::Name(name), Item::Term(term)]) if at_top && self.query => {
                self.names.insert(name.clone(), *term);
                Ok(())
            }
            (Head::Assert, [Item::Term(term)]) if at_top && self.query => {
                if self.store.sort(*term) != Sort::BitVec(1) {
                    return Err("a constraint is one bit wide".to_owned());
                }
                self.done.push(*term);
                Ok(())
            }
            (Head::Define | Head::Assert, _) => Err("expected `(define NAME TERM)` or `(assert TERM)`".to_owned()),
            (Head::Apply(kind), _) => {
                let term = self.apply(kind, &open.items)?;
                self.finish(term, at_top)
            }
            (Head::Ne, _) => {
                let equal = self.apply(Kind::Eq, &open.items)?;
                let term = self.store.not(equal);
                self.finish(term, at_top)
            }
            (Head::Neg, [Item::Term(term)]) if matches!(self.store.sort(*term), Sort::BitVec(_)) => {
                let term = self.store.neg(*term);
                self.finish(term, at_top)
            }
            (Head::Neg, _) => Err("neg takes one bit-vector".to_owned()),
        }
    }

    fn bindings_done(&mut self, bound: Vec<(String, Option<Term>)>) -> Result<(), String> {
        if let Some(open) = self.open.last_mut() {
            open.bound = bound;
            open.head = Head::LetBody;
        }
        Ok(())
    }

    fn finish(&mut self, term: Term, at_top: bool) -> Result<(), String> {
        if at_top && self.query {
            return Err("expected `(assert …)` or `(define …)`".to_owned());
        }
        self.item(Item::Term(term))
    }

    fn apply(&mut self, kind: Kind, items: &[Item]) -> Result<Term, String> {
        let parameters = match kind {
            Kind::Extract => 2,
            Kind::ZExt | Kind::SExt | Kind::ConstArray | Kind::Lookup => 1,
            Kind::FRound | Kind::FConvert | Kind::FFromS | Kind::FFromU | Kind::FToS => 1,
            _ => 0,
        };
        let parameter = |place: usize| match items.get(place) {
            Some(Item::Number(digits, 10)) => digits.parse::<u32>().map_err(|_| format!("`{digits}` is too large")),
            _ => Err(format!("takes {parameters} decimal numbers first")),
        };
        let (mut imm, mut width) = (0, 0);
        if kind == Kind::FRound {
            imm = parameter(0)?;
        } else if parameters > 0 {
            width = u16::try_from(parameter(0)?).map_err(|_| "this width is too large".to_owned())?;
        }
        if parameters > 1 {
            imm = parameter(1)?;
        }
        let items = items.get(parameters..).unwrap_or_default();
        if kind == Kind::Lookup {
            return self.lookup(width, items);
        }
        let known = |place: usize| match items.get(place) {
            Some(Item::Term(term)) => Some(self.store.width(*term)),
            _ => None,
        };
        let array = match items.first() {
            Some(Item::Term(term)) => Some(self.store.sort(*term)),
            _ => None,
        };
        let given = |place: usize| match (kind, place, array) {
            (Kind::Ite, 1 | 2, _) => known(1).or(known(2)),
            (Kind::Select | Kind::Store, 1, Some(Sort::Array { index, .. })) => Some(index),
            (Kind::Store, 2, Some(Sort::Array { element, .. })) => Some(element),
            _ if kind.is_binary() => known(0).or(known(1)),
            _ => None,
        };
        let widths: Vec<Option<u16>> = (0..items.len()).map(given).collect();
        let mut operands = Vec::with_capacity(items.len());
        for (item, given) in items.iter().zip(widths) {
            operands.push(match (item, given) {
                (Item::Term(term), _) => *term,
                (Item::Number(digits, radix), Some(width)) => {
                    let value = BitVec::parse(width, digits, *radix).ok_or("this is no number")?;
                    self.store.constant(value)
                }
                _ => return Err("a number here needs a width: `0x41:8`".to_owned()),
            });
        }
        self.store.apply(kind, &operands, imm, width).map_err(|error| error.to_string())
    }

    /// Elements of a width, and the index behind them.
    fn lookup(&mut self, width: u16, items: &[Item]) -> Result<Term, String> {
        let [elements @ .., Item::Term(index)] = items else { return Err("takes an index last".to_owned()) };
        let value = |item: &Item| match item {
            Item::Number(digits, radix) => BitVec::parse(width, digits, *radix),
            _ => None,
        };
        let values: Option<Vec<BitVec>> = elements.iter().map(value).collect();
        let values = values.filter(|_| (1..=MAX_WIDTH).contains(&width)).ok_or("takes a width and numbers first")?;
        self.store.lookup(*index, values).map_err(|error| error.to_string())
    }
}

fn width_of(text: &str) -> Result<u16, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("`{text}` is no width from 1 to {MAX_WIDTH}"))
}
