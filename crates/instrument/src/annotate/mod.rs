//! Makes the compiler's own checks into calls that every view can read.
//!
//! The raw bitcode has the checks of clang's undefined-behaviour sanitizer in it: a condition, and a branch to a handler
//! where it does not hold. Here each becomes
//!
//! ```text
//! call void @provoke.check(i32 NUMBER, i1 CONDITION, i64 A, i64 B[, SUBJECT])
//! ```
//!
//! and the branch goes the one way where the program goes on. This happens before optimisation, so that nothing is
//! taken away on the grounds that it cannot happen. Checks that nobody wants leave no trace in the code.
//!
//! The user's own checks, refinements, become the same calls. What the program assumes of its input is none.

mod assumptions;
mod data;
pub(crate) mod keep;
pub(crate) mod members;
mod overlap;
mod refinements;
mod unread;
mod written;

use crate::context::position;
use data::Handler;
pub use keep::keep_accesses;
use llvm::{Builder, Module, Opcode, Place, Type, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::prelude::LLVMModuleRef;
pub use overlap::check_copies;
use refine::Specification;
pub use refinements::RefinementError;
use trace::rule::{Rule, RuleSet};
use trace::sites::{Check, CheckSubject, Unit};
pub use unread::keep_reads;

/// The function that a check is a call of. It has no code: each view puts its own in the place of the call.
pub const CHECK: &str = "provoke.check";
/// What is called where the program says that it never comes. Each view's runtime defines it.
pub const UNREACHABLE: &str = "__provoke_unreachable";

/// What a module has after it was annotated.
pub struct Annotated {
    /// Its checks.
    pub checks: Vec<Check>,
    /// Functions whose inputs are looked at where they are entered.
    pub units: Vec<Unit>,
}

/// Annotates a raw module in place. All its checks are returned, so that their numbers do not depend on what is wanted;
/// only those of the rules are in the code. Refinements come last, and only if there is a rule for them; those that
/// cannot be checked are the error.
///
/// # Safety
/// `module` must be a valid module with a data layout, and nothing else may use it or its context meanwhile.
pub unsafe fn annotate(
    module: LLVMModuleRef,
    rules: RuleSet,
    specification: &Specification,
) -> Result<Annotated, Vec<RefinementError>> {
    let (module, builder) = (Module::new(module), Module::new(module).builder());
    assumptions::end_quietly(module);
    let mut pass = Pass { module, builder, rules, checks: vec![], units: vec![] };
    let calls: Vec<(Handler, Value)> = pass.module.functions().into_iter().flat_map(handler_calls).collect();
    for (handler, call) in calls {
        pass.handler(&handler, call);
    }
    members::check(&mut pass);
    let concerns_functions = !specification.units.is_empty() || specification.driven.is_some();
    let wrong = match rules.contains(Rule::Refinement) || concerns_functions {
        true => refinements::refine(&mut pass, specification),
        false => Vec::new(),
    };
    refinements::erase(pass.module);
    if wrong.is_empty() { Ok(Annotated { checks: pass.checks, units: pass.units }) } else { Err(wrong) }
}

/// The calls of handlers in a function.
fn handler_calls(function: Value) -> Vec<(Handler, Value)> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let calls = instructions.filter(|i| i.opcode() == Opcode::LLVMCall && i.callee().is_function());
    calls.filter_map(|call| Some((Handler::named(&call.callee().name())?, call))).collect()
}

struct Pass {
    module: Module,
    builder: Builder,
    rules: RuleSet,
    checks: Vec<Check>,
    units: Vec<Unit>,
}

/// The branch that decides whether a handler is called.
struct Guard {
    branch: Value,
    /// Whether the branch leads to the handler when its condition is true.
    inverted: bool,
}

impl Pass {
    fn handler(&mut self, handler: &Handler, call: Value) {
        let Some(subject) = handler.subject(call) else {
            return;
        };
        if subject == CheckSubject::Unreachable {
            let number = self.number(Rule::Assertion, subject, call.place(), false);
            if let Some(number) = number {
                self.builder.before(call);
                self.unreachable(number).copy_location(call);
            }
            return call.erase();
        }
        let Some(guard) = guard_of(call) else { return };
        let condition = guard.branch.operand(0);
        let often_meant = is_often_meant(&subject);
        // A division has two conditions: that the divisor is not 0, and that the quotient fits.
        let both = matches!(subject, CheckSubject::Arithmetic('/', _)) && !guard.inverted;
        if both && condition.is_instruction() && condition.opcode() == Opcode::LLVMAnd {
            let (divisor, quotient) = (condition.operand(0), condition.operand(1));
            self.check(Rule::DivByZero, subject.clone(), call, &guard, divisor, often_meant);
            self.check(Rule::IntegerOverflow, subject, call, &guard, quotient, often_meant);
        } else if !is_byte_again(&subject) {
            self.check(rule_of(&subject), subject, call, &guard, condition, often_meant);
        }
        let onwards = self.module.int(1).constant(u64::from(!guard.inverted));
        guard.branch.set_operand(0, onwards);
    }

