//! From a solver's values to a model.

use expr::{BitVec, Model, Sort, Store, Term, Var};

/// The terms whose values make up a model.
pub(crate) struct Wanted {
    vars: Vec<(Var, Term)>,
    /// Array variable, index, element.
    elements: Vec<(Var, Term, Term)>,
}

/// `base` with these values, as far as they differ from it.
pub(crate) fn with_values<'a>(store: &Store, base: &Model, values: impl Iterator<Item = (Var, &'a BitVec)>) -> Model {
    let mut model = base.clone();
    for (var, value) in values {
        if base.value(store, var) != *value {
            model.set(var, value.clone());
        }
    }
    model
}

impl Wanted {
    /// All variables of a query; for array variables the elements that it reads.
    pub(crate) fn of(store: &mut Store, constraints: &[Term], goals: &[Term]) -> Wanted {
        let roots = [constraints, goals].concat();
        let mut vars = Vec::new();
        let mut arrays = false;
        for var in expr::variables(store, &roots) {
            match store.var_sort(var) {
                Sort::BitVec(_) => vars.push((var, store.var_term(var))),
                Sort::Array { .. } => arrays = true,
            }
        }
        let elements = if arrays { read_elements(store, &roots) } else { Vec::new() };
        Wanted { vars, elements }
    }

    /// What to ask the solver for.
    pub(crate) fn terms(&self) -> Vec<Term> {
        let elements = self.elements.iter().flat_map(|(_, index, element)| [*index, *element]);
        self.vars.iter().map(|(_, term)| *term).chain(elements).collect()
    }

    /// The values of the first of these under a model.
    pub(crate) fn values(&self, store: &Store, base: &Model) -> Vec<BitVec> {
        self.vars.iter().map(|(var, _)| base.value(store, *var)).collect()
    }

    /// The model of values for [`Wanted::terms`], in their order.
    pub(crate) fn model(&self, store: &Store, base: &Model, values: &[BitVec]) -> Model {
        let (vars, elements) = values.split_at(self.vars.len().min(values.len()));
        let mut model = with_values(store, base, self.vars.iter().map(|(var, _)| *var).zip(vars));
        for ((array, ..), pair) in self.elements.iter().zip(elements.chunks_exact(2)) {
            if let [index, element] = pair {
                model.set_element(*array, index.clone(), element.clone());
            }
        }
        model
    }
}

/// For every `select`: the variables that its array is made of, with its index and the element of the variable there.
fn read_elements(store: &mut Store, roots: &[Term]) -> Vec<(Var, Term, Term)> {
    let mut found = Vec::new();
    for term in expr::postorder(store, roots, |_| false) {
        if store.kind(term) != expr::Kind::Select {
            continue;
        }
        let [array, index, _] = store.node(term).operands;
        let inside = expr::postorder(store, &[array], |part| matches!(store.sort(part), Sort::BitVec(_)));
        for part in inside {
            let Some(var) = store.var_of(part) else { continue };
            if let Ok(element) = store.raw(expr::Kind::Select, &[part, index], 0, 0) {
                found.push((var, index, element));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
