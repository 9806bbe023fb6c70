//! Files of models that the user gives.

use cc::bundle::{Module, Program};

use crate::exit::Failure;

/// Says what is probably a mistake in the files: without that they would be of no use, and nobody would know.
pub fn say_unused(program: &Program) -> Result<(), Failure> {
    for file in &program.models {
        let functions = views::modelled(file).map_err(Failure::input)?;
        let source = &file.source;
        if functions.is_empty() {
            eprintln!(
                "provoke: note: {source} has no models; a model is a function with the name PROVOKE_MODEL(name), see provoke.h"
            );
        }
        let unused: Vec<&str> = functions.iter().map(String::as_str).filter(|name| !mentions(program, name)).collect();
        if !unused.is_empty() {
            let names = unused.join(", ");
            eprintln!("provoke: note: {source} has models of functions that the program does not call: {names}");
        }
    }
    Ok(())
}

/// Whether a program may call a function: names are in a table of bitcode as they are.
fn mentions(program: &Program, name: &str) -> bool {
    let is_in = |module: &Module| module.bitcode.windows(name.len()).any(|bytes| bytes == name.as_bytes());
    !name.is_empty() && program.modules.iter().any(is_in)
}
