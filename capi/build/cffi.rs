//! What cffi declares of the C ABI: both headers without comments and directives, as `header.h` in the target folder, where maturin reads it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// In the order in which C reads them.
const HEADERS: [&str; 2] = ["fourbar_partner.h", "fourbar.h"];

/// Writes the declarations.
pub(super) fn write() {
    println!("cargo::rerun-if-changed=build/cffi.rs");
    let include = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../include");
    let mut declarations = String::new();
    for name in HEADERS {
        let path = include.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        declarations.push_str(&declared(&text));
    }
    let path = target_folder().join("header.h");
    fs::write(&path, declarations).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// The folder that cargo builds in: four above that of this script (profile, `build`, package, `out`), five where it builds for another machine.
fn target_folder() -> PathBuf {
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let triple = env::var_os("TARGET");
    let mut above = out.ancestors().skip(4).skip_while(|folder| folder.file_name() == triple.as_deref());
    above.next().unwrap_or_else(|| panic!("no target folder above {}", out.display())).to_owned()
}

/// `header` for a compiler of C before C23, without comments, directives and attributes.
fn declared(header: &str) -> String {
    let mut kept = String::new();
    // Of each condition that is open: whether its lines count.
    let mut open: Vec<bool> = Vec::new();
    for line in without_comments(header).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("#ifdef" | "#if") => open.push(false),
            Some("#ifndef") => open.push(words[1] != "FOURBAR_MUST_USE"),
            Some("#else") => {
                if let Some(last) = open.last_mut() {
                    *last = !*last;
                }
            }
            Some("#elif") => {}
            Some("#endif") => drop(open.pop()),
            _ if open.contains(&false) => {}
            Some("#define") => kept.extend(constant(&words)),
            Some(first) if first.starts_with('#') => {}
            Some(_) => {
                kept.push_str(&line.replace("FOURBAR_MUST_USE ", "").replace("FOURBAR_PARTNER_EXPORT ", ""));
                kept.push('\n');
            }
            None => {}
        }
    }
    kept
}

/// `#define NAME 8`, of a number or `(1 << 3)`; nothing of other macros.
fn constant(words: &[&str]) -> Option<String> {
    let value: u64 = match words[2..] {
        [number] => number.trim_end_matches('u').parse().ok()?,
        [one, "<<", places] => {
            let (one, places) = (one.strip_prefix('(')?, places.strip_suffix(')')?);
            one.parse::<u64>().ok()? << places.parse::<u32>().ok()?
        }
        _ => return None,
    };
    Some(format!("#define {} {value}\n", words[1]))
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}
