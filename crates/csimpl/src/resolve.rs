//! Names and sorts: from what a file says to what it means.

mod term;

use rustc_hash::FxHashMap;

use self::term::{term, wrong_sort};
use crate::environment::{Environment, Signature};
use crate::module::{Module, OperatorInfo, VariableInfo};
use crate::program::{CastSet, Command, CommandId, Expression, ExpressionKind, Operand, Operator, Program, Variable};
use crate::source::{Diagnostic, Span};
use crate::syntax::{
    CastSetTree, CommandTree, Declaration, EntryTree, ExpressionTree, Name, OperandKind, OperandTree, Sequence,
    TermTree, TypeTree, infix, parse,
};
use crate::term::Term;
use crate::types::Type;
use crate::value::{Sort, Value};

/// The text of the library.
pub const LIBRARY: &str = include_str!("library.csimpl");

type Resolved<T> = Result<T, Diagnostic>;

/// Reads a file, with the library before it.
pub(crate) fn module(text: &str) -> Resolved<Module> {
    let mut names = Names::default();
    for declaration in parse(LIBRARY)?.declarations {
        names.declare(declaration)?;
    }
    names.operators.iter_mut().for_each(|(info, ..)| info.span = None);
    let file = parse(text)?;
    for declaration in file.declarations {
        names.declare(declaration)?;
    }
    let program = names.program(&file.commands)?;
    names.finish(program)
}

#[derive(Default)]
struct Names {
    types: FxHashMap<String, Type>,
    variables: Vec<(VariableInfo, Type)>,
    variable_ids: FxHashMap<String, Variable>,
    operators: Vec<(OperatorInfo, Signature, Term)>,
    operator_ids: FxHashMap<String, Operator>,
    environments: Vec<Restrictions>,
    inputs: usize,
}

/// What an environment says of some variables and operators.
struct Restrictions {
    name: String,
    variables: Vec<(Variable, Type)>,
    operators: Vec<(Operator, Vec<Type>)>,
}

impl Names {
    fn declare(&mut self, declaration: Declaration) -> Resolved<()> {
        match declaration {
            Declaration::Type { name, meaning } => self.declare_type(&name, &meaning),
            Declaration::Operator { name, parameters, result, definition } => {
                self.declare_operator(name, &parameters, &result, &definition)
            }
            Declaration::Variable { name, of, input, initial } => self.declare_variable(name, &of, input, initial),
            Declaration::Environment { name, entries } => self.declare_environment(name, &entries),
        }
    }

    fn declare_type(&mut self, name: &Name, meaning: &TypeTree) -> Resolved<()> {
        let meaning = self.type_of(meaning)?.named(&name.text);
        match self.types.insert(name.text.clone(), meaning) {
            None => Ok(()),
            Some(_) => Err(twice(name, "type")),
        }
    }

    fn declare_operator(
        &mut self,
        name: Name,
        parameters: &[(Name, TypeTree)],
        result: &TypeTree,
        definition: &TermTree,
    ) -> Resolved<()> {
        let mut types = Vec::new();
        let mut scope: Vec<(&str, Sort)> = Vec::new();
        for (parameter, of) in parameters {
            if scope.iter().any(|(there, _)| *there == parameter.text) {
                return Err(twice(parameter, "parameter"));
            }
            let of = self.type_of(of)?;
            scope.push((&parameter.text, of.sort()));
            types.push(of);
        }
        let result_type = self.type_of(result)?;
        let (term, sort) = term(definition, &scope)?;
        if sort != result_type.sort() {
            return Err(wrong_sort(definition.span, result_type.sort(), sort));
        }
        let operator = Operator(self.operators.len());
        if self.operator_ids.insert(name.text.clone(), operator).is_some() {
            return Err(twice(&name, "operator"));
        }
        let info = OperatorInfo {
            infix: infix(&name.text),
            name: name.text,
            span: Some(name.span),
            parameters: parameters.iter().map(|(name, _)| name.text.clone()).collect(),
        };
        self.operators.push((info, Signature { parameters: types, result: result_type }, term));
        Ok(())
    }

    fn declare_variable(
        &mut self,
        name: Name,
        of: &TypeTree,
        input: bool,
        initial: Option<OperandTree>,
    ) -> Resolved<()> {
        let of = self.type_of(of)?;
        let initial = match initial {
            Some(operand) => Some(literal(&operand, of.sort())?),
            None => None,
        };
        let variable = Variable(self.variables.len());
        if self.variable_ids.insert(name.text.clone(), variable).is_some() {
            return Err(twice(&name, "variable"));
        }
        let parameter = input.then_some(self.inputs);
        self.inputs += usize::from(input);
        self.variables.push((VariableInfo { name: name.text, span: name.span, parameter, initial }, of));
        Ok(())
    }

