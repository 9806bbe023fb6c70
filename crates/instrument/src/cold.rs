//! The cold function of a segment: it computes the segment's labels when one can be there.
//!
//! It is built as the body of a function without parameters in which loads from address 0 stand for the values that it
//! takes from the hot code. Only when the whole body is there is it known which values those are; then the body moves
//! into a function with the right parameters.
//!
//! The *entry* block receives the concrete values: pure instructions of the segment are computed again from their
//! inputs, so that the hot code does not have to keep every intermediate value until the segment ends. The *body*
//! computes labels.

use crate::context::Context;
use crate::plan::{Plan, Slots};
use crate::rules::floats;
use llvm::{Block, Builder, Kind, Opcode, Value};
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use trace::abi;
use trace::layout::Reason;
use trace::op::Op;
use trace::sites::SiteKind;

/// String attribute of all cold functions.
pub const MARK: &CStr = c"provoke-cold";

/// What decides which instructions and registers a function may use.
const TARGET_ATTRIBUTES: &[&str] =
    &["target-cpu", "target-features", "tune-cpu", "min-legal-vector-width", "prefer-vector-width"];

/// Whether a value means the same in another function.
fn is_known_everywhere(value: Value) -> bool {
    value.is_constant() && !value.is_block_address()
}

/// A label as a value of type i32; `None` is the constant 0.
pub type Label = Option<Value>;

/// A finished cold function.
pub struct Finished {
    pub function: Value,
    /// What the hot code passes, after the slots and the mask.
    pub inputs: Vec<Value>,
    /// Bits of the mask that make the call necessary.
    pub bits: u64,
}

/// Makes a cold function.
pub struct Cold<'a> {
    pub cx: &'a mut Context,
    pub plan: &'a Plan,
    segment: usize,
    draft: Value,
    entry: Builder,
    pub body: Builder,
    body_block: Block,
    /// Values of the hot code and what stands for them here.
    inputs: Vec<(Value, Value)>,
    copies: FxHashMap<Value, Value>,
    labels: FxHashMap<Value, Vec<Label>>,
    slots: Value,
    mask: Value,
    bits: u64,
    writes: Vec<Write>,
    /// Whether the function does anything but compute labels.
    effects: bool,
}

struct Write {
    slots: Slots,
    labels: Vec<Label>,
    /// Whether the value has other slots under the same bit that this one says nothing about.
    partial: bool,
}

