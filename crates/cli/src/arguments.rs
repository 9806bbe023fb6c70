//! The command line, declared once: help, man pages and completions are made from this.

use clap::{Parser, Subcommand};

use crate::commands;

/// Makes C programs fail on purpose, before somebody else does
#[derive(Parser, Debug)]
#[command(name = "provoke", after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    done, nothing found
  1    findings
  2    wrong usage or bad input
  3    internal error: please report it
  130  interrupted with Ctrl-C; what there was until then has been shown

`provoke cc` and `provoke c++` exit as the compiler does.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compile and link C as clang does; the program carries its bitcode
    #[command(disable_help_flag = true)]
    Cc(commands::compile::Arguments),
    /// Compile and link C++
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(commands::compile::Arguments),
    /// Say what a program carries
    Info(commands::info::Arguments),
    /// Make an instrumented variant of a program
    View(commands::view::Arguments),
    /// Run a program on an input, and find out how it fails on others that are close to it
    Check(commands::check::Arguments),
    /// Explore all paths of a program, from inputs that there are; goes on where it was when it is started again
    Explore(commands::explore::Arguments),
    /// Run the tests that there are, and find out what each comes close to
    Predict(commands::predict::Arguments),
    /// Run a test suite as it is, and record how the programs in it are run: tests for `provoke predict`
    Wrap(commands::wrap::Arguments),
    /// Find out what has to hold where a function is entered, from tests of it; `provoke predict` checks it
    Hoist(commands::hoist::Arguments),
    /// Say how far an exploration is
    Status(commands::status::Arguments),
    /// Run an input again and say what it violates
    Replay(commands::replay::Arguments),
    /// Run a program on an input and print the path constraint
    Trace(commands::trace::Arguments),
    /// Answer queries over terms, in the text form or in SMT-LIB 2
    Solve(commands::solve::Arguments),
    /// List the library functions that have a model, and how closely each is followed
    Libc(commands::libc::Arguments),
    /// List the checkers, or explain some of them
    Checkers(commands::checkers::Arguments),
    /// Check a CSimpL program: refinement types statically, by casts, and actively
    Csimpl(commands::csimpl::Arguments),
    /// Check a program for null pointers without running it: qualifier inference, refined by symbolic execution
    Mix(commands::mix::Arguments),
    /// Check a program of the MIX calculus: type checking and symbolic execution, mixed by blocks
    Mixlang(commands::mixlang::Arguments),
    /// Print a shell's completions
    Completions(commands::completions::Arguments),
    /// Print the manual page, or write all of them to a folder
    Man(commands::man::Arguments),
}
