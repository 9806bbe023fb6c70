//! One file for each command.

pub mod compile;
pub mod completions;
pub mod info;
pub mod man;
pub mod mixlang;
pub mod solve;
pub mod trace;
pub mod view;
