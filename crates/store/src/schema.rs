//! The tables.

use rusqlite::Connection;

use crate::Error;

/// Raised when tables change.
const VERSION: i64 = 6;

/// An input is `aside` if nothing is to be done with it, `new` until it was replayed, `queued` until its path was expanded, then
/// `done`. `owner` is the process that works on it. An input with a `parent` and without a `cut`, a number of decisions, is a mutant. An `attempt` has one, and
/// is put aside like a mutant if it reaches nothing new. Of a path that is too
/// long to be expanded at once, what promises most is `skimmed` first, and all constraints before `next` are done; 2 if the rest is only what nothing depends on. `time` is when it was made, in
/// milliseconds of the campaign's own time, which stands still while nobody works. An input is `checked` when it is
/// known what it violates; that can come later than what it reaches. A path is `cut_short`, in words that say why, as long as
/// only runs have taken it that ended before it did.
///
/// Each index on open inputs is for one state: one for two of them is not used where only one is asked for.
const TABLES: &str = "
CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE inputs (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('aside', 'new', 'queued', 'done')),
    owner TEXT,
    parent INTEGER REFERENCES inputs (id),
    cut INTEGER,
    site INTEGER,
    expected BLOB,
    attempt INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL,
    score INTEGER NOT NULL DEFAULT 0,
    skimmed INTEGER NOT NULL DEFAULT 0,
    next INTEGER NOT NULL DEFAULT 0,
    time INTEGER NOT NULL,
    hung INTEGER NOT NULL DEFAULT 0,
    checked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX new_inputs ON inputs (id) WHERE state = 'new';
CREATE INDEX open_inputs ON inputs (skimmed, score DESC, id) WHERE state = 'queued';
CREATE INDEX open_whole ON inputs (skimmed, (cut IS NOT NULL), score DESC, id) WHERE state = 'queued';
CREATE INDEX open_children ON inputs (skimmed, (cut IS NULL), score DESC, id) WHERE state = 'queued';
CREATE INDEX good_inputs ON inputs (id) WHERE score > 0;
CREATE TABLE parts (
    input INTEGER NOT NULL REFERENCES inputs (id),
    place INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (input, place)
) WITHOUT ROWID;
CREATE TABLE paths (
    hash BLOB PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES inputs (id),
    decisions INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    cut_short TEXT
) WITHOUT ROWID;
CREATE TABLE findings (
    bucket TEXT PRIMARY KEY,
    input INTEGER NOT NULL REFERENCES inputs (id),
    root INTEGER NOT NULL REFERENCES inputs (id),
    place INTEGER NOT NULL,
    data TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE edges (
    edge INTEGER NOT NULL,
    often INTEGER NOT NULL,
    input INTEGER NOT NULL REFERENCES inputs (id),
    PRIMARY KEY (edge, often)
) WITHOUT ROWID;
CREATE TABLE samples (
    seconds REAL PRIMARY KEY,
    inputs INTEGER NOT NULL,
    waiting INTEGER NOT NULL,
    paths INTEGER NOT NULL,
    edges INTEGER NOT NULL,
    findings INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE statistics (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE losses (
    cause TEXT NOT NULL,
    text TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (cause, text, file, line)
) WITHOUT ROWID;
CREATE TABLE divergences (
    site INTEGER NOT NULL,
    cause TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (site, cause)
) WITHOUT ROWID;
";

/// Makes the tables in a new file.
pub fn make(connection: &Connection) -> Result<(), Error> {
    if version(connection)? == 0 {
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    check(connection)
}

/// Refuses files that other versions made.
pub fn check(connection: &Connection) -> Result<(), Error> {
    match version(connection)? {
        VERSION => Ok(()),
        other => Err(Error::Version(other, VERSION)),
    }
}

fn version(connection: &Connection) -> Result<i64, Error> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}
