//! Strings and blocks that are written to an array inside of something larger: they may leave the array and not the object, which is
//! all that a sanitizer knows.
//!
//! How much a block has is a number that the program computes, so it is a check like any other. How long a string is, is seen when it
//! has been written: in the replay view alone, since whoever counted there would decide about the length. So the lengths that show it
//! have to come from somewhere else; inputs do get longer.

use super::Pass;
use crate::calls::is_call;
use llvm::{Block, Kind, Module, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate;
use trace::rule::Rule;
use trace::sites::CheckSubject;

/// `void (i32 NUMBER, ptr ARRAY, ptr STRING, i64 BYTES)`: a string was written to an array of so many bytes. Nothing if there is no string.
pub(crate) const STRING: &str = "provoke.string";

/// Functions that write a string to where their first argument points.
struct Writer {
    name: &'static str,
    /// The argument that says how many bytes it may have at most. As long as these fit, nothing can go wrong.
    most: Option<usize>,
    /// Whether the string is there only if the function says so.
    tells: bool,
}

const fn writer(name: &'static str) -> Writer {
    Writer { name, most: None, tells: false }
}

const WRITERS: [Writer; 14] = [
    writer("strcpy"),
    writer("stpcpy"),
    writer("strcat"),
    writer("strncat"),
    writer("sprintf"),
    writer("vsprintf"),
    writer("__strcpy_chk"),
    writer("__strcat_chk"),
    writer("__sprintf_chk"),
    writer("__vsprintf_chk"),
    Writer { most: Some(1), ..writer("snprintf") },
    Writer { most: Some(1), ..writer("vsnprintf") },
    Writer { most: Some(1), ..writer("__snprintf_chk") },
    Writer { most: Some(1), tells: true, ..writer("fgets") },
];

/// Functions that write as many bytes as their third argument says to where their first one points.
const BLOCKS: [&str; 7] =
    ["memcpy", "memmove", "memset", "strncpy", "llvm.memcpy.p0.p0.i64", "llvm.memmove.p0.p0.i64", "llvm.memset.p0.i64"];

/// An array inside of something larger.
struct Member {
    array: Value,
    bytes: u64,
}

/// Adds checks to all calls of such functions.
pub(super) fn check(pass: &mut Pass) {
    let functions = pass.module.functions().into_iter();
    let instructions: Vec<Value> = functions.flat_map(Value::blocks).flat_map(Block::instructions).collect();
    for call in instructions.into_iter().filter(|call| is_call(*call) && call.callee().is_function()) {
        let name = call.callee().name();
        // With fortified headers the program calls a function in them that has this in its name.
        let name = name.split_once(".inline").map_or(name.as_str(), |(name, _)| name);
        if BLOCKS.contains(&name) {
            check_block(pass, call);
        } else if let Some(writer) = WRITERS.iter().find(|writer| writer.name == name) {
            check_string(pass, call, writer);
        }
    }
}

fn check_block(pass: &mut Pass, call: Value) {
    let arguments = call.arguments();
    let (Some(to), Some(count)) = (arguments.first(), arguments.get(2)) else { return };
    // A constant is nothing that an input decides about, and some programs write two members at once.
    let Some(member) = member(*to).filter(|_| count.as_constant().is_none()) else { return };
    let Some(number) = number(pass, call) else { return };
    let i64 = pass.module.int(64);
    pass.builder.before(call);
    let (count, room) = (pass.builder.resize(*count, i64), i64.constant(member.bytes));
    let fits = pass.builder.icmp(LLVMIntPredicate::LLVMIntULE, count, room);
    pass.call_check(number, fits, count, room, None).copy_location(call);
}

fn check_string(pass: &mut Pass, call: Value, writer: &Writer) {
    let arguments = call.arguments();
    let Some(to) = arguments.first() else { return };
    let Some(member) = member(*to) else { return };
    let most = writer.most.and_then(|most| arguments.get(most));
    if most.and_then(|most| most.as_constant()).is_some_and(|most| most <= member.bytes) {
        return;
    }
    // What an exception may come out of has no next instruction.
    let Some(next) = call.next() else { return };
    let Some(number) = number(pass, call) else { return };
    let (module, builder) = (pass.module, &pass.builder);
    let (i32, i64, ptr) = (module.int(32), module.int(64), module.ptr());
    builder.before(next);
    let mut string = if writer.tells { call } else { *to };
    if let Some(most) = most {
        let most = builder.resize(*most, i64);
        let may_leave = builder.icmp(LLVMIntPredicate::LLVMIntUGT, most, i64.constant(member.bytes));
        string = builder.select(may_leave, string, ptr.zero());
    }
    let ty = module.function_type(module.void(), &[i32, ptr, ptr, i64]);
    let look = module.function(STRING).unwrap_or_else(|| module.add_function(STRING, ty));
    let arguments = [i32.constant(number), member.array, string, i64.constant(member.bytes)];
    builder.call(ty, look, &arguments).copy_location(call);
}

fn number(pass: &mut Pass, call: Value) -> Option<u64> {
    pass.number(Rule::StringOverflow, CheckSubject::Member, call.place(), false)
}

/// The array that a pointer points into, if something comes behind it in the same object. What comes last in a structure often goes on
/// behind its end, and that is meant.
fn member(pointer: Value) -> Option<Member> {
    let mut pointer = pointer;
    while is_step(pointer) {
        let source = pointer.gep_source_type();
        if let Some(array) = inner(pointer).filter(|inner| inner.kind() == Kind::LLVMArrayTypeKind) {
            return Some(Member { array: pointer, bytes: bytes(array)? });
        }
        let is_in_array = source.kind() == Kind::LLVMArrayTypeKind || bytes(source) == Some(1);
        if !is_in_array {
            return None;
        }
        pointer = pointer.operand(0);
    }
    None
}

fn is_step(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMGetElementPtr
}

/// What a step leads to from the whole to a part of it that is not its last one: a field, or a row.
fn inner(step: Value) -> Option<Type> {
    let [_, start, at]: [Value; 3] = step.operands().try_into().ok()?;
    let source = step.gep_source_type();
    if start.as_constant() != Some(0) {
        return None;
    }
    match source.kind() {
        Kind::LLVMStructTypeKind if !source.name().starts_with("union.") => {
            let at = usize::try_from(at.as_constant()?).ok()?;
            let fields = source.fields();
            (at + 1 < fields.len()).then(|| fields.get(at).copied()).flatten()
        }
        Kind::LLVMArrayTypeKind => Some(source.elements().0),
        _ => None,
    }
}

/// The size of an integer, or of an array of them.
fn bytes(ty: Type) -> Option<u64> {
    match ty.kind() {
        Kind::LLVMIntegerTypeKind => Some(u64::from(ty.int_width()).div_ceil(8)),
        Kind::LLVMArrayTypeKind => {
            let (element, count) = ty.elements();
            bytes(element)?.checked_mul(count).filter(|bytes| *bytes > 1)
        }
        _ => None,
    }
}

/// Takes the looks at strings out again.
pub(crate) fn erase(module: Module) {
    let Some(look) = module.function(STRING) else { return };
    look.users().into_iter().for_each(Value::erase);
    look.delete_function();
}
