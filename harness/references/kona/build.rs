//! Passes the versions of the crates that Cargo.lock links on to the program, for its handshake.

use std::{env, fs, path::Path};

const REPORTED: [(&str, &str); 4] = [
    ("KONA_DERIVE_VERSION", "kona-derive"),
    ("MINIZ_OXIDE_VERSION", "miniz_oxide"),
    ("BROTLI_VERSION", "brotli"),
    ("BROTLI_DECOMPRESSOR_VERSION", "brotli-decompressor"),
];

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets the folder of the manifest");
    let lock_path = Path::new(&folder).join("Cargo.lock");
    println!("cargo:rerun-if-changed={}", lock_path.display());
    let lock = fs::read_to_string(&lock_path).expect("Cargo.lock is part of the package");
    for (variable, package) in REPORTED {
        println!("cargo:rustc-env={variable}={}", locked_version(&lock, package));
    }
}

/// The version of `package` in the lock file.
///
/// Panics unless exactly one version is locked: with two of them the handshake could name the wrong one.
fn locked_version<'a>(lock: &'a str, package: &str) -> &'a str {
    let name_line = format!("name = \"{package}\"");
    let mut entries = lock.split("[[package]]").filter(|entry| entry.lines().any(|line| line == name_line));
    match (entries.next(), entries.next()) {
        (Some(entry), None) => entry
            .lines()
            .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
            .expect("a locked package has a version"),
        _ => panic!("Cargo.lock must hold exactly one version of {package}"),
    }
}
