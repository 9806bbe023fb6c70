//! Symbolic values: formulas over the input parameters α, shared where they are equal.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;

use crate::term::{COMPARISON, NEGATION, Number, PREFIX, Term, strength, symbol};
use crate::types::Type;
use crate::value::{Binary, NoValue, Sort, Unary, Value, choose};

/// A symbolic value *sv*, by its position among the [`Formulas`]. Operands come before what uses them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbolic(usize);

impl Symbolic {
    /// Its position.
    pub fn index(self) -> usize {
        self.0
    }
}

/// What a symbolic value is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A concrete value.
    Value(Value),
    /// An input parameter α.
    Parameter(usize),
    /// An operation on one.
    Unary(Unary, Symbolic),
    /// An operation on two.
    Binary(Binary, Symbolic, Symbolic),
    /// `if a then b else c`
    If(Symbolic, Symbolic, Symbolic),
}

impl Node {
    pub(crate) fn operands(&self) -> impl Iterator<Item = Symbolic> {
        match *self {
            Node::Value(_) | Node::Parameter(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::If(a, b, c) => [Some(a), Some(b), Some(c)],
        }
        .into_iter()
        .flatten()
    }
}

/// The store of symbolic values.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    depths: Vec<usize>,
    known: FxHashMap<Node, Symbolic>,
    parameters: Vec<Sort>,
}

impl Formulas {
    /// A store for formulas over parameters of these sorts.
    pub fn new(parameters: Vec<Sort>) -> Formulas {
        Formulas { nodes: Vec::new(), depths: Vec::new(), known: FxHashMap::default(), parameters }
    }

    /// The sorts of the parameters.
    pub fn parameters(&self) -> &[Sort] {
        &self.parameters
    }

    /// What a symbolic value is made of.
    pub fn node(&self, symbolic: Symbolic) -> Option<&Node> {
        self.nodes.get(symbolic.0)
    }

    /// How deeply it is nested.
    pub fn depth(&self, symbolic: Symbolic) -> usize {
        self.depths.get(symbolic.0).copied().unwrap_or(0)
    }

    /// A concrete value.
    pub fn value(&mut self, value: Value) -> Symbolic {
        self.add(Node::Value(value))
    }

    /// A parameter.
    pub fn parameter(&mut self, index: usize) -> Symbolic {
        self.add(Node::Parameter(index))
    }

    /// The concrete value, if it depends on no parameter.
    pub fn constant(&self, symbolic: Symbolic) -> Option<&Value> {
        match self.node(symbolic)? {
            Node::Value(value) => Some(value),
            _ => None,
        }
    }

    /// An operation on one.
    pub fn unary(&mut self, operation: Unary, operand: Symbolic) -> Symbolic {
        if let Some(Node::Unary(Unary::Not, inner)) = self.node(operand)
            && operation == Unary::Not
        {
            return *inner;
        }
        self.add(Node::Unary(operation, operand))
    }

    /// An operation on two.
    pub fn binary(&mut self, operation: Binary, left: Symbolic, right: Symbolic) -> Symbolic {
        match (operation, self.truth(left), self.truth(right)) {
            (Binary::And, Some(true), _) | (Binary::Or, Some(false), _) => right,
            (Binary::And, Some(false), _) | (Binary::Or, Some(true), _) => left,
            (Binary::And, _, Some(true)) | (Binary::Or, _, Some(false)) => left,
            _ => self.add(Node::Binary(operation, left, right)),
        }
    }

    /// A term with symbolic values for its parameters.
    pub fn instantiate(&mut self, term: &Term, arguments: &[Symbolic]) -> Symbolic {
        match term {
            Term::Value(value) => self.value(value.clone()),
            Term::Parameter(index) => match arguments.get(*index) {
                Some(argument) => *argument,
                // The resolver lets no other parameters into a term. This one has no value.
                None => self.parameter(usize::MAX),
            },
            Term::Unary(operation, operand) => {
                let operand = self.instantiate(operand, arguments);
                self.unary(*operation, operand)
            }
            Term::Binary(operation, left, right) => {
                let left = self.instantiate(left, arguments);
                let right = self.instantiate(right, arguments);
                self.binary(*operation, left, right)
            }
            Term::If(condition, yes, no) => {
                let condition = self.instantiate(condition, arguments);
                let (yes, no) = (self.instantiate(yes, arguments), self.instantiate(no, arguments));
                match self.truth(condition) {
                    Some(true) => yes,
                    Some(false) => no,
                    None => self.add(Node::If(condition, yes, no)),
                }
            }
        }
    }

