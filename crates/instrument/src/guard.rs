//! Guards: what becomes of checks in the replay view, where they are tested and a violation is told to the runtime.
//!
//! A guard looks at a condition that the program's own code computed, and calls a function that LLVM knows nothing of:
//! so no optimisation can conclude that the violation never happens.

use crate::annotate::CHECK;
use crate::annotate::members::{self, STRING};
use crate::calls::{is_call, is_instrumented};
use crate::whole_program::leave_resolvers_untouched;
use llvm::{Block, Module, Value, split_if_unlikely};
use llvm_sys::prelude::LLVMModuleRef;
use trace::abi;

/// `void (i32 check, i64 a, i64 b)`: a check does not hold.
const FAILED: &str = "__provoke_failed";
/// What [`STRING`] becomes: the same as a function.
const STRING_WRITTEN: &str = "__provoke_string";
/// `void (ptr format, i32 given)`: a format that is no constant, with this many arguments behind it, or [`UNKNOWN`].
const FORMAT: &str = "__provoke_format";

/// `void (ptr block, i64 size)`: memory was allocated.
const ALLOCATED: &str = "__provoke_allocated";

/// `void (i64 size)`: so much is going to be allocated.
const SIZE: &str = "__provoke_size";

/// Functions that allocate, and the arguments whose product is the size: the first of them, and how many.
const ALLOCATORS: [(&str, usize, usize); 7] = [
    ("malloc", 0, 1),
    ("calloc", 0, 2),
    ("realloc", 1, 1),
    ("reallocarray", 1, 2),
    ("aligned_alloc", 1, 1),
    ("memalign", 1, 1),
    ("valloc", 0, 1),
];

/// Functions that take a format, and which of their arguments it is. What belongs to the format follows it.
const FORMATTED: [(&str, usize); 19] = [
    ("printf", 0),
    ("fprintf", 1),
    ("dprintf", 1),
    ("sprintf", 1),
    ("snprintf", 2),
    ("asprintf", 1),
    ("syslog", 1),
    ("err", 1),
    ("errx", 1),
    ("warn", 0),
    ("warnx", 0),
    ("error", 2),
    ("__printf_chk", 1),
    ("__fprintf_chk", 2),
    ("__dprintf_chk", 2),
    ("__sprintf_chk", 3),
    ("__snprintf_chk", 4),
    ("__asprintf_chk", 2),
    ("__syslog_chk", 2),
];

/// The same for those that take what belongs to the format as a list, which does not say how much that is.
const FORMATTED_LIST: [(&str, usize); 18] = [
    ("vprintf", 0),
    ("vfprintf", 1),
    ("vdprintf", 1),
    ("vsprintf", 1),
    ("vsnprintf", 2),
    ("vasprintf", 1),
    ("vsyslog", 1),
    ("verr", 1),
    ("verrx", 1),
    ("vwarn", 0),
    ("vwarnx", 0),
    ("__vprintf_chk", 1),
    ("__vfprintf_chk", 2),
    ("__vdprintf_chk", 2),
    ("__vsprintf_chk", 3),
    ("__vsnprintf_chk", 4),
    ("__vasprintf_chk", 2),
    ("__vsyslog_chk", 2),
];

/// As many arguments as nobody knows.
const UNKNOWN: u64 = u32::MAX as u64;

/// Puts AddressSanitizer's checks into all code that can have them: not what was set aside, and not functions that are
/// written in assembly.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn check_addresses(module: LLVMModuleRef) {
    let module = Module::new(module);
    for function in module.functions().into_iter().filter(|function| is_instrumented(*function)) {
        function.add_attributes(module, &["sanitize_address"]);
    }
    module.check_addresses();
}

/// Keeps optimisation from making one call out of several, which would then belong to no line of the source.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn keep_calls_apart(module: LLVMModuleRef) {
    let module = Module::new(module);
    let instructions = module.functions().into_iter().flat_map(Value::blocks).flat_map(Block::instructions);
    for call in instructions.filter(|i| is_call(*i) && !(i.callee().is_function() && i.callee().is_intrinsic())) {
        call.kept_apart(module);
    }
}

/// Readies a module for guards and counters: code that runs before the sanitizer is ready is set aside, and variables on the
/// stack get the names that they have in the source, which the sanitizer tells.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn prepare(module: LLVMModuleRef) {
    let module = Module::new(module);
    leave_resolvers_untouched(module);
    module.name_variables();
}

