//! Inputs, each kept once.

use rusqlite::{Connection, OptionalExtension, params};

use crate::{Campaign, Error};

/// Number of an input in its campaign. Later inputs have higher numbers.
pub type Id = i64;

/// An input of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of an input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Part {
    /// What it is; the campaign does not look at it.
    pub kind: u8,
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Input {
    /// What tells it from every other input.
    fn hash(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for part in &self.parts {
            hasher.update(&[part.kind]);
            for piece in [part.name.as_bytes(), &part.bytes] {
                hasher.update(&(piece.len() as u64).to_le_bytes()).update(piece);
            }
        }
        *hasher.finalize().as_bytes()
    }
}

/// Where an input leaves the path of another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The other input.
    pub parent: Id,
    /// How many decisions are expected of the input: those that it shares with the other one, and the one where it leaves. Not
    /// constraints: inputs that decide the same may differ in what is pinned on the way.
    pub decisions: usize,
    /// Where the last of them is in the program.
    pub site: u32,
    /// Hash of these decisions.
    pub expected: Vec<u8>,
}

/// An input with all that is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its number.
    pub id: Id,
    /// The input.
    pub input: Input,
    /// Where it comes from; nothing if it is a seed.
    pub cut: Option<Cut>,
    /// The input that it was made from, if it was.
    pub parent: Option<Id>,
    /// Whether it counts only if it reaches something new, though it leaves the path of another one.
    pub is_attempt: bool,
    /// How many cuts lie between it and its seed.
    pub generation: u64,
    /// For what it reached that nothing had reached before.
    pub score: u64,
    /// Whether what promises most on its path has been decided.
    pub skimmed: bool,
    /// Whether only what nothing depends on is left to be decided.
    pub postponed: bool,
    /// The first constraint of its path that is not decided.
    pub next: usize,
    /// When it was made, in milliseconds of the campaign's own time.
    pub time: u64,
    /// Whether it is known what it violates.
    pub checked: bool,
}

impl Item {
    /// Whether it was made from another one without regard to its path.
    pub fn is_mutant(&self) -> bool {
        self.cut.is_none() && self.parent.is_some()
    }
}

impl Campaign {
    /// Adds an input to start from. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_seed(&mut self, input: &Input) -> Result<bool, Error> {
        let now = self.now();
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let (_, is_new) = add(&transaction, input, "new", &Origin::Given, 0, now)?;
        transaction.commit()?;
        Ok(is_new)
    }

    /// Adds an input that was made from another one without regard to its path. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_mutant(&mut self, input: &Input, parent: Id) -> Result<bool, Error> {
        self.add_from(input, parent, &Origin::Mutant(parent))
    }

    /// Adds an input that leaves the path of another one. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_child(&mut self, input: &Input, cut: &Cut) -> Result<bool, Error> {
        self.add_from(input, cut.parent, &Origin::Cut(cut))
    }

    /// Adds an input that leaves the path of another one, and counts only if it reaches something new. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_attempt(&mut self, input: &Input, cut: &Cut) -> Result<bool, Error> {
        self.add_from(input, cut.parent, &Origin::Attempt(cut))
    }

    fn add_from(&mut self, input: &Input, parent: Id, origin: &Origin) -> Result<bool, Error> {
        let now = self.now();
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let query = "SELECT generation FROM inputs WHERE id = ?1";
        let generation: u64 = transaction.prepare_cached(query)?.query_row([parent], |row| row.get(0))?;
        let (_, is_new) = add(&transaction, input, "new", origin, generation.saturating_add(1), now)?;
        transaction.commit()?;
        Ok(is_new)
    }

    /// The input with this number.
    ///
    /// # Errors
    /// If there is none.
    pub fn item(&self, id: Id) -> Result<Item, Error> {
        item(&self.connection, id)
    }

    /// The seed that an input goes back to.
    ///
    /// # Errors
    /// If there is no such input.
    pub fn root(&self, id: Id) -> Result<Id, Error> {
        let query = "WITH RECURSIVE line (id, parent) AS (
                SELECT id, parent FROM inputs WHERE id = ?1
                UNION ALL SELECT inputs.id, inputs.parent FROM inputs, line WHERE inputs.id = line.parent
            ) SELECT id FROM line WHERE parent IS NULL";
        Ok(self.connection.query_row(query, [id], |row| row.get(0))?)
    }

    /// The inputs behind one with a number that reached something new, and the seeds.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn interesting(&self, after: Id) -> Result<Vec<Item>, Error> {
        let query = "SELECT id FROM inputs
            WHERE id > ?1 AND state <> 'aside' AND (score > 0 OR parent IS NULL) ORDER BY id";
        let mut statement = self.connection.prepare_cached(query)?;
        let ids: Vec<Id> = statement.query_map([after], |row| row.get(0))?.collect::<Result<_, _>>()?;
        ids.into_iter().map(|id| self.item(id)).collect()
    }
}

impl Campaign {
    /// Notes that it is known what an input violates.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn checked(&mut self, id: Id) -> Result<(), Error> {
        self.connection.prepare_cached("UPDATE inputs SET checked = 1 WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    /// Notes that an input takes too long.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn hangs_with(&mut self, id: Id) -> Result<(), Error> {
        self.connection.execute("UPDATE inputs SET hung = 1 WHERE id = ?1", [id])?;
        Ok(())
    }

