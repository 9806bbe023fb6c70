//! Suites of tests: which of them are done, and what came of each.
//!
//! As in a campaign, any number of threads and processes may work on a suite, and every call is one transaction: a test is done
//! only together with all that came of it.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::{Error, PATIENCE, owner, use_journal};

/// Raised when tables change, or when what was kept in them was wrong.
const VERSION: i64 = 4;

/// Tests and findings are kept under hashes that stand for the program too: what came of another build stays, and counts again when
/// that build comes back. `data` is what others know about; nothing here looks at it. A finding is provisional if the test was
/// interrupted that it comes from: whoever is done with a test may know more about it. What is settled about a check on a path is so for
/// every program and whatever is spent: there can be hundreds of thousands of these for one test, so they are names and nothing else.
const TABLES: &str = "
CREATE TABLE tests (key BLOB PRIMARY KEY, owner TEXT, data TEXT) WITHOUT ROWID;
CREATE TABLE pairs (name BLOB PRIMARY KEY, program BLOB NOT NULL, budget INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settled (name BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE findings (
    program BLOB NOT NULL, bucket TEXT NOT NULL, data TEXT NOT NULL, provisional INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (program, bucket)
) WITHOUT ROWID;
";

/// Makes a file of the first version one of this one.
const FROM_1: &str = "ALTER TABLE findings ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0";

/// The same for the third one, in which what was settled stood among the others, by the word of whoever used it.
const FROM_3: &str = "
CREATE TABLE settled (name BLOB PRIMARY KEY) WITHOUT ROWID;
INSERT INTO settled SELECT name FROM pairs WHERE data = '\"Holds\"';
DELETE FROM pairs WHERE data = '\"Holds\"';
";

/// The name of a check on a path.
pub type Name = [u8; 16];

/// A suite.
pub struct Suite {
    connection: Connection,
    owner: String,
}

/// Whether a test is ours to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is.
    Ours,
    /// Another process is at it.
    Taken,
    /// It has been run, and this came of it.
    Done(String),
}

/// What was decided about a check on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The name of both together.
    pub name: Name,
    /// What was spent on it at most.
    pub budget: u64,
    /// What was decided.
    pub data: String,
}

/// Everything that came of a test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// What is known about the test.
    pub data: String,
    /// What was decided for this program.
    pub pairs: Vec<Pair>,
    /// What was decided once and for all.
    pub settled: Vec<Name>,
    /// What was found: which bug, and what is known about it.
    pub findings: Vec<(String, String)>,
}

impl Suite {
    /// Opens or makes the suite in a file.
    ///
    /// # Errors
    /// If the file is none of a suite, or cannot be used.
    pub fn open(file: &Path) -> Result<Suite, Error> {
        Suite::made(file).map_err(|error| error.of_file(file))
    }

