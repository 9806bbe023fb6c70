//! The border between symbolic values and types.

use crate::memory::{Contents, Default as Found};
use crate::state::State;
use crate::value::{RegionId, Value};
use crate::{Executor, Outflow};
use ir::{CellId, Cells, Set, SiteId};
use std::rc::Rc;

impl Executor<'_> {
    /// Whether a cell may hold null, by the types or by what this execution has told them.
    pub fn cell_is_null(&self, cell: CellId) -> bool {
        self.execution.outflows.contains_key(&Outflow::Cell(cell)) || self.types.cell_is_null(cell)
    }

    /// Tells the types where null goes.
    pub fn tell(&mut self, outflow: Outflow, site: SiteId) {
        if let Outflow::Cell(cell) = outflow
            && self.types.cell_is_never_null(cell)
        {
            return;
        }
        self.execution.outflows.entry(outflow).or_insert(site);
    }

    /// Tells the types which of the cells that they care about can be null.
    pub fn tell_memory(&mut self, state: &State, cares: impl Fn(CellId) -> bool, site: SiteId) {
        for (region, contents) in &state.memory {
            for (at, slot) in contents.slots.iter().filter(|(_, slot)| slot.dirty && slot.bytes >= 8) {
                for (distance, word) in self.words(slot.value) {
                    self.tell_slot(state, *region, Some(at.saturating_add(distance)), word, &cares, site);
                }
            }
            let all = self.cells_at(*region, None);
            if !all.iter().any(|cell| cares(*cell)) {
                continue;
            }
            for (_, slot) in contents.indexed.iter().filter(|(_, slot)| slot.dirty && slot.bytes >= 8) {
                for (_, word) in self.words(slot.value) {
                    self.tell_slot(state, *region, None, word, &|_| true, site);
                }
            }
            if self.info(*region).default == Found::Zeros {
                self.tell_zeros(*region, contents, &cares, site);
            }
        }
    }

    /// What may be pointers in a value, and how many bytes from its start.
    pub fn words(&mut self, value: Value) -> Vec<(u64, Value)> {
        match value {
            Value::Bits(term) if self.store.width(term) > 64 => {
                let starts = (0..self.store.width(term) / 64).map(|word| u32::from(word) * 64);
                starts.map(|low| (u64::from(low / 8), Value::Bits(self.store.extract(term, low, 64)))).collect()
            }
            value => vec![(0, value)],
        }
    }

    /// Tells the types about all memory where a path ends before its block does: handlers that run at the end of the
    /// program, and code that is jumped to, may look at it.
    pub fn tell_the_rest(&mut self, state: &State, site: SiteId) {
        const HANDLERS: [&str; 10] = [
            "atexit",
            "on_exit",
            "at_quick_exit",
            "__cxa_atexit",
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__longjmp_chk",
            "__builtin_longjmp",
            "pthread_exit",
        ];
        let functions = &self.subject.program.functions;
        let has_destructors = !self.subject.program.constructors.is_empty();
        if has_destructors
            || functions.iter().any(|function| HANDLERS.contains(&function.name.as_str()) && !function.has_code())
        {
            self.tell_memory(state, |_| true, site);
        }
    }

    /// Memory that was allocated as zeros is null where nothing else was written.
    pub fn tell_zeros(&mut self, region: RegionId, contents: &Contents, cares: &impl Fn(CellId) -> bool, site: SiteId) {
        let zeros: Vec<CellId> = self.zeros_left(region, contents).into_iter().filter(|cell| cares(*cell)).collect();
        zeros.into_iter().for_each(|cell| self.tell(Outflow::Cell(cell), site));
    }

    fn tell_slot(
        &mut self,
        state: &State,
        region: RegionId,
        at: Option<u64>,
        value: Value,
        cares: &impl Fn(CellId) -> bool,
        site: SiteId,
    ) {
        // An integer that is never used as a pointer says nothing, but nobody knows that of a cell that may point.
        let cells: Vec<CellId> = self.cells_at(region, at).into_iter().filter(|cell| cares(*cell)).collect();
        let is_open = |cell: &CellId| !self.types.cell_is_never_null(*cell) && !self.cell_is_null(*cell);
        let open: Vec<CellId> = cells.into_iter().filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        if let Value::Bits(_) = value
            && open.iter().all(|cell| self.subject.points_to.contents(*cell).is_empty())
        {
            return self.tell_if_zero(&open, value, site);
        }
        if self.can_be_null(state, value) {
            open.into_iter().for_each(|cell| self.tell(Outflow::Cell(cell), site));
        }
    }

    /// For cells that hold integers, as far as is known: only a constant 0 could be meant as a pointer.
    fn tell_if_zero(&mut self, cells: &[CellId], value: Value, site: SiteId) {
        let null = self.null_condition(value);
        if self.is_true(null) {
            cells.iter().for_each(|cell| self.tell(Outflow::Cell(*cell), site));
        }
    }

    /// Forgets what code that goes by types may write.
    pub fn forget(&mut self, state: &mut State, written: &Cells) {
        Rc::make_mut(&mut state.changed).add_all(written);
        let regions: Vec<RegionId> = state.memory.keys().copied().collect();
        for region in regions {
            let all = self.cells_at(region, None);
            let changed: Vec<u32> = all.iter().filter(|cell| written.contains(**cell)).map(|cell| cell.0).collect();
            if changed.is_empty() {
                continue;
            }
            let Some(contents) = state.memory.get(&region).cloned() else { continue };
            let mut kept = (*contents).clone();
            let gone: Vec<u64> = kept
                .slots
                .iter()
                .filter(|(at, slot)| {
                    let cells = self.cells_in(region, Some(**at), slot.bytes);
                    cells.iter().any(|cell| written.contains(*cell))
                })
                .map(|(at, _)| *at)
                .collect();
            for at in gone {
                kept.slots.remove(&at);
            }
            kept.indexed.clear();
            let more: Set = kept.changed.iter().chain(changed).collect();
            kept.changed = Rc::new(more);
            state.memory.insert(region, Rc::new(kept));
        }
    }
}
