//! Compiles the shim over the few parts of LLVM that its C interface leaves out.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let config =
        std::env::var("LLVM_SYS_191_PREFIX").map_or("llvm-config-19".into(), |p| format!("{p}/bin/llvm-config"));
    let output = Command::new(&config).arg("--includedir").output();
    let include = match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => panic!("{config} does not run: install llvm-19-dev (scripts/setup does)"),
    };
    cc::Build::new()
        .cpp(true)
        .files(["shim/shim.cpp", "shim/debug_info.cpp", "shim/loops.cpp"])
        .include(include)
        .std("c++17")
        .flag("-fno-rtti")
        // LLVM's own headers are not free of unused parameters.
        .warnings(false)
        .compile("provoke_shim");
}
