//! What a line of a test expects: `//~ branch taken stdin[0-3]`.

use std::fmt;

/// One `//~` comment.
///
/// It is a list of words, the first of which is the kind of an event. It matches an observation if each of its words is
/// one of the observation's, so it can say as little or as much as it wants to. `no event` says what holds without it
/// too: that nothing is seen on that line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The line it stands on, from 1.
    pub line: u32,
    /// The optimisation level that it holds for, or all.
    pub revision: Option<String>,
    words: Vec<String>,
}

/// What starts an expectation.
pub const MARK: &str = "//~";

impl Expectation {
    /// The expectations on one line of source.
    pub fn of_line(line: u32, source: &str) -> impl Iterator<Item = Expectation> + '_ {
        source.split(MARK).skip(1).map(move |text| {
            let (revision, text) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((revision, text)) => (Some(revision.to_owned()), text),
                None => (None, text),
            };
            Expectation { line, revision, words: text.split_whitespace().map(str::to_owned).collect() }
        })
    }

    /// Whether it is to be checked at this optimisation level.
    pub fn concerns(&self, revision: &str) -> bool {
        self.revision.as_deref().is_none_or(|own| own == revision)
    }

    /// Whether it only says that nothing happens.
    pub fn is_absence(&self) -> bool {
        self.words == ["no", "event"]
    }

    /// Whether what was seen is what is expected.
    pub fn matches(&self, observation: &str) -> bool {
        let mut seen = observation.split_whitespace();
        self.words.first().map(String::as_str) == seen.next()
            && self.words.iter().skip(1).all(|word| observation.split_whitespace().any(|other| other == word))
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_left_out_but_not_changed() {
        let source = "if (x) //~ branch stdin[0] //~[O2] pin size";
        let all: Vec<_> = Expectation::of_line(7, source).collect();
        assert_eq!(all.len(), 2);
        assert!(all[0].matches("branch taken stdin[0]"));
        assert!(!all[0].matches("branch taken stdin[0-1]"));
        assert!(!all[0].matches("switch taken stdin[0]"));
        assert!(all[0].concerns("O0") && all[0].concerns("O2"));
        assert!(!all[1].concerns("O0") && all[1].concerns("O2"));
    }

    #[test]
    fn absence_is_no_kind() {
        let all: Vec<_> = Expectation::of_line(1, "x(); //~ no event").collect();
        assert!(all[0].is_absence());
        assert_eq!(Expectation::of_line(1, "x(); // no mark").count(), 0);
    }
}
