//! What functions of the C library do with pointers.
//!
//! A function that is neither defined in the program nor listed here is unknown: its result may be null, and it may do
//! anything with what it is given.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What a function of the library does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// What it returns.
    pub returns: Returns,
    /// Whether there are null pointers in the memory of its own that the program sees.
    pub has_nulls: bool,
    /// Whether the result may be null.
    pub may_return_null: bool,
    /// Which arguments must not be null.
    pub nonnull: Vec<usize>,
    /// What it does to memory.
    pub effects: Vec<Effect>,
    /// Whether it keeps what the functions return that it calls.
    pub keeps_results: bool,
    /// Whether it never returns.
    pub is_noreturn: bool,
}

/// What a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Returns {
    /// No pointer.
    #[default]
    Plain,
    /// Fresh memory that is not initialised.
    Fresh,
    /// Fresh memory of zeros.
    Zeroed,
    /// Fresh memory without pointers in it.
    FreshBytes,
    /// Fresh memory with the contents of what an argument points to.
    Moved(usize),
    /// An argument.
    Argument(usize),
    /// A pointer into what an argument points to.
    Within(usize),
    /// Memory of the library's own.
    Own,
    /// What it has kept.
    Kept,
}

/// What a function does to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Writes bytes that are no pointers to what an argument points to.
    Bytes(usize),
    /// The same, for all arguments from one on.
    BytesFrom(usize),
    /// Writes a pointer into what the second argument points to, to where the first one points.
    PointerInto(usize, usize),
    /// Writes a pointer to fresh memory to where an argument points; it may be null.
    FreshAt(usize),
    /// Writes a pointer to memory of the library's own to where an argument points; it may be null.
    OwnAt(usize),
    /// Writes zeros to what an argument points to.
    Zeros(usize),
    /// Writes bytes that are no pointers to anything that can be reached from an argument.
    Reaches(usize),
    /// Changes variables that are defined elsewhere.
    Elsewhere,
    /// Copies from the second argument to the first one.
    Copies(usize, usize),
    /// Keeps pointers into what an argument points to.
    Keeps(usize),
    /// Writes to where an argument points what another function has kept; it may be null.
    KeptAt(usize, &'static str),
    /// Returns, too, what an argument points to.
    ReturnsAt(usize),
    /// Returns, too, a pointer into what an argument points to.
    ReturnsWithin(usize),
    /// Calls an argument.
    Calls(usize, Vec<Passed>),
}

/// What a function of the library passes to one of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// One of its own arguments.
    Argument(usize),
    /// A pointer into what one of them points to.
    Within(usize),
    /// Something without pointers.
    Plain,
    /// Memory of the library's own.
    Own,
}

/// One function a line: its name, then what it does.
///
/// `fresh` `zeroed` `bytes` `moved0` `=0` `in0` `own` `kept`: what it returns; `null`: that may be null; `!0`: argument 0 must not be
/// null; `w0`: writes bytes to what it points to, `w0..`: to this and all further ones; `p1:0`: writes a pointer into argument 0
/// to where argument 1 points; `f0`: writes a pointer to fresh memory; `o0`: to memory of its own; `nulls`: in that are null
/// pointers; `z0`: writes zeros; `r0`: writes bytes to what can be reached; `elsewhere`: changes variables that are defined
/// elsewhere; `c0:1`: copies from argument 1 to 0;
/// `k0`: keeps pointers into argument 0; `k1:f`: writes what `f` has kept; `at2`: returns what argument 2 points to, too;
/// `also0`: returns a pointer into argument 0, too;
/// `results`: keeps what functions return that it calls; `@3(in0,in0)`: calls argument 3 with pointers into argument 0; `noreturn`.
const TABLE: &str = include_str!("library.txt");

/// What is known about a function.
pub fn model(name: &str) -> Option<&'static Model> {
    static MODELS: OnceLock<FxHashMap<&'static str, Model>> = OnceLock::new();
    let models = MODELS.get_or_init(|| TABLE.lines().filter_map(line).collect());
    models.get(name).or_else(|| {
        // The checking twins of glibc: `__strcpy_chk`; its versions of C99: `__isoc99_sscanf`, `__isoc23_strtol`.
        let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"))?;
        models.get(plain)
    })
}

