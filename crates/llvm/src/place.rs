//! Places in the source.

use super::{Value, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::ffi::c_char;

unsafe extern "C" {
    fn provoke_location_function(location: LLVMMetadataRef, length: *mut usize) -> *const c_char;
}

/// The kind of metadata that says where something comes from.
const DBG: &str = "dbg";

/// Where an instruction stands in the source, innermost first: file, line, column, function.
pub type Location = Vec<(String, u32, u32, String)>;

impl Value {
    /// Where a function starts.
    pub fn start(self) -> Location {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return Vec::new();
            }
            vec![(file_of(subprogram), LLVMDISubprogramGetLine(subprogram), 0, self.name())]
        }
    }

    /// Where a global variable is declared.
    pub fn declaration(self) -> Location {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let kind = LLVMGetMDKindID(DBG.as_ptr().cast(), DBG.len() as u32);
            let at = (0..count as u32).find(|at| LLVMValueMetadataEntriesGetKind(entries, *at) == kind);
            let variable = at
                .map(|at| LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(entries, at)));
            LLVMDisposeValueMetadataEntries(entries);
            let Some(variable) = variable.filter(|variable| !variable.is_null()) else { return Vec::new() };
            vec![(filename(LLVMDIVariableGetFile(variable)), LLVMDIVariableGetLine(variable), 0, String::new())]
        }
    }

    pub fn location(self) -> Location {
        self.place().map(Place::location).unwrap_or_default()
    }

    pub fn place(self) -> Option<Place> {
        Place::new(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }
}

/// A place in the source, as debug information has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place(pub(super) LLVMMetadataRef);

impl Place {
    /// Nothing where it is not known.
    pub fn new(location: LLVMMetadataRef) -> Option<Place> {
        (!location.is_null()).then_some(Place(location))
    }

    pub fn location(self) -> Location {
        let mut all = Vec::new();
        unsafe {
            let mut at = self.0;
            while !at.is_null() {
                let mut length = 0;
                let function = provoke_location_function(at, &mut length);
                let function = text(function, length);
                let name = file_of(LLVMDILocationGetScope(at));
                all.push((name, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at), function));
                at = LLVMDILocationGetInlinedAt(at);
            }
        }
        all
    }
}

/// The file that a scope of the source lies in.
fn file_of(scope: LLVMMetadataRef) -> String {
    filename(unsafe { LLVMDIScopeGetFile(scope) })
}

fn filename(file: LLVMMetadataRef) -> String {
    let mut length = 0u32;
    if file.is_null() {
        String::new()
    } else {
        unsafe { text(LLVMDIFileGetFilename(file, &mut length), length as usize) }
    }
}
