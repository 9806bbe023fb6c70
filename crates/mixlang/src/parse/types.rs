//! Types.

use std::rc::Rc;

use crate::parse::MAX_DEPTH;
use crate::parse::lexer::Token;
use crate::parse::parser::{Parsed, Parser};
use crate::types::{Sign, Type};

impl Parser<'_> {
    pub fn ty(&mut self) -> Parsed<Type> {
        self.nested(|parser| {
            let mut ty = parser.plain_type()?;
            let mut depth = ty.depth();
            while parser.eat_keyword("ref") {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(parser.too_deep());
                }
                ty = ty.reference();
            }
            if !parser.eat_symbol("->") {
                return Ok(ty);
            }
            let whole = Type::Fun(Rc::new(ty), Rc::new(parser.ty()?));
            if whole.depth() > MAX_DEPTH { Err(parser.too_deep()) } else { Ok(whole) }
        })
    }

    fn plain_type(&mut self) -> Parsed<Type> {
        let Some(token) = self.peek() else { return Err(self.unexpected("a type")) };
        let sign = match token {
            Token::Keyword("pos") => Some(Sign::Pos),
            Token::Keyword("neg") => Some(Sign::Neg),
            Token::Keyword("zero") => Some(Sign::Zero),
            Token::Keyword("unknown") => Some(Sign::Unknown),
            _ => None,
        };
        if let Some(sign) = sign {
            self.at += 1;
            self.expect_keyword("int", "`int`: signs are for integers")?;
            return Ok(Type::Int(sign));
        }
        let ty = match token {
            Token::Keyword("int") => Type::INT,
            Token::Keyword("bool") => Type::Bool,
            Token::Keyword("string") => Type::String,
            Token::Keyword("float") => Type::Float,
            Token::Keyword("unit") => Type::Unit,
            Token::Symbol("(") => {
                self.at += 1;
                let ty = self.ty()?;
                self.expect_symbol(")", "`)`")?;
                return Ok(ty);
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.at += 1;
        Ok(ty)
    }
}
