//! Inputs of a run, as bytes.

pub use run::{Channel, Input, Part, Source};
