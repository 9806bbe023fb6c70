//! Inputs of a run, as bytes.

pub use run::{Input, Part, Source};
