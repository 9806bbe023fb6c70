//! Subtyping: signs, and functions whose code is known.

use std::rc::Rc;

use crate::analysis::{Analysis, Checked};
use crate::check::{Entry, Gamma};
use crate::types::{CodeId, Sign, Type};

/// How many bodies may be checked inside each other: as long as a chain of functions that call the one before may be.
const MAX_BODIES: u32 = 200;

impl Analysis<'_> {
    /// Whether a value of type `a` may stand where one of type `b` is asked for. Cells are read and written, so their
    /// types must be equal.
    pub fn is_subtype(&mut self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Int(_), Type::Int(Sign::Unknown)) => true,
            (Type::Fun(a_from, a_to), Type::Fun(b_from, b_to)) => {
                crate::with_stack(|| self.is_subtype(b_from, a_from) && self.is_subtype(a_to, b_to))
            }
            (Type::Code(code), Type::Fun(from, to)) => {
                let Ok(result) = self.check_body(*code, Some(from)) else { return false };
                crate::with_stack(|| self.is_subtype(&result, to))
            }
            _ => a == b,
        }
    }

    /// The type of a function's result for arguments of type `from`, or of its annotation if no type is given. The reasons
    /// against it may be none.
    pub(super) fn check_body(&mut self, code: CodeId, from: Option<&Type>) -> Checked<Type> {
        let none = Vec::new();
        let Some(code) = self.codes.get(code) else { return Err(none) };
        let lambda = &code.lambda;
        let parameter = match (&lambda.annotation, from) {
            (Some(annotation), Some(from)) if !self.is_subtype(from, annotation) => return Err(none),
            (Some(annotation), _) => annotation.clone(),
            (None, Some(from)) => from.clone(),
            (None, None) => return Err(none),
        };
        if self.code_depth >= MAX_BODIES {
            return Err(none);
        }
        self.code_depth += 1;
        let captured = code.captured.iter().map(|(name, ty)| (name.clone(), Entry::fixed(self.with_arrow(ty))));
        let gamma = captured.collect::<Gamma>().with(lambda.parameter.clone(), Entry::fixed(parameter));
        let result = self.check(&lambda.body, &gamma);
        self.code_depth -= 1;
        result
    }

    /// For a function whose parameter is annotated: what it takes and gives, if its body has a type. Other types stay.
    pub fn with_arrow(&mut self, ty: &Type) -> Type {
        let Type::Code(code) = ty else { return ty.clone() };
        let known = match self.arrows.get(code) {
            Some(known) => known.clone(),
            None => {
                let annotation = self.codes.get(*code).and_then(|code| code.lambda.annotation.clone());
                let arrow = annotation.and_then(|from| {
                    let to = self.check_body(*code, None).ok()?;
                    Some(Type::Fun(Rc::new(from), Rc::new(to)))
                });
                self.arrows.insert(*code, arrow.clone());
                arrow
            }
        };
        known.unwrap_or_else(|| ty.clone())
    }
}
