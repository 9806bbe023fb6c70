//! Static checking, Γ ⊢ *C* (Figure 3).

use crate::environment::Environment;
use crate::obligation::{Judgement, obligations};
use crate::program::{Command, CommandId, Program};
use crate::rules::{Figures, Rules};
use crate::subtyping::{Answer, Subtyping};

/// Whether a program is well-typed as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typing {
    /// It is: no run can get stuck, and nothing can fail but the casts that are in it.
    WellTyped,
    /// It is not, for each of these.
    IllTyped(Vec<Judgement>),
    /// It is if these hold.
    Unknown(Vec<Judgement>),
}

/// Checks a program in an environment.
pub fn check(environment: &Environment, program: &Program, subtyping: &mut dyn Subtyping) -> Typing {
    check_from(&Figures, environment, program, program.entry(), subtyping)
}

/// Checks what follows from a command on.
pub(crate) fn check_from(
    rules: &dyn Rules,
    environment: &Environment,
    program: &Program,
    entry: CommandId,
    subtyping: &mut dyn Subtyping,
) -> Typing {
    let (mut refuted, mut unknown) = (Vec::new(), Vec::new());
    let mut open = vec![(entry, environment.clone())];
    while let Some((id, known)) = open.pop() {
        let command = program.command(id);
        let inner = inner(&known, command);
        for obligation in obligations(rules, &inner, id, command) {
            match subtyping.subtype(&obligation.found, &obligation.required) {
                Answer::Yes => {}
                answer @ Answer::No(_) => refuted.push(Judgement { obligation, answer }),
                answer @ Answer::Unknown(_) => unknown.push(Judgement { obligation, answer }),
            }
        }
        open.extend(following(rules, inner, command));
    }
    match (refuted.is_empty(), unknown.is_empty()) {
        (false, _) => Typing::IllTyped(refuted),
        (true, false) => Typing::Unknown(unknown),
        (true, true) => Typing::WellTyped,
    }
}

/// Γ' = Γ ∩ *G*: what is known once the cast set of a command has been checked.
pub(crate) fn inner(known: &Environment, command: &Command) -> Environment {
    let mut inner = known.clone();
    match command {
        Command::Stop => {}
        Command::Assign { casts, .. } | Command::If { casts, .. } => inner.assume(casts),
    }
    inner
}

/// The commands that can follow, each with what is known there.
pub(crate) fn following(rules: &dyn Rules, mut known: Environment, command: &Command) -> Vec<(CommandId, Environment)> {
    match command {
        Command::Stop => Vec::new(),
        Command::Assign { target, next, .. } => {
            rules.after_assignment(&mut known, *target);
            vec![(*next, known)]
        }
        Command::If { yes, no, .. } => vec![(*no, known.clone()), (*yes, known)],
    }
}
