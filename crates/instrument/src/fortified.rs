//! Fortified copies in the replay view.

use crate::calls::calls_of;
use llvm::{Module, Opcode, Type};
use llvm_sys::prelude::LLVMModuleRef;

/// What fortified programs call, with the size of the destination behind the other arguments, and what the sanitizer, or the view's runtime, stands in for.
const PLAIN: [(&str, &str); 10] = [
    ("__memcpy_chk", "memcpy"),
    (TO_THE_END, "memcpy"),
    ("__memmove_chk", "memmove"),
    ("__memset_chk", "memset"),
    ("__strcpy_chk", "strcpy"),
    ("__strncpy_chk", "strncpy"),
    ("__strcat_chk", "strcat"),
    ("__strncat_chk", "strncat"),
    ("__stpcpy_chk", "stpcpy"),
    ("__stpncpy_chk", "stpncpy"),
];

/// The one that returns the end of what it has written.
const TO_THE_END: &str = "__mempcpy_chk";

/// Makes plain calls of them. The sanitizer does not see what the others do, and of a small copy code generation makes a load and a store. What
/// the size of the destination would turn away, the sanitizer does.
///
/// # Safety
/// As for [`crate::guard_checks`].
pub unsafe fn copy_without_fortification(module: LLVMModuleRef) {
    let module = Module::new(module);
    let builder = module.builder();
    for (fortified, plain) in PLAIN {
        // What an exception may come out of ends its block.
        for call in calls_of(module, fortified).into_iter().filter(|call| call.opcode() == Opcode::LLVMCall) {
            let arguments = call.arguments();
            let [given @ .., _] = arguments.as_slice() else { continue };
            let types: Vec<Type> = given.iter().map(|value| value.ty()).collect();
            let ty = module.function_type(module.ptr(), &types);
            let function = module.function(plain).unwrap_or_else(|| module.add_function(plain, ty));
            if function.is_elsewhere() && function.value_type() == ty && call.ty() == module.ptr() {
                builder.before(call);
                let copied = builder.call(ty, function, given);
                copied.copy_location(call);
                let end = given.get(2).filter(|_| fortified == TO_THE_END);
                call.replace_uses(end.map_or(copied, |size| builder.offset_by(module, copied, *size)));
                call.erase();
            }
        }
    }
}
