//! Units: functions whose inputs are looked at where they are entered.
//!
//! Where a unit's precondition is to be found out, its integer parameters and the integer globals that it reads become input. Where
//! a precondition is known, it is checked.

use super::insert::{Refinement, Write};
use super::names::{Visible, resolve};
use super::stated::Stated;
use super::{Program, RefinementError, prologue_end};
use crate::annotate::Pass;
use llvm::debug_info::{Form, SourceType, Variable};
use llvm::{Opcode, Value};

/// What makes memory input; the runtime has a model of it.
const MAKE_SYMBOLIC: &str = "provoke_make_symbolic";

impl Program {
    /// Makes a unit's inputs the program's. Says whether there is such a function.
    pub fn unit(&mut self, pass: &Pass, name: &str) -> bool {
        let stated = Stated::nowhere();
        let Ok(functions) = self.functions(&stated, name) else { return false };
        for function in functions {
            let Some(entry) = self.entry(function) else { continue };
            let locals = self.locals(function);
            let parameters = locals.iter().filter(|local| local.is_parameter);
            let globals = self.globals.clone();
            let read = globals.iter().filter(|global| is_read(function, global.address));
            for input in parameters.chain(read).filter(|input| is_integer(&input.ty)) {
                make_symbolic(pass, entry, name, input);
            }
        }
        true
    }

    /// Checks a precondition where a unit is entered. A program without the unit has nothing to check.
    pub fn named_entry(&mut self, pass: &mut Pass, stated: &Stated, name: &str) -> Result<(), RefinementError> {
        let Ok(functions) = self.functions(stated, name) else { return Ok(()) };
        for function in functions {
            let Some(entry) = self.entry(function) else { continue };
            let locals = self.locals(function);
            let parameters: Vec<Variable> = locals.iter().filter(|local| local.is_parameter).cloned().collect();
            let scope = llvm::debug_info::result(function).map(|function| function.scope);
            let visible = Visible { locals: &parameters, ..self.visible(scope) };
            // Nothing is written: the condition is about what is there.
            let truth = SourceType { name: "int".to_owned(), form: Form::Signed, bits: 32 };
            let named = resolve(stated, ("", &truth), &visible)?;
            let refinement = Refinement::precondition(stated, name, &truth, named)?;
            let place = parameters.iter().find_map(|parameter| parameter.declared).or_else(|| entry.place());
            let value = Some(pass.module.int(32).constant(0));
            pass.insert(&refinement, &Write { instruction: entry, before: entry, pointer: None, value, place });
        }
        Ok(())
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
}

fn is_integer(ty: &SourceType) -> bool {
    matches!(ty.form, Form::Signed | Form::Unsigned) && matches!(ty.bits, 8 | 16 | 32 | 64)
}

fn is_read(function: Value, global: Value) -> bool {
    let is_load =
        |user: &Value| user.is_instruction() && user.opcode() == Opcode::LLVMLoad && user.function() == function;
    global.is_global_variable() && !global.is_global_constant_variable() && global.users().iter().any(is_load)
}

/// The input is named `UNIT.NAME:u`, or with `s` for an integer that can be negative.
fn make_symbolic(pass: &Pass, before: Value, unit: &str, input: &Variable) {
    let module = pass.module;
    let ty = module.function_type(module.void(), &[module.ptr(), module.int(64), module.ptr()]);
    let function = module.function(MAKE_SYMBOLIC).unwrap_or_else(|| module.add_function(MAKE_SYMBOLIC, ty));
    let sign = if input.ty.form == Form::Signed { 's' } else { 'u' };
    let name = module.add_text("provoke.input", &format!("{unit}.{}:{sign}", input.name));
    let size = module.int(64).constant(u64::from(input.ty.bits / 8));
    pass.builder.before(before);
    pass.builder.set_place(before.place());
    pass.builder.call(ty, function, &[input.address, size, name]);
}
