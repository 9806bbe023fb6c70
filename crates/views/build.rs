//! Builds the runtimes of views, which the crate carries inside, and fingerprints what views are made by.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let crates = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("..");
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut hasher = DefaultHasher::new();
    for folder in [
        "rt/src",
        "rt/Cargo.toml",
        "rt/Cargo.lock",
        "trace/src",
        "refine/src",
        "instrument/src",
        "instrument/shim",
        "views/src",
    ] {
        let path = crates.join(folder);
        println!("cargo:rerun-if-changed={}", path.display());
        fingerprint(&path, &mut hasher);
    }
    println!("cargo:rustc-env=PROVOKE_FINGERPRINT={:016x}", hasher.finish());

    compile::Build::new()
        .files(["src/replay/runtime.c", "src/replay/server.c"])
        // It is for other people's programs, not for this one.
        .cargo_metadata(false)
        .pic(true)
        .opt_level(2)
        .debug(false)
        .flags([
            "-ftls-model=initial-exec",
            "-fno-stack-protector",
            "-fno-omit-frame-pointer",
            "-fasynchronous-unwind-tables",
        ])
        .compile("provoke_replay");
    println!("cargo:rustc-env=PROVOKE_REPLAY_RUNTIME={}", out.join("libprovoke_replay.a").display());

    // With its own target directory: the outer cargo holds the lock of the usual one.
    let target = out.join("runtime");
    let mut cargo = Command::new(variable("CARGO"));
    cargo.args(["build", "--release", "--lib", "--locked", "--manifest-path"]).arg(crates.join("rt/Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    // Flags for the outer build (coverage, sanitizers) are not for code that lives in other people's programs.
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"] {
        cargo.env_remove(name);
    }
    match cargo.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("building the runtime failed ({status})"),
        Err(error) => panic!("cargo does not run: {error}"),
    }
    println!("cargo:rustc-env=PROVOKE_RUNTIME={}", target.join("release/librt.a").display());
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn fingerprint(path: &Path, hasher: &mut DefaultHasher) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            fingerprint(&path, hasher);
        }
    } else if let Ok(contents) = std::fs::read(path) {
        hasher.write(&contents);
    }
}
