//! Witnesses: a state at the start of a symbolic block, and what happens when the block is run from there.

use std::collections::BTreeMap;
use std::rc::Rc;

use expr::{BitVec, Model, Term};

use crate::analysis::Analysis;
use crate::check::Entry;
use crate::evaluate::{self, Closure, Machine, Stuck, Value};
use crate::execute::values::Sym;
use crate::syntax::{Expr, Name};
use crate::types::{Sign, Type};
use crate::verdict::{BlockPlace, Run, Witness};

/// Steps for which a block is run from a witness.
const RUN_STEPS: u64 = 100_000;
/// Cells that a witness shows: types of references are finite, but a model may make long chains.
const MAX_CELLS: usize = 1_000;

/// The start of a symbolic block.
pub(crate) struct Entrance {
    pub block: BlockPlace,
    pub body: Expr,
    /// The variables that it mentions, outermost first.
    pub variables: Vec<Variable>,
    /// The memory μ.
    pub cells: Term,
}

/// A variable at the start of a symbolic block.
pub(crate) struct Variable {
    pub name: Name,
    /// What the type checker knows of it.
    pub entry: Entry,
    /// The unknown that it starts as.
    pub value: Sym,
}

/// Makes concrete values of a model's numbers.
struct Builder<'m> {
    model: &'m Model,
    cells: Option<expr::Var>,
    /// The location of each address, in order of discovery.
    locations: BTreeMap<u64, usize>,
    memory: Vec<Value>,
    /// Whether everything could be made.
    complete: bool,
}

impl Analysis<'_> {
    pub(crate) fn witness(&mut self, entrance: &Entrance, model: &Model) -> Witness {
        let mut builder = Builder {
            model,
            cells: self.store.var_of(entrance.cells),
            locations: BTreeMap::new(),
            memory: Vec::new(),
            complete: true,
        };
        let mut values = Vec::new();
        for Variable { name, entry, value } in &entrance.variables {
            let bits = self.store.eval(value.term, model).low64();
            let value = self.concrete(&mut builder, &value.ty, bits);
            values.push((name.clone(), entry.assignable, value));
        }
        let shown = shown(&values, &builder.memory);
        let run = if builder.complete { self.run_from(entrance, values, builder.memory) } else { Run::Unknown };
        Witness { block: entrance.block, values: shown, run }
    }

    fn concrete(&self, builder: &mut Builder<'_>, ty: &Type, bits: u64) -> Value {
        match ty {
            Type::Int(_) => Value::Int(bits as i64),
            Type::Bool => Value::Bool(bits & 1 == 1),
            Type::String => Value::String(self.encoding.text(bits)),
            Type::Float => Value::Float(f64::from_bits(bits)),
            Type::Unit => Value::Unit,
            Type::Fun(from, to) => Value::Undefined(from.clone(), to.clone()),
            // Each call made up what was captured, so the model does not know it.
            Type::Code(_) => self.simplest(ty, &mut builder.memory),
            Type::Ref(cell) => {
                if let Some(location) = builder.locations.get(&bits) {
                    return Value::Location(*location);
                }
                if builder.memory.len() >= MAX_CELLS {
                    builder.complete = false;
                    return Value::Location(0);
                }
                let location = builder.memory.len();
                builder.locations.insert(bits, location);
                builder.memory.push(Value::Unit);
                let address = BitVec::new(64, bits);
                let word = builder.cells.map_or(0, |cells| builder.model.element(&self.store, cells, &address).low64());
                let held = crate::with_stack(|| self.concrete(builder, cell, in_sign(cell, word)));
                if let Some(place) = builder.memory.get_mut(location) {
                    *place = held;
                }
                Value::Location(location)
            }
        }
    }
}

/// A cell that no constraint mentions holds 0 in a model; its type may ask for something else.
fn in_sign(cell: &Type, word: u64) -> u64 {
    match cell {
        Type::Int(sign) if !sign.admits(word as i64) => match sign {
            Sign::Neg => u64::MAX,
            Sign::Pos => 1,
            Sign::Zero | Sign::Unknown => 0,
        },
        _ => word,
    }
}

/// Functions are not shown: there is nothing to see.
fn shown(values: &[(Name, bool, Value)], memory: &[Value]) -> Vec<(String, String)> {
    let variables = values.iter().map(|(name, _, value)| (name.to_string(), value));
    let cells = memory.iter().enumerate().map(|(at, value)| (format!("cell {at}"), value));
    let visible =
        variables.chain(cells).filter(|(_, value)| !matches!(value, Value::Closure(_) | Value::Undefined(..)));
    visible.map(|(name, value)| (name, value.to_string())).collect()
}

impl Analysis<'_> {
    /// Runs the block.
    fn run_from(&self, entrance: &Entrance, values: Vec<(Name, bool, Value)>, memory: Vec<Value>) -> Run {
        let (assignable, fixed): (Vec<_>, Vec<_>) = values.into_iter().partition(|(_, assignable, _)| *assignable);
        let plain = |list: Vec<(Name, bool, Value)>| list.into_iter().map(|(name, _, value)| (name, value)).collect();
        let mut oracle = |ty: &Type, memory: &mut Vec<Value>| self.simplest(ty, memory);
        let mut machine = Machine::new(memory, RUN_STEPS, &mut oracle);
        match machine.run_expr(&entrance.body, plain(fixed), plain(assignable)) {
            Err(Stuck::Error { span, message }) => Run::Error { span, message },
            Err(Stuck::OutOfBudget) => Run::Unknown,
            Ok(_) => Run::NoError,
        }
    }

    /// A value of a type, also of a function without a type.
    fn simplest(&self, ty: &Type, memory: &mut Vec<Value>) -> Value {
        match ty {
            Type::Code(id) => crate::with_stack(|| {
                let Some(code) = self.codes.get(*id) else { return Value::Unit };
                let captured = code.captured.iter().map(|(name, ty)| (name.clone(), self.simplest(ty, memory)));
                let captured = captured.collect();
                Value::Closure(Rc::new(Closure::new(code.lambda.clone(), captured)))
            }),
            Type::Ref(cell) => {
                let held = crate::with_stack(|| self.simplest(cell, memory));
                memory.push(held);
                Value::Location(memory.len() - 1)
            }
            other => evaluate::simplest(other, memory),
        }
    }
}
