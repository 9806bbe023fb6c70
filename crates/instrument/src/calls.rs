//! What a call calls, as far as labels are concerned.

use llvm::{Module, Opcode, Value};
use std::ffi::CStr;
use trace::abi;
use trace::directives;

/// String attribute of functions that stay as they are.
pub const UNTOUCHED: &CStr = c"provoke-untouched";

/// String attribute of models that are written in C.
pub const MODEL: &CStr = c"provoke-model";

/// Kinds of callees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function with instrumented code, a model, or one known only at run time: labels travel in the thread's slots.
    Labelled,
    /// A model of the runtime: like [`Callee::Labelled`], and it wants to know the site of every call.
    Model,
    /// An LLVM intrinsic.
    Intrinsic(String),
    /// A function without code here, or whose code stays as it is.
    External(String),
    /// Inline assembly.
    Assembly,
    /// A check: no call in the end.
    Check,
}

/// Functions that only write out or give back what they are given: their arguments may be concrete without any loss as long as
/// nobody looks at more of their result than whether it is negative, which says that they failed.
const OUTPUT_ONLY: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "write",
    "perror",
    "fflush",
    "putc_unlocked",
    "putchar_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "__overflow",
    "__printf_chk",
    "__fprintf_chk",
    "__vfprintf_chk",
    "__vprintf_chk",
    "syslog",
    "exit",
    "_exit",
    "abort",
    "__assert_fail",
    "error",
    "close",
    "fclose",
];

/// Which of them take a format, and as which of their arguments.
pub const FORMATTED: &[(&str, usize)] = &[
    ("printf", 0),
    ("fprintf", 1),
    ("vprintf", 0),
    ("vfprintf", 1),
    ("dprintf", 1),
    ("__printf_chk", 1),
    ("__fprintf_chk", 2),
    ("__vfprintf_chk", 2),
    ("__vprintf_chk", 1),
    ("syslog", 1),
    ("error", 2),
];

/// Functions that write memory out whose result says how much, and nothing about what.
const COUNTING_OUTPUT: &[&str] =
    &["write", "pwrite", "pwrite64", "fwrite", "fwrite_unlocked", "fputs", "fputs_unlocked", "send", "sendto"];

/// Functions that read standard input, and are told so by no argument.
const READING: &[&str] = &[
    "getwchar",
    "getwchar_unlocked",
    "wscanf",
    "vwscanf",
    "__isoc99_wscanf",
    "__isoc99_vwscanf",
    "__isoc23_wscanf",
    "__isoc23_vwscanf",
    "gets",
    "__gets_chk",
];

/// Classes of C++ that read files by themselves, and how the names of those of their functions go on that open one.
const READING_CLASSES: &[&str] = &["_ZNSt14basic_ifstream", "_ZNSt13basic_fstream", "_ZNSt13basic_filebuf"];
const OPENING: &[&str] = &["EEC1EPKc", "EEC2EPKc", "EEC1ERKNS", "EEC2ERKNS", "EE4openE"];

/// System calls that have nothing to do with files or processes, by their numbers: sched_yield, getpid, gettid, futex, clock_gettime,
/// exit_group, tgkill, getcpu, getrandom, membarrier.
const HARMLESS_SYSTEM_CALLS: &[u64] = &[24, 39, 186, 202, 228, 231, 234, 309, 318, 324];

/// Whether a call of this external function may read input that no model sees.
pub fn reads_unseen(call: Value, name: &str) -> bool {
    if name == "syscall" {
        let number = call.arguments().first().and_then(|number| number.as_constant());
        return number.is_none_or(|number| !HARMLESS_SYSTEM_CALLS.contains(&number));
    }
    let opens = || OPENING.iter().any(|part| name.contains(part));
    READING.contains(&name) || READING_CLASSES.iter().any(|class| name.starts_with(class)) && opens()
}

/// Whether what a call of this external function reads makes no difference to the program.
pub fn only_counts(name: &str) -> bool {
    COUNTING_OUTPUT.contains(&name)
}

/// Whether the instruction is a call of any kind.
pub fn is_call(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
}

/// The calls of a function that is not the program's own.
pub fn calls_of(module: Module, name: &str) -> Vec<Value> {
    let Some(function) = module.function(name).filter(|function| function.is_elsewhere()) else { return Vec::new() };
    let users = function.users().into_iter();
    users.filter(|user| user.is_instruction() && is_call(*user) && user.callee() == function).collect()
}

/// Classifies the callee of a call.
pub fn classify(call: Value) -> Callee {
    let callee = call.callee();
    if callee.is_inline_asm() {
        return Callee::Assembly;
    }
    if !callee.is_function() {
        return Callee::Labelled;
    }
    let name = callee.name();
    if callee.is_intrinsic() {
        return Callee::Intrinsic(name);
    }
    if name.starts_with(abi::MODEL_PREFIX) {
        return Callee::Model;
    }
    if name == crate::annotate::CHECK {
        return Callee::Check;
    }
    if !is_instrumented(callee) || name.starts_with("__provoke") {
        // What models call by its own name has a byte in front.
        return Callee::External(name.trim_start_matches('\u{1}').to_owned());
    }
    Callee::Labelled
}

