//! `--wrap=SYMBOL` as the linker understands it: what refers to SYMBOL without defining it refers to `__wrap_SYMBOL`, and
//! `__real_SYMBOL` is SYMBOL. The linker would do so for objects; modules are linked before.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call passes handles of the module that the caller gave")]

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::CString;

/// Wraps the symbols in one module. With `linker_wraps` the linker does so too: then a `__real_SYMBOL` is left to it.
///
/// # Safety
/// `module` is valid, and nothing else uses it.
pub unsafe fn wrap(module: LLVMModuleRef, symbols: &[String], linker_wraps: bool) {
    for symbol in symbols {
        unsafe {
            refer(module, symbol, &format!("__wrap_{symbol}"));
            if !linker_wraps {
                refer(module, &format!("__real_{symbol}"), symbol);
            }
        }
    }
}

/// Lets what refers to the undefined symbol `from` refer to `to`.
unsafe fn refer(module: LLVMModuleRef, from: &str, to: &str) {
    unsafe {
        let Some(old) = named(module, from).filter(|value| LLVMIsDeclaration(*value) != 0) else { return };
        match named(module, to) {
            Some(new) => LLVMReplaceAllUsesWith(old, new),
            None => LLVMSetValueName2(old, to.as_ptr().cast(), to.len()),
        }
    }
}

/// The function or variable of this name.
unsafe fn named(module: LLVMModuleRef, name: &str) -> Option<LLVMValueRef> {
    let name = CString::new(name).ok()?;
    let (function, variable) =
        unsafe { (LLVMGetNamedFunction(module, name.as_ptr()), LLVMGetNamedGlobal(module, name.as_ptr())) };
    [function, variable].into_iter().find(|value| !value.is_null())
}