    /// The inputs that take too long.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn hangs(&self) -> Result<Vec<Item>, Error> {
        let mut statement = self.connection.prepare("SELECT id FROM inputs WHERE hung ORDER BY id")?;
        let ids: Vec<Id> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        ids.into_iter().map(|id| self.item(id)).collect()
    }
}

/// Where an input comes from.
pub(crate) enum Origin<'a> {
    /// Somebody gave it.
    Given,
    /// It leaves the path of another one.
    Cut(&'a Cut),
    /// The same, if it reaches something new.
    Attempt(&'a Cut),
    /// It was made from another one.
    Mutant(Id),
}

/// Adds an input in a state. One that was put aside and is wanted now leaves that state; one that would be put aside if it reached
/// nothing new is wanted whatever it reaches.
pub(crate) fn add(
    connection: &Connection,
    input: &Input,
    state: &str,
    origin: &Origin,
    generation: u64,
    time: u64,
) -> Result<(Id, bool), Error> {
    let hash = input.hash();
    // A mutant or an attempt that waits for its run is put aside if that reaches nothing new.
    let known: Option<(Id, String, bool, bool)> = connection
        .prepare_cached(
            "SELECT id, state, checked, state = 'new' AND (attempt OR cut IS NULL AND parent IS NOT NULL)
                FROM inputs WHERE hash = ?1",
        )?
        .query_row([&hash[..]], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let (parent, cut) = match origin {
        Origin::Given => (None, None),
        Origin::Cut(cut) | Origin::Attempt(cut) => (Some(cut.parent), Some(cut)),
        Origin::Mutant(parent) => (Some(*parent), None),
    };
    let decisions = cut.map(|cut| cut.decisions as u64);
    let (site, expected) = (cut.map(|cut| cut.site), cut.map(|cut| &cut.expected));
    let is_attempt = matches!(origin, Origin::Attempt(_));
    if let Some((id, known, is_checked, is_waiting)) = known {
        let is_optional = matches!(origin, Origin::Mutant(_) | Origin::Attempt(_));
        // What was run and put aside for what it did not reach reaches no more now.
        let is_wanted_now = known == "aside" && state != "aside" && !(is_optional && is_checked);
        let is_wanted_anyway = is_waiting && state == "new" && !is_optional;
        if is_wanted_now || is_wanted_anyway {
            // What is known about a mutant that was put aside is not found out again.
            let update = "UPDATE inputs SET state = CASE WHEN checked AND ?2 = 'new' THEN 'queued' ELSE ?2 END,
                parent = ?3, cut = ?4, site = ?5, expected = ?6, generation = ?7, attempt = ?8 WHERE id = ?1";
            connection
                .execute(update, params![id, state, parent, decisions, site, expected, generation, is_attempt])?;
        }
        return Ok((id, is_wanted_now || is_wanted_anyway));
    }
    connection
        .prepare_cached(
            "INSERT INTO inputs (hash, state, parent, cut, site, expected, generation, time, attempt)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![&hash[..], state, parent, decisions, site, expected, generation, time, is_attempt])?;
    let id = connection.last_insert_rowid();
    for (place, part) in input.parts.iter().enumerate() {
        connection.prepare_cached("INSERT INTO parts VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(params![
            id,
            place as u64,
            part.kind,
            part.name,
            part.bytes
        ])?;
    }
    Ok((id, true))
}

pub(crate) fn item(connection: &Connection, id: Id) -> Result<Item, Error> {
    let query = "SELECT parent, cut, site, expected, generation, skimmed, next, time, score, checked, attempt FROM inputs WHERE id = ?1";
    let mut item = connection.prepare_cached(query)?.query_row([id], |row| {
        let cut = match (row.get(0)?, row.get::<_, Option<u64>>(1)?, row.get(2)?, row.get(3)?) {
            (Some(parent), Some(decisions), Some(site), Some(expected)) => {
                Some(Cut { parent, decisions: usize::try_from(decisions).unwrap_or(usize::MAX), site, expected })
            }
            _ => None,
        };
        let next = usize::try_from(row.get::<_, u64>(6)?).unwrap_or(usize::MAX);
        Ok(Item {
            id,
            input: Input::default(),
            cut,
            parent: row.get(0)?,
            generation: row.get(4)?,
            score: row.get(8)?,
            skimmed: row.get::<_, i64>(5)? > 0,
            postponed: row.get::<_, i64>(5)? > 1,
            next,
            time: row.get(7)?,
            checked: row.get(9)?,
            is_attempt: row.get(10)?,
        })
    })?;
    let mut statement =
        connection.prepare_cached("SELECT kind, name, bytes FROM parts WHERE input = ?1 ORDER BY place")?;
    let parts =
        statement.query_map([id], |row| Ok(Part { kind: row.get(0)?, name: row.get(1)?, bytes: row.get(2)? }))?;
    item.input.parts = parts.collect::<Result<_, _>>()?;
    Ok(item)
}
