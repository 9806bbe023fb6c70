//! What the source says by attributes: `PROVOKE_TYPED`, `PROVOKE_SYMBOLIC`, `PROVOKE_NONNULL`.

use crate::program::Marks;
use llvm::{Module, Opcode, Value};
use rustc_hash::FxHashSet;

/// How `provoke.h` spells the attributes.
const TYPED: &str = "provoke.typed";
const SYMBOLIC: &str = "provoke.symbolic";
const NONNULL: &str = "provoke.nonnull";

/// Everything that is marked.
#[derive(Default)]
pub struct Marked {
    typed: FxHashSet<Value>,
    symbolic: FxHashSet<Value>,
    /// Globals, functions (for their results), and addresses of local variables, parameters and fields.
    pub nonnull: FxHashSet<Value>,
}

impl Marked {
    /// Reads the attributes of a module.
    pub fn read(module: Module) -> Marked {
        let mut marked = Marked::default();
        let table = module.globals().into_iter().find(|global| global.name() == "llvm.global.annotations");
        for entry in table.and_then(Value::initializer).map(Value::operands).unwrap_or_default() {
            if let [target, text, ..] = entry.operands().as_slice() {
                marked.note(target.without_alias(), *text);
            }
        }
        let annotations = module.functions().into_iter().filter(|function| is_annotation(*function));
        for call in annotations.flat_map(Value::users) {
            if call.is_instruction()
                && call.opcode() == Opcode::LLVMCall
                && let [address, text, ..] = call.arguments().as_slice()
            {
                let is_field = call.callee().name().starts_with("llvm.ptr.");
                marked.note(if is_field { call } else { *address }, *text);
            }
        }
        marked
    }

    fn note(&mut self, target: Value, text: Value) {
        let text = text.without_constant_offset().initializer().and_then(Value::as_text).unwrap_or_default();
        match text.trim_end_matches('\0') {
            TYPED => self.typed.insert(target),
            SYMBOLIC => self.symbolic.insert(target),
            NONNULL => self.nonnull.insert(target),
            _ => false,
        };
    }

    /// How a function is to be analysed.
    pub fn of(&self, function: Value) -> Marks {
        Marks { typed: self.typed.contains(&function), symbolic: self.symbolic.contains(&function) }
    }
}

/// Whether a function is one of the intrinsics that stand for attributes.
pub fn is_annotation(function: Value) -> bool {
    let name = function.name();
    name.starts_with("llvm.var.annotation") || name.starts_with("llvm.ptr.annotation")
}

/// The functions that run before `main` and behind it: those of attributes, and pointers that the linker is told to put beside them.
pub fn constructors(module: Module) -> Vec<Value> {
    const TABLES: [&str; 2] = ["llvm.global_ctors", "llvm.global_dtors"];
    const SECTIONS: [&str; 5] = [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"];
    let tables = module.globals().into_iter().filter(|global| TABLES.contains(&global.name().as_str()));
    let declared = tables
        .filter_map(Value::initializer)
        .flat_map(Value::operands)
        .filter(|entry| entry.operand_count() > 1)
        .map(|entry| entry.operand(1));
    let is_placed = |global: &Value| SECTIONS.iter().any(|section| global.section().starts_with(section));
    let placed = module.globals().into_iter().filter(is_placed).filter_map(Value::initializer);
    let placed = placed.flat_map(|value| if value.is_function() { vec![value] } else { value.operands() });
    declared.chain(placed).map(Value::without_alias).filter(|value| value.is_function()).collect()
}
