//! Types: `Bool` and the integer refinement types `{x : Int | t}`.

use std::fmt;
use std::sync::Arc;

use crate::term::Term;
use crate::value::{Binary, NoValue, Sort, Value};

/// A type. It is kept as the conjunction of the predicates that it was made from, so that an intersection can be
/// printed in the user's words and a subtyping that holds by its form needs no solver.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    sort: Sort,
    parts: Vec<Part>,
}

/// Predicates that came together, under a name or as they are.
#[derive(Clone, Debug)]
struct Part {
    name: Option<Arc<str>>,
    variable: Arc<str>,
    predicates: Vec<Arc<Term>>,
}

/// Two parts are one if they say the same in the same form, whatever they are called.
impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.predicates == other.predicates
    }
}

impl Eq for Part {}

impl std::hash::Hash for Part {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.predicates.hash(state);
    }
}

impl Type {
    /// `Bool`.
    pub const BOOL: Type = Type { sort: Sort::Bool, parts: Vec::new() };

    /// `int`, all integers.
    pub const INT: Type = Type { sort: Sort::Int, parts: Vec::new() };

    /// All values of a sort.
    pub fn all(sort: Sort) -> Type {
        Type { sort, parts: Vec::new() }
    }

    /// `{variable : Int | predicate}`, where the variable is parameter 0 of the predicate.
    pub fn refinement(variable: &str, predicate: Term) -> Type {
        let parts = match predicate {
            Term::Value(Value::Bool(true)) => Vec::new(),
            predicate => vec![Part { name: None, variable: variable.into(), predicates: vec![Arc::new(predicate)] }],
        };
        Type { sort: Sort::Int, parts }
    }

    /// The type of a literal: `{x : Int | x == i}` (T-IC) or `Bool` (T-BC).
    pub fn of_value(value: &Value) -> Type {
        match value {
            Value::Bool(_) => Type::BOOL,
            Value::Int(_) => {
                let predicate =
                    Term::Binary(Binary::Equal, Box::new(Term::Parameter(0)), Box::new(Term::Value(value.clone())));
                Type::refinement("x", predicate)
            }
        }
    }

    /// The same type, under a name of its own.
    pub fn named(self, name: &str) -> Type {
        let Some(first) = self.parts.first() else { return self };
        let variable = first.variable.clone();
        let predicates = self.parts.into_iter().flat_map(|part| part.predicates).collect();
        Type { sort: self.sort, parts: vec![Part { name: Some(name.into()), variable, predicates }] }
    }

    /// What its values are.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Whether every value of its sort is in it, by its form.
    pub fn is_all(&self) -> bool {
        self.parts.is_empty()
    }

    /// The predicates that a value has to satisfy. The value is parameter 0.
    pub fn predicates(&self) -> impl Iterator<Item = &Term> {
        self.parts.iter().flat_map(|part| part.predicates.iter().map(|predicate| &**predicate))
    }

    /// *T* ∩ *S*, for types of one sort.
    pub fn intersect(&self, other: &Type) -> Type {
        let mut parts = self.parts.clone();
        for part in &other.parts {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        Type { sort: self.sort, parts }
    }

    /// *v* ∈ *T*. A predicate without a value (a division by 0 in it) does not hold.
    pub fn contains(&self, value: &Value) -> Result<bool, NoValue> {
        if value.sort() != self.sort {
            return Ok(false);
        }
        let arguments = std::slice::from_ref(value);
        for predicate in self.predicates() {
            match predicate.evaluate(arguments) {
                Ok(Value::Bool(true)) => {}
                Ok(_) | Err(NoValue::Undefined) => return Ok(false),
                Err(NoValue::TooLarge) => return Err(NoValue::TooLarge),
            }
        }
        Ok(true)
    }

    /// Whether every predicate of the other type is one of this type's: then this is a subtype, by its form.
    pub(crate) fn has_all_of(&self, other: &Type) -> bool {
        self.sort == other.sort
            && other.predicates().all(|wanted| self.predicates().any(|predicate| predicate == wanted))
    }

    /// The only value that can be in it, if a predicate says so in as many words.
    pub(crate) fn pinned(&self) -> Option<&Value> {
        self.predicates().find_map(Term::pinned)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str(match self.sort {
                Sort::Int => "int",
                Sort::Bool => "Bool",
            });
        }
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                f.write_str(" & ")?;
            }
            match &part.name {
                Some(name) => f.write_str(name)?,
                None => {
                    let names = [&*part.variable];
                    for predicate in &part.predicates {
                        write!(f, "{{{} : Int | {}}}", part.variable, predicate.with_names(&names))?;
                    }
                }
            }
        }
        Ok(())
    }
}
