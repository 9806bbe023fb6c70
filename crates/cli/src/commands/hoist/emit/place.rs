//! Where something can be put into a C source.

/// The offset behind the brace that opens the body of a function which is named on a line, counted from 1, or soon after it.
pub fn behind_opening_brace(source: &str, line: usize, function: &str) -> Option<usize> {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let code = blanked(source);
    let rest = code.get(start..)?;
    let name = named(rest, function)?;
    let mut depth = 0usize;
    for (offset, character) in rest.get(name..)?.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '{' if depth == 0 => return Some(start + name + offset + 1),
            _ => {}
        }
    }
    None
}

/// Where a name stands as a word of its own.
fn named(text: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + name.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(is_word) && !behind.is_some_and(is_word)
    })
}

/// Whether a source includes a header of the system.
pub fn includes(source: &str, header: &str) -> bool {
    source.lines().any(|line| included(line).is_some_and(|name| name == header))
}

fn included(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    name.strip_prefix('<')?.split('>').next()
}

/// The offset of a line before which further headers can be included: behind the last one that is always included, before `end`.
/// What comes before the first may say what headers declare.
pub fn for_headers(source: &str, end: usize) -> usize {
    let (mut depth, mut offset, mut place) = (0usize, 0, 0);
    for line in source.split_inclusive('\n') {
        if offset >= end {
            break;
        }
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth = depth.saturating_sub(1);
        }
        offset += line.len();
        if depth == 0 && directive.starts_with("include") && line.ends_with('\n') {
            place = offset;
        }
    }
    place
}

/// The source with spaces for all that stands in comments, strings and characters.
fn blanked(source: &str) -> String {
    #[derive(PartialEq)]
    enum In {
        Code,
        Line,
        Block,
        Quotes(u8),
    }
    let bytes = source.as_bytes();
    let mut blanked: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut state = In::Code;
    let mut index = 0;
    while let Some(byte) = bytes.get(index).copied() {
        let next = bytes.get(index + 1).copied().unwrap_or(0);
        let mut taken = 1;
        match (&state, byte, next) {
            (In::Code, b'/', b'/') => state = In::Line,
            (In::Code, b'/', b'*') => (state, taken) = (In::Block, 2),
            (In::Code, b'"' | b'\'', _) => state = In::Quotes(byte),
            (In::Line, b'\n', _) => state = In::Code,
            (In::Block, b'*', b'/') => (state, taken) = (In::Code, 2),
            (In::Quotes(_), b'\\', _) => taken = 2,
            (In::Quotes(quote), ..) if *quote == byte => state = In::Code,
            (In::Code, ..) => {
                // Bytes of other characters are blanked one by one, so that offsets stay.
                blanked.push(if byte.is_ascii() { byte } else { b' ' });
                index += 1;
                continue;
            }
            _ => {}
        }
        let end = (index + taken).min(bytes.len());
        let hidden = bytes.get(index..end).unwrap_or_default();
        blanked.extend(hidden.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }));
        index = end;
    }
    String::from_utf8(blanked).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind<'a>(source: &'a str, line: usize, function: &str) -> Option<&'a str> {
        behind_opening_brace(source, line, function).and_then(|place| source.get(place..))
    }

    #[test]
    fn braces_are_found_whatever_stands_before_them() {
        assert_eq!(behind("int f(int x) { return x; }", 1, "f"), Some(" return x; }"));
        assert_eq!(behind("\nstatic int\nf /* { */ (x)\n  int x; // {\n{ä}", 3, "f"), Some("ä}"));
        assert_eq!(
            behind("int off(void);\nint f(char *s, const char *t) __attribute__((noinline))\n{\"{\"}", 2, "f"),
            Some("\"{\"}")
        );
        assert_eq!(behind("DEFINE(g)", 1, "f"), None);
    }

    #[test]
    fn headers_go_behind_those_that_are_always_included() {
        let source =
            "#define _GNU_SOURCE\n#include <a.h>\n#ifdef X\n# include <b.h>\n#endif\nint x;\n#include \"late.h\"\n";
        let end = source.find("int x").unwrap();
        assert_eq!(for_headers(source, end), source.find("#ifdef").unwrap());
        assert_eq!(for_headers("int x;\n", 3), 0);
        assert!(includes("#  include <assert.h> /* */\n", "assert.h") && !includes("// <assert.h>\n", "assert.h"));
    }
}
