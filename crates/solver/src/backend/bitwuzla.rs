//! Bitwuzla through its C interface.

mod float;
mod powers;

use core::ffi::{CStr, c_void};
use std::ptr::null;
use std::time::Instant;

use bitwuzla_sys::*;
use expr::{BitVec, Choice, Kind, Sort, Store, Term, decision, postorder};
use rustc_hash::FxHashMap;

use super::Outcome;
use super::engine::{Engine, Limits, Step};
use crate::answer::Reason;

/// How CaDiCaL, which Bitwuzla asks, is to search, by variables of its environment: Bitwuzla has no options for it.
///
/// An instance is asked hundreds of questions that take a few hundred conflicts each, so simplification after every few
/// thousand costs more than it saves; the hard ones, which need it, get there soon enough. And going back level by level
/// does nothing for instances of this size.
pub(super) const SEARCH: [(&str, &str); 3] =
    [("CADICAL_CHRONO", "0"), ("CADICAL_ELIMINT", "10000"), ("CADICAL_PROBEINT", "20000")];

/// The version that is linked in.
pub(super) fn version() -> String {
    // SAFETY: the function takes nothing and returns a static string.
    unsafe { text(bitwuzla_version()) }
}

/// # Safety
/// `pointer` is null or a C string that lives until the call returns.
unsafe fn text(pointer: *const core::ffi::c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by this function's contract.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// Owns the term manager. Terms and solvers made from it die before it does.
struct Manager(*mut BitwuzlaTermManager);

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: made by `bitwuzla_term_manager_new`, deleted once; its solver is gone (see `Context`).
        unsafe { bitwuzla_term_manager_delete(self.0) };
    }
}

struct Instance {
    solver: *mut Bitwuzla,
    options: *mut BitwuzlaOptions,
    /// When the question that is being asked has to be answered. Boxed: Bitwuzla keeps its address.
    deadline: Box<Option<Instant>>,
}

unsafe extern "C" fn is_over(state: *mut c_void) -> i32 {
    // SAFETY: `state` is the address of the boxed deadline of a living instance.
    let deadline = unsafe { &*state.cast::<Option<Instant>>() };
    deadline.is_some_and(|deadline| Instant::now() >= deadline).into()
}

