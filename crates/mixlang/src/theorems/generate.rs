//! Random programs, most of them almost well-typed, and random states to start them in.

use std::rc::Rc;

use crate::evaluate::Value;
use crate::parse;
use crate::syntax::Program;
use crate::types::{Sign, Type};

/// Random decisions: the same seed gives the same ones. When their number is used up, always the first possibility is
/// chosen, so fewer choices make a smaller program.
pub struct Choices {
    state: u64,
    left: usize,
}

impl Choices {
    pub fn new(seed: u64, length: usize) -> Choices {
        Choices { state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d), left: length }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        let Some(left) = self.left.checked_sub(1) else { return 0 };
        self.left = left;
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        // Not the first possibility: what is unusual does not happen when the choices are used up.
        self.below(bound) == bound - 1
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// What programs are made of.
#[derive(Clone, Copy)]
pub struct Features {
    /// Typed and symbolic blocks.
    pub blocks: bool,
    /// Functions that are not defined.
    pub undefined: bool,
    /// Tricks that a type checker does not see through.
    pub tricks: bool,
    /// One in this many parts has any type instead of the right one.
    pub confused: usize,
}

pub(super) struct Generator<'c> {
    pub(super) choices: &'c mut Choices,
    features: Features,
    scope: Vec<(String, Type, bool)>,
    names: usize,
}

pub(super) fn int() -> Type {
    Type::INT
}

pub(super) fn pos() -> Type {
    Type::Int(Sign::Pos)
}

fn fun(from: Type, to: Type) -> Type {
    Type::Fun(Rc::new(from), Rc::new(to))
}

/// A program and values for its externs and the cells that these refer to.
pub struct Case {
    pub source: String,
    pub program: Program,
    pub externs: Vec<Value>,
    pub memory: Vec<Value>,
    /// The types of the cells.
    pub cells: Vec<Type>,
}

/// Makes a program and a state.
pub fn case(choices: &mut Choices, features: Features) -> Case {
    let mut externs: Vec<(&str, Type)> = vec![
        ("a", int()),
        ("b", int()),
        ("c", Type::Bool),
        ("m", pos()),
        ("s", Type::String),
        ("p", int().reference()),
        ("q", int().reference()),
        ("r", Type::Bool.reference()),
        ("n", pos().reference()),
        ("w", int().reference().reference()),
    ];
    if features.undefined {
        externs.push(("f", fun(int(), int())));
        externs.push(("g", fun(pos(), Type::Bool)));
        externs.push(("h", fun(Type::Unit, pos())));
    }
    let scope = externs.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone(), false)).collect();
    let ty = choices.pick(&[int(), int(), Type::Bool, Type::String, pos(), int().reference(), Type::Unit]);
    let mut generator = Generator { choices, features, scope, names: 0 };
    let body = generator.expr(&ty, 6);
    let mut source: String = externs.iter().map(|(name, ty)| format!("extern {name} : {ty} in\n")).collect();
    source.push_str(&body);
    let program = parse(&source).unwrap_or_else(|error| panic!("{error} at {:?}:\n{source}", error.span));
    let (externs, memory, cells) = start(choices, &externs);
    Case { source, program, externs, memory, cells }
}

/// Values for externs. Cells of one type may be shared between references.
fn start(choices: &mut Choices, externs: &[(&str, Type)]) -> (Vec<Value>, Vec<Value>, Vec<Type>) {
    let cells = vec![int(), int(), Type::Bool, pos(), int().reference()];
    let memory = cells.iter().map(|cell| value(choices, cell, &cells)).collect();
    let externs = externs.iter().map(|(_, ty)| value(choices, ty, &cells)).collect();
    (externs, memory, cells)
}

/// A value of a type; references go to one of the cells.
pub fn value(choices: &mut Choices, ty: &Type, cells: &[Type]) -> Value {
    let any = |choices: &mut Choices| choices.pick(&[0, 1, -1, 2, 5, i64::MAX, i64::MIN, 7]);
    match ty {
        Type::Int(sign) => match (sign, any(choices)) {
            (Sign::Unknown, number) => Value::Int(number),
            (Sign::Pos, number) => Value::Int(number.checked_abs().unwrap_or(3).max(1)),
            (Sign::Neg, number) => Value::Int(-number.checked_abs().unwrap_or(3).max(1)),
            (Sign::Zero, _) => Value::Int(0),
        },
        Type::Bool => Value::Bool(choices.below(2) == 1),
        Type::String => Value::String(choices.pick(&["", "foo", "bar", "text 9"]).into()),
        Type::Float => Value::Float(choices.pick(&[0.5, 1.0])),
        Type::Unit => Value::Unit,
        Type::Ref(cell) => {
            let places: Vec<usize> = (0..cells.len()).filter(|at| cells[*at] == **cell).collect();
            Value::Location(choices.pick(&places))
        }
        Type::Fun(from, to) => Value::Undefined(from.clone(), to.clone()),
        Type::Code(_) => unreachable!("no extern is known by its code"),
    }
}