/// Whether control may come back from a call of a function more than once.
pub fn returns_twice(name: &str) -> bool {
    matches!(
        name,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp" | "vfork" | "getcontext" | "savectx"
    )
}

fn line(line: &'static str) -> Option<(&'static str, Model)> {
    let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    let name = words.next()?;
    let mut model = Model::default();
    for word in words {
        read(word, &mut model)?;
    }
    Some((name, model))
}

fn read(word: &'static str, model: &mut Model) -> Option<()> {
    let number = |text: &str| text.parse::<usize>().ok();
    let pair = |text: &str| text.split_once(':').and_then(|(a, b)| Some((number(a)?, number(b)?)));
    match word {
        "fresh" => model.returns = Returns::Fresh,
        "zeroed" => model.returns = Returns::Zeroed,
        "bytes" => model.returns = Returns::FreshBytes,
        "own" => model.returns = Returns::Own,
        "kept" => model.returns = Returns::Kept,
        "results" => model.keeps_results = true,
        "nulls" => model.has_nulls = true,
        "elsewhere" => model.effects.push(Effect::Elsewhere),
        "null" => model.may_return_null = true,
        "noreturn" => model.is_noreturn = true,
        _ => {
            if let Some(text) = word.strip_prefix("moved") {
                model.returns = Returns::Moved(number(text)?);
            } else if let Some(text) = word.strip_prefix("in") {
                model.returns = Returns::Within(number(text)?);
            } else if let Some(text) = word.strip_prefix("also") {
                model.effects.push(Effect::ReturnsWithin(number(text)?));
            } else if let Some(text) = word.strip_prefix("at") {
                model.effects.push(Effect::ReturnsAt(number(text)?));
            } else if let Some(text) = word.strip_prefix('k') {
                model.effects.push(match text.split_once(':') {
                    Some((to, by)) => Effect::KeptAt(number(to)?, by),
                    None => Effect::Keeps(number(text)?),
                });
            } else if let Some(text) = word.strip_prefix('=') {
                model.returns = Returns::Argument(number(text)?);
            } else if let Some(text) = word.strip_prefix('!') {
                model.nonnull.push(number(text)?);
            } else if let Some(text) = word.strip_prefix('w') {
                model.effects.push(match text.strip_suffix("..") {
                    Some(first) => Effect::BytesFrom(number(first)?),
                    None => Effect::Bytes(number(text)?),
                });
            } else if let Some(text) = word.strip_prefix('p') {
                let (to, into) = pair(text)?;
                model.effects.push(Effect::PointerInto(to, into));
            } else if let Some(text) = word.strip_prefix('o') {
                model.effects.push(Effect::OwnAt(number(text)?));
            } else if let Some(text) = word.strip_prefix('z') {
                model.effects.push(Effect::Zeros(number(text)?));
            } else if let Some(text) = word.strip_prefix('r') {
                model.effects.push(Effect::Reaches(number(text)?));
            } else if let Some(text) = word.strip_prefix('f') {
                model.effects.push(Effect::FreshAt(number(text)?));
            } else if let Some(text) = word.strip_prefix('c') {
                let (to, from) = pair(text)?;
                model.effects.push(Effect::Copies(to, from));
            } else if let Some(text) = word.strip_prefix('@') {
                let (callee, passed) = text.strip_suffix(')')?.split_once('(')?;
                let passed = passed.split(',').filter(|one| !one.is_empty()).map(|one| {
                    Some(match one {
                        "-" => Passed::Plain,
                        "own" => Passed::Own,
                        _ => match one.strip_prefix("in") {
                            Some(text) => Passed::Within(number(text)?),
                            None => Passed::Argument(number(one)?),
                        },
                    })
                });
                model.effects.push(Effect::Calls(number(callee)?, passed.collect::<Option<_>>()?));
            } else {
                return None;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood() {
        for text in TABLE.lines().filter(|text| !text.trim().is_empty() && !text.starts_with('#')) {
            assert!(line(text).is_some(), "{text}");
        }
    }

    #[test]
    fn functions_are_found() {
        assert!(model("malloc").is_some_and(|model| model.returns == Returns::Fresh && model.may_return_null));
        assert_eq!(model("__isoc23_strtol").map(|model| &model.effects), model("strtol").map(|model| &model.effects));
        assert_eq!(model("qsort").map(|model| model.effects.len()), Some(2));
        assert_eq!(model("frobnicate"), None);
    }
}
