//! Refinements as they were stated: by attributes in the source, or in a specification file.

use super::RefinementError;
use llvm::debug_info::Member;
use llvm::{Module, Opcode, Value};
use refine::Condition;

/// How `provoke.h` spells a refinement in an attribute.
const PREFIX: &str = "provoke.refine:";
/// Where LLVM keeps attributes of globals and functions.
const OF_GLOBALS: &str = "llvm.global.annotations";

/// A refinement, and where it was stated.
pub struct Stated {
    /// File and line.
    pub file: String,
    pub line: u64,
    pub condition: Condition,
}

impl Stated {
    /// For what no file states.
    pub fn nowhere() -> Stated {
        Stated { file: String::new(), line: 0, condition: Condition::truth() }
    }

    pub fn error(&self, reason: String) -> RefinementError {
        let condition = self.condition.text().to_owned();
        RefinementError { file: self.file.clone(), line: self.line, condition, reason }
    }
}

/// What an attribute is about.
pub enum Attributed {
    /// A local variable or parameter: the call with its address.
    Local(Value),
    /// A field: the call through which its address goes.
    Field(Value),
    /// A global or a function.
    Global(Value),
}

/// Reads the refinements out of a module's attributes.
pub fn attributes(module: Module, errors: &mut Vec<RefinementError>) -> Vec<(Attributed, Stated)> {
    let mut found = Vec::new();
    for call in calls(module) {
        if let [_, text, file, line, ..] = call.arguments().as_slice()
            && let Some(stated) = read(*text, *file, *line, errors)
        {
            let is_field = call.callee().name().starts_with("llvm.ptr.");
            found.push((if is_field { Attributed::Field(call) } else { Attributed::Local(call) }, stated));
        }
    }
    let table = module.globals().into_iter().find(|global| global.name() == OF_GLOBALS);
    for entry in table.and_then(Value::initializer).map(Value::operands).unwrap_or_default() {
        if let [target, text, file, line, ..] = entry.operands().as_slice()
            && let Some(stated) = read(*text, *file, *line, errors)
        {
            let known = found.iter().any(|(other, known): &(Attributed, Stated)| {
                // The header with the declaration may be in many units.
                matches!(other, Attributed::Global(value) if value == target) && known.condition == stated.condition
            });
            if !known {
                found.push((Attributed::Global(*target), stated));
            }
        }
    }
    found
}

/// Takes attributes out of the code: an address that goes through one would lose its label.
pub fn erase(module: Module) {
    for call in calls(module) {
        if call.callee().name().starts_with("llvm.ptr.") {
            call.replace_uses(call.operand(0));
        }
        call.erase();
    }
    if let Some(table) = module.globals().into_iter().find(|global| global.name() == OF_GLOBALS) {
        table.delete_global();
    }
}

fn calls(module: Module) -> Vec<Value> {
    let is_annotation = |f: &Value| {
        let name = f.name();
        name.starts_with("llvm.var.annotation") || name.starts_with("llvm.ptr.annotation")
    };
    let functions = module.functions().into_iter().filter(is_annotation);
    let users = functions.flat_map(Value::users);
    let mut calls: Vec<Value> =
        users.filter(|user| user.is_instruction() && user.opcode() == Opcode::LLVMCall).collect();
    // Uses are listed latest first.
    calls.reverse();
    calls
}

fn read(text: Value, file: Value, line: Value, errors: &mut Vec<RefinementError>) -> Option<Stated> {
    let content = |value: Value| Some(value.initializer()?.as_text()?.trim_end_matches('\0').to_owned());
    let text = content(text)?;
    let text = text.strip_prefix(PREFIX)?;
    let (file, line) = (content(file).unwrap_or_default(), line.as_constant().unwrap_or_default());
    match Condition::parse(text) {
        Ok(condition) => Some(Stated { file, line, condition }),
        Err(error) => {
            let reason = format!("cannot be read: {error}");
            let error = RefinementError { file, line, condition: text.to_owned(), reason };
            // The address of a field goes through its attribute wherever the field is used.
            if !errors.contains(&error) {
                errors.push(error);
            }
            None
        }
    }
}

/// Refinements of bit-fields, which clang leaves out of the code.
pub fn of_bit_fields(members: &[Member]) -> Vec<RefinementError> {
    let bit_fields = members.iter().filter(|member| member.is_bit_field);
    let refined = bit_fields.filter_map(|member| {
        let condition = member.tag.strip_prefix(PREFIX)?.to_owned();
        let reason = format!("is about the bit-field `{}`, which has no address: give it an integer type", member.name);
        Some(RefinementError { file: member.file.clone(), line: u64::from(member.line), condition, reason })
    });
    refined.collect()
}
