//! Formats of `printf` and its like, as far as instrumenter and runtime both look at them.

/// What stands between a percent sign and the letter that says what is to be done.
const MODIFIERS: &[u8] = b"0123456789-+ #'*.$hlLqjztIw";

/// Whether a format has a directive that writes to memory (`%n`).
pub fn writes_memory(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        let directive = rest.get(start + 1..).unwrap_or_default();
        let length = directive.iter().take_while(|byte| MODIFIERS.contains(byte)).count();
        if directive.get(length) == Some(&b'n') {
            return true;
        }
        // The letter itself: the second of two percent signs starts nothing.
        rest = directive.get(length + 1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::writes_memory;

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
