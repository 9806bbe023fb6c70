//! Inline assembly, as far as it moves and computes numbers.
//!
//! Assembly that is not understood may do anything with what it can reach. Most of it is a barrier for the compiler and has no
//! instructions at all, or swaps bytes and rotates bits. What is understood here is that: instructions of x86 in AT&T's syntax that
//! read and write memory just where an operand points to, and carry no pointer from there or to there.

use rustc_hash::FxHashSet;

/// What a piece of assembly does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assembly {
    /// Where it reads and writes.
    pub accesses: Vec<Access>,
    /// What it computes.
    pub result: Outcome,
}

/// An access of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The argument that points there.
    pub argument: usize,
    /// How much.
    pub bytes: u32,
    /// Whether it is written.
    pub is_write: bool,
}

/// What assembly computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// Something from its operands.
    #[default]
    Computed,
    /// Something that is no pointer.
    Number,
    /// An argument.
    Argument(usize),
}

/// Instructions that compute their last operand from all, flags included.
const COMPUTING: [&str; 17] = [
    "add", "sub", "adc", "sbb", "xor", "and", "or", "not", "neg", "inc", "dec", "rol", "ror", "shl", "shr", "sar",
    "imul",
];

/// Instructions that only compare.
const COMPARING: [&str; 2] = ["cmp", "test"];

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// An operand of the assembly, by its number.
    Operand(usize),
    /// The memory that one points to.
    Memory(usize),
    /// A register or a number that is named.
    Named,
}

/// Understands assembly, by its text and the constraints of its operands.
pub fn understand(text: &str, constraints: &str) -> Option<Assembly> {
    let all: Vec<&str> = constraints.split(',').filter(|one| !one.is_empty() && !one.starts_with('~')).collect();
    // Operands in memory and labels are not followed.
    if all.iter().any(|one| one.contains(['*', '!'])) {
        return None;
    }
    let outputs = all.iter().take_while(|one| one.starts_with('=')).count();
    let mut reader = Reader { outputs, tied: FxHashSet::default(), ..Reader::default() };
    for (number, constraint) in all.iter().enumerate().skip(outputs) {
        if constraint.parse::<usize>().is_ok() {
            reader.tied.insert(number);
        }
    }
    let lines = text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    let mut is_empty = true;
    for line in lines {
        is_empty = false;
        reader.instruction(line)?;
    }
    let result = match (outputs, is_empty, all.get(outputs..)) {
        (1, true, Some(["0"])) => Outcome::Argument(0),
        _ if reader.loaded.iter().any(|number| !reader.swapped.contains(number)) => return None,
        (1, false, _) if reader.loaded.contains(&0) => Outcome::Number,
        _ => Outcome::Computed,
    };
    Some(Assembly { accesses: reader.accesses, result })
}

/// The words in a piece of assembly that may be names of variables and functions.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    text.split(move |letter| !is_part(letter)).filter(|word| !word.is_empty())
}

#[derive(Default)]
struct Reader {
    /// How many of the operands, the first ones, are results.
    outputs: usize,
    /// Operands that share a register with a result.
    tied: FxHashSet<usize>,
    accesses: Vec<Access>,
    /// Operands that hold a word from memory.
    loaded: FxHashSet<usize>,
    /// Operands whose bytes are in the reverse order.
    swapped: FxHashSet<usize>,
}

impl Reader {
    fn instruction(&mut self, line: &str) -> Option<()> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let places = rest.split(',').map(str::trim).filter(|one| !one.is_empty()).map(place);
        let places = places.collect::<Option<Vec<Place>>>()?;
        let (stem, bytes) = sized(name)?;
        let (target, sources) = places.split_last()?;
        match (stem, sources) {
            ("bswap", []) => self.swap(*target),
            ("mov", [source]) => self.copy(*source, *target, bytes),
            _ if COMPARING.contains(&stem) => places.iter().try_for_each(|place| self.read(*place, bytes)),
            _ if COMPUTING.contains(&stem) => {
                places.iter().try_for_each(|place| self.read(*place, bytes))?;
                match target {
                    Place::Memory(number) => self.access(*number, bytes, true),
                    target => self.compute(*target),
                }
            }
            _ => None,
        }
    }

    fn swap(&mut self, place: Place) -> Option<()> {
        match place {
            Place::Operand(number) if !self.tied.contains(&number) => {
                if !self.swapped.remove(&number) {
                    self.swapped.insert(number);
                }
                Some(())
            }
            _ => None,
        }
    }

    fn copy(&mut self, source: Place, target: Place, bytes: u32) -> Option<()> {
        let is_word = bytes == 8;
        match (source, target) {
            (Place::Memory(from), Place::Operand(to)) if is_word => {
                self.access_word(from, false)?;
                self.compute(target)?;
                self.loaded.insert(to);
                Some(())
            }
            (Place::Operand(from), Place::Memory(to)) if is_word && self.swapped.contains(&from) => {
                self.access_word(to, true)
            }
            (_, Place::Memory(to)) => {
                self.read(source, bytes)?;
                self.access(to, bytes, true)
            }
            (source, target) => {
                self.read(source, bytes)?;
                self.compute(target)
            }
        }
    }

    /// An operand is read. A word in memory may be a pointer, and then nobody knows where it goes.
    fn read(&mut self, place: Place, bytes: u32) -> Option<()> {
        match place {
            Place::Memory(number) => self.access(number, bytes, false),
            Place::Operand(number) if self.loaded.contains(&number) => None,
            Place::Operand(_) | Place::Named => Some(()),
        }
    }

    /// An operand gets a new value. Registers that are named are not followed.
    fn compute(&mut self, place: Place) -> Option<()> {
        match place {
            Place::Operand(number) if number < self.outputs => {
                self.loaded.remove(&number);
                self.swapped.remove(&number);
                Some(())
            }
            _ => None,
        }
    }

    fn access(&mut self, number: usize, bytes: u32, is_write: bool) -> Option<()> {
        if bytes < 8 { self.access_any(number, bytes, is_write) } else { None }
    }

    fn access_word(&mut self, number: usize, is_write: bool) -> Option<()> {
        self.access_any(number, 8, is_write)
    }

    fn access_any(&mut self, number: usize, bytes: u32, is_write: bool) -> Option<()> {
        let argument = number.checked_sub(self.outputs)?;
        if self.tied.contains(&number) || self.swapped.contains(&number) {
            return None;
        }
        self.accesses.push(Access { argument, bytes, is_write });
        Some(())
    }
}

