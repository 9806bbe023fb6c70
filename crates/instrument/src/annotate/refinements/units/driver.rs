//! A `main` that calls one function, with arguments out of standard input.

use super::Program;
use crate::annotate::Pass;
use crate::annotate::refinements::RefinementError;
use crate::annotate::refinements::stated::Stated;
use llvm::debug_info::{Shape, TypeRef};
use llvm::{Block, Kind, Value};
use refine::UnitName;

/// How many elements there are behind a pointer: to characters, the last of which is 0, to other integers, to anything else.
const CHARACTERS: u64 = 17;
const INTEGERS: u64 = 8;
const OTHERS: u64 = 1;
/// How many pointers one after the other point to something; those behind them are null.
const DEEPEST: u32 = 2;
/// How deep structures are nested in each other.
const MOST_NESTED: u32 = 16;

impl Program {
    /// Gives the program a new `main`.
    pub fn drive(&mut self, pass: &Pass, name: &UnitName) -> Result<(), RefinementError> {
        let error = |reason: String| Stated::nowhere().error(reason);
        let functions = self.units(name);
        let [function] = functions.as_slice() else {
            return Err(error(match functions.is_empty() {
                true => format!("the program has no function `{name}`"),
                false => format!("the program has several functions `{name}`: name one as FILE:{name}"),
            }));
        };
        let locals = self.locals(*function);
        let types: Vec<(TypeRef, &str)> =
            locals.iter().filter(|local| local.is_parameter).map(|local| (local.whole, local.name.as_str())).collect();
        let parameters = function.parameters();
        let is_plain = |(index, parameter): (u32, &Value)| {
            let is_copy = function.by_value_type(index).is_some() || function.promises(Some(index), "sret");
            let kind = parameter.ty().kind();
            let is_scalar = matches!(
                kind,
                Kind::LLVMIntegerTypeKind
                    | Kind::LLVMPointerTypeKind
                    | Kind::LLVMFloatTypeKind
                    | Kind::LLVMDoubleTypeKind
            );
            is_scalar && !is_copy
        };
        if parameters.len() != types.len() || !(0..).zip(&parameters).all(is_plain) {
            return Err(error(format!(
                "`{name}` gets structures by value, or its parameters are not known: write a test of it"
            )));
        }
        let module = pass.module;
        if let Some(main) = module.function("main") {
            main.set_name("provoke.main");
            main.set_internal();
        }
        let main = module.add_function("main", module.function_type(module.int(32), &[]));
        let driver = Driver { pass, block: module.append_block(main, "") };
        let arguments: Vec<Value> = parameters
            .iter()
            .zip(&types)
            .map(|(parameter, (ty, name))| driver.argument(*parameter, *ty, name))
            .collect();
        pass.builder.at_end(driver.block);
        let result = pass.builder.call(function.value_type(), *function, &arguments);
        // What nobody needs is not computed, with all the mistakes that are made on the way.
        if result.ty().kind() != Kind::LLVMVoidTypeKind {
            pass.builder.store(result, pass.builder.alloca(result.ty())).set_volatile();
        }
        pass.builder.ret(Some(module.int(32).constant(0)));
        Ok(())
    }
}

struct Driver<'a> {
    pass: &'a Pass,
    block: Block,
}

impl Driver<'_> {
    fn argument(&self, parameter: Value, ty: TypeRef, name: &str) -> Value {
        let (module, builder) = (self.pass.module, &self.pass.builder);
        builder.at_end(self.block);
        if let Shape::Pointer(to) = ty.shape() {
            return self.object(to, &format!("*{name}"), 1);
        }
        let memory = self.memory(module.alloc_size(parameter.ty()).max(8), false, name);
        if parameter.ty().kind() == Kind::LLVMIntegerTypeKind && parameter.ty().int_width() < 8 {
            return builder.resize(builder.load(module.int(8), memory), parameter.ty());
        }
        builder.load(parameter.ty(), memory)
    }

    /// Something that a pointer points to, and what reports call it.
    fn object(&self, ty: TypeRef, name: &str, depth: u32) -> Value {
        let (module, builder) = (self.pass.module, &self.pass.builder);
        let count = match ty.shape() {
            Shape::Integer { is_character: true, .. } => CHARACTERS,
            Shape::Integer { .. } => INTEGERS,
            Shape::Other | Shape::Structure { is_system: true } => 0,
            _ => OTHERS,
        };
        let bytes = count.saturating_mul(ty.bytes());
        if bytes == 0 || depth > DEEPEST {
            return module.ptr().zero();
        }
        let memory = self.memory(bytes, count == CHARACTERS, name);
        let mut pointers = Vec::new();
        pointers_in(ty, 0, &mut pointers, 0);
        for (offset, to) in pointers {
            let target = self.object(to, &format!("*{name}"), depth + 1);
            builder.store(target, builder.offset(module, memory, offset)).set_alignment(1);
        }
        memory
    }

    /// Memory that is read from standard input; what is not there is 0.
    fn memory(&self, bytes: u64, is_string: bool, name: &str) -> Value {
        let (module, builder) = (self.pass.module, &self.pass.builder);
        let memory = builder.alloca(module.array(module.int(8), bytes));
        memory.set_name(name);
        memory.set_alignment(16);
        builder.memset_zero(module, memory, bytes);
        let (word, number) = (module.int(64), module.int(32));
        let ty = module.function_type(word, &[number, module.ptr(), word]);
        let read = module.function("read").unwrap_or_else(|| module.add_function("read", ty));
        let wanted = if is_string { bytes - 1 } else { bytes };
        builder.call(ty, read, &[number.constant(0), memory, word.constant(wanted)]);
        memory
    }
}

/// The pointers in something of a type.
fn pointers_in(ty: TypeRef, offset: u64, found: &mut Vec<(u64, TypeRef)>, nested: u32) {
    match ty.shape() {
        Shape::Pointer(to) => found.push((offset, to)),
        Shape::Structure { .. } if nested < MOST_NESTED => {
            for field in ty.fields() {
                pointers_in(field.ty, offset + field.offset, found, nested + 1);
            }
        }
        Shape::Array(element, count) if nested < MOST_NESTED => {
            for index in 0..count.min(CHARACTERS) {
                pointers_in(element, offset + index * element.bytes(), found, nested + 1);
            }
        }
        _ => {}
    }
}
