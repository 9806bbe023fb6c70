//! The worker: a linked solver in a process of its own.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use expr::{BitVec, Kind, Node, Sort, Store, Term, postorder};
use rustc_hash::FxHashMap;

use super::child::Watched;
use super::engine::{Engine, Limits, Step};
use super::lineage::{Lineages, MAX_TRANSLATED};
use super::wire::{Decoder, Encoder};
use super::{Backend, BackendQuery, Outcome, bitwuzla};
use crate::answer::{BackendChoice, Budget, Reason};

/// The first argument of a process that is to be a worker; the second one is the solver.
const ARGUMENT: &str = "--provoke-solver-worker";
/// What a worker gets beyond the budget to notice that it is used up, before it is killed.
const GRACE: Duration = Duration::from_millis(300);

/// How often a query is asked again of which a worker died: somebody may have killed it for reasons of their own.
const RETRIES: usize = 2;

static AVAILABLE: OnceLock<()> = OnceLock::new();

/// Makes solver workers possible: to be called first thing in `main`. In a process that was started as a worker it
/// does the worker's work and does not return.
pub fn init() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ARGUMENT) {
        let choice = arguments.next().and_then(|name| name.to_str()?.parse().ok()).unwrap_or_default();
        // A pipe that cannot be read or written means that the parent is gone.
        let _ = serve(super::engine(&choice));
        std::process::exit(0);
    }
    let _ = AVAILABLE.set(());
}

pub(super) fn is_available() -> bool {
    AVAILABLE.get().is_some()
}

/// The parent's side.
pub(super) struct Worker {
    choice: BackendChoice,
    process: Option<Watched>,
    /// The numbers by which the worker knows terms.
    sent: FxHashMap<Term, u32>,
    store: Option<u64>,
    lineages: Lineages,
}

impl Worker {
    pub(super) fn new(choice: &BackendChoice) -> Worker {
        let (sent, lineages) = (FxHashMap::default(), Lineages::default());
        Worker { choice: choice.clone(), process: None, sent, store: None, lineages }
    }

    fn forget_everything(&mut self) {
        self.sent.clear();
        self.lineages.clear();
    }

    fn running(&mut self) -> io::Result<&mut Watched> {
        match &mut self.process {
            Some(process) => Ok(process),
            empty => {
                let mut command = Command::new("/proc/self/exe");
                command.arg0("provoke-solver").arg(ARGUMENT).arg(self.choice.to_string());
                command.envs(bitwuzla::SEARCH);
                Ok(empty.insert(Watched::spawn(command.stdin(Stdio::piped()).stderr(Stdio::null()))?))
            }
        }
    }

    fn exchange(&mut self, request: &[u8], budget: &Budget, stop: Option<&AtomicBool>) -> Result<Outcome, Reason> {
        let crashed = |error: io::Error| Reason::Crashed(error.to_string());
        let deadline = Instant::now() + budget.time + GRACE;
        let process = self.running().map_err(crashed)?;
        if let Some(stdin) = &mut process.stdin {
            stdin.write_all(&(request.len() as u32).to_le_bytes()).map_err(crashed)?;
            stdin.write_all(request).map_err(crashed)?;
            stdin.flush().map_err(crashed)?;
        }
        let mut response = Vec::new();
        process.read(&mut response, deadline, budget.memory, stop, |bytes| frame(bytes).is_some())?;
        let payload = frame(&response).unwrap_or_default();
        decode_outcome(payload).ok_or_else(|| Reason::Crashed("its answer cannot be read".to_owned()))
    }
}

impl Backend for Worker {
    fn solve(&mut self, store: &Store, query: &BackendQuery<'_>, budget: &Budget) -> Outcome {
        let started = Instant::now();
        let mut outcome = self.attempt(store, query, budget);
        for _ in 0..RETRIES {
            // All attempts together have the time of one.
            let left = budget.time.saturating_sub(started.elapsed());
            if left.is_zero() || !matches!(outcome, Outcome::Unknown(Reason::Crashed(_))) {
                break;
            }
            outcome = self.attempt(store, query, &Budget { time: left, ..*budget });
        }
        outcome
    }
}