impl Generator<'_> {
    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    pub(super) fn any_type(&mut self) -> Type {
        self.choices.pick(&[
            int(),
            Type::Bool,
            Type::String,
            int().reference(),
            pos(),
            Type::Unit,
            Type::Bool.reference(),
            pos().reference(),
            int().reference().reference(),
            fun(int(), int()),
            fun(pos(), Type::Bool),
            fun(int(), int()).reference(),
        ])
    }

    /// A variable in scope that satisfies a condition.
    pub(super) fn variable(&mut self, fits: impl Fn(&Type, bool) -> bool) -> Option<(String, Type)> {
        let found: Vec<(String, Type)> = self
            .scope
            .iter()
            .filter(|(_, ty, assignable)| fits(ty, *assignable))
            .map(|(name, ty, _)| (name.clone(), ty.clone()))
            .collect();
        if found.is_empty() { None } else { Some(self.choices.pick(&found)) }
    }

    /// Something inside the scope of one more variable.
    pub(super) fn within(&mut self, name: &str, ty: Type, assignable: bool, ty_inside: &Type, depth: usize) -> String {
        self.scope.push((name.to_owned(), ty, assignable));
        let inside = self.expr(ty_inside, depth);
        self.scope.pop();
        inside
    }

    /// A function's body, from which assignable variables cannot be seen.
    fn body(&mut self, name: &str, ty: Type, result: &Type, depth: usize) -> String {
        let outside = self.scope.clone();
        self.scope.retain(|(_, _, assignable)| !assignable);
        let body = self.within(name, ty, false, result, depth);
        self.scope = outside;
        body
    }

    /// An expression that is meant to have a type, in parentheses where it needs them.
    pub(super) fn expr(&mut self, ty: &Type, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        if self.choices.one_in(self.features.confused) {
            let other = self.any_type();
            return self.leaf(&other);
        }
        let down = depth - 1;
        match self.choices.below(22) {
            0..3 => self.leaf(ty),
            3 | 4 => self.operator(ty, down),
            5 => {
                let (condition, yes, no) = (self.expr(&Type::Bool, down), self.expr(ty, down), self.expr(ty, down));
                format!("(if {condition} then {yes} else {no})")
            }
            6 => {
                let (name, bound) = (self.name(), self.any_type());
                let value = self.expr(&bound, down);
                let annotation = if self.choices.one_in(4) { format!(" : {bound}") } else { String::new() };
                let body = self.within(&name, bound, false, ty, down);
                format!("(let {name}{annotation} = {value} in {body})")
            }
            7 => {
                let (name, bound) = (self.name(), self.any_type());
                let value = self.expr(&bound, down);
                let body = self.within(&name, widened(&bound), true, ty, down);
                format!("(var {name} = {value} in {body})")
            }
            8 | 9 => {
                let first = self.effect(down);
                let second = self.expr(ty, down);
                format!("({first}; {second})")
            }
            10 => {
                let cell = widened(ty);
                let reference = self.expr(&cell.reference(), down);
                format!("(!{reference})")
            }
            11 => self.call(ty, down),
            12 => self.repeated(ty, down),
            13 | 14 if self.features.blocks => format!("{{t {} t}}", self.expr(ty, down)),
            15 | 16 if self.features.blocks => format!("{{s {} s}}", self.expr(ty, down)),
            17 | 18 if self.features.tricks => self.trick(ty, down),
            19 if self.features.tricks && self.features.blocks => self.block_trick(ty, down),
            20 => format!("({} : {ty})", self.expr(ty, down)),
            _ => self.operator(ty, down),
        }
    }

    /// The smallest expressions.
    pub(super) fn leaf(&mut self, ty: &Type) -> String {
        let wanted = ty.clone();
        if self.choices.one_in(3) || self.choices.one_in(2) {
            let found = self
                .variable(|ty, _| *ty == wanted || matches!((&wanted, ty), (Type::Int(Sign::Unknown), Type::Int(_))));
            if let Some((name, _)) = found {
                return name;
            }
        }
        match ty {
            Type::Int(Sign::Unknown) => {
                let text =
                    self.choices.pick(&["0", "1", "2", "(-1)", "5", "9223372036854775807", "(-9223372036854775808)"]);
                text.to_owned()
            }
            Type::Int(Sign::Pos) => self.choices.pick(&["1", "2", "9223372036854775807"]).to_owned(),
            Type::Int(Sign::Neg) => "(-1)".to_owned(),
            Type::Int(Sign::Zero) => "0".to_owned(),
            Type::Bool => self.choices.pick(&["true", "false"]).to_owned(),
            Type::String => self.choices.pick(&["\"foo\"", "\"bar\"", "\"\""]).to_owned(),
            Type::Float => "1.5".to_owned(),
            Type::Unit => "()".to_owned(),
            Type::Ref(cell) => {
                let first = self.leaf(cell);
                let annotation = if matches!(**cell, Type::Int(Sign::Pos)) { "[pos int] " } else { "" };
                format!("(ref {annotation}{first})")
            }
            Type::Fun(from, to) => {
                let name = self.name();
                let body = self.body(&name, (**from).clone(), to, 1);
                format!("(fun ({name} : {from}) -> {body})")
            }
            Type::Code(_) => unreachable!("types are made by any_type"),
        }
    }

    fn operator(&mut self, ty: &Type, depth: usize) -> String {
        match ty {
            Type::Int(sign) => {
                let second = self.choices.pick(&[int(), Type::Int(*sign)]);
                let (a, b) = (self.expr(&Type::Int(*sign), depth), self.expr(&second, depth));
                match (sign, self.choices.below(6)) {
                    (_, 0 | 1) => format!("({a} + {b})"),
                    (_, 2) => format!("({a} - {b})"),
                    // By a number only: products of unknowns keep a solver busy for seconds.
                    (_, 3) => format!("({a} * {})", self.choices.pick(&["0", "2", "(-1)"])),
                    (_, 4) => format!("(-{a})"),
                    _ => format!("({a} / {})", self.choices.pick(&["0", "2", "(-1)"])),
                }
            }
            Type::Bool => match self.choices.below(6) {
                0 => format!("(not {})", self.expr(&Type::Bool, depth)),
                1 => format!("({} && {})", self.expr(&Type::Bool, depth), self.expr(&Type::Bool, depth)),
                2 => format!("({} || {})", self.expr(&Type::Bool, depth), self.expr(&Type::Bool, depth)),
                3 | 4 => format!("({} < {})", self.expr(&int(), depth), self.expr(&int(), depth)),
                _ => {
                    let any = self.choices.pick(&[int(), Type::Bool, Type::String, int().reference()]);
                    format!("({} = {})", self.expr(&any, depth), self.expr(&any, depth))
                }
            },
            _ => self.leaf(ty),
        }
    }

    /// Something that changes memory or a variable.
    fn effect(&mut self, depth: usize) -> String {
        if self.choices.one_in(3)
            && let Some((name, ty)) = self.variable(|_, assignable| assignable)
        {
            let ty = if self.features.tricks && self.choices.one_in(8) { self.any_type() } else { ty };
            return format!("({name} <- {})", self.expr(&ty, depth));
        }
        let cell = self.choices.pick(&[int(), pos(), Type::Bool, int(), int().reference()]);
        let place = self.expr(&cell.clone().reference(), depth.min(1));
        let ty = if self.features.tricks && self.choices.one_in(6) { self.any_type() } else { cell };
        format!("({place} := {})", self.expr(&ty, depth))
    }

    fn call(&mut self, ty: &Type, depth: usize) -> String {
        let result = ty.clone();
        if self.choices.one_in(2)
            && let Some((name, Type::Fun(from, _))) =
                self.variable(|ty, _| matches!(ty, Type::Fun(_, to) if **to == result))
        {
            let call = format!("{name} {}", argument(&self.expr(&from, depth)));
            return self.in_blocks(&call);
        }
        let (function, parameter, from) = (self.name(), self.name(), self.any_type());
        let body = self.body(&parameter, from.clone(), ty, depth);
        let value = match self.choices.below(2) {
            0 => format!("fun ({parameter} : {from}) -> {body}"),
            _ => format!("fun {parameter} -> {body}"),
        };
        let given = argument(&self.expr(&from, depth));
        // An annotated function can be called by both analyses, the other one by symbolic execution alone.
        let call = self.in_blocks(&format!("{function} {given}"));
        format!("(let {function} = {value} in {call})")
    }

    /// A call as it is, or in blocks that forget what is known about the function.
    fn in_blocks(&mut self, call: &str) -> String {
        match if self.features.blocks { self.choices.below(4) } else { 0 } {
            0 => format!("({call})"),
            1 => format!("{{t {call} t}}"),
            2 => format!("{{s {call} s}}"),
            _ => format!("{{t {{s {call} s}} t}}"),
        }
    }

    /// A loop that ends after a few iterations, then the value.
    fn repeated(&mut self, ty: &Type, depth: usize) -> String {
        let (counter, rounds) = (self.name(), self.choices.below(4));
        let limit = match self.choices.below(4) {
            0 => "a".to_owned(),
            _ => rounds.to_string(),
        };
        let round = self.effect(depth.min(2));
        let value = self.expr(ty, depth);
        format!(
            "(var {counter} = 0 in while {counter} < {limit} && {counter} < 3 do ({round}; {counter} <- {counter} + 1); {value})"
        )
    }
}

/// Assignable variables and cells do not keep the sign of what they start with.
fn widened(ty: &Type) -> Type {
    ty.without_sign()
}

pub(super) fn argument(text: &str) -> String {
    format!("({text})")
}
