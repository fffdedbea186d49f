//! Every number in the solvers that decides something has its reason beside it, and stands in docs/constants.md: `UPDATE_CONSTANTS=1` rewrites
//! that page.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose constants are listed, with the folders of their sources.
const CRATES: [(&str, &str); 9] = [
    ("linalg", "linalg/src"),
    ("lti", "lti/src"),
    ("expression", "expression/src"),
    ("dae", "dae/src"),
    ("multibody", "multibody/src"),
    ("contact", "contact/src"),
    ("hydraulics", "hydraulics/src"),
    ("coupling", "coupling/src"),
    ("fourbar", "src"),
];

/// Equations of problems to compare solvers on: their numbers are data, and decide nothing.
const DATA: &str = "accuracy/equations";

/// A named number: its value as written, the comment above it and its file.
struct Constant {
    name: String,
    value: String,
    reason: String,
    file: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Sources below `folder` in order, those of tests left out.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "tests" && !path.ends_with(DATA) {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The numbers of one file: `const NAME: f64 = ...` and their like, up to its unit tests.
fn constants(path: &Path) -> Vec<Constant> {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let file = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((_, definition)) = line.split_once("const ") else { continue };
        let Some((name, rest)) = definition.split_once(": ") else { continue };
        let Some((kind, value)) = rest.split_once(" = ") else { continue };
        let number = ["f64", "usize", "u16", "u32", "u64", "i32", "i64"].contains(&kind);
        let upper = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        // Those without a digit are others by another name.
        let digits = value.contains(|c: char| c.is_ascii_digit());
        if !number || !upper || !digits || !line.ends_with(';') {
            continue;
        }
        let above: Vec<&str> = lines[..index]
            .iter()
            .rev()
            // A comment holds for all that follow it without a break.
            .skip_while(|line| line.starts_with("#[") || line.contains("const "))
            .take_while(|line| line.starts_with("//"))
            .map(|line| line.trim_start_matches('/').trim())
            .collect();
        let reason = above.into_iter().rev().collect::<Vec<_>>().join(" ");
        found.push(Constant {
            name: name.into(),
            value: value.trim_end_matches(';').into(),
            reason,
            file: file.clone(),
        });
    }
    found
}

#[test]
fn every_constant_has_its_reason_and_its_row() {
    let mut page = String::from(
        "# Constants\n\nThe numbers in the solvers that decide something: limits, thresholds and safety factors. Each stands in its file with \
         its reason, from where this page is made: `UPDATE_CONSTANTS=1 cargo test --test all constants`. None has a unit of its own but where it \
         says so: lengths, masses and times come from the model.\n",
    );
    let mut bare = Vec::new();
    for (name, folder) in CRATES {
        let mut files = Vec::new();
        sources(&root().join(folder), &mut files);
        let all: Vec<Constant> = files.iter().flat_map(|file| constants(file)).collect();
        assert!(!all.is_empty(), "{name}");
        write!(page, "\n## {name}\n\n| constant | value | reason | file |\n|---|---|---|---|\n").unwrap();
        for Constant { name, value, reason, file } in all {
            if reason.is_empty() {
                bare.push(format!("{file}: {name} = {value}"));
            }
            let reason = reason.replace('|', "\\|");
            writeln!(page, "| `{name}` | `{value}` | {reason} | `{file}` |").unwrap();
        }
    }
    assert!(bare.is_empty(), "say above each of them why it has its value:\n{}", bare.join("\n"));
    let path = root().join("docs/constants.md");
    if std::env::var_os("UPDATE_CONSTANTS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        present == page,
        "docs/constants.md is not what the sources say: UPDATE_CONSTANTS=1 cargo test --test all constants"
    );
}
