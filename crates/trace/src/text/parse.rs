//! Text to trace.

use super::{EVENTS, OPERATORS, PARTS, REASONS, REGIONS, SIZE_USES, STATES, Shape, shape, value_of};
use crate::layout::{Event, EventKind, Node, Region, State};
use crate::reader::{Head, InputPart, NO_NODE, Tables, Trace, counter_name};

/// A line that is not of the text form.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Parses the text form. The trace is checked as one that was read is: what does not hold together is left out and
/// noted.
pub fn parse(text: &str) -> Result<Trace, ParseError> {
    let mut parser = Parser::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = Words(line.split_whitespace());
        parser.line(&mut words).map_err(|message| ParseError { line: index + 1, message })?;
        if let Some(word) = words.0.next() {
            return Err(ParseError { line: index + 1, message: format!("`{word}` is too much") });
        }
    }
    Ok(Trace::from_tables(parser.tables, parser.head, parser.parts))
}

struct Parser {
    tables: Tables,
    head: Head,
    parts: Vec<InputPart>,
}

impl Default for Parser {
    fn default() -> Parser {
        let head = Head { options: 0, memory_cap: 0, owner: 0, state: State::Running, counters: [0; 16] };
        Parser { tables: Tables::default(), head, parts: Vec::new() }
    }
}

struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("{what} is missing"))
    }

    fn number(&mut self, what: &str) -> Result<u64, String> {
        number(self.next(what)?)
    }

    fn label(&mut self) -> Result<u32, String> {
        label(self.next("a label")?)
    }

    /// The rest of the words as `key=value`; `take` says which keys there are.
    fn pairs(&mut self, mut take: impl FnMut(&str, &str) -> Result<bool, String>) -> Result<(), String> {
        for word in self.0.by_ref() {
            let known = match word.split_once('=') {
                Some((key, value)) => take(key, value)?,
                None => take(word, "")?,
            };
            if !known {
                return Err(format!("`{word}` does not belong here"));
            }
        }
        Ok(())
    }
}

fn number<T: TryFrom<u64>>(word: &str) -> Result<T, String> {
    let parsed = match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => word.parse(),
    };
    let parsed = parsed.map_err(|_| format!("`{word}` is not a number"))?;
    T::try_from(parsed).map_err(|_| format!("{word} is too large"))
}

fn label(word: &str) -> Result<u32, String> {
    let digits = word.strip_prefix('%').ok_or_else(|| format!("`{word}` is not a label"))?;
    digits.parse().map_err(|_| format!("`{word}` is not a label"))
}

fn named<T: Copy>(names: &'static super::Names<T>, word: &str) -> Result<T, String> {
    value_of(names, word).ok_or_else(|| format!("`{word}` is not known here"))
}

fn unescape(word: &str) -> Result<String, String> {
    let mut pieces = word.split('%');
    let mut name = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let escaped = piece.split_once(';').and_then(|(code, rest)| {
            let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            Some((character, rest))
        });
        let (character, rest) = escaped.ok_or_else(|| format!("`%{piece}` is not an escape"))?;
        name.push(character);
        name.push_str(rest);
    }
    Ok(name)
}

impl Parser {
    fn line(&mut self, words: &mut Words) -> Result<(), String> {
        let Some(first) = words.0.next() else { return Ok(()) };
        match first {
            "trace" => self.head(words),
            "counter" => self.counter(words),
            "part" => self.part(words),
            "region" => self.region(words),
            _ if first.starts_with('%') => self.node(label(first)?, words),
            _ => self.event(named(EVENTS, first)?, words),
        }
    }