/// Turns the checks of an annotated module into guards, in place.
///
/// # Safety
/// `module` must be a valid module, and nothing else may use it or its context meanwhile.
pub unsafe fn guard_checks(module: LLVMModuleRef) {
    let module = Module::new(module);
    guard_strings(module);
    let Some(check) = module.function(CHECK) else { return };
    let (i1, i32, i64) = (module.int(1), module.int(32), module.int(64));
    let failed = module.add_function(FAILED, module.function_type(module.void(), &[i32, i64, i64]));
    failed.add_attributes(module, &["cold"]);
    let builder = module.builder();
    for call in check.users() {
        if let [number, holds, a, b, ..] = call.arguments().as_slice() {
            builder.before(call);
            let fails = builder.xor(*holds, i1.constant(1));
            builder.before(split_if_unlikely(fails, call));
            builder.call(failed.value_type(), failed, &[*number, *a, *b]);
        }
        call.erase();
    }
    check.delete_function();
}

fn guard_strings(module: Module) {
    let Some(look) = module.function(STRING) else { return };
    let ty = look.value_type();
    let written = module.add_function(STRING_WRITTEN, ty);
    let builder = module.builder();
    for call in look.users() {
        builder.before(call);
        builder.call(ty, written, &call.arguments()).copy_location(call);
    }
    members::erase(module);
}

/// Takes out of an annotated module what can be seen in the replay view alone.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn drop_looks_at_strings(module: LLVMModuleRef) {
    members::erase(Module::new(module));
}

/// Takes the checks out of an annotated module again.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn drop_checks(module: LLVMModuleRef) {
    crate::hot::erase_checks(Module::new(module));
}

/// Lets formats that are no constants be looked at before they are used.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn guard_formats(module: LLVMModuleRef) {
    look_at_formats(Module::new(module), FORMAT);
}

/// The same in the concolic view, where a model in the runtime looks at them.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn observe_formats(module: LLVMModuleRef) {
    look_at_formats(Module::new(module), &format!("{}{}", abi::MODEL_PREFIX, abi::FORMAT_MODEL));
}

fn look_at_formats(module: Module, look: &str) {
    let look = module.add_function(look, module.function_type(module.void(), &[module.ptr(), module.int(32)]));
    let builder = module.builder();
    let counted = FORMATTED.into_iter().map(|(name, place)| (name, place, true));
    let listed = FORMATTED_LIST.into_iter().map(|(name, place)| (name, place, false));
    for (name, place, is_counted) in counted.chain(listed) {
        // A program may have its own function of that name.
        let Some(function) = module.function(name).filter(|function| function.is_elsewhere()) else { continue };
        let uses = function.users().into_iter();
        for call in uses.filter(|user| user.is_instruction() && is_call(*user) && user.callee() == function) {
            // What a header does for a function of the library is looked at where that is called.
            let within = call.function();
            if within.is_elsewhere() && FORMATTED_LIST.iter().any(|(name, _)| within.name() == *name) {
                continue;
            }
            let arguments = call.arguments();
            let Some(format) = arguments.get(place).filter(|format| !is_constant_text(**format)) else { continue };
            let given = if is_counted { (arguments.len() - place - 1) as u64 } else { UNKNOWN };
            builder.before(call);
            builder.call(look.value_type(), look, &[*format, module.int(32).constant(given)]).copy_location(call);
        }
    }
}

/// Tells the runtime about sizes that are asked for, and about blocks of no bytes: AddressSanitizer gives them one that may be
/// used.
///
/// # Safety
/// As for [`guard_checks`].
pub unsafe fn guard_allocations(module: LLVMModuleRef) {
    let module = Module::new(module);
    let word = module.int(64);
    let ask = module.add_function(SIZE, module.function_type(module.void(), &[word]));
    let tell = module.add_function(ALLOCATED, module.function_type(module.void(), &[module.ptr(), word]));
    let builder = module.builder();
    for (name, first, count) in ALLOCATORS {
        let Some(function) = module.function(name).filter(|function| function.is_elsewhere()) else { continue };
        for call in function.users().into_iter().filter(|user| user.is_instruction() && is_call(*user)) {
            let given = call.arguments();
            let sizes = given.get(first..first + count).filter(|_| call.callee() == function).unwrap_or_default();
            builder.before(call);
            for size in sizes.iter().filter(|size| size.as_constant().is_none()) {
                builder.call(ask.value_type(), ask, &[*size]).copy_location(call);
            }
            // What an exception may come out of has no next instruction.
            let (Some(next), [one, rest @ ..]) = (call.next(), sizes) else { continue };
            if sizes.iter().all(|size| size.as_constant().is_some_and(|size| size > 0)) {
                continue;
            }
            builder.before(next);
            let size = rest.iter().fold(*one, |product, size| builder.mul(product, *size));
            builder.call(tell.value_type(), tell, &[call, size]).copy_location(call);
        }
    }
}

/// Whether a value is the address of data that cannot change.
fn is_constant_text(value: Value) -> bool {
    value.is_global_constant_variable()
}
