//! What the documents say is so: paths exist, examples are read, the schema is that of the model.

mod schema;

use fourbar::file::ModelFile;
use fourbar::multibody::Mechanism;
use fourbar::sweep::{PlanFile, Sweep};
use schema::schema;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Markdown files of the project itself.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "out" {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Texts between `open` and the next `close`.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close).map(|(inner, _)| inner)).collect()
}

/// The code blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    between(text, &format!("```{language}\n"), "\n```")
}

/// Words in back quotes that are paths of the checkout: of known kinds of files, or folders with a slash at the end.
fn is_path(word: &str) -> bool {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let kinds = [".rs", ".md", ".toml", ".json", ".h", ".hpp"];
    plain
        && word.contains('/')
        && !word.starts_with('/')
        && (word.ends_with('/') || kinds.iter().any(|kind| word.ends_with(kind)))
}

#[test]
fn every_path_named_in_a_document_exists() {
    let mut found = Vec::new();
    documents(&root(), &mut found);
    let mut checked = 0;
    for document in found {
        let text = read(&document);
        let folder = document.parent().unwrap();
        let prose: String = text.split("```").step_by(2).collect();
        let links = between(&prose, "](", ")").into_iter().filter(|link| !link.contains("://"));
        for link in links.map(|link| link.split('#').next().unwrap_or_default()).filter(|link| !link.is_empty()) {
            assert!(folder.join(link).exists(), "{} links to {link}, which does not exist", document.display());
            checked += 1;
        }
        for line in prose.lines() {
            for word in line.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
                let exists = root().join(word).exists() || folder.join(word).exists();
                assert!(exists, "{} names {word}, which does not exist", document.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn headings_linked_within_the_reference_exist() {
    let text = read(&root().join("docs/model-format.md"));
    let heading = |line: &str| line.strip_prefix('#').map(|rest| rest.trim_matches(['#', ' ']).to_lowercase());
    let anchors: Vec<_> = text
        .lines()
        .filter_map(heading)
        .map(|title| title.replace(' ', "-").replace(|c: char| !c.is_alphanumeric() && c != '-', ""))
        .collect();
    let links = between(&text, "](#", ")");
    assert!(links.len() > 10);
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "no heading for #{link} in {anchors:?}");
    }
}

#[test]
fn the_examples_of_the_reference_are_read() {
    let text = read(&root().join("docs/model-format.md"));
    let examples = blocks(&text, "toml");
    assert!(examples.len() > 6);
    for example in &examples {
        if let Err(error) = ModelFile::parse("example", *example) {
            panic!("{error}");
        }
    }
    let complete = ModelFile::parse("example", examples[0]).unwrap();
    let mechanism = Mechanism::compile(&complete.document().mechanism().unwrap().model)
        .unwrap_or_else(|error| panic!("{}", complete.explain(error.into())));
    assert_eq!(mechanism.degrees_of_freedom(), 1);
}

/// Every field that the schema knows has its row in the reference.
#[test]
fn the_reference_names_every_field_and_word() {
    fn names(schema: &serde_json::Value, found: &mut Vec<String>) {
        match schema {
            serde_json::Value::Object(object) => {
                if let Some(serde_json::Value::Object(properties)) = object.get("properties") {
                    found.extend(properties.keys().cloned());
                }
                if let Some(serde_json::Value::String(word)) = object.get("const") {
                    found.push(word.clone());
                }
                if let Some(serde_json::Value::Array(words)) = object.get("enum") {
                    found.extend(words.iter().filter_map(|word| word.as_str().map(str::to_owned)));
                }
                object.values().for_each(|value| names(value, found));
            }
            serde_json::Value::Array(array) => array.iter().for_each(|value| names(value, found)),
            _ => {}
        }
    }
    let text = read(&root().join("docs/model-format.md"));
    let mut found = Vec::new();
    names(&schema(), &mut found);
    assert!(found.len() > 80);
    for name in found {
        let written = [format!("`{name}`"), format!("`\"{name}\"`"), format!("`[{name}]`"), format!("`[[{name}]]`")];
        let in_table = text.contains(&format!("{{ {name} = ")) || text.contains(&format!(", {name} = "));
        assert!(
            in_table || written.iter().any(|word| text.contains(word.as_str())),
            "the reference does not name {name}"
        );
    }
}

/// Every field in the tables of the reference is one that the schema knows.
#[test]
fn the_reference_names_no_field_that_is_not_there() {
    let text = read(&root().join("docs/model-format.md"));
    let mut known = BTreeSet::new();
    schema_names(&schema(), &mut known);
    let mut in_fields = false;
    let mut count = 0;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_fields = false;
        } else if line.starts_with("| field |") {
            in_fields = true;
        } else if in_fields {
            let cell = line.split('|').nth(1).unwrap();
            for name in cell.split('`').skip(1).step_by(2) {
                count += 1;
                assert!(known.contains(name.trim_matches(['[', ']'])), "no field is named {name}: {line}");
            }
        }
    }
    assert!(count > 150, "{count}");
}

fn schema_names(schema: &serde_json::Value, found: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(object) => {
            if let Some(serde_json::Value::Object(properties)) = object.get("properties") {
                found.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| schema_names(value, found));
        }
        serde_json::Value::Array(array) => array.iter().for_each(|value| schema_names(value, found)),
        _ => {}
    }
}

#[test]
fn the_plans_of_the_guide_and_the_examples_are_read() {
    let text = read(&root().join("docs/sweeps.md"));
    let guide = blocks(&text, "toml");
    assert!(guide.len() >= 2);
    let name = root().join("docs/plan.toml").display().to_string();
    let examples = std::fs::read_dir(root().join("examples/sweeps")).unwrap().map(|entry| entry.unwrap().path());
    let guide = guide.into_iter().map(|plan| PlanFile::parse(name.as_str(), plan));
    for plan in guide.chain(examples.map(PlanFile::load)) {
        Sweep::new(plan.unwrap_or_else(|error| panic!("{error}"))).unwrap_or_else(|error| panic!("{error}"));
    }
}
