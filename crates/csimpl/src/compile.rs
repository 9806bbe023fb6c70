//! Compilation by cast insertion, Γ ⊢ *C* ⇒ *C'* (Figure 5).

use crate::environment::Environment;
use crate::obligation::{Judgement, Purpose, obligations};
use crate::program::{CastSet, Command, Program};
use crate::rules::{Decision, Figures, Rules};
use crate::subtyping::Subtyping;
use crate::typing::{following, inner};

/// A program that was compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    /// The program with its casts. Commands have the same identifiers as before.
    pub program: Program,
    /// Everything that was asked, in the order of the commands.
    pub derivation: Vec<Step>,
    /// What a cast was inserted for, as positions in the derivation.
    pub inserted: Vec<usize>,
}

/// An application of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The name of the rule in Figure 5.
    pub rule: &'static str,
    /// What it was applied for.
    pub judgement: Judgement,
}

/// Why a program is not compiled: Γ ⊢ *C* ⇒ ⊥.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// What does not hold, or for a literal could not be decided.
    pub judgements: Vec<Judgement>,
}

/// Compiles a program in an environment.
pub fn compile(
    environment: &Environment,
    program: &Program,
    subtyping: &mut dyn Subtyping,
) -> Result<Compiled, Rejected> {
    compile_by(&Figures, environment, program, subtyping)
}

pub(crate) fn compile_by(
    rules: &dyn Rules,
    environment: &Environment,
    program: &Program,
    subtyping: &mut dyn Subtyping,
) -> Result<Compiled, Rejected> {
    let mut result = Compiled { program: program.clone(), derivation: Vec::new(), inserted: Vec::new() };
    let mut rejected = Vec::new();
    let mut open = vec![(program.entry(), environment.clone())];
    while let Some((id, known)) = open.pop() {
        let mut command = program.command(id).clone();
        let mut inner = inner(&known, &command);
        let mut added = CastSet::default();
        for obligation in obligations(rules, &inner, id, &command) {
            let answer = subtyping.subtype(&obligation.found, &obligation.required);
            let decision = rules.decide(&answer);
            let judgement = Judgement { obligation, answer };
            let rule = rule(decision, &judgement.obligation.purpose);
            let cast = decision == Decision::Cast;
            match (decision, &judgement.obligation.purpose) {
                (Decision::Accept, _) => {}
                (Decision::Cast, Purpose::Operand(variable, _)) => {
                    let obligation = &judgement.obligation;
                    added.add(*variable, &rules.operand_cast(&obligation.required, &obligation.found));
                }
                (Decision::Cast, Purpose::Assignment(_)) => {
                    if let Command::Assign { cast, .. } = &mut command {
                        *cast = rules.assignment_cast(cast, &judgement.obligation.required);
                    }
                }
                // There is no rule that casts a literal.
                (Decision::Cast, Purpose::Literal(..)) | (Decision::Reject, _) => {
                    rejected.push(judgement);
                    continue;
                }
            }
            if cast {
                result.inserted.push(result.derivation.len());
            }
            result.derivation.push(Step { rule, judgement });
        }
        if let Command::Assign { casts, .. } | Command::If { casts, .. } = &mut command {
            added.iter().for_each(|(variable, cast)| casts.add(variable, cast));
        }
        inner.assume(&added);
        open.extend(following(rules, inner, &command));
        result.program.replace(id, command);
    }
    if rejected.is_empty() { Ok(result) } else { Err(Rejected { judgements: rejected }) }
}

fn rule(decision: Decision, purpose: &Purpose) -> &'static str {
    match (purpose, decision) {
        (Purpose::Literal(value, _), _) if value.truth().is_some() => "C-BC",
        (Purpose::Literal(..), _) => "C-IC",
        (Purpose::Operand(..), Decision::Cast) => "C-VAR2",
        (Purpose::Operand(..), _) => "C-VAR1",
        (Purpose::Assignment(_), Decision::Cast) => "C-ASN2",
        (Purpose::Assignment(_), _) => "C-ASN1",
    }
}
