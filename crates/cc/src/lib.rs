//! The compiler driver, and what it leaves in the programs that it builds.
//!
//! [`driver`] runs clang with the arguments it was given, unchanged, and makes the raw bitcode of the same
//! translation units beside it. Bitcode travels in objects as *frames* ([`frame`]) of a section that the linker
//! concatenates; the link step adds a *link record* ([`record`]). [`bundle`] reads both back from a program and
//! links a view of it; [`info`] describes it to people.
//!
//! This crate knows ELF, archives and command lines. It does not know what is in the bitcode, and does not use LLVM.

mod archive;
mod arguments;
mod attach;
pub mod bundle;
pub mod checksum;
pub mod clang;
pub mod driver;
pub mod elf;
mod error;
pub mod frame;
pub mod header;
mod image;
pub mod info;
mod jobs;
mod libtool;
mod linkline;
mod models;
mod native;
mod options;
mod paths;
mod probe;
pub mod record;
mod relink;
mod rewrite;
mod survey;
mod unit;
pub mod user_cache;
mod watch;
mod work;
mod wrapping;

pub use clang::Language;
pub use error::Error;
