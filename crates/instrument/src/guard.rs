//! Guards: what becomes of checks in the replay view, where they are tested and a violation is told to the runtime.
//!
//! A guard looks at a condition that the program's own code computed, and calls a function that LLVM knows nothing of:
//! so no optimisation can conclude that the violation never happens.

use crate::calls::is_call;
use crate::llvm::{Module, Value, split_if_unlikely};
use llvm_sys::prelude::LLVMModuleRef;

/// A check in annotated code: its number, whether it holds, two operands, and what it is about.
const CHECK: &str = "provoke.check";
/// Code in annotated code that is never reached, with the number of its check.
const UNREACHABLE: &str = "provoke.unreachable";

/// `void (i32 check, i64 a, i64 b)`: a check does not hold.
const FAILED: &str = "__provoke_failed";
/// `void (i32 check)`, does not return: code was reached that is never reached.
const REACHED: &str = "__provoke_unreachable";
/// `void (ptr format, i32 given)`: a format that is no constant, with this many arguments behind it.
const FORMAT: &str = "__provoke_format";

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

/// Which guards there are besides those of the checks in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Guards {
    /// Formats are looked at before they are used.
    pub formats: bool,
}

/// Turns the checks of an annotated module into guards, in place.
///
/// # Safety
/// `module` must be a valid module, and nothing else may use it or its context meanwhile.
pub unsafe fn guard(module: LLVMModuleRef, guards: Guards) {
    let module = Module::new(module);
    guard_checks(module);
    mark_unreachable(module);
    if guards.formats {
        guard_formats(module);
    }
}

/// Puts AddressSanitizer's checks into the functions that have the attribute `sanitize_address`.
///
/// # Safety
/// As for [`guard`].
pub unsafe fn check_addresses(module: LLVMModuleRef) {
    Module::new(module).check_addresses();
}

fn guard_checks(module: Module) {
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
            let report = builder.call(failed.value_type(), failed, &[*number, *a, *b]);
            // Each has a place of its own in the source.
            report.add_call_attribute(module, "nomerge");
        }
        call.erase();
    }
    check.delete_function();
}

fn mark_unreachable(module: Module) {
    let Some(unreachable) = module.function(UNREACHABLE) else { return };
    let reached = module.add_function(REACHED, module.function_type(module.void(), &[module.int(32)]));
    reached.add_attributes(module, &["cold", "noreturn"]);
    for call in unreachable.users() {
        call.add_call_attribute(module, "nomerge");
    }
    unreachable.replace_uses(reached);
    unreachable.delete_function();
}

fn guard_formats(module: Module) {
    let look = module.add_function(FORMAT, module.function_type(module.void(), &[module.ptr(), module.int(32)]));
    let builder = module.builder();
    for (name, place) in FORMATTED {
        // A program may have its own function of that name.
        let Some(function) = module.function(name).filter(|function| function.is_declaration()) else { continue };
        let uses = function.users().into_iter();
        for call in uses.filter(|user| user.is_instruction() && is_call(*user) && user.callee() == function) {
            let arguments = call.arguments();
            let Some(format) = arguments.get(place).filter(|format| !is_constant_text(**format)) else { continue };
            let given = (arguments.len() - place - 1) as u64;
            builder.before(call);
            builder.call(look.value_type(), look, &[*format, module.int(32).constant(given)]);
        }
    }
}

/// Whether a value is the address of data that cannot change.
fn is_constant_text(value: Value) -> bool {
    value.is_global_constant_variable()
}
