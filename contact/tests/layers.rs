//! Complementarity (problems, solvers, friction, impact laws) knows nothing of mechanisms.

use std::path::{Path, PathBuf};

/// The rooms of complementarity, and what they stand on; the one error type of the crate, which carries those of mechanisms, is none.
const ROOMS: [&str; 11] = [
    "problem",
    "solver",
    "friction",
    "law",
    "dense",
    "ordering.rs",
    "surface.rs",
    "residual.rs",
    "scaling.rs",
    "solution.rs",
    "budget.rs",
];
/// What they may not name: crates and modules that know bodies, joints, time or shapes.
const FOREIGN: [&str; 12] = [
    "fourbar_multibody",
    "fourbar_lti",
    "configuration",
    "event",
    "impact",
    "model",
    "pair",
    "projection",
    "scene_scales",
    "shape",
    "stepping",
    "unilateral",
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            sources(&entry.expect("an entry").path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

/// The modules of this crate and the other crates that a line of code names by path.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)))
        .filter(|word| word.contains("::"))
        .flat_map(|path| path.strip_prefix("crate::").unwrap_or(path).split("::").next())
}

#[test]
fn complementarity_knows_no_mechanism() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    ROOMS.iter().for_each(|room| sources(&root.join(room), &mut files));
    assert!(files.len() > 40, "{} files", files.len());
    let mut foreign = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for (number, line) in text.lines().enumerate() {
            if named(line).any(|module| FOREIGN.contains(&module)) {
                foreign.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(foreign.is_empty(), "{foreign:#?}");
}
