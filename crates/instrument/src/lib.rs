//! Puts labels and events into LLVM IR.
//!
//! The program's own instructions stay as they are. In front of memory accesses a summary byte is read, and at the end of
//! each *segment* (`plan.rs`) a test decides whether the segment's cold function is called, which computes labels and
//! reports events to the runtime. See `trace::abi` for what the two sides agree on.

pub mod annotate;
mod around_calls;
mod calls;
mod cold;
mod context;
mod cover;
mod exposure;
mod fortified;
mod frame;
mod guard;
mod hot;
mod lookups;
mod loops;
mod plan;
mod printed;
mod recursion;
mod rules;
mod shape;
mod watched;
mod whole_program;

pub use cover::count_edges;
pub use fortified::copy_without_fortification;
pub use guard::{
    check_addresses, drop_checks, drop_looks_at_strings, guard_allocations, guard_checks, guard_formats,
    keep_calls_apart, observe_formats, prepare,
};
pub use printed::{call_as_optimised, guard_printed, observe_printed};
pub use recursion::recursive_functions;
pub use watched::watch_library;
pub use whole_program::use_models;

use context::Context;
use llvm::{Module, Value};
use llvm_sys::prelude::LLVMModuleRef;
use trace::abi;
use trace::sites::SiteTable;

/// What the instrumenter makes beside the code itself.
pub struct Instrumented {
    /// Where events can come from.
    pub sites: SiteTable,
    /// The code that computes labels, as a module of its own in the same context, which the caller has to dispose of.
    /// It is most of the code and runs seldom: it need not be optimised.
    pub cold: LLVMModuleRef,
}

/// Makes the concolic view of an optimised module, in place.
///
/// # Safety
/// `module` must be a valid module with a data layout, and nothing else may use it or its context meanwhile.
pub unsafe fn concolic(module: LLVMModuleRef) -> Instrumented {
    let module = Module::new(module);
    annotate::keep::release(module);
    whole_program::redirect_to_models(module, &trace::models::names().collect::<Vec<_>>());
    whole_program::prefer_own_models(module);
    whole_program::name_external_functions(module);
    whole_program::leave_resolvers_untouched(module);
    strip_effects(module);
    let functions: Vec<Value> = module.functions().into_iter().filter(|f| calls::is_instrumented(*f)).collect();
    whole_program::move_blocks_in_models(module, &functions);
    whole_program::spell_out_relative_loads(module, &functions);
    let mut cx = Context::new(module);
    cx.takers = whole_program::takers(module, &functions);
    cx.tail_targets = whole_program::tail_targets(&functions);
    cx.lookups = lookups::find(&functions).into();
    for function in functions {
        hot::instrument(&mut cx, function);
    }
    hot::erase_checks(module);
    hot::keep_variables_apart(module);
    register_globals(&mut cx);
    Instrumented { sites: cx.table, cold: module.split_off(cold::MARK) }
}

fn strip_effects(module: Module) {
    for function in module.functions().into_iter().filter(|f| !f.is_intrinsic()) {
        function.strip_effects();
        for block in function.blocks() {
            for instruction in block.instructions() {
                let is_plain_call =
                    calls::is_call(instruction) && !matches!(calls::classify(instruction), calls::Callee::Intrinsic(_));
                if is_plain_call {
                    instruction.strip_call_effects();
                }
            }
        }
    }
}

/// Tells the runtime where the program's variables are.
fn register_globals(cx: &mut Context) {
    let module = cx.module;
    let mut entries = Vec::new();
    for global in module.globals() {
        let name = global.name();
        let special = name.starts_with("llvm.") || name.starts_with("provoke.") || name.starts_with("__provoke");
        if special || global.is_elsewhere() || global.is_thread_local() {
            continue;
        }
        let size = module.alloc_size(global.value_type());
        if size > 0 {
            let id = cx.region(name);
            entries.push(module.const_struct(&[global, cx.i64.constant(size), cx.i64.constant(id)]));
        }
    }
    let entry = module.structure(&[cx.ptr, cx.i64, cx.i64]);
    let table = module.const_array(entry, &entries);
    let table = module.add_global("provoke.globals", module.array(entry, entries.len() as u64), Some(table));
    let start = module.add_function("provoke.start", module.function_type(module.void(), &[]));
    start.set_internal();
    let builder = module.builder();
    builder.at_end(module.append_block(start, ""));
    cx.call(&builder, abi::GLOBALS, &[table, cx.i64.constant(entries.len() as u64)]);
    builder.ret(None);
    module.add_constructor(start);
}
