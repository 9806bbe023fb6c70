//! Refinements: a check wherever a variable, parameter, field or result with a condition gets a value.
//!
//! The source states them by attributes, which clang hands on as annotations; a specification file states more. All are
//! put in before optimisation, while every variable still has an address and every write to it is there.

mod insert;
mod lower;
mod names;
mod places;
mod stated;
mod units;

use super::Pass;
use insert::{Refinement, Write, is_stored, writes};
use llvm::debug_info::{self, Enumerator, Member, Scope, Variable};
use llvm::{Module, Opcode, Value};
use names::{Visible, resolve};
use refine::{Line, Specification, Subject, UnitName};
use rustc_hash::FxHashMap;
use stated::{Attributed, Stated};
use std::rc::Rc;

/// What the condition of a function calls its value.
const RESULT: &str = "result";

/// A refinement that cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.described())]
pub struct RefinementError {
    /// Where it was stated.
    pub file: String,
    /// Its line there.
    pub line: u64,
    /// As the user wrote it.
    pub condition: String,
    /// What is wrong with it.
    pub reason: String,
}

impl RefinementError {
    fn described(&self) -> String {
        let RefinementError { file, line, condition, reason } = self;
        // What the command line says stands in no file.
        if file.is_empty() { reason.clone() } else { format!("{file}:{line}: the refinement `{condition}` {reason}") }
    }
}

/// Puts checks of all refinements into a module. What cannot be checked is returned.
pub(super) fn refine(pass: &mut Pass, specification: &Specification) -> Vec<RefinementError> {
    let mut errors = Vec::new();
    let attributes = stated::attributes(pass.module, &mut errors);
    let members = debug_info::members(pass.module);
    errors.extend(stated::of_bit_fields(&members));
    if attributes.is_empty() && specification.is_empty() {
        return errors;
    }
    let mut program = Program::new(pass.module, members);
    for (target, stated) in &attributes {
        let inserted = match target {
            Attributed::Local(call) => program.annotated_local(pass, stated, *call),
            Attributed::Field(call) => program.field(pass, stated, *call),
            Attributed::Global(value) if value.is_function() => program.result(pass, stated, *value),
            Attributed::Global(value) => program.annotated_global(pass, stated, *value),
        };
        keep_error(&mut errors, inserted);
    }
    for line in &specification.lines {
        let stated = stated_in(specification, line);
        let inserted = match &line.subject {
            Subject::Variable { function, variable } => program.named_local(pass, &stated, function, variable),
            Subject::Result { function } => program.named_result(pass, &stated, function),
            Subject::Global { variable } => program.named_global(pass, &stated, variable),
            // They come last: views without them number everything else alike.
            Subject::Entry { .. } => Ok(()),
        };
        keep_error(&mut errors, inserted);
    }
    for (stated, unit) in specification.lines.iter().filter_map(|line| entry_line(specification, line)) {
        program.named_entry(pass, &stated, unit);
    }
    for unit in &specification.units {
        if !program.unit(pass, unit) {
            errors.push(Stated::nowhere().error(format!("the program has no function `{unit}`")));
        }
    }
    if !specification.units.is_empty() {
        units::end_units_before_jumps(pass);
        units::tell_of_comparisons(pass);
    }
    if let Some(unit) = &specification.driven {
        keep_error(&mut errors, program.drive(pass, unit));
    }
    errors
}

fn stated_in(specification: &Specification, line: &Line) -> Stated {
    let (file, number) = (specification.file.clone(), line.number as u64);
    Stated { file, line: number, condition: line.condition.clone() }
}

fn entry_line<'a>(specification: &Specification, line: &'a Line) -> Option<(Stated, &'a UnitName)> {
    match &line.subject {
        Subject::Entry { unit } => Some((stated_in(specification, line), unit)),
        _ => None,
    }
}

/// Takes the annotations out of a module.
pub(super) fn erase(module: Module) {
    stated::erase(module);
}

/// A field that is written in many places is wrong in the same way in all of them.
fn keep_error(errors: &mut Vec<RefinementError>, inserted: Result<(), RefinementError>) {
    if let Err(error) = inserted
        && !errors.contains(&error)
    {
        errors.push(error);
    }
}

/// What debug information says about the program.
struct Program {
    module: Module,
    globals: Rc<[Variable]>,
    locals: FxHashMap<Value, Rc<[Variable]>>,
    members: Rc<[Member]>,
    enumerators: Vec<Enumerator>,
}

impl Program {
    fn new(module: Module, members: Vec<Member>) -> Program {
        let (globals, enumerators) = (debug_info::globals(module).into(), debug_info::enumerators(module));
        Program { module, globals, locals: FxHashMap::default(), members: members.into(), enumerators }
    }

