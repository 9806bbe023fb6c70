//! What the C library of this machine has.

use std::ffi::{CStr, CString};

/// The files of the C library that functions are in.
const FILES: [&CStr; 2] = [c"libc.so.6", c"libm.so.6"];

/// Whether a function is one of the C library's.
pub fn has(function: &str) -> bool {
    let Ok(name) = CString::new(function) else { return false };
    let is_in = |file: &CStr| {
        // SAFETY: loads nothing, and looks a name up that nobody calls.
        unsafe {
            let library = libc::dlopen(file.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            !library.is_null() && !libc::dlsym(library, name.as_ptr()).is_null()
        }
    };
    FILES.into_iter().any(is_in)
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_functions_are_told_from_others() {
        assert!(["sleep", "strtok", "sin"].into_iter().all(super::has));
        assert!(!["inflate", "main", "", "a\0b"].into_iter().any(super::has));
    }
}
