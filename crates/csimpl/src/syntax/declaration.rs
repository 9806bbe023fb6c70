//! The grammar of declarations.

use super::parse::{Parsed, Parser};
use super::token::Token;
use super::tree::{Declaration, EntryTree};

impl Parser {
    /// A declaration, if there is one.
    pub(super) fn declaration(&mut self) -> Parsed<Option<Declaration>> {
        let Token::Word(word) = self.peek() else { return Ok(None) };
        let declaration = match word.as_str() {
            "type" => self.type_declaration()?,
            "op" => self.operator_declaration()?,
            "input" => self.variable_declaration(true)?,
            "var" => self.variable_declaration(false)?,
            "env" => self.environment_declaration()?,
            _ => return Ok(None),
        };
        Ok(Some(declaration))
    }

    fn type_declaration(&mut self) -> Parsed<Declaration> {
        self.word("type")?;
        let name = self.name("a name for the type")?;
        self.sign("=")?;
        let meaning = self.type_tree()?;
        self.sign(";")?;
        Ok(Declaration::Type { name, meaning })
    }

    fn operator_declaration(&mut self) -> Parsed<Declaration> {
        self.word("op")?;
        let name = self.name("a name for the operator")?;
        self.sign("(")?;
        let parameters = self.list(")", |parser| {
            let name = parser.name("a parameter")?;
            parser.sign(":")?;
            Ok((name, parser.type_tree()?))
        })?;
        self.sign(":")?;
        let result = self.type_tree()?;
        self.sign("=")?;
        let definition = self.term()?;
        self.sign(";")?;
        Ok(Declaration::Operator { name, parameters, result, definition })
    }

    fn variable_declaration(&mut self, input: bool) -> Parsed<Declaration> {
        self.word(if input { "input" } else { "var" })?;
        let name = self.name("a name for the variable")?;
        self.sign(":")?;
        let of = self.type_tree()?;
        let initial = if self.take_sign("=") { Some(self.operand()?) } else { None };
        self.sign(";")?;
        Ok(Declaration::Variable { name, of, input, initial })
    }

    fn environment_declaration(&mut self) -> Parsed<Declaration> {
        self.word("env")?;
        let name = self.name("a name for the environment")?;
        self.sign("{")?;
        let mut entries = Vec::new();
        while !self.take_sign("}") {
            entries.push(self.entry()?);
            self.sign(";")?;
        }
        Ok(Declaration::Environment { name, entries })
    }

    fn entry(&mut self) -> Parsed<EntryTree> {
        if self.take_word("op") {
            let name = self.name("an operator")?;
            self.sign("(")?;
            let parameters = self.list(")", Parser::type_tree)?;
            return Ok(EntryTree::Operator(name, parameters));
        }
        let name = self.name("a variable, `op` or `}`")?;
        self.sign(":")?;
        Ok(EntryTree::Variable(name, self.type_tree()?))
    }
}