/// Whether a function has code here that is instrumented.
pub fn is_instrumented(function: Value) -> bool {
    !function.is_elsewhere() && !function.has_attribute("naked") && !function.has_mark(UNTOUCHED)
}

/// Whether a call of this external function loses nothing when its arguments are made concrete, but for those that are
/// [`deciding`].
pub fn is_output_only(call: Value, name: &str) -> bool {
    OUTPUT_ONLY.contains(&name)
        && call.users().into_iter().all(|user| asks_for_sign(user, call))
        && format_of(call, name)
            .is_none_or(|format| !text_of(format).is_some_and(|text| directives::writes_memory(&text)))
}

/// The arguments of a function that only writes out which decide what the program does next.
pub fn deciding(call: Value, name: &str) -> Vec<Value> {
    // Whether it ends here.
    if name == "error" { call.arguments().into_iter().take(1).collect() } else { Vec::new() }
}

/// The format of a call of a function that only writes out, if only the run tells what it is.
pub fn unknown_format(call: Value, name: &str) -> Option<Value> {
    format_of(call, name).filter(|format| text_of(*format).is_none())
}

fn format_of(call: Value, name: &str) -> Option<Value> {
    let place = FORMATTED.iter().find(|(function, _)| *function == name)?.1;
    call.arguments().get(place).copied()
}

/// The text that a pointer to constant data points into.
pub fn text_of(pointer: Value) -> Option<Vec<u8>> {
    let data = pointer.without_constant_offset();
    let text = data.initializer().filter(|_| data.is_global_constant_variable())?.as_text()?;
    Some(text.into_bytes())
}

/// Whether the instruction asks of a value only whether it is negative; -1 is the only such value that these functions have.
fn asks_for_sign(instruction: Value, value: Value) -> bool {
    use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE, LLVMIntSGT, LLVMIntSLT};
    if instruction.operand(0) != value {
        return false;
    }
    // `failed |= printf(…) < 0` takes the bit itself.
    if instruction.opcode() == Opcode::LLVMLShr {
        return instruction.operand(1).as_constant() == Some(u64::from(value.ty().int_width()) - 1);
    }
    if instruction.opcode() != Opcode::LLVMICmp {
        return false;
    }
    // As an `int` or as a `long`.
    const MINUS_ONE: [u64; 2] = [u32::MAX as u64, u64::MAX];
    let Some(other) = instruction.operand(1).as_constant() else { return false };
    match instruction.int_predicate() {
        LLVMIntSLT => other == 0,
        LLVMIntSGT | LLVMIntEQ | LLVMIntNE => MINUS_ONE.contains(&other),
        _ => false,
    }
}

/// The structures among a call's variadic arguments that are passed as copies in memory, with their sizes.
pub fn variadic_structures(call: Value) -> Vec<(Value, u64)> {
    if !is_call(call) || classify(call) != Callee::Labelled || !call.callee_type().is_variadic() {
        return Vec::new();
    }
    let fixed = call.callee_type().parameter_count() as usize;
    let arguments = call.arguments().into_iter().enumerate().skip(fixed);
    arguments.map(|(i, a)| (a, call.by_value_argument(i as u32))).filter(|(_, size)| *size > 0).collect()
}

/// Whether the intrinsic is a marker that computes nothing.
pub fn is_marker(name: &str) -> bool {
    const MARKERS: &[&str] = &[
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.assume",
        "llvm.invariant.",
        "llvm.experimental.noalias",
        "llvm.donothing",
        "llvm.sideeffect",
        "llvm.prefetch",
        "llvm.var.annotation",
        "llvm.codeview",
        "llvm.pseudoprobe",
        "llvm.fake.use",
        "llvm.stacksave",
        "llvm.stackrestore",
        "llvm.va_end",
        "llvm.va_copy",
        "llvm.trap",
        "llvm.debugtrap",
        "llvm.ubsantrap",
        "llvm.returnaddress",
        "llvm.frameaddress",
        "llvm.eh.",
        "llvm.threadlocal.address",
        "llvm.readcyclecounter",
    ];
    MARKERS.iter().any(|m| name.starts_with(m))
}

/// Whether the intrinsic moves or fills memory.
pub fn is_block_operation(name: &str) -> bool {
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.memcpy.inline.", "llvm.memset.inline."]
        .iter()
        .any(|m| name.starts_with(m))
}

/// Intrinsics whose result has a label computed by a rule.
pub fn has_rule(name: &str) -> bool {
    crate::rules::intrinsics::Pure::of(name).is_some()
}
