//! What AddressSanitizer finds, as violations of rules.

use trace::rule::Rule;

use crate::outcome::Access;

/// What AddressSanitizer found, as it describes it.
pub(crate) struct Found<'a> {
    /// Its word for it, `heap-buffer-overflow` for example.
    pub(crate) description: &'a str,
    pub(crate) is_write: bool,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// The whole report, if it came that far.
    pub(crate) report: &'a str,
    /// The library function that was executing.
    pub(crate) within: Option<&'a str>,
    /// What the C library was doing, innermost first.
    pub(crate) in_library: &'a [String],
}

/// The same in Provoke's words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Classified<'a> {
    pub(crate) rule: Rule,
    /// What AddressSanitizer calls it, or should.
    pub(crate) description: &'a str,
    pub(crate) access: Option<Access>,
    /// Where the address lies.
    pub(crate) target: Target,
    /// Whether the rule is a guess.
    pub(crate) wild: bool,
    /// Whether AddressSanitizer failed before the access did, so that nobody knows what that is.
    pub(crate) is_looked_up: bool,
    /// The signal that came first, as `SEGV`; empty if there was none.
    pub(crate) signal: String,
}

/// What an address belongs to, or should have belonged to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Target {
    /// What it is: `the 16-byte block`, `variable 'name'`.
    pub(crate) name: String,
    pub(crate) side: Option<Side>,
    /// Bytes from its edge.
    pub(crate) distance: u64,
}

/// On which side of what it belongs to an address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    Inside,
    Behind,
}

/// Functions that write text of a length that follows from their arguments, or as much as they are told to.
const WRITERS: [&str; 46] = [
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "stpcpy",
    "stpncpy",
    "strlcpy",
    "strlcat",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "gets",
    "fgets",
    "read",
    "pread",
    "pread64",
    "readv",
    "fread",
    "recv",
    "recvfrom",
    "recvmsg",
    "scanf",
    "sscanf",
    "fscanf",
    "vscanf",
    "vsscanf",
    "vfscanf",
    "wcscpy",
    "wcsncpy",
    "wcscat",
    "wcsncat",
    "wcpcpy",
    "wcpncpy",
    "fread_unlocked",
    "fgets_unlocked",
    "fgetws",
    "fgetws_unlocked",
    "getcwd",
    "gethostname",
    "strftime",
    "wcsftime",
    "strerror_r",
    "xpg_strerror_r",
    "swprintf",
    "vswprintf",
];

/// What a global variable without a name is.
const CONSTANT: &str = "constant";

/// Functions that free a block.
const FREES: [&str; 4] = ["free", "cfree", "realloc", "reallocarray"];

/// Addresses below this one are taken to come from a null pointer, with the offset of a field: the system maps nothing
/// there.
const NULL_END: u64 = 0x1_0000;

/// What kind of violation AddressSanitizer has found.
pub(crate) fn classify<'a>(found: &Found<'a>) -> Classified<'a> {
    let target = target(found.report);
    let (description, target) = match found.description {
        // The byte that AddressSanitizer gives to a block of no bytes (`__provoke_allocated` in the view's runtime).
        "use-after-poison" if target.name == "the 1-byte block" => {
            let name = "the 0-byte block".to_owned();
            ("heap-buffer-overflow", Target { name, side: Some(Side::Behind), distance: target.distance })
        }
        description => (description, target),
    };
    let signal = signal(found.report);
    let mut access = (found.size > 0).then_some(Access {
        is_write: found.is_write,
        size: found.size,
        address: (found.address != 0).then_some(found.address),
    });
    let (mut wild, mut is_looked_up) = (false, false);
    let before = target.side == Some(Side::Before);
    let writes_text = found.is_write && found.within.is_some_and(|function| WRITERS.contains(&function));
    let overflow = |rule| match (before, writes_text) {
        (true, _) => Rule::BufferUnderflow,
        (false, true) => Rule::StringOverflow,
        (false, false) => rule,
    };
    let rule = match description {
        "heap-buffer-overflow" | "container-overflow" => overflow(Rule::HeapBufferOverflow),
        "stack-buffer-overflow" | "stack-buffer-underflow" | "dynamic-stack-buffer-overflow" => {
            overflow(Rule::StackBufferOverflow)
        }
        "global-buffer-overflow" | "initialization-order-fiasco" => overflow(Rule::GlobalBufferOverflow),
        "heap-use-after-free" | "stack-use-after-return" | "stack-use-after-scope" | "use-after-poison" => {
            Rule::UseAfterFree
        }
        "double-free" => Rule::DoubleFree,
        "bad-free" | "alloc-dealloc-mismatch" | "new-delete-type-mismatch" | "bad-malloc_usable_size" => {
            Rule::InvalidFree
        }
        "negative-size-param" => Rule::StringOverflow,
        "stack-overflow" => Rule::StackOverflow,
        other if other.ends_with("-param-overlap") => Rule::Overlap,
        other if is_about_allocation(other) => Rule::AllocSize,
        other => {
            let (rule, is_guess) = signalled(other, &signal, found);
            wild = is_guess;
            if matches!(signal.as_str(), "SEGV" | "BUS") {
                let address = fault_address(found.report);
                let (shadowed, is_write) = (address.and_then(shadowed), is_write(found));
                access = Some(Access { is_write, size: 0, address: shadowed.or(address) });
                is_looked_up = shadowed.is_some();
            }
            rule
        }
    };
    Classified { rule, description, access, target, wild, is_looked_up, signal }
}

