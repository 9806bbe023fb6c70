//! Places that a precondition names beyond variables: how to get there, and the code that reads them.
//!
//! Nothing is read that may not be there: the runtime is asked first, and where it does not know the memory the condition has no
//! value.

use crate::annotate::Pass;
use llvm::Value;
use llvm::debug_info::{Field, Form, Shape, SourceType, TypeRef};
use refine::Step;
use std::rc::Rc;
use trace::unit;

/// How to get from the address of a variable to a place.
#[derive(Clone)]
pub struct Route {
    pub start: Value,
    hops: Rc<[Hop]>,
    ty: SourceType,
    is_length: bool,
}

#[derive(Clone, Copy)]
enum Hop {
    /// So many bytes further.
    Offset(u64),
    /// To where the pointer there points.
    Follow,
}

/// Bytes that are read where nothing else can be.
const NOTHING: &str = "provoke.nothing";
const WIDEST: u64 = 16;

impl Route {
    /// The way from a variable of a type; nothing if its type has no such steps, or what is there is neither an integer nor a
    /// pointer.
    pub fn new(start: Value, ty: TypeRef, steps: &[Step], is_length: bool) -> Option<Route> {
        let mut hops = Vec::new();
        let mut ty = ty;
        for step in steps {
            ty = match (step, ty.shape()) {
                (Step::Field(name), Shape::Structure { .. }) => enter(ty, name, &mut hops)?,
                (Step::Arrow(name), Shape::Pointer(to)) => {
                    hops.push(Hop::Follow);
                    enter(to, name, &mut hops)?
                }
                (Step::Index(index), Shape::Array(element, count)) if *index < count => {
                    hops.push(Hop::Offset(index.checked_mul(element.bytes())?));
                    element
                }
                (Step::Index(index), Shape::Pointer(to)) if to.bytes() > 0 => {
                    hops.extend([Hop::Follow, Hop::Offset(index.checked_mul(to.bytes())?)]);
                    to
                }
                _ => return None,
            };
        }
        let bits = u32::try_from(ty.bytes().checked_mul(8)?).ok()?;
        let form = match ty.shape() {
            Shape::Integer { signed: true, .. } => Form::Signed,
            Shape::Integer { .. } => Form::Unsigned,
            Shape::Pointer(_) => Form::Pointer,
            Shape::Array(..) if is_length => Form::Other,
            _ => return None,
        };
        Some(Route { start, hops: hops.into(), ty: SourceType { name: String::new(), form, bits }, is_length })
    }

    /// The type of what is there.
    pub fn ty(&self) -> SourceType {
        match self.is_length {
            true => SourceType { name: "size_t".to_owned(), form: Form::Unsigned, bits: 64 },
            false => self.ty.clone(),
        }
    }
}

/// A field of a structure, or of one without a name within.
fn enter(structure: TypeRef, name: &str, hops: &mut Vec<Hop>) -> Option<TypeRef> {
    let fields = structure.fields();
    let named = |field: &&Field| field.name == name && !field.is_bit_field;
    if let Some(field) = fields.iter().find(named) {
        hops.push(Hop::Offset(field.offset));
        return Some(field.ty);
    }
    let mut nameless = fields.iter().filter(|field| field.name.is_empty());
    nameless.find_map(|field| {
        let inner = field.ty.fields().into_iter().find(|inner| named(&inner))?;
        hops.push(Hop::Offset(field.offset + inner.offset));
        Some(inner.ty)
    })
}

impl Pass {
    /// What is at a place, and whether there is something, if that is not certain.
    pub(super) fn read_place(&self, route: &Route) -> (Value, Option<Value>) {
        let (module, builder) = (self.module, &self.builder);
        let (mut address, mut exists) = (route.start, None);
        let mut is_certain = true;
        for hop in route.hops.iter() {
            match hop {
                Hop::Offset(bytes) => address = builder.offset(module, address, *bytes),
                Hop::Follow => {
                    let (from, is_there) = self.reachable(address, 8, is_certain);
                    exists = self.both_exist(exists, is_there);
                    address = builder.load(module.ptr(), from);
                    address.set_alignment(1);
                    is_certain = false;
                }
            }
        }
        if !route.is_length {
            let (from, is_there) = self.reachable(address, u64::from(route.ty.bits / 8), is_certain);
            let ty = if route.ty.form == Form::Pointer { module.ptr() } else { module.int(route.ty.bits) };
            let value = builder.load(ty, from);
            value.set_alignment(1);
            return (value, self.both_exist(exists, is_there));
        }
        if route.ty.form == Form::Pointer {
            let (from, is_there) = self.reachable(address, 8, is_certain);
            exists = self.both_exist(exists, is_there);
            address = builder.load(module.ptr(), from);
            address.set_alignment(1);
        }
        let (from, is_there) = self.reachable(address, 1, false);
        let ty = module.function_type(module.int(64), &[module.ptr()]);
        let length = module.function(unit::LENGTH).unwrap_or_else(|| module.add_function(unit::LENGTH, ty));
        (builder.call(ty, length, &[from]), self.both_exist(exists, is_there))
    }

    /// An address that can be read in any case, and whether it is the one that is meant.
    fn reachable(&self, address: Value, bytes: u64, is_certain: bool) -> (Value, Option<Value>) {
        if is_certain {
            return (address, None);
        }
        let (module, builder) = (self.module, &self.builder);
        let (number, word) = (module.int(32), module.int(64));
        let ty = module.function_type(number, &[module.ptr(), word]);
        let function = module.function(unit::REACHES).unwrap_or_else(|| module.add_function(unit::REACHES, ty));
        let answer = builder.call(ty, function, &[address, word.constant(bytes)]);
        let is_there = builder.is_not_zero(answer);
        (builder.select(is_there, address, self.nothing()), Some(is_there))
    }

    fn nothing(&self) -> Value {
        let module = self.module;
        let known = module.globals().into_iter().find(|global| global.name() == NOTHING);
        known.unwrap_or_else(|| {
            let ty = module.array(module.int(8), WIDEST);
            module.add_global(NOTHING, ty, Some(ty.zero()))
        })
    }

    fn both_exist(&self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.and(a, b)),
            (one, other) => one.or(other),
        }
    }
}
