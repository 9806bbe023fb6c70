//! What happens at a branch, in words.
//!
//! The compiler swaps the ways of a branch where the source has `!`, so nobody knows whether a condition holds as the source has it. What
//! is compared and how that turns out is always right, and so is where it goes on.

use ir::{BlockId, Cast, Comparison, FunctionId, Names, Op, Operand, Program, Site, Terminator};

/// Blocks without a place in the source that are looked through for one.
const EMPTY_BLOCKS: usize = 8;

/// Names of values that say nothing.
const NAMELESS: [&str; 2] = ["a value", "a temporary value"];

/// What is so where control goes from one block to another.
pub fn in_words(program: &Program, names: &Names<'_>, function: FunctionId, from: BlockId, to: BlockId) -> String {
    let block = program.function(function).block(from);
    let outcome = match &block.terminator {
        Terminator::Branch { condition, then, otherwise } if then != otherwise => {
            compared(names, function, condition, to == *then)
        }
        Terminator::Switch { value, bits, cases, default } if to != *default => {
            let mut leading = cases.iter().filter(|(_, block)| *block == to);
            match (leading.next(), leading.next()) {
                (Some((case, _)), None) => {
                    let case = Operand::Integer { value: *case, bits: *bits };
                    outcome(names, function, Comparison::Eq, value, &case)
                }
                _ => None,
            }
        }
        _ => None,
    };
    outcome.unwrap_or_else(|| goes_on(program, function, program.site(block.site), to))
}

/// A condition that is a comparison, and how it turns out.
fn compared(names: &Names<'_>, function: FunctionId, condition: &Operand, holds: bool) -> Option<String> {
    let Operand::Register(register) = condition else { return None };
    let Op::Compare { comparison, left, right, .. } = &names.made_by(function, *register)?.op else { return None };
    outcome(names, function, if holds { *comparison } else { negated(*comparison) }, left, right)
}

/// A comparison of something that has a name with null or a number, which holds.
fn outcome(
    names: &Names<'_>,
    function: FunctionId,
    comparison: Comparison,
    left: &Operand,
    right: &Operand,
) -> Option<String> {
    let is = match comparison {
        Comparison::Eq => "is",
        Comparison::Ne => "is not",
        Comparison::Ult | Comparison::Slt => "is less than",
        Comparison::Ule | Comparison::Sle => "is at most",
        Comparison::Ugt | Comparison::Sgt => "is greater than",
        Comparison::Uge | Comparison::Sge => "is at least",
    };
    let right = match right {
        Operand::Null => "null".to_owned(),
        // With its highest bit set, it is another number where it has no sign.
        Operand::Integer { value, bits } if (1..=64).contains(bits) && *value >> (bits - 1) == 0 => value.to_string(),
        _ => return None,
    };
    // That a number is still the same when it is wider holds for its sign as well, which comparisons without signs do not know.
    let is_signed = !matches!(comparison, Comparison::Ult | Comparison::Ule | Comparison::Ugt | Comparison::Uge);
    let name = names.value(function, unextended(names, function, left, is_signed));
    let has_name =
        !NAMELESS.iter().any(|nameless| name.contains(nameless)) && name.trim_start_matches(['*', '&']) != "…";
    has_name.then(|| format!("`{name}` {is} {right}"))
}

/// A number before it was made wider: that it is still the same number is what widening means.
fn unextended<'a>(names: &Names<'a>, function: FunctionId, operand: &'a Operand, with_sign: bool) -> &'a Operand {
    let Operand::Register(register) = operand else { return operand };
    match names.made_by(function, *register).map(|instruction| &instruction.op) {
        Some(Op::Cast { cast: Cast::SignExtend, value, .. }) if with_sign => value,
        Some(Op::Cast { cast: Cast::ZeroExtend, value, .. }) => value,
        _ => operand,
    }
}

