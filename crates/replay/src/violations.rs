//! From records to violations.

use std::collections::HashMap;

use trace::rule::Rule;
use trace::sites::{CheckSubject, Position, SiteTable};

use crate::message;
use crate::outcome::{Access, Frame, Violation};
use crate::record::{self, Kind, Record};
use crate::sanitizer::{self, Found};
use crate::stack::{self, Stack};
use crate::symbols::Symbols;
use crate::verdict::is_same_line;

/// The violations that the records of a run speak of.
pub(crate) fn read(records: &[u8], sites: &SiteTable, symbols: &Symbols) -> Vec<Violation> {
    let records = record::read(records);
    let mut modules: HashMap<u32, Vec<(u64, String)>> = HashMap::new();
    let mut violations: Vec<(u32, Violation)> = Vec::new();
    for (index, record) in records.iter().enumerate() {
        if let Kind::Modules(loaded) = &record.kind {
            modules.insert(record.process, loaded.clone());
            continue;
        }
        let loaded = modules.get(&record.process).map(Vec::as_slice).unwrap_or_default();
        let context = Context { sites, symbols, loaded };
        let violation = match &record.kind {
            Kind::Modules(_) | Kind::SanitizerReport(_) => None,
            Kind::Check { number, a, b } => context.check(record, *number, *a, *b),
            Kind::Sanitizer { .. } => {
                let mut later = records.get(index..).unwrap_or_default().iter();
                let report = later.find_map(|later| match &later.kind {
                    Kind::SanitizerReport(text) if later.process == record.process => Some((text.as_str(), later)),
                    _ => None,
                });
                let (text, details) = report.unwrap_or(("", record));
                context.sanitizer(record, text, &details.stack)
            }
            Kind::Assertion(condition) => {
                Some(context.plain(record, Rule::Assertion, message::of_assertion(condition)))
            }
            Kind::Abort => Some(context.plain(record, Rule::Assertion, "abort() was called".to_owned())),
            Kind::Format { format, taken, given } => {
                Some(context.plain(record, Rule::FormatString, message::of_format(format, *taken, *given)))
            }
            Kind::Allocation { size } => Some(context.plain(record, Rule::AllocSize, message::of_allocation(*size))),
        };
        let of_process = || violations.iter().filter(|(process, _)| *process == record.process).map(|(_, v)| v);
        if let Some(mut violation) = violation
            && !of_process().any(|earlier| is_consequence(earlier, &violation))
        {
            if let Some(index) = index_before(of_process(), &violation) {
                violation.index_column = index.position().map(|position| position.column);
                violation.rule = context
                    .is_negative(index)
                    .map_or(violation.rule, |is_negative| on_side_of_index(violation.rule, is_negative, &record.kind));
            }
            violations.push((record.process, violation));
        }
    }
    violations.into_iter().map(|(_, violation)| violation).collect()
}

/// Whether a violation is only the way in which an earlier one comes out: a division by zero raises a signal, and so does a
/// failed assertion.
fn is_consequence(earlier: &Violation, later: &Violation) -> bool {
    match earlier.rule {
        Rule::Assertion => later.rule == Rule::Assertion && later.check.is_none(),
        Rule::DivByZero | Rule::IntegerOverflow => {
            later.rule == Rule::DivByZero
                && later.check.is_none()
                && earlier.position().map(line) == later.position().map(line)
        }
        _ => false,
    }
}

/// The last index that left its declared bounds before an access which was seen in memory, if it did on the same line.
fn index_before<'a>(
    earlier: impl DoubleEndedIterator<Item = &'a Violation>,
    access: &Violation,
) -> Option<&'a Violation> {
    if access.access.is_none() || access.check.is_some() {
        return None;
    }
    let is_same = |index: &&Violation| {
        index.rule == Rule::ArrayIndex && index.position().map(line) == access.position().map(line)
    };
    earlier.rev().find(is_same)
}

fn line(position: &Position) -> (&str, u32) {
    (&position.file, position.line)
}

/// What a record is to be read with.
struct Context<'a> {
    sites: &'a SiteTable,
    symbols: &'a Symbols,
    /// What was loaded where.
    loaded: &'a [(u64, String)],
}