    /// What can be named outside of functions, seen from a scope.
    fn visible(&self, scope: Option<Scope>) -> Visible<'_> {
        Visible {
            locals: &[],
            fields: None,
            globals: &self.globals,
            enumerators: &self.enumerators,
            scope,
            follows_pointers: false,
        }
    }

    fn locals(&mut self, function: Value) -> Rc<[Variable]> {
        self.locals.entry(function).or_insert_with(|| debug_info::locals(function).into()).clone()
    }

    /// The functions with code that have this name in the source.
    fn functions(&self, stated: &Stated, name: &str) -> Result<Vec<Value>, RefinementError> {
        let with_code = self.module.functions().into_iter().filter(|function| !function.is_declaration());
        let named = with_code.filter(|f| debug_info::result(*f).is_some_and(|known| known.name == name));
        let named: Vec<Value> = named.collect();
        if named.is_empty() {
            return Err(stated.error(format!("is about the function `{name}`, which the program does not have")));
        }
        Ok(named)
    }

    fn annotated_local(&mut self, pass: &mut Pass, stated: &Stated, call: Value) -> Result<(), RefinementError> {
        let function = call.function();
        let index = self.locals(function).iter().position(|variable| variable.address == call.operand(0));
        let index = index.ok_or_else(|| stated.error("is about a variable that has no place in memory".to_owned()))?;
        self.local(pass, stated, function, index)
    }

    fn named_local(
        &mut self,
        pass: &mut Pass,
        stated: &Stated,
        function: &str,
        variable: &str,
    ) -> Result<(), RefinementError> {
        let mut any = false;
        for code in self.functions(stated, function)? {
            let own = debug_info::result(code).map(|function| function.scope);
            for index in 0..self.locals(code).len() {
                if self.locals(code).get(index).is_some_and(|local| local.name == variable) {
                    any = true;
                    self.local(pass, stated, code, index)?;
                }
            }
            for global in self.globals.clone().iter().filter(|global| global.name == variable) {
                let mut scopes = std::iter::successors(Some(global.scope), |scope| scope.outer());
                if scopes.any(|scope| Some(scope) == own) {
                    any = true;
                    self.global(pass, stated, global)?;
                }
            }
        }
        let missing = || stated.error(format!("is about `{variable}`, which `{function}` does not have"));
        if any { Ok(()) } else { Err(missing()) }
    }

    fn local(
        &mut self,
        pass: &mut Pass,
        stated: &Stated,
        function: Value,
        index: usize,
    ) -> Result<(), RefinementError> {
        let locals = self.locals(function);
        let Some(own) = locals.get(index) else { return Ok(()) };
        // What is declared later has no value yet.
        let earlier = locals.iter().enumerate().filter(|(other, local)| *other <= index || local.is_parameter);
        let earlier: Vec<Variable> = earlier.map(|(_, local)| local.clone()).collect();
        let visible = Visible { locals: &earlier, ..self.visible(Some(own.scope)) };
        let named = resolve(stated, (&own.name, &own.ty), &visible)?;
        let refinement = Refinement::new(stated, &own.name, &own.ty, named)?;
        let ready = prologue_end(function, &locals);
        for mut write in writes(own.address) {
            // Parameters are stored one after the other; conditions may name all of them.
            if let Some((_, end)) = ready.iter().find(|(first, _)| *first == write.instruction) {
                write.before = *end;
            }
            write.place = write.place.or(own.declared);
            pass.insert(&refinement, &write);
        }
        Ok(())
    }

    fn annotated_global(&mut self, pass: &mut Pass, stated: &Stated, address: Value) -> Result<(), RefinementError> {
        let globals = self.globals.clone();
        let own = globals.iter().find(|global| global.address == address);
        let own = own.ok_or_else(|| stated.error("is about a variable without debug information".to_owned()))?;
        self.global(pass, stated, own)
    }

    fn named_global(&mut self, pass: &mut Pass, stated: &Stated, name: &str) -> Result<(), RefinementError> {
        let globals = self.globals.clone();
        let mut named = globals.iter().filter(|global| global.name == name && !global.scope.is_local()).peekable();
        if named.peek().is_none() {
            return Err(stated.error(format!("is about the global `{name}`, which the program does not have")));
        }
        named.try_for_each(|global| self.global(pass, stated, global))
    }

    fn global(&mut self, pass: &mut Pass, stated: &Stated, own: &Variable) -> Result<(), RefinementError> {
        let visible = self.visible(Some(own.scope));
        let named = resolve(stated, (&own.name, &own.ty), &visible)?;
        let refinement = Refinement::new(stated, &own.name, &own.ty, named)?;
        let addresses = own.address.users().into_iter().filter(|user| is_address_in_thread(*user));
        for address in std::iter::once(own.address).chain(addresses) {
            writes(address).iter().for_each(|write| pass.insert(&refinement, write));
        }
        Ok(())
    }

    fn field(&mut self, pass: &mut Pass, stated: &Stated, call: Value) -> Result<(), RefinementError> {
        let members = self.members.clone();
        let (offset, structure) = debug_info::field_offset(self.module, call.operand(0));
        let here = members.iter().filter(|member| {
            let same_file = file_name(&member.file) == file_name(&stated.file);
            same_file && u64::from(member.line) == stated.line && member.offset == offset
        });
        // A macro may declare several structures on one line.
        let own = here.max_by_key(|member| structure.split('.').nth(1) == Some(member.structure_name.as_str()));
        let own = own.ok_or_else(|| stated.error("is about a field without debug information".to_owned()))?;
        let fields: Vec<Member> = members.iter().filter(|member| member.structure == own.structure).cloned().collect();
        let scope = debug_info::result(call.function()).and_then(|function| function.scope.outer());
        let visible = Visible { fields: Some((&fields, own)), ..self.visible(scope) };
        let named = resolve(stated, (&own.name, &own.ty), &visible)?;
        let refinement = Refinement::new(stated, &own.name, &own.ty, named)?;
        for mut write in writes(call) {
            // In an initialiser, what the condition compares with may come after it.
            if write.value.is_some()
                && let Some(complete) = debug_info::last_beside(write.instruction).next()
            {
                write.before = complete;
            }
            pass.insert(&refinement, &write);
        }
        Ok(())
    }

    fn named_result(&mut self, pass: &mut Pass, stated: &Stated, function: &str) -> Result<(), RefinementError> {
        let functions = self.functions(stated, function)?;
        functions.into_iter().try_for_each(|function| self.result(pass, stated, function))
    }

    fn result(&mut self, pass: &mut Pass, stated: &Stated, function: Value) -> Result<(), RefinementError> {
        if function.is_declaration() {
            let name = function.name();
            return Err(
                stated.error(format!("is about the function `{name}`, whose code was not built with provoke cc"))
            );
        }
        let own = debug_info::result(function);
        let own = own.ok_or_else(|| stated.error("is about a function without debug information".to_owned()))?;
        let locals = self.locals(function);
        // Other variables are gone when a function returns.
        let parameters: Vec<Variable> = locals.iter().filter(|local| local.is_parameter).cloned().collect();
        let visible = Visible { locals: &parameters, ..self.visible(Some(own.scope)) };
        let named = resolve(stated, (RESULT, &own.ty), &visible)?;
        let shown = format!("the result of {}", own.name);
        let refinement = Refinement::new(stated, &shown, &own.ty, named)?;
        returns(function, &locals).iter().for_each(|write| pass.insert(&refinement, write));
        Ok(())
    }
}