fn negated(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Ult => Comparison::Uge,
        Comparison::Ule => Comparison::Ugt,
        Comparison::Ugt => Comparison::Ule,
        Comparison::Uge => Comparison::Ult,
        Comparison::Slt => Comparison::Sge,
        Comparison::Sle => Comparison::Sgt,
        Comparison::Sgt => Comparison::Sle,
        Comparison::Sge => Comparison::Slt,
    }
}

/// Where it goes on behind a branch.
fn goes_on(program: &Program, function: FunctionId, branch: &Site, to: BlockId) -> String {
    match place_of(program, function, to) {
        Some(site) if site.line != branch.line => format!("it goes on at line {}", site.line),
        Some(site) if site.column != branch.column => format!("it goes on at {}:{}", site.line, site.column),
        _ => "one of the ways is taken".to_owned(),
    }
}

fn place_of(program: &Program, function: FunctionId, mut block: BlockId) -> Option<&Site> {
    for _ in 0..EMPTY_BLOCKS {
        let code = program.function(function).block(block);
        let sites = code.instructions.iter().map(|instruction| instruction.site).chain([code.site]);
        if let Some(site) = sites.map(|site| program.site(site)).find(|site| site.line > 0) {
            return Some(site);
        }
        let Terminator::Jump(next) = code.terminator else { return None };
        block = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Block, Function, Instruction, Register, SiteId, Type};

    /// `if (a < 3)` with blocks at lines 1, 2 and 3.
    fn program(comparison: Comparison, right: Operand, names_parameter: bool) -> Program {
        let ty = Type::bits(32);
        let left = Operand::Register(Register(0));
        let compare = Op::Compare { comparison, left, right, ty };
        let compare = Instruction { result: Some(Register(1)), ty: Type::bits(1), op: compare, site: SiteId(1) };
        let condition = Operand::Register(Register(1));
        let start = Block {
            instructions: vec![compare],
            terminator: Terminator::Branch { condition, then: BlockId(1), otherwise: BlockId(2) },
            site: SiteId(1),
        };
        let end = |site| Block { instructions: Vec::new(), terminator: Terminator::Return(None), site: SiteId(site) };
        let computed = Op::Binary(ir::Binary::Add, Operand::Register(Register(2)), Operand::Register(Register(2)));
        let mut blocks = vec![start, end(2), end(3)];
        if !names_parameter {
            let computed = Instruction { result: Some(Register(0)), ty, op: computed, site: SiteId(1) };
            blocks[0].instructions.insert(0, computed);
        }
        let parameters = vec![ir::Parameter { name: "a".to_owned(), ty, ..ir::Parameter::default() }];
        let function = Function { name: "f".to_owned(), parameters, blocks, registers: 3, ..Function::default() };
        let site = |line| Site { line, column: 1, ..Site::default() };
        Program { functions: vec![function], sites: (0..4).map(site).collect(), ..Program::default() }
    }

    fn said(program: &Program, to: u32) -> String {
        in_words(program, &Names::new(program), FunctionId(0), BlockId(0), BlockId(to))
    }

    #[test]
    fn a_comparison_is_said_as_it_turns_out() {
        let less = program(Comparison::Slt, Operand::Integer { value: 3, bits: 32 }, true);
        assert_eq!(said(&less, 1), "`a` is less than 3");
        assert_eq!(said(&less, 2), "`a` is at least 3");
        let null = program(Comparison::Ne, Operand::Null, true);
        assert_eq!(said(&null, 1), "`a` is not null");
        assert_eq!(said(&null, 2), "`a` is null");
    }

    #[test]
    fn else_it_is_said_where_it_goes_on() {
        let computed = program(Comparison::Slt, Operand::Integer { value: 3, bits: 32 }, false);
        assert_eq!(said(&computed, 2), "it goes on at line 3");
        // 4294967295 or -1?
        let signless = program(Comparison::Eq, Operand::Integer { value: 0xffff_ffff, bits: 32 }, true);
        assert_eq!(said(&signless, 1), "it goes on at line 2");
    }
}
