//! Memory that is shown to code which knows no labels: functions without code here, assembly, intrinsics without a rule.

use crate::calls::{self, Callee};
use llvm::{Kind, Module, Value};
use trace::layout::Reason;

/// A pointer that such code gets, a vector of them, or a number that may be an address.
pub struct Exposed {
    pub pointer: Value,
    /// How much can be read through it; 0 if that is not known.
    pub bytes: u64,
}

/// Functions that take the address of a block and look at nothing in it but what is their own: what C++ frees and throws,
/// locks, the state of streams, pages. Whoever uses these names otherwise is in the implementation's way.
const OPAQUE_PREFIXES: &[&str] = &["_ZdlPv", "_ZdaPv", "__cxa_", "_Unwind_", "pthread_"];
/// The same, whole names.
const OPAQUE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "sigaction",
    "sigprocmask",
    "sigemptyset",
    "sigfillset",
    "sigaddset",
    "sigdelset",
    "sigismember",
    "sem_init",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_destroy",
    "feof",
    "ferror",
    "fileno",
    "clearerr",
    "feof_unlocked",
    "ferror_unlocked",
    "fileno_unlocked",
    "clearerr_unlocked",
    "setvbuf",
    "fgetpos",
    "fsetpos",
    "setbuf",
    "setlinebuf",
    "mprotect",
    "madvise",
    "mlock",
    "munlock",
    "flockfile",
    "ftrylockfile",
    "funlockfile",
];

/// What models in C call only on memory that they have seen to be without labels, or to see whether it is.
const GUARDED: &[&str] = &["strlen", "memmem", "strstr", "strcasestr"];

/// Whether a model calls the library's own function in this way: only they name it so, also where they are inlined.
fn is_guarded(call: Value, name: &str) -> bool {
    GUARDED.contains(&name) && call.callee().name().starts_with('\u{1}')
}

fn is_opaque(name: &str) -> bool {
    OPAQUE.contains(&name) || OPAQUE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// What a call exposes, and why labels are lost there.
pub fn of_call(module: Module, call: Value) -> (Reason, Vec<Exposed>) {
    match calls::classify(call) {
        Callee::External(name) if !calls::is_output_only(call, &name) => {
            let exposed = if is_opaque(&name) || calls::only_counts(&name) || is_guarded(call, &name) {
                Vec::new()
            } else {
                all_pointers(call, |i| pieces_written(call, &name, i).unwrap_or(call.by_value_argument(i)))
            };
            (Reason::UnmodelledCall, exposed)
        }
        Callee::Assembly => (Reason::Assembly, of_assembly(module, call)),
        Callee::Intrinsic(name) if reads_memory(call, &name) => {
            // A gather reads anywhere behind its base.
            let bytes = if name.contains("gather") { 0 } else { module.store_size(call.ty()) };
            (Reason::Instruction, all_pointers(call, |_| bytes))
        }
        _ => (Reason::None, Vec::new()),
    }
}

/// Functions that write out what many pointers in memory point to.
const VECTORED_OUTPUT: &[&str] = &["writev", "pwritev", "pwritev64"];

/// The bytes that such a function is given to know what to write, which say how much it writes; what it writes says nothing.
fn pieces_written(call: Value, name: &str, argument: u32) -> Option<u64> {
    const PIECE: u64 = 16;
    let is_list = argument == 1 && VECTORED_OUTPUT.contains(&name);
    let count = call.arguments().get(2).filter(|_| is_list)?.as_constant()?;
    Some(PIECE * count)
}

/// What a call of a function that is known only at run time exposes if the function knows no labels. Structures that are passed by
/// value are looked at elsewhere.
pub fn of_unknown_callee(call: Value) -> Vec<Exposed> {
    let exposed = all_pointers(call, |i| call.by_value_argument(i));
    exposed.into_iter().filter(|exposed| exposed.bytes == 0).collect()
}

/// Whether the intrinsic is one without a rule that may read memory. Those without a result only write it.
pub fn reads_memory(call: Value, name: &str) -> bool {
    let is_known = calls::is_marker(name)
        || calls::has_rule(name)
        || calls::is_block_operation(name)
        || name.starts_with("llvm.va_start");
    !is_known && call.ty().kind() != Kind::LLVMVoidTypeKind && call.arguments().into_iter().any(can_have_labels)
}

fn all_pointers(call: Value, bytes: impl Fn(u32) -> u64) -> Vec<Exposed> {
    let arguments = (0..).zip(call.arguments()).filter(|(i, a)| can_have_labels(*a) && !call.is_write_only(*i));
    arguments.map(|(i, pointer)| Exposed { pointer, bytes: bytes(i) }).collect()
}

/// Whether the value points to memory that may have labels.
fn can_have_labels(pointer: Value) -> bool {
    let pointer = pointer.without_constant_offset();
    let is_fixed = pointer.is_constant() && !pointer.is_global_variable() || pointer.is_global_constant_variable();
    let ty = pointer.ty();
    let scalar = if ty.kind() == Kind::LLVMVectorTypeKind { ty.lanes().0 } else { ty };
    scalar.kind() == Kind::LLVMPointerTypeKind && !is_fixed
}

fn of_assembly(module: Module, call: Value) -> Vec<Exposed> {
    let assembly = call.callee();
    if assembly.assembly_template().trim().is_empty() {
        // Only there to stop the optimiser.
        return Vec::new();
    }
    // Memory that is written comes first.
    let constraints = assembly.assembly_constraints();
    let is_memory_output = |c: &&str| c.starts_with('=') && c.contains('*');
    let outputs = constraints.split(',').filter(is_memory_output).count();
    let size = |i: u32| call.memory_operand(i).map_or(0, |ty| module.store_size(ty));
    // System calls get addresses as numbers.
    let can_be_address = |a: Value| can_have_labels(a) || a.ty() == module.int(64) && a.as_constant().is_none();
    let inputs = (0..).zip(call.arguments()).skip(outputs).filter(|(_, a)| can_be_address(*a));
    inputs.map(|(i, pointer)| Exposed { pointer, bytes: size(i) }).collect()
}
