//! Paths that tests make.

use expr::{Store, parse_term};
use path::{Completeness, Constraint, Kind, Path, Sizes};

/// A path on standard input with constraints of these kinds, each on a term in the text form.
pub fn path<'a>(constraints: impl IntoIterator<Item = (Kind, &'a str)>) -> Path {
    let mut store = Store::new();
    store.set_part_name(0, "stdin");
    let made = constraints.into_iter().enumerate().map(|(index, (kind, text))| {
        let holds = parse_term(&mut store, text).unwrap();
        // Events lie far enough apart that others find room between them.
        let event = 100 * (index + 1);
        Constraint { holds, subject: holds, kind, site: 0, event, original_holds: holds, original_subject: holds }
    });
    let constraints = made.collect();
    Path {
        store,
        constraints,
        implied: vec![],
        observations: vec![],
        record: Completeness::default(),
        sizes: Sizes::default(),
        lengths: vec![],
    }
}

/// A path with constraints of these kinds, whatever they are on.
pub fn path_of(kinds: &[Kind]) -> Path {
    path(kinds.iter().map(|kind| (kind.clone(), "true")))
}
