//! Formats of `printf` and its like, as far as instrumenter and runtime both look at them.

/// What stands between a percent sign and the letter that says what is to be done.
const MODIFIERS: &[u8] = b"0123456789-+ #'*.$hlLqjztZIw";

/// What a percent sign starts.
struct Directive<'a> {
    modifiers: &'a [u8],
    letter: u8,
}

fn directives(format: &[u8]) -> impl Iterator<Item = Directive<'_>> {
    // What stands behind a zero byte is not read.
    let mut rest = format.split(|byte| *byte == 0).next().unwrap_or_default();
    core::iter::from_fn(move || {
        let start = rest.iter().position(|byte| *byte == b'%')?;
        let directive = rest.get(start + 1..)?;
        let length = directive.iter().take_while(|byte| MODIFIERS.contains(byte)).count();
        let (modifiers, behind) = directive.split_at_checked(length)?;
        // The letter itself: the second of two percent signs starts nothing.
        let (letter, behind) = behind.split_first()?;
        rest = behind;
        Some(Directive { modifiers, letter: *letter })
    })
}

/// Whether a format has a directive that writes to memory (`%n`).
pub fn writes_memory(format: &[u8]) -> bool {
    directives(format).any(|directive| directive.letter == b'n')
}

/// How much of a string is written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// All of it.
    All,
    /// At most so many bytes.
    Bytes(u64),
    /// At most as many bytes as an argument says: how many arguments are before it, behind the format.
    Argument(usize),
}

/// An argument that a directive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// An integer or an address.
    Word,
    /// A floating-point number.
    Double,
    /// One of the longest kind.
    LongDouble,
    /// A string that is written out.
    Text(Precision),
}

/// Letters that take an argument. Any other is written out as it is, and takes none.
const CONVERSIONS: &[u8] = b"diouxXbBeEfFgGaAcCsSpn";

/// Whether a format says itself which arguments it means (`%1$s`).
fn names_arguments(format: &[u8]) -> bool {
    directives(format).any(|directive| directive.modifiers.contains(&b'$'))
}

/// What AddressSanitizer knows between a percent sign and the letter, and the letters that it knows. Where it finds anything else it looks
/// no further.
const PLAIN_MODIFIERS: &[u8] = b"0123456789-+ #'*.hlLqjzt";
const PLAIN_LETTERS: &[u8] = b"%diouxXeEfFgGaAcCsSpnm";

/// Whether a format has nothing in it that only the C library understands: arguments by number, letters that take none, and what is
/// older or newer than the standard.
pub fn is_plain(format: &[u8]) -> bool {
    directives(format).all(|Directive { modifiers, letter }| {
        let is_short_text = letter == b's' && modifiers.contains(&b'h');
        PLAIN_LETTERS.contains(&letter)
            && modifiers.iter().all(|modifier| PLAIN_MODIFIERS.contains(modifier))
            && !is_short_text
    })
}

/// A number at the start of a text, and what stands behind it.
fn number(text: &[u8]) -> (u64, &[u8]) {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(length).unwrap_or_default();
    let value = |so_far: u64, digit: &u8| so_far.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    (digits.iter().fold(0, value), rest)
}

/// The number of an argument that is named at the start of a text, counted from 0.
fn named(text: &[u8]) -> Option<usize> {
    let (place, rest) = number(text);
    (rest.first() == Some(&b'$')).then(|| usize::try_from(place).ok()?.checked_sub(1))?
}

impl<'a> Directive<'a> {
    /// What stands before the point among the modifiers, and what behind it.
    fn parts(&self) -> (&'a [u8], Option<&'a [u8]>) {
        match self.modifiers.iter().position(|byte| *byte == b'.') {
            Some(point) => (&self.modifiers[..point], self.modifiers.get(point + 1..)),
            None => (self.modifiers, None),
        }
    }

    /// Whether it writes out a string of bytes: `%ls` has wide characters.
    fn is_text(&self) -> bool {
        self.letter == b's' && !self.modifiers.contains(&b'l')
    }
}

