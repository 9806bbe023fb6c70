//! One file for each command.

pub mod check;
pub mod checkers;
pub mod compile;
pub mod completions;
pub mod csimpl;
pub mod explore;
pub mod hoist;
pub mod info;
pub mod libc;
pub mod man;
pub mod mix;
pub mod mixlang;
pub mod predict;
pub mod replay;
pub mod solve;
pub mod status;
pub mod trace;
pub mod view;
pub mod wrap;