    fn made(file: &Path) -> Result<Suite, Error> {
        let mut connection = Connection::open(file)?;
        connection.busy_timeout(PATIENCE)?;
        // Processes that die lose nothing by this. A machine can; all of it can be made again, and waiting for the disk takes longer than
        // most tests do.
        connection.pragma_update(None, "synchronous", "OFF")?;
        use_journal(&connection)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        match version {
            0 => {
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            1 => {
                transaction.execute_batch(FROM_1)?;
                transaction.execute_batch(FROM_3)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            3 => {
                transaction.execute_batch(FROM_3)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            VERSION => {}
            other => return Err(Error::Version(other, VERSION)),
        }
        transaction.commit()?;
        Ok(Suite { connection, owner: owner::this_process() })
    }

    /// Takes a test, unless it is done or another process has it. Threads of one process share the work among themselves.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn claim(&mut self, key: &[u8]) -> Result<Claim, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let known: Option<(Option<String>, Option<String>)> = transaction
            .prepare_cached("SELECT owner, data FROM tests WHERE key = ?1")?
            .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let claim = match known {
            Some((_, Some(data))) => Claim::Done(data),
            Some((Some(owner), None)) if owner != self.owner && owner::is_alive(&owner) => Claim::Taken,
            _ => {
                let take =
                    "INSERT INTO tests VALUES (?1, ?2, NULL) ON CONFLICT (key) DO UPDATE SET owner = excluded.owner";
                transaction.execute(take, params![key, self.owner])?;
                Claim::Ours
            }
        };
        transaction.commit()?;
        Ok(claim)
    }

    /// Takes a test once more that is done with this data, unless that has changed or another process has it. What came of it stays
    /// until there is something new.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn claim_again(&mut self, key: &[u8], data: &str) -> Result<bool, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let owner: Option<Option<String>> = transaction
            .query_row("SELECT owner FROM tests WHERE key = ?1 AND data = ?2", params![key, data], |row| row.get(0))
            .optional()?;
        let is_free =
            owner.is_some_and(|owner| owner.is_none_or(|owner| owner == self.owner || !owner::is_alive(&owner)));
        if is_free {
            transaction.execute("UPDATE tests SET owner = ?2 WHERE key = ?1", params![key, self.owner])?;
        }
        transaction.commit()?;
        Ok(is_free)
    }

    /// What came of a test, if it is done.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn known(&self, key: &[u8]) -> Result<Option<String>, Error> {
        let query = "SELECT data FROM tests WHERE key = ?1";
        Ok(self.connection.query_row(query, [key], |row| row.get(0)).optional()?.flatten())
    }

