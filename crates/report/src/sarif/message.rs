//! Messages.

use serde_json::{Value, json};

use crate::escape::visible;

/// A message that says exactly this.
pub(super) fn message(text: &str) -> Value {
    json!({ "text": escaped(text) })
}

/// Text in which nothing is a placeholder or a link.
pub(super) fn escaped(text: &str) -> String {
    let text = visible(text);
    // The standard wants a message to say something.
    if text.trim().is_empty() {
        return "(no message)".to_owned();
    }
    // Section 3.11.5 of the standard: braces are for placeholders.
    let text = text.replace('{', "{{").replace('}', "}}");
    // Section 3.11.6: `[text](target)` is a link. Brackets alone are not, and types of C are full of them.
    if text.contains("](") { text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_links_are_text() {
        assert_eq!(escaped("type 'char[8]'"), "type 'char[8]'");
        assert_eq!(escaped("in {0}"), "in {{0}}");
        assert_eq!(escaped("[here](http://a.b)"), "\\[here\\](http://a.b)");
        assert_eq!(escaped(" "), "(no message)");
    }
}
