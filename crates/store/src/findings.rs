//! What was found.

use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};

use crate::input::{Origin, add};
use crate::{Campaign, Error, Id, Input};

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which bug it is.
    pub bucket: String,
    /// An input that shows it.
    pub input: Input,
    /// The seed that this input goes back to.
    pub root: Id,
    /// What else is known about it; the campaign does not look at it.
    pub data: String,
}

impl Campaign {
    /// What is known about a bug.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn finding(&self, bucket: &str) -> Result<Option<Finding>, Error> {
        let query = "SELECT input, root, data FROM findings WHERE bucket = ?1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let Some((input, root, data)) = self.connection.query_row(query, [bucket], read).optional()? else {
            return Ok(None);
        };
        Ok(Some(Finding { bucket: bucket.to_owned(), input: self.item(input)?.input, root, data }))
    }

    /// Keeps a finding, in place of what was known about the same bug. Its input is not to be followed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep_finding(&mut self, finding: &Finding) -> Result<(), Error> {
        let now = self.now();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (input, _) = add(&transaction, &finding.input, "aside", &Origin::Given, 0, now)?;
        transaction.execute(
            "INSERT INTO findings VALUES (?1, ?2, ?3, (SELECT count(*) FROM findings), ?4)
                ON CONFLICT (bucket) DO UPDATE SET input = excluded.input, root = excluded.root, data = excluded.data",
            params![finding.bucket, input, finding.root, finding.data],
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// All findings, the first one first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn findings(&self) -> Result<Vec<Finding>, Error> {
        let mut statement =
            self.connection.prepare("SELECT bucket, input, root, data FROM findings ORDER BY place, bucket")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let rows: Vec<(String, Id, Id, String)> = rows.collect::<Result<_, _>>()?;
        let finding = |(bucket, input, root, data)| Ok(Finding { bucket, input: self.item(input)?.input, root, data });
        rows.into_iter().map(finding).collect()
    }
}