/// The name of an instruction without its suffix, and the bytes that it works on.
fn sized(name: &str) -> Option<(&str, u32)> {
    let is_known = |stem: &str| ["mov", "bswap"].iter().chain(&COMPUTING).chain(&COMPARING).any(|known| *known == stem);
    let suffixes = [('b', 1), ('w', 2), ('l', 4), ('q', 8)];
    let with_suffix = suffixes.iter().find_map(|(suffix, bytes)| {
        let stem = name.strip_suffix(*suffix).filter(|stem| is_known(stem))?;
        Some((stem, *bytes))
    });
    // Without one it may be as much as a word.
    with_suffix.or_else(|| is_known(name).then_some((name, 8)))
}

/// An operand of an instruction, as LLVM writes it: `$1`, `${1:b}`, `($1)`, `%cl`, `$$7`.
fn place(text: &str) -> Option<Place> {
    if let Some(within) = text.strip_prefix('(') {
        return number(within.strip_suffix(')')?).map(Place::Memory);
    }
    if let Some(named) = text.strip_prefix('%').or_else(|| text.strip_prefix("$$")) {
        let is_plain = named.chars().all(|letter| letter.is_ascii_alphanumeric());
        return is_plain.then_some(Place::Named);
    }
    number(text).map(Place::Operand)
}

fn number(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let plain = match text.strip_prefix('{') {
        Some(braced) => braced.strip_suffix('}')?.split(':').next()?,
        None => text,
    };
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOBBERS: &str = "~{memory},~{dirflag},~{fpsr},~{flags}";

    fn check(text: &str, constraints: &str) -> Option<Assembly> {
        understand(text, &format!("{constraints},{CLOBBERS}"))
    }

    fn access(argument: usize, bytes: u32, is_write: bool) -> Access {
        Access { argument, bytes, is_write }
    }

    #[test]
    fn names_stand_between_signs() {
        let found: Vec<&str> = names("movq $$0,some_name(%rip); call *f.1+8").collect();
        assert_eq!(found, ["movq", "0", "some_name", "rip", "call", "f.1", "8"]);
    }

    #[test]
    fn barriers_do_nothing() {
        assert_eq!(check("", "r"), Some(Assembly::default()));
        let same = Assembly { result: Outcome::Argument(0), ..Assembly::default() };
        assert_eq!(check("", "=r,0"), Some(same));
    }

    #[test]
    fn numbers_are_read_and_written() {
        let load = Assembly { accesses: vec![access(0, 4, false)], result: Outcome::Computed };
        assert_eq!(check("movl ($1),$0\n\tbswapl $0\n\t", "=r,r"), Some(load));
        let store = Assembly { accesses: vec![access(1, 4, true)], result: Outcome::Computed };
        assert_eq!(check("bswapl $0 \n\tmovl $0,($1)\n\tbswapl $0", "r,r"), Some(store));
        assert_eq!(check("roll %cl,$0", "=r,0,{cx}"), Some(Assembly::default()));
    }

    #[test]
    fn words_are_numbers_if_their_bytes_are_swapped() {
        let load = Assembly { accesses: vec![access(0, 8, false)], result: Outcome::Number };
        assert_eq!(check("movq ($1),$0; bswapq $0", "=r,r"), Some(load));
        let store = Assembly { accesses: vec![access(1, 8, true)], result: Outcome::Computed };
        assert_eq!(check("bswapq $0; movq $0,($1); bswapq $0", "r,r"), Some(store));
    }

    #[test]
    fn pointers_that_are_moved_are_not_understood() {
        for text in ["movq ($1),$0", "movq ($1),$0; bswapq $0; bswapq $0", "mov ($1),$0", "addq ($1),$0"] {
            assert_eq!(check(text, "=r,r"), None, "{text}");
        }
        for text in ["movq $0,($1)", "movq $$0,($1)", "bswapq $0; bswapq $0; movq $0,($1)", "xchgq $0,($1)"] {
            assert_eq!(check(text, "r,r"), None, "{text}");
        }
    }

    #[test]
    fn addresses_that_are_computed_are_not_understood() {
        for text in ["movl 4($1),$0", "movl ($1,$2),$0", "movl $1,$0; movl ($0),$0", "addq $$8,$1; movl ($1),$0"] {
            assert_eq!(check(text, "=r,r,r"), None, "{text}");
        }
        assert_eq!(check("movl $0,$1", "=*m,r"), None);
        assert_eq!(check("jmp ${0:l}", "!i"), None);
        assert_eq!(check("syscall", "={ax},{ax}"), None);
    }
}
