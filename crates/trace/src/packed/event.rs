//! Events in cells.

use crate::layout::{Event, EventKind};

/// An event, or the second half of one.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventCell {
    /// Kind (6 bits), two bits of its form, `taken` (8) and `reason` (16).
    head: u32,
    site: u32,
    label: u32,
}

const _: () = assert!(size_of::<EventCell>() == 12);

const KIND_MASK: u32 = 0x3f;
/// `site` is what belongs into `aux`. Site and value are 0, or for a [`EventKind::Loop`] what they were the last time.
const ENTRY: u32 = 0x40;
/// `aux` and value are in the next cell.
const LONG: u32 = 0x80;
const TAKEN_SHIFT: u32 = 8;
const REASON_SHIFT: u32 = 16;

impl EventCell {
    /// The cells of an event. `is_again` says of a [`EventKind::Loop`] that site and value are those of the last one
    /// with the same `aux`.
    #[inline(always)]
    pub fn of(event: &Event, is_again: bool) -> (EventCell, Option<EventCell>) {
        let head = u32::from(event.kind) & KIND_MASK
            | u32::from(event.taken) << TAKEN_SHIFT
            | u32::from(event.reason) << REASON_SHIFT;
        let short = EventCell { head, site: event.site, label: event.label };
        // What a loss counts is raised later.
        let is_loss = event.kind == EventKind::Loss as u8;
        let is_loop = event.kind == EventKind::Loop as u8;
        if event.aux == 0 && event.value == 0 && !is_loss {
            return (short, None);
        }
        if is_again || event.site == 0 && event.value == 0 && !is_loop {
            return (EventCell { head: head | ENTRY, site: event.aux, ..short }, None);
        }
        let half = EventCell { head: event.aux, site: event.value as u32, label: (event.value >> 32) as u32 };
        (EventCell { head: head | LONG, ..short }, Some(half))
    }

    /// Whether the next cell belongs to this one.
    #[inline(always)]
    pub fn is_long(&self) -> bool {
        self.head & LONG != 0
    }

    fn half_value(&self) -> u64 {
        u64::from(self.site) | u64::from(self.label) << 32
    }

    /// Adds to the value of the event whose second half this is.
    pub fn raise(&mut self, by: u64) {
        let value = self.half_value().wrapping_add(by);
        (self.site, self.label) = (value as u32, (value >> 32) as u32);
    }
}

/// Unpacks events, in their order.
#[cfg(feature = "std")]
pub struct Events<I> {
    cells: I,
    /// Site and value of the last [`EventKind::Loop`] of each entry.
    loops: std::collections::HashMap<u32, (u32, u64)>,
}

#[cfg(feature = "std")]
impl<I> Events<I> {
    /// The events in these cells.
    pub fn new(cells: I) -> Events<I> {
        Events { cells, loops: std::collections::HashMap::new() }
    }
}

#[cfg(feature = "std")]
impl<I: Iterator<Item = EventCell>> Iterator for Events<I> {
    type Item = Event;

    /// The next event; an event that is damaged has a kind that is none.
    fn next(&mut self) -> Option<Event> {
        let cell = self.cells.next()?;
        let kind = (cell.head & KIND_MASK) as u8;
        let mut event = Event {
            kind,
            taken: (cell.head >> TAKEN_SHIFT) as u8,
            reason: (cell.head >> REASON_SHIFT) as u16,
            site: cell.site,
            label: cell.label,
            aux: 0,
            value: 0,
        };
        let is_loop = kind == EventKind::Loop as u8;
        if cell.is_long() {
            match self.cells.next() {
                Some(half) => (event.aux, event.value) = (half.head, half.half_value()),
                None => event.kind = 0,
            }
        } else if cell.head & ENTRY != 0 {
            event.aux = cell.site;
            event.site = 0;
            if is_loop {
                match self.loops.get(&event.aux) {
                    Some((site, value)) => (event.site, event.value) = (*site, *value),
                    None => event.kind = 0,
                }
            }
        }
        if is_loop && cell.head & ENTRY == 0 {
            self.loops.insert(event.aux, (event.site, event.value));
        }
        Some(event)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events() -> impl Strategy<Value = Event> {
        let small = || prop_oneof![Just(0), 0..4u32, any::<u32>()];
        let value = prop_oneof![Just(0), 0..3u64, any::<u64>()];
        (0..32u8, any::<u8>(), any::<u16>(), small(), any::<u32>(), small(), value).prop_map(
            |(kind, taken, reason, site, label, aux, value)| Event { kind, taken, reason, site, label, aux, value },
        )
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(events in prop::collection::vec(events(), 0..40)) {
            let mut last = std::collections::HashMap::new();
            let mut cells = Vec::new();
            for event in &events {
                let is_loop = event.kind == EventKind::Loop as u8;
                let here = (event.site, event.value);
                let is_again = is_loop && last.insert(event.aux, here) == Some(here);
                let (first, second) = EventCell::of(event, is_again);
                prop_assert_eq!(first.is_long(), second.is_some());
                cells.push(first);
                cells.extend(second);
            }
            prop_assert_eq!(Events::new(cells.into_iter()).collect::<Vec<_>>(), events);
        }
    }

    #[test]
    fn what_is_raised_is_the_value() {
        let loss = Event { kind: EventKind::Loss as u8, taken: 0, reason: 1, site: 2, label: 0, aux: 0, value: 0 };
        let (first, second) = EventCell::of(&loss, false);
        let mut second = second.unwrap();
        second.raise(u64::from(u32::MAX));
        second.raise(2);
        let read = Events::new([first, second].into_iter()).next().unwrap();
        assert_eq!(read, Event { value: u64::from(u32::MAX) + 2, ..loss });
    }
}
