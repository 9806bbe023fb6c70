//! Bitcode to IR.

mod assembly;
mod calls;
mod constants;
mod function;
mod instruction;
mod layout;
mod marks;

use crate::program::{Function, FunctionId, Global, GlobalId, Operand, Parameter, Program, Site, SiteId, Type};
use crate::returns::mark_noreturn;
use constants::initial_value;
use llvm::{Kind, Location, Module, Value, debug_info};
use llvm_sys::prelude::LLVMModuleRef;
use marks::Marked;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Lowers a whole program, as `provoke cc` keeps it: not optimised, with the compiler's checks in it.
///
/// # Safety
/// `module` must be a valid module with a data layout, and nothing else may use it or its context meanwhile.
pub unsafe fn lower(module: LLVMModuleRef) -> Program {
    let module = Module::new(module);
    module.name_variables();
    let mut cx = Context::new(module);
    cx.declare();
    for global in module.globals() {
        cx.global(global);
    }
    for function in module.functions() {
        if !function.is_declaration()
            && let Some(id) = cx.functions.get(&function).copied()
        {
            function::lower(&mut cx, id, function);
        }
    }
    let mut program = cx.program;
    mark_noreturn(&mut program);
    program
}

/// What lowering knows.
struct Context {
    module: Module,
    program: Program,
    functions: FxHashMap<Value, FunctionId>,
    globals: FxHashMap<Value, GlobalId>,
    /// What names in assembly mean.
    symbols: FxHashMap<String, Operand>,
    files: FxHashMap<String, Arc<str>>,
    sites: FxHashMap<Site, SiteId>,
    /// Names of fields, by the name of the structure and the distance from its start in bits.
    fields: FxHashMap<(String, u64), Arc<str>>,
    marked: Marked,
}

impl Context {
    fn new(module: Module) -> Context {
        let mut fields = FxHashMap::default();
        for member in debug_info::members(module) {
            fields.entry((member.structure_name, member.offset)).or_insert_with(|| Arc::from(member.name));
        }
        let mut cx = Context {
            module,
            program: Program::default(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            symbols: FxHashMap::default(),
            files: FxHashMap::default(),
            sites: FxHashMap::default(),
            fields,
            marked: Marked::read(module),
        };
        cx.site(Vec::new());
        cx
    }

    /// Gives every function and global its number.
    fn declare(&mut self) {
        let is_called = |function: &Value| !function.is_intrinsic() || calls::jump(*function).is_some();
        let functions = self.module.functions().into_iter().filter(is_called);
        for (number, function) in (0..).zip(functions) {
            self.functions.insert(function, FunctionId(number));
            self.symbols.insert(function.name(), Operand::Function(FunctionId(number)));
            let declared = self.declaration(function);
            self.program.functions.push(declared);
        }
        let sources: FxHashMap<Value, String> =
            debug_info::globals(self.module).into_iter().map(|variable| (variable.address, variable.name)).collect();
        for (number, global) in (0..).zip(self.module.globals()) {
            self.globals.insert(global, GlobalId(number));
            self.symbols.insert(global.name(), Operand::Global(GlobalId(number), 0));
            let name = sources.get(&global).cloned().unwrap_or_else(|| global.name());
            let site = self.site(global.declaration());
            self.program.globals.push(Global { name, site, ..Global::default() });
        }
        self.program.constructors = marks::constructors(self.module)
            .into_iter()
            .filter_map(|function| self.functions.get(&function).copied())
            .collect();
    }

    fn declaration(&mut self, function: Value) -> Function {
        let ty = function.value_type();
        let result = llvm::result_type(ty);
        let parameters = function.parameters();
        let parameters = (0..).zip(&parameters).map(|(index, parameter)| Parameter {
            name: String::new(),
            ty: self.type_of(parameter.ty()),
            nonnull: function.promises(Some(index), "nonnull"),
            by_value: match function.by_value_parameter(index) {
                0 => None,
                _ => Some(layout::by_value(self.module, function, index)),
            },
        });
        Function {
            name: calls::jump(function).map_or_else(|| function.name(), str::to_owned),
            parameters: parameters.collect(),
            result: (result.kind() != Kind::LLVMVoidTypeKind).then(|| self.type_of(result)),
            result_nonnull: function.promises(None, "nonnull") || self.marked.nonnull.contains(&function),
            is_variadic: ty.is_variadic(),
            site: self.site(function.start()),
            marks: self.marked.of(function),
            is_visible: !function.is_internal(),
            is_noreturn: function.has_attribute("noreturn"),
            is_weak: function.is_weak_reference(),
            ..Function::default()
        }
    }

    fn global(&mut self, value: Value) {
        let Some(id) = self.globals.get(&value).copied() else { return };
        let ty = value.value_type();
        let layout = if ty.is_sized() { layout::of(self.module, ty) } else { layout::unknown() };
        let pointers = if ty.is_sized() { layout::pointers(self.module, ty) } else { 0 };
        let initial = (!value.is_declaration()).then(|| {
            let mut parts = Vec::new();
            if let Some(initial) = value.initializer() {
                initial_value(self, initial, 0, &mut parts);
            }
            parts
        });
        let nonnull = self.marked.nonnull.contains(&value);
        if let Some(global) = self.program.globals.get_mut(id.0 as usize) {
            global.layout = layout;
            global.pointers = pointers;
            global.initial = initial;
            global.is_constant = value.is_global_constant();
            global.nonnull = nonnull;
            global.is_weak = value.is_weak_reference();
        }
    }

    /// The type of a value.
    fn type_of(&self, ty: llvm::Type) -> Type {
        match ty.kind() {
            Kind::LLVMPointerTypeKind => Type::POINTER,
            Kind::LLVMVoidTypeKind | Kind::LLVMLabelTypeKind | Kind::LLVMMetadataTypeKind => Type::bits(0),
            Kind::LLVMIntegerTypeKind => Type::bits(ty.int_width()),
            _ if ty.is_sized() => {
                Type::bits(self.module.store_size(ty).saturating_mul(8).min(u64::from(u32::MAX)) as u32)
            }
            _ => Type::bits(0),
        }
    }

    /// The number of a place in the source; only its innermost frame matters, since nothing is inlined.
    fn site(&mut self, location: Location) -> SiteId {
        let site = match location.into_iter().next() {
            None => Site::default(),
            Some((file, line, column, _)) => {
                let file = self.files.entry(file).or_insert_with_key(|name| Arc::from(name.as_str())).clone();
                Site { file, line, column }
            }
        };
        let next = SiteId(self.program.sites.len() as u32);
        *self.sites.entry(site).or_insert_with_key(|site| {
            self.program.sites.push(site.clone());
            next
        })
    }

    /// The name of a field, by the structure's type in the code and the distance from its start.
    fn field(&self, structure: llvm::Type, bits: u64) -> Option<Arc<str>> {
        let name = structure.name();
        let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("union.")).unwrap_or(&name);
        let found = self.fields.get(&(name.to_owned(), bits));
        // Linking gives a second type of the same name a number.
        let plain = || name.rsplit_once('.').and_then(|(name, _)| self.fields.get(&(name.to_owned(), bits)));
        found.or_else(plain).cloned()
    }
}
