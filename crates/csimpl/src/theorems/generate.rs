//! Random programs, and environments that they can be checked in.
//!
//! Types come from a class for which looking at a few dozen integers decides subtyping: their predicates compare linear
//! terms with small constants or look at remainders, so far from 0 they are constant or repeat themselves.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::environment::{Environment, Signature};
use crate::module::{Module, OperatorInfo, VariableInfo};
use crate::print::{Detail, lines};
use crate::program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Operator, Program, Variable};
use crate::source::Span;
use crate::syntax::infix;
use crate::term::Term;
use crate::types::Type;
use crate::value::{Binary, Sort, Unary, Value};

/// Inputs go from minus this to this.
pub(super) const LARGEST_INPUT: i64 = 4;
/// Integer variables: two inputs, two others.
const INTEGERS: usize = 4;
/// Boolean variables: one input, one other.
const BOOLEANS: usize = 2;
const INPUTS: [usize; 3] = [0, 1, INTEGERS];

/// A program with two environments over the same variables and operators.
#[derive(Clone)]
pub(super) struct World {
    /// The program; what is declared is the first environment.
    pub(super) module: Module,
    /// The second environment.
    pub(super) other: Environment,
    /// Decides which subtypings the test's prover does not know.
    pub(super) seed: u64,
}

impl World {
    pub(super) fn environment(&self) -> &Environment {
        &self.module.declared
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, environment) in [("declared", self.environment()), ("other", &self.other)] {
            for (index, info) in self.module.variables.iter().enumerate() {
                writeln!(f, "{name} {} : {} = {:?}", info.name, environment.declared(Variable(index)), info.initial)?;
            }
            for (info, signature) in self.module.operators.iter().zip(environment.operators()) {
                let parameters: Vec<String> = signature.parameters.iter().map(Type::to_string).collect();
                writeln!(f, "{name} {}({}) : {}", info.name, parameters.join(", "), signature.result)?;
            }
        }
        for line in lines(&self.module, &self.module.program, Detail::Full) {
            writeln!(f, "{}", line.text)?;
        }
        write!(f, "seed {}", self.seed)
    }
}

fn parameter() -> Box<Term> {
    Box::new(Term::Parameter(0))
}

fn literal(number: i64) -> Box<Term> {
    Box::new(Term::Value(number.into()))
}

fn binary(operation: Binary, left: Box<Term>, right: Box<Term>) -> Term {
    Term::Binary(operation, left, right)
}

fn predicate() -> impl Strategy<Value = Term> {
    let comparison = prop_oneof![Just(Binary::Equal), Just(Binary::Less), Just(Binary::LessOrEqual)];
    let linear = (comparison, -3..=3i64, -6..=6i64, -6..=6i64).prop_map(|(operation, factor, offset, bound)| {
        let scaled = Box::new(binary(Binary::Multiply, literal(factor), parameter()));
        binary(operation, Box::new(binary(Binary::Add, scaled, literal(offset))), literal(bound))
    });
    let simple = (0..4u8, -6..=6i64).prop_map(|(kind, bound)| match kind {
        0 => binary(Binary::Less, parameter(), literal(bound)),
        1 => binary(Binary::LessOrEqual, literal(bound), parameter()),
        2 => binary(Binary::Equal, parameter(), literal(bound)),
        _ => Term::Unary(Unary::Not, Box::new(binary(Binary::Equal, parameter(), literal(bound)))),
    });
    let remainder = (2..=4i64, 0..=2i64).prop_map(|(by, rest)| {
        binary(Binary::Equal, Box::new(binary(Binary::Remainder, parameter(), literal(by))), literal(rest))
    });
    // Has no value for 0.
    let quotient = (-3..=3i64).prop_map(|bound| {
        binary(Binary::LessOrEqual, literal(bound), Box::new(binary(Binary::Divide, literal(10), parameter())))
    });
    let atom = prop_oneof![4 => simple, 2 => linear, 1 => remainder, 1 => quotient];
    atom.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Term::and(left, right)),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| binary(
                Binary::Or,
                Box::new(left),
                Box::new(right)
            )),
            inner.prop_map(|inner| Term::Unary(Unary::Not, Box::new(inner))),
        ]
    })
}

pub(super) fn integer_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        2 => Just(Type::INT),
        5 => predicate().prop_map(|predicate| Type::refinement("x", predicate)),
    ]
}

