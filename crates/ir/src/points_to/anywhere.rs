//! Pointers that may lie anywhere in an object.
//!
//! Code that looks at a structure byte by byte has pointers to all of it. If the structure became one cell because of that, its
//! fields would be mixed up for everybody else. So such pointers point to all cells of the object, those that are found later
//! included, and the cells stay apart.

use super::graph::{Graph, WORD};
use super::nodes::Node;
use super::objects::{Cell, CellId, ObjectId};

/// What stands for all of an object.
#[derive(Clone, Copy, Debug)]
pub struct Anywhere {
    /// It points to all cells, and to the marker.
    pub node: Node,
    /// A cell of no place: what points to it points anywhere, and so does what is computed from it.
    pub marker: CellId,
}

/// Where an address lies that is computed from another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// Nowhere that the program has a right to.
    Nowhere,
    /// In a cell.
    To(CellId),
    /// Anywhere in an object.
    Anywhere(ObjectId),
}

/// Words of an object whose cells are kept apart: every pointer to anywhere in it points to all of them.
const WORDS: u64 = 128;

/// Where no object has a place.
const NO_PLACE: u64 = u64::MAX;

impl Graph {
    /// The node of pointers that may lie anywhere in an object.
    pub fn anywhere(&mut self, object: ObjectId) -> Node {
        if let Some(known) = self.anywhere.get(&object) {
            return known.node;
        }
        let (node, holds) = (self.nodes.make(), self.nodes.make());
        let marker = CellId(self.cells.len() as u32);
        self.cells.push((Cell { object, offset: NO_PLACE }, holds));
        self.merged.push(marker.0);
        self.anywhere.insert(object, Anywhere { node, marker });
        self.add(node, marker);
        let known: Vec<CellId> = self.object(object).cells.values().copied().collect();
        known.into_iter().for_each(|cell| self.add(node, cell));
        // What is copied to somewhere in it may lie at any word behind.
        for offset in (0..self.object(object).layout.size).step_by(WORD as usize) {
            self.cell_in(object, offset);
        }
        node
    }

    /// Whether a cell marks pointers that may lie anywhere.
    pub fn is_marker(&self, cell: CellId) -> bool {
        self.cell(cell).offset == NO_PLACE
    }

    /// Whether an object can have a cell for each of its words: its size is known, there are several, and not too many.
    pub fn has_word_cells(&self, object: ObjectId) -> bool {
        let object = self.object(object);
        let size = object.layout.size;
        !object.kind.is_open() && size > WORD && size.div_ceil(WORD) <= WORDS
    }

    /// The nodes of all objects in which what a node points to may lie anywhere.
    pub fn anywhere_of(&self, node: Node) -> Vec<Node> {
        let objects = self.nodes.points_to(node).iter().map(CellId).filter(|cell| self.is_marker(*cell));
        objects.filter_map(|marker| Some(self.anywhere.get(&self.cell(marker).object)?.node)).collect()
    }

    /// Whether what a node points to may lie anywhere in an object.
    pub fn may_be_anywhere(&self, node: Node, object: ObjectId) -> bool {
        self.anywhere.get(&object).is_some_and(|known| self.nodes.points_to(node).contains(known.marker.0))
    }
}
