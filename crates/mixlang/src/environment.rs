//! Environments: what names stand for, shared between scopes.

use std::rc::Rc;

use crate::syntax::Name;

/// A persistent list of bindings, innermost first.
#[derive(Debug)]
pub(crate) struct Environment<T>(Option<Rc<Link<T>>>);

#[derive(Debug)]
struct Link<T> {
    name: Name,
    value: T,
    outer: Environment<T>,
}

impl<T> Default for Environment<T> {
    fn default() -> Environment<T> {
        Environment(None)
    }
}

impl<T> Clone for Environment<T> {
    fn clone(&self) -> Environment<T> {
        Environment(self.0.clone())
    }
}

impl<T> Environment<T> {
    /// This environment with one more binding.
    pub fn with(&self, name: Name, value: T) -> Environment<T> {
        Environment(Some(Rc::new(Link { name, value, outer: self.clone() })))
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&T> {
        let mut here = self;
        while let Some(link) = &here.0 {
            if *link.name == *name {
                return Some(&link.value);
            }
            here = &link.outer;
        }
        None
    }

    /// All bindings, innermost first, also those that are hidden by others.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &T)> {
        let mut here = self;
        std::iter::from_fn(move || {
            let link = here.0.as_ref()?;
            here = &link.outer;
            Some((&link.name, &link.value))
        })
    }

    /// The bindings that are not hidden, outermost first.
    pub fn visible(&self) -> Vec<(&Name, &T)> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found: Vec<_> = self.iter().filter(|(name, _)| seen.insert(*name)).collect();
        found.reverse();
        found
    }
}

impl<T> FromIterator<(Name, T)> for Environment<T> {
    fn from_iter<I: IntoIterator<Item = (Name, T)>>(bindings: I) -> Environment<T> {
        bindings.into_iter().fold(Environment::default(), |inner, (name, value)| inner.with(name, value))
    }
}

/// A long list must not be dropped link inside link.
impl<T> Drop for Environment<T> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = Rc::into_inner(link).and_then(|mut link| link.outer.0.take());
        }
    }
}
