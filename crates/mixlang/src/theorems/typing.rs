//! Values have types: ⊢ v : τ, under some memory typing that is found on the way.

use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::evaluate::Value;
use crate::types::Type;

/// The part of a memory typing Λ that was needed so far.
#[derive(Default)]
pub struct MemoryTyping(FxHashMap<usize, Type>);

impl MemoryTyping {
    /// Whether a value has a type, and everything that can be reached from it too.
    pub fn has_type(
        &mut self,
        analysis: &mut Analysis<'_>,
        memory: &[Value],
        value: &Value,
        ty: &Type,
    ) -> Result<(), String> {
        match (value, ty) {
            (Value::Location(at), Type::Ref(cell)) => {
                if let Some(known) = self.0.get(at) {
                    return if *known == **cell { Ok(()) } else { Err(format!("cell {at} is {known} and {cell}")) };
                }
                self.0.insert(*at, (**cell).clone());
                let held = memory.get(*at).ok_or_else(|| format!("there is no cell {at}"))?;
                self.has_type(analysis, memory, held, cell).map_err(|why| format!("in cell {at}: {why}"))
            }
            (Value::Closure(closure), Type::Code(id)) => {
                let code = analysis.codes.get(*id).ok_or("an unknown function")?;
                if closure.lambda.id != code.lambda.id {
                    return Err("another function".to_owned());
                }
                for (name, ty) in &code.captured {
                    let held = closure.captured.iter().find(|(captured, _)| captured == name);
                    let (_, held) = held.ok_or_else(|| format!("`{name}` is not captured"))?;
                    self.has_type(analysis, memory, held, ty)?;
                }
                Ok(())
            }
            _ if value.shows(ty) => Ok(()),
            _ => Err(format!("{value} is not {ty}")),
        }
    }
}
