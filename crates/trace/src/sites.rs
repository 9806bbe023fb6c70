//! The site table: where in the source the events of a view can come from.
//!
//! The instrumenter fills it, the view carries it in the ELF section [`SECTION`], the engine reads it from there.

use object::{Object, ObjectSection};
use serde::{Deserialize, Serialize};

use crate::rule::{Rule, RuleSet};

/// ELF section of a view with its encoded [`SiteTable`].
pub const SECTION: &str = ".provoke.sites";

/// All sites and region names of a view.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteTable {
    /// Sites; an event refers to one by its index. Site 0 is "unknown".
    pub sites: Vec<Site>,
    /// Names of globals and stack variables; a region refers to one by its index.
    pub regions: Vec<String>,
    /// Checks; their numbers are the same in all views of a program.
    pub checks: Vec<Check>,
    /// Loops whose conditions can depend on input, those outside before those within.
    pub loops: Vec<Loop>,
    /// Functions whose inputs are looked at where they are entered.
    pub units: Vec<Unit>,
    /// Where functions start that can be called again before they have returned.
    pub recursive: Vec<Position>,
}

/// A function whose inputs are looked at where it is entered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Unit {
    /// Its name.
    pub function: String,
    /// The file that it is in, as the compiler was given it.
    pub file: String,
    /// The line that it starts on.
    pub line: u32,
    /// What it gets, each after what points to it.
    pub objects: Vec<UnitObject>,
    /// What else it gets, and what stays what it was in each test: too much, too far away, or no integers.
    pub left_out: Vec<String>,
}

/// A variable that a unit reads, or what a pointer that it gets points to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct UnitObject {
    /// The pointer to it, as the source would write it; empty for a variable.
    pub pointer: String,
    /// The index of the object that the pointer is in, if it is in one that is pointed to itself.
    pub holder: Option<u32>,
    /// Whether the unit compares the pointer with null.
    pub is_compared: bool,
    /// The integers in it.
    pub leaves: Vec<Leaf>,
}

/// An integer that is an input of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Leaf {
    /// As the source would write it.
    pub name: String,
    /// Bytes from the start of the object.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it can be negative.
    pub signed: bool,
}

/// A loop with conditions that can depend on input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// The site of its first such condition.
    pub site: u32,
    /// For each condition, in the order of an iteration: whether the next iteration follows when it says so, with nothing of
    /// this one left.
    pub closes: Vec<bool>,
    /// Whether all of them are about counters that go towards 0 by smaller and smaller steps: there are never many iterations.
    pub shrinks: bool,
    /// What one iteration leaves for later ones, or for what comes behind the loop, beside counters and data that it moves.
    pub leaves: Option<Leaves>,
}

/// What makes the number of iterations of a loop matter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Leaves {
    /// A value that is computed from the one of the iteration before, and is no counter.
    Value,
    /// A value that is used behind the loop.
    Result,
    /// Something in memory that was computed here, and not only moved.
    Memory,
    /// Whatever the named function does; the name is empty for an indirect call.
    Call(String),
}

/// A check that stands in the program's code: a condition that the compiler can state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// What it makes sure of.
    pub rule: Rule,
    /// What is checked, and what the operands `a` and `b` that come with it mean.
    pub subject: CheckSubject,
    /// Where it stands.
    pub position: Position,
    /// Whether what it looks for is often meant: then a violation counts only where somebody asked for it.
    pub often_meant: bool,
}

impl Check {
    /// Whether the check is there when these rules are on. What is often meant is a mistake where it decides about memory,
    /// so it is there as soon as any rule is; pointer arithmetic decides about nothing else.
    pub fn is_wanted(&self, rules: RuleSet) -> bool {
        let ends = [Rule::IntegerOverflow, Rule::IntegerUnderflow];
        // Which end of its type arithmetic leaves is known only when it does.
        let asked_for =
            rules.contains(self.rule) || ends.contains(&self.rule) && ends.iter().any(|end| rules.contains(*end));
        asked_for || self.often_meant && self.rule != Rule::PointerArithmetic && !rules.is_empty()
    }
}

impl Check {
    /// Whether violations are reported where somebody asks for them, and only there. Preconditions are not reported at all.
    pub fn counts_if_asked_for(&self) -> bool {
        self.often_meant && !matches!(self.subject, CheckSubject::Precondition(..))
    }
}

