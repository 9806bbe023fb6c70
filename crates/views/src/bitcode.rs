//! LLVM modules: reading, linking, optimising, generating code.
#![allow(clippy::undocumented_unsafe_blocks, reason = "every call passes handles that `Bitcode` owns")]

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use llvm_sys::transforms::pass_builder::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::null_mut;
use std::sync::Once;

/// What can go wrong with bitcode.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It can't be read.
    #[error("{module}: not readable as LLVM 19 bitcode ({reason}); was it built by another version of provoke cc?")]
    Read {
        /// Source file of the module.
        module: String,
        /// What LLVM says.
        reason: String,
    },
    /// Two modules don't fit together.
    #[error("linking the bitcode of {module} failed: {reason}")]
    Link {
        /// The module that did not fit.
        module: String,
        /// What LLVM says.
        reason: String,
    },
    /// The user's models don't fit the program.
    #[error(
        "the models in {files} do not go with the program: {reason}\n\
             A file of models has models and what they need, with names of its own or `static`; it is no part of the program"
    )]
    Models {
        /// The files.
        files: String,
        /// What LLVM says.
        reason: String,
    },
    /// A later step failed; always an internal error.
    #[error("internal error while {step}: {reason}")]
    Internal {
        /// What was being done.
        step: &'static str,
        /// What LLVM says.
        reason: String,
    },
}

/// How much time code generation may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// As for a program that is compiled with optimisation.
    Usual,
    /// As little as possible.
    Little,
}

/// A whole program as one module.
pub struct Bitcode {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    machine: LLVMTargetMachineRef,
}

impl Drop for Bitcode {
    fn drop(&mut self) {
        unsafe {
            if !self.machine.is_null() {
                LLVMDisposeTargetMachine(self.machine);
            }
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// Takes over a message of LLVM's.
fn message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}

/// Takes over an error of LLVM's.
fn check(step: &'static str, error: LLVMErrorRef) -> Result<(), Error> {
    if error.is_null() {
        return Ok(());
    }
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let reason = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Err(Error::Internal { step, reason })
    }
}

/// Keeps the last error that LLVM reports by its callback.
unsafe fn keep_diagnostic(diagnostic: LLVMDiagnosticInfoRef, kept: *mut c_void) {
    unsafe {
        if LLVMGetDiagInfoSeverity(diagnostic) == llvm_sys::LLVMDiagnosticSeverity::LLVMDSError {
            *kept.cast::<String>() = message(LLVMGetDiagInfoDescription(diagnostic));
        }
    }
}

impl Bitcode {
    /// Reads modules, given as name and contents, and links them into one. `prepare` gets each before, with its number.
    pub fn link<'a>(
        modules: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        prepare: impl Fn(usize, LLVMModuleRef),
    ) -> Result<Bitcode, Error> {
        static TARGET: Once = Once::new();
        TARGET.call_once(|| unsafe {
            LLVMInstallFatalErrorHandler(Some(end_as_panic));
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
        });
        let context = unsafe { LLVMContextCreate() };
        let mut whole = Bitcode { context, module: null_mut(), machine: null_mut() };
        let mut diagnostic = Box::new(String::new());
        unsafe {
            LLVMContextSetDiagnosticHandler(context, Some(keep_diagnostic_safely), (&raw mut *diagnostic).cast())
        };
        for (number, (name, bytes)) in modules.into_iter().enumerate() {
            let module = whole.read(name, bytes, &mut diagnostic)?;
            prepare(number, module);
            if whole.module.is_null() {
                whole.module = module;
            } else if unsafe { LLVMLinkModules2(whole.module, module) } != 0 {
                return Err(Error::Link { module: name.to_owned(), reason: std::mem::take(&mut *diagnostic) });
            }
        }
        unsafe { LLVMContextSetDiagnosticHandler(context, None, null_mut()) };
        if whole.module.is_null() {
            return Err(Error::Internal { step: "linking bitcode", reason: "there is none".into() });
        }
        Ok(whole)
    }

