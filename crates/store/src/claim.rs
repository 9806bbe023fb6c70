//! Work: who does what, and what came of it.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::input::item;
use crate::{Campaign, Divergence, Error, Id, Item, Loss, owner};

/// In which order paths are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// What reached most that is new, first.
    #[default]
    Score,
    /// The same, but first of all what is expanded from its start: inputs that were given, or made by chance.
    Whole,
    /// The same, but first of all what leaves the path of another input.
    Children,
    /// The latest first.
    Latest,
    /// The earliest first.
    Earliest,
    /// Any order, the same each time.
    Random,
}

impl Order {
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Order::Score => "skimmed, score DESC, id",
            Order::Whole => "skimmed, (cut IS NOT NULL), score DESC, id",
            Order::Children => "skimmed, (cut IS NULL), score DESC, id",
            Order::Latest => "skimmed > 1, id DESC",
            Order::Earliest => "skimmed > 1, id",
            Order::Random => "skimmed > 1, hash",
        }
    }
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Run the input in the replay view.
    Replay(Item),
    /// Look for other ways out of its path.
    Expand(Item),
    /// Nothing now, but others are at work, and there may be more when they are done.
    Wait,
    /// Nothing, ever.
    Nothing,
}

/// An edge that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hit {
    /// The edge.
    pub edge: u64,
    /// How often, as a class: more often may be something new too.
    pub often: u8,
}

/// What an edge that nothing had taken before adds to a score, in edges that were taken more or less often than before.
pub const NEW_EDGE: u64 = 64;

/// What is known of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// Nothing.
    New,
    /// Its beginning: the run that was expanded ended too early.
    CutShort,
    /// It has been expanded.
    Expanded,
}

/// What came of an expansion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expanded {
    /// Hash of the path.
    pub path: Vec<u8>,
    /// How many decisions it has.
    pub decisions: usize,
    /// Whether its constraint describes exactly the inputs that take it.
    pub complete: bool,
    /// What to add to statistics.
    pub statistics: Vec<(String, u64)>,
    /// What the path's constraint does not cover.
    pub losses: Vec<Loss>,
    /// Why the run ended before its path did, if so. A run that comes to the end takes its place.
    pub cut_short: Option<String>,
    /// How it left the path that was expected of it, if it did.
    pub diverged: Option<Divergence>,
}