/// What a [`Check`] is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CheckSubject {
    /// `a OPERATOR b`; the operator is one of `+ - * /`, where `/` stands for the remainder too.
    Arithmetic(char, IntegerType),
    /// `-a`.
    Negation(IntegerType),
    /// `a`, of the first type, shifted by `b`, of the second.
    Shift(IntegerType, IntegerType),
    /// `a`, of the first type, became `b`, of the second.
    Conversion(IntegerType, IntegerType),
    /// The floating-point number with the bits `a`, of the type that is named first, became an integer of the second.
    FloatCast(FloatType, IntegerType),
    /// The index `a`, of the second type, into an array of the type that is named first; and whether the element is written to.
    Index(String, IntegerType, bool),
    /// The length `a` of a variable-length array.
    ArrayLength(IntegerType),
    /// The argument with this number, from 1, must not be null.
    Argument(u32),
    /// The result must not be null.
    Result,
    /// Arithmetic on the pointer `a` that gave `b`.
    Pointer,
    /// So many bytes, `a`, are written to an array of `b` bytes that is part of something larger.
    Member,
    /// A block that is copied to the address `a` from the address `b`.
    Copy,
    /// Code that is never reached.
    Unreachable,
    /// A refinement of the named variable: the condition as the user wrote it; the low 64 bits of the variable's value are
    /// `a`, the high ones `b`.
    Refinement(String, String),
    /// The precondition of the named function, which was found out from tests of it: what has to hold of its inputs so that nothing
    /// fails in it.
    Precondition(String, String),
}

/// An integer type of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IntegerType {
    /// As C writes it.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

/// A floating-point type of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FloatType {
    /// As C writes it.
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// Why there is no site table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// Not an ELF file.
    #[error("this is not an ELF file: {0}")]
    NotElf(object::Error),
    /// An ELF file that is no view.
    #[error("there is no section {SECTION}: this is not a view (make one with `provoke view`)")]
    NoSection,
    /// A table that cannot be read.
    #[error("the site table cannot be read ({0}): make the view again")]
    Damaged(postcard::Error),
    /// A table that cannot be written.
    #[error("the site table cannot be encoded: {0}")]
    Encode(postcard::Error),
}

impl SiteTable {
    /// The contents of [`SECTION`].
    pub fn encode(&self) -> Result<Vec<u8>, SiteError> {
        postcard::to_stdvec(self).map_err(SiteError::Encode)
    }

    /// The inverse of [`SiteTable::encode`].
    pub fn decode(bytes: &[u8]) -> Result<SiteTable, SiteError> {
        postcard::from_bytes(bytes).map_err(SiteError::Damaged)
    }

    /// Reads the table out of a view, which is given as the bytes of its ELF file.
    pub fn of_view(elf: &[u8]) -> Result<SiteTable, SiteError> {
        let file = object::File::parse(elf).map_err(SiteError::NotElf)?;
        let section = file.section_by_name(SECTION).ok_or(SiteError::NoSection)?;
        SiteTable::decode(section.data().map_err(SiteError::NotElf)?)
    }

    /// The site with this index, or site 0, "unknown", if there is none: indices come from the traced program.
    pub fn site(&self, index: u32) -> &Site {
        static UNKNOWN: Site = Site { positions: Vec::new(), kind: SiteKind::Other };
        self.sites.get(index as usize).unwrap_or(&UNKNOWN)
    }
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
    /// A conditional branch that leads to the failure of an assertion when its condition is as said, and where it fails: nothing if
    /// nobody knows, else as the positions of a site.
    Assertion(bool, Vec<Position>),
    /// A switch with the values of its cases (the default excluded).
    Switch(Vec<u64>),
    /// A call of the named function; an empty name for an indirect call.
    Call(String),
    /// A read or write of memory.
    Access,
    /// The check with this number.
    Check(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> SiteTable {
        let position = Position { file: "a.c".into(), line: 3, column: 9, function: "main".into() };
        let switch = Site { positions: vec![position], kind: SiteKind::Switch(vec![1, u64::MAX]) };
        SiteTable { sites: vec![Site::default(), switch], regions: vec!["buffer".into()], ..SiteTable::default() }
    }

    #[test]
    fn encoding_round_trips() {
        assert_eq!(SiteTable::decode(&table().encode().unwrap()).unwrap(), table());
    }

    #[test]
    fn truncated_tables_are_errors() {
        let bytes = table().encode().unwrap();
        for len in 0..bytes.len() {
            assert!(SiteTable::decode(&bytes[..len]).is_err(), "{len}");
        }
    }

    #[test]
    fn unknown_sites_are_site_zero() {
        assert_eq!(table().site(77), &Site::default());
    }

    #[test]
    fn what_is_no_view_is_an_error() {
        assert!(matches!(SiteTable::of_view(b"#!/bin/sh"), Err(SiteError::NotElf(_))));
    }
}