impl<'a> Cold<'a> {
    pub fn new(cx: &'a mut Context, plan: &'a Plan, segment: usize) -> Cold<'a> {
        let module = cx.module;
        let draft = module.add_function("provoke.draft", module.function_type(module.void(), &[]));
        let entry_block = module.append_block(draft, "entry");
        let body_block = module.append_block(draft, "body");
        let (entry, body) = (module.builder(), module.builder());
        entry.at_end(entry_block);
        body.at_end(body_block);
        let null = cx.ptr.zero();
        let slots = entry.load(cx.ptr, null);
        let mask = entry.load(module.int(plan.mask_width), null);
        Cold {
            cx,
            plan,
            segment,
            draft,
            entry,
            body,
            body_block,
            inputs: Vec::new(),
            copies: FxHashMap::default(),
            labels: FxHashMap::default(),
            slots,
            mask,
            bits: 0,
            writes: Vec::new(),
            effects: false,
        }
    }

    // Concrete values.

    /// The value as it is here.
    pub fn concrete(&mut self, value: Value) -> Value {
        if is_known_everywhere(value) || value.is_inline_asm() {
            return value;
        }
        let mut work = vec![value];
        while let Some(&top) = work.last() {
            if self.copies.contains_key(&top) {
                work.pop();
                continue;
            }
            if !self.is_recomputed(top) {
                let stand_in = self.entry.load(top.ty(), self.cx.ptr.zero());
                self.inputs.push((top, stand_in));
                self.copies.insert(top, stand_in);
                work.pop();
                continue;
            }
            let operands = top.operands();
            let missing: Vec<Value> =
                operands.iter().copied().filter(|o| !is_known_everywhere(*o) && !self.copies.contains_key(o)).collect();
            if !missing.is_empty() {
                work.extend(missing);
                continue;
            }
            let copy = top.clone_instruction();
            for (i, operand) in operands.into_iter().enumerate() {
                copy.set_operand(i as u32, self.copies.get(&operand).copied().unwrap_or(operand));
            }
            self.entry.insert(copy);
            self.copies.insert(top, copy);
            work.pop();
        }
        self.copies[&value]
    }

    /// Whether the instruction belongs to the segment and gives the same result when it is computed again.
    fn is_recomputed(&self, value: Value) -> bool {
        use Opcode::*;
        if !value.is_instruction() || !self.plan.is_defined_in(value, self.segment) {
            return false;
        }
        match value.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr
            | LLVMBitCast | LLVMGetElementPtr | LLVMSelect | LLVMExtractValue | LLVMInsertValue
            | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => true,
            _ if floats::is_float_instruction(value) => floats::is_repeatable(value),
            // Constant operands only: intrinsics are declared by name and need no argument of their own.
            LLVMCall => {
                matches!(crate::calls::classify(value), crate::calls::Callee::Intrinsic(n) if crate::calls::has_rule(&n))
            }
            _ => false,
        }
    }

    /// Scalar number `index` of a value that carries labels.
    pub fn leaf(&mut self, value: Value, index: usize) -> Value {
        let path = self.plan.leaves(value).get(index).map(|l| l.path.clone()).unwrap_or_default();
        let whole = self.concrete(value);
        self.descend(whole, &path)
    }

    /// The scalar at a path within a value that is known here.
    pub fn descend(&mut self, whole: Value, path: &[u32]) -> Value {
        path.iter().fold(whole, |part, step| match part.ty().kind() {
            Kind::LLVMVectorTypeKind => self.entry.extract_element(part, self.cx.i32.constant(u64::from(*step))),
            _ => self.entry.extract_value(part, *step),
        })
    }

    /// Bits of a scalar as an integer of its own width.
    pub fn integer(&mut self, scalar: Value) -> Value {
        let ty = scalar.ty();
        match ty.kind() {
            Kind::LLVMIntegerTypeKind => scalar,
            Kind::LLVMPointerTypeKind => self.entry.ptr_to_int(scalar, self.cx.i64),
            _ => {
                let width = crate::shape::scalar_width(ty).unwrap_or(64);
                self.entry.bitcast(scalar, self.cx.module.int(width))
            }
        }
    }

    /// The low 64 bits of a scalar.
    pub fn word(&mut self, scalar: Value) -> Value {
        let integer = self.integer(scalar);
        self.entry.resize(integer, self.cx.i64)
    }

    /// Builder for concrete computations; they are there wherever labels are computed.
    pub fn values(&self) -> &Builder {
        &self.entry
    }

    pub fn number(&self, value: u64) -> Value {
        self.cx.i64.constant(value)
    }

    // Labels.

    /// The labels of a value's scalars.
    pub fn labels(&mut self, value: Value) -> Vec<Label> {
        if !self.plan.carries(value) {
            let count = crate::shape::leaves(self.cx.module, value.ty()).len();
            return vec![None; count];
        }
        if let Some(known) = self.labels.get(&value) {
            return known.clone();
        }
        let count = self.plan.leaves(value).len();
        let labels = match self.plan.own.get(&value).copied() {
            Some(slots) if !self.plan.is_defined_in(value, self.segment) => self.read(slots, count),
            _ => vec![None; count],
        };
        self.labels.insert(value, labels.clone());
        labels
    }

    /// The label of a value that is one scalar.
    pub fn label(&mut self, value: Value) -> Label {
        self.labels(value).first().copied().flatten()
    }

    pub fn set(&mut self, value: Value, labels: Vec<Label>) {
        self.labels.insert(value, labels);
    }

    /// Reads labels from slots.
    pub fn read(&mut self, slots: Slots, count: usize) -> Vec<Label> {
        self.bits |= 1 << slots.bit;
        let mask_type = self.mask.ty();
        let valid = self.entry.and(self.mask, mask_type.constant(1 << slots.bit));
        let valid = self.entry.is_not_zero(valid);
        let read = |i: usize| {
            let at = self.entry.offset(self.cx.module, self.slots, 4 * (u64::from(slots.first) + i as u64));
            let label = self.entry.load(self.cx.i32, at);
            Some(self.entry.select(valid, label, self.cx.i32.constant(0)))
        };
        (0..count).map(read).collect()
    }

    /// Writes labels to slots when the segment ends.
    pub fn write(&mut self, slots: Slots, labels: Vec<Label>, partial: bool) {
        self.bits |= 1 << slots.bit;
        self.writes.push(Write { slots, labels, partial });
    }

    /// The label as a value.
    pub fn plain(&self, label: Label) -> Value {
        label.unwrap_or_else(|| self.cx.i32.constant(0))
    }

    /// A value that is not 0 exactly when one of the labels is not.
    pub fn any(&self, labels: &[Label]) -> Label {
        labels.iter().flatten().copied().reduce(|a, b| if a == b { a } else { self.body.or(a, b) })
    }

    /// Computes something only where `condition` is not 0; elsewhere the result is the label 0.
    pub fn when(&mut self, condition: Value, make: impl FnOnce(&mut Self) -> Value) -> Value {
        let module = self.cx.module;
        let (then, done) = (module.append_block(self.draft, ""), module.append_block(self.draft, ""));
        let from = self.body.block();
        let test = self.body.is_not_zero(condition);
        self.body.branch_if(test, then, done);
        self.body.at_end(then);
        let made = make(self);
        let end = self.body.block();
        self.body.branch(done);
        self.body.at_end(done);
        self.body.phi(self.cx.i32, &[(self.cx.i32.constant(0), from), (made, end)])
    }

    /// Does something only where `condition` is not 0.
    pub fn act_when(&mut self, condition: Value, act: impl FnOnce(&mut Self)) {
        self.effects = true;
        self.note_when(condition, act);
    }

    /// The same for what is no reason to have the function at all.
    pub fn note_when(&mut self, condition: Value, act: impl FnOnce(&mut Self)) {
        let module = self.cx.module;
        let (then, done) = (module.append_block(self.draft, ""), module.append_block(self.draft, ""));
        let test = self.body.is_not_zero(condition);
        self.body.branch_if(test, then, done);
        self.body.at_end(then);
        act(self);
        self.body.branch(done);
        self.body.at_end(done);
    }

    /// A place in the frame, so many bytes from the start of the slots.
    pub fn frame_place(&self, offset: u64) -> Value {
        self.body.offset(self.cx.module, self.slots, offset)
    }

    /// Calls the runtime for a label.
    pub fn build(&self, entry: abi::Entry, arguments: &[Value]) -> Value {
        self.cx.call(&self.body, entry, arguments)
    }

    /// Calls the runtime for what it does.
    pub fn act(&mut self, entry: abi::Entry, arguments: &[Value]) {
        self.effects = true;
        self.cx.call(&self.body, entry, arguments);
    }

    /// Writes what the program writes next.
    pub fn store_early(&mut self, scalar: Value, address: Value) {
        self.effects = true;
        self.body.store(scalar, address);
    }

    /// Makes the function necessary: what is built in it is also logged.
    pub fn notes(&mut self) {
        self.effects = true;
    }

    /// Whether labels are computed before the program comes to an instruction, which is the tail of the segment.
    pub fn is_before(&self, instruction: Value) -> bool {
        self.plan.segments.get(self.segment).is_some_and(|segment| segment.tail == instruction)
    }

    /// Operator and width as the runtime takes them.
    pub fn coded(&self, op: Op, width: u32) -> Value {
        self.cx.i32.constant(u64::from(op as u8) | u64::from(width) << 8)
    }

    /// The label of a binary operation on scalars; `width` is the operands'.
    pub fn binary(
        &mut self,
        op: Op,
        width: u32,
        (la, a): (Label, Value),
        (lb, b): (Label, Value),
        result: Value,
    ) -> Label {
        let any = self.any(&[la, lb])?;
        let (wa, wb, wr) = (self.word(a), self.word(b), self.word(result));
        let code = self.coded(op, width);
        if width <= 64 {
            return Some(self.when(any, |c| {
                let (la, lb) = (c.plain(la), c.plain(lb));
                c.build(abi::BINARY, &[code, la, lb, wa, wb, wr])
            }));
        }
        Some(self.when(any, |c| {
            let la = c.labelled(la, a);
            let lb = c.labelled(lb, b);
            c.build(abi::WIDE_BINARY, &[code, la, lb, wr])
        }))
    }

    /// The label of a scalar of any width, made for it if it has none.
    pub fn labelled(&mut self, label: Label, scalar: Value) -> Value {
        let integer = self.integer(scalar);
        let width = integer.ty().int_width();
        let padded = self.entry.resize(integer, self.cx.module.int(width.next_multiple_of(64)));
        let words = self.entry.alloca(padded.ty());
        self.entry.store(padded, words);
        let width = self.cx.i32.constant(u64::from(width));
        let Some(label) = label else { return self.build(abi::CONSTANT, &[width, words]) };
        let is_zero = self.body.eq(label, self.cx.i32.constant(0));
        let is_zero = self.body.resize(is_zero, self.cx.i32);
        let made = self.when(is_zero, |c| c.build(abi::CONSTANT, &[width, words]));
        self.body.or(label, made)
    }

    /// The label of a unary operation; `width` is the result's.
    pub fn unary(&mut self, op: Op, width: u32, label: Label, imm: u64, operand: Value, result: Value) -> Label {
        let label = label?;
        let (operand, result) = (self.word(operand), self.word(result));
        let (code, imm) = (self.coded(op, width), self.number(imm));
        Some(self.when(label, |c| c.build(abi::UNARY, &[code, label, imm, operand, result])))
    }

    /// The label of a choice between scalars.
    pub fn choice(
        &mut self,
        width: u32,
        (lc, condition): (Label, Value),
        (la, a): (Label, Value),
        (lb, b): (Label, Value),
    ) -> Label {
        let taken_arm = |c: &mut Self| {
            let (la, lb) = (c.plain(la), c.plain(lb));
            c.body.select(condition, la, lb)
        };
        let Some(lc) = lc else {
            self.any(&[la, lb])?;
            return Some(taken_arm(self));
        };
        let concrete = taken_arm(self);
        let (wa, wb) = (self.word(a), self.word(b));
        let width_value = self.cx.i32.constant(u64::from(width));
        let made = self.when(lc, |c| {
            let taken = c.body.resize(condition, c.cx.i32);
            let (la, lb) = if width > 64 { (c.labelled(la, a), c.labelled(lb, b)) } else { (c.plain(la), c.plain(lb)) };
            c.build(abi::ITE, &[width_value, lc, la, lb, wa, wb, taken])
        });
        let has_condition = self.body.is_not_zero(lc);
        Some(self.body.select(has_condition, made, concrete))
    }

    /// Makes a scalar concrete and says so.
    pub fn pin(&mut self, label: Label, scalar: Value, at: Value, reason: Reason) {
        let Some(label) = label else { return };
        let value = self.word(scalar);
        let site = self.site(at, SiteKind::Other);
        let reason = self.cx.i32.constant(reason as u64);
        self.act_when(label, |c| c.act(abi::PIN, &[label, site, reason, value]));
    }

    /// Makes all scalars of a value concrete.
    pub fn pin_all(&mut self, value: Value, at: Value, reason: Reason) {
        for (i, label) in self.labels(value).into_iter().enumerate() {
            if label.is_some() {
                let leaf = self.leaf(value, i);
                self.pin(label, leaf, at, reason);
            }
        }
    }

    /// Site of an instruction, as a value.
    pub fn site(&mut self, at: Value, kind: SiteKind) -> Value {
        let site = self.cx.site(at, kind);
        self.cx.label(site)
    }

    // The end.

    /// Completes the function, or drops it if it would do nothing.
    pub fn finish(mut self) -> Option<Finished> {
        if self.writes.is_empty() && !self.effects {
            self.entry.branch(self.body_block);
            self.body.ret(None);
            self.draft.delete_function();
            return None;
        }
        let mask = self.write_slots();
        self.body.ret(Some(mask));
        self.entry.branch(self.body_block);

        let module = self.cx.module;
        let mut parameters = vec![self.cx.ptr, self.mask.ty()];
        parameters.extend(self.inputs.iter().map(|(v, _)| v.ty()));
        let ty = module.function_type(self.mask.ty(), &parameters);
        let function = module.add_function(&format!("{}.labels", self.plan.function.name()), ty);
        function.set_internal();
        function.set_preserve_most();
        function.add_attributes(module, &["cold", "noinline", "nounwind"]);
        function.add_mark(module, MARK);
        // Both have to agree on how vectors are passed.
        function.copy_string_attributes(self.plan.function, TARGET_ATTRIBUTES);
        self.draft.move_body_to(function);
        let stand_ins = [self.slots, self.mask].into_iter().chain(self.inputs.iter().map(|(_, s)| *s));
        for (parameter, stand_in) in function.parameters().into_iter().zip(stand_ins) {
            stand_in.replace_uses(parameter);
            stand_in.erase();
        }
        self.draft.delete_function();
        let inputs = self.inputs.iter().map(|(v, _)| *v).collect();
        Some(Finished { function, inputs, bits: self.bits })
    }

    /// Computes the new mask, and stores labels where it is not 0. Slots under a bit that is 0 hold 0, except while the
    /// whole mask is 0: then they hold anything, so that functions without labels never touch them.
    fn write_slots(&mut self) -> Value {
        if self.writes.is_empty() {
            return self.mask;
        }
        let writes = std::mem::take(&mut self.writes);
        let mask_type = self.mask.ty();
        let mut bits: Vec<u32> = writes.iter().map(|w| w.slots.bit).collect();
        bits.sort_unstable();
        bits.dedup();
        let mut mask = self.mask;
        for bit in bits {
            let of_bit = || writes.iter().filter(|w| w.slots.bit == bit);
            let labels: Vec<Label> = of_bit().flat_map(|w| w.labels.iter().copied()).collect();
            if self.plan.is_exclusive(bit) && of_bit().any(|w| !w.partial) {
                mask = self.body.and(mask, mask_type.constant(!(1 << bit)));
            }
            if let Some(any) = self.any(&labels) {
                let set = self.body.is_not_zero(any);
                let set = self.body.select(set, mask_type.constant(1 << bit), mask_type.constant(0));
                mask = self.body.or(mask, set);
            }
        }
        let module = self.cx.module;
        let blocks: [Block; 4] = std::array::from_fn(|_| module.append_block(self.draft, ""));
        let [dirty, clear, store, done] = blocks;
        let test = self.body.is_not_zero(mask);
        self.body.branch_if(test, dirty, done);
        self.body.at_end(dirty);
        let was_dirty = self.body.is_not_zero(self.mask);
        self.body.branch_if(was_dirty, store, clear);
        self.body.at_end(clear);
        self.body.memset_zero(module, self.slots, 4 * u64::from(self.plan.slot_count));
        self.body.branch(store);
        self.body.at_end(store);
        for write in &writes {
            for (i, label) in write.labels.iter().enumerate() {
                let at = self.body.offset(module, self.slots, 4 * (u64::from(write.slots.first) + i as u64));
                self.body.store(self.plain(*label), at);
            }
        }
        self.body.branch(done);
        self.body.at_end(done);
        mask
    }
}