impl Worker {
    fn attempt(&mut self, store: &Store, query: &BackendQuery<'_>, budget: &Budget) -> Outcome {
        let mut reset = false;
        if self.store != Some(store.id()) || self.sent.len() > MAX_TRANSLATED {
            self.store = Some(store.id());
            self.forget_everything();
            reset = true;
        }
        let placement = self.lineages.place(query);
        let mut request = Encoder::default();
        request.u8(reset.into());
        request.u64(placement.instance.unwrap_or(u64::MAX));
        request.u64(placement.evicted.unwrap_or(u64::MAX));
        request.u64(budget.time.as_millis() as u64);
        request.u64(budget.conflicts.unwrap_or(u64::MAX));
        let lists = [&query.constraints[placement.asserted..], query.goals, query.wanted];
        let roots = lists.concat();
        let new = postorder(store, &roots, |term| self.sent.contains_key(&term));
        request.u32(new.len() as u32);
        for term in new {
            encode_node(&mut request, store, term, &self.sent);
            self.sent.insert(term, self.sent.len() as u32);
        }
        for list in lists {
            request.u32(list.len() as u32);
            for term in list {
                request.u32(self.sent.get(term).copied().unwrap_or_default());
            }
        }
        request.u32(query.near.len() as u32);
        query.near.iter().for_each(|value| request.value(value));
        self.exchange(&request.bytes, budget, query.stop).unwrap_or_else(|reason| {
            // Whatever state the worker is in, the next query gets a new one.
            self.process = None;
            self.store = None;
            Outcome::Unknown(reason)
        })
    }
}

/// The payload of a complete message.
fn frame(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_at_checked(4)?;
    rest.get(..u32::from_le_bytes(length.try_into().ok()?) as usize)
}

fn encode_node(request: &mut Encoder, store: &Store, term: Term, sent: &FxHashMap<Term, u32>) {
    let node = store.node(term);
    request.u8(node.kind as u8);
    match node.sort {
        Sort::BitVec(width) => {
            request.u16(0);
            request.u16(width);
        }
        Sort::Array { index, element } => {
            request.u16(index);
            request.u16(element);
        }
    }
    request.u32(node.imm);
    if let Some(value) = store.value(term) {
        request.value(value);
    }
    if let Some(table) = store.table(term) {
        request.u32(table.len() as u32);
        table.iter().for_each(|value| request.value(value));
    }
    for operand in node.operands() {
        request.u32(sent.get(operand).copied().unwrap_or_default());
    }
}

fn encode_outcome(outcome: &Outcome) -> Vec<u8> {
    let mut response = Encoder::default();
    match outcome {
        Outcome::Sat(values) => {
            response.u8(0);
            for value in values {
                response.value(value);
            }
        }
        Outcome::Unsat => response.u8(1),
        Outcome::Unknown(Reason::Time) => response.u8(2),
        Outcome::Unknown(Reason::Memory) => response.u8(3),
        Outcome::Unknown(Reason::Conflicts) => response.u8(4),
        Outcome::Unknown(reason) => {
            response.u8(5);
            response.text(&match reason {
                Reason::GaveUp(text) => text.clone(),
                other => other.to_string(),
            });
        }
    }
    response.bytes
}

fn decode_outcome(payload: &[u8]) -> Option<Outcome> {
    let mut decoder = Decoder::new(payload);
    Some(match decoder.u8()? {
        0 => {
            let mut values = Vec::new();
            while !decoder.is_done() {
                values.push(decoder.value()?);
            }
            Outcome::Sat(values)
        }
        1 => Outcome::Unsat,
        2 => Outcome::Unknown(Reason::Time),
        3 => Outcome::Unknown(Reason::Memory),
        4 => Outcome::Unknown(Reason::Conflicts),
        _ => Outcome::Unknown(Reason::GaveUp(decoder.text()?)),
    })
}

