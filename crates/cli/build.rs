//! Takes note of the version of LLVM that is linked in.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = std::env::var_os("LLVM_SYS_191_PREFIX").map(PathBuf::from).unwrap_or_default();
    let output = Command::new(prefix.join("bin/llvm-config")).arg("--version").output();
    let version = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let version = version.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| "19".to_owned());
    println!("cargo:rustc-env=PROVOKE_LLVM_VERSION={}", version.trim());
}
