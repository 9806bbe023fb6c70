//! Programs: assignment with cast, `if`, `stop`, each with a cast set.

use crate::source::Span;
use crate::types::Type;
use crate::value::Value;

/// A variable, by its position among the declared ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub usize);

/// An operator, by its position among the declared ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Operator(pub usize);

/// A command, by its position in its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CommandId(pub usize);

/// An operand *o*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A literal.
    Value(Value),
    /// A variable.
    Variable(Variable),
}

/// An expression *e*.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// The two kinds of expressions. They are not nested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    /// An operand alone.
    Operand(Operand),
    /// `op(o1, …, on)`, with where each operand stands.
    Apply(Operator, Vec<(Operand, Span)>),
}

/// A cast set *G*: types that variables are checked against before a command. Each variable occurs once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CastSet {
    entries: Vec<(Variable, Type)>,
}

impl CastSet {
    /// The casts, in the order in which they are made.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, &Type)> {
        self.entries.iter().map(|(variable, cast)| (*variable, cast))
    }

    /// Whether it is ∅.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a cast; one that is there for the same variable is intersected with it.
    pub fn add(&mut self, variable: Variable, cast: &Type) {
        match self.entries.iter_mut().find(|(there, _)| *there == variable) {
            Some((_, there)) => *there = there.intersect(cast),
            None => self.entries.push((variable, cast.clone())),
        }
    }

    /// The cast of a variable.
    pub fn get(&self, variable: Variable) -> Option<&Type> {
        self.entries.iter().find(|(there, _)| *there == variable).map(|(_, cast)| cast)
    }
}

/// A command *C* with the commands that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `stop`
    Stop,
    /// `(G) x := <T> e; C`
    Assign {
        /// What is checked before.
        casts: CastSet,
        /// The variable.
        target: Variable,
        /// The type that the value is checked against.
        cast: Type,
        /// The right-hand side.
        expression: Expression,
        /// What follows.
        next: CommandId,
    },
    /// `(G) if e then C else C'`
    If {
        /// What is checked before.
        casts: CastSet,
        /// The condition.
        condition: Expression,
        /// What follows if it holds.
        yes: CommandId,
        /// What follows if it does not.
        no: CommandId,
    },
}

/// A program: a tree of commands. Compilation changes casts alone, so a command keeps its [`CommandId`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    commands: Vec<(Command, Span)>,
    entry: CommandId,
}

impl Program {
    /// A program that does nothing.
    pub fn empty() -> Program {
        Program { commands: vec![(Command::Stop, Span::default())], entry: CommandId(0) }
    }

    /// Adds a command. What follows it must be there already.
    pub fn push(&mut self, command: Command, span: Span) -> CommandId {
        self.commands.push((command, span));
        CommandId(self.commands.len() - 1)
    }

    /// Where it starts.
    pub fn entry(&self) -> CommandId {
        self.entry
    }

    /// Makes it start there.
    pub fn start_at(&mut self, entry: CommandId) {
        self.entry = entry;
    }

    /// A command. Identifiers of other programs give `stop`.
    pub fn command(&self, id: CommandId) -> &Command {
        self.commands.get(id.0).map_or(&Command::Stop, |(command, _)| command)
    }

    /// The same command with other casts.
    pub(crate) fn replace(&mut self, id: CommandId, command: Command) {
        if let Some((there, _)) = self.commands.get_mut(id.0) {
            *there = command;
        }
    }

    /// Where a command stands.
    pub fn span(&self, id: CommandId) -> Span {
        self.commands.get(id.0).map_or(Span::default(), |(_, span)| *span)
    }

    /// All commands, in no particular order.
    pub fn commands(&self) -> impl Iterator<Item = (CommandId, &Command)> {
        self.commands.iter().enumerate().map(|(index, (command, _))| (CommandId(index), command))
    }

    /// Whether there is a cast in it that could fail.
    pub fn has_casts(&self) -> bool {
        self.commands().any(|(_, command)| match command {
            Command::Stop => false,
            Command::If { casts, .. } => casts.iter().any(|(_, cast)| !cast.is_all()),
            Command::Assign { casts, cast, .. } => !cast.is_all() || casts.iter().any(|(_, cast)| !cast.is_all()),
        })
    }
}
