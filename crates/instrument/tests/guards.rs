//! Checks of annotated code become guards.

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use refine::Specification;
use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use trace::rule::RuleSet;

/// Reads IR, changes it, and gives it as text. What comes out is correct.
fn changed(source: &str, change: impl FnOnce(LLVMModuleRef)) -> String {
    // SAFETY: everything made here is used and disposed of here.
    unsafe {
        let context = LLVMContextCreate();
        let text = CString::new(source).expect("no NUL in a test");
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.as_ptr(), source.len(), c"test".as_ptr());
        let (mut module, mut message) = (null_mut(), null_mut());
        let failed = LLVMParseIRInContext(context, buffer, &mut module, &mut message) != 0;
        assert!(!failed, "{}", CStr::from_ptr(message).to_string_lossy());
        change(module);
        LLVMVerifyModule(module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
        assert_eq!(CStr::from_ptr(message).to_string_lossy(), "");
        LLVMDisposeMessage(message);
        let printed = LLVMPrintModuleToString(module);
        let owned = CStr::from_ptr(printed).to_string_lossy().into_owned();
        LLVMDisposeMessage(printed);
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        owned
    }
}

#[test]
fn a_check_becomes_a_test_and_a_call() {
    let source = "declare void @provoke.check(i32, i1, ...)
define i32 @f(i32 %a, i32 %b) {
  %ok = icmp ne i32 %b, 0
  %wide = zext i32 %a to i64
  call void (i32, i1, ...) @provoke.check(i32 7, i1 %ok, i64 %wide, i64 0, i32 %b)
  %q = udiv i32 %a, %b
  ret i32 %q
}
";
    // SAFETY: the module is valid and nobody else's.
    let guarded = changed(source, |module| unsafe { instrument::guard_checks(module) });
    assert!(!guarded.contains("@provoke.check"), "{guarded}");
    assert!(guarded.contains("call void @__provoke_failed(i32 7, i64 %wide, i64 0)"), "{guarded}");
    // The division is behind the guard, and nothing says that the call returns.
    let (before, after) = guarded.split_once("@__provoke_failed").expect("the call");
    assert!(!before.contains("udiv") && after.contains("udiv"), "{guarded}");
    assert!(!guarded.contains("willreturn"), "{guarded}");
}

/// Where strings and blocks go: only what lies inside of something larger can be left without leaving that.
#[test]
fn strings_and_blocks_in_members_are_looked_at() {
    let source = "%struct.user = type { [8 x i8], [4 x i8] }
declare ptr @strcpy(ptr, ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @memcpy(ptr, ptr, i64)
define void @f(ptr %user, ptr %text, i64 %n) {
  %first = getelementptr inbounds %struct.user, ptr %user, i32 0, i32 0
  %name = getelementptr inbounds [8 x i8], ptr %first, i64 0, i64 0
  %last = getelementptr inbounds %struct.user, ptr %user, i32 0, i32 1
  %rest = getelementptr inbounds [4 x i8], ptr %last, i64 0, i64 0
  call ptr @strcpy(ptr %name, ptr %text)
  call ptr @strcpy(ptr %rest, ptr %text)
  call ptr @strcpy(ptr %user, ptr %text)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %name, i64 8, ptr %text)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %name, i64 %n, ptr %text)
  call ptr @memcpy(ptr %name, ptr %text, i64 12)
  call ptr @memcpy(ptr %name, ptr %text, i64 %n)
  ret void
}
";
    let annotate = |module| {
        // SAFETY: as above.
        let annotated = unsafe { instrument::annotate::annotate(module, RuleSet::all(), &Specification::default()) };
        assert_eq!(annotated.map_or(0, |annotated| annotated.checks.len()), 3);
    };
    let annotated = changed(source, annotate);
    assert!(annotated.contains("@provoke.string(i32 0, ptr %first, ptr %name, i64 8)"), "{annotated}");
    assert_eq!(annotated.matches("call void @provoke.string").count(), 2, "{annotated}");
    assert_eq!(annotated.matches("@provoke.check(i32 2, i1 %").count(), 1, "{annotated}");
    let guarded = changed(source, |module| {
        annotate(module);
        // SAFETY: as above.
        unsafe { instrument::guard_checks(module) };
    });
    assert_eq!(guarded.matches("call void @__provoke_string").count(), 2, "{guarded}");
    assert!(!guarded.contains("@provoke."), "{guarded}");
}

#[test]
fn formats_that_are_no_constants_are_looked_at() {
    let source = "@text = private constant [3 x i8] c\"%d\\00\"
declare i32 @printf(ptr, ...)
declare i32 @vprintf(ptr, ptr)
define i32 @snprintf(ptr %to, i64 %n, ptr %format, ...) {
  ret i32 0
}
define void @f(ptr %format) {
  call i32 (ptr, ...) @printf(ptr @text, i32 1)
  call i32 (ptr, ...) @printf(ptr %format, i32 1, i64 2)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr null, i64 0, ptr %format)
  call i32 @vprintf(ptr @text, ptr %format)
  call i32 @vprintf(ptr %format, ptr %format)
  ret void
}
define available_externally void @vwarnx(ptr %format, ptr %list) {
  call i32 @vprintf(ptr %format, ptr %list)
  ret void
}
define void @vwarn(ptr %format, ptr %list) {
  call i32 @vprintf(ptr %format, ptr %list)
  ret void
}
";
    // SAFETY: as above.
    let guarded = changed(source, |module| unsafe { instrument::guard_formats(module) });
    assert_eq!(guarded.matches("call void @__provoke_format").count(), 3, "{guarded}");
    assert!(guarded.contains("call void @__provoke_format(ptr %format, i32 2)"), "{guarded}");
    assert!(guarded.contains("call void @__provoke_format(ptr %format, i32 -1)"), "{guarded}");
}

#[test]
fn edges_have_counters_and_dead_code_has_none() {
    let source = "target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"
define i32 @f(i1 %c) {
  br i1 true, label %on, label %dead
dead:
  br label %on
on:
  br i1 %c, label %yes, label %no
yes:
  br label %next
next:
  br label %end
no:
  br label %end
end:
  ret i32 0
}
define i32 @asm() naked {
  ret i32 0
}
";
    let mut edges = 0;
    // SAFETY: as above.
    let counted = changed(source, |module| edges = unsafe { instrument::count_edges(module) }.len());
    // The start of the function, `on` with its second, dead way in, the two ways from there, and where they meet again.
    assert_eq!(edges, 5, "{counted}");
    assert_eq!(counted.matches("store i8").count(), 5, "{counted}");
    assert_eq!(counted.matches("!nosanitize").count(), 10, "{counted}");
    assert!(counted.contains("@__provoke_edges = hidden global [4096 x i8] zeroinitializer, align 4096"), "{counted}");
}

#[test]
fn library_functions_are_watched_unless_they_are_the_programs() {
    let source = "declare i32 @__isoc99_sscanf(ptr, ptr, ...)
define i32 @scanf(ptr %format, ...) {
  ret i32 0
}
define void @f(ptr %s) {
  call i32 (ptr, ptr, ...) @__isoc99_sscanf(ptr %s, ptr %s)
  call i32 (ptr, ...) @scanf(ptr %s)
  ret void
}
";
    // SAFETY: as above.
    let guarded = changed(source, |module| unsafe { instrument::watch_library(module) });
    assert!(guarded.contains("@__provoke_watched___isoc99_sscanf(ptr %s, ptr %s)"), "{guarded}");
    assert!(guarded.contains("call i32 (ptr, ...) @scanf(ptr %s)"), "{guarded}");
}
