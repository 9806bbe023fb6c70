//! The subtypings that a command depends on: the premises that T-OP, T-ASN, C-OP and C-ASN have in common.

use crate::environment::Environment;
use crate::program::{Command, CommandId, Expression, ExpressionKind, Operand, Operator, Variable};
use crate::rules::Rules;
use crate::source::Span;
use crate::subtyping::Answer;
use crate::types::Type;
use crate::value::Value;

/// What a subtyping is needed for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A variable as an operand.
    Operand(Variable, Operator),
    /// A literal as an operand.
    Literal(Value, Operator),
    /// The value that is assigned to a variable.
    Assignment(Variable),
}

/// A subtyping that has to hold: `found <: required`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The command that needs it.
    pub command: CommandId,
    /// Where.
    pub span: Span,
    /// What for.
    pub purpose: Purpose,
    /// The type that is there.
    pub found: Type,
    /// The type that it has to be a subtype of.
    pub required: Type,
}

/// An obligation with the answer that subtyping gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// What had to hold.
    pub obligation: Obligation,
    /// Whether it does.
    pub answer: Answer,
}

/// The obligations of one command in Γ' = Γ ∩ *G*: operands first, then the assignment.
pub(crate) fn obligations(rules: &dyn Rules, known: &Environment, id: CommandId, command: &Command) -> Vec<Obligation> {
    let mut found = Vec::new();
    match command {
        Command::Stop => {}
        Command::If { condition, .. } => operands(rules, known, id, condition, &mut found),
        Command::Assign { target, cast, expression, .. } => {
            operands(rules, known, id, expression, &mut found);
            found.push(Obligation {
                command: id,
                span: expression.span,
                purpose: Purpose::Assignment(*target),
                found: rules.assigned(cast, &type_of(known, expression)),
                required: known.declared(*target),
            });
        }
    }
    found
}

fn operands(
    rules: &dyn Rules,
    known: &Environment,
    command: CommandId,
    expression: &Expression,
    found: &mut Vec<Obligation>,
) {
    let ExpressionKind::Apply(operator, operands) = &expression.kind else { return };
    let Some(signature) = known.operator(*operator) else { return };
    for ((operand, span), parameter) in operands.iter().zip(&signature.parameters) {
        let purpose = match operand {
            Operand::Value(value) => Purpose::Literal(value.clone(), *operator),
            Operand::Variable(variable) => Purpose::Operand(*variable, *operator),
        };
        let required = rules.operand(parameter);
        found.push(Obligation { command, span: *span, purpose, found: operand_type(known, operand), required });
    }
}

fn operand_type(known: &Environment, operand: &Operand) -> Type {
    match operand {
        Operand::Value(value) => Type::of_value(value),
        Operand::Variable(variable) => known.variable(*variable),
    }
}

/// The smallest type that T-VAR, T-BC, T-IC and T-OP give to an expression.
pub(crate) fn type_of(known: &Environment, expression: &Expression) -> Type {
    match &expression.kind {
        ExpressionKind::Operand(operand) => operand_type(known, operand),
        ExpressionKind::Apply(operator, _) => {
            known.operator(*operator).map_or(Type::INT, |signature| signature.result.clone())
        }
    }
}
