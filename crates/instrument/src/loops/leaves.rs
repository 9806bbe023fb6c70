//! What an iteration of a loop leaves behind: for later iterations, and for the code behind the loop.
//!
//! Values that depend on input have labels, and the trace shows where those go. This is about everything else: where the number of
//! iterations decides about a value that has no label, nothing in the trace would show it. Three things are left out. *Counters* go by
//! steps of the same size, so that what holds for few and for many iterations holds in between. A *choice* between counters
//! lies between them. And data that is *moved* from one place in memory to another takes its labels along.

use crate::annotate::CHECK;
use crate::calls::{self, Callee};
use llvm::{Block, Loop, Opcode, Value};
use rustc_hash::FxHashSet;
use trace::abi::MODEL_PREFIX;
use trace::sites::Leaves;

/// Values that are looked at to find out where one comes from or goes to.
const MOST: usize = 64;

/// Functions that change nothing that the program can see, but for new memory.
const HARMLESS: &[&str] = &[
    "malloc",
    "calloc",
    "strlen",
    "strcmp",
    "strncmp",
    "memcmp",
    "strchr",
    "strrchr",
    "memchr",
    "isalnum",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "isxdigit",
    "isprint",
    "ispunct",
    "toupper",
    "tolower",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
];

/// What a loop leaves behind, if anything. `blocks` and `all` are the function's.
pub fn leaves(found: &Loop, blocks: &[Block], all: &[Loop]) -> Option<Leaves> {
    let analysis = Analysis { found, all };
    let mut header = found.header.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI);
    if header.any(|phi| !analysis.is_counter(phi) && !analysis.is_choice(phi)) {
        return Some(Leaves::Value);
    }
    let own = blocks.iter().filter(|block| found.blocks.contains(block));
    for instruction in own.flat_map(|block| block.instructions()) {
        if let Some(leaves) = analysis.effect(instruction) {
            return Some(leaves);
        }
        let outside = |user: &Value| user.is_instruction() && !found.computes(*user);
        let users: Vec<Value> = instruction.users().into_iter().filter(outside).collect();
        if !analysis.is_place_only(instruction, users) {
            return Some(Leaves::Result);
        }
    }
    None
}

/// Whether a condition of a loop compares a counter of it that goes towards 0 by smaller and smaller steps: then there are never many
/// iterations.
pub fn shrinks(found: &Loop, all: &[Loop], condition: Value) -> bool {
    let analysis = Analysis { found, all };
    let is_shrinking = |value: &Value| {
        let mut steps = std::iter::successors(Some(*value), |value| {
            if found.computes(*value) { analysis.before_step(*value) } else { None }
        });
        let is_phi = |step: &Value| found.computes(*step) && step.opcode() == Opcode::LLVMPHI;
        let phi = steps.by_ref().take(MOST).find(is_phi);
        phi.is_some_and(|phi| analysis.is_counter(phi) && !analysis.is_linear(phi))
    };
    condition.is_instruction()
        && condition.opcode() == Opcode::LLVMICmp
        && condition.operands().iter().any(is_shrinking)
}

struct Analysis<'a> {
    found: &'a Loop,
    all: &'a [Loop],
}

