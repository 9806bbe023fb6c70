//! What people read.

pub use report::words::{bytes, counted, grouped};