fn is_about_allocation(description: &str) -> bool {
    ["allocation-size-too-big", "out-of-memory", "rss-limit-exceeded"].contains(&description)
        || description.ends_with("-alignment")
        || ["calloc-overflow", "reallocarray-overflow", "pvalloc-overflow"].contains(&description)
}

/// The rule for a signal, and whether it is a guess.
fn signalled(description: &str, signal: &str, found: &Found) -> (Rule, bool) {
    let called = |name: &str| found.in_library.iter().any(|symbol| symbol.trim_start_matches('_') == name);
    match signal {
        "FPE" => (Rule::DivByZero, false),
        "ABRT" if called("chk_fail") || called("fortify_fail") => (Rule::StringOverflow, false),
        "ABRT" if called("stack_chk_fail") => (Rule::StackSmash, false),
        "ABRT" | "ILL" | "TRAP" => (Rule::Assertion, false),
        _ if description == "null-deref" => (Rule::NullDeref, false),
        _ => match fault_address(found.report) {
            // What AddressSanitizer knows of a block stands before it; where nothing is, there is no block.
            _ if found.within.is_some_and(|function| FREES.contains(&function)) => (Rule::InvalidFree, false),
            Some(address) if address < NULL_END => (Rule::NullDeref, false),
            // Of all blocks, those on the heap have the most room around them.
            _ => (Rule::HeapBufferOverflow, true),
        },
    }
}

/// Where AddressSanitizer has a byte for eight of the program's, or would have one if there were twice as many addresses: a pointer
/// to the stack is soon beyond their end. Nothing of a program lies there.
const SHADOW: std::ops::Range<u64> = 0x7fff_8000..0x2000_7fff_8000;

/// The address that AddressSanitizer was about to look up when it failed at `address`.
fn shadowed(address: u64) -> Option<u64> {
    SHADOW.contains(&address).then(|| (address - SHADOW.start) << 3)
}

