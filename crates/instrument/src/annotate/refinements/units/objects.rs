//! What a unit gets: its variables, and what pointers in them point to, a few steps far.

use super::identity::looks_at_pointer;
use llvm::Value;
use llvm::debug_info::{Shape, TypeRef, Variable};
use std::collections::VecDeque;
use trace::sites::{Leaf, UnitObject};
use trace::unit::{MOST_OBJECTS, Way};

/// How many pointers are followed one after the other.
const DEEPEST: u32 = 3;
/// How many elements of arrays of integers, and of arrays of anything else, are looked at.
const MOST_INTEGERS: u64 = 64;
const MOST_OTHERS: u64 = 4;
/// How many integers an object can have.
const MOST_LEAVES: usize = 256;
/// How many names of what is left out are kept.
const MOST_LEFT_OUT: usize = 32;
/// How deep structures are nested in each other.
const MOST_NESTED: u32 = 16;

/// How the runtime gets to an object, and what it finds there.
pub struct Planned {
    /// The variable to start from, or nothing for what is in another object.
    pub base: Option<Value>,
    pub way: Way,
    /// Bytes of an element.
    pub element: u64,
    /// How many are looked at.
    pub most: u64,
    /// Whether it may be a string.
    pub is_string: bool,
    /// Offset and size of each integer in an element.
    pub integers: Vec<(u64, u64)>,
    object: UnitObject,
}

/// The objects of a unit.
pub struct Objects {
    function: Value,
    planned: Vec<Planned>,
    left_out: Vec<String>,
}

/// A pointer that has not been followed yet.
struct Pending {
    base: Option<Value>,
    holder: Option<u8>,
    offset: u64,
    to: TypeRef,
    /// As the source writes the pointer.
    text: String,
    depth: u32,
    is_compared: bool,
}

/// What is found in an element of an object.
#[derive(Default)]
struct Contents {
    leaves: Vec<Leaf>,
    /// Pointers: where, to what, and as the source writes them.
    pointers: Vec<(u64, TypeRef, String)>,
}

/// How the source writes a structure.
#[derive(Clone)]
enum Written {
    /// `x`, with fields `x.f`.
    As(String),
    /// What `p` points to, with fields `p->f`.
    Behind(String),
}

impl Written {
    fn field(&self, name: &str) -> String {
        match self {
            Written::As(text) => format!("{text}.{name}"),
            Written::Behind(pointer) => format!("{pointer}->{name}"),
        }
    }

    fn whole(&self) -> String {
        match self {
            Written::As(text) => text.clone(),
            Written::Behind(pointer) => format!("{pointer}[0]"),
        }
    }
}

impl Objects {
    pub fn new(function: Value) -> Objects {
        Objects { function, planned: Vec::new(), left_out: Vec::new() }
    }

    /// Adds a variable, and what can be reached from it.
    pub fn add(&mut self, variable: &Variable) {
        let name = &variable.name;
        let mut contents = Contents::default();
        self.look(variable.whole, &Written::As(name.clone()), 0, &mut contents, 0);
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let is_pointer = matches!(variable.whole.shape(), Shape::Pointer(_));
        for (offset, to, text) in contents.pointers {
            let is_compared = is_pointer && looks_at_pointer(self.function, variable.address);
            pending.push_back(Pending {
                base: Some(variable.address),
                holder: None,
                offset,
                to,
                text,
                depth: 1,
                is_compared,
            });
        }
        let object = UnitObject { leaves: contents.leaves, ..UnitObject::default() };
        if !object.leaves.is_empty() {
            let integers = object.leaves.iter().map(|leaf| (leaf.offset, leaf.size)).collect();
            let way = Way { holder: None, offset: 0, follows: false };
            let element = variable.whole.bytes();
            let base = Some(variable.address);
            self.keep(Planned { base, way, element, most: 1, is_string: false, integers, object }, name);
        }
        while let Some(next) = pending.pop_front() {
            self.follow(next, &mut pending);
        }
    }

