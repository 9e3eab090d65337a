//! Passes the versions of the crates that Cargo.lock links on to the program, for its handshake.

use std::{env, fs, path::Path};

const REPORTED: [(&str, &str); 3] = [
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
        println!("cargo:rustc-env={variable}={}", only_version(&lock, package));
    }
    // The harness says with the suffix that something else than a published version is built, or not in the usual way.
    println!("cargo:rerun-if-env-changed={SUFFIX}");
    let suffix = env::var(SUFFIX).unwrap_or_default();
    println!("cargo:rustc-env=KONA_DERIVE_VERSION={}{suffix}", only_version(&lock, "kona-derive"));
    for (variable, packages) in RENAMED {
        let (package, version) = packages
            .iter()
            .find_map(|package| Some((package, locked_version(&lock, package)?)))
            .unwrap_or_else(|| panic!("Cargo.lock must hold one of {packages:?}"));
        println!("cargo:rustc-env={variable}={package} {version}");
    }
}

/// Set by the harness.
const SUFFIX: &str = "HOLODIFF_VERSION_SUFFIX";

/// Packages that had other names in other versions of kona, newest first.
const RENAMED: [(&str, [&str; 3]); 2] = [
    ("PROTOCOL_PACKAGE", ["kona-protocol", "maili-protocol", "op-alloy-protocol"]),
    ("GENESIS_PACKAGE", ["kona-genesis", "maili-genesis", "op-alloy-genesis"]),
];

fn only_version<'a>(lock: &'a str, package: &str) -> &'a str {
    locked_version(lock, package).unwrap_or_else(|| panic!("Cargo.lock must hold {package}"))
}

/// The version of `package` in the lock file, [`None`] without any.
///
/// Panics if more than one version is locked: with two of them the handshake could name the wrong one.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name_line = format!("name = \"{package}\"");
    let mut entries = lock.split("[[package]]").filter(|entry| entry.lines().any(|line| line == name_line));
    let entry = entries.next()?;
    assert!(entries.next().is_none(), "Cargo.lock must hold only one version of {package}");
    let version = entry.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Some(version.expect("a locked package has a version"))
}
