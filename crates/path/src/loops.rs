//! The loops that a run went through, as far as conditions on input decided about them.
//!
//! An *entry* is one time that a loop was entered. Its iterations are counted from 0. What happens in the first iteration, and
//! the decision whether there is one, belongs to iteration 0; the decision whether another one follows belongs to that one.

use std::ops::Range;

use rustc_hash::FxHashSet;
use trace::layout::{Event, EventKind, Label};
use trace::reader::{Trace, event_kind};
use trace::sites::SiteTable;

/// The entries of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// In the order in which they began.
    pub entries: Vec<Entry>,
    /// For each event the innermost entry that it lies in, as its index plus one; empty if there are no entries.
    innermost: Vec<u32>,
}

/// One time that a loop was entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The loop's index in the site table.
    pub number: u32,
    /// The entry that it lies in, by index.
    pub parent: Option<usize>,
    /// The events in it.
    pub events: Range<usize>,
    /// Where later iterations begin: the event, and the iteration. In order.
    iterations: Vec<(usize, u32)>,
    /// The nodes that were made in iterations behind the first.
    pub nodes: Range<Label>,
}

impl Entry {
    /// The iteration that an event in it belongs to.
    pub fn iteration(&self, event: usize) -> u32 {
        let before = self.iterations.partition_point(|(start, _)| *start <= event);
        before.checked_sub(1).and_then(|last| self.iterations.get(last)).map_or(0, |(_, iteration)| *iteration)
    }

    /// The event with which it is decided about a second iteration, if it is.
    pub fn second_iteration(&self) -> Option<usize> {
        self.iterations.first().map(|(event, _)| *event)
    }
}

impl Loops {
    /// The entries of a traced run.
    pub fn of(trace: &Trace, sites: &SiteTable) -> Loops {
        let mut builder = Builder::default();
        for (index, event) in trace.events().iter().enumerate() {
            builder.event(index, event, sites);
        }
        builder.finish(trace.events().len(), trace.nodes().len() as Label)
    }

    /// The entries that an event lies in, innermost first, each with the iteration.
    pub fn around(&self, event: usize) -> impl Iterator<Item = (usize, u32)> {
        let innermost = self.innermost.get(event).and_then(|entry| entry.checked_sub(1));
        let chain = std::iter::successors(innermost.map(|entry| entry as usize), |entry| {
            // Outside comes before within, so this ends.
            self.entries.get(*entry)?.parent.filter(|parent| parent < entry)
        });
        chain.filter_map(move |index| Some((index, self.entries.get(index)?.iteration(event))))
    }
}

#[derive(Default)]
struct Builder {
    loops: Loops,
    /// Entries that have not ended, innermost last.
    open: Vec<Open>,
    /// What events have called entries so far.
    names: FxHashSet<u32>,
}

struct Open {
    /// What events call it.
    name: u32,
    index: usize,
    last_condition: Option<u64>,
    iteration: u32,
}

impl Builder {
    fn event(&mut self, index: usize, event: &Event, sites: &SiteTable) {
        match event_kind(event.kind) {
            Some(EventKind::Loop) => self.condition(index, event, sites),
            Some(EventKind::Leave) => self.leave(event.aux, index, event.label),
            _ => {}
        }
        if let Some(last) = self.open.last() {
            if self.loops.innermost.is_empty() {
                self.loops.innermost = vec![0; index];
            }
            self.loops.innermost.push(last.index as u32 + 1);
        } else if !self.loops.innermost.is_empty() {
            self.loops.innermost.push(0);
        }
    }