/// Hands over the arguments that a format takes, in their order. Where the format itself says which arguments it means, none: false then.
#[must_use]
pub fn each_argument(format: &[u8], mut visit: impl FnMut(Argument)) -> bool {
    if names_arguments(format) {
        return false;
    }
    let mut count = 0;
    let mut take = |argument| {
        visit(argument);
        count += 1;
        count - 1
    };
    for directive in directives(format) {
        let (width, precision) = directive.parts();
        if width.contains(&b'*') {
            take(Argument::Word);
        }
        let precision = match precision {
            None => Precision::All,
            Some(text) if text.contains(&b'*') => Precision::Argument(take(Argument::Word)),
            Some(text) => Precision::Bytes(number(text).0),
        };
        let is_long = directive.modifiers.contains(&b'L');
        take(match directive.letter {
            letter if !CONVERSIONS.contains(&letter) => continue,
            _ if directive.is_text() => Argument::Text(precision),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' if is_long => Argument::LongDouble,
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Argument::Double,
            _ => Argument::Word,
        });
    }
    true
}

/// Hands over the strings among them (`%s`): how many arguments are before it behind the format, and how much is written.
pub fn each_string(format: &[u8], mut visit: impl FnMut(usize, Precision)) {
    let mut before = 0;
    let is_in_turn = each_argument(format, |argument| {
        if let Argument::Text(precision) = argument {
            visit(before, precision);
        }
        before += 1;
    });
    if is_in_turn {
        return;
    }
    for directive in directives(format).filter(Directive::is_text) {
        let (width, precision) = directive.parts();
        let precision = match precision {
            None => Some(Precision::All),
            Some([b'*', place @ ..]) => named(place).map(Precision::Argument),
            Some(text) => Some(Precision::Bytes(number(text).0)),
        };
        if let (Some(place), Some(precision)) = (named(width), precision) {
            visit(place, precision);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, Precision, each_argument, each_string, is_plain, writes_memory};

    #[test]
    fn strings_are_counted_with_what_stands_before_them() {
        let strings = |format: &str| {
            let mut found = Vec::new();
            each_string(format.as_bytes(), |before, precision| found.push((before, precision)));
            found
        };
        assert_eq!(strings("5%, %y %s %!%s"), [(0, Precision::All), (1, Precision::All)]);
        assert_eq!(
            strings("%2$s %1$-8.3s %1$.*3$s"),
            [(1, Precision::All), (0, Precision::Bytes(3)), (0, Precision::Argument(2))]
        );
        assert_eq!(strings("%s: %d, %-8s%%%m"), [(0, Precision::All), (2, Precision::All)]);
        assert_eq!(strings("%*d %.12s %.s"), [(2, Precision::Bytes(12)), (3, Precision::Bytes(0))]);
        assert_eq!(strings("%*.*s%s"), [(2, Precision::Argument(1)), (3, Precision::All)]);
        assert_eq!(strings("%.*f %s"), [(2, Precision::All)]);
        // What no call has so many arguments for is left to those who count them.
        assert_eq!(strings("%99999999999999999999$s"), [(usize::MAX - 1, Precision::All)]);
        assert_eq!(strings("%Zu %wd %s"), [(2, Precision::All)]);
        for none in ["", "%", "%d", "%0$s", "a\0%s", "%%s", "%ls", "%."] {
            assert!(strings(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn the_sanitizer_understands_less_than_the_library() {
        for plain in ["", "100%%", "%-8.3s|%s", "%*.*f %lld %qd %zu %hhx %'d %La %m %n %lc %ls"] {
            assert!(is_plain(plain.as_bytes()), "{plain}");
        }
        for other in ["%1$s", "%k", "5%, of %s", "%b", "%Id", "%Zu", "%wd", "%hs"] {
            assert!(!is_plain(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn arguments_are_told_apart_by_where_they_are_passed() {
        let arguments = |format: &str| {
            let mut found = Vec::new();
            assert_eq!(each_argument(format.as_bytes(), |argument| found.push(argument)), !format.contains("$"));
            found
        };
        let (word, double) = (Argument::Word, Argument::Double);
        assert_eq!(arguments("%d%%%m %ls %p"), [word, word, word]);
        assert_eq!(arguments("%f %*.*g %Lf"), [double, word, word, double, Argument::LongDouble]);
        assert_eq!(arguments("%.*s %c"), [word, Argument::Text(Precision::Argument(0)), word]);
        assert!(arguments("%2$f").is_empty());
    }

    #[test]
    fn only_one_directive_writes() {
        for format in ["%n", "a%5.3hhnb", "%d%n", "%1$n", "%%%n", "%*.*ln"] {
            assert!(writes_memory(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%", "%%n", "%d n", "%-5sn", "100%", "%l", "%f ns"] {
            assert!(!writes_memory(format.as_bytes()), "{format}");
        }
    }
}
