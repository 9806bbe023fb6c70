//! Functions that are known by their code.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::syntax::{Lambda, Name};
use crate::types::{CodeId, Type};

/// The functions that one `fun` makes where its captured variables have these types.
#[derive(Debug)]
pub(crate) struct Code {
    pub lambda: Rc<Lambda>,
    pub captured: Vec<(Name, Type)>,
}

/// All of them, each once. Functions capture functions that capture functions; numbers keep their types small.
#[derive(Default)]
pub(crate) struct Codes {
    list: Vec<Rc<Code>>,
    ids: FxHashMap<(u32, Vec<(Name, Type)>), CodeId>,
}

impl Codes {
    /// The type of the functions that a `fun` makes.
    pub fn ty(&mut self, lambda: &Rc<Lambda>, captured: Vec<(Name, Type)>) -> Type {
        let next = CodeId(self.list.len() as u32);
        let id = *self.ids.entry((lambda.id, captured.clone())).or_insert(next);
        if id == next {
            self.list.push(Rc::new(Code { lambda: lambda.clone(), captured }));
        }
        Type::Code(id)
    }

    pub fn get(&self, id: CodeId) -> Option<Rc<Code>> {
        self.list.get(id.0 as usize).cloned()
    }
}
