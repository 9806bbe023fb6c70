//! What is found out about the program as a whole before any function is instrumented.

use crate::calls::{self, MODEL, UNTOUCHED};
use crate::plan;
use crate::shape;
use llvm::{Module, Value};
use llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::{FxHashMap, FxHashSet};
use trace::abi;

fn instructions(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().into_iter().flat_map(|block| block.instructions())
}

/// Lets the program use the runtime's models in place of library functions that it does not define itself.
pub fn redirect_to_models(module: Module, names: &[&str]) {
    redirect(module, names, abi::MODEL_PREFIX);
}

/// Lets the program use, in place of library functions that it does not define itself, those with a prefix before their names.
pub fn redirect(module: Module, names: &[&str], prefix: &str) {
    for name in names {
        let Some(function) = module.function(name).filter(|f| f.is_elsewhere()) else { continue };
        let other = format!("{prefix}{name}");
        let other = module.function(&other).unwrap_or_else(|| module.add_function(&other, function.value_type()));
        function.replace_uses(other);
        // It uses no more stack than the library function would: it may as well be called.
        for call in other.users().into_iter().filter(|u| u.is_instruction() && u.is_must_tail()) {
            call.clear_must_tail();
        }
    }
}

/// Lets the program use models that are written in C in place of library functions that it does not define itself. Both are
/// modules that are going to be linked; of the models only those are taken that are used.
///
/// # Safety
/// Both are valid modules of one context, and nothing else may use them meanwhile.
pub unsafe fn use_models(program: LLVMModuleRef, models: LLVMModuleRef) {
    let (program, models) = (Module::new(program), Module::new(models));
    let defined: Vec<Value> = models.functions().into_iter().filter(|f| !f.is_declaration()).collect();
    let names: Vec<String> = defined.iter().map(|f| f.name()).collect();
    let names: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix(abi::MODEL_PREFIX)).collect();
    redirect_to_models(models, &names);
    redirect_to_models(program, &names);
    for function in models.functions() {
        if let Some(library) = function.name().strip_prefix(abi::REAL_PREFIX) {
            // The byte in front says that this is the symbol as it is, and makes it another name than the one that has a model.
            function.set_name(&format!("\u{1}{library}"));
        }
    }
    for function in defined {
        function.add_mark(models, MODEL);
        if function.name().starts_with(abi::MODEL_PREFIX) {
            function.set_taken_if_used();
        }
    }
}

/// Models that are part of the program stay those that it calls, also where the runtime, which is linked later, has one of the same
/// name.
pub fn prefer_own_models(module: Module) {
    let is_own = |f: &Value| !f.is_declaration() && f.name().starts_with(abi::MODEL_PREFIX);
    module.functions().into_iter().filter(is_own).for_each(Value::set_internal);
}

/// Lets everybody who calls a function without code here through a pointer call it by its name: what the memory shows that it gets is
/// said where a name is called.
pub fn name_external_functions(module: Module) {
    let is_external = |f: &Value| {
        let name = f.name();
        !f.is_intrinsic() && f.is_declaration() && !name.starts_with("__provoke")
    };
    for function in module.functions().into_iter().filter(is_external) {
        if let Some(step) = function.step_in_between() {
            step.add_mark(module, MODEL);
        }
    }
}

/// Lets the runtime's models do the block operations that are no part of a segment: they know what their length and their
/// addresses can be.
pub fn move_blocks_in_models(module: Module, functions: &[Value]) {
    let (ptr, i32, i64) = (module.ptr(), module.int(32), module.int(64));
    let builder = module.builder();
    for call in functions.iter().flat_map(|f| instructions(*f)).filter(|i| calls::is_call(*i)) {
        let calls::Callee::Intrinsic(name) = calls::classify(call) else { continue };
        let function = ["memcpy", "memmove", "memset"].iter().find(|f| name.starts_with(&format!("llvm.{f}.p0")));
        let Some(function) = function.filter(|_| plan::inline_size(call).is_none()) else { continue };
        builder.before(call);
        let second = call.operand(1);
        let second = if *function == "memset" { builder.resize(second, i32) } else { second };
        let arguments = [call.operand(0), second, builder.resize(call.operand(2), i64)];
        let ty = module.function_type(ptr, &[ptr, second.ty(), i64]);
        let model = format!("{}{function}", abi::MODEL_PREFIX);
        let model = module.function(&model).unwrap_or_else(|| module.add_function(&model, ty));
        builder.call(ty, model, &arguments).copy_location(call);
        call.erase();
    }
}

