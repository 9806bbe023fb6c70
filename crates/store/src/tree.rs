//! Paths as a tree: each one hangs on the path that it left.

use std::collections::HashMap;

use crate::{Campaign, Error, Id};

/// A path in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The first input that took it.
    pub input: Id,
    /// Index of the path that it left, which comes before; nothing if it starts from a seed.
    pub parent: Option<usize>,
    /// Where it left that path; nothing if it was made by chance, or given.
    pub site: Option<u32>,
    /// How many decisions it has.
    pub decisions: u64,
    /// Whether its constraint covers everything.
    pub complete: bool,
}

impl Campaign {
    /// The first paths, those that others left before them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn tree(&self, most: usize) -> Result<Vec<Branch>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT paths.input, inputs.parent, inputs.site, decisions, complete
                FROM paths JOIN inputs ON inputs.id = paths.input ORDER BY paths.input LIMIT ?1",
        )?;
        let mut parent = self.connection.prepare("SELECT parent FROM inputs WHERE id = ?1")?;
        let mut places: HashMap<Id, usize> = HashMap::new();
        let mut branches: Vec<Branch> = Vec::new();
        let mut rows = statement.query([most as u64])?;
        while let Some(row) = rows.next()? {
            let input: Id = row.get(0)?;
            let mut ancestor: Option<Id> = row.get(1)?;
            // An input whose path was known hangs between two that have paths of their own.
            let left = loop {
                let Some(id) = ancestor else { break None };
                if let Some(place) = places.get(&id) {
                    break Some(*place);
                }
                ancestor = parent.query_row([id], |row| row.get(0))?;
            };
            places.insert(input, branches.len());
            branches.push(Branch {
                input,
                parent: left,
                site: row.get(2)?,
                decisions: row.get(3)?,
                complete: row.get(4)?,
            });
        }
        Ok(branches)
    }
}
