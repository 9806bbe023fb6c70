//! The campaign in numbers.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::{Campaign, Error};

/// The cause of a loss: what would have come if the run had not ended.
pub const CUT_SHORT: &str = "cut-short";

/// Something that the constraint of a path does not cover.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Loss {
    /// A word for programs.
    pub cause: String,
    /// For people.
    pub text: String,
    /// File; empty if unknown.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// How often; 0 if that does not apply.
    pub count: u64,
}

impl Loss {
    pub(crate) fn add(&self, connection: &Connection) -> Result<(), Error> {
        connection
            .prepare_cached(
                "INSERT INTO losses VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT (cause, text, file, line) DO UPDATE SET count = count + excluded.count",
            )?
            .execute(params![self.cause, self.text, self.file, self.line, self.count])?;
        Ok(())
    }
}

/// A run that left the path that was expected of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Divergence {
    /// The site of the decision that was not as expected.
    pub site: u32,
    /// Why, a word for programs.
    pub cause: String,
}

impl Divergence {
    pub(crate) fn add(&self, connection: &Connection) -> Result<(), Error> {
        let add = "INSERT INTO divergences VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET count = count + 1";
        connection.prepare_cached(add)?.execute(params![self.site, self.cause])?;
        Ok(())
    }
}

/// A campaign in numbers, all of the same moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Inputs that were made or given, findings' smaller ones left out.
    pub inputs: u64,
    /// Inputs that are still to be replayed.
    pub new: u64,
    /// Inputs whose paths are still to be expanded.
    pub queued: u64,
    /// Inputs that somebody works on.
    pub owned: u64,
    /// Distinct paths.
    pub paths: u64,
    /// Those whose constraint is complete.
    pub complete: u64,
    /// Edges that were taken.
    pub edges: u64,
    /// Findings.
    pub findings: u64,
    /// Most cuts between an input and its seed.
    pub generation: u64,
    /// How many runs left the path that was expected of them, by where and why.
    pub divergences: BTreeMap<Divergence, u64>,
    /// Everything else, by name.
    pub statistics: BTreeMap<String, u64>,
    /// Lengths of the seeds and of mutants.
    pub seed_lengths: Vec<u64>,
}

/// How far a campaign was at one moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    /// After so many seconds of work.
    pub seconds: f64,
    /// Inputs.
    pub inputs: u64,
    /// Inputs that were to be replayed or expanded.
    pub waiting: u64,
    /// Distinct paths.
    pub paths: u64,
    /// Edges that were taken.
    pub edges: u64,
    /// Findings.
    pub findings: u64,
}

impl Counts {
    /// A statistic; 0 if it was never counted.
    pub fn statistic(&self, name: &str) -> u64 {
        self.statistics.get(name).copied().unwrap_or(0)
    }
}

impl Campaign {
    /// The campaign in numbers.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn counts(&mut self) -> Result<Counts, Error> {
        // One transaction sees one moment.
        let transaction = self.connection.transaction()?;
        let number = |query: &str| -> Result<u64, Error> { Ok(transaction.query_row(query, [], |row| row.get(0))?) };
        let counts = Counts {
            inputs: number("SELECT count(*) FROM inputs WHERE state <> 'aside'")?,
            new: number("SELECT count(*) FROM inputs WHERE state = 'new'")?,
            queued: number("SELECT count(*) FROM inputs WHERE state = 'queued'")?,
            owned: number("SELECT count(*) FROM inputs WHERE owner IS NOT NULL")?,
            paths: number("SELECT count(*) FROM paths")?,
            complete: number("SELECT count(*) FROM paths WHERE complete")?,
            edges: number("SELECT count(DISTINCT edge) FROM edges")?,
            findings: number("SELECT count(*) FROM findings")?,
            generation: number("SELECT coalesce(max(generation), 0) FROM inputs")?,
            divergences: {
                let mut statement = transaction.prepare("SELECT site, cause, count FROM divergences")?;
                let rows = statement
                    .query_map([], |row| Ok((Divergence { site: row.get(0)?, cause: row.get(1)? }, row.get(2)?)))?;
                rows.collect::<Result<_, _>>()?
            },
            statistics: {
                let mut statement = transaction.prepare("SELECT name, value FROM statistics")?;
                let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
                rows.collect::<Result<_, _>>()?
            },
            seed_lengths: {
                let mut statement = transaction.prepare(
                    "SELECT DISTINCT coalesce(sum(length(bytes)), 0) AS length FROM inputs
                        LEFT JOIN parts ON input = id
                        WHERE cut IS NULL AND state <> 'aside' GROUP BY id ORDER BY length",
                )?;
                let rows = statement.query_map([], |row| row.get(0))?;
                rows.collect::<Result<_, _>>()?
            },
        };
        Ok(counts)
    }

    /// Notes how far the campaign is.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn sample(&mut self, counts: &Counts) -> Result<(), Error> {
        let seconds = self.now() as f64 / 1e3;
        let insert = "INSERT OR IGNORE INTO samples VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let waiting = counts.new + counts.queued;
        let values = params![seconds, counts.inputs, waiting, counts.paths, counts.edges, counts.findings];
        self.connection.prepare_cached(insert)?.execute(values)?;
        Ok(())
    }

    /// How far the campaign was, the earliest moment first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn samples(&self) -> Result<Vec<Sample>, Error> {
        let query = "SELECT seconds, inputs, waiting, paths, edges, findings FROM samples ORDER BY seconds";
        let mut statement = self.connection.prepare(query)?;
        let rows = statement.query_map([], |row| {
            Ok(Sample {
                seconds: row.get(0)?,
                inputs: row.get(1)?,
                waiting: row.get(2)?,
                paths: row.get(3)?,
                edges: row.get(4)?,
                findings: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The edges that were taken.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn edges(&self) -> Result<Vec<u64>, Error> {
        let mut statement = self.connection.prepare("SELECT DISTINCT edge FROM edges ORDER BY edge")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What the constraints of all paths together do not cover.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn losses(&self) -> Result<Vec<Loss>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT cause, text, file, line, count FROM losses
                    UNION SELECT ?1, cut_short, '', 0, 0 FROM paths WHERE cut_short IS NOT NULL
                    ORDER BY cause, text, count DESC",
        )?;
        let rows = statement.query_map([CUT_SHORT], |row| {
            Ok(Loss { cause: row.get(0)?, text: row.get(1)?, file: row.get(2)?, line: row.get(3)?, count: row.get(4)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