    fn declare_environment(&mut self, name: Name, entries: &[EntryTree]) -> Resolved<()> {
        if self.environments.iter().any(|there| there.name == name.text) {
            return Err(twice(&name, "environment"));
        }
        let (mut variables, mut operators) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry {
                EntryTree::Variable(name, of) => {
                    let variable = self.variable(name)?;
                    variables.push((variable, self.type_like(of, self.sort(variable))?));
                }
                EntryTree::Operator(name, parameters) => {
                    let operator = self.operator(name)?;
                    let wanted: Vec<Sort> = self.parameter_sorts(operator);
                    if wanted.len() != parameters.len() {
                        return Err(wrong_count(name, wanted.len(), parameters.len()));
                    }
                    let types: Resolved<Vec<Type>> =
                        parameters.iter().zip(wanted).map(|(of, sort)| self.type_like(of, sort)).collect();
                    operators.push((operator, types?));
                }
            }
        }
        self.environments.push(Restrictions { name: name.text, variables, operators });
        Ok(())
    }

    fn parameter_sorts(&self, operator: Operator) -> Vec<Sort> {
        let signature = self.operators.get(operator.0).map(|(_, signature, _)| signature);
        signature.into_iter().flat_map(|signature| signature.parameters.iter().map(Type::sort)).collect()
    }

    fn sort(&self, variable: Variable) -> Sort {
        self.variables.get(variable.0).map_or(Sort::Int, |(_, of)| of.sort())
    }

    fn variable(&self, name: &Name) -> Resolved<Variable> {
        self.variable_ids.get(&name.text).copied().ok_or_else(|| {
            Diagnostic::new(name.span, format!("there is no variable `{}`", name.text), "not declared")
                .help(format!("declare it first: `var {} : int;`, or `input` instead of `var`", name.text))
        })
    }

    fn operator(&self, name: &Name) -> Resolved<Operator> {
        self.operator_ids.get(&name.text).copied().ok_or_else(|| {
            Diagnostic::new(name.span, format!("there is no operator `{}`", name.text), "not declared")
                .help(format!("declare it first: `op {}(n : int) : int = …;`", name.text))
        })
    }

    fn type_of(&self, tree: &TypeTree) -> Resolved<Type> {
        match tree {
            TypeTree::Bool(_) => Ok(Type::BOOL),
            TypeTree::Named(name) => self.types.get(&name.text).cloned().ok_or_else(|| {
                Diagnostic::new(name.span, format!("there is no type `{}`", name.text), "not declared")
                    .help(format!("declare it first: `type {} = {{x : Int | …}};`", name.text))
            }),
            TypeTree::Refinement { variable, predicate, .. } => {
                let (term, sort) = term(predicate, &[(&variable.text, Sort::Int)])?;
                match sort {
                    Sort::Bool => Ok(Type::refinement(&variable.text, term)),
                    Sort::Int => Err(wrong_sort(predicate.span, Sort::Bool, sort)),
                }
            }
            TypeTree::Intersection(trees) => {
                let mut result: Option<Type> = None;
                for tree in trees {
                    result = Some(match result {
                        Some(before) => before.intersect(&self.type_like(tree, before.sort())?),
                        None => self.type_of(tree)?,
                    });
                }
                Ok(result.unwrap_or(Type::INT))
            }
        }
    }

    fn type_like(&self, tree: &TypeTree, sort: Sort) -> Resolved<Type> {
        let found = self.type_of(tree)?;
        if found.sort() == sort { Ok(found) } else { Err(wrong_sort(tree.span(), sort, found.sort())) }
    }

    /// Commands are added from the last to the first, because each names what follows it.
    fn program(&self, commands: &Sequence) -> Resolved<Program> {
        let mut program = Program::empty();
        let entry = self.sequence(&mut program, commands)?;
        program.start_at(entry);
        Ok(program)
    }

    fn sequence(&self, program: &mut Program, commands: &Sequence) -> Resolved<CommandId> {
        let mut next = match commands.last() {
            Some((CommandTree::Stop | CommandTree::If { .. }, _)) => None,
            _ => {
                let end = commands.last().map_or(Span::default(), |(_, span)| Span { start: span.end, end: span.end });
                Some(program.push(Command::Stop, end))
            }
        };
        for (command, span) in commands.iter().rev() {
            let id = match (command, next) {
                (CommandTree::Assign { casts, target, cast, expression }, Some(next)) => {
                    let assign = self.assign(casts, target, cast.as_ref(), expression, next)?;
                    program.push(assign, *span)
                }
                (CommandTree::If { casts, condition, yes, no }, _) => {
                    let casts = self.cast_set(casts)?;
                    let (condition, sort) = self.expression(condition)?;
                    if sort != Sort::Bool {
                        return Err(wrong_sort(condition.span, Sort::Bool, sort));
                    }
                    let (yes, no) = (self.sequence(program, yes)?, self.sequence(program, no)?);
                    program.push(Command::If { casts, condition, yes, no }, *span)
                }
                _ => program.push(Command::Stop, *span),
            };
            next = Some(id);
        }
        Ok(next.unwrap_or_else(|| program.entry()))
    }

    fn assign(
        &self,
        casts: &CastSetTree,
        target: &Name,
        cast: Option<&TypeTree>,
        expression: &ExpressionTree,
        next: CommandId,
    ) -> Resolved<Command> {
        let casts = self.cast_set(casts)?;
        let target = self.variable(target)?;
        let wanted = self.sort(target);
        let cast = match cast {
            Some(cast) => self.type_like(cast, wanted)?,
            None => Type::all(wanted),
        };
        let (expression, sort) = self.expression(expression)?;
        if sort != wanted {
            return Err(wrong_sort(expression.span, wanted, sort));
        }
        Ok(Command::Assign { casts, target, cast, expression, next })
    }

    fn cast_set(&self, trees: &CastSetTree) -> Resolved<CastSet> {
        let mut casts = CastSet::default();
        for (name, cast) in trees {
            let variable = self.variable(name)?;
            casts.add(variable, &self.type_like(cast, self.sort(variable))?);
        }
        Ok(casts)
    }

    fn expression(&self, tree: &ExpressionTree) -> Resolved<(Expression, Sort)> {
        match tree {
            ExpressionTree::Operand(tree) => {
                let (operand, sort) = self.operand(tree)?;
                Ok((Expression { kind: ExpressionKind::Operand(operand), span: tree.span }, sort))
            }
            ExpressionTree::Apply { operator: name, operands, span } => {
                let operator = self.operator(name)?;
                let wanted = self.parameter_sorts(operator);
                if wanted.len() != operands.len() {
                    return Err(wrong_count(name, wanted.len(), operands.len()));
                }
                let mut resolved = Vec::new();
                for (tree, wanted) in operands.iter().zip(wanted) {
                    let (operand, sort) = self.operand(tree)?;
                    if sort != wanted {
                        return Err(wrong_sort(tree.span, wanted, sort));
                    }
                    resolved.push((operand, tree.span));
                }
                let result = self.operators.get(operator.0).map(|(_, signature, _)| signature.result.sort());
                let kind = ExpressionKind::Apply(operator, resolved);
                Ok((Expression { kind, span: *span }, result.unwrap_or(Sort::Int)))
            }
        }
    }

    fn operand(&self, tree: &OperandTree) -> Resolved<(Operand, Sort)> {
        Ok(match &tree.kind {
            OperandKind::Int(number) => (Operand::Value(Value::Int(number.clone())), Sort::Int),
            OperandKind::Bool(truth) => (Operand::Value(Value::Bool(*truth)), Sort::Bool),
            OperandKind::Variable(text) => {
                let variable = self.variable(&Name { text: text.clone(), span: tree.span })?;
                (Operand::Variable(variable), self.sort(variable))
            }
        })
    }

    fn finish(self, program: Program) -> Resolved<Module> {
        let (variables, types): (Vec<VariableInfo>, Vec<Type>) = self.variables.into_iter().unzip();
        let (mut operators, mut signatures, mut definitions) = (Vec::new(), Vec::new(), Vec::new());
        for (info, signature, definition) in self.operators {
            operators.push(info);
            signatures.push(signature);
            definitions.push(definition);
        }
        let mut environments = Vec::new();
        for restrictions in self.environments {
            let (mut types, mut signatures) = (types.clone(), signatures.clone());
            for (variable, of) in restrictions.variables {
                if let Some(there) = types.get_mut(variable.0) {
                    *there = there.intersect(&of);
                }
            }
            for (operator, parameters) in restrictions.operators {
                if let Some(there) = signatures.get_mut(operator.0) {
                    there.parameters =
                        there.parameters.iter().zip(&parameters).map(|(left, right)| left.intersect(right)).collect();
                }
            }
            environments.push((restrictions.name, Environment::new(types, signatures)));
        }
        let declared = Environment::new(types, signatures);
        Ok(Module { variables, operators, definitions, declared, environments, program })
    }
}

fn literal(operand: &OperandTree, sort: Sort) -> Resolved<Value> {
    let value = match &operand.kind {
        OperandKind::Int(number) => Value::Int(number.clone()),
        OperandKind::Bool(truth) => Value::Bool(*truth),
        OperandKind::Variable(_) => {
            return Err(Diagnostic::new(operand.span, "a variable starts with a literal", "not a literal"));
        }
    };
    if value.sort() == sort { Ok(value) } else { Err(wrong_sort(operand.span, sort, value.sort())) }
}

fn twice(name: &Name, what: &str) -> Diagnostic {
    Diagnostic::new(name.span, format!("there is a {what} `{}` already", name.text), "declared again here")
        .help("give one of the two another name; the library's names are shown by --library")
}

fn wrong_count(name: &Name, wanted: usize, found: usize) -> Diagnostic {
    let operands = if wanted == 1 { "operand" } else { "operands" };
    Diagnostic::new(name.span, format!("`{}` takes {wanted} {operands}, not {found}", name.text), "this operator")
}