    /// Symbolic value typing, *sv* ∈ *T* ⇒ φ: the formula that says that the value is in the type.
    pub fn member(&mut self, value: Symbolic, of: &Type) -> Symbolic {
        let mut all = self.value(Value::Bool(true));
        for predicate in of.predicates() {
            let holds = self.instantiate(predicate, &[value]);
            all = self.binary(Binary::And, all, holds);
        }
        all
    }

    /// The formula that says that a value is defined and in a type.
    ///
    /// Membership in `int` says nothing of the value's being defined, because nothing of it is computed.
    pub(crate) fn kept(&mut self, value: Symbolic, of: &Type) -> Symbolic {
        let defined = self.add(Node::Binary(Binary::Equal, value, value));
        let member = self.member(value, of);
        self.binary(Binary::And, defined, member)
    }

    fn truth(&self, symbolic: Symbolic) -> Option<bool> {
        self.constant(symbolic).and_then(Value::truth)
    }

    fn add(&mut self, node: Node) -> Symbolic {
        let node = self.folded(&node).map_or(node, Node::Value);
        if let Some(there) = self.known.get(&node) {
            return *there;
        }
        let symbolic = Symbolic(self.nodes.len());
        self.depths.push(1 + node.operands().map(|operand| self.depth(operand)).max().unwrap_or(0));
        self.nodes.push(node.clone());
        self.known.insert(node, symbolic);
        symbolic
    }

    fn folded(&self, node: &Node) -> Option<Value> {
        let constant = |symbolic: &Symbolic| self.constant(*symbolic).map(Ok);
        match node {
            Node::Unary(operation, operand) => operation.apply(constant(operand)?).ok(),
            Node::Binary(operation, left, right) => operation.apply(constant(left)?, constant(right)?).ok(),
            _ => None,
        }
    }

    /// The values that some depend on, themselves included, operands first.
    pub fn reachable(&self, roots: &[Symbolic]) -> Vec<Symbolic> {
        let Some(last) = roots.iter().max() else { return Vec::new() };
        let mut wanted = vec![false; last.0 + 1];
        for root in roots {
            if let Some(flag) = wanted.get_mut(root.0) {
                *flag = true;
            }
        }
        let mut found = Vec::new();
        for index in (0..=last.0).rev() {
            if !wanted.get(index).is_some_and(|flag| *flag) {
                continue;
            }
            found.push(Symbolic(index));
            for operand in self.node(Symbolic(index)).into_iter().flat_map(Node::operands) {
                if let Some(flag) = wanted.get_mut(operand.0) {
                    *flag = true;
                }
            }
        }
        found.reverse();
        found
    }

    /// α(*sv*) → *v*: its value under an input.
    pub fn evaluate(&self, root: Symbolic, input: &[Value]) -> Result<Value, NoValue> {
        let mut values: FxHashMap<Symbolic, Result<Value, NoValue>> = FxHashMap::default();
        let mut last = Err(NoValue::Undefined);
        for symbolic in self.reachable(&[root]) {
            let of = |operand: &Symbolic| match values.get(operand) {
                Some(value) => value.as_ref().map_err(|error| *error),
                None => Err(NoValue::Undefined),
            };
            last = match self.node(symbolic) {
                Some(Node::Value(value)) => Ok(value.clone()),
                Some(Node::Parameter(index)) => input.get(*index).cloned().ok_or(NoValue::Undefined),
                Some(Node::Unary(operation, operand)) => operation.apply(of(operand)),
                Some(Node::Binary(operation, left, right)) => operation.apply(of(left), of(right)),
                Some(Node::If(condition, yes, no)) => choose(of(condition), of(yes), of(no)),
                None => Err(NoValue::Undefined),
            };
            values.insert(symbolic, last.clone());
        }
        last
    }

    /// Its text, with these names for the parameters; shortened if it is long.
    pub fn text(&self, symbolic: Symbolic, names: &[String]) -> String {
        let mut printer = Printer { formulas: self, names, text: String::new() };
        // Writing to a string does not fail.
        let _ = printer.print(symbolic, 0, 0);
        printer.text
    }

