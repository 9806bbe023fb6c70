//! The calls that tell the runtime of a unit; `trace::unit` says what they mean.

use super::objects::Planned;
use crate::annotate::Pass;
use llvm::{Opcode, Type, Value};
use trace::unit;

/// Functions that leave frames without returning from them.
const JUMPS: [&str; 7] =
    ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__cxa_throw", "__cxa_rethrow", "pthread_exit"];

/// Puts the calls into a function: inputs and entry before `entry`, its end before every return.
pub fn insert(pass: &Pass, function: Value, entry: Value, number: u64, objects: &[Planned]) {
    let (module, builder) = (pass.module, &pass.builder);
    let (ptr, i32, i64) = (module.ptr(), module.int(32), module.int(64));
    // Where it is inlined it would have no frame of its own.
    function.remove_attribute("alwaysinline");
    // What is told to the runtime is an effect, whatever the source says of the function.
    function.remove_attribute("memory");
    function.add_attributes(module, &["noinline"]);
    let first = function.blocks().first().and_then(|block| block.instructions().first().copied());
    let Some(first) = first else { return };
    builder.before(first);
    let place = builder.alloca(i64);
    builder.before(entry);
    call(pass, unit::BEGIN, &[place], &[ptr]);
    for (index, object) in (0..).zip(objects) {
        let base = object.base.unwrap_or_else(|| ptr.zero());
        let (index, way) = (i32.constant(index), i64.constant(object.way.encode()));
        let parameters = [ptr, i32, ptr, i64, ptr];
        call(pass, unit::OBJECT, &[place, index, base, way, shape(pass, object)], &parameters);
    }
    let frame = frame_address(pass);
    call(pass, unit::ENTER, &[place, i32.constant(number), frame], &[ptr, i32, ptr]);
    let ends = function.blocks().into_iter().filter_map(|block| block.terminator());
    for end in ends.filter(|end| end.opcode() == Opcode::LLVMRet) {
        // A call that takes over the frame has to be the last thing before the return.
        let tail = end.previous().filter(|previous| previous.is_instruction() && previous.is_must_tail());
        builder.before(tail.unwrap_or(end));
        call(pass, unit::EXIT, &[place], &[ptr]);
    }
}

/// Lets units end where the program jumps to an outer frame.
pub fn end_units_before_jumps(pass: &Pass) {
    let ptr = pass.module.ptr();
    for function in JUMPS.iter().filter_map(|name| pass.module.function(name)) {
        let calls = function
            .users()
            .into_iter()
            .filter(|user| user.is_instruction() && matches!(user.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke));
        for jump in calls.filter(|user| user.callee() == function) {
            pass.builder.before(jump);
            call(pass, unit::EXIT, &[ptr.zero()], &[ptr]);
        }
    }
}

pub(super) fn call(pass: &Pass, name: &str, arguments: &[Value], parameters: &[Type]) {
    let module = pass.module;
    let ty = module.function_type(module.void(), parameters);
    let function = module.function(name).unwrap_or_else(|| module.add_function(name, ty));
    pass.builder.call(ty, function, arguments);
}

fn frame_address(pass: &Pass) -> Value {
    const NAME: &str = "llvm.frameaddress.p0";
    let module = pass.module;
    let ty = module.function_type(module.ptr(), &[module.int(32)]);
    let function = module.function(NAME).unwrap_or_else(|| module.add_function(NAME, ty));
    pass.builder.call(ty, function, &[module.int(32).constant(0)])
}

/// A constant that is an object's [`unit::Shape`].
fn shape(pass: &Pass, object: &Planned) -> Value {
    let word = pass.module.int(64);
    let head = [object.element, object.most, u64::from(object.is_string), object.integers.len() as u64];
    let pairs = object.integers.iter().flat_map(|(offset, size)| [*offset, *size]);
    let words: Vec<Value> = head.into_iter().chain(pairs).map(|number| word.constant(number)).collect();
    let ty = pass.module.array(word, words.len() as u64);
    pass.module.add_global("provoke.shape", ty, Some(pass.module.const_array(word, &words)))
}
