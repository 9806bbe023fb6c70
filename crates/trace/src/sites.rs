//! The site table: where in the source the events of a view can come from.
//!
//! The instrumenter fills it, the view carries it in the ELF section [`SECTION`], the engine reads it from there.

use serde::{Deserialize, Serialize};

/// ELF section of a view with its encoded [`SiteTable`].
pub const SECTION: &str = ".provoke.sites";

/// All sites and region names of a view.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteTable {
    /// Sites; an event refers to one by its index. Site 0 is "unknown".
    pub sites: Vec<Site>,
    /// Names of globals and stack variables; a region refers to one by its index.
    pub regions: Vec<String>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Site {
    /// Innermost source position, then the ones it was inlined into.
    pub positions: Vec<Position>,
    /// What stands there.
    pub kind: SiteKind,
}

/// A source position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// File as the compiler was given it.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Function.
    pub function: String,
}

/// What stands at a site.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SiteKind {
    /// Anything else.
    #[default]
    Other,
    /// A conditional branch.
    Branch,
    /// A switch with the values of its cases (the default excluded).
    Switch(Vec<u64>),
    /// A call of the named function; an empty name for an indirect call.
    Call(String),
    /// A read or write of memory.
    Access,
}
