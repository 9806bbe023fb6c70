//! Models of library functions that the user writes, in C.

use std::path::Path;

use crate::clang::Clang;
use crate::{Error, Language, header};

/// Compiles a file of models to bitcode.
pub(crate) fn compile(source: &Path) -> Result<Vec<u8>, Error> {
    let folder = tempfile::TempDir::with_prefix("provoke-").map_err(Error::temporary)?;
    let bitcode = folder.path().join("models.bc");
    let clang = Clang::find(Language::C)?;
    let mut command = clang.command();
    header::make_available(&mut command);
    // Without debug information: what happens in a model happens where it was called. Nothing is known about what library
    // functions do, or the compiler would make calls of them out of their own models.
    command.args(["-O1", "-Xclang", "-disable-llvm-passes", "-g0", "-fno-builtin", "-fPIC", "-c", "-emit-llvm", "-o"]);
    let output = command.arg(&bitcode).arg(source).output();
    let output = output.map_err(|source| Error::Start { program: clang.path().to_owned(), source })?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(Error::Compile { path: source.to_owned(), output });
    }
    std::fs::read(&bitcode).map_err(|source| Error::Read { path: bitcode.clone(), source })
}
