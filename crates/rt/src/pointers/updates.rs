//! Writes at addresses that depend on input, as reads at other such addresses see them.
//!
//! A write gives each of its places a choice between what is written and what was there. A read that finds these choices at its own
//! places is one choice: what was written if both addresses are the same, else what is read from memory as it was before the
//! write. So a read behind many writes has a node or two for each write and one for the memory that all of them found (mostly a
//! table of constants), instead of a choice between choices for every place.

use trace::op::Op;

use super::choice::Address;
use crate::build::Operand;
use crate::recorder::Recorder;
use crate::system::List;

/// Writes that are remembered.
const MOST_WRITES: usize = 1 << 12;
/// Places of all these writes: with more of them, the run has spent its nodes.
const MOST_UPDATES: usize = super::MOST_NODES as usize;
/// Choices that a read puts before what is left of its elements.
const MOST_LAYERS: usize = 64;
/// Of so many elements one may have changed otherwise since a write.
const EXCEPTIONAL: usize = 8;
/// Places that a write must have changed for its one choice to be simpler than theirs.
const FEWEST: usize = 2;

/// What a write did to one place.
#[derive(Clone, Copy)]
struct Update {
    place: u64,
    old: Operand,
    new: Operand,
}

/// A write at an address with a label.
#[derive(Clone, Copy)]
struct Write {
    address: Address,
    bytes: usize,
    written: Operand,
    /// Its places in the list of all updates, in ascending order.
    first: usize,
    count: usize,
}

/// What is chosen before anything else, if the read's address is a certain one.
#[derive(Clone, Copy)]
struct Layer {
    address: Operand,
    chosen: Operand,
}

/// The writes of a run, the latest last.
pub struct Updates {
    writes: List<Write>,
    updates: List<Update>,
    /// Where the updates of the latest write begin, if it is remembered.
    open: Option<usize>,
    layers: List<Layer>,
    /// For each element of a read whether it is chosen by a layer, so that what is left in its place is never seen.
    is_hidden: List<bool>,
}

impl Updates {
    /// None yet.
    pub fn new() -> Updates {
        Updates {
            writes: List::new(MOST_WRITES),
            updates: List::new(MOST_UPDATES),
            open: None,
            layers: List::new(MOST_LAYERS),
            is_hidden: List::new(super::MOST_PLACES),
        }
    }

    /// As at the start of a run.
    #[cfg(test)]
    pub fn clear(&mut self) {
        self.writes.clear();
        self.updates.clear();
    }

    /// A write. What it did to its places, which are in ascending order, is said [later](Updates::set).
    pub fn begin(&mut self, address: Address, bytes: usize, written: Operand, places: &[u64]) {
        let first = self.updates.items().len();
        let nothing = Operand::concrete(0);
        let count = places.iter().take_while(|place| {
            let place = **place;
            self.updates.push(Update { place, old: nothing, new: nothing })
        });
        let count = count.count();
        // What is not known whole is not known.
        let is_kept = count == places.len() && self.writes.push(Write { address, bytes, written, first, count });
        self.open = is_kept.then_some(first);
    }

    /// What the latest write did to one of its places.
    pub fn set(&mut self, index: usize, old: Operand, new: Operand) {
        if let Some(first) = self.open
            && let Some(update) = self.updates.items_mut().get_mut(first + index)
        {
            (update.old, update.new) = (old, new);
        }
    }

    /// Nothing is taken away for the next read.
    pub fn take_nothing(&mut self) {
        self.layers.clear();
    }

    /// Takes the writes away from `elements`, of `bytes` bytes each, which a read at `address` finds at `places`. They are then
    /// what the read finds unless one of the layers chooses something else.
    pub fn take_away(&mut self, address: Address, bytes: usize, places: &[u64], elements: &mut [Operand]) {
        self.layers.clear();
        self.is_hidden.clear();
        places.iter().for_each(|_| _ = self.is_hidden.push(false));
        for write in self.writes.items().iter().rev().filter(|write| write.bytes == bytes) {
            let updates = self.updates.items().get(write.first..write.first + write.count).unwrap_or_default();
            let seen = Seen { places, updates };
            if !seen.overlap() {
                continue;
            }
            let (mut unchanged, mut changed) = (0, 0);
            seen.each(|index, update| {
                let (Some(element), Some(false)) = (elements.get(index), self.is_hidden.items().get(index)) else {
                    return;
                };
                let count = if *element == update.new { &mut unchanged } else { &mut changed };
                *count += 1;
            });
            if self.layers.items().len() + changed >= MOST_LAYERS {
                break;
            }
            if unchanged < FEWEST || changed * EXCEPTIONAL > elements.len() {
                continue;
            }
            seen.each(|index, update| {
                let Some(element) = elements.get_mut(index) else { return };
                let Some(is_hidden) = self.is_hidden.items_mut().get_mut(index) else { return };
                if *element != update.new && !*is_hidden {
                    self.layers.push(Layer { address: Operand::concrete(update.place), chosen: *element });
                    *is_hidden = true;
                }
                *element = update.old;
            });
            self.layers.push(Layer { address: write.address.operand(), chosen: write.written });
            if write.address.label == address.label {
                // Nothing below is ever seen.
                elements.fill(write.written);
                return;
            }
        }
        self.show_neighbours(elements);
    }

    /// Puts other elements in the places of those that are never seen, so that there is less to tell apart.
    fn show_neighbours(&self, elements: &mut [Operand]) {
        let hidden = self.is_hidden.items();
        let mut shown = elements.iter().zip(hidden).find(|(_, is_hidden)| !**is_hidden).map(|(element, _)| *element);
        for (element, is_hidden) in elements.iter_mut().zip(hidden) {
            if !is_hidden {
                shown = Some(*element);
            } else if let Some(shown) = shown {
                *element = shown;
            }
        }
    }
}

/// A read's places and what a write did to its own, both in ascending order.
#[derive(Clone, Copy)]
struct Seen<'a> {
    places: &'a [u64],
    updates: &'a [Update],
}

impl Seen<'_> {
    fn overlap(&self) -> bool {
        match (self.places, self.updates) {
            ([first, .., last], [lowest, .., highest]) => *first <= highest.place && lowest.place <= *last,
            _ => false,
        }
    }

    /// The common places: each one's number in the read, and what the write did to it.
    fn each(&self, mut visit: impl FnMut(usize, &Update)) {
        let mut updates = self.updates.iter().peekable();
        for (index, place) in self.places.iter().enumerate() {
            while updates.next_if(|update| update.place < *place).is_some() {}
            if let Some(update) = updates.next_if(|update| update.place == *place) {
                visit(index, update);
            }
        }
    }
}

impl Recorder {
    /// What a read at `address` gives, if it would be `below` without the writes that were taken away last.
    pub fn behind_writes(&mut self, updates: &Updates, width: u32, address: Address, below: Operand) -> Operand {
        updates.layers.items().iter().rev().fold(below, |below, layer| {
            let is_same = layer.address.value == address.value;
            let condition = self.binary(Op::Eq, 64, layer.address, address.operand(), u64::from(is_same));
            self.either(width, condition, is_same, layer.chosen, below)
        })
    }
}