    /// The number of a check, if it is wanted.
    fn number(&mut self, rule: Rule, subject: CheckSubject, place: Option<Place>, often_meant: bool) -> Option<u64> {
        let location = place.map(Place::location).unwrap_or_default();
        let position = location.into_iter().next().map(position).unwrap_or_default();
        let check = Check { rule, subject, position, often_meant };
        let is_wanted = check.is_wanted(self.rules);
        self.checks.push(check);
        is_wanted.then_some(self.checks.len() as u64 - 1)
    }

    fn check(
        &mut self,
        rule: Rule,
        subject: CheckSubject,
        call: Value,
        guard: &Guard,
        condition: Value,
        often_meant: bool,
    ) {
        let value = subject_value(&subject, call, condition);
        let kept_up_to = largest_kept(&subject);
        let Some(number) = self.number(rule, subject, call.place(), often_meant) else { return };
        self.builder.before(guard.branch);
        let condition = match guard.inverted {
            true => self.builder.xor(condition, self.module.int(1).constant(1)),
            false => condition,
        };
        let operand = |index: usize| {
            let given = call.arguments().get(index + 1).copied();
            self.word(given)
        };
        let (a, b) = (operand(0), operand(1));
        let condition = match kept_up_to {
            Some(largest) => {
                let keeps_bits =
                    self.builder.icmp(LLVMIntPredicate::LLVMIntULE, a, self.module.int(64).constant(largest));
                self.builder.or(condition, keeps_bits)
            }
            None => condition,
        };
        self.call_check(number, condition, a, b, value).copy_location(call);
    }

    /// The call that is a check, where the builder stands.
    fn call_check(&self, number: u64, condition: Value, a: Value, b: Value, subject: Option<Value>) -> Value {
        let module = self.module;
        let mut arguments = vec![module.int(32).constant(number), condition, a, b];
        arguments.extend(subject);
        let ty = module.variadic_type(module.void(), &[module.int(32), module.int(1)]);
        let function = module.function(CHECK).unwrap_or_else(|| {
            let function = module.add_function(CHECK, ty);
            // It may never return, as far as LLVM knows: else the division that comes next would show that its divisor is not 0.
            function.add_attributes(module, &["nounwind", "nocallback", "nofree", "nosync"]);
            // Nothing that the program can see: only so that it is not taken for useless.
            function.set_touches_hidden_memory_only(module);
            function
        });
        self.builder.call(ty, function, &arguments).kept_apart(module)
    }

    fn unreachable(&self, number: u64) -> Value {
        let module = self.module;
        let ty = module.function_type(module.void(), &[module.int(32)]);
        let function = module.function(UNREACHABLE).unwrap_or_else(|| {
            let function = module.add_function(UNREACHABLE, ty);
            function.add_attributes(module, &["nounwind", "noreturn", "cold"]);
            function
        });
        self.builder.call(ty, function, &[module.int(32).constant(number)]).kept_apart(module)
    }

    /// An operand of the handler as 64 bits. What stands in the handler's own block is made again before the branch.
    fn word(&self, operand: Option<Value>) -> Value {
        let i64: Type = self.module.int(64);
        let Some(operand) = operand else { return i64.constant(0) };
        if operand.is_constant() && operand.as_constant().is_some() {
            return self.builder.resize(operand, i64);
        }
        if !operand.is_instruction() {
            return self.as_word(operand);
        }
        // Values of more than 64 bits are passed in memory.
        if operand.opcode() == Opcode::LLVMAlloca {
            return i64.constant(0);
        }
        let mut value = operand;
        while value.is_instruction()
            && matches!(value.opcode(), Opcode::LLVMZExt | Opcode::LLVMPtrToInt | Opcode::LLVMBitCast)
        {
            value = value.operand(0);
        }
        self.as_word(value)
    }