    /// Gives a test back that is not done.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn release(&mut self, key: &[u8]) -> Result<(), Error> {
        self.connection.execute("UPDATE tests SET owner = NULL WHERE key = ?1", [key])?;
        Ok(())
    }

    /// Keeps what was found by a test that is not done, and gives it back: which bug, and what is known about it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn interrupted(&mut self, key: &[u8], program: &[u8], findings: &[(String, String)]) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (bucket, data) in findings {
            let keep = "INSERT OR IGNORE INTO findings VALUES (?1, ?2, ?3, 1)";
            transaction.prepare_cached(keep)?.execute(params![program, bucket, data])?;
        }
        transaction.execute("UPDATE tests SET owner = NULL WHERE key = ?1", [key])?;
        transaction.commit()?;
        Ok(())
    }

    /// Looks at many pairs at once, which takes a fraction of the time.
    ///
    /// # Errors
    /// If the file cannot be read, or as `look` says.
    pub fn reading<T, E: From<Error>>(&self, look: impl FnOnce(&Suite) -> Result<T, E>) -> Result<T, E> {
        // It is given back, whatever comes of it, at the end of the block.
        let _transaction = self.connection.unchecked_transaction().map_err(Error::from)?;
        look(self)
    }

    /// What was decided about a check on a path: for this program, and whether for this one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn pair(&self, name: &Name, program: &[u8]) -> Result<Option<(Pair, bool)>, Error> {
        let query = "SELECT budget, data, program = ?2 FROM pairs WHERE name = ?1";
        let row = self.connection.prepare_cached(query)?.query_row(params![name.as_slice(), program], |row| {
            let pair = Pair { name: *name, budget: row.get(0)?, data: row.get(1)? };
            Ok((pair, row.get(2)?))
        });
        Ok(row.optional()?)
    }

    /// For each name, whether the check on a path is settled.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn are_settled(&self, names: &[Name]) -> Result<Vec<bool>, Error> {
        self.are_there(names, "SELECT name FROM settled LIMIT ?1", "SELECT 1 FROM settled WHERE name = ?1")
    }

    /// For each name, whether there is something to know from [`Suite::pair`].
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn have_pairs(&self, names: &[Name]) -> Result<Vec<bool>, Error> {
        self.are_there(names, "SELECT name FROM pairs LIMIT ?1", "SELECT 1 FROM pairs WHERE name = ?1")
    }

    /// Which of the names a table has. If it has fewer than these, it is read: most names of a long path are new.
    fn are_there(&self, names: &[Name], all: &str, one: &str) -> Result<Vec<bool>, Error> {
        let mut few = HashSet::new();
        let mut query = self.connection.prepare_cached(all)?;
        let mut rows = query.query([names.len()])?;
        while let Some(row) = rows.next()? {
            few.insert(row.get::<_, Vec<u8>>(0)?);
        }
        if few.len() < names.len() {
            return Ok(names.iter().map(|name| few.contains(name.as_slice())).collect());
        }
        let mut query = self.connection.prepare_cached(one)?;
        names.iter().map(|name| Ok(query.exists([name.as_slice()])?)).collect()
    }

    /// Notes that a test is done, with all that came of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn done(&mut self, key: &[u8], program: &[u8], done: &Done) -> Result<(), Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // In the order in which they lie in the file: there can be very many, and each is then near the one before.
        let mut pairs: Vec<&Pair> = done.pairs.iter().collect();
        pairs.sort_by_key(|pair| pair.name);
        let mut keep = transaction.prepare_cached("INSERT OR REPLACE INTO pairs VALUES (?1, ?2, ?3, ?4)")?;
        for pair in pairs {
            keep.execute(params![pair.name.as_slice(), program, pair.budget, pair.data])?;
        }
        drop(keep);
        let mut settled = done.settled.clone();
        settled.sort_unstable();
        let mut keep = transaction.prepare_cached("INSERT OR IGNORE INTO settled VALUES (?1)")?;
        for name in settled {
            keep.execute([name.as_slice()])?;
        }
        drop(keep);
        for (bucket, data) in &done.findings {
            let keep = "INSERT INTO findings VALUES (?1, ?2, ?3, 0) ON CONFLICT (program, bucket) \
                        DO UPDATE SET data = excluded.data, provisional = 0 WHERE provisional";
            transaction.prepare_cached(keep)?.execute(params![program, bucket, data])?;
        }
        transaction.execute("UPDATE tests SET data = ?2, owner = NULL WHERE key = ?1", params![key, done.data])?;
        transaction.commit()?;
        Ok(())
    }

    /// The bugs that are known in a program, without those that only interrupted tests have shown.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn buckets(&self, program: &[u8]) -> Result<BTreeSet<String>, Error> {
        let mut query =
            self.connection.prepare_cached("SELECT bucket FROM findings WHERE program = ?1 AND NOT provisional")?;
        let buckets = query.query_map([program], |row| row.get(0))?;
        Ok(buckets.collect::<Result<_, _>>()?)
    }

    /// What is known about a finding in a program.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn finding(&self, program: &[u8], bucket: &str) -> Result<Option<String>, Error> {
        let query = "SELECT data FROM findings WHERE program = ?1 AND bucket = ?2";
        Ok(self.connection.query_row(query, params![program, bucket], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> (tempfile::TempDir, Suite) {
        let folder = tempfile::tempdir().unwrap();
        let suite = Suite::open(&folder.path().join("suite")).unwrap();
        (folder, suite)
    }

    /// The first process of all lives as long as the system does.
    fn first_process() -> String {
        let first = std::fs::read_to_string("/proc/1/stat").unwrap();
        let start = first.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().to_owned();
        format!("1:{start}")
    }

    fn done(data: &str) -> Done {
        Done {
            data: data.to_owned(),
            pairs: vec![Pair { name: [1; 16], budget: 5, data: "unknown".to_owned() }],
            settled: vec![[3; 16], [2; 16], [3; 16]],
            findings: vec![("bug".to_owned(), format!("from {data}"))],
        }
    }

    #[test]
    fn a_test_is_run_once() {
        let (folder, mut suite) = suite();
        assert_eq!(suite.claim(b"a").unwrap(), Claim::Ours);
        suite.done(b"a", b"p", &done("one")).unwrap();
        let mut again = Suite::open(&folder.path().join("suite")).unwrap();
        assert_eq!(again.claim(b"a").unwrap(), Claim::Done("one".to_owned()));
        assert_eq!(again.claim(b"b").unwrap(), Claim::Ours);
        assert!(!again.claim_again(b"a", "other").unwrap());
        assert!(again.claim_again(b"a", "one").unwrap());
    }

    #[test]
    fn what_came_of_a_test_stays_until_there_is_something_new() {
        let (folder, mut suite) = suite();
        assert_eq!((suite.claim(b"a").unwrap(), suite.known(b"a").unwrap()), (Claim::Ours, None));
        suite.done(b"a", b"p", &done("one")).unwrap();
        assert!(suite.claim_again(b"a", "one").unwrap());
        // The process dies.
        drop(suite);
        let mut suite = Suite::open(&folder.path().join("suite")).unwrap();
        assert_eq!(suite.claim(b"a").unwrap(), Claim::Done("one".to_owned()));
        assert!(suite.claim_again(b"a", "one").unwrap());
        suite.release(b"a").unwrap();
        assert_eq!(suite.known(b"a").unwrap(), Some("one".to_owned()));
        // Another process has it.
        suite.connection.execute("UPDATE tests SET owner = ?1", [first_process()]).unwrap();
        assert!(!suite.claim_again(b"a", "one").unwrap());
        suite.connection.execute("UPDATE tests SET owner = '4294967295:1'", []).unwrap();
        assert!(suite.claim_again(b"a", "one").unwrap());
        suite.done(b"a", b"p", &done("two")).unwrap();
        assert_eq!(suite.known(b"a").unwrap(), Some("two".to_owned()));
    }

    #[test]
    fn what_is_settled_is_found_among_few_and_among_many() {
        let (_folder, mut suite) = suite();
        assert_eq!(suite.are_settled(&[[2; 16]]).unwrap(), [false]);
        suite.claim(b"a").unwrap();
        suite.done(b"a", b"p", &done("one")).unwrap();
        // More are asked for than there are, and fewer.
        assert_eq!(suite.are_settled(&[[1; 16], [2; 16], [3; 16], [4; 16]]).unwrap(), [false, true, true, false]);
        assert_eq!(suite.are_settled(&[[4; 16]]).unwrap(), [false]);
        assert_eq!(suite.are_settled(&[[3; 16]]).unwrap(), [true]);
        assert_eq!(suite.are_settled(&[]).unwrap(), [true; 0]);
        assert_eq!(suite.have_pairs(&[[1; 16], [2; 16]]).unwrap(), [true, false]);
        assert_eq!(suite.have_pairs(&[[1; 16]]).unwrap(), [true]);
        assert_eq!(suite.have_pairs(&[[2; 16]]).unwrap(), [false]);
    }

    #[test]
    fn what_was_settled_in_files_of_the_third_version_stays_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("suite");
        let old = Connection::open(&file).unwrap();
        let tables = "CREATE TABLE tests (key BLOB PRIMARY KEY, owner TEXT, data TEXT) WITHOUT ROWID;
            CREATE TABLE pairs (name BLOB PRIMARY KEY, program BLOB NOT NULL, budget INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE findings (program BLOB NOT NULL, bucket TEXT NOT NULL, data TEXT NOT NULL, provisional INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (program, bucket)) WITHOUT ROWID;
            PRAGMA user_version = 3;";
        old.execute_batch(tables).unwrap();
        for (name, data) in [([1u8; 16], "\"Holds\""), ([2; 16], "{\"Unknown\":\"why\"}")] {
            old.execute("INSERT INTO pairs VALUES (?1, x'70', 5, ?2)", params![name.as_slice(), data]).unwrap();
        }
        drop(old);
        let suite = Suite::open(&file).unwrap();
        assert_eq!(suite.are_settled(&[[1; 16], [2; 16]]).unwrap(), [true, false]);
        assert_eq!(suite.have_pairs(&[[1; 16], [2; 16]]).unwrap(), [false, true]);
        drop(suite);
        assert!(Suite::open(&file).is_ok());
    }

    #[test]
    fn what_an_interrupted_test_has_shown_is_kept() {
        let (_folder, mut suite) = suite();
        suite.claim(b"a").unwrap();
        suite.interrupted(b"a", b"p", &[("bug".to_owned(), "large".to_owned())]).unwrap();
        assert_eq!(suite.finding(b"p", "bug").unwrap(), Some("large".to_owned()));
        // It may still be made small.
        assert_eq!(suite.buckets(b"p").unwrap(), BTreeSet::new());
        assert_eq!(suite.claim(b"a").unwrap(), Claim::Ours);
        suite.done(b"a", b"p", &done("one")).unwrap();
        assert_eq!(suite.finding(b"p", "bug").unwrap(), Some("from one".to_owned()));
        assert_eq!(suite.buckets(b"p").unwrap(), BTreeSet::from(["bug".to_owned()]));
        suite.interrupted(b"a", b"p", &[("bug".to_owned(), "large".to_owned())]).unwrap();
        assert_eq!(suite.finding(b"p", "bug").unwrap(), Some("from one".to_owned()));
        assert_eq!(suite.known(b"a").unwrap(), Some("one".to_owned()));
    }

    #[test]
    fn files_of_the_first_version_can_be_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("suite");
        let old = Connection::open(&file).unwrap();
        let tables = "CREATE TABLE tests (key BLOB PRIMARY KEY, owner TEXT, data TEXT) WITHOUT ROWID;
            CREATE TABLE pairs (name BLOB PRIMARY KEY, program BLOB NOT NULL, budget INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE findings (program BLOB NOT NULL, bucket TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (program, bucket)) WITHOUT ROWID;
            INSERT INTO findings VALUES (x'70', 'bug', 'old');
            PRAGMA user_version = 1;";
        old.execute_batch(tables).unwrap();
        drop(old);
        let mut suite = Suite::open(&file).unwrap();
        assert_eq!(suite.buckets(b"p").unwrap(), BTreeSet::from(["bug".to_owned()]));
        suite.claim(b"a").unwrap();
        suite.done(b"a", b"p", &done("one")).unwrap();
        assert_eq!(suite.finding(b"p", "bug").unwrap(), Some("old".to_owned()));
        drop(suite);
        assert!(Suite::open(&file).is_ok());
    }

    #[test]
    fn what_the_dead_had_is_taken_again() {
        let (_folder, mut suite) = suite();
        suite.connection.execute("INSERT INTO tests VALUES (x'01', '4294967295:1', NULL)", []).unwrap();
        suite.connection.execute("INSERT INTO tests VALUES (x'02', ?1, NULL)", [first_process()]).unwrap();
        assert_eq!(suite.claim(&[1]).unwrap(), Claim::Ours);
        assert_eq!(suite.claim(&[2]).unwrap(), Claim::Taken);
    }

    #[test]
    fn decisions_and_findings_come_back() {
        let (_folder, mut suite) = suite();
        suite.claim(b"a").unwrap();
        suite.done(b"a", b"p", &done("one")).unwrap();
        let (pair, is_this_program) = suite.reading(|suite| suite.pair(&[1; 16], b"p")).unwrap().unwrap();
        assert_eq!((pair.budget, pair.data.as_str(), is_this_program), (5, "unknown", true));
        assert!(!suite.pair(&[1; 16], b"q").unwrap().unwrap().1);
        assert_eq!(suite.pair(&[2; 16], b"p").unwrap(), None);
        // The first one stays: others refer to it.
        suite.claim(b"b").unwrap();
        suite.done(b"b", b"p", &done("two")).unwrap();
        assert_eq!(suite.finding(b"p", "bug").unwrap(), Some("from one".to_owned()));
        assert_eq!(suite.finding(b"q", "bug").unwrap(), None);
        assert_eq!(suite.buckets(b"p").unwrap(), BTreeSet::from(["bug".to_owned()]));
        assert_eq!(suite.buckets(b"q").unwrap(), BTreeSet::new());
    }
}
