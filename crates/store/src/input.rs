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
    /// Index of the constraint.
    pub constraint: usize,
    /// Where that is in the program.
    pub site: u32,
    /// Hash of the decisions that the input is expected to make, up to that constraint.
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
    /// How many cuts lie between it and its seed.
    pub generation: u64,
}

impl Campaign {
    /// Adds an input to start from. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_seed(&mut self, input: &Input) -> Result<bool, Error> {
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let (_, is_new) = add(&transaction, input, "new", None, 0)?;
        transaction.commit()?;
        Ok(is_new)
    }

    /// Adds an input that leaves the path of another one. Says whether it is new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_child(&mut self, input: &Input, cut: &Cut) -> Result<bool, Error> {
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let query = "SELECT generation FROM inputs WHERE id = ?1";
        let generation: u64 = transaction.query_row(query, [cut.parent], |row| row.get(0))?;
        let (_, is_new) = add(&transaction, input, "new", Some(cut), generation.saturating_add(1))?;
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

    /// The inputs from which new edges were reached first, with how many those were, and the seeds.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn interesting(&self) -> Result<Vec<(Item, u64)>, Error> {
        let query = "SELECT id, score FROM inputs
            WHERE state <> 'aside' AND (score > 0 OR parent IS NULL) ORDER BY id";
        let mut statement = self.connection.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let ids: Vec<(Id, u64)> = rows.collect::<Result<_, _>>()?;
        ids.into_iter().map(|(id, score)| Ok((self.item(id)?, score))).collect()
    }
}

/// Adds an input in a state. One that was put aside and is wanted now leaves that state.
pub(crate) fn add(
    connection: &Connection,
    input: &Input,
    state: &str,
    cut: Option<&Cut>,
    generation: u64,
) -> Result<(Id, bool), Error> {
    let hash = input.hash();
    let known: Option<(Id, String)> = connection
        .prepare_cached("SELECT id, state FROM inputs WHERE hash = ?1")?
        .query_row([&hash[..]], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let parent = cut.map(|cut| cut.parent);
    let constraint = cut.map(|cut| cut.constraint as u64);
    let (site, expected) = (cut.map(|cut| cut.site), cut.map(|cut| &cut.expected));
    if let Some((id, known)) = known {
        let is_wanted_now = known == "aside" && state != "aside";
        if is_wanted_now {
            let update = "UPDATE inputs SET state = ?2, parent = ?3, cut = ?4, site = ?5, expected = ?6,
                generation = ?7 WHERE id = ?1";
            connection.execute(update, params![id, state, parent, constraint, site, expected, generation])?;
        }
        return Ok((id, is_wanted_now));
    }
    connection
        .prepare_cached(
            "INSERT INTO inputs (hash, state, parent, cut, site, expected, generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![&hash[..], state, parent, constraint, site, expected, generation])?;
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
    let query = "SELECT parent, cut, site, expected, generation FROM inputs WHERE id = ?1";
    let (cut, generation) = connection.prepare_cached(query)?.query_row([id], |row| {
        let cut = match (row.get(0)?, row.get::<_, Option<u64>>(1)?, row.get(2)?, row.get(3)?) {
            (Some(parent), Some(constraint), Some(site), Some(expected)) => {
                Some(Cut { parent, constraint: usize::try_from(constraint).unwrap_or(usize::MAX), site, expected })
            }
            _ => None,
        };
        Ok((cut, row.get(4)?))
    })?;
    let mut statement =
        connection.prepare_cached("SELECT kind, name, bytes FROM parts WHERE input = ?1 ORDER BY place")?;
    let parts =
        statement.query_map([id], |row| Ok(Part { kind: row.get(0)?, name: row.get(1)?, bytes: row.get(2)? }))?;
    Ok(Item { id, input: Input { parts: parts.collect::<Result<_, _>>()? }, cut, generation })
}
