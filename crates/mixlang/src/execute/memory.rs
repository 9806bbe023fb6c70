//! References: figure 3 of the paper. Aliases are left to the solver.

use expr::Term;

use crate::analysis::Analysis;
use crate::execute::state::{Inconsistent, Path, State};
use crate::execute::values::{Sym, WORD, from_word, to_word};
use crate::parse::MAX_DEPTH;
use crate::rules::Premise;
use crate::span::Span;
use crate::types::Type;
use crate::verdict::Cause;

impl Analysis<'_> {
    /// SEREF: a new cell.
    pub(super) fn allocate(&mut self, mut state: State, cell: Option<&Type>, first: &Sym, span: Span) -> Vec<Path> {
        if let Some(ty) = cell
            && let Err(path) = self.demand(&state, first, ty, "SEREF", span)
        {
            return vec![*path];
        }
        let ty = cell.cloned().unwrap_or_else(|| self.with_arrow(&first.ty));
        if ty.depth() >= MAX_DEPTH {
            return vec![Path::unfinished(state, span, "references are nested too deeply")];
        }
        let earlier = if self.rules.need(Premise::FreshLocation) { state.allocations } else { 0 };
        let Some(address) = self.encoding.allocated(&ty, earlier) else {
            return vec![Path::unfinished(state, span, "there are too many types of cells")];
        };
        state.allocations += 1;
        let address = self.store.small(WORD, address);
        let word = to_word(&mut self.store, first);
        state.memory.cells = self.store.store(state.memory.cells, address, word);
        vec![Path::value(state, Sym { ty: ty.reference(), term: address })]
    }

    /// SEASSIGN: any value may be written; what is not of the cell's type is remembered.
    pub(super) fn write(
        &mut self,
        mut state: State,
        (place, place_span): (&Sym, Span),
        new: &Sym,
        span: Span,
    ) -> Vec<Path> {
        let Type::Ref(cell) = &place.ty else {
            let message = format!("`:=` writes to a reference, not to {}", place.ty);
            return self.wrong_here(state, "SEASSIGN", place_span, message);
        };
        let fits = self.has_type(&state, new, cell);
        // OVERWRITE-OK: what the cell held before does not matter any more. A write that does not fit takes its place.
        let mut still = Vec::new();
        for earlier in std::mem::take(&mut state.memory.inconsistent) {
            let same = self.rules.need(Premise::SameLocation);
            if same && !self.is_same(&state, earlier.address.term, place.term) {
                still.push(earlier);
            }
        }
        state.memory.inconsistent = still;
        if !fits {
            let found = match &new.ty {
                Type::Int(_) => self.described_integer(new),
                other => other.to_string(),
            };
            let what = format!("{found} is written to a cell of {cell}");
            let guard = self.store.bool(true);
            state.memory.inconsistent.push(Inconsistent { address: place.clone(), guard, span, what });
        }
        if self.rules.need(Premise::LoggedWrite) {
            let word = to_word(&mut self.store, new);
            state.memory.cells = self.store.store(state.memory.cells, place.term, word);
        }
        vec![Path::value(state, new.clone())]
    }

    /// SEDEREF: the type of what is read is the pointer's, so the cell must not be one of the inconsistent ones.
    pub(super) fn read(&mut self, mut state: State, place: &Sym, span: Span) -> Vec<Path> {
        let Type::Ref(cell) = &place.ty else {
            return self.wrong_here(state, "SEDEREF", span, format!("`!` takes a reference, not {}", place.ty));
        };
        if self.rules.need(Premise::ConsistentRead) {
            for write in state.memory.inconsistent.clone() {
                let hit = self.store.eq(write.address.term, place.term);
                let hit = self.store.and(hit, write.guard);
                if let Some(state) = self.narrowed(&state, hit) {
                    let rejection = self
                        .reject(
                            "SEDEREF",
                            Cause::Memory,
                            span,
                            "the cell may hold a value that is not of the cell's type",
                        )
                        .related(write.span, write.what.clone())
                        .help("write a value of the cell's type before reading it, or use `var`");
                    return vec![Path::rejected(state, rejection)];
                }
            }
        }
        let word = self.store.select(state.memory.cells, place.term);
        let term = from_word(&mut self.store, cell, word);
        self.assume_type(&mut state, cell, term);
        let ty = cell.without_sign();
        vec![Path::value(state, Sym { ty, term })]
    }

    /// ⊢ m ok: the first write that spoils it, with the state narrowed to where it does.
    pub fn spoiled(&mut self, state: &State) -> Option<(Inconsistent, State)> {
        for write in &state.memory.inconsistent {
            if let Some(state) = self.narrowed(state, write.guard) {
                return Some((write.clone(), state));
            }
        }
        None
    }

    /// Whether two addresses are the same wherever the path condition holds.
    fn is_same(&mut self, state: &State, a: Term, b: Term) -> bool {
        let equal = self.store.eq(a, b);
        self.is_valid(state, equal)
    }
}
