//! The header as it is read: sections in the order of use, each with its heading; functions whose status must be looked at say so.

use std::collections::HashMap;
use std::path::Path;

/// Headings, and the files whose items stand below them, in their order.
const SECTIONS: [(&str, &[&str]); 16] = [
    (
        "Errors, versions, the log",
        &["abi/status.rs", "abi/error.rs", "abi/callback.rs", "abi/version.rs", "capabilities.rs", "log.rs"],
    ),
    ("Interrupts", &["abi/interrupt.rs"]),
    (
        "Models of mechanisms",
        &[
            "model/model.rs",
            "model/element.rs",
            "model/joint.rs",
            "model/coupler.rs",
            "model/curve.rs",
            "model/rolling.rs",
            "model/force.rs",
            "model/bushing.rs",
            "model/friction.rs",
            "model/contact.rs",
            "model/measure.rs",
            "model/spline.rs",
            "model/user_state.rs",
            "model/sensor.rs",
            "model/block.rs",
            "model/compile.rs",
        ],
    ),
    ("Compiled mechanisms", &["model/mechanism.rs", "model/kinematics.rs"]),
    ("Integrators and their options", &["problem/options.rs", "problem/stop.rs", "problem/statistics.rs"]),
    (
        "Simulations of mechanisms, stepped by the host",
        &[
            "simulation/formulation.rs",
            "simulation/options.rs",
            "simulation/simulation.rs",
            "simulation/input.rs",
            "simulation/reading.rs",
            "simulation/event.rs",
            "simulation/switch.rs",
            "simulation/saving.rs",
            "simulation/analysis.rs",
            "simulation/statistics.rs",
        ],
    ),
    (
        "The equations of mechanisms",
        &[
            "equations/mechanism.rs",
            "equations/shape.rs",
            "equations/coordinates.rs",
            "equations/evaluation.rs",
            "equations/matrices.rs",
        ],
    ),
    ("Equations of the host", &["problem/equations.rs", "problem/system.rs"]),
    ("Integrations of equations", &["problem/integration.rs", "problem/sampling.rs", "problem/saving.rs"]),
    (
        "Linear systems",
        &[
            "lti/system.rs",
            "lti/method.rs",
            "lti/matrices.rs",
            "lti/g_matrices.rs",
            "lti/responses.rs",
            "lti/discretization.rs",
            "lti/simulation.rs",
            "lti/stepper.rs",
            "lti/stepper_state.rs",
        ],
    ),
    (
        "Circuits and linear systems of model files, stepped by the host",
        &["simulator/simulator.rs", "simulator/values.rs"],
    ),
    (
        "Contact and complementarity problems",
        &[
            "contact/problem.rs",
            "contact/polyhedral.rs",
            "contact/global.rs",
            "contact/options.rs",
            "contact/solver.rs",
            "contact/result.rs",
        ],
    ),
    (
        "Coupled simulators",
        &[
            "coupling/options.rs",
            "coupling/building.rs",
            "coupling/partner.rs",
            "coupling/faults.rs",
            "coupling/stage.rs",
            "coupling/running.rs",
            "coupling/saving.rs",
            "coupling/values.rs",
            "coupling/parameters.rs",
        ],
    ),
    (
        "Runs of model files, and their results",
        &["results/options.rs", "results/run.rs", "results/of_model.rs", "results/writing.rs"],
    ),
    ("Rows as CSV", &["results/csv.rs"]),
    ("Problems with known solutions", &["accuracy/problem.rs"]),
];

/// What a function is marked with whose status must be looked at.
const MUST_USE: &str = "FOURBAR_MUST_USE";

const MUST_USE_DEFINED: &str =
    "/* A status that nobody looks at is a warning; define FOURBAR_MUST_USE as nothing to be without it. */
#ifndef FOURBAR_MUST_USE
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define FOURBAR_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define FOURBAR_MUST_USE __attribute__((warn_unused_result))
#else
#define FOURBAR_MUST_USE
#endif
#endif
";

/// An item of the header with its comment.
struct Item<'a> {
    text: &'a str,
    /// Its place: section, file in it, types before functions, place in the generated header.
    place: (usize, bool, usize, usize),
}

