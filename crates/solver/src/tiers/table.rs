//! What is known of some of a store's terms.

use expr::Term;

/// Something about some terms. A long path has very many terms, and most of them nobody ever asks about: these take four bytes.
pub(crate) struct Table<T> {
    /// By index of term: one more than the place in `values`, or 0.
    places: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { places: Vec::new(), values: Vec::new() }
    }
}

impl<T> Table<T> {
    fn place(&self, term: Term) -> Option<usize> {
        (self.places.get(term.index()).copied()? as usize).checked_sub(1)
    }

    /// What is known of a term.
    pub(crate) fn get(&self, term: Term) -> Option<&T> {
        self.values.get(self.place(term)?)
    }

    /// Says what is known of a term from now on.
    pub(crate) fn insert(&mut self, term: Term, value: T) {
        if let Some(known) = self.place(term).and_then(|place| self.values.get_mut(place)) {
            *known = value;
            return;
        }
        if self.places.len() <= term.index() {
            self.places.resize(term.index() + 1, 0);
        }
        self.values.push(value);
        self.places[term.index()] = self.values.len() as u32;
    }
}
