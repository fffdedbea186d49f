//! Descriptions and archives that are damaged at random: errors, never a panic, and no file outside of the folder of the FMU. Case n is the same in
//! every run. `FOURBAR_FMU_FUZZ` is the number of cases, `FOURBAR_FMU_FUZZ_FROM` the first.

use super::build::{Model, description, usual};
use super::child::{alone, files, number};
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// SplitMix64 (Steele, Lea and Flood, *ACM SIGPLAN Notices* 49 (2014) 453).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// What stands in places of attributes and elements.
const WORDS: [&str; 34] = [
    "",
    " ",
    "0",
    "-1",
    "1",
    "2",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "1e400",
    "-1e-400",
    "NaN",
    "inf",
    "true",
    "false",
    "\u{0}",
    "\u{202e}",
    "<",
    "&amp;",
    "\"",
    "input",
    "output",
    "structuralParameter",
    "tunable",
    "clock",
    "../../x",
    "/etc/x",
    "Float64",
    "<Dimension start=\"9999999999\"/>",
    "<Dimension valueReference=\"5\"/>",
    "<!DOCTYPE a [<!ENTITY a \"b\">]>",
    "&a;",
    "3.0",
    "<Clock/>",
];

/// Names of entries, most of which would lie elsewhere.
const NAMES: [&str; 16] = [
    "../outside",
    "../../outside",
    "a/../../outside",
    "/tmp/fourbar-fuzz-outside",
    "a\\..\\outside",
    "c:outside",
    "./resources/y.txt",
    "resources//y.txt",
    "resources/",
    "resources",
    ".",
    "..",
    "\u{0}",
    "modelDescription.xml",
    "binaries/linux64/model.so",
    "terminalsAndIcons/terminalsAndIcons.xml",
];

const MANIFEST: &str = r#"<m xmlns:l="http://fmi-standard.org/fmi-ls-manifest" l:fmi-ls-name="org.fmi-standard.fmi-ls-dae" l:fmi-ls-version="1.0.0-alpha.1">
<EnableDAEParameter valueReference="30"/><AlgebraicVariables><AlgebraicVariable valueReference="9"/></AlgebraicVariables><ModelStructure>
<ContinuousStateDerivative valueReference="2" dependencies="1 7 9"/><Residual valueReference="10" dependencies="1 9"/></ModelStructure></m>"#;
const TERMINALS: &str = r#"<t fmiVersion="3.0"><Terminals><Terminal name="a" matchingRule="plug"><TerminalMemberVariable variableName="u" memberName="m"
 variableKind="signal"/><Terminal name="b" matchingRule="bus"/></Terminal></Terminals></t>"#;

