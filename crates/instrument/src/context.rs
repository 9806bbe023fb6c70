//! What is known about the module as a whole: types, the runtime's entry points, the site table.

use crate::calls::MODEL;
use llvm::{Builder, Location, Module, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::offset_of;
use std::rc::Rc;
use trace::abi::{self, Abi, Entry, ThreadSlots};
use trace::sites::{Position, Site, SiteKind, SiteTable};

/// Shared by everything that makes code for one module.
pub struct Context {
    pub module: Module,
    pub i32: Type,
    pub i64: Type,
    pub ptr: Type,
    thread: Value,
    /// [`abi::TEXT`].
    pub text: Value,
    entries: FxHashMap<&'static str, (Value, Type)>,
    pub table: SiteTable,
    known_sites: FxHashMap<(Location, String), u32>,
    /// Functions that look at the labels of their parameters.
    pub takers: FxHashSet<Value>,
    /// Functions that another one may jump to in place of a call.
    pub tail_targets: FxHashSet<Value>,
    /// Functions whose results are addresses that depend on input often.
    pub lookups: Rc<FxHashSet<Value>>,
}

impl Context {
    pub fn new(module: Module) -> Context {
        let slots = module.array(module.int(8), size_of::<ThreadSlots>() as u64);
        let thread = module.add_global("__provoke_thread", slots, None);
        thread.set_thread_local();
        let text = module.add_global(abi::TEXT, module.array(module.int(64), 2), None);
        text.set_hidden();
        let mut context = Context {
            module,
            i32: module.int(32),
            i64: module.int(64),
            ptr: module.ptr(),
            thread,
            text,
            entries: FxHashMap::default(),
            table: SiteTable { sites: vec![Site::default()], ..SiteTable::default() },
            known_sites: FxHashMap::default(),
            takers: FxHashSet::default(),
            tail_targets: FxHashSet::default(),
            lookups: Rc::default(),
        };
        for entry in abi::ENTRIES {
            let ty = |abi: &Abi| match abi {
                Abi::Void => module.void(),
                Abi::I32 => context.i32,
                Abi::I64 => context.i64,
                Abi::Ptr => context.ptr,
            };
            let parameters: Vec<Type> = entry.parameters.iter().map(ty).collect();
            let ty = module.function_type(ty(&entry.result), &parameters);
            let function = module.function(entry.name).unwrap_or_else(|| module.add_function(entry.name, ty));
            function.add_attributes(module, &["nounwind"]);
            context.entries.insert(entry.name, (function, ty));
        }
        context
    }

    /// Calls an entry point of the runtime.
    pub fn call(&self, builder: &Builder, entry: Entry, arguments: &[Value]) -> Value {
        let (function, ty) = self.entries[entry.name];
        builder.call(ty, function, arguments)
    }

    /// `width` bits of the summary, `offset` bytes behind the byte for an address, as a 64-bit number.
    pub fn summary(&self, builder: &Builder, address: Value, width: u32, offset: u64) -> Value {
        let place = builder.lshr(address, self.i64.constant(u64::from(abi::SUMMARY_SHIFT)));
        let place = builder.add(place, self.i64.constant(abi::SUMMARY_BASE + offset));
        let load = builder.load(self.module.int(width), builder.int_to_ptr(place, self.ptr));
        load.set_alignment(1);
        builder.resize(load, self.i64)
    }

    pub fn label(&self, label: u32) -> Value {
        self.i32.constant(u64::from(label))
    }

    /// Address of a field of the thread's slots.
    pub fn thread_field(&self, builder: &Builder, offset: usize) -> Value {
        builder.offset(self.module, self.thread, offset as u64)
    }

    pub fn argument_slot(&self, builder: &Builder, index: usize) -> Value {
        self.thread_field(builder, offset_of!(ThreadSlots, arguments) + 4 * index)
    }

    pub fn result_slot(&self, builder: &Builder, index: usize) -> Value {
        self.thread_field(builder, offset_of!(ThreadSlots, results) + 4 * index)
    }

    /// Number of the site of an instruction.
    pub fn site(&mut self, instruction: Value, kind: SiteKind) -> u32 {
        let location = nearest_location(instruction);
        if location.is_empty() {
            return if instruction.function().has_mark(MODEL) { abi::CALLERS_SITE } else { 0 };
        }
        let key = (location, format!("{kind:?}"));
        if let Some(known) = self.known_sites.get(&key) {
            return *known;
        }
        let positions = key.0.iter().cloned().map(position);
        let number = self.table.sites.len() as u32;
        self.table.sites.push(Site { positions: positions.collect(), kind });
        self.known_sites.insert(key, number);
        number
    }

    /// Number of the name of a variable that is a region.
    pub fn region(&mut self, name: String) -> u64 {
        self.table.regions.push(name);
        self.table.regions.len() as u64 - 1
    }
}

/// A source position out of one step of a location.
pub fn position((file, line, column, function): (String, u32, u32, String)) -> Position {
    // Bare "./" comes from how the build system spells paths and tells nobody anything.
    let file = file.strip_prefix("./").map(str::to_owned).unwrap_or(file);
    Position { file, line, column, function }
}

/// Where an instruction stands. Optimisation takes the place away from branches that it makes out of several: then where
/// their condition was computed, or what comes before, or else the function.
fn nearest_location(instruction: Value) -> Location {
    let operand = instruction.operands().first().copied().filter(|o| o.is_instruction());
    let before = std::iter::successors(instruction.previous(), |i| i.previous());
    let candidates = std::iter::once(instruction).chain(operand).chain(before);
    let found = candidates.map(Value::location).find(|l| l.first().is_some_and(|(_, line, ..)| *line != 0));
    found.unwrap_or_else(|| instruction.function().start())
}