fn is_write(found: &Found) -> bool {
    found.description.ends_with("-write") || found.report.contains("caused by a WRITE")
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

/// From `ERROR: AddressSanitizer: SEGV on unknown address`: the signal.
fn signal(report: &str) -> String {
    let name = between(report, "ERROR: AddressSanitizer: ", " on unknown address").unwrap_or_default();
    let is_name = name.len() < 8 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_name { name.to_owned() } else { String::new() }
}

/// From `on unknown address 0x00000010 (pc`: the address.
fn fault_address(report: &str) -> Option<u64> {
    let text = between(report, " on unknown address 0x", " (pc")?;
    u64::from_str_radix(text, 16).ok()
}

/// What the address of an access lies beside, from the first sentence that says so.
fn target(report: &str) -> Target {
    block(report).or_else(|| variable_on_stack(report)).unwrap_or_default()
}

/// `0x… is located 2 bytes after 10-byte region [0x…,0x…)`, and the same with `global variable 'name' … of size 40`. Of
/// variables there can be several: the address belongs to the nearest.
fn block(report: &str) -> Option<Target> {
    let sentences = report.lines().filter_map(|line| line.split_once(" is located ").map(|(_, rest)| rest));
    let mut targets = sentences.filter_map(beside);
    let first = targets.next()?;
    if !first.name.contains("global variable") && !first.name.ends_with(CONSTANT) {
        return Some(first);
    }
    // Constants without a name lie between the variables, and nobody counts too far in them as easily.
    let is_nameless = |target: &Target| target.name.ends_with(CONSTANT);
    std::iter::once(first)
        .chain(targets)
        .min_by_key(|target| (target.distance, is_nameless(target), target.side == Some(Side::Before)))
}

fn beside(sentence: &str) -> Option<Target> {
    let (distance, rest) = sentence.split_once(" bytes ")?;
    let distance = distance.parse().ok()?;
    let (side, what) = [("before ", Side::Before), ("inside of ", Side::Inside), ("after ", Side::Behind)]
        .into_iter()
        .find_map(|(word, side)| rest.strip_prefix(word).map(|what| (side, what)))?;
    let name = match what.strip_prefix("global variable '") {
        Some(rest) => {
            let (name, rest) = rest.split_once('\'')?;
            match rest.rsplit_once("of size ").and_then(|(_, size)| size.trim().parse::<u64>().ok()) {
                Some(size) if name.is_empty() => format!("a {size}-byte {CONSTANT}"),
                Some(size) => format!("the {size}-byte global variable '{name}'"),
                None => format!("the global variable '{name}'"),
            }
        }
        None => format!("the {} block", what.split_once(" region").map(|(size, _)| size)?),
    };
    Some(Target { name, side: Some(side), distance })
}

/// `[32, 40) 'st' (line 15) <== Memory access at offset 40 overflows this variable`
fn variable_on_stack(report: &str) -> Option<Target> {
    let mut lines = report.lines().map(str::trim_start);
    let (line, access) = lines.find_map(|line| line.split_once(" <== Memory access at offset "))?;
    let at: u64 = access.split_once(' ')?.0.parse().ok()?;
    let (marked, others) = (variable(line)?, report.lines().filter_map(|line| variable(line.trim_start())));
    // Of a long access the report may mark the variable that it ends in. Who starts right behind one has gone over its end.
    let left = others.into_iter().find(|(_, end, _)| *end == at).filter(|_| at < marked.0);
    let (start, end, name) = left.unwrap_or(marked);
    let (side, distance) = if at < start {
        (Side::Before, start - at)
    } else if at >= end || access.contains("overflows") {
        (Side::Behind, at.saturating_sub(end))
    } else {
        (Side::Inside, at - start)
    };
    Some(Target { name: format!("the {}-byte variable '{name}'", end - start), side: Some(side), distance })
}

/// Start, end and name of a variable: `[32, 40) 'st' (line 15)`
fn variable(line: &str) -> Option<(u64, u64, &str)> {
    let (start, rest) = line.strip_prefix('[')?.split_once(", ")?;
    let (end, name) = rest.split_once(") ")?;
    let name = name.split_once("' (line").map_or(name, |(name, _)| name).trim_matches('\'');
    Some((start.parse().ok()?, end.parse().ok()?, name))
}

/// Addresses of the stack that a sentence of the report introduces.
pub(crate) fn stack_after(report: &str, sentence: &str) -> Vec<u64> {
    let mut lines = report.lines().skip_while(|line| !line.contains(sentence)).skip(1);
    let frame = |line: &str| {
        let (_, rest) = line.trim_start().strip_prefix('#')?.split_once(" 0x")?;
        u64::from_str_radix(rest.split(' ').next()?, 16).ok()
    };
    std::iter::from_fn(|| lines.next().and_then(frame)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(description: &'a str, report: &'a str) -> Found<'a> {
        Found { description, is_write: true, address: 64, size: 4, report, within: None, in_library: &[] }
    }

    #[test]
    fn a_block_of_no_bytes() {
        let report = "0x502000000010 is located 0 bytes inside of 1-byte region [0x502000000010,0x502000000011)\n";
        let empty = classify(&found("use-after-poison", report));
        assert_eq!(empty.rule, Rule::HeapBufferOverflow);
        assert_eq!((empty.target.name.as_str(), empty.target.side), ("the 0-byte block", Some(Side::Behind)));
        let report = "0x502000000010 is located 0 bytes inside of 9-byte region [0x502000000010,0x502000000019)\n";
        assert_eq!(classify(&found("use-after-poison", report)).rule, Rule::UseAfterFree);
    }

    #[test]
    fn sides_of_blocks() {
        let report = "0x50200000001c is located 2 bytes after 10-byte region [0x502000000010,0x50200000001a)\n";
        let behind = classify(&found("heap-buffer-overflow", report));
        assert_eq!(behind.rule, Rule::HeapBufferOverflow);
        let expected = Target { name: "the 10-byte block".into(), side: Some(Side::Behind), distance: 2 };
        assert_eq!(behind.target, expected);
        let report = report.replace("after", "before");
        let before = classify(&found("heap-buffer-overflow", &report));
        assert_eq!(before.rule, Rule::BufferUnderflow);
        let report = "0x55 is located 0 bytes after global variable 'g' defined in 'a.c:3' (0x5580) of size 40\n";
        let global = classify(&found("global-buffer-overflow", report));
        assert_eq!(global.target.name, "the 40-byte global variable 'g'");
        let report = format!(
            "0x55 is located 24 bytes before global variable 'h' defined in 'a.c' (0x55a0) of size 8\n{report}"
        );
        assert_eq!(classify(&found("global-buffer-overflow", &report)).target, global.target);
    }

    #[test]
    fn variables_on_the_stack() {
        let report = "  This frame has 2 object(s):\n    [32, 40) 'st' (line 15) <== Memory access at offset 44 overflows \
                      this variable\n    [64, 68) 'n' (line 16)\n";
        let over = classify(&found("stack-buffer-overflow", report));
        assert_eq!((over.rule, over.target.distance), (Rule::StackBufferOverflow, 4));
        assert_eq!(over.target.name, "the 8-byte variable 'st'");
        let report = report.replace("offset 44 overflows", "offset 31 underflows");
        assert_eq!(classify(&found("stack-buffer-overflow", &report)).rule, Rule::BufferUnderflow);
        let report = "    [32, 64) 'key' (line 4)\n    [96, 100) 'v' (line 5) <== Memory access at offset 64 partially \
                      underflows this variable\n";
        let over = classify(&found("stack-buffer-overflow", report));
        assert_eq!((over.rule, over.target.distance), (Rule::StackBufferOverflow, 0));
        assert_eq!(over.target.name, "the 32-byte variable 'key'");
    }

    #[test]
    fn string_functions_overflow_as_such() {
        let found = Found { within: Some("strcpy"), ..found("stack-buffer-overflow", "") };
        assert_eq!(classify(&found).rule, Rule::StringOverflow);
        assert_eq!(classify(&Found { is_write: false, ..found }).rule, Rule::StackBufferOverflow);
    }

    #[test]
    fn signals() {
        let report = |signal: &str, address: &str| {
            format!("==7==ERROR: AddressSanitizer: {signal} on unknown address {address}(pc 0x55 bp 0x7f)\n")
        };
        let rule = |description: &str, report: &str| {
            let classified = classify(&Found { size: 0, ..found(description, report) });
            (classified.rule, classified.wild)
        };
        assert_eq!(rule("signal", &report("FPE", "0x55 ")), (Rule::DivByZero, false));
        assert_eq!(rule("signal", &report("ABRT", "0x55 ")), (Rule::Assertion, false));
        assert_eq!(rule("wild-addr-read", &report("SEGV", "0x000000002010 ")), (Rule::NullDeref, false));
        assert_eq!(rule("wild-addr-write", &report("SEGV", "")), (Rule::HeapBufferOverflow, true));
        let freed = report("SEGV", "0x414141414131 ");
        let freed = Found { within: Some("free"), size: 0, ..found("wild-addr-write", &freed) };
        assert_eq!(classify(&freed).rule, Rule::InvalidFree);
        // The program dies before the report is out: the word alone decides.
        assert_eq!(rule("null-deref", ""), (Rule::NullDeref, false));
        let report = report("SEGV", "0x100080be205a ");
        let looked_up = classify(&found("wild-addr-read", &report));
        let address = looked_up.access.and_then(|access| access.address);
        assert_eq!((address, looked_up.is_looked_up), (Some(0x8000_05f5_02d0), true));
    }

    #[test]
    fn stacks_in_reports() {
        let report = "freed by thread T0 here:\n    #0 0x10  (/a+0x1)\n    #1 0x2f  (/b+0x2)\n\npreviously allocated by \
                      thread T0 here:\n    #0 0x30  (/a+0x1)\n";
        assert_eq!(stack_after(report, "freed by thread"), [0x10, 0x2f]);
        assert_eq!(stack_after(report, "allocated by thread"), [0x30]);
        assert_eq!(stack_after(report, "something else"), []);
    }
}