impl Analysis<'_> {
    fn effect(&self, instruction: Value) -> Option<Leaves> {
        match instruction.opcode() {
            Opcode::LLVMStore => (!self.is_moved(instruction.operand(0))).then_some(Leaves::Memory),
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => Some(Leaves::Memory),
            _ if calls::is_call(instruction) => self.call(instruction),
            _ => None,
        }
    }

    fn call(&self, call: Value) -> Option<Leaves> {
        let name = match calls::classify(call) {
            Callee::Check => return None,
            Callee::Intrinsic(name) => return calls::is_block_operation(&name).then_some(Leaves::Memory),
            Callee::External(name) => name,
            Callee::Assembly => return Some(Leaves::Call(String::new())),
            Callee::Labelled | Callee::Model => {
                let callee = call.callee();
                if callee.is_function() { callee.name() } else { String::new() }
            }
        };
        let name = name.trim_start_matches(MODEL_PREFIX);
        let ends = call.next().is_some_and(|next| next.opcode() == Opcode::LLVMUnreachable);
        let is_harmless = ends || HARMLESS.contains(&name) || calls::is_output_only(call, name);
        (!is_harmless).then(|| Leaves::Call(name.to_owned()))
    }

    /// Whether a value comes out of memory, or is a new block of it, and nothing is done to it.
    fn is_moved(&self, value: Value) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            if !seen.insert(value) {
                continue;
            }
            // What the first iteration finds in a register may have been loaded before.
            let is_loaded = value.is_instruction() && value.opcode() == Opcode::LLVMLoad;
            if is_loaded && seen.len() > 1 {
                continue;
            }
            if seen.len() > MOST || !self.found.computes(value) {
                return false;
            }
            match value.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMPHI => work.extend(value.incoming().into_iter().map(|(value, _)| value)),
                Opcode::LLVMSelect => work.extend([value.operand(1), value.operand(2)]),
                Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze => {
                    work.push(value.operand(0));
                }
                Opcode::LLVMCall if self.call(value).is_none() => {}
                _ => return false,
            }
        }
        true
    }

    /// The value before a step of the same size each time, if the value is one.
    fn before_step(&self, value: Value) -> Option<Value> {
        let own = |v: &Value| self.found.computes(*v);
        let operands = value.operands();
        match value.opcode() {
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMGetElementPtr | Opcode::LLVMOr => {
                let mut varying = operands.into_iter().filter(own);
                let first = varying.next()?;
                let is_subtracted = value.opcode() == Opcode::LLVMSub && value.operand(1) == first;
                (varying.next().is_none() && !is_subtracted).then_some(first)
            }
            // Towards 0: it stays between what it was and that.
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                value.operand(1).as_constant().map(|_| value.operand(0))
            }
            Opcode::LLVMExtractValue if value.indices() == [0] => {
                let call = value.operand(0);
                let is_checked = calls::is_call(call)
                    && matches!(calls::classify(call), Callee::Intrinsic(name) if name.contains(".with.overflow"));
                if !is_checked {
                    return None;
                }
                let mut varying = call.arguments().into_iter().filter(own);
                let first = varying.next()?;
                varying.next().is_none().then_some(first)
            }
            Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc | Opcode::LLVMFreeze => Some(value.operand(0)),
            _ => None,
        }
    }

    /// Whether a phi goes by the same step in every iteration of its loop, or towards 0.
    fn is_counter(&self, phi: Value) -> bool {
        self.goes_by_steps(phi, |_| true)
    }

    /// Whether it goes by the same step.
    fn is_linear(&self, phi: Value) -> bool {
        use Opcode::{LLVMAShr, LLVMLShr, LLVMSDiv, LLVMUDiv};
        self.goes_by_steps(phi, |step| !matches!(step.opcode(), LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr))
    }

    fn goes_by_steps(&self, phi: Value, is_allowed: impl Fn(Value) -> bool) -> bool {
        let Some(own) = self.all.iter().find(|other| other.header == phi.block()) else { return false };
        let inner = Analysis { found: own, all: self.all };
        phi.incoming().into_iter().filter(|(_, from)| own.blocks.contains(from)).all(|(value, _)| {
            let steps = std::iter::successors(Some(value), |value| {
                let is_step = *value != phi && own.computes(*value) && is_allowed(*value);
                if is_step { inner.before_step(*value) } else { None }
            });
            steps.take(MOST).any(|step| step == phi)
        })
    }

    /// Whether a phi of the header keeps one of the values that counters have had, or data.
    fn is_choice(&self, phi: Value) -> bool {
        let mut seen = FxHashSet::default();
        let incoming = phi.incoming().into_iter().filter(|(_, from)| self.found.blocks.contains(from));
        let mut work: Vec<Value> = incoming.map(|(value, _)| value).collect();
        while let Some(value) = work.pop() {
            if value == phi || !seen.insert(value) {
                continue;
            }
            if seen.len() > MOST || !self.found.computes(value) {
                return false;
            }
            if value.opcode() == Opcode::LLVMPHI && self.is_counter(value) {
                continue;
            }
            match value.opcode() {
                // Data; but what lies where the value before says is the next state of something.
                Opcode::LLVMLoad if !self.reaches(value.operand(0), phi) => {}
                Opcode::LLVMPHI => work.extend(value.incoming().into_iter().map(|(value, _)| value)),
                Opcode::LLVMSelect => work.extend([value.operand(1), value.operand(2)]),
                // A step from a counter or from data; from the phi itself it would be one that is made sometimes.
                _ => match self.before_step(value) {
                    Some(before) if !self.reaches(before, phi) => work.push(before),
                    _ => return false,
                },
            }
        }
        true
    }

    /// Whether a value may be computed from another one within the loop.
    fn reaches(&self, value: Value, origin: Value) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            if value == origin || seen.len() > MOST {
                return true;
            }
            if self.found.computes(value) && seen.insert(value) {
                work.extend(value.operands());
            }
        }
        false
    }

    /// Whether a value is only used behind the loop to say where memory is written, or where data is moved from.
    fn is_place_only(&self, value: Value, users: Vec<Value>) -> bool {
        let mut seen = FxHashSet::default();
        let mut work: Vec<(Value, Value)> = users.into_iter().map(|user| (user, value)).collect();
        while let Some((user, used)) = work.pop() {
            if !seen.insert((user, used)) {
                continue;
            }
            if seen.len() > MOST {
                return false;
            }
            match user.opcode() {
                Opcode::LLVMStore if user.operand(0) != used => {}
                Opcode::LLVMLoad if self.found.parent.is_some() => {
                    let is_moved = |next: &Value| next.opcode() == Opcode::LLVMStore && next.operand(0) == user;
                    if !user.users().iter().all(is_moved) {
                        return false;
                    }
                }
                Opcode::LLVMCall if user.callee().is_function() && user.callee().name() == CHECK => {}
                Opcode::LLVMICmp
                | Opcode::LLVMXor
                | Opcode::LLVMGetElementPtr
                | Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMZExt
                | Opcode::LLVMSExt
                | Opcode::LLVMTrunc
                | Opcode::LLVMFreeze
                | Opcode::LLVMExtractValue
                | Opcode::LLVMPHI
                | Opcode::LLVMSelect => work.extend(user.users().into_iter().map(|next| (next, user))),
                Opcode::LLVMCall if matches!(calls::classify(user), Callee::Intrinsic(name) if name.contains(".with.overflow")) =>
                {
                    work.extend(user.users().into_iter().map(|next| (next, user)));
                }
                _ => return false,
            }
        }
        true
    }
}
