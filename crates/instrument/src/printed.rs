//! Strings that the program writes out: the runtime looks at them before, or the sanitizer.
//!
//! Functions that only write out lose nothing when their arguments are concrete. But they read strings up to their ends, and where the
//! input says where that is, it may be nowhere.

use crate::calls::{FORMATTED, calls_of, text_of};
use llvm::{Module, Opcode, Type, Value};
use llvm_sys::prelude::LLVMModuleRef;
use trace::abi;
use trace::directives::{Precision, each_string, is_plain};

/// Functions that write out one string, and as which of their arguments.
const STRINGS: &[(&str, usize)] = &[("puts", 0), ("fputs", 0), ("fputs_unlocked", 0)];

/// A string that is written out.
struct Printed {
    call: Value,
    string: Value,
    /// How many bytes of it are written at most.
    most: Value,
    /// Whether the sanitizer can tell that from the format.
    is_plain: bool,
}

/// Lets a model in the runtime look at strings that are written out.
///
/// # Safety
/// `module` must be a valid module, and nothing else may use it or its context meanwhile.
pub unsafe fn observe_printed(module: LLVMModuleRef) {
    let module = Module::new(module);
    let name = format!("{}{}", abi::MODEL_PREFIX, abi::PRINTED_MODEL);
    let look = module.add_function(&name, module.function_type(module.void(), &[module.ptr(), module.int(64)]));
    each_printed(module, |_, printed| observe(module, look, &printed));
    for (name, place) in FORMATTED {
        for call in calls_of(module, name).into_iter().filter(|call| !call.callee_type().is_variadic()) {
            observe_list(module, call, call.arguments().get(*place..));
        }
    }
}

/// Functions whose strings AddressSanitizer looks at, unless it does not understand the format, or their precision is an argument.
const SANITIZED: [&str; 4] = ["puts", "fputs", "printf", "fprintf"];

/// Lets AddressSanitizer look at the others, by asking for their lengths.
///
/// # Safety
/// As for [`observe_printed`].
pub unsafe fn guard_printed(module: LLVMModuleRef) {
    let module = Module::new(module);
    let word = module.int(64);
    let ty = module.function_type(word, &[module.ptr(), word]);
    let look = module.function("strnlen").unwrap_or_else(|| module.add_function("strnlen", ty));
    // A program may have its own function of that name.
    if !look.is_elsewhere() || look.value_type() != ty {
        return;
    }
    each_printed(module, |name, printed| {
        if !SANITIZED.contains(&name) || !printed.is_plain {
            observe(module, look, &printed);
        }
    });
}

/// Hands over all strings that are written out, as far as the code shows them, and which function does it.
fn each_printed(module: Module, mut visit: impl FnMut(&str, Printed)) {
    for (name, place) in STRINGS {
        for call in calls_of(module, name) {
            let Some(string) = call.arguments().get(*place).copied() else { continue };
            visit(name, Printed { call, string, most: module.int(64).constant(u64::MAX), is_plain: true });
        }
    }
    for (name, place) in FORMATTED {
        for call in calls_of(module, name).into_iter().filter(|call| call.callee_type().is_variadic()) {
            let arguments = call.arguments();
            // One that begins elsewhere than its text has other directives.
            let format = arguments.get(*place).filter(|format| format.is_global_constant_variable());
            let Some(text) = format.and_then(|format| text_of(*format)) else { continue };
            let takes_null = !becomes_other_call(call, name, &text);
            each_string(&text, |before, precision| {
                // A format can name any number.
                let given = |before: usize| arguments.get(before.checked_add(place + 1)?).copied();
                let most = match precision {
                    Precision::All => Some(module.int(64).constant(u64::MAX)),
                    Precision::Bytes(bytes) => Some(module.int(64).constant(bytes)),
                    // A negative one is none at all, and a large number as well.
                    Precision::Argument(before) => given(before).map(|most| {
                        let builder = module.builder();
                        builder.before(call);
                        builder.resize(most, module.int(64))
                    }),
                };
                let (Some(string), Some(most)) = (given(before), most) else { return };
                let string = if takes_null { or_null_text(module, call, string) } else { string };
                let is_plain = is_plain(&text) && !matches!(precision, Precision::Argument(_));
                visit(name, Printed { call, string, most, is_plain });
            });
        }
    }
}