/// Damages a text: every other time in values of attributes alone, which leaves it well-formed and is found later.
fn damage(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let formed = random.below(2) == 0;
    for _ in 0..=random.below(4) {
        let (n, at) = (bytes.len(), random.below(bytes.len()));
        let end = (at + 1 + random.below(40)).min(n);
        match random.below(8) {
            _ if formed => attribute(random, bytes),
            0 if at < n => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(n);
                bytes.splice(to..to, copy);
            }
            3 => drop(bytes.splice(at..end, random.pick(&WORDS).bytes())),
            4 => attribute(random, bytes),
            5 => bytes.truncate(at),
            6 => drop(bytes.splice(at..at, random.pick(&WORDS).bytes())),
            _ => {
                let from = random.below(other.len());
                let to = (from + random.below(200)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
}

/// Gives an attribute another value.
fn attribute(random: &mut Random, bytes: &mut Vec<u8>) {
    let quotes: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b'"').collect();
    if quotes.len() > 3 {
        let k = 2 * random.below(quotes.len() / 2);
        let (from, to) = (quotes[k] + 1, quotes[k + 1]);
        if random.below(3) == 0 {
            // The value of another attribute.
            let k = 2 * random.below(quotes.len() / 2);
            let value = bytes[quotes[k] + 1..quotes[k + 1]].to_vec();
            bytes.splice(from..to, value);
        } else {
            bytes.splice(from..to, random.pick(&WORDS).bytes());
        }
    }
}

/// The archive of a case.
fn archive(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = random.below(seeds.len());
    let mut text = seeds[seed].clone();
    let other = &seeds[random.below(seeds.len())];
    let (mut manifest, mut terminals) = (MANIFEST.as_bytes().to_vec(), TERMINALS.as_bytes().to_vec());
    let kind = random.below(4);
    match kind {
        0 => damage(random, &mut manifest, other),
        1 => damage(random, &mut terminals, other),
        _ => damage(random, &mut text, other),
    }
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let options = if random.below(8) == 0 { SimpleFileOptions::default() } else { stored };
    let mut put = |name: &str, bytes: &[u8]| {
        // Names that are there twice are refused here already.
        if writer.start_file(name, options).is_ok() {
            writer.write_all(bytes).unwrap();
        }
    };
    put("modelDescription.xml", &text);
    // The manifest belongs to the last seed; the others have it now and then.
    if seed + 1 == seeds.len() || random.below(8) == 0 {
        put("extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml", &manifest);
    }
    if kind < 3 {
        put("terminalsAndIcons/terminalsAndIcons.xml", &terminals);
    }
    for _ in 0..random.below(3) {
        put(random.pick(&NAMES), b"harm");
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    if random.below(3) == 0 {
        // Most of an archive is its text: the tables lie at its end.
        for _ in 0..=random.below(6) {
            let n = bytes.len();
            let at = if random.below(2) == 0 { random.below(n) } else { n - 1 - random.below(n.min(400)) };
            bytes[at] = random.next() as u8;
        }
        if random.below(4) == 0 {
            bytes.truncate(random.below(bytes.len()));
        }
    }
    bytes
}

/// Reads a case, and every other time unpacks it: there is no library for it to run.
fn case(n: u64, seeds: &[Vec<u8>], path: &Path) -> bool {
    let mut random = Random(n);
    std::fs::write(path, archive(&mut random, seeds)).unwrap();
    let read = Fmu::inspect(path).is_ok();
    if n.is_multiple_of(2) {
        let kinds = [FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange, FmuInterfaceKind::Dae];
        let options = FmuOptions { interface: Some(kinds[random.below(3)]), ..FmuOptions::default() };
        assert!(Fmu::open(path, &options).is_err(), "case {n} runs");
    }
    read
}

#[test]
fn damaged_units_are_errors() {
    let Some(folder) = alone("fmu::fuzz::damaged_units_are_errors") else { return };
    let (count, from) = (number("FOURBAR_FMU_FUZZ", 4000), number("FOURBAR_FMU_FUZZ_FROM", 0));
    let models = [Model::Feed, Model::Ball, Model::Dahlquist, Model::Dae];
    let text = |which: (u32, Model)| description(which, usual(which.0)).into_bytes();
    let seeds: Vec<Vec<u8>> = [2, 3].into_iter().flat_map(|v| models.map(|model| text((v, model)))).collect();
    let path = folder.join("case.fmu");
    let mut read = 0;
    for n in from..from + count {
        match catch_unwind(AssertUnwindSafe(|| case(n, &seeds, &path))) {
            Ok(good) => read += u64::from(good),
            Err(_) => panic!("case {n}"),
        }
    }
    let left = files(&folder);
    println!(
        "measured: {count} cases from {from}, of which {read} are read in spite of all; files left {}",
        left.len()
    );
    assert_eq!(left, [path], "files were written elsewhere, or left");
    assert!(!Path::new("/tmp/fourbar-fuzz-outside").exists());
    // Damage that is no damage to speak of tells that the others are refused for what they are.
    assert!(read > count / 50 && read < count - count / 50, "{read} of {count}");
}
