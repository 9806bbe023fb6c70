//! Functions as users name them: by their name, and by their file where several have it.

use std::fmt;

/// A function of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitName {
    /// Its file, or a part of its path from the end, if that matters.
    pub file: Option<String>,
    /// Its name.
    pub function: String,
}

impl UnitName {
    /// Reads `function` or `file:function`.
    pub fn parse(text: &str) -> UnitName {
        match text.rsplit_once(':') {
            Some((file, function)) => UnitName { file: Some(file.to_owned()), function: function.to_owned() },
            None => UnitName { file: None, function: text.to_owned() },
        }
    }

    /// Whether it may be the function with this name in a file.
    pub fn fits(&self, function: &str, file: &str) -> bool {
        self.function == function && self.file.as_deref().is_none_or(|own| is_same_file(own, file))
    }
}

/// As on the command line.
impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.function),
            None => f.write_str(&self.function),
        }
    }
}

/// Whether two paths may be those of one file, seen from different folders: one of them is the end of the other.
fn is_same_file(a: &str, b: &str) -> bool {
    fn components(path: &str) -> impl Iterator<Item = &str> {
        path.rsplit('/').filter(|component| !["", ".", ".."].contains(component))
    }
    components(a).next().is_some() && components(a).zip(components(b)).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compared_from_the_end() {
        let unit = UnitName::parse("lib/set.c:set");
        assert!(unit.fits("set", "lib/set.c") && unit.fits("set", "../lib/set.c") && unit.fits("set", "set.c"));
        assert!(!unit.fits("set", "other/set.c") && !unit.fits("get", "lib/set.c") && !unit.fits("set", "lib/get.c"));
        assert!(UnitName::parse("set").fits("set", "anything.c"));
        assert_eq!(unit.to_string(), "lib/set.c:set");
    }
}
