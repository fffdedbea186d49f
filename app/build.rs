//! Tells the program its commit, `FOURBAR_COMMIT`, for results that are compared with those of others. A build outside a checkout has none.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FOURBAR_COMMIT");
    // The reflog changes with each commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let given = std::env::var("FOURBAR_COMMIT").ok();
    if let Some(commit) = given.or_else(|| git(&["rev-parse", "--short=7", "HEAD"])) {
        println!("cargo::rustc-env=FOURBAR_COMMIT={commit}");
    }
}