    /// Adds modules, given as name and contents, from which only that is taken which is used. `prepare` gets this module and
    /// the others, linked into one.
    pub fn link_used<'a>(
        &mut self,
        modules: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        prepare: impl FnOnce(LLVMModuleRef, LLVMModuleRef),
    ) -> Result<(), Error> {
        let mut diagnostic = Box::new(String::new());
        let kept: *mut String = &raw mut *diagnostic;
        unsafe { LLVMContextSetDiagnosticHandler(self.context, Some(keep_diagnostic_safely), kept.cast()) };
        let mut others: LLVMModuleRef = null_mut();
        let mut result = Ok(());
        for (name, bytes) in modules {
            let module = self.read(name, bytes, &mut diagnostic)?;
            if others.is_null() {
                others = module;
            } else if unsafe { LLVMLinkModules2(others, module) } != 0 {
                result = Err(Error::Link { module: name.to_owned(), reason: std::mem::take(&mut *diagnostic) });
            }
        }
        if !others.is_null() && result.is_ok() {
            prepare(self.module, others);
            if unsafe { LLVMLinkModules2(self.module, others) } != 0 {
                let reason = std::mem::take(&mut *diagnostic);
                result = Err(Error::Internal { step: "linking models of library functions", reason });
            }
        }
        unsafe { LLVMContextSetDiagnosticHandler(self.context, None, null_mut()) };
        result
    }

    fn read(&self, name: &str, bytes: &[u8], diagnostic: &mut String) -> Result<LLVMModuleRef, Error> {
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c"".as_ptr());
            let mut module = null_mut();
            let failed = LLVMParseBitcodeInContext2(self.context, buffer, &mut module) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed {
                return Err(Error::Read { module: name.to_owned(), reason: std::mem::take(diagnostic) });
            }
            llvm::Module::new(module).relax_flags();
            Ok(module)
        }
    }

    /// The machine that code is generated for: a plain x86-64, as clang's default is.
    fn machine(&mut self, effort: Effort) -> Result<LLVMTargetMachineRef, Error> {
        if self.machine.is_null() {
            unsafe {
                let triple = LLVMGetTarget(self.module);
                let (mut target, mut error) = (null_mut(), null_mut());
                if LLVMGetTargetFromTriple(triple, &mut target, &mut error) != 0 {
                    return Err(Error::Internal { step: "looking for the target", reason: message(error) });
                }
                let level = match effort {
                    Effort::Usual => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                    Effort::Little => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
                };
                self.machine = LLVMCreateTargetMachine(
                    target,
                    triple,
                    c"x86-64".as_ptr(),
                    c"".as_ptr(),
                    level,
                    LLVMRelocMode::LLVMRelocPIC,
                    LLVMCodeModel::LLVMCodeModelDefault,
                );
            }
        }
        Ok(self.machine)
    }

    /// Runs passes, named as `opt -passes=` names them. Loops are not vectorised: a label belongs to one scalar.
    pub fn run_passes(&mut self, passes: &str, step: &'static str) -> Result<(), Error> {
        let machine = self.machine(Effort::Usual)?;
        let passes = CString::new(passes).map_err(|e| Error::Internal { step, reason: e.to_string() })?;
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
            LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
            LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
            let error = LLVMRunPasses(self.module, passes.as_ptr(), machine, options);
            LLVMDisposePassBuilderOptions(options);
            check(step, error)
        }
    }

    /// Checks that the module is what LLVM takes as correct.
    pub fn verify(&self, step: &'static str) -> Result<(), Error> {
        let mut error = null_mut();
        unsafe {
            let failed =
                LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut error) != 0;
            let reason = message(error);
            if failed { Err(Error::Internal { step, reason }) } else { Ok(()) }
        }
    }

    /// Takes over a module of the same context.
    pub fn adopt(&self, module: LLVMModuleRef) -> Adopted<'_> {
        Adopted { module, _context: self }
    }

    /// The module itself.
    pub fn module(&self) -> LLVMModuleRef {
        self.module
    }

    /// Gives an attribute without a value to every function that has code.
    pub fn add_function_attribute(&mut self, name: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                if LLVMIsDeclaration(function) == 0 {
                    LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
                }
                function = LLVMGetNextFunction(function);
            }
        }
    }

    /// Gives a string attribute to every function that has code.
    pub fn set_function_attribute(&mut self, name: &str, value: &str) {
        unsafe {
            let lengths = (name.len() as u32, value.len() as u32);
            let (name, value) = (name.as_ptr().cast(), value.as_ptr().cast());
            let attribute = LLVMCreateStringAttribute(self.context, name, lengths.0, value, lengths.1);
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                if LLVMIsDeclaration(function) == 0 {
                    LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
                }
                function = LLVMGetNextFunction(function);
            }
        }
    }

    /// Generates an object file, in memory: where LLVM cannot write a file, it ends the process.
    pub fn object(&mut self, effort: Effort) -> Result<Vec<u8>, Error> {
        let step = "generating code";
        let machine = self.machine(effort)?;
        let (mut error, mut buffer) = (null_mut(), null_mut());
        let kind = LLVMCodeGenFileType::LLVMObjectFile;
        // Assembler code that is wrong is told in this way alone, and ends the process if nobody listens.
        let mut diagnostic = Box::new(String::new());
        let kept: *mut String = &raw mut *diagnostic;
        let failed = unsafe {
            LLVMContextSetDiagnosticHandler(self.context, Some(keep_diagnostic_safely), kept.cast());
            let failed = LLVMTargetMachineEmitToMemoryBuffer(machine, self.module, kind, &mut error, &mut buffer) != 0;
            LLVMContextSetDiagnosticHandler(self.context, None, null_mut());
            failed
        };
        if failed {
            return Err(Error::Internal { step, reason: message(error) });
        }
        let object = contents(buffer);
        if diagnostic.is_empty() { Ok(object) } else { Err(Error::Internal { step, reason: *diagnostic }) }
    }
}

/// A module that lives in the context of another one.
pub struct Adopted<'a> {
    module: LLVMModuleRef,
    _context: &'a Bitcode,
}

impl Drop for Adopted<'_> {
    fn drop(&mut self) {
        unsafe { LLVMDisposeModule(self.module) }
    }
}

impl Adopted<'_> {
    /// Its bitcode: what another thread, with another context, can read.
    pub fn serialised(self) -> Vec<u8> {
        contents(unsafe { LLVMWriteBitcodeToMemoryBuffer(self.module) })
    }
}

/// Takes over a buffer of LLVM's.
fn contents(buffer: LLVMMemoryBufferRef) -> Vec<u8> {
    unsafe {
        let start = LLVMGetBufferStart(buffer).cast::<u8>();
        let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
        LLVMDisposeMemoryBuffer(buffer);
        bytes
    }
}

/// What LLVM cannot go on with is a bug of ours, as a panic is. LLVM by itself would end the process as if something had been found.
extern "C" fn end_as_panic(reason: *const c_char) {
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    panic!("LLVM cannot go on: {reason}");
}

extern "C" fn keep_diagnostic_safely(diagnostic: LLVMDiagnosticInfoRef, kept: *mut c_void) {
    unsafe { keep_diagnostic(diagnostic, kept) }
}