/// Whether it is the address of a variable that every thread has its own of.
fn is_address_in_thread(user: Value) -> bool {
    let is_call = user.is_instruction() && user.opcode() == Opcode::LLVMCall && user.callee().is_function();
    is_call && user.callee().name().starts_with("llvm.threadlocal.address")
}

/// The stores that give parameters their first values, each with the instruction behind all of them.
fn prologue_end(function: Value, locals: &[Variable]) -> Vec<(Value, Value)> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let mut first_stores: Vec<(Value, Value)> = Vec::new();
    for instruction in entry.instructions() {
        let parameter = locals.iter().find(|local| local.is_parameter && is_stored(instruction, local.address));
        if let Some(parameter) = parameter
            && !first_stores.iter().any(|(address, _)| *address == parameter.address)
        {
            first_stores.push((parameter.address, instruction));
        }
    }
    let end = first_stores.last().and_then(|(_, store)| store.next());
    end.map_or_else(Vec::new, |end| first_stores.into_iter().map(|(_, store)| (store, end)).collect())
}

/// The places where a function gives its result. Several `return`s store to a variable of the compiler's, which is read at
/// the end: then each of them, because the end belongs to none of their lines.
fn returns(function: Value, locals: &[Variable]) -> Vec<Write> {
    let ends = function.blocks().into_iter().filter_map(|block| block.terminator());
    let ends = ends.filter(|end| end.opcode() == Opcode::LLVMRet && end.operand_count() == 1);
    let mut all = Vec::new();
    for end in ends {
        let value = end.operand(0);
        let is_read = value.is_instruction() && value.opcode() == Opcode::LLVMLoad;
        let variable = is_read.then(|| value.operand(0)).filter(|address| {
            address.is_instruction()
                && address.opcode() == Opcode::LLVMAlloca
                && !locals.iter().any(|local| local.address == *address)
        });
        let stores = variable.map(writes).unwrap_or_default();
        // `main` starts with a store of 0 that stands for no `return`.
        if !stores.is_empty() && stores.iter().all(|store| store.place.is_some()) {
            all.extend(stores);
        } else {
            all.push(Write { instruction: end, before: end, pointer: None, value: Some(value), place: end.place() });
        }
    }
    all
}

/// Debug information and annotations write folders differently.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
