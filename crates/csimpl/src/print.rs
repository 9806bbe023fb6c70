//! Programs as text.

use std::fmt::Write as _;

use crate::module::Module;
use crate::program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Program};
use crate::types::Type;

/// How commands are written: with everything, or as people write them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Empty cast sets and casts to all values are left out.
    Brief,
    /// As in the paper.
    Full,
}

/// A line of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The command, if the line is one.
    pub command: Option<CommandId>,
    /// Its text, indented.
    pub text: String,
}

/// The lines of a program. They are syntax: with the declarations before them they can be read again.
pub fn lines(module: &Module, program: &Program, detail: Detail) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open = vec![Open::Command(program.entry(), 0)];
    while let Some(next) = open.pop() {
        let (id, depth) = match next {
            Open::Text(text, depth) => {
                lines.push(Line { command: None, text: format!("{}{text}", indent(depth)) });
                continue;
            }
            Open::Command(id, depth) => (id, depth),
        };
        let mut text = indent(depth);
        text.push_str(&command(module, program.command(id), detail));
        match program.command(id) {
            Command::Stop => {}
            Command::Assign { next, .. } => open.push(Open::Command(*next, depth)),
            Command::If { yes, no, .. } => {
                open.extend([
                    Open::Text("}", depth),
                    Open::Command(*no, depth + 1),
                    Open::Text("} else {", depth),
                    Open::Command(*yes, depth + 1),
                ]);
            }
        }
        lines.push(Line { command: Some(id), text });
    }
    lines
}

enum Open {
    Command(CommandId, usize),
    Text(&'static str, usize),
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}

/// A command without those that follow it.
pub fn command(module: &Module, command: &Command, detail: Detail) -> String {
    match command {
        Command::Stop => "stop".to_owned(),
        Command::Assign { casts, target, cast, expression: right, .. } => {
            let cast = if detail == Detail::Brief && cast.is_all() { String::new() } else { format!("<{cast}> ") };
            format!(
                "{}{} := {cast}{};",
                cast_set(module, casts, detail),
                module.variable_name(*target),
                expression(module, right)
            )
        }
        Command::If { casts, condition, .. } => {
            format!("{}if {} then {{", cast_set(module, casts, detail), expression(module, condition))
        }
    }
}

fn cast_set(module: &Module, casts: &CastSet, detail: Detail) -> String {
    if casts.is_empty() {
        return if detail == Detail::Brief { String::new() } else { "() ".to_owned() };
    }
    let entry = |(variable, cast): (_, &Type)| format!("{} : {cast}", module.variable_name(variable));
    format!("({}) ", casts.iter().map(entry).collect::<Vec<_>>().join(", "))
}

/// An expression.
pub fn expression(module: &Module, expression: &Expression) -> String {
    let operand = |operand: &Operand| match operand {
        Operand::Value(value) => value.to_string(),
        Operand::Variable(variable) => module.variable_name(*variable).to_owned(),
    };
    let (operator, operands) = match &expression.kind {
        ExpressionKind::Operand(alone) => return operand(alone),
        ExpressionKind::Apply(operator, operands) => (operator, operands),
    };
    let info = module.operators.get(operator.0);
    // `div` is written as in Figure 8; the others as in C.
    let infix = info.and_then(|info| info.infix).filter(|infix| !matches!(*infix, "/" | "%"));
    match (infix, operands.as_slice()) {
        (Some(infix), [(left, _), (right, _)]) => format!("{} {infix} {}", operand(left), operand(right)),
        _ => {
            let mut text = format!("{}(", module.operator_name(*operator));
            for (index, (one, _)) in operands.iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                // Writing to a string does not fail.
                let _ = write!(text, "{comma}{}", operand(one));
            }
            text + ")"
        }
    }
}