impl Instance {
    fn new(manager: &Manager, preprocesses: bool) -> Instance {
        let mut deadline = Box::new(None);
        let state: *mut Option<Instant> = &mut *deadline;
        // SAFETY: the manager is alive; the state outlives the solver, both belong to the instance.
        unsafe {
            let options = bitwuzla_options_new();
            bitwuzla_set_option(options, BITWUZLA_OPT_PRODUCE_MODELS, 1);
            bitwuzla_set_option(options, BITWUZLA_OPT_PREPROCESS, preprocesses.into());
            // It counts the factors of a product in as many bits as the product has, so that high powers come out as others,
            // and answers as wrong ones.
            bitwuzla_set_option(options, BITWUZLA_OPT_PP_NORMALIZE, 0);
            let solver = bitwuzla_new(manager.0, options);
            bitwuzla_set_termination_callback(solver, Some(is_over), state.cast());
            Instance { solver, options, deadline }
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: both were made in `new` and are deleted once.
        unsafe {
            bitwuzla_delete(self.solver);
            bitwuzla_options_delete(self.options);
        }
    }
}

/// Terms above which an instance that is asked again and again becomes a [large](Context::weights) one.
const LARGE: usize = 2000;
/// Operators that a term of a large instance has below it, at most, before it gets a name.
const HEAVY: u32 = 16;

/// A solver with terms of its own. Bitwuzla numbers the variables of its SAT solver by term, so an instance that shared
/// a manager with many others would pay for the terms of all of them.
// Fields are dropped in this order: the solver before the manager that its terms belong to.
struct Context {
    instance: Instance,
    /// What has been asserted there, or will be next.
    asserted: Vec<Term>,
    /// How many of those have been.
    told: usize,
    /// For a large instance: how many operators are below each term, up to those with names.
    ///
    /// At every question Bitwuzla goes through all of what is new, down to the inputs, and where it preprocesses, through all that
    /// it has. On a long path most is old, and the same terms are below all constraints. So a large instance does not
    /// preprocess, and what is heavy is a variable there that a definition ties to it.
    weights: Option<FxHashMap<Term, u32>>,
    /// For how many variables the instance [starts from the input](Context::start_from_input); `None` if it has gone elsewhere.
    started: Option<usize>,
    terms: FxHashMap<Term, BitwuzlaTerm>,
    /// Terms as floating-point numbers, where they are used as such.
    floats: FxHashMap<Term, BitwuzlaTerm>,
    /// What holds of the variables that stand for bits of numbers, and has not been asserted yet.
    definitions: Vec<BitwuzlaTerm>,
    /// The one-bit vectors 1 and 0, made when they are first needed.
    bits: Option<(BitwuzlaTerm, BitwuzlaTerm)>,
    manager: Manager,
}

/// Bitwuzla with its instances.
#[derive(Default)]
pub(super) struct BitwuzlaEngine {
    contexts: FxHashMap<u64, Context>,
}

impl BitwuzlaEngine {
    pub(super) fn new() -> BitwuzlaEngine {
        BitwuzlaEngine::default()
    }
}

impl Context {
    fn new(is_large: bool) -> Context {
        // SAFETY: no preconditions.
        let manager = Manager(unsafe { bitwuzla_term_manager_new() });
        let instance = Instance::new(&manager, !is_large);
        Context {
            instance,
            asserted: Vec::new(),
            told: 0,
            weights: is_large.then(FxHashMap::default),
            started: None,
            terms: FxHashMap::default(),
            floats: FxHashMap::default(),
            definitions: Vec::new(),
            bits: None,
            manager,
        }
    }

    fn sort(&self, sort: Sort) -> BitwuzlaSort {
        let tm = self.manager.0;
        // SAFETY: the manager is alive; widths are at least 1 by the store's invariant.
        unsafe {
            match sort {
                Sort::BitVec(width) => bitwuzla_mk_bv_sort(tm, width.into()),
                Sort::Array { index, element } => bitwuzla_mk_array_sort(
                    tm,
                    bitwuzla_mk_bv_sort(tm, index.into()),
                    bitwuzla_mk_bv_sort(tm, element.into()),
                ),
            }
        }
    }

    fn constant(&self, value: &BitVec) -> BitwuzlaTerm {
        let sort = self.sort(Sort::BitVec(value.width()));
        match value.to_u64() {
            // SAFETY: the value fits the sort, which belongs to the living manager.
            Some(small) => unsafe { bitwuzla_mk_bv_value_uint64(self.manager.0, sort, small) },
            None => {
                let mut digits = value.binary_digits().into_bytes();
                digits.push(0);
                // SAFETY: as many binary digits as the sort is wide, ended by a zero.
                unsafe { bitwuzla_mk_bv_value(self.manager.0, sort, digits.as_ptr().cast(), 2) }
            }
        }
    }

    fn bits(&mut self) -> (BitwuzlaTerm, BitwuzlaTerm) {
        match self.bits {
            Some(bits) => bits,
            None => *self.bits.insert((self.constant(&BitVec::bool(true)), self.constant(&BitVec::bool(false)))),
        }
    }

    /// Translates what will be asserted next.
    fn translate_asserted(&mut self, store: &Store) {
        let asserted = core::mem::take(&mut self.asserted);
        self.translate(store, asserted.get(self.told..).unwrap_or_default());
        self.asserted = asserted;
    }

