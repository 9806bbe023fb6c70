//! Models of library functions: `__provoke_x_NAME` stands for `NAME` in instrumented code.
//!
//! A model does what the function does, by calling it, `errno` included, and then what the function does to labels.
//! It never holds the runtime while the real function runs: that one may block, call back, or end the process.
//!
//! Every model has the safety contract of the C function it stands for; the modules say so once, here.
#![allow(
    unsafe_op_in_unsafe_fn,
    clippy::missing_safety_doc,
    reason = "a model has the contract of the C function it stands for"
)]

/// The address of a model, by which labels find it.
macro_rules! address_of {
    ($model:path) => {
        $model as *const () as usize
    };
}

mod access;
pub mod allocation;
pub mod copying;
pub mod descriptors;
pub mod ends;
pub mod format;
pub mod helpers;
pub mod input;
pub mod lengths;
mod looking_up;
pub mod mapping;
pub mod memory;
pub mod opening;
pub mod printed;
pub mod processes;
pub mod pushing_back;
pub mod searching;
pub mod stream_table;
pub mod streams;
mod string_ends;
pub mod strings;
pub mod symbolic;
pub mod term;
pub mod units;
mod written_files;

#[cfg(test)]
mod tests {
    use trace::abi::MODEL_PREFIX;

    #[test]
    fn every_modelled_function_has_a_model() {
        let sources = [
            include_str!("allocation.rs"),
            include_str!("copying.rs"),
            include_str!("descriptors.rs"),
            include_str!("ends.rs"),
            include_str!("mapping.rs"),
            include_str!("memory.rs"),
            include_str!("opening.rs"),
            include_str!("processes.rs"),
            include_str!("pushing_back.rs"),
            include_str!("searching.rs"),
            include_str!("streams.rs"),
            include_str!("strings.rs"),
            include_str!("symbolic.rs"),
            include_str!("units.rs"),
        ];
        for name in trace::models::names() {
            let defined = sources.iter().any(|source| {
                source.contains(&format!("fn {MODEL_PREFIX}{name}("))
                    || source.contains(&format!("{MODEL_PREFIX}{name} "))
            });
            assert!(defined, "{MODEL_PREFIX}{name} is missing");
        }
    }
}
