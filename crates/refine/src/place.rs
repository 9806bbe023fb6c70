//! Names that go further than a variable: `p->len`, `table[3].size`, `strlen(name)`.

/// What a name in a condition refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable that it starts from.
    pub variable: String,
    /// How it goes on.
    pub steps: Vec<Step>,
    /// Whether the length of the string there is meant.
    pub is_length: bool,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `.name`
    Field(String),
    /// `->name`
    Arrow(String),
    /// `[3]`
    Index(u64),
}

/// The function whose result a condition can name.
pub(crate) const LENGTH: &str = "strlen";

impl Place {
    /// Reads a name. Nothing if it is none.
    pub fn parse(name: &str) -> Option<Place> {
        if let Some(inner) = name.strip_prefix(LENGTH).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')')) {
            let place = Place::parse(inner)?;
            return (!place.is_length).then_some(Place { is_length: true, ..place });
        }
        let end = word_end(name);
        let (variable, mut rest) = name.split_at_checked(end).filter(|(variable, _)| !variable.is_empty())?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let length = step_end(rest)?;
            let (step, behind) = rest.split_at_checked(length)?;
            steps.push(match (step.strip_prefix("->"), step.strip_prefix('.'), step.strip_prefix('[')) {
                (Some(name), ..) => Step::Arrow(name.to_owned()),
                (_, Some(name), _) => Step::Field(name.to_owned()),
                (.., Some(index)) => Step::Index(index.strip_suffix(']')?.parse().ok()?),
                _ => return None,
            });
            rest = behind;
        }
        Some(Place { variable: variable.to_owned(), steps, is_length: false })
    }

    /// Whether it is a variable and nothing more.
    pub fn is_variable(&self) -> bool {
        self.steps.is_empty() && !self.is_length
    }
}

fn word_end(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// How long the step is that a text starts with.
pub(crate) fn step_end(text: &str) -> Option<usize> {
    if let Some(index) = text.strip_prefix('[') {
        let digits = index.find(|c: char| !c.is_ascii_digit())?;
        return (digits > 0 && digits < 20 && index[digits..].starts_with(']')).then_some(digits + 2);
    }
    let sign = ["->", "."].into_iter().find(|sign| text.starts_with(sign))?;
    let name = &text[sign.len()..];
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_name.then(|| sign.len() + word_end(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_steps() {
        let place = Place::parse("p->table[3].size").unwrap();
        assert_eq!(place.variable, "p");
        assert_eq!(place.steps, [Step::Arrow("table".into()), Step::Index(3), Step::Field("size".into())]);
        let length = Place::parse("strlen(p->name)").unwrap();
        assert!(length.is_length && length.steps == [Step::Arrow("name".into())]);
        assert!(Place::parse("x").unwrap().is_variable());
        for wrong in ["", "->a", "p->", "p[", "p[]", "p[a]", "p[99999999999999999999]", "strlen(strlen(p))", "p->a b"] {
            assert_eq!(Place::parse(wrong), None, "{wrong}");
        }
    }
}