    /// The Bitwuzla terms of `roots`, operands first, without recursion.
    fn translate(&mut self, store: &Store, roots: &[Term]) {
        let is_known = |term: Term| self.terms.contains_key(&term) || self.floats.contains_key(&term);
        for term in postorder(store, roots, is_known) {
            let node = store.node(term);
            if node.kind.gives_float() {
                let number = self.number(store, &node);
                self.floats.insert(term, number);
                continue;
            }
            let made = if node.kind.is_float() { self.of_numbers(store, &node) } else { self.node(store, term) };
            let made = self.named(store, term, made);
            self.terms.insert(term, made);
        }
        for root in roots {
            self.bits_of(store, *root);
        }
    }

    /// What stands for a term of a large instance: itself, or a variable.
    fn named(&mut self, store: &Store, term: Term, made: BitwuzlaTerm) -> BitwuzlaTerm {
        let Some(weights) = &mut self.weights else { return made };
        let node = store.node(term);
        let own = match node.kind {
            Kind::Const | Kind::Var => 0,
            Kind::Lookup => HEAVY,
            _ => 1,
        };
        let below = node.operands().iter().filter_map(|operand| weights.get(operand));
        let weight = below.fold(own, |sum, weight| sum.saturating_add(*weight));
        // Arrays that are equal are more than a variable to the solver.
        if weight <= HEAVY || matches!(node.sort, Sort::Array { .. }) {
            weights.insert(term, weight);
            return made;
        }
        weights.insert(term, 1);
        // SAFETY: the manager is alive, and both sides have the same sort.
        unsafe {
            let name = bitwuzla_mk_const(self.manager.0, self.sort(node.sort), null());
            self.definitions.push(bitwuzla_mk_term2(self.manager.0, BITWUZLA_KIND_EQUAL, name, made));
            name
        }
    }

