//! What fails, kept in the campaign.

use std::sync::PoisonError;

use path::{Constraint, Kind};
use replay::{Input, Prediction, Violation, bucket, changes, is_predicted, minimise};
use serde::{Deserialize, Serialize};
use store::{Campaign, Finding, Id};
use trace::rule::Rule;

use super::{Worker, from_store, to_store};
use crate::check::Error;
use crate::violations::{merge, wanted};

/// Bytes of an input that may differ from its seed without others being tried in its place.
const MANY_CHANGES: usize = 32;

/// What the campaign keeps about a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// What happened.
    pub violation: Violation,
    /// What led to it.
    pub origin: Origin,
    /// Whether that was what had been predicted.
    pub as_predicted: bool,
    /// Whether what had been predicted fails on the input, be it this or something else.
    #[serde(default)]
    pub is_confirmed: bool,
    /// Checks for what is often meant that were reported.
    pub armed: Vec<u32>,
    /// The last decisions on the way to it, as far as they are known.
    pub steps: Vec<Step>,
}

/// A decision on the way to a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub site: u32,
    /// Which way.
    pub turn: Turn,
}

/// Which way a program went at a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Turn {
    /// A branch was taken or not.
    Branch(bool),
    /// A switch was on this value.
    Switch(u64),
    /// The input before went another way.
    Other,
}

impl Step {
    /// The decision that a constraint comes from.
    pub(super) fn of(constraint: &Constraint) -> Option<Step> {
        let turn = match &constraint.kind {
            Kind::Branch { taken } => Turn::Branch(*taken),
            Kind::Switch { value, .. } => Turn::Switch(*value),
            Kind::Pin { .. } | Kind::Access { .. } | Kind::Bounds { .. } => return None,
        };
        Some(Step { site: constraint.site, turn })
    }
}

/// How a violation came about.
pub(super) struct Way<'a> {
    /// What was predicted, if something was.
    pub(super) prediction: Option<&'a Prediction>,
    /// Whether that cannot happen unless a check of an index before fails.
    pub(super) follows: bool,
    /// Checks for what is often meant that were reported.
    pub(super) armed: &'a [u32],
    pub(super) origin: Origin,
    /// The last decisions on the way.
    pub(super) steps: Vec<Step>,
}

/// What led to a finding's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// It was given.
    Seed,
    /// A check was to be violated.
    Check {
        /// The rule of the check.
        rule: Rule,
        /// Where it is.
        site: u32,
    },
    /// It was made by chance.
    Mutation,
    /// A branch was to be decided otherwise.
    Branch {
        /// Where it is.
        site: u32,
    },
}

impl Worker<'_> {
    /// Keeps those violations that are new, and makes their inputs small.
    pub(super) fn keep(&mut self, id: Id, input: &Input, violations: Vec<Violation>, way: &Way) -> Result<(), Error> {
        let Way { prediction, follows, armed, origin, steps } = way;
        let is_expected =
            |violation: &Violation| prediction.is_some_and(|prediction| is_predicted(prediction, violation));
        let stands_alone = |violation: &Violation| !follows && is_expected(violation);
        let is_confirmed = violations.iter().any(is_expected);
        for violation in wanted(violations, self.settings.selection, stands_alone) {
            let bucket = bucket(&violation);
            let name = bucket.to_string();
            let root = self.campaign.root(id)?;
            let seed = from_store(&self.campaign.item(root)?.input);
            let known = self.campaign.finding(&name)?;
            if let Some(known) = &known
                && !is_far_simpler(changes(&seed, input).len(), self.changed(known)?)
            {
                continue;
            }
            let as_predicted = is_expected(&violation);
            let (origin, armed, steps) = (*origin, armed.to_vec(), steps.clone());
            let mut record = Record { violation, origin, as_predicted, is_confirmed, armed, steps };
            // First it is made safe, then small. What is known is kept as it is until then, unless nothing could be smaller.
            if known.is_none() || origin == Origin::Seed {
                self.write(&name, input, root, &record)?;
            }
            if origin == Origin::Seed {
                continue;
            }
            let replayer = self.subject.replayer;
            let budget = self.settings.minimise;
            let Some(small) = minimise(replayer, &record.armed, &seed, input, bucket, budget)? else { continue };
            // The values in the message are those of this input; and what was predicted need not fail on it.
            let again = replayer.replay_armed(&small.input, &record.armed)?;
            record.is_confirmed = again.violations.iter().any(is_expected);
            // Another worker may have kept a better one meanwhile.
            let latest = self.campaign.finding(&name)?.map(|known| self.changed(&known)).transpose()?;
            if latest.is_some_and(|latest| latest < small.changed.len()) {
                continue;
            }
            if let Some(violation) = again.violations.into_iter().find(|found| replay::bucket(found) == bucket) {
                record.violation = violation;
                self.write(&name, &small.input, root, &record)?;
            }
        }
        Ok(())
    }

    /// How many changes the input of a finding has.
    fn changed(&self, known: &Finding) -> Result<usize, Error> {
        let seed = from_store(&self.campaign.item(known.root)?.input);
        Ok(changes(&seed, &from_store(&known.input)).len())
    }

    fn write(&mut self, name: &str, input: &Input, root: Id, record: &Record) -> Result<(), Error> {
        let data = serde_json::to_string(record).map_err(Error::Record)?;
        let finding = Finding { bucket: name.to_owned(), input: to_store(input), root, data };
        let kept = self.campaign.keep_finding(&finding);
        if kept.is_err() {
            self.shared.unsaved.lock().unwrap_or_else(PoisonError::into_inner).push(finding);
        }
        Ok(kept?)
    }
}

/// Whether an input with so many changes shows a bug far better than the one that is known. What was made by chance may have
/// lengths in it that hold on to much of the rest, and then it cannot be made small.
fn is_far_simpler(changed: usize, before: usize) -> bool {
    before >= MANY_CHANGES && changed <= before / 2
}

/// The findings of a campaign, each with what is kept about it, the first one first; then those that could not be written to its file.
///
/// # Errors
/// If the campaign cannot be read.
pub fn findings(campaign: &Campaign, unsaved: &[Finding]) -> Result<Vec<(Finding, Record)>, Error> {
    let read = |finding: Finding| {
        let record = serde_json::from_str(&finding.data).map_err(Error::Record)?;
        Ok((finding, record))
    };
    let mut all = campaign.findings()?;
    for finding in unsaved {
        if all.iter().all(|known| known.bucket != finding.bucket) {
            all.push(finding.clone());
        }
    }
    let mut found = all.into_iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    merge(&mut found, |(_, record): &(Finding, Record)| &record.violation, |_| false, |_, _| {});
    Ok(found)
}
