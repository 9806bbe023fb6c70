//! Where a callee's `va_list` finds variadic arguments (x86-64 System V).

use super::calls::pin_scalar;
use crate::around_calls::kind_of_site;
use crate::cold::{Cold, Label};
use crate::shape;
use llvm::{Kind, Value};
use trace::abi;
use trace::layout::Reason;

/// A piece of a variadic argument.
pub struct Place {
    /// In the register save area or behind it.
    pub offset: u64,
    pub bytes: u64,
    pub label: Label,
    pub word: Value,
}

/// Ends of the parts of the save area.
const GENERAL_END: u64 = 48;
const VECTOR_END: u64 = 176;

/// What is left of the registers, and where the next argument in memory goes.
struct Cursor {
    general: u64,
    vector: u64,
    /// From the start of the arguments in memory, which is aligned.
    memory: u64,
    /// Where the first variadic argument in memory can be: the `va_list` starts there.
    origin: u64,
}

impl Cursor {
    /// The place of the next argument that is not passed as a copy.
    fn next(&mut self, cold: &Cold, argument: Value) -> u64 {
        let ty = argument.ty();
        let size = cold.cx.module.store_size(ty).next_multiple_of(8);
        let in_vector = shape::is_float(ty) || ty.kind() == Kind::LLVMVectorTypeKind;
        let (next, end, step) =
            if in_vector { (&mut self.vector, VECTOR_END, 16) } else { (&mut self.general, GENERAL_END, 8) };
        // `long double` and vectors that are wider than a register are never in one.
        let fits = ty.kind() != Kind::LLVMX86_FP80TypeKind && size <= step && *next < end;
        if fits {
            *next += step;
            return *next - step;
        }
        self.in_memory(size, size.next_power_of_two())
    }

    fn in_memory(&mut self, size: u64, alignment: u64) -> u64 {
        let start = self.memory.next_multiple_of(alignment.max(8));
        self.memory = start + size.next_multiple_of(8);
        VECTOR_END + start.saturating_sub(self.origin)
    }
}

/// The pieces of all variadic arguments. What is too far behind is lost, and this is said.
pub fn places(cold: &mut Cold, call: Value, named: &[Value], variadic: &[Value]) -> Vec<Place> {
    let mut cursor = Cursor { general: 0, vector: GENERAL_END, memory: 0, origin: 0 };
    let mut places = Vec::new();
    for (i, argument) in (0..).zip(named.iter().chain(variadic).copied()) {
        let is_variadic = i as usize >= named.len();
        if i as usize == named.len() {
            cursor.origin = cursor.memory;
        }
        let structure = call.by_value_argument(i);
        if structure > 0 {
            let start = cursor.in_memory(structure, call.argument_alignment(i));
            if is_variadic {
                places.extend(words_of_structure(cold, call, argument, structure, start));
            }
            continue;
        }
        let start = cursor.next(cold, argument);
        if !is_variadic {
            continue;
        }
        let labels = cold.labels(argument);
        let leaves = shape::leaves(cold.cx.module, argument.ty());
        for (leaf, label) in leaves.into_iter().zip(labels) {
            let whole = cold.concrete(argument);
            let scalar = cold.descend(whole, &leaf.path);
            let bytes = u64::from(leaf.width / 8);
            let offset = leaf.offset.filter(|_| leaf.width % 8 == 0 && leaf.width <= 64).map(|o| start + o);
            match offset.filter(|o| o + bytes <= abi::VARIADIC_BYTES as u64) {
                Some(offset) => places.push(Place { offset, bytes, label, word: cold.word(scalar) }),
                None => pin_scalar(cold, call, label, scalar, Reason::Representation),
            }
        }
    }
    places
}

/// The same for the words of a structure that is copied to `start`.
fn words_of_structure(cold: &mut Cold, call: Value, pointer: Value, size: u64, start: u64) -> Vec<Place> {
    let base = cold.concrete(pointer);
    let at_call = cold.site(call, kind_of_site(call));
    let mut words = Vec::new();
    let fits = size.min((abi::VARIADIC_BYTES as u64).saturating_sub(start));
    for offset in (0..fits).step_by(8) {
        // Several loads for an odd rest: labels are loaded for 1, 2, 4 or 8 bytes.
        let mut at = offset;
        while at < fits.min(offset + 8) {
            let rest = fits.min(offset + 8) - at;
            let bytes = 1 << rest.ilog2();
            let address = cold.values().offset(cold.cx.module, base, at);
            let loaded = cold.values().load(cold.cx.module.int(8 * bytes as u32), address);
            loaded.set_alignment(1);
            let word = cold.word(loaded);
            let label = cold.build(abi::LOAD, &[address, cold.number(bytes), word, at_call]);
            words.push(Place { offset: start + at, bytes, label: Some(label), word });
            at += bytes;
        }
    }
    if fits < size {
        let site = at_call;
        let reason = cold.cx.label(Reason::Representation as u32);
        let address = cold.values().offset(cold.cx.module, base, fits);
        let rest = cold.number(size - fits);
        cold.act(abi::EXPOSE, &[site, reason, address, rest]);
    }
    words
}
