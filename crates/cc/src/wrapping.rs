//! `--wrap`: the linker sends references to a symbol somewhere else. It does so between objects, and code that was linked as
//! bitcode is one object, so whoever links bitcode has to do it.

use crate::bundle::Program;
use crate::record::Item;

impl Program {
    /// The symbols that the link of an image wraps.
    pub fn wrapped_symbols(&self, image: usize) -> Vec<String> {
        let items = self.images.get(image).map_or(&[][..], |image| image.link.items.as_slice());
        let words = items.iter().filter_map(|item| match item {
            Item::Option(words) => Some(words),
            _ => None,
        });
        words.flat_map(|words| split(words).1).collect()
    }

    /// Whether the linker still has to wrap: for code that has no bitcode.
    pub fn has_code_without_bitcode(&self) -> bool {
        let is_code = |item: &Item| match item {
            Item::Object { .. } => true,
            Item::Archive { members, .. } => !members.is_empty(),
            _ => false,
        };
        !self.objects.is_empty() || self.images.iter().any(|image| image.link.items.iter().any(is_code))
    }
}

/// Options of the linker without those that wrap, and the symbols that those wrap.
pub fn split(words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut others, mut symbols) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.trim_start_matches('-') {
            "wrap" if word.starts_with('-') => symbols.extend(words.next().cloned()),
            option => match option.strip_prefix("wrap=").filter(|_| word.starts_with('-')) {
                Some(symbol) => symbols.push(symbol.to_owned()),
                None => others.push(word.clone()),
            },
        }
    }
    (others, symbols)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn both_spellings() {
        let words = ["-z", "now", "--wrap", "malloc", "--wrap=free", "-wrap=x", "wrap=y", "--wrap"].map(str::to_owned);
        let (others, symbols) = split(&words);
        assert_eq!(others, ["-z", "now", "wrap=y"]);
        assert_eq!(symbols, ["malloc", "free", "x"]);
    }
}
