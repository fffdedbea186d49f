//! A test in a process of its own, where nothing else opens files or takes memory.

use std::path::{Path, PathBuf};
use std::process::Command;

const CHILD: &str = "FOURBAR_TEST_ALONE";

/// The folder that the process of its own was given, if this is one; else starts `test`, by its whole name, again as one and fails with it. Temporary
/// files of that lie in the folder `a/b/tmp` of its folder.
pub(crate) fn alone(test: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(CHILD) {
        return Some(PathBuf::from(folder));
    }
    let folder = crate::library::compile::unique("alone");
    let temporary = folder.join("a/b/tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(CHILD, &folder)
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    text.lines().filter_map(|line| line.find("measured: ").map(|at| &line[at..])).for_each(|line| println!("{line}"));
    std::fs::remove_dir_all(folder).unwrap();
    None
}

/// A number from the environment.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}