/// What the operators compute, and types that operands must have and results do have whatever the operands are.
fn operators() -> Vec<(&'static str, Term, Vec<Type>, Type)> {
    let second = || Box::new(Term::Parameter(1));
    let not_zero =
        Type::refinement("x", Term::Unary(Unary::Not, Box::new(binary(Binary::Equal, parameter(), literal(0)))));
    let small = Type::refinement(
        "x",
        Term::and(binary(Binary::Less, literal(-3), parameter()), binary(Binary::Less, parameter(), literal(3))),
    );
    let not_negative = Type::refinement("x", binary(Binary::LessOrEqual, literal(0), parameter()));
    let absolute = Term::If(
        Box::new(binary(Binary::Less, parameter(), literal(0))),
        Box::new(Term::Unary(Unary::Negate, parameter())),
        parameter(),
    );
    let int = || Type::INT;
    vec![
        ("add", binary(Binary::Add, parameter(), second()), vec![int(), int()], int()),
        ("sub", binary(Binary::Subtract, parameter(), second()), vec![int(), int()], int()),
        ("mul", binary(Binary::Multiply, parameter(), second()), vec![int(), int()], int()),
        ("div", binary(Binary::Divide, parameter(), second()), vec![int(), not_zero], int()),
        ("rest", binary(Binary::Remainder, parameter(), literal(3)), vec![int()], small),
        ("abs", absolute, vec![int()], not_negative),
        ("lt", binary(Binary::Less, parameter(), second()), vec![int(), int()], Type::BOOL),
        ("eq", binary(Binary::Equal, parameter(), second()), vec![int(), int()], Type::BOOL),
        ("not", Term::Unary(Unary::Not, parameter()), vec![Type::BOOL], Type::BOOL),
    ]
}

/// Positions of the operators that give integers, and of those that give truth values.
const TO_INT: [usize; 6] = [0, 1, 2, 3, 4, 5];
const TO_BOOL: [usize; 3] = [6, 7, 8];

fn signatures() -> impl Strategy<Value = Vec<Signature>> {
    vec(prop_oneof![2 => Just(None), 1 => integer_type().prop_map(Some)], 16).prop_map(|extra| {
        let mut extra = extra.into_iter();
        let restricted = |wanted: Type, extra: &mut dyn Iterator<Item = Option<Type>>| match extra.next().flatten() {
            Some(more) if wanted.sort() == Sort::Int => wanted.intersect(&more),
            _ => wanted,
        };
        let signature = |(_, _, parameters, result): (_, _, Vec<Type>, Type)| Signature {
            parameters: parameters.into_iter().map(|wanted| restricted(wanted, &mut extra)).collect(),
            result,
        };
        operators().into_iter().map(signature).collect()
    })
}

fn operand(sort: Sort) -> BoxedStrategy<Operand> {
    match sort {
        Sort::Int => prop_oneof![
            3 => (0..INTEGERS).prop_map(|index| Operand::Variable(Variable(index))),
            1 => (-6..=6i64).prop_map(|number| Operand::Value(number.into())),
        ]
        .boxed(),
        Sort::Bool => prop_oneof![
            3 => (INTEGERS..INTEGERS + BOOLEANS).prop_map(|index| Operand::Variable(Variable(index))),
            1 => any::<bool>().prop_map(|truth| Operand::Value(truth.into())),
        ]
        .boxed(),
    }
}

fn apply(positions: &'static [usize]) -> impl Strategy<Value = ExpressionKind> {
    (proptest::sample::select(positions), operand(Sort::Int), operand(Sort::Int), operand(Sort::Bool)).prop_map(
        |(position, first, second, truth)| {
            let parameters = operators().get(position).map(|(_, _, parameters, _)| parameters.clone());
            let mut integers = [first, second].into_iter();
            let operands = parameters.unwrap_or_default().into_iter().filter_map(|parameter| {
                let operand = if parameter.sort() == Sort::Int { integers.next()? } else { truth.clone() };
                Some((operand, Span::default()))
            });
            ExpressionKind::Apply(Operator(position), operands.collect())
        },
    )
}

fn expression(sort: Sort) -> BoxedStrategy<Expression> {
    let kind = match sort {
        Sort::Int => prop_oneof![operand(sort).prop_map(ExpressionKind::Operand), apply(&TO_INT)].boxed(),
        Sort::Bool => prop_oneof![operand(sort).prop_map(ExpressionKind::Operand), apply(&TO_BOOL)].boxed(),
    };
    kind.prop_map(|kind| Expression { kind, span: Span::default() }).boxed()
}