    fn node(&mut self, store: &Store, term: Term) -> BitwuzlaTerm {
        if let Some(value) = store.value(term) {
            return self.constant(value);
        }
        let node = store.node(term);
        if let Some(made) = self.with_power(store, &node) {
            return made;
        }
        let tm = self.manager.0;
        // Operands come before the terms that use them, so all of these are there.
        let mut operands = [BitwuzlaTerm::default(); 3];
        for (made, operand) in operands.iter_mut().zip(node.operands()) {
            *made = self.bits_of(store, *operand);
        }
        let operand = |place: usize| operands[place];
        let width = u64::from(node.sort.width());
        let inner = u64::from(store.width(node.operands[0]));
        let low = u64::from(node.imm);
        // SAFETY: operands are terms of this manager, and have the sorts that the operator takes: the store checked.
        unsafe {
            match node.kind {
                Kind::Const | Kind::Var => bitwuzla_mk_const(tm, self.sort(node.sort), null()),
                Kind::Not => bitwuzla_mk_term1(tm, BITWUZLA_KIND_BV_NOT, operand(0)),
                Kind::Extract => {
                    bitwuzla_mk_term1_indexed2(tm, BITWUZLA_KIND_BV_EXTRACT, operand(0), low + width - 1, low)
                }
                Kind::ZExt => bitwuzla_mk_term1_indexed1(tm, BITWUZLA_KIND_BV_ZERO_EXTEND, operand(0), width - inner),
                Kind::SExt => bitwuzla_mk_term1_indexed1(tm, BITWUZLA_KIND_BV_SIGN_EXTEND, operand(0), width - inner),
                Kind::ConstArray => bitwuzla_mk_const_array(tm, self.sort(node.sort), operand(0)),
                Kind::Lookup => {
                    let index = operand(0);
                    self.lookup(store.table(term).unwrap_or_default(), index)
                }
                Kind::Store => bitwuzla_mk_term3(tm, BITWUZLA_KIND_ARRAY_STORE, operand(0), operand(1), operand(2)),
                Kind::Ite => {
                    let (condition, a, b) = (operand(0), operand(1), operand(2));
                    let condition = bitwuzla_mk_term2(tm, BITWUZLA_KIND_EQUAL, condition, self.bits().0);
                    bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, condition, a, b)
                }
                kind => {
                    let made = bitwuzla_mk_term2(tm, binary(kind), operand(0), operand(1));
                    if !kind.is_predicate() {
                        return made;
                    }
                    let (one, zero) = self.bits();
                    bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, made, one, zero)
                }
            }
        }
    }

    /// The element of a table, by the bits of the index.
    fn lookup(&mut self, table: &[BitVec], index: BitwuzlaTerm) -> BitwuzlaTerm {
        let one = self.bits().0;
        let tm = self.manager.0;
        let mut steps: Vec<BitwuzlaTerm> = Vec::new();
        for step in decision(table) {
            let of = |place: usize| steps.get(place).copied().unwrap_or_default();
            let made = match step {
                Choice::Value(value) => self.constant(value),
                // SAFETY: the index is a term of this manager that has the bit, by the store's invariant.
                Choice::Either { bit, high, low } => unsafe {
                    let bit = u64::from(bit);
                    let bit = bitwuzla_mk_term1_indexed2(tm, BITWUZLA_KIND_BV_EXTRACT, index, bit, bit);
                    let is_set = bitwuzla_mk_term2(tm, BITWUZLA_KIND_EQUAL, bit, one);
                    bitwuzla_mk_term3(tm, BITWUZLA_KIND_ITE, is_set, of(high), of(low))
                },
            };
            steps.push(made);
        }
        steps.last().copied().unwrap_or_default()
    }

    fn truth(&mut self, term: Term) -> BitwuzlaTerm {
        let one = self.bits().0;
        let made = self.terms.get(&term).copied().unwrap_or(one);
        // SAFETY: both are one-bit terms of this manager.
        unsafe { bitwuzla_mk_term2(self.manager.0, BITWUZLA_KIND_EQUAL, made, one) }
    }

    /// What the instance has to be told before it is asked.
    fn untold(&mut self) -> Vec<BitwuzlaTerm> {
        let mut new = core::mem::take(&mut self.definitions);
        for place in core::mem::replace(&mut self.told, self.asserted.len())..self.asserted.len() {
            let constraint = self.asserted[place];
            new.push(self.truth(constraint));
        }
        new
    }

    /// Lets the SAT solver look for answers near the path's input: it first tries the values that its variables had last, and here they get
    /// those of the input. What it need not change then stays as it is, and so does what the program makes of it. Asking for what is
    /// known takes as long as an answer does, so this is done again only after an answer that had other values.
    fn start_from_input(&mut self, step: &Step<'_>) {
        // One that is about to become large would be preprocessed twice for a single question.
        let is_about_to_grow = self.weights.is_none() && self.terms.len() > LARGE;
        if is_about_to_grow || self.started == Some(step.near.len()) {
            return;
        }
        self.started = Some(step.near.len());
        let mut values = Vec::with_capacity(step.near.len());
        for (wanted, value) in step.wanted.iter().zip(step.near) {
            let Some(term) = self.terms.get(wanted) else { continue };
            // SAFETY: both are bit vectors of this manager, as wide as the variable.
            values.push(unsafe { bitwuzla_mk_term2(self.manager.0, BITWUZLA_KIND_EQUAL, *term, self.constant(value)) });
        }
        // SAFETY: the solver is alive, and these are Boolean terms of its manager.
        unsafe { bitwuzla_check_sat_assuming(self.instance.solver, values.len() as u32, values.as_mut_ptr()) };
    }

    fn ask(&mut self, step: &Step<'_>, limits: Limits) -> Outcome {
        let constraints = self.untold();
        *self.instance.deadline = Instant::now().checked_add(limits.time);
        let solver = self.instance.solver;
        let mut goals: Vec<BitwuzlaTerm> = step.goals.iter().map(|goal| self.truth(*goal)).collect();
        // SAFETY: the solver is alive, goals are Boolean terms of its manager, and values are read while it is in the
        // state that the question left it in.
        unsafe {
            for constraint in constraints {
                bitwuzla_assert(solver, constraint);
            }
            self.start_from_input(step);
            let result = bitwuzla_check_sat_assuming(solver, goals.len() as u32, goals.as_mut_ptr());
            self.started = self.started.filter(|_| result == BITWUZLA_UNSAT);
            match result {
                BITWUZLA_UNSAT => Outcome::Unsat,
                BITWUZLA_SAT => {
                    let mut values = Vec::with_capacity(step.wanted.len());
                    for wanted in step.wanted {
                        let term = self.terms.get(wanted).copied().unwrap_or_default();
                        let digits = text(bitwuzla_term_value_get_str(bitwuzla_get_value(solver, term)));
                        match BitVec::parse(digits.len() as u16, &digits, 2) {
                            Some(value) => values.push(value),
                            None => return Outcome::Unknown(Reason::GaveUp(format!("value `{digits}`"))),
                        }
                    }
                    Outcome::Sat(values)
                }
                _ => Outcome::Unknown(Reason::Time),
            }
        }
    }
}

