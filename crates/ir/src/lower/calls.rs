//! Calls: of intrinsics, of what the C library does to memory, of everything else.

use super::assembly::{self, Outcome};
use super::function::{Lowering, is_handler};
use super::instruction::{opaque, overflowing};
use super::marks;
use crate::program::{Argument, Callee, Cast, Op, Operand, Type};
use llvm::Value;

/// Lowers a call; nothing where it has no meaning here.
pub fn lower(at: &mut Lowering<'_>, call: Value) -> Option<Op> {
    let callee = call.callee().without_alias();
    if callee.is_inline_asm() {
        return inline_assembly(at, call, callee);
    }
    if callee.is_function() {
        if is_handler(callee) {
            return None;
        }
        if callee.is_intrinsic() && jump(callee).is_none() {
            return intrinsic(at, call, callee);
        }
        if callee.is_declaration()
            && let Some(effect) = memory_function(at, call, &callee.name())
        {
            at.push_effect(effect);
            let to = at.operand(call.operand(0));
            return Some(Op::Cast { cast: Cast::Bits, value: to, from: Type::POINTER });
        }
    }
    let target = match at.cx.functions.get(&callee) {
        // It may be missing, and its address is null then.
        Some(function) if callee.is_weak_reference() => Callee::Indirect(Operand::Function(*function)),
        Some(function) => Callee::Direct(*function),
        None => Callee::Indirect(at.operand(callee)),
    };
    let arguments = (0..).zip(call.arguments()).map(|(index, argument)| Argument {
        value: at.operand(argument),
        ty: at.type_of(argument),
        by_value: Some(call.by_value_argument(index)).filter(|bytes| *bytes > 0),
    });
    Some(Op::Call { callee: target, arguments: arguments.collect() })
}

/// Lowers inline assembly.
fn inline_assembly(at: &mut Lowering<'_>, call: Value, callee: Value) -> Option<Op> {
    let mut operands: Vec<Operand> = call.arguments().into_iter().map(|argument| at.operand(argument)).collect();
    let written = callee.inline_asm();
    let understood = written.as_ref().and_then(|(text, constraints)| assembly::understand(text, constraints));
    let Some(understood) = understood else {
        let names = written.iter().flat_map(|(text, _)| assembly::names(text));
        operands.extend(names.filter_map(|name| at.cx.symbols.get(name).cloned()));
        return Some(Op::Unknown { what: "inline assembly", operands });
    };
    for access in understood.accesses {
        let address = operands.get(access.argument).cloned().unwrap_or(Operand::Null);
        let ty = Type::bits(access.bytes * 8);
        match access.is_write {
            true => at.push_effect(Op::Store { address, value: Operand::Any { bits: ty.bits }, ty }),
            false => {
                at.push_temporary(ty, Op::Load { address });
            }
        }
    }
    let result = at.type_of(call);
    if result.bits == 0 {
        return None;
    }
    let computed = match understood.result {
        Outcome::Argument(index) => {
            let value = operands.get(index).cloned().unwrap_or(Operand::Any { bits: result.bits });
            return Some(Op::Cast { cast: Cast::Bits, value, from: result });
        }
        Outcome::Number => Vec::new(),
        Outcome::Computed => operands,
    };
    Some(match (result.is_pointer, call.ty().kind()) {
        // A pointer that was computed is one that was a number.
        (true, _) => {
            let word = Type::bits(result.bits);
            let number = at.push_temporary(word, Op::Opaque(computed));
            Op::Cast { cast: Cast::IntegerToPointer, value: number, from: word }
        }
        (_, llvm::Kind::LLVMStructTypeKind) => Op::Unknown { what: "inline assembly", operands: computed },
        _ => Op::Opaque(computed),
    })
}

/// The functions of the C library that copy or set bytes, with their checking twins.
fn memory_function(at: &Lowering<'_>, call: Value, name: &str) -> Option<Op> {
    let arguments = call.arguments();
    let operand = |index: usize| arguments.get(index).map(|argument| at.operand(*argument));
    let (first, second, third) = (operand(0)?, operand(1)?, operand(2)?);
    Some(match name {
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => Op::Copy { to: first, from: second, length: third },
        "memset" | "__memset_chk" => Op::Fill { to: first, byte: second, length: third },
        _ => return None,
    })
}

fn intrinsic(at: &mut Lowering<'_>, call: Value, callee: Value) -> Option<Op> {
    let name = callee.name();
    let name = name.strip_prefix("llvm.").unwrap_or(&name);
    let is = |prefix: &str| name.starts_with(prefix);
    let operand = |index: u32| at.operand(call.operand(index));
    let copied = |at: &Lowering<'_>| {
        Some(Op::Cast { cast: Cast::Bits, value: at.operand(call.operand(0)), from: at.type_of(call.operand(0)) })
    };
    if marks::is_annotation(callee) {
        return if is("ptr.") { copied(at) } else { None };
    }
    if is("memcpy") || is("memmove") {
        return Some(Op::Copy { to: operand(0), from: operand(1), length: operand(2) });
    }
    if is("memset") {
        return Some(Op::Fill { to: operand(0), byte: operand(1), length: operand(2) });
    }
    if is("va_copy") {
        // The list of the System V ABI for x86-64.
        return Some(Op::Copy { to: operand(0), from: operand(1), length: Operand::Integer { value: 24, bits: 64 } });
    }
    if is("va_start") {
        return Some(Op::StartVariadic { list: operand(0) });
    }
    if is("expect") || is("launder") || is("strip.invariant") || is("threadlocal.address") || is("ssa.copy") {
        return copied(at);
    }
    if overflowing(callee).is_some() || call.ty().kind() == llvm::Kind::LLVMVoidTypeKind && has_no_effect(name) {
        return None;
    }
    if call.arguments().iter().any(|argument| at.type_of(*argument).is_pointer) && !is("objectsize") {
        let operands = call.arguments().into_iter().map(|argument| at.operand(argument)).collect();
        return Some(Op::Unknown { what: "an intrinsic function of the compiler", operands });
    }
    Some(opaque(at, call))
}

/// How the source calls an intrinsic that jumps or is jumped to: control does not go on behind it as behind others.
pub fn jump(function: Value) -> Option<&'static str> {
    match function.name().as_str() {
        "llvm.eh.sjlj.setjmp" => Some("__builtin_setjmp"),
        "llvm.eh.sjlj.longjmp" => Some("__builtin_longjmp"),
        _ => None,
    }
}

/// Intrinsics that only tell the optimiser something, or end the program.
fn has_no_effect(name: &str) -> bool {
    const ALL: [&str; 12] = [
        "lifetime.",
        "dbg.",
        "assume",
        "va_end",
        "stackrestore",
        "trap",
        "debugtrap",
        "donothing",
        "invariant.",
        "prefetch",
        "experimental.noalias",
        "sideeffect",
    ];
    ALL.iter().any(|prefix| name.starts_with(prefix))
}
