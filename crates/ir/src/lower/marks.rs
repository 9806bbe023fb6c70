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

/// The functions that run before `main` and behind it.
pub fn constructors(module: Module) -> Vec<Value> {
    const TABLES: [&str; 2] = ["llvm.global_ctors", "llvm.global_dtors"];
    let tables = module.globals().into_iter().filter(|global| TABLES.contains(&global.name().as_str()));
    tables
        .filter_map(Value::initializer)
        .flat_map(Value::operands)
        .filter(|entry| entry.operand_count() > 1)
        .map(|entry| entry.operand(1).without_alias())
        .collect()
}