impl Engine for BitwuzlaEngine {
    fn step(&mut self, store: &Store, step: &Step<'_>) -> Outcome {
        let found = step.instance.and_then(|id| self.contexts.remove(&id));
        let mut context = match found {
            None => Context::new(false),
            Some(small) if small.weights.is_none() && small.terms.len() > LARGE => {
                Context { asserted: small.asserted, ..Context::new(true) }
            }
            Some(context) => context,
        };
        context.asserted.extend(step.constraints);
        context.translate_asserted(store);
        context.translate(store, step.goals);
        context.translate(store, step.wanted);
        let outcome = context.ask(step, step.limits);
        if let Some(id) = step.instance {
            self.contexts.insert(id, context);
        }
        outcome
    }

    fn forget(&mut self, instance: u64) {
        self.contexts.remove(&instance);
    }

    fn translated(&self) -> usize {
        self.contexts.values().map(|context| context.terms.len() + context.floats.len()).sum()
    }

    fn reset(&mut self) {
        self.contexts.clear();
    }
}

fn binary(kind: Kind) -> BitwuzlaKind {
    match kind {
        Kind::And => BITWUZLA_KIND_BV_AND,
        Kind::Or => BITWUZLA_KIND_BV_OR,
        Kind::Xor => BITWUZLA_KIND_BV_XOR,
        Kind::Add => BITWUZLA_KIND_BV_ADD,
        Kind::Sub => BITWUZLA_KIND_BV_SUB,
        Kind::Mul => BITWUZLA_KIND_BV_MUL,
        Kind::UDiv => BITWUZLA_KIND_BV_UDIV,
        Kind::URem => BITWUZLA_KIND_BV_UREM,
        Kind::SDiv => BITWUZLA_KIND_BV_SDIV,
        Kind::SRem => BITWUZLA_KIND_BV_SREM,
        Kind::Shl => BITWUZLA_KIND_BV_SHL,
        Kind::LShr => BITWUZLA_KIND_BV_SHR,
        Kind::AShr => BITWUZLA_KIND_BV_ASHR,
        Kind::Ult => BITWUZLA_KIND_BV_ULT,
        Kind::Ule => BITWUZLA_KIND_BV_ULE,
        Kind::Slt => BITWUZLA_KIND_BV_SLT,
        Kind::Sle => BITWUZLA_KIND_BV_SLE,
        Kind::SAddO => BITWUZLA_KIND_BV_SADD_OVERFLOW,
        Kind::UAddO => BITWUZLA_KIND_BV_UADD_OVERFLOW,
        Kind::SSubO => BITWUZLA_KIND_BV_SSUB_OVERFLOW,
        Kind::USubO => BITWUZLA_KIND_BV_USUB_OVERFLOW,
        Kind::SMulO => BITWUZLA_KIND_BV_SMUL_OVERFLOW,
        Kind::UMulO => BITWUZLA_KIND_BV_UMUL_OVERFLOW,
        Kind::Concat => BITWUZLA_KIND_BV_CONCAT,
        Kind::Select => BITWUZLA_KIND_ARRAY_SELECT,
        _ => BITWUZLA_KIND_EQUAL,
    }
}
