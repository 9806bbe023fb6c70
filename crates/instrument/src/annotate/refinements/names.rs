//! What the names in a condition stand for.

use super::RefinementError;
use super::places::Route;
use super::stated::Stated;
use llvm::Value;
use llvm::debug_info::{Enumerator, Form, Member, Scope, SourceType, Variable};
use refine::Place;

/// Widest integer of C.
const WIDEST: u32 = 128;

/// A number that a condition is about.
#[derive(Clone)]
pub struct Named {
    pub name: String,
    pub ty: SourceType,
    pub origin: Origin,
}

/// Where its value comes from.
#[derive(Clone)]
pub enum Origin {
    /// It is what is written just now.
    Written,
    /// It is read from this address.
    At(Value),
    /// It is read this many bytes from what is written.
    Beside(i64),
    /// It is a constant of an enumeration.
    Constant(u64),
    /// It is read from a place that is found from a variable.
    Through(Route),
}

/// What can be named in some place, nearest first.
pub struct Visible<'a> {
    /// The nearest last.
    pub locals: &'a [Variable],
    /// The fields of the structure that is written to, and which of them it is.
    pub fields: Option<(&'a [Member], &'a Member)>,
    pub globals: &'a [Variable],
    pub enumerators: &'a [Enumerator],
    /// From where one looks outwards.
    pub scope: Option<Scope>,
    /// Whether places can be named that are reached through pointers, structures and arrays.
    pub follows_pointers: bool,
}

/// Finds all names of a condition. `own` is the name of what is written.
pub fn resolve(
    stated: &Stated,
    own: (&str, &SourceType),
    visible: &Visible<'_>,
) -> Result<Vec<Named>, RefinementError> {
    let (own_name, own_type) = own;
    let names = stated.condition.names().into_iter();
    let found = names.map(|name| {
        let (ty, origin) =
            if name == own_name { (own_type.clone(), Origin::Written) } else { visible.find(stated, name)? };
        check_type(stated, name, &ty)?;
        Ok(Named { name: name.to_owned(), ty, origin })
    });
    let found = found.collect::<Result<Vec<Named>, RefinementError>>()?;
    check_type(stated, own_name, own_type)?;
    Ok(found)
}

fn check_type(stated: &Stated, name: &str, ty: &SourceType) -> Result<(), RefinementError> {
    let is_number = match ty.form {
        Form::Other => false,
        Form::Pointer => ty.bits == 64,
        Form::Signed | Form::Unsigned => ty.bits.is_power_of_two() && (8..=WIDEST).contains(&ty.bits),
    };
    if is_number {
        return Ok(());
    }
    let named = if ty.name.is_empty() { "its type".to_owned() } else { format!("its type, `{}`,", ty.name) };
    Err(stated.error(format!("is about `{name}`, but {named} is neither an integer nor a pointer")))
}

impl Visible<'_> {
    fn find(&self, stated: &Stated, name: &str) -> Result<(SourceType, Origin), RefinementError> {
        if let Some((fields, written)) = self.fields
            && let Some(field) = fields.iter().find(|field| field.name == name)
        {
            if field.is_bit_field {
                return Err(stated.error(format!("names the bit-field `{name}`, which has no address to read from")));
            }
            let distance = (field.offset as i64).wrapping_sub(written.offset as i64) / 8;
            return Ok((field.ty.clone(), Origin::Beside(distance)));
        }
        if let Some(variable) = find_variable(name, self.locals, self.globals, self.scope) {
            return Ok((variable.ty.clone(), Origin::At(variable.address)));
        }
        if let Some(place) = Place::parse(name).filter(|place| !place.is_variable()) {
            return self.through(stated, name, &place);
        }
        let mut constants = self.enumerators.iter().filter(|enumerator| enumerator.name == name);
        let Some(first) = constants.next() else {
            let reason = "which is no variable that can be seen there, or none that the code uses";
            return Err(stated.error(format!("names `{name}`, {reason}")));
        };
        if constants.any(|other| other != first) {
            return Err(stated.error(format!("names `{name}`, which is several constants of enumerations")));
        }
        let form = if first.is_signed { Form::Signed } else { Form::Unsigned };
        Ok((SourceType { name: String::new(), form, bits: 64 }, Origin::Constant(first.value)))
    }
}

impl Visible<'_> {
    fn through(&self, stated: &Stated, name: &str, place: &Place) -> Result<(SourceType, Origin), RefinementError> {
        if !self.follows_pointers {
            return Err(stated.error(format!("names `{name}`, but only preconditions go further than variables")));
        }
        let variable = find_variable(&place.variable, self.locals, self.globals, self.scope);
        let route = variable.and_then(|own| Route::new(own.address, own.whole, &place.steps, place.is_length));
        let route = route.ok_or_else(|| stated.error(format!("names `{name}`, which there is not")))?;
        Ok((route.ty(), Origin::Through(route)))
    }
}

fn find_variable<'a>(
    name: &str,
    locals: &'a [Variable],
    globals: &'a [Variable],
    scope: Option<Scope>,
) -> Option<&'a Variable> {
    let named = |variable: &&Variable| variable.name == name;
    let scopes = std::iter::successors(scope, |scope| scope.outer());
    for scope in scopes {
        let mut here = locals.iter().rev().chain(globals).filter(named);
        if let Some(found) = here.find(|variable| variable.scope == scope) {
            return Some(found);
        }
    }
    // Declared in this unit, defined in another one.
    globals.iter().filter(named).find(|variable| !variable.scope.is_local() && !variable.address.is_internal())
}
