//! Names for values, so that two places are known to hold the same one.

use ir::{BlockId, FunctionId, GlobalId, Register};
use rustc_hash::FxHashMap;

/// A name, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(u32);

/// A value of one activation of a function: the one that its name was given to last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// The address of a variable.
    Variable(Register),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// A parameter.
    Parameter(u32),
    /// What an instruction computed: number of its block, and within that.
    Defined(u32, u32),
    /// A number, made wider.
    Extended(NameId, Sign),
    /// What a register holds where ways into a block meet.
    JoinedRegister(BlockId, Register),
    /// What a place holds where ways into a block meet.
    JoinedPlace(BlockId, Place),
}

/// How a number is made wider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// It is negative if it was.
    Signed,
    /// It is never negative.
    Unsigned,
}

/// How far something is from where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Distance {
    /// Bytes that are known.
    pub bytes: i64,
    /// A named number, and how many bytes each of it is.
    pub index: Option<(NameId, u64)>,
}

impl Distance {
    /// Nothing.
    pub const ZERO: Distance = Distance { bytes: 0, index: None };

    /// A number of bytes more.
    pub fn plus(self, bytes: i64) -> Option<Distance> {
        Some(Distance { bytes: self.bytes.checked_add(bytes)?, ..self })
    }
}

/// A place in memory: a distance from where a named pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The pointer.
    pub base: NameId,
    /// From there.
    pub distance: Distance,
}

impl Place {
    /// Whether it is told by a name.
    pub fn mentions(self, gone: impl Fn(NameId) -> bool) -> bool {
        gone(self.base) || self.distance.index.is_some_and(|(index, _)| gone(index))
    }
}

/// Joins within each other that are told apart: there would be no end to them in lists of lists.
const DEPTH: u8 = 4;

/// The names of one function.
#[derive(Debug, Default)]
pub struct Names {
    known: FxHashMap<Name, NameId>,
    all: Vec<(Name, u8)>,
}

impl Names {
    /// The number of a name.
    pub fn id(&mut self, name: Name) -> NameId {
        if let Some(id) = self.known.get(&name) {
            return *id;
        }
        let depth = match name {
            Name::JoinedPlace(_, place) => self.depth(place.base).saturating_add(1),
            _ => 0,
        };
        let id = NameId(self.all.len() as u32);
        self.all.push((name, depth));
        self.known.insert(name, id);
        id
    }

    /// The number of a name, if it was ever used.
    pub fn existing(&self, name: Name) -> Option<NameId> {
        self.known.get(&name).copied()
    }

    /// The name with a number.
    pub fn name(&self, id: NameId) -> Option<Name> {
        self.all.get(id.0 as usize).map(|(name, _)| *name)
    }

    /// The name for what a place holds where ways meet; nothing if that is too deep.
    pub fn joined_place(&mut self, block: BlockId, place: Place) -> Option<NameId> {
        (self.depth(place.base) < DEPTH).then(|| self.id(Name::JoinedPlace(block, place)))
    }

    /// Whether a name is given at the start of a block.
    pub fn is_joined_at(&self, id: NameId, at: BlockId) -> bool {
        matches!(self.name(id), Some(Name::JoinedRegister(block, _) | Name::JoinedPlace(block, _)) if block == at)
    }

    /// Whether one name is another, or made of it.
    pub fn is_made_of(&self, id: NameId, of: NameId) -> bool {
        let mut at = id;
        while let Some(Name::Extended(narrow, _)) = self.name(at) {
            if at == of {
                return true;
            }
            at = narrow;
        }
        at == of
    }

    fn depth(&self, id: NameId) -> u8 {
        self.all.get(id.0 as usize).map_or(0, |(_, depth)| *depth)
    }
}