/// The worker's side: answers requests until the pipe is closed.
fn serve(mut engine: Box<dyn Engine>) -> io::Result<()> {
    // A worker whose parent was killed in the middle of a query would go on for nobody.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // Solvers print warnings to standard output, which is the pipe.
    let mut output = std::fs::File::from(rustix::io::dup(rustix::stdio::stdout())?);
    rustix::stdio::dup2_stdout(std::fs::File::create("/dev/null")?)?;
    let mut input = io::stdin().lock();
    let mut mirror = Mirror::default();
    loop {
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let mut request = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut request)?;
        let outcome = mirror
            .answer(&request, engine.as_mut())
            .unwrap_or_else(|| Outcome::Unknown(Reason::GaveUp("a request that cannot be read".to_owned())));
        let response = encode_outcome(&outcome);
        output.write_all(&[&(response.len() as u32).to_le_bytes(), response.as_slice()].concat())?;
    }
}

/// The worker's copy of the terms.
#[derive(Default)]
struct Mirror {
    store: Store,
    terms: Vec<Term>,
}

impl Mirror {
    fn answer(&mut self, request: &[u8], engine: &mut dyn Engine) -> Option<Outcome> {
        let mut decoder = Decoder::new(request);
        if decoder.u8()? != 0 {
            engine.reset();
            *self = Mirror::default();
        }
        let (instance, evicted) = (decoder.u64()?, decoder.u64()?);
        let time = Duration::from_millis(decoder.u64()?);
        let conflicts = Some(decoder.u64()?).filter(|conflicts| *conflicts != u64::MAX);
        if evicted != u64::MAX {
            engine.forget(evicted);
        }
        for _ in 0..decoder.u32()? {
            let term = self.node(&mut decoder)?;
            self.terms.push(term);
        }
        let [constraints, goals, wanted] =
            [self.list(&mut decoder)?, self.list(&mut decoder)?, self.list(&mut decoder)?];
        let near: Option<Vec<BitVec>> = (0..decoder.u32()?).map(|_| decoder.value()).collect();
        let step = Step {
            instance: Some(instance).filter(|instance| *instance != u64::MAX),
            constraints: &constraints,
            goals: &goals,
            wanted: &wanted,
            near: &near?,
            limits: Limits { time, conflicts },
        };
        Some(engine.step(&self.store, &step))
    }

    fn list(&self, decoder: &mut Decoder<'_>) -> Option<Vec<Term>> {
        (0..decoder.u32()?).map(|_| self.terms.get(decoder.u32()? as usize).copied()).collect()
    }

    fn node(&mut self, decoder: &mut Decoder<'_>) -> Option<Term> {
        let kind = *Kind::ALL.get(usize::from(decoder.u8()?))?;
        let (index, width, imm) = (decoder.u16()?, decoder.u16()?, decoder.u32()?);
        match (kind, index) {
            (Kind::Const, _) => {
                let value: BitVec = decoder.value()?;
                Some(self.store.constant(value))
            }
            (Kind::Lookup, _) => {
                let values: Option<Vec<BitVec>> = (0..decoder.u32()?).map(|_| decoder.value()).collect();
                let index = *self.terms.get(decoder.u32()? as usize)?;
                self.store.exactly(|store| store.lookup(index, values?).ok())
            }
            (Kind::Var, 0) => Some(self.store.named(&format!("v{imm}"), width)),
            (Kind::Var, _) => Some(self.store.named_array(&format!("v{imm}"), index, width)),
            _ => {
                let operands: Option<Vec<Term>> =
                    (0..kind.arity()).map(|_| self.terms.get(decoder.u32()? as usize).copied()).collect();
                let width = if kind == Kind::ConstArray { index } else { width };
                self.store.raw(kind, &operands?, imm, width).ok()
            }
        }
    }
}

// `Node` is what goes over the wire, piece by piece; a new field must not be forgotten there.
const _: fn(Node) = |Node { kind: _, sort: _, operands: _, imm: _ }| {};
const _: () = assert!(Kind::Const as u8 == 0 && Kind::Lookup as usize == Kind::ALL.len() - 1);