pub(crate) fn in_order_of_use(generated: &str, sources: &Path) -> String {
    let files = files_of_names(sources);
    let (top, rest) = generated.split_once("#include \"fourbar_partner.h\"\n").expect("the includes");
    let (types, functions) = rest.split_once("#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\n").unwrap();
    let (functions, end) = functions.split_once("#ifdef __cplusplus\n}  // extern \"C\"").unwrap();
    let mut items: Vec<Item<'_>> = Vec::new();
    for (is_function, text) in [(false, types), (true, functions)] {
        for text in text.split("\n/**\n").map(TrimNewlines::trim_matches_newlines).filter(|text| !text.is_empty()) {
            let name = name_of(text, is_function);
            let (section, file) = files.get(name).copied().unwrap_or_else(|| {
                panic!("{name} stands in no file of the sections in capi/tests/header/order.rs:\n{text}")
            });
            items.push(Item { text, place: (section, is_function, file, items.len()) });
        }
    }
    items.sort_by_key(|item| item.place);
    let mut out = format!("{top}#include \"fourbar_partner.h\"\n\n{MUST_USE_DEFINED}\n");
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\n";
    out += &handles(&items);
    let mut section = usize::MAX;
    for item in items.iter().filter(|item| !is_handle(item.text)) {
        if item.place.0 != section {
            section = item.place.0;
            out += &heading(SECTIONS[section].0);
        }
        out += &format!("\n/**\n{}\n", marked(item));
    }
    out + "\n#ifdef __cplusplus\n}  // extern \"C\"" + end
}

trait TrimNewlines {
    fn trim_matches_newlines(&self) -> &str;
}

impl TrimNewlines for str {
    fn trim_matches_newlines(&self) -> &str {
        self.trim_matches('\n').trim_start_matches("/**\n")
    }
}

fn heading(text: &str) -> String {
    let line = "=".repeat(130);
    format!("\n\n/* {line}\n * {text}\n * {line} */\n")
}

/// Opaque handles, which sections use before that to which they belong.
fn handles(items: &[Item<'_>]) -> String {
    let mut out = heading("Handles");
    for item in items.iter().filter(|item| is_handle(item.text)) {
        out += &format!("\n/**\n{}\n", item.text);
    }
    out
}

fn is_handle(text: &str) -> bool {
    text.lines()
        .last()
        .is_some_and(|line| line.starts_with("typedef struct ") && line.ends_with(';') && !line.contains('{'))
        && text.lines().filter(|line| line.starts_with("typedef struct ")).count() == 1
        && !text.contains('{')
}

/// A function that returns a status with its mark.
fn marked(item: &Item<'_>) -> String {
    if item.place.1 {
        item.text.replace("\nfourbar_status ", &format!("\n{MUST_USE} fourbar_status "))
    } else {
        item.text.to_owned()
    }
}

/// The name that an item declares.
fn name_of(text: &str, is_function: bool) -> &str {
    let declared = text.split_once("*/\n").map_or(text, |(_, declared)| declared);
    let word = |at: &str| -> Option<usize> { declared.find(at).map(|found| found + at.len()) };
    let from = if is_function {
        declared
            .find("fourbar_")
            .filter(|_| !declared.starts_with("fourbar_status"))
            .or_else(|| word("fourbar_status "))
    } else {
        ["#define ", "typedef struct ", "(*", "enum "].iter().find_map(|at| {
            declared.starts_with(at).then_some(at.len()).or_else(|| (*at == "(*").then(|| word(at)).flatten())
        })
    };
    let name = &declared[from.unwrap_or_else(|| panic!("no name in {declared}"))..];
    &name[..name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len())]
}

/// Where each public name is declared: its section, and the place of its file there.
fn files_of_names(sources: &Path) -> HashMap<String, (usize, usize)> {
    let mut all = HashMap::new();
    for (section, (_, files)) in SECTIONS.iter().enumerate() {
        for (place, file) in files.iter().enumerate() {
            let text = std::fs::read_to_string(sources.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            for line in text.lines().filter_map(|line| line.strip_prefix("pub ")) {
                let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                if let Some(name) = words.into_iter().find(|word| word.to_ascii_lowercase().starts_with("fourbar_")) {
                    all.insert(name.to_owned(), (section, place));
                }
            }
        }
    }
    all
}
