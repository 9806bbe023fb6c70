//! Text from outside, made fit to be looked at.
//!
//! Messages, names of files and functions, and source lines can contain anything: escape sequences that rewrite a
//! terminal, characters that turn the direction of writing, or line ends that forge lines of output.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether people do not see the character, or see something else because of it. Spaces are visible.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // Zero width and direction; line and paragraph separators; embeddings and overrides.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Not characters at all; XML has no way to write them.
            | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}'
            // Tags.
            | '\u{e0000}'..='\u{e007f}')
}

/// The text with everything invisible spelt out, on one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push_visible(c, &mut result));
    Cow::Owned(result)
}

/// Adds a character, spelt out if it is invisible.
pub(crate) fn push_visible(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        c if !is_invisible(c) => text.push(c),
        c if c.is_ascii() => {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{:02x}", u32::from(c));
        }
        c => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_invisible_is_spelt_out() {
        assert_eq!(visible("plain größer 🙂"), "plain größer 🙂");
        assert_eq!(visible("a\x1b[2Jb\n\tc\u{202e}d\u{85}"), "a\\x1b[2Jb\\n\\tc\\u{202e}d\\u{85}");
    }

    proptest! {
        #[test]
        fn nothing_invisible_is_left(text in ".*|[\\x00-\\x20\\u{80}-\\u{a0}\\u{2000}-\\u{2070}]*") {
            let shown = visible(&text);
            prop_assert!(!shown.chars().any(is_invisible));
            if !text.chars().any(is_invisible) {
                prop_assert_eq!(shown, text.as_str());
            }
        }
    }
}