    /// The text of its negation.
    pub fn negated_text(&self, symbolic: Symbolic, names: &[String]) -> String {
        let mut printer = Printer { formulas: self, names, text: String::new() };
        let _ = match self.node(symbolic) {
            Some(Node::Unary(Unary::Not, inner)) => printer.print(*inner, 0, 0),
            _ => printer.negation(symbolic, 0),
        };
        printer.text
    }
}

/// Longer text helps nobody; and written out, a shared formula can be exponentially larger than it is.
const LONGEST_TEXT: usize = 160;
/// More parentheses than this help nobody either.
const DEEPEST_TEXT: usize = 24;

struct Printer<'a> {
    formulas: &'a Formulas,
    names: &'a [String],
    text: String,
}

impl Printer<'_> {
    fn print(&mut self, symbolic: Symbolic, outer: u8, depth: usize) -> fmt::Result {
        if depth > DEEPEST_TEXT || self.text.len() > LONGEST_TEXT {
            return self.text.write_char('…');
        }
        let formulas = self.formulas;
        let (own, depth) = (binding(formulas, symbolic), depth + 1);
        let open = own < outer;
        if open {
            self.text.push('(');
        }
        match formulas.node(symbolic) {
            Some(Node::Value(Value::Int(number))) => write!(self.text, "{}", Number(number))?,
            Some(Node::Value(value)) => write!(self.text, "{value}")?,
            Some(Node::Parameter(index)) => {
                self.text.push_str(self.names.get(*index).map_or("_", String::as_str));
            }
            Some(Node::Unary(Unary::Not, operand)) => self.negation(*operand, depth)?,
            Some(Node::Unary(Unary::Negate, operand)) => {
                self.text.push('-');
                self.print(*operand, PREFIX + 1, depth)?;
            }
            Some(Node::Binary(operation, left, right)) => self.pair(symbol(*operation), *left, *right, own, depth)?,
            Some(Node::If(condition, yes, no)) => {
                self.text.push_str("if ");
                self.print(*condition, 0, depth)?;
                self.text.push_str(" then ");
                self.print(*yes, 0, depth)?;
                self.text.push_str(" else ");
                self.print(*no, 0, depth)?;
            }
            None => {}
        }
        if open {
            self.text.push(')');
        }
        Ok(())
    }

    fn negation(&mut self, operand: Symbolic, depth: usize) -> fmt::Result {
        match self.formulas.node(operand) {
            Some(Node::Binary(Binary::Equal, left, right)) => self.pair("!=", *left, *right, COMPARISON, depth),
            Some(Node::Binary(Binary::Less, left, right)) => self.pair("<=", *right, *left, COMPARISON, depth),
            Some(Node::Binary(Binary::LessOrEqual, left, right)) => self.pair("<", *right, *left, COMPARISON, depth),
            _ => {
                self.text.push('!');
                self.print(operand, PREFIX, depth)
            }
        }
    }

    fn pair(&mut self, symbol: &str, left: Symbolic, right: Symbolic, own: u8, depth: usize) -> fmt::Result {
        // A literal reads better on the right.
        if own == COMPARISON && self.formulas.constant(left).is_some() && self.formulas.constant(right).is_none() {
            let turned = match symbol {
                "<" => ">",
                "<=" => ">=",
                other => other,
            };
            return self.side_by_side(turned, right, left, own, depth);
        }
        self.side_by_side(symbol, left, right, own, depth)
    }

    fn side_by_side(&mut self, symbol: &str, left: Symbolic, right: Symbolic, own: u8, depth: usize) -> fmt::Result {
        self.print(left, if own == COMPARISON { own + 1 } else { own }, depth)?;
        write!(self.text, " {symbol} ")?;
        self.print(right, own + 1, depth)
    }
}

fn binding(formulas: &Formulas, symbolic: Symbolic) -> u8 {
    match formulas.node(symbolic) {
        Some(Node::Binary(operation, ..)) => strength(*operation),
        Some(Node::Unary(Unary::Not, operand)) => match formulas.node(*operand) {
            Some(Node::Binary(Binary::Equal | Binary::Less | Binary::LessOrEqual, ..)) => COMPARISON,
            _ => NEGATION,
        },
        Some(Node::Unary(..)) => PREFIX,
        Some(Node::If(..)) => 0,
        _ => PREFIX + 1,
    }
}
