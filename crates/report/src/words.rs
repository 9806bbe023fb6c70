//! Numbers that people can read.

/// A number with its thousands apart.
pub fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and what it counts, in the singular or the plural.
pub fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{} {stem}ies", grouped(number)),
        _ if noun.ends_with("ch") || noun.ends_with('s') => format!("{} {noun}es", grouped(number)),
        _ => format!("{} {noun}s", grouped(number)),
    }
}

/// A size in a unit that people can read.
pub fn bytes(number: u64) -> String {
    let (mut value, mut unit) = (number as f64, "bytes");
    for larger in ["KB", "MB", "GB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    if unit == "bytes" { counted(number, "byte") } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(7u64), "7");
        assert_eq!(grouped(1932u64), "1,932");
        assert_eq!(grouped(1_234_567u64), "1,234,567");
        assert_eq!(counted(1u64, "branch"), "1 branch");
        assert_eq!(counted(0u64, "branch"), "0 branches");
        assert_eq!(counted(2u64, "address"), "2 addresses");
        assert_eq!(counted(3u64, "query"), "3 queries");
        assert_eq!(bytes(812), "812 bytes");
        assert_eq!(bytes(7373), "7.2 KB");
        assert_eq!(bytes(3 << 30), "3.0 GB");
    }
}