impl Campaign {
    /// Takes work that nobody has.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn claim(&mut self, order: Order) -> Result<Work, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // What is not replayed has no score yet, so all of it comes first.
        let new = next(&transaction, "new", "id")?;
        let found = match new {
            Some(id) => Some((id, true)),
            None => next(&transaction, "queued", order.clause())?.map(|id| (id, false)),
        };
        let work = match found {
            Some((id, is_new)) => {
                transaction.execute("UPDATE inputs SET owner = ?2 WHERE id = ?1", params![id, self.owner])?;
                let item = item(&transaction, id)?;
                if is_new { Work::Replay(item) } else { Work::Expand(item) }
            }
            None => {
                free_what_the_dead_had(&transaction)?;
                let query = "SELECT EXISTS (SELECT 1 FROM inputs WHERE state = 'new')
                    OR EXISTS (SELECT 1 FROM inputs WHERE state = 'queued')";
                if transaction.query_row(query, [], |row| row.get(0))? { Work::Wait } else { Work::Nothing }
            }
        };
        transaction.commit()?;
        Ok(work)
    }

    /// Gives work back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn release(&mut self, id: Id) -> Result<(), Error> {
        self.connection.execute("UPDATE inputs SET owner = NULL WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Notes that an input was replayed, and which edges it took, those left out that are known to be known. Gives a score for
    /// what nothing had taken before. A mutant or an attempt without one is put aside; the paths of all others are to be expanded.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn replayed(&mut self, id: Id, hits: &[Hit], statistics: &[(String, u64)]) -> Result<u64, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut edges, mut classes) = (0, 0);
        for hit in hits {
            let known = "SELECT EXISTS (SELECT 1 FROM edges WHERE edge = ?1)";
            let is_known: bool = transaction.prepare_cached(known)?.query_row([hit.edge], |row| row.get(0))?;
            let mut insert = transaction.prepare_cached("INSERT OR IGNORE INTO edges VALUES (?1, ?2, ?3)")?;
            let new = insert.execute(params![hit.edge, hit.often, id])? as u64;
            edges += u64::from(!is_known);
            classes += if is_known { new } else { 0 };
        }
        let score = edges * NEW_EDGE + classes.min(NEW_EDGE - 1);
        // Asked here and not when it was claimed: meanwhile somebody may have found that it leaves another one's path.
        let is_optional = "SELECT attempt OR cut IS NULL AND parent IS NOT NULL FROM inputs WHERE id = ?1";
        let is_optional: bool = transaction.prepare_cached(is_optional)?.query_row([id], |row| row.get(0))?;
        let state = if is_optional && score == 0 { "aside" } else { "queued" };
        let update = "UPDATE inputs SET state = ?2, score = ?3, owner = NULL WHERE id = ?1 AND state = 'new'";
        transaction.prepare_cached(update)?.execute(params![id, state, score])?;
        count(&transaction, statistics)?;
        transaction.commit()?;
        Ok(score)
    }

    /// Notes that a path was worked on and what came of it; all of it is still to be expanded, from the constraint `next` on.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn paused(&mut self, id: Id, next: usize, statistics: &[(String, u64)]) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        count(&transaction, statistics)?;
        let update = "UPDATE inputs SET skimmed = max(skimmed, 1), next = ?2, owner = NULL WHERE id = ?1";
        transaction.execute(update, params![id, next as u64])?;
        transaction.commit()?;
        Ok(())
    }

    /// Notes that a path was expanded but for decisions that nothing depends on, from the constraint `next` on: those are left
    /// until there is nothing else to do.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn postponed(&mut self, id: Id, next: usize, statistics: &[(String, u64)]) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        count(&transaction, statistics)?;
        let update = "UPDATE inputs SET skimmed = 2, next = ?2, owner = NULL WHERE id = ?1";
        transaction.execute(update, params![id, next as u64])?;
        transaction.commit()?;
        Ok(())
    }

    /// Adds to statistics.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn count(&mut self, statistics: &[(String, u64)]) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        count(&transaction, statistics)?;
        transaction.commit()?;
        Ok(())
    }

    /// What has been expanded of a path.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn knows_path(&self, path: &[u8]) -> Result<Knowledge, Error> {
        let query = "SELECT cut_short IS NULL FROM paths WHERE hash = ?1";
        let is_whole = self.connection.query_row(query, [path], |row| row.get(0)).optional()?;
        Ok(match is_whole {
            None => Knowledge::New,
            Some(false) => Knowledge::CutShort,
            Some(true) => Knowledge::Expanded,
        })
    }

    /// Notes that the path of an input was expanded, unless another process did it at the same time.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn expanded(&mut self, id: Id, expanded: &Expanded) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let is_new = transaction.execute(
            "INSERT INTO paths VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
                SET complete = excluded.complete, cut_short = NULL
                WHERE cut_short IS NOT NULL AND excluded.cut_short IS NULL",
            params![expanded.path, id, expanded.decisions as u64, expanded.complete, expanded.cut_short],
        )?;
        if is_new > 0 {
            count(&transaction, &expanded.statistics)?;
            for loss in &expanded.losses {
                loss.add(&transaction)?;
            }
        }
        expanded.diverged.iter().try_for_each(|divergence| divergence.add(&transaction))?;
        done(&transaction, id)?;
        transaction.commit()?;
        Ok(())
    }

    /// Notes that nothing more is to be done with an input: its path is known, or cannot be had.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn settled(
        &mut self,
        id: Id,
        statistics: &[(String, u64)],
        divergence: Option<Divergence>,
    ) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        count(&transaction, statistics)?;
        divergence.iter().try_for_each(|divergence| divergence.add(&transaction))?;
        done(&transaction, id)?;
        transaction.commit()?;
        Ok(())
    }
}

pub(crate) fn query(state: &str, order: &str) -> String {
    format!("SELECT id FROM inputs WHERE state = '{state}' AND owner IS NULL ORDER BY {order} LIMIT 1")
}

fn next(connection: &Connection, state: &str, order: &str) -> Result<Option<Id>, Error> {
    Ok(connection.prepare_cached(&query(state, order))?.query_row([], |row| row.get(0)).optional()?)
}

fn done(connection: &Connection, id: Id) -> Result<(), Error> {
    connection.execute("UPDATE inputs SET state = 'done', owner = NULL WHERE id = ?1", [id])?;
    Ok(())
}

fn count(connection: &Connection, statistics: &[(String, u64)]) -> Result<(), Error> {
    for (name, value) in statistics.iter().filter(|(_, value)| *value > 0) {
        let add =
            "INSERT INTO statistics VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value";
        connection.prepare_cached(add)?.execute(params![name, value])?;
    }
    Ok(())
}

fn free_what_the_dead_had(connection: &Connection) -> Result<(), Error> {
    let mut statement = connection.prepare("SELECT DISTINCT owner FROM inputs WHERE owner IS NOT NULL")?;
    let owners: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for owner in owners.iter().filter(|owner| !owner::is_alive(owner)) {
        connection.execute("UPDATE inputs SET owner = NULL WHERE owner = ?1", [owner])?;
    }
    Ok(())
}