/// Formats of which compilers make another call, which takes no null: the function, the format, and the function that is called.
const OTHER_CALLS: &[(&str, &[u8], &str)] = &[("printf", b"%s\n", "puts"), ("fprintf", b"%s", "fputs")];

fn becomes_other_call(call: Value, name: &str, format: &[u8]) -> bool {
    let format = format.strip_suffix(b"\0").unwrap_or(format);
    let is_free = call.users().is_empty() && !call.function().has_mark(c"no-builtins");
    is_free && OTHER_CALLS.iter().any(|other| (other.0, other.1) == (name, format))
}

/// Makes these calls of it where optimisation does not: whether a program ends there should not depend on the view.
///
/// # Safety
/// As for [`observe_printed`].
pub unsafe fn call_as_optimised(module: LLVMModuleRef) {
    let module = Module::new(module);
    let builder = module.builder();
    for (name, _, other) in OTHER_CALLS {
        for call in calls_of(module, name) {
            let arguments = call.arguments();
            let [files @ .., format, string] = arguments.as_slice() else { continue };
            let is_it = |text: Vec<u8>| becomes_other_call(call, name, &text);
            if !format.is_global_constant_variable() || !text_of(*format).is_some_and(is_it) {
                continue;
            }
            let given: Vec<Value> = std::iter::once(string).chain(files).copied().collect();
            let types: Vec<Type> = given.iter().map(|value| value.ty()).collect();
            let ty = module.function_type(module.int(32), &types);
            let function = module.function(other).unwrap_or_else(|| module.add_function(other, ty));
            // What an exception may come out of ends its block.
            if function.is_elsewhere() && call.opcode() == Opcode::LLVMCall {
                builder.before(call);
                builder.call(ty, function, &given).copy_location(call);
                call.erase();
            }
        }
    }
}

/// What the C library writes in the place of a string that is null.
const NULL_TEXT: &str = "(null)";

/// A string of a format, or what is written for it.
fn or_null_text(module: Module, call: Value, string: Value) -> Value {
    if string.ty() != module.ptr() || text_of(string).is_some() {
        return string;
    }
    let name = "null.text";
    let text = module.globals().into_iter().find(|global| global.name() == name);
    let text = text.unwrap_or_else(|| module.add_text(name, NULL_TEXT));
    let builder = module.builder();
    builder.before(call);
    builder.select(builder.eq(string, module.ptr().zero()), text, string)
}

/// What is in a list of arguments (`vprintf`) only the runtime can say.
fn observe_list(module: Module, call: Value, arguments: Option<&[Value]>) {
    let Some([format, list]) = arguments else { return };
    if [*format, *list].into_iter().any(|argument| argument.ty() != module.ptr()) {
        return;
    }
    let name = format!("{}{}", abi::MODEL_PREFIX, abi::PRINTED_LIST_MODEL);
    let ty = module.function_type(module.void(), &[module.ptr(), module.ptr()]);
    let look = module.function(&name).unwrap_or_else(|| module.add_function(&name, ty));
    let builder = module.builder();
    builder.before(call);
    builder.call(ty, look, &[*format, *list]).copy_location(call);
}

fn observe(module: Module, look: Value, printed: &Printed) {
    let Printed { call, string, most, .. } = *printed;
    // What is constant is as it is.
    if string.ty() != module.ptr() || text_of(string).is_some() {
        return;
    }
    let builder = module.builder();
    builder.before(call);
    builder.call(look.value_type(), look, &[string, most]).copy_location(call);
}