    fn head(&mut self, words: &mut Words) -> Result<(), String> {
        self.head.state = named(STATES, words.next("the state")?)?;
        words.pairs(|key, value| {
            match key {
                "options" => self.head.options = number(value)?,
                "cap" => self.head.memory_cap = number(value)?,
                "owner" => self.head.owner = number(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    fn counter(&mut self, words: &mut Words) -> Result<(), String> {
        let name = words.next("the counter")?;
        let known = (0..self.head.counters.len()).find(|index| counter_name(*index) == Some(name));
        let index = match known {
            Some(index) => index,
            None => number(name)?,
        };
        let count = words.number("the count")?;
        let counter = self.head.counters.get_mut(index).ok_or_else(|| format!("there is no counter {name}"))?;
        *counter = count;
        Ok(())
    }

    fn part(&mut self, words: &mut Words) -> Result<(), String> {
        let kind = named(PARTS, words.next("the kind")?)?;
        let len = words.number("the size")?;
        let mut part = InputPart { kind, name: String::new(), device: 0, inode: 0, len };
        words.pairs(|key, value| {
            match key {
                "name" => part.name = unescape(value)?,
                "device" => part.device = number(value)?,
                "inode" => part.inode = number(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        self.parts.push(part);
        Ok(())
    }

    fn region(&mut self, words: &mut Words) -> Result<(), String> {
        let kind = named(REGIONS, words.next("the kind")?)? as u32;
        let (base, size) = (words.number("the address")?, words.number("the size")?);
        let mut region = Region { kind, base, size, extent: 0, allocated_in: 0, id: 0 };
        words.pairs(|key, value| {
            match key {
                "id" => region.id = number(value)?,
                "extent" => region.extent = label(value)?,
                "in" => region.allocated_in = number(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        self.tables.regions.push(region);
        Ok(())
    }

    fn node(&mut self, label: u32, words: &mut Words) -> Result<(), String> {
        let nodes = &mut self.tables.nodes;
        if nodes.is_empty() {
            nodes.push(NO_NODE);
        }
        if label as usize == nodes.len() + 1 && nodes.len() > 1 {
            // The node before took two cells.
            nodes.push(NO_NODE);
        }
        if label as usize != nodes.len() {
            return Err(format!("%{} comes next, not %{label}", nodes.len()));
        }
        if words.next("=")? != "=" {
            return Err("`=` is missing".to_owned());
        }
        let op = named(OPERATORS, words.next("the operator")?)?;
        let word = words.next("the type")?;
        let width = word.strip_prefix('i').ok_or_else(|| format!("`{word}` is not a type"))?;
        let mut node = Node { op: op as u8, flags: 0, width: number(width)?, a: 0, b: 0, imm: 0, value: 0 };
        match shape(op) {
            Shape::Input => {
                let word = words.next("the part")?;
                let part = word.strip_prefix("part").ok_or_else(|| format!("`{word}` is not a part"))?;
                node.a = number(part)?;
                node.imm = words.number("the offset")?;
            }
            Shape::Constant => node.imm = words.number("the value")?,
            Shape::LabelAndImmediate => {
                node.a = words.label()?;
                node.imm = words.number("a number")?;
            }
            Shape::Label => node.a = words.label()?,
            Shape::Choice => {
                node.imm = words.label()?.into();
                node.a = words.label()?;
                node.b = words.label()?;
            }
            Shape::TwoLabelsAndImmediate => {
                node.a = words.label()?;
                node.b = words.label()?;
                node.imm = words.number("the amount")?;
            }
            Shape::Pair => {
                node.a = pair_operand(words, &mut node.imm)?;
                node.b = pair_operand(words, &mut node.imm)?;
            }
        }
        if let Some(word) = words.0.next() {
            if word != "->" {
                return Err(format!("`->` is missing before `{word}`"));
            }
            node.value = words.number("the value")?;
        }
        self.tables.nodes.push(node);
        Ok(())
    }

    fn event(&mut self, kind: EventKind, words: &mut Words) -> Result<(), String> {
        let mut event = Event { kind: kind as u8, taken: 0, reason: 0, site: 0, label: 0, aux: 0, value: 0 };
        let mut word = words.next("a label or a number")?;
        if word.starts_with('%') {
            event.label = label(word)?;
            word = words.next("what happened")?;
        }
        match (kind, word) {
            (EventKind::Branch, "taken") => event.taken = 1,
            (EventKind::Branch, "not-taken") => event.taken = 0,
            (EventKind::Check, "holds") => event.taken = 1,
            (EventKind::Check, "fails") => event.taken = 0,
            (EventKind::Bounds, "hold") => event.taken = 1,
            _ => event.value = number(word)?,
        }
        words.pairs(|key, value| {
            match key {
                "site" => event.site = number(value)?,
                "bytes" | "given" => event.taken = number(value)?,
                "subject" => event.aux = label(value)?,
                "end" => event.value = number(value)?,
                "entry" => event.aux = number(value)?,
                "region" => {
                    event.aux = number::<u32>(value)?.checked_add(1).ok_or_else(|| format!("{value} is too large"))?;
                }
                _ => match (value_of(REASONS, key), value_of(SIZE_USES, key)) {
                    (Some(reason), _) if value.is_empty() => event.reason = reason as u16,
                    (_, Some(size_use)) if value.is_empty() => event.taken = size_use as u8,
                    _ => return Ok(false),
                },
            }
            Ok(true)
        })?;
        self.tables.events.push(event);
        Ok(())
    }
}

/// A label, or 0 and the number goes to `imm`.
fn pair_operand(words: &mut Words, imm: &mut u64) -> Result<u32, String> {
    let word = words.next("an operand")?;
    if word.starts_with('%') {
        return label(word);
    }
    *imm = number(word)?;
    Ok(0)
}
