//! Which modules of its own crate the sources of a room name by path, for tests of the layers of a crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.file_stem().is_some_and(|stem| stem == "tests") {
        return;
    }
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| sources(&entry.unwrap().path(), found));
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_path_buf());
    }
}

fn first_word(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first words of the paths that follow a `crate::`: one, or each of a list in braces.
fn heads(rest: &str) -> Vec<String> {
    let Some(list) = rest.strip_prefix('{') else { return vec![first_word(rest)] };
    let (mut found, mut depth) = (vec![first_word(list)], 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => found.push(first_word(&list[at + 1..])),
            _ => {}
        }
    }
    found
}

/// Asserts that `room`, a module of the crate whose manifest lies in `folder`, names no others of its crate than `allowed`. Unit tests and
/// comments do not count.
pub(crate) fn rests_on(folder: &str, room: &str, allowed: &[&str]) {
    let source = Path::new(folder).join("src");
    let mut files = Vec::new();
    [source.join(room), source.join(format!("{room}.rs"))]
        .iter()
        .filter(|p| p.exists())
        .for_each(|p| sources(p, &mut files));
    assert!(!files.is_empty(), "there is no module {room} in {folder}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap()
            .lines()
            .map(|line| line.split("//").next().unwrap());
        let code = code.collect::<Vec<_>>().join("\n");
        let named: BTreeSet<String> =
            code.split("crate::").skip(1).flat_map(heads).filter(|head| !head.is_empty()).collect();
        let strangers: Vec<_> =
            named.iter().filter(|head| *head != room && !allowed.contains(&head.as_str())).collect();
        assert!(
            strangers.is_empty(),
            "{} names {strangers:?}, but {room} may rest on {allowed:?} alone",
            file.display()
        );
    }
}
