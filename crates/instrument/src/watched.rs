//! Functions of the C library whose reads and writes AddressSanitizer does not see, or takes for more than they are.

use crate::calls::calls_of;
use crate::whole_program::redirect;
use llvm::Module;
use llvm_sys::prelude::LLVMModuleRef;

/// What stands before the names of the functions that the program calls instead, which let the sanitizer look.
const WATCHED: &str = "__provoke_watched_";

/// Functions that read by a format, and whose stand-ins in AddressSanitizer take for written what could have been.
const SCANNERS: [&str; 18] = [
    "scanf",
    "fscanf",
    "sscanf",
    "vscanf",
    "vfscanf",
    "vsscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "__isoc99_vscanf",
    "__isoc99_vfscanf",
    "__isoc99_vsscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "__isoc23_sscanf",
    "__isoc23_vscanf",
    "__isoc23_vfscanf",
    "__isoc23_vsscanf",
];

/// Functions that write to memory, and have no stand-ins in AddressSanitizer.
const WRITERS: [&str; 26] = [
    "stpcpy",
    "stpncpy",
    "memccpy",
    "swab",
    "explicit_bzero",
    "memfrob",
    "wcscpy",
    "wcpcpy",
    "wcsncpy",
    "wcpncpy",
    "wmemcpy",
    "wmempcpy",
    "wmemmove",
    "wmemset",
    "fread_unlocked",
    "fgets_unlocked",
    "fgetws",
    "fgetws_unlocked",
    "getcwd",
    "gethostname",
    "strftime",
    "wcsftime",
    "strerror_r",
    "__xpg_strerror_r",
    "swprintf",
    "vswprintf",
];

/// Functions that read strings or memory, and have none either.
const READERS: [&str; 37] = [
    "strsep",
    "rawmemchr",
    "strcoll",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strtof",
    "strtod",
    "strtold",
    "atof",
    "wcschr",
    "wcsrchr",
    "wcscmp",
    "wcsncmp",
    "wmemchr",
    "wmemcmp",
    "getenv",
    "unsetenv",
    "setenv",
    "system",
    "unlink",
    "remove",
    "rmdir",
    "chdir",
    "access",
    "mkdir",
    "chmod",
    "truncate",
    "creat",
    "execv",
    "execvp",
    "execve",
    "rename",
    "link",
    "symlink",
    "open",
    "open64",
];

/// Functions that code generation makes loads of, which nobody looks at, though attributes of the caller say that it knows none.
const COMPARING: [&str; 2] = ["memcmp", "bcmp"];

/// Lets the sanitizer look at what they read and write.
///
/// # Safety
/// As for [`crate::guard_checks`].
pub unsafe fn watch_library(module: LLVMModuleRef) {
    let module = Module::new(module);
    for names in [&SCANNERS[..], &WRITERS, &READERS] {
        redirect(module, names, WATCHED);
    }
    for call in COMPARING.iter().flat_map(|name| calls_of(module, name)) {
        call.kept_as_call(module);
    }
}