fn cast_set() -> impl Strategy<Value = CastSet> {
    let entries =
        prop_oneof![3 => vec((0..INTEGERS, integer_type()), 0), 1 => vec((0..INTEGERS, integer_type()), 1..=2)];
    entries.prop_map(|entries| {
        let mut casts = CastSet::default();
        entries.into_iter().for_each(|(index, cast)| casts.add(Variable(index), &cast));
        casts
    })
}

/// A program as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Stop,
    Assign(CastSet, Variable, Type, Expression, Box<Tree>),
    If(CastSet, Expression, Box<Tree>, Box<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let assign = |next: BoxedStrategy<Tree>| {
        let integers = (0..INTEGERS, prop_oneof![2 => Just(Type::INT), 1 => integer_type()], expression(Sort::Int));
        let booleans = (INTEGERS..INTEGERS + BOOLEANS, Just(Type::BOOL), expression(Sort::Bool));
        let what = prop_oneof![4 => integers, 1 => booleans];
        (cast_set(), what, next).prop_map(|(casts, (target, cast, expression), next)| {
            Tree::Assign(casts, Variable(target), cast, expression, Box::new(next))
        })
    };
    Just(Tree::Stop).prop_recursive(7, 20, 2, move |inner| {
        let next = inner.clone().boxed();
        let branch = (cast_set(), expression(Sort::Bool), inner.clone(), inner)
            .prop_map(|(casts, condition, yes, no)| Tree::If(casts, condition, Box::new(yes), Box::new(no)));
        prop_oneof![3 => assign(next), 1 => branch]
    })
}

fn build(program: &mut Program, tree: Tree) -> CommandId {
    let command = match tree {
        Tree::Stop => Command::Stop,
        Tree::Assign(casts, target, cast, expression, next) => {
            let next = build(program, *next);
            Command::Assign { casts, target, cast, expression, next }
        }
        Tree::If(casts, condition, yes, no) => {
            let (yes, no) = (build(program, *yes), build(program, *no));
            Command::If { casts, condition, yes, no }
        }
    };
    program.push(command, Span::default())
}

/// The first of some values that is in both types.
fn member_of_both(left: &Type, right: &Type) -> Option<Value> {
    let numbers = (0..=LARGEST_INPUT).flat_map(|number| [number, -number]);
    numbers.map(Value::from).find(|value| left.contains(value) == Ok(true) && right.contains(value) == Ok(true))
}

/// Programs with environments.
pub(super) fn world() -> impl Strategy<Value = World> {
    let types = || vec(integer_type(), INTEGERS);
    (types(), types(), signatures(), signatures(), tree(), any::<u64>()).prop_map(
        |(mut types, mut other_types, signatures, other_signatures, tree, seed)| {
            let mut variables = Vec::new();
            for (index, (left, right)) in types.iter_mut().zip(&mut other_types).enumerate() {
                // A variable starts with a value that is in both of its types.
                let initial = member_of_both(left, right).unwrap_or_else(|| {
                    (*left, *right) = (Type::INT, Type::INT);
                    Value::from(0)
                });
                variables.push((format!("x{index}"), initial));
            }
            for index in 0..BOOLEANS {
                types.push(Type::BOOL);
                other_types.push(Type::BOOL);
                variables.push((format!("b{index}"), Value::from(false)));
            }
            let variables = variables.into_iter().enumerate().map(|(index, (name, initial))| VariableInfo {
                name,
                span: Span::default(),
                parameter: INPUTS.iter().position(|input| *input == index),
                initial: Some(initial),
            });
            let mut program = Program::empty();
            let entry = build(&mut program, tree);
            program.start_at(entry);
            let infos = operators().into_iter().map(|(name, _, parameters, _)| OperatorInfo {
                name: name.to_owned(),
                span: None,
                parameters: parameters.iter().map(|_| "n".to_owned()).collect(),
                infix: infix(name),
            });
            let module = Module {
                variables: variables.collect(),
                operators: infos.collect(),
                definitions: operators().into_iter().map(|(_, definition, ..)| definition).collect(),
                declared: Environment::new(types, signatures),
                environments: Vec::new(),
                program,
            };
            World { module, other: Environment::new(other_types, other_signatures), seed }
        },
    )
}
