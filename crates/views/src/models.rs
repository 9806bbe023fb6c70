//! Models of library functions that are written in C and become part of the concolic view.

use trace::models::How;

/// A file of models.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name of the file.
    pub file: &'static str,
    /// What the functions are about.
    pub about: &'static str,
    /// How closely they follow what the functions do.
    pub how: How,
    /// The functions.
    pub functions: &'static [&'static str],
    pub(crate) bitcode: &'static [u8],
}

/// All of them.
pub const MODELS: &[Model] = include!(concat!(env!("OUT_DIR"), "/models.rs"));