    fn as_word(&self, value: Value) -> Value {
        use llvm::Kind;
        let i64 = self.module.int(64);
        match value.ty().kind() {
            Kind::LLVMIntegerTypeKind => self.builder.resize(value, i64),
            Kind::LLVMPointerTypeKind => self.builder.ptr_to_int(value, i64),
            Kind::LLVMDoubleTypeKind => self.builder.bitcast(value, i64),
            Kind::LLVMFloatTypeKind => {
                let bits = self.builder.bitcast(value, self.module.int(32));
                self.builder.resize(bits, i64)
            }
            _ => i64.constant(0),
        }
    }
}

/// The branch in front of a handler's call, if it is the one that clang makes.
fn guard_of(call: Value) -> Option<Guard> {
    let block = call.block();
    let mut branches = block.predecessors().into_iter();
    let (branch, None) = (branches.next()?, branches.next()) else { return None };
    if branch.opcode() != Opcode::LLVMBr || !branch.is_conditional() {
        return None;
    }
    let inverted = *branch.successors().first()? == block;
    Some(Guard { branch, inverted })
}

fn rule_of(subject: &CheckSubject) -> Rule {
    match subject {
        CheckSubject::Arithmetic('/', _) => Rule::DivByZero,
        CheckSubject::Arithmetic('-', ty) if !ty.signed => Rule::IntegerUnderflow,
        CheckSubject::Arithmetic(..) | CheckSubject::Negation(_) => Rule::IntegerOverflow,
        CheckSubject::Shift(..) => Rule::Shift,
        CheckSubject::Conversion(from, to) if to.width < from.width => Rule::Truncation,
        CheckSubject::Conversion(..) => Rule::SignExtension,
        CheckSubject::FloatCast(..) => Rule::FloatCast,
        CheckSubject::Index(..) => Rule::ArrayIndex,
        CheckSubject::ArrayLength(_) => Rule::AllocSize,
        CheckSubject::Argument(_) | CheckSubject::Result => Rule::NonnullArg,
        CheckSubject::Pointer => Rule::PointerArithmetic,
        CheckSubject::Member => Rule::StringOverflow,
        CheckSubject::Copy => Rule::Overlap,
        CheckSubject::Unreachable => Rule::Assertion,
        CheckSubject::Refinement(..) | CheckSubject::Precondition(..) => Rule::Refinement,
    }
}

/// Programs compute hashes with unsigned arithmetic, and put `int`s into `char`s.
fn is_often_meant(subject: &CheckSubject) -> bool {
    match subject {
        CheckSubject::Arithmetic('/', _) => false,
        CheckSubject::Arithmetic(_, ty) | CheckSubject::Negation(ty) => !ty.signed,
        CheckSubject::Conversion(..) | CheckSubject::Pointer => true,
        _ => false,
    }
}

/// Whether a byte is only read with another sign: `unsigned char byte = *text` is written everywhere, and the byte stays the same.
fn is_byte_again(subject: &CheckSubject) -> bool {
    matches!(subject, CheckSubject::Conversion(from, to) if from.width == 8 && to.width == 8)
}

/// The largest value of which a narrower signed type keeps all bits: `char byte = getc(file)` is written everywhere. That it may be
/// negative afterwards matters where it is made wider again, which is a conversion of its own.
fn largest_kept(subject: &CheckSubject) -> Option<u64> {
    match subject {
        CheckSubject::Conversion(from, to) if to.signed && to.width < from.width && from.width <= 64 => {
            Some((1u64 << to.width) - 1)
        }
        _ => None,
    }
}

/// The value that comes out of what is checked, where later uses of it matter: then a check that is often meant counts
/// after all.
fn subject_value(subject: &CheckSubject, call: Value, condition: Value) -> Option<Value> {
    match subject {
        CheckSubject::Arithmetic(..) => result_beside(condition),
        CheckSubject::Conversion(..) => {
            let converted = *call.arguments().get(2)?;
            let is_extended = converted.is_instruction() && converted.opcode() == Opcode::LLVMZExt;
            let value = if is_extended { converted.operand(0) } else { converted };
            (!value.is_constant()).then_some(value)
        }
        _ => None,
    }
}

/// For the overflow bit of arithmetic, mostly negated: its result.
fn result_beside(condition: Value) -> Option<Value> {
    let mut bit = condition;
    while bit.is_instruction() && bit.opcode() == Opcode::LLVMXor {
        bit = bit.operand(0);
    }
    if !bit.is_instruction() || bit.opcode() != Opcode::LLVMExtractValue {
        return None;
    }
    let pair = bit.operand(0);
    let is_result = |user: &Value| user.opcode() == Opcode::LLVMExtractValue && user.indices() == [0];
    pair.users().into_iter().find(is_result)
}
