//! Parts of programs that one of the analyses does not see through.

use crate::theorems::generate::{Generator, argument, int, pos};
use crate::types::Type;

impl Generator<'_> {
    /// Things that are right, but not for a type checker.
    pub(super) fn trick(&mut self, ty: &Type, depth: usize) -> String {
        let other = self.any_type();
        match self.choices.below(9) {
            0 => {
                let (yes, no) = (self.expr(ty, depth), self.expr(&other, depth));
                format!("(if true then {yes} else {no})")
            }
            1 => {
                let condition = self.expr(&Type::Bool, depth);
                let (yes, no) = (self.expr(ty, depth), self.expr(&other, depth));
                let (test, name) = (self.name(), self.name());
                let use_it = self.within(&name, ty.clone(), false, ty, depth);
                let instead = self.expr(ty, depth);
                format!(
                    "(let {test} = {condition} in let {name} = (if {test} then {yes} else {no}) in \
                     if {test} then {use_it} else {instead})"
                )
            }
            2 => {
                // A cell with a value of another type for a while.
                let cell = self.choices.pick(&[int(), pos(), Type::Bool]);
                let name = self.name();
                let reference = self.expr(&cell.clone().reference(), depth.min(1));
                let (wrong, right) = (self.leaf(&other), self.leaf(&cell));
                let between = match self.choices.below(4) {
                    0 => format!("(!{name} = {right})"),
                    _ => self.expr(&Type::Unit, depth.min(1)),
                };
                let rest = self.within(&name, cell.reference(), false, ty, depth);
                format!("(let {name} = {reference} in {name} := {wrong}; {between}; {name} := {right}; {rest})")
            }
            6 => {
                // Something else after more iterations than are followed.
                let (counter, limit) = (self.name(), 3 + self.choices.below(4));
                let (yes, no) = (self.expr(ty, depth), self.expr(&other, depth));
                format!(
                    "(var {counter} = 0 in while {counter} < a do {counter} <- {counter} + 1; \
                     if {counter} < {limit} then {yes} else {no})"
                )
            }
            8 => {
                // What was written is what is read.
                let name = self.name();
                let (first, second) = (self.leaf(&int()), self.leaf(&int()));
                let (yes, no) = (self.expr(ty, depth), self.expr(&other, depth));
                let value = self.choices.pick(&[&first, &second]).clone();
                format!("(let {name} = ref {first} in {name} := {second}; if !{name} = {value} then {yes} else {no})")
            }
            7 => {
                // New cells are different cells.
                let mut arms = [self.expr(ty, depth), self.expr(&other, depth)];
                if self.choices.below(2) == 0 {
                    arms.reverse();
                }
                let [yes, no] = arms;
                format!("(if ref {} = ref {} then {yes} else {no})", self.leaf(&int()), self.leaf(&int()))
            }
            3 => {
                let name = self.name();
                let first = self.leaf(&other);
                let value = self.expr(ty, depth);
                let rest = self.within(&name, ty.clone(), true, ty, depth);
                format!("(var {name} = {first} in {name} <- {value}; {rest})")
            }
            4 => {
                // The sign is known after a test.
                let number = self.expr(&int(), depth);
                let name = self.name();
                let positive = self.within(&name, pos(), false, ty, depth);
                let otherwise = self.expr(ty, depth);
                format!("(let {name} = {number} in if {name} > 0 then {positive} else {otherwise})")
            }
            _ => {
                // Called with two types.
                let (function, parameter) = (self.name(), self.name());
                let (first, second) = (argument(&self.leaf(&other)), argument(&self.expr(ty, depth)));
                format!("(let {function} = fun {parameter} -> {parameter} in {function} {first}; {function} {second})")
            }
        }
    }

    /// What blocks may and may not do to variables and cells of each other.
    pub(super) fn block_trick(&mut self, ty: &Type, depth: usize) -> String {
        let other = self.any_type();
        let name = self.name();
        let (first, second) = (self.leaf(&int()), self.leaf(&int()));
        let (yes, no) = (self.expr(ty, depth), self.expr(&other, depth));
        match self.choices.below(4) {
            0 => format!(
                "(var {name} = {first} in {{t {name} <- {second} t}}; if {name} = {first} then {yes} else {no})"
            ),
            1 => format!(
                "(let {name} = ref {first} in {{t {name} := {second} t}}; if !{name} = {first} then {yes} else {no})"
            ),
            2 => {
                let wrong = self.leaf(&other);
                let use_it = self.within(&name, int(), true, ty, depth);
                format!("(var {name} = {first} in {{s {name} <- {wrong} s}}; {name} = {second}; {use_it})")
            }
            _ => {
                let (wrong, read) = (self.leaf(&other), self.name());
                let use_it = self.within(&read, int(), false, &int(), depth);
                format!(
                    "(let {name} = ref {first} in {name} := {wrong}; {{t let {read} = !{name} in {use_it} t}}; \
                     {name} := {second}; {yes})"
                )
            }
        }
    }
}