    /// Adds what a pointer points to.
    fn follow(&mut self, pointer: Pending, pending: &mut VecDeque<Pending>) {
        let Pending { base, holder, offset, to, text, depth, is_compared } = pointer;
        let shape = to.shape();
        let (is_integer, is_string) = match shape {
            Shape::Integer { is_character, .. } => (true, is_character),
            _ => (false, false),
        };
        let (element, Ok(offset)) = (to.bytes(), u32::try_from(offset)) else { return };
        if element == 0 || matches!(shape, Shape::Other | Shape::Structure { is_system: true }) {
            return self.leave_out(&format!("what {text} points to"));
        }
        let mut first = Contents::default();
        self.look(to, &Written::Behind(text.clone()), 0, &mut first, 0);
        let integers: Vec<(u64, u64)> = first.leaves.iter().map(|leaf| (leaf.offset, leaf.size)).collect();
        let most = if is_integer { MOST_INTEGERS } else { MOST_OTHERS };
        let mut leaves = first.leaves;
        let mut count = 1;
        let known = self.left_out.len();
        while count < most && !integers.is_empty() && leaves.len() + integers.len() <= MOST_LEAVES {
            let mut next = Contents::default();
            self.look(to, &Written::As(format!("{text}[{count}]")), 0, &mut next, 0);
            leaves.extend(next.leaves.into_iter().map(|leaf| Leaf { offset: leaf.offset + count * element, ..leaf }));
            count += 1;
        }
        // It is the same in all elements.
        self.left_out.truncate(known);
        let way = Way { holder, offset, follows: true };
        let object = UnitObject { pointer: text.clone(), holder: holder.map(u32::from), is_compared, leaves };
        let planned = Planned { base, way, element, most: count, is_string, integers, object };
        let Some(index) = self.keep(planned, &text) else { return };
        for (offset, to, text) in first.pointers {
            if depth == DEEPEST {
                self.leave_out(&format!("what {text} points to"));
                continue;
            }
            let (base, holder) = (None, Some(index));
            pending.push_back(Pending { base, holder, offset, to, text, depth: depth + 1, is_compared: false });
        }
    }

    /// The integers and pointers in something of a type.
    fn look(&mut self, ty: TypeRef, written: &Written, offset: u64, contents: &mut Contents, nested: u32) {
        if contents.leaves.len() >= MOST_LEAVES || nested > MOST_NESTED {
            return self.leave_out(&written.whole());
        }
        match ty.shape() {
            Shape::Integer { signed, .. } => match ty.bytes() {
                size @ (1 | 2 | 4 | 8) => contents.leaves.push(Leaf { name: written.whole(), offset, size, signed }),
                _ => self.leave_out(&written.whole()),
            },
            Shape::Pointer(to) => contents.pointers.push((offset, to, written.whole())),
            Shape::Structure { is_system: false } => {
                for field in ty.fields() {
                    let text = written.field(&field.name);
                    // A structure without a name lends its fields to the one that it is in.
                    let inner = if field.name.is_empty() { written.clone() } else { Written::As(text.clone()) };
                    match field.is_bit_field {
                        true => self.leave_out(&text),
                        false => self.look(field.ty, &inner, offset + field.offset, contents, nested + 1),
                    }
                }
            }
            Shape::Array(element, count) => {
                let is_integer = matches!(element.shape(), Shape::Integer { .. });
                let most = if is_integer { MOST_INTEGERS } else { MOST_OTHERS };
                let text = written.whole();
                for index in 0..count.min(most) {
                    let place = offset + index * element.bytes();
                    self.look(element, &Written::As(format!("{text}[{index}]")), place, contents, nested + 1);
                }
                if count > most {
                    self.leave_out(&format!("{text}[{most}] and what follows"));
                }
            }
            Shape::Structure { is_system: true } | Shape::Other => self.leave_out(&written.whole()),
        }
    }

    /// The index of the object, if there is room for it.
    fn keep(&mut self, planned: Planned, text: &str) -> Option<u8> {
        if self.planned.len() == MOST_OBJECTS {
            self.leave_out(text);
            return None;
        }
        let index = u8::try_from(self.planned.len()).ok()?;
        self.planned.push(planned);
        Some(index)
    }

    /// Says that something stays what it is in each test.
    pub fn leave_out(&mut self, text: &str) {
        if self.left_out.len() < MOST_LEFT_OUT && !self.left_out.iter().any(|known| known == text) {
            self.left_out.push(text.to_owned());
        }
    }

    pub fn planned(&self) -> &[Planned] {
        &self.planned
    }

    /// The objects as the engine sees them, and what is left out.
    pub fn finish(self) -> (Vec<UnitObject>, Vec<String>) {
        (self.planned.into_iter().map(|planned| planned.object).collect(), self.left_out)
    }
}
