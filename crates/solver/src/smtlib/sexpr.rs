//! S-expressions in an arena, so that neither reading nor dropping them recurses.

use super::token::{TokenKind, Tokens};

/// An expression's place in [`Tree::nodes`].
pub(super) type Id = usize;

pub(super) enum Shape<'a> {
    Atom(&'a str),
    List(Vec<Id>),
}

pub(super) struct Sexpr<'a> {
    pub at: usize,
    pub shape: Shape<'a>,
}

#[derive(Default)]
pub(super) struct Tree<'a> {
    pub nodes: Vec<Sexpr<'a>>,
    /// The expressions that are in no other one.
    pub top: Vec<Id>,
}

impl<'a> Tree<'a> {
    /// Reads everything, or says where the brackets do not match.
    pub(super) fn read(text: &'a str) -> Result<Tree<'a>, (usize, &'static str)> {
        let mut tree = Tree::default();
        let mut open: Vec<(usize, Vec<Id>)> = Vec::new();
        for token in Tokens::new(text) {
            let shape = match token.kind {
                TokenKind::Open => {
                    open.push((token.at, Vec::new()));
                    continue;
                }
                TokenKind::Unclosed => return Err((token.at, "this symbol or string is not closed")),
                TokenKind::Word(word) | TokenKind::Text(word) => (token.at, Shape::Atom(word)),
                TokenKind::Close => match open.pop() {
                    Some((at, items)) => (at, Shape::List(items)),
                    None => return Err((token.at, "nothing is open here")),
                },
            };
            let id = tree.nodes.len();
            tree.nodes.push(Sexpr { at: shape.0, shape: shape.1 });
            match open.last_mut() {
                Some((_, items)) => items.push(id),
                None => tree.top.push(id),
            }
        }
        match open.pop() {
            Some((at, _)) => Err((at, "this bracket is not closed")),
            None => Ok(tree),
        }
    }

    pub(super) fn atom(&self, id: Id) -> Option<&'a str> {
        match self.nodes.get(id)?.shape {
            Shape::Atom(word) => Some(word),
            Shape::List(_) => None,
        }
    }

    pub(super) fn list(&self, id: Id) -> Option<&[Id]> {
        match &self.nodes.get(id)?.shape {
            Shape::List(items) => Some(items),
            Shape::Atom(_) => None,
        }
    }

    pub(super) fn at(&self, id: Id) -> usize {
        self.nodes.get(id).map_or(0, |node| node.at)
    }
}
