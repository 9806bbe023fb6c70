//! Campaigns: everything that a search knows, in one SQLite file; and [`Suite`]s of tests, what came of each.
//!
//! A [`Campaign`] is opened by any number of threads and processes at a time. Each takes [`Work`] that no other one has; work
//! that a process had when it died is taken again. Every call is one transaction, so whatever is killed at whatever moment,
//! what the file says is true: an input is done only together with all that came of it.

mod claim;
mod counts;
mod error;
mod findings;
mod input;
mod owner;
mod schema;
mod suite;
mod tree;

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior, params};

pub use self::claim::{Expanded, Hit, Knowledge, NEW_EDGE, Order, Work};
pub use self::counts::{CUT_SHORT, Counts, Divergence, Loss, Sample};
pub use self::error::Error;
pub use self::findings::Finding;
pub use self::input::{Cut, Id, Input, Item, Part};
pub use self::suite::{Claim, Done, Name, Pair, Suite};
pub use self::tree::Branch;

/// How long a transaction waits for those of others.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long after a refusal it is tried again to change the journal.
const PAUSE: Duration = Duration::from_millis(20);

/// Lets readers and a writer work at the same time. Whoever is first makes the change for all; SQLite refuses it at once while another
/// one makes it, whatever the time that transactions wait.
fn use_journal(connection: &Connection) -> Result<(), Error> {
    let started = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && started.elapsed() < PATIENCE =>
            {
                std::thread::sleep(PAUSE);
            }
            done => return Ok(done?),
        }
    }
}

/// A campaign.
pub struct Campaign {
    connection: Connection,
    /// Who takes work here.
    owner: String,
    /// How long others worked on it before.
    before: Duration,
    opened: Instant,
}

impl Campaign {
    /// Opens or makes the campaign in a file. What `identity` says about it must be what it was made with.
    ///
    /// # Errors
    /// If the file is of another campaign, is none, or cannot be used.
    pub fn open(file: &Path, identity: &[(&str, String)]) -> Result<Campaign, Error> {
        Campaign::made(file, identity).map_err(|error| error.of_file(file))
    }

    fn made(file: &Path, identity: &[(&str, String)]) -> Result<Campaign, Error> {
        let connection = Connection::open(file)?;
        let mut campaign = Campaign::with(connection)?;
        use_journal(&campaign.connection)?;
        // A process that dies loses nothing by this; only a machine does, and then the last moments alone.
        campaign.connection.pragma_update(None, "synchronous", "NORMAL")?;
        let transaction = campaign.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        schema::make(&transaction)?;
        for (name, value) in identity {
            let known: Option<String> = transaction
                .query_row("SELECT value FROM identity WHERE name = ?1", [name], |row| row.get(0))
                .optional()?;
            match known {
                Some(known) if known != *value => {
                    return Err(Error::Other((*name).to_owned()));
                }
                Some(_) => {}
                None => {
                    transaction.execute("INSERT INTO identity VALUES (?1, ?2)", params![name, value])?;
                }
            }
        }
        let query = "SELECT coalesce(max(seconds), 0) FROM samples";
        let seconds: f64 = transaction.query_row(query, [], |row| row.get(0))?;
        transaction.commit()?;
        campaign.before = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Ok(campaign)
    }

    /// The campaign's own time in milliseconds, which stands still while nobody works.
    fn now(&self) -> u64 {
        u64::try_from((self.before + self.opened.elapsed()).as_millis()).unwrap_or(u64::MAX)
    }

    /// Opens a campaign to look at it.
    ///
    /// # Errors
    /// If there is none.
    pub fn look(file: &Path) -> Result<Campaign, Error> {
        // Reading the journal of a campaign that runs needs more than the right to read.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let look = || {
            let campaign = Campaign::with(Connection::open_with_flags(file, flags)?)?;
            schema::check(&campaign.connection)?;
            Ok(campaign)
        };
        look().map_err(|error: Error| error.of_file(file))
    }

    fn with(connection: Connection) -> Result<Campaign, Error> {
        connection.busy_timeout(PATIENCE)?;
        let (before, opened) = (Duration::ZERO, Instant::now());
        Ok(Campaign { connection, owner: owner::this_process(), before, opened })
    }

    /// What the campaign was made with.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn identity(&self) -> Result<Vec<(String, String)>, Error> {
        let mut statement = self.connection.prepare("SELECT name, value FROM identity ORDER BY name")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether the file is in order, by its own account.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_intact(&self) -> Result<bool, Error> {
        let verdict: String = self.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        Ok(verdict == "ok")
    }
}

#[cfg(test)]
mod tests;
