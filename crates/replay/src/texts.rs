//! Short texts that stand in a program's constant data: names, keywords, marks of formats.

use std::collections::BTreeSet;

use object::{Object, ObjectSection};

/// Sections that such texts stand in.
const SECTIONS: [&str; 3] = [".rodata", ".data.rel.ro", ".data"];
/// Shorter ones say nothing, longer ones are messages.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;
/// More would drown what matters.
const MOST: usize = 2000;

/// The texts in a program, each once; none if it is not one.
pub(crate) fn texts(program: &[u8]) -> Vec<Vec<u8>> {
    let Ok(file) = object::File::parse(program) else { return Vec::new() };
    let mut found = BTreeSet::new();
    for section in file.sections().filter(|section| section.name().is_ok_and(|name| SECTIONS.contains(&name))) {
        let contents = section.data().unwrap_or_default();
        found.extend(contents.split(|byte| *byte == 0).filter(|text| is_text(text)).map(<[u8]>::to_vec));
    }
    found.into_iter().take(MOST).collect()
}

fn is_text(bytes: &[u8]) -> bool {
    let is_usual = |byte: &u8| byte.is_ascii_graphic() || b" \t\r\n".contains(byte);
    LENGTHS.contains(&bytes.len()) && bytes.iter().all(is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_short_and_printable() {
        assert!(is_text(b"<!DOCTYPE") && is_text(b"if"));
        assert!(!is_text(b"a") && !is_text(b"\x01\x02") && !is_text(&[b'a'; 25]));
        assert_eq!(texts(b"no program"), Vec::<Vec<u8>>::new());
    }
}
