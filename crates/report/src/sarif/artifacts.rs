//! Files, and places in them.

use std::collections::HashMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::message::message;
use crate::excerpt::marked_bytes;
use crate::model::{Frame, Position};
use crate::sources::Lines;

/// What need not be encoded in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Names of files are relative to the folder in which the compiler ran.
const BASE: &str = "%SRCROOT%";

/// The files that a log mentions.
pub(super) struct Artifacts<'a> {
    lines: &'a Lines<'a>,
    locations: Vec<Value>,
    index: HashMap<String, usize>,
}

impl<'a> Artifacts<'a> {
    pub(super) fn new(lines: &'a Lines<'a>) -> Artifacts<'a> {
        Artifacts { lines, locations: Vec::new(), index: HashMap::new() }
    }

    pub(super) fn into_value(self) -> Value {
        self.locations.into_iter().map(|location| json!({ "location": location })).collect()
    }

    /// The file, entered into the list if it is not there yet.
    pub(super) fn file(&mut self, name: &str) -> Value {
        let index = match self.index.get(name) {
            Some(index) => *index,
            None => {
                self.index.insert(name.to_owned(), self.locations.len());
                let path = utf8_percent_encode(name, PATH);
                self.locations.push(match name.strip_prefix('/') {
                    // Slashes at the start would be read as the name of a host.
                    Some(rest) => {
                        let path = utf8_percent_encode(rest.trim_start_matches('/'), PATH);
                        json!({ "uri": format!("file:///{path}") })
                    }
                    None => json!({ "uri": path.to_string(), "uriBaseId": BASE }),
                });
                self.locations.len() - 1
            }
        };
        let mut location = self.locations.get(index).cloned().unwrap_or_default();
        if let Value::Object(fields) = &mut location {
            fields.insert("index".to_owned(), index.into());
        }
        location
    }

    /// A place in a function; none if neither is known.
    pub(super) fn location(&mut self, position: &Position, function: &str) -> Option<Value> {
        let mut location = Map::new();
        if !position.file.is_empty() {
            let mut physical = Map::new();
            physical.insert("artifactLocation".to_owned(), self.file(&position.file));
            physical.extend(self.region(position).map(|region| ("region".to_owned(), region)));
            location.insert("physicalLocation".to_owned(), physical.into());
        }
        if !function.is_empty() {
            let function = json!([{ "fullyQualifiedName": function, "kind": "function" }]);
            location.insert("logicalLocations".to_owned(), function);
        }
        (!location.is_empty()).then(|| location.into())
    }

    /// A place at which something is said.
    pub(super) fn location_with(&mut self, position: &Position, text: &str) -> Value {
        let mut location = self.location(position, "").unwrap_or_else(|| json!({}));
        if let Value::Object(fields) = &mut location {
            fields.insert("message".to_owned(), message(text));
        }
        location
    }

    /// A frame of a stack.
    pub(super) fn frame(&mut self, frame: &Frame) -> Value {
        let mut value = Map::new();
        let location = self.location(&frame.position, &frame.function);
        value.extend(location.map(|location| ("location".to_owned(), location)));
        value.into()
    }

    /// Columns of the source are counted in characters here and in bytes by compilers, so the line is needed to tell
    /// them; without it, columns are left out where they could be wrong.
    fn region(&self, position: &Position) -> Option<Value> {
        if position.line == 0 {
            return None;
        }
        let start_line = position.line;
        let line = self.lines.line(&position.file, start_line);
        let Some(line) = line else { return Some(region_without_source(position)) };
        let Some(marked) = marked_bytes(&line, position) else { return Some(json!({ "startLine": start_line })) };
        let column = |byte: usize| line.get(..byte).map_or(0, |before| before.chars().count()) + 1;
        let end_line = position.end_line.filter(|end| *end > start_line);
        let mut region = json!({ "startLine": start_line, "startColumn": column(marked.start) });
        if let Value::Object(fields) = &mut region {
            match (end_line, position.end_column) {
                // The end of a region of several lines: by bytes, but on or behind the start in any case.
                (Some(end_line), Some(end_column)) => {
                    fields.insert("endLine".to_owned(), end_line.into());
                    fields.insert("endColumn".to_owned(), end_column.max(1).into());
                }
                _ => {
                    fields.insert("endLine".to_owned(), start_line.into());
                    fields.insert("endColumn".to_owned(), column(marked.end).into());
                }
            }
            fields.insert("snippet".to_owned(), json!({ "text": line }));
        }
        Some(region)
    }
}

fn region_without_source(position: &Position) -> Value {
    let (line, column) = (position.line, position.column);
    if column == 0 {
        return json!({ "startLine": line });
    }
    let end_line = position.end_line.unwrap_or(line);
    match position.end_column {
        Some(end_column) if (line, column) < (end_line, end_column) => {
            json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column.max(1) })
        }
        _ => json!({ "startLine": line, "startColumn": column }),
    }
}
