//! The solver against trying everything, and printed programs against the parser.

use proptest::prelude::*;

use super::generate::{integer_type, world};
use super::oracle::Truth;
use super::{budget, programs, runner};
use crate::module::Module;
use crate::print::{Detail, lines};
use crate::program::{Command, Program, Variable};
use crate::subtyping::{Answer, Smt, Strength, Subtyping};

/// An answer of the solver is true; and for generated types there is one.
#[test]
fn subtyping_is_what_it_should_be() {
    let types = (integer_type(), integer_type(), integer_type());
    let result = runner(programs(), 500).run(&types, |(first, second, right)| {
        let left = first.intersect(&second);
        let truth = Truth.subtype(&left, &right);
        match (Smt::new(Strength::Decide, budget()).subtype(&left, &right), truth) {
            (Answer::Yes, Answer::Yes) => {}
            (Answer::No(witness), Answer::No(_)) => {
                prop_assert_eq!((left.contains(&witness), right.contains(&witness)), (Ok(true), Ok(false)));
            }
            (answer, truth) => prop_assert!(false, "{left} <: {right}? {answer}; {truth}"),
        }
        let proof = Smt::new(Strength::Prove, budget()).subtype(&left, &right);
        prop_assert!(!matches!(proof, Answer::No(_)) || left.pinned().is_some());
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}

/// A printed program is read as the program that it was.
#[test]
fn what_is_printed_can_be_read() {
    let result = runner(programs(), 500).run(&world(), |world| {
        let mut text = String::new();
        for (index, info) in world.module.variables.iter().enumerate() {
            let word = if info.parameter.is_some() { "input" } else { "var" };
            text += &format!("{word} {} : {};\n", info.name, world.environment().declared(Variable(index)));
        }
        text += "op rest(n : int) : int = n % 3; op abs(n : int) : int = if n < 0 then -n else n;\n";
        for line in lines(&world.module, &world.module.program, Detail::Full) {
            text += &line.text;
            text.push('\n');
        }
        let read = Module::parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        for index in 0..world.module.variables.len() {
            let variable = Variable(index);
            prop_assert_eq!(read.declared.declared(variable), world.environment().declared(variable));
        }
        let again = |module: &Module| lines(module, &module.program, Detail::Full);
        let (before, after) = (again(&world.module), again(&read));
        prop_assert!(before.iter().map(|line| &line.text).eq(after.iter().map(|line| &line.text)));
        prop_assert_eq!(casts(&world.module.program), casts(&read.program));
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}

/// All casts of a program, in the order of its listing.
fn casts(program: &Program) -> Vec<String> {
    let mut found: Vec<String> = program
        .commands()
        .map(|(_, command)| match command {
            Command::Stop => String::new(),
            Command::Assign { casts, cast, .. } => format!("{casts:?} {cast}"),
            Command::If { casts, .. } => format!("{casts:?}"),
        })
        .collect();
    found.sort();
    found.retain(|text| !text.is_empty());
    found
}
