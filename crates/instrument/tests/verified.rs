//! Instrumented code is correct LLVM IR, whatever the program looks like.

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use std::ffi::{CStr, CString};
use std::ptr::null_mut;

/// What LLVM's verifier has to say, or nothing.
fn objections(module: LLVMModuleRef) -> String {
    let mut message = null_mut();
    // SAFETY: the module is valid, and the message is ours.
    unsafe {
        LLVMVerifyModule(module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// Reads IR, instruments it, and gives both parts as text.
fn instrumented(source: &str) -> (String, String) {
    // SAFETY: everything made here is used and disposed of here.
    unsafe {
        let context = LLVMContextCreate();
        let text = CString::new(source).expect("no NUL in a test");
        let name = c"test".as_ptr();
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.as_ptr(), source.len(), name);
        let (mut module, mut message) = (null_mut(), null_mut());
        let failed = LLVMParseIRInContext(context, buffer, &mut module, &mut message) != 0;
        assert!(!failed, "{}", CStr::from_ptr(message).to_string_lossy());
        assert_eq!(objections(module), "", "the test itself");
        let made = instrument::concolic(module);
        assert_eq!(objections(module), "");
        assert_eq!(objections(made.cold), "");
        let print = |module| {
            let text = LLVMPrintModuleToString(module);
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            owned
        };
        let both = (print(module), print(made.cold));
        LLVMDisposeModule(made.cold);
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        both
    }
}

fn with_layout(functions: &str) -> String {
    let layout =
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";
    format!("{layout}{functions}")
}

#[test]
fn every_instruction() {
    instrumented(include_str!("every_instruction.ll"));
}

#[test]
fn code_that_cannot_see_input_gets_nothing() {
    let (hot, _) = instrumented(&with_layout(
        "define i32 @f() {\n  br label %l\nl:\n  %i = phi i32 [ 0, %0 ], [ %n, %l ]\n  %n = add i32 %i, 3\n  \
         %c = icmp ult i32 %n, 100\n  br i1 %c, label %l, label %d\nd:\n  ret i32 %n\n}\n",
    ));
    let body = hot.split("define i32 @f()").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    assert!(!body.contains("call"), "{body}");
    assert!(!body.contains("alloca"), "{body}");
}

#[test]
fn a_load_costs_one_summary_byte_and_one_test() {
    let (hot, cold) = instrumented(&with_layout(
        "define i32 @f(ptr %p) {\n  %x = load i32, ptr %p, align 4\n  %y = add i32 %x, 1\n  \
         store i32 %y, ptr %p, align 4\n  ret i32 %y\n}\n",
    ));
    // The store goes where the load came from: its granule has been looked at.
    assert_eq!(hot.matches("load i8, ptr").count(), 1, "{hot}");
    assert_eq!(hot.matches("call preserve_mostcc").count(), 1, "{hot}");
    for entry in ["__provoke_load", "__provoke_binary", "__provoke_store"] {
        assert_eq!(cold.matches(&format!("@{entry}(")).count(), 2, "one call, one declaration of {entry}: {cold}");
    }
}

#[test]
fn library_functions_become_models_unless_the_program_has_its_own() {
    let (hot, _) = instrumented(&with_layout(
        "declare i64 @strlen(ptr)\ndefine i32 @getchar() {\n  ret i32 7\n}\ndefine i64 @f(ptr %p) {\n  \
         %n = call i64 @strlen(ptr %p)\n  %c = call i32 @getchar()\n  %w = zext i32 %c to i64\n  \
         %s = add i64 %n, %w\n  ret i64 %s\n}\n",
    ));
    assert!(hot.contains("call i64 @__provoke_x_strlen("), "{hot}");
    assert!(hot.contains("call i32 @getchar()"), "{hot}");
}

#[test]
fn long_blocks_are_cut() {
    let steps: String = (0..1000)
        .map(|i| format!("  %p{i} = getelementptr i32, ptr %p, i64 {i}\n  %x{i} = load i32, ptr %p{i}, align 4\n"))
        .collect();
    let uses: String = (0..1000).map(|i| format!("  store volatile i32 %x{i}, ptr %q, align 4\n")).collect();
    let (hot, cold) =
        instrumented(&with_layout(&format!("define void @f(ptr %p, ptr %q) {{\n{steps}{uses}  ret void\n}}\n")));
    let parts = hot.matches("call preserve_mostcc").count();
    assert!((2000 / 64..=2000 / 64 + 2).contains(&parts), "{parts} segments");
    let widest = cold.lines().filter(|l| l.starts_with("define")).map(|l| l.matches(", i32").count()).max();
    assert!(widest.is_some_and(|inputs| inputs <= 70), "a cold function takes {widest:?} values");
}

#[test]
fn what_a_resolver_calls_is_a_copy_that_stays_as_it_is() {
    let (hot, _) = instrumented(&with_layout(
        "@chosen = ifunc i32 (i32), ptr @resolve\ndeclare i64 @strlen(ptr)\ndefine i64 @helper(ptr %p) {\n  \
         %n = call i64 @strlen(ptr %p)\n  ret i64 %n\n}\ndefine ptr @resolve() {\n  \
         %n = call i64 @helper(ptr null)\n  ret ptr @implementation\n}\ndefine i32 @implementation(i32 %x) {\n  \
         ret i32 %x\n}\ndefine i64 @f(ptr %p) {\n  %n = call i64 @helper(ptr %p)\n  \
         %m = call i64 @strlen(ptr %p)\n  %s = add i64 %n, %m\n  ret i64 %s\n}\n",
    ));
    // The resolver has a copy of the helper, which calls the library; the other one and `f` call the model.
    assert_eq!(hot.matches("call i64 @strlen(").count(), 1, "{hot}");
    assert_eq!(hot.matches("call i64 @__provoke_x_strlen(").count(), 2, "{hot}");
    let resolver = hot.split("ifunc i32 (i32), ptr @").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let body = hot.split(&format!("ptr @{resolver}(")).nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    assert!(body.contains("call i64 @helper.") && !body.contains("__provoke"), "{body}");
}

#[test]
fn intrinsics_without_a_rule_expose_what_they_read() {
    let (hot, _) = instrumented(&with_layout(
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)\n\
         declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i64>)\n\
         declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)\n\
         define void @f(ptr %p, <4 x i1> %m, <2 x ptr> %v, <2 x i1> %n, ptr %q) {\n  \
         %a = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> zeroinitializer)\n  \
         %b = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> %v, i32 8, <2 x i1> %n, <2 x i64> zeroinitializer)\n  \
         call void @llvm.masked.store.v4i32.p0(<4 x i32> %a, ptr %q, i32 4, <4 x i1> %m)\n  ret void\n}\n",
    ));
    assert!(hot.contains("ptr %p, i64 16)"), "{hot}");
    // One for the load, two for the lanes of the gather, none for the store.
    assert_eq!(hot.matches("call void @__provoke_expose(").count(), 3, "{hot}");
}
