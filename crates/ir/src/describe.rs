//! Names for values and cells, as the source has them.

use crate::points_to::{CellId, ObjectKind, PointsTo};
use crate::program::{Callee, Cast, FunctionId, Instruction, Op, Operand, Program, Register};
use rustc_hash::FxHashMap;

/// Operators that are written out around a name; longer expressions are cut.
const DEPTH: u32 = 6;

/// Knows what computes every register, and so what to call it.
#[derive(Debug)]
pub struct Names<'p> {
    program: &'p Program,
    made_by: FxHashMap<(FunctionId, Register), &'p Instruction>,
}

impl<'p> Names<'p> {
    /// Reads a program.
    pub fn new(program: &'p Program) -> Names<'p> {
        let mut made_by = FxHashMap::default();
        for (id, function) in program.all_functions() {
            for instruction in function.instructions() {
                if let Some(register) = instruction.result {
                    made_by.insert((id, register), instruction);
                }
            }
        }
        Names { program, made_by }
    }

    /// The instruction that computes a register; parameters have none.
    pub fn made_by(&self, function: FunctionId, register: Register) -> Option<&'p Instruction> {
        self.made_by.get(&(function, register)).copied()
    }

    /// A value, as the source would write it.
    pub fn value(&self, function: FunctionId, operand: &Operand) -> String {
        self.nested(function, operand, DEPTH)
    }

    /// What lies at an address, as the source would write it.
    pub fn place(&self, function: FunctionId, address: &Operand) -> String {
        self.place_at(function, address, DEPTH)
    }

    fn nested(&self, function: FunctionId, operand: &Operand, depth: u32) -> String {
        let register = match operand {
            Operand::Register(register) => *register,
            Operand::Null => return "NULL".to_owned(),
            Operand::Integer { value, bits } => {
                let shift = 128 - bits.clamp(&1, &128);
                return ((*value << shift) as i128 >> shift).to_string();
            }
            Operand::Function(target) => return self.program.function(*target).name.clone(),
            Operand::Global(..) => return format!("&{}", self.place_at(function, operand, depth)),
            Operand::Any { .. } | Operand::Zero { .. } => return "a value".to_owned(),
        };
        let Some(instruction) = self.made_by(function, register) else {
            let parameter = self.program.function(function).parameters.get(register.0 as usize);
            return match parameter.map(|parameter| parameter.name.as_str()) {
                Some(name) if !name.is_empty() => name.to_owned(),
                _ => format!("argument {}", register.0 + 1),
            };
        };
        if depth == 0 {
            return "…".to_owned();
        }
        match &instruction.op {
            Op::Load { address } => self.place_at(function, address, depth - 1),
            Op::Variable { .. } => format!("&{}", self.place_at(function, operand, depth - 1)),
            Op::Offset { base, steps, field: None, walk, .. } if !steps.is_empty() || walk.is_some() => {
                format!("{} + …", self.nested(function, base, depth - 1))
            }
            Op::Offset { .. } => format!("&{}", self.place_at(function, operand, depth - 1)),
            Op::Cast { cast: Cast::Bits | Cast::IntegerToPointer | Cast::PointerToInteger, value, .. } => {
                self.nested(function, value, depth - 1)
            }
            Op::Call { callee: Callee::Direct(target), .. } => format!("{}(…)", self.program.function(*target).name),
            Op::Call { callee: Callee::Indirect(pointer), .. } => {
                format!("{}(…)", self.nested(function, pointer, depth - 1))
            }
            _ => "a value".to_owned(),
        }
    }

    fn place_at(&self, function: FunctionId, address: &Operand, depth: u32) -> String {
        let register = match address {
            Operand::Global(global, offset) => {
                let name = &self.program.global(*global).name;
                return if *offset == 0 { name.clone() } else { format!("{name}[…]") };
            }
            Operand::Register(register) => *register,
            other => return format!("*{}", self.nested(function, other, depth)),
        };
        let op = self.made_by(function, register).map(|instruction| &instruction.op);
        match op {
            _ if depth == 0 => "…".to_owned(),
            Some(Op::Variable { name, .. }) if !name.is_empty() => name.clone(),
            Some(Op::Variable { .. }) => "a temporary value".to_owned(),
            Some(Op::Offset { base, field: Some(field), .. }) => {
                let is_variable = self.is_place(function, base);
                match is_variable {
                    true => format!("{}.{field}", self.place_at(function, base, depth - 1)),
                    false => format!("{}->{field}", self.nested(function, base, depth - 1)),
                }
            }
            Some(Op::Offset { base, steps, .. }) => {
                let index = match steps.first() {
                    Some(step) => self.nested(function, &step.index, depth - 1),
                    None => "…".to_owned(),
                };
                match self.is_place(function, base) {
                    true => format!("{}[{index}]", self.place_at(function, base, depth - 1)),
                    false => format!("{}[{index}]", self.nested(function, base, depth - 1)),
                }
            }
            Some(Op::Cast { value, .. }) => self.place_at(function, value, depth - 1),
            _ => format!("*{}", self.nested(function, address, depth - 1)),
        }
    }

    /// Whether an address is that of something which has a name, rather than the value of a pointer.
    fn is_place(&self, function: FunctionId, address: &Operand) -> bool {
        match address {
            Operand::Global(..) => true,
            Operand::Register(register) => matches!(
                self.made_by(function, *register).map(|instruction| &instruction.op),
                Some(Op::Variable { .. } | Op::Offset { .. })
            ),
            _ => false,
        }
    }

    /// A cell, for people.
    pub fn cell(&self, points_to: &PointsTo, cell: CellId) -> String {
        let offset = points_to.cell(cell).offset;
        let function = |id: FunctionId| self.program.function(id).name.as_str();
        let object = match points_to.object_of(cell).kind {
            ObjectKind::Global(global) => format!("`{}`", self.program.global(global).name),
            ObjectKind::Function(id) => format!("the function `{}`", function(id)),
            ObjectKind::Variable(id, register) => {
                let op = self.made_by(id, register).map(|instruction| &instruction.op);
                match op {
                    Some(Op::Variable { name, .. }) if name.is_empty() => {
                        format!("a temporary value of `{}`", function(id))
                    }
                    _ => format!("`{}` of `{}`", self.place(id, &Operand::Register(register)), function(id)),
                }
            }
            ObjectKind::ByValue(id, index) => {
                let parameter = self.program.function(id).parameters.get(index as usize);
                format!("parameter `{}` of `{}`", parameter.map_or("", |parameter| &parameter.name), function(id))
            }
            ObjectKind::Heap(id, ..) => format!("memory allocated in `{}`", function(id)),
            ObjectKind::Variadic(id) => format!("the variable arguments of `{}`", function(id)),
            ObjectKind::External(id) => format!("memory of `{}`", function(id)),
            ObjectKind::Elsewhere(id) => format!("what `{}` points to", self.program.global(id).name),
            ObjectKind::Integer => "memory at an address that was computed from integers".to_owned(),
            ObjectKind::Arguments => "`argv`".to_owned(),
            ObjectKind::ArgumentTexts => "an argument of the program".to_owned(),
            ObjectKind::Outside(id, index) => format!("what argument {} of `{}` points to", index + 1, function(id)),
        };
        if offset == 0 { object } else { format!("{object}, at byte {offset}") }
    }
}
