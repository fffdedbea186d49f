//! `fourbar check`: what a model file contains, and whether it is sound.

mod circuit;
mod contact;
mod coupled;
mod elements;
mod linear;
mod mechanism;

use crate::args::CheckArguments;
use crate::exit::{Exit, Failure};
use crate::signals;
use fourbar::run::{Overrides, Run};
use fourbar::{Document, Error};
use serde::Serialize;
use std::io::{self, Write};

pub(crate) fn check(arguments: &CheckArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    let refused = |error| Failure::Model(file.explain_start(error));
    let notes = file.structure().map_or(&[][..], |structure| structure.notes());
    let findings = of(file.document(), notes, arguments.json).map_err(refused)?;
    let mut text = findings.map_err(|error| Failure::Output(error.into()))?;
    if arguments.json {
        text.push('\n');
    }
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::Done)
}

/// What is found in a model of any kind, as text or as JSON; `notes` is what its file says and it does not carry.
fn of(document: &Document, notes: &[String], json: bool) -> Result<Result<String, serde_json::Error>, Error> {
    match document {
        Document::Mechanism(model) => {
            let (run, _) = begun(document)?;
            mechanism::findings(model, run.mechanism().expect("the run is one of a mechanism"), json)
        }
        Document::Circuit(model) => {
            let (run, start) = begun(document)?;
            Ok(circuit::findings(model, run.circuit().expect("the run is one of a circuit"), &start, json))
        }
        Document::Linear(model) => begun(document).and_then(|_| linear::findings(model, json)),
        Document::Coupled(model) => match begun(document) {
            Ok(_) | Err(Error::NoEnd) => coupled::findings(model, notes, json),
            Err(error) => Err(error),
        },
    }
}

/// End times for models that leave theirs to the caller \[s\]: for one whose outputs or steps are too many by then, a short one.
const ENDS: [f64; 2] = [1.0, 1e-9];

/// Compiles a model and begins its run, and so refuses what a run refuses; an end time may still come with it, which coupled simulators
/// must reach by whole steps. Gives the measures at the start too.
fn begun(document: &Document) -> Result<(Run, Vec<f64>), Error> {
    let end = |end| Overrides { end, ..Overrides::default() };
    let compile = |end| Run::new(document, &end);
    let run = match compile(end(None)) {
        Err(Error::NoEnd) if document.coupled().is_none() => match compile(end(Some(ENDS[0]))) {
            Err(Error::TooManyOutputs { .. } | Error::TooManySteps { .. }) => compile(end(Some(ENDS[1]))),
            run => run,
        },
        run => run,
    }?;
    let start = run.begin()?;
    Ok((run, start))
}

/// A measure or an output.
#[derive(Serialize)]
struct Measured<'a> {
    name: &'a str,
    unit: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar::file::ModelFile;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::AtomicBool;

    fn models(folder: &str) -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        files.sort();
        files
    }

    /// Whether `check` accepts a model that can be read, and whether a run begins, to be stopped before its first step; nothing for a model
    /// that leaves its end to the caller.
    fn verdicts(file: &ModelFile) -> Option<[Result<(), String>; 2]> {
        let document = file.document();
        let stopped = AtomicBool::new(true);
        let begun = Run::new(document, &Overrides::default()).and_then(|run| run.execute(&mut [], &stopped).map(drop));
        if matches!(begun, Err(Error::NoEnd)) {
            return None;
        }
        let told = |error| {
            let told = file.explain_start(error);
            assert!(matches!(told, Error::Model(_)), "{} without a line: {told}", file.name());
            told.to_string()
        };
        Some([of(document, &[], false).map(drop), begun].map(|result| result.map_err(told)))
    }

    #[test]
    fn check_accepts_what_a_run_begins_and_nothing_else() {
        let mut accepted = 0;
        for path in models("models").into_iter().chain(models("tests/bad-models")) {
            let Ok(file) = ModelFile::load(&path) else { continue };
            let Some([checked, begun]) = verdicts(&file) else { continue };
            assert_eq!(checked, begun, "{}", path.display());
            accepted += usize::from(checked.is_ok());
        }
        assert!(accepted >= 20, "{accepted}");
    }

    /// Models with one value changed, a different one each time.
    #[test]
    fn check_and_run_agree_on_models_with_a_wrong_value() {
        const VALUES: [&str; 7] = ["0", "-1.0", "1e-300", "1e300", "\"1/time\"", "[0.0, 0.0, 0.0]", "3.7"];
        // Their set-up takes too long to be done for each value.
        const LARGE: [&str; 5] = ["heat.toml", "pile.toml", "tower.toml", "n-four-bar.toml", "jiang-chai.toml"];
        let (mut compared, mut refused) = (0, 0);
        for path in models("models") {
            if LARGE.iter().any(|large| path.ends_with(large)) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let fields = lines.iter().enumerate().filter(|(_, line)| line.contains(" = ") && !line.starts_with('#'));
            for (count, (index, line)) in fields.enumerate() {
                let (name, _) = line.split_once(" = ").unwrap();
                let changed = format!("{name} = {}", VALUES[count % VALUES.len()]);
                let changed: Vec<&str> =
                    lines.iter().enumerate().map(|(k, l)| if k == index { &changed } else { *l }).collect();
                let Ok(file) = ModelFile::parse(path.to_str().unwrap(), changed.join("\n")) else { continue };
                let Some([checked, begun]) = verdicts(&file) else { continue };
                assert_eq!(checked, begun, "{}:{}: {}", path.display(), index + 1, changed[index]);
                compared += 1;
                refused += usize::from(begun.is_err());
            }
        }
        assert!(compared > 200 && refused > 30, "{refused} of {compared} refused");
    }
}