/// Makes plain loads and additions of what optimisation looks up in tables of distances: it turns tables of addresses into them.
pub fn spell_out_relative_loads(module: Module, functions: &[Value]) {
    let builder = module.builder();
    for call in functions.iter().flat_map(|f| instructions(*f)).filter(|i| calls::is_call(*i)) {
        let calls::Callee::Intrinsic(name) = calls::classify(call) else { continue };
        if !name.starts_with("llvm.load.relative.") {
            continue;
        }
        let (table, place) = (call.operand(0), call.operand(1));
        builder.before(call);
        let distance = builder.load(module.int(32), builder.offset_by(module, table, place));
        let address = builder.offset_by(module, table, builder.sext(distance, module.int(64)));
        call.replace_uses(address);
        call.erase();
    }
}

/// What chooses implementations runs while the program is being loaded, before the runtime has mapped its tables: it gets
/// copies of all the functions that it calls, and those stay as they are.
pub fn leave_resolvers_untouched(module: Module) {
    let mut copies = FxHashMap::default();
    let mut work = Vec::new();
    let mut copy_of = |function: Value, work: &mut Vec<Value>| {
        let has_code = function.is_function() && !function.is_declaration();
        has_code.then(|| {
            *copies.entry(function).or_insert_with(|| {
                let copy = function.clone_function();
                copy.add_mark(module, UNTOUCHED);
                work.push(copy);
                copy
            })
        })
    };
    // Those that are marked have their copies already.
    for indirect in module.indirect_functions().into_iter().filter(|i| !i.resolver().has_mark(UNTOUCHED)) {
        if let Some(copy) = copy_of(indirect.resolver(), &mut work) {
            indirect.set_resolver(copy);
        }
    }
    while let Some(function) = work.pop() {
        for call in instructions(function).filter(|i| calls::is_call(*i)) {
            if let Some(copy) = copy_of(call.callee().without_alias(), &mut work) {
                call.set_operand(call.operand_count() - 1, copy);
            }
        }
        restore_library_functions(module, function);
    }
}

/// Models are part of the runtime, and it is too early for that.
fn restore_library_functions(module: Module, function: Value) {
    for instruction in instructions(function) {
        for (i, operand) in (0..).zip(instruction.operands()).filter(|(_, operand)| operand.is_function()) {
            let name = operand.name();
            let Some(name) = name.strip_prefix(abi::MODEL_PREFIX) else { continue };
            let library = module.function(name).unwrap_or_else(|| module.add_function(name, operand.value_type()));
            instruction.set_operand(i, library);
        }
    }
}

/// The functions that look at the labels of their parameters.
pub fn takers(module: Module, functions: &[Value]) -> FxHashSet<Value> {
    let looks_at = |p: &Value| !p.users().is_empty() && !shape::leaves(module, p.ty()).is_empty();
    let takes = |f: &&Value| f.value_type().is_variadic() || f.parameters().iter().any(looks_at);
    functions.iter().filter(takes).copied().collect()
}

/// The functions that another one may jump to in place of a call and a return.
pub fn tail_targets(functions: &[Value]) -> FxHashSet<Value> {
    let jumps: Vec<Value> = functions.iter().flat_map(|f| instructions(*f)).filter(|i| i.is_must_tail()).collect();
    let mut targets: FxHashSet<Value> = jumps.iter().map(|call| call.callee().without_alias()).collect();
    for call in jumps.into_iter().filter(|call| !call.callee().without_alias().is_function()) {
        targets.extend(functions.iter().filter(|f| f.value_type() == call.callee_type()));
    }
    targets
}