impl Context<'_> {
    fn stack(&self, addresses: &[u64], interrupted: bool) -> Stack {
        let mut stack = stack::resolve(self.symbols, self.loaded, addresses, interrupted);
        for frame in &mut stack.frames {
            let start = Position { line: frame.function_line, ..frame.position.clone() };
            frame.recursive = self.sites.recursive.iter().any(|function| is_same_line(function, &start));
        }
        stack
    }

    fn plain(&self, record: &Record, rule: Rule, message: String) -> Violation {
        violation(rule, message, self.stack(&record.stack, false).frames)
    }

    fn check(&self, record: &Record, number: u32, a: u64, b: u64) -> Option<Violation> {
        let check = self.sites.checks.get(number as usize)?;
        let mut violation = self.plain(record, message::rule(check, a, b), message::of_check(check, a, b));
        violation.check = Some(number);
        violation.operands = Some((a, b));
        match &check.subject {
            CheckSubject::Refinement(name, condition) => {
                violation.refinement = Some((name.clone(), condition.clone()));
            }
            CheckSubject::Index(_, _, is_write) => {
                violation.access = Some(Access { is_write: *is_write, size: 0, address: None });
            }
            _ => {}
        }
        Some(violation)
    }

    /// Whether an index that left its bounds is a negative number.
    fn is_negative(&self, index: &Violation) -> Option<bool> {
        let check = self.sites.checks.get(index.check? as usize)?;
        let CheckSubject::Index(_, ty, _) = &check.subject else { return None };
        Some(message::is_negative(index.operands?.0, ty))
    }

    /// `details` is the stack that comes with the report; it is there where the first one could not be walked.
    fn sanitizer(&self, record: &Record, report: &str, details: &[u64]) -> Option<Violation> {
        let Kind::Sanitizer { description, is_write, address, size } = &record.kind else { return None };
        let interrupted = is_of_signal(description);
        let mut stack = self.stack(&record.stack, interrupted);
        if stack.frames.iter().all(|frame| frame.position.file.is_empty()) {
            stack = self.stack(details, interrupted);
        }
        let of_report = |sentence| self.stack(&sanitizer::stack_after(report, sentence), false).frames;
        let (allocated, freed) = (of_report("allocated by thread"), of_report("freed by thread"));
        let in_library: Vec<String> =
            stack.frames.iter().take_while(|frame| is_in_library(frame)).map(|f| f.position.function.clone()).collect();
        let mut classified = sanitizer::classify(&Found {
            description,
            is_write: *is_write,
            address: *address,
            size: *size,
            report,
            within: stack.within.as_deref(),
            in_library: &in_library,
        });
        let address = classified.access.and_then(|access| access.address);
        if classified.wild && address.is_some_and(|address| self.symbols.is_loaded(address, self.loaded)) {
            // Memory that is there and cannot be written: a constant, most often.
            classified.rule = Rule::GlobalBufferOverflow;
        }
        let message = message::of_found(&classified, stack.within.as_deref(), &allocated, &freed);
        let mut frames = stack.frames;
        if classified.signal == "ABRT" {
            // How the C library goes about aborting is of no interest.
            frames.drain(..in_library.len());
        }
        let mut violation = violation(classified.rule, message, frames);
        violation.access = classified.access;
        violation.wild = classified.wild;
        (violation.allocated, violation.freed) = (allocated, freed);
        Some(violation)
    }
}

/// The rule for an access outside of bounds, by the side to which its index left them. AddressSanitizer goes by what lies nearest: what is
/// far behind one variable or block lies right before the next one, and the other way round.
fn on_side_of_index(rule: Rule, is_negative: bool, found: &Kind) -> Rule {
    let Kind::Sanitizer { description, .. } = found else { return rule };
    let behind = match description.as_str() {
        "global-buffer-overflow" => Rule::GlobalBufferOverflow,
        "heap-buffer-overflow" => Rule::HeapBufferOverflow,
        "stack-buffer-overflow" | "stack-buffer-underflow" => Rule::StackBufferOverflow,
        _ => return rule,
    };
    match (rule == Rule::BufferUnderflow, rule == behind) {
        (true, _) if !is_negative => behind,
        (_, true) if is_negative => Rule::BufferUnderflow,
        _ => rule,
    }
}

/// Whether AddressSanitizer's word is one for a signal: then the stack starts with what was interrupted.
fn is_of_signal(description: &str) -> bool {
    description.starts_with("wild-") || ["signal", "null-deref", "stack-overflow"].contains(&description)
}

fn is_in_library(frame: &Frame) -> bool {
    !frame.library.is_empty() && frame.position.file.is_empty()
}

fn violation(rule: Rule, message: String, stack: Vec<Frame>) -> Violation {
    Violation {
        rule,
        message,
        access: None,
        check: None,
        operands: None,
        refinement: None,
        stack,
        allocated: Vec::new(),
        freed: Vec::new(),
        wild: false,
        index_column: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of 12 bytes, and an index of 24 in it, which lies 8 bytes before the next block.
    #[test]
    fn the_index_says_which_side_was_meant() {
        let rule = |word: &str, rule, is_negative| {
            let found = Kind::Sanitizer { description: word.to_owned(), is_write: true, address: 64, size: 1 };
            on_side_of_index(rule, is_negative, &found)
        };
        let under = Rule::BufferUnderflow;
        for (word, over) in [
            ("heap-buffer-overflow", Rule::HeapBufferOverflow),
            ("global-buffer-overflow", Rule::GlobalBufferOverflow),
            ("stack-buffer-overflow", Rule::StackBufferOverflow),
            ("stack-buffer-underflow", Rule::StackBufferOverflow),
        ] {
            assert_eq!([rule(word, under, false), rule(word, over, false)], [over, over], "{word}");
            assert_eq!([rule(word, under, true), rule(word, over, true)], [under, under], "{word}");
        }
        assert_eq!(rule("heap-use-after-free", Rule::UseAfterFree, true), Rule::UseAfterFree);
        assert_eq!(rule("stack-buffer-overflow", Rule::StringOverflow, true), Rule::StringOverflow);
    }
}