    fn condition(&mut self, index: usize, event: &Event, sites: &SiteTable) {
        let (number, condition) = (event.value as u32, event.value >> 32);
        if !self.open.iter().any(|open| open.name == event.aux) {
            // A name that was there before would be an entry that ended: only a damaged trace has that.
            if !self.names.insert(event.aux) {
                return;
            }
            let parent = self.open.last().map(|open| open.index);
            let first = self.loops.entries.len();
            let events = index..usize::MAX;
            self.loops.entries.push(Entry { number, parent, events, iterations: Vec::new(), nodes: 0..0 });
            self.open.push(Open { name: event.aux, index: first, last_condition: None, iteration: 0 });
        }
        while self.open.last().is_some_and(|open| open.name != event.aux) {
            let Some(last) = self.open.last().map(|open| open.name) else { return };
            self.leave(last, index, event.label);
        }
        let Some(open) = self.open.last_mut() else { return };
        if open.last_condition.is_some_and(|last| condition <= last) {
            open.iteration = open.iteration.saturating_add(1);
        }
        open.last_condition = Some(condition);
        let closes = sites.loops.get(number as usize).and_then(|found| found.closes.get(condition as usize));
        let iteration = open.iteration.saturating_add(u32::from(closes == Some(&true)));
        let Some(entry) = self.loops.entries.get_mut(open.index) else { return };
        if iteration > 0 {
            if entry.iterations.is_empty() {
                entry.nodes = event.label.saturating_add(1)..Label::MAX;
            }
            entry.iterations.push((index, iteration));
        }
    }

    /// Ends an entry, and what is still open in it.
    fn leave(&mut self, name: u32, index: usize, last_node: Label) {
        let Some(from) = self.open.iter().position(|open| open.name == name) else { return };
        for open in self.open.drain(from..) {
            end(&mut self.loops.entries, open.index, index, last_node.saturating_add(1));
        }
    }

    fn finish(mut self, events: usize, nodes: Label) -> Loops {
        for open in self.open.drain(..) {
            end(&mut self.loops.entries, open.index, events, nodes);
        }
        self.loops
    }
}

fn end(entries: &mut [Entry], index: usize, event: usize, nodes: Label) {
    if let Some(entry) = entries.get_mut(index) {
        entry.events.end = event;
        entry.nodes.end = nodes.max(entry.nodes.start);
        if entry.iterations.is_empty() {
            entry.nodes = 0..0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::sites::Loop;

    fn loops(closes: &[bool], events: &str) -> Loops {
        let found = Loop { site: 1, closes: closes.to_vec(), shrinks: false, leaves: None };
        let sites = SiteTable { loops: vec![found.clone(), found], ..SiteTable::default() };
        let text = format!(
            "trace ended\npart stdin 0x9 name=stdin\n%1 = input i8 part0 0x0 -> 0x47\n\
            %2 = ult i1 0x0 %1 -> 0x1\n%3 = ult i1 0x1 %1 -> 0x1\n%4 = ult i1 0x2 %1 -> 0x1\n{events}"
        );
        Loops::of(&trace::text::parse(&text).unwrap(), &sites)
    }

    const THREE: &str = "loop %1 0x0 entry=1 site=1\nbranch %2 taken site=1\n\
        loop %2 0x0 entry=1 site=1\nbranch %3 taken site=1\nloop %3 0x0 entry=1 site=1\nbranch %4 taken site=1\n\
        leave %4 0x0 entry=1 site=0\nbranch %2 taken site=2\n";

    fn iterations(loops: &Loops, events: usize) -> Vec<Option<u32>> {
        (0..events).map(|event| loops.around(event).next().map(|(_, iteration)| iteration)).collect()
    }

    #[test]
    fn conditions_before_the_body_belong_to_their_iteration() {
        let loops = loops(&[false], THREE);
        let expected = [Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), None, None];
        assert_eq!(iterations(&loops, 8), expected);
        assert_eq!(loops.entries.first().map(|entry| entry.nodes.clone()), Some(3..5));
    }

    #[test]
    fn conditions_behind_the_body_belong_to_the_next_iteration() {
        let loops = loops(&[true], THREE);
        assert_eq!(iterations(&loops, 8), [Some(1), Some(1), Some(2), Some(2), Some(3), Some(3), None, None]);
        assert_eq!(loops.entries.first().map(|entry| entry.nodes.clone()), Some(2..5));
    }

    #[test]
    fn loops_lie_in_loops() {
        let loops = loops(
            &[false],
            "loop %1 0x0 entry=1 site=1\nloop %1 0x1 entry=2 site=1\nbranch %2 taken site=1\n\
            loop %1 0x0 entry=1 site=1\nbranch %3 taken site=1\n",
        );
        assert_eq!(loops.around(2).collect::<Vec<_>>(), [(1, 0), (0, 0)]);
        assert_eq!(loops.around(4).collect::<Vec<_>>(), [(0, 1)], "what is not left is left with what it lies in");
    }
}
