//! Units: functions whose inputs are looked at where they are entered.
//!
//! Where a unit's precondition is to be found out, its integers become input: its parameters, the globals that it reads, and what
//! pointers among them point to. The runtime is told when it is entered and left. Where a precondition is known, it is checked.

mod calls;
mod driver;
mod identity;
mod objects;

use super::insert::{Refinement, Write};
use super::names::{Visible, resolve};
use super::stated::Stated;
use super::{Program, RefinementError, prologue_end};
use crate::annotate::Pass;
use llvm::debug_info::{self, Form, Scope, SourceType, Variable};
use llvm::{Opcode, Value};
use objects::Objects;
use refine::UnitName;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use trace::sites::Unit;

pub use calls::end_units_before_jumps;
pub use identity::tell_of_comparisons;

impl Program {
    /// The functions with code that a user means. A file is meant to tell them apart: where it fits several, none is meant unless
    /// it is exactly the one.
    fn units(&self, name: &UnitName) -> Vec<Value> {
        let known = |function: &Value| debug_info::result(*function).map(|known| known.name);
        let with_code = self.module.functions().into_iter().filter(|function| !function.is_declaration());
        let fits = |function: &Value| known(function).is_some_and(|known| name.fits(&known, &file_of(*function)));
        let mut fitting: Vec<Value> = with_code.filter(fits).collect();
        let Some(file) = &name.file else { return fitting };
        if fitting.iter().any(|function| file_of(*function) == *file) {
            fitting.retain(|function| file_of(*function) == *file);
        }
        let files: FxHashSet<String> = fitting.iter().map(|function| file_of(*function)).collect();
        if files.len() > 1 { Vec::new() } else { fitting }
    }

    /// Makes the inputs of units the program's. Says whether there are such functions.
    pub fn unit(&mut self, pass: &mut Pass, name: &UnitName) -> bool {
        let functions = self.units(name);
        for function in &functions {
            let (Some(entry), Some(known)) = (self.entry(*function), debug_info::result(*function)) else { continue };
            let locals = self.locals(*function);
            let mut objects = Objects::new(*function);
            locals.iter().filter(|local| local.is_parameter).for_each(|parameter| objects.add(parameter));
            for global in self.globals_of(*function) {
                match self.can_name(&global, known.scope, &locals) {
                    true => objects.add(&global),
                    false => objects.leave_out(&global.name),
                }
            }
            let line = function.start().first().map_or(0, |(_, line, ..)| *line);
            let number = pass.units.len() as u64;
            calls::insert(pass, *function, entry, number, objects.planned());
            let (objects, left_out) = objects.finish();
            pass.units.push(Unit { function: known.name, file: file_of(*function), line, objects, left_out });
        }
        !functions.is_empty()
    }

    /// Checks a precondition where a unit is entered. A program without the unit, or with another one of that name, has nothing
    /// to check: whoever wants to know sees that the check is not there.
    pub fn named_entry(&mut self, pass: &mut Pass, stated: &Stated, name: &UnitName) {
        for function in self.units(name) {
            let Some(entry) = self.entry(function) else { continue };
            let locals = self.locals(function);
            let parameters: Vec<Variable> = locals.iter().filter(|local| local.is_parameter).cloned().collect();
            let scope = debug_info::result(function).map(|function| function.scope);
            let visible = Visible { locals: &parameters, follows_pointers: true, ..self.visible(scope) };
            let made = precondition(stated, &name.to_string(), &visible);
            let Ok((refinement, value)) = made.map(|refinement| (refinement, pass.module.int(32).constant(0))) else {
                continue;
            };
            let place = parameters.iter().find_map(|parameter| parameter.declared).or_else(|| entry.place());
            let write = Write { instruction: entry, before: entry, pointer: None, value: Some(value), place };
            pass.insert(&refinement, &write);
        }
    }

    /// The first instruction of a function behind the stores of its parameters.
    fn entry(&mut self, function: Value) -> Option<Value> {
        let locals = self.locals(function);
        if let Some((_, end)) = prologue_end(function, &locals).first() {
            return Some(*end);
        }
        let entry = function.blocks().first().copied()?;
        entry.instructions().into_iter().find(|instruction| instruction.opcode() != Opcode::LLVMAlloca)
    }

    /// The global variables that a function, or one that it calls by its name, uses and that can change.
    fn globals_of(&self, function: Value) -> Vec<Variable> {
        let (mut functions, mut used) = (vec![function], FxHashSet::default());
        let mut known: FxHashSet<Value> = FxHashSet::from_iter([function]);
        while let Some(function) = functions.pop() {
            let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
            for operand in instructions.flat_map(Value::operands) {
                let operand = operand.without_constant_offset();
                if operand.is_function() && known.insert(operand) {
                    functions.push(operand);
                } else if operand.is_global_variable() && !operand.is_global_constant_variable() {
                    used.insert(operand);
                }
            }
        }
        self.globals.iter().filter(|global| used.contains(&global.address)).cloned().collect()
    }

    /// Whether a global can be named at the start of a function.
    fn can_name(&self, global: &Variable, scope: Scope, locals: &Rc<[Variable]>) -> bool {
        let is_hidden = locals.iter().any(|local| local.is_parameter && local.name == global.name);
        let mut scopes = std::iter::successors(Some(scope), |scope| scope.outer());
        let is_visible = !global.address.is_internal() || scopes.any(|scope| scope == global.scope);
        is_visible && !is_hidden && !global.scope.is_local() && !global.address.is_thread_local()
    }
}

/// The file that a function is in, as the compiler was given it.
fn file_of(function: Value) -> String {
    function.start().into_iter().next().map(|(file, ..)| file).unwrap_or_default()
}

/// Nothing is written where a unit is entered: the condition is about what is there.
fn precondition(stated: &Stated, unit: &str, visible: &Visible<'_>) -> Result<Refinement, RefinementError> {
    let truth = SourceType { name: "int".to_owned(), form: Form::Signed, bits: 32 };
    let named = resolve(stated, ("", &truth), visible)?;
    Refinement::precondition(stated, unit, &truth, named)
}
