//! The machines that are made otherwise: models of the checkout and random loops, each with a short span.

use super::loops::random_loop;
use fourbar::file::ModelFile;
use fourbar::multibody::model::Model;
use fourbar::multibody::space::V3;
use std::path::PathBuf;

/// A machine, and how long it runs.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) model: Model,
    /// End of the run \[s\].
    pub(super) end: f64,
    /// An axis for a base that turns.
    pub(super) axis: V3,
}

/// Model files with mechanisms, with the ends of spans in which no motion is chaotic, hardly any passes a change point, and the cost is small \[s\].
const FILES: [(&str, f64); 21] = [
    ("models/andrews.toml", 0.01),
    ("models/cam.toml", 0.2),
    ("models/clutch.toml", 0.47),
    ("models/coaster.toml", 3.0),
    ("models/differential.toml", 0.5),
    ("models/double-pendulum.toml", 0.6),
    ("models/five-bar.toml", 0.5),
    ("models/flexible-arm.toml", 0.1),
    ("models/flexible-slider-crank.toml", 0.005),
    ("models/four-bar.toml", 0.5),
    ("models/gripper.toml", 0.3),
    ("models/n-four-bar.toml", 0.3),
    ("models/pendulum.toml", 1.0),
    ("models/planetary-gear.toml", 0.5),
    ("models/quarter-car.toml", 1.43),
    ("models/slider-crank.toml", 0.3),
    ("src/accuracy/problems/A01_pendulum.toml", 0.5),
    ("src/accuracy/problems/A04_bricard.toml", 0.5),
    ("src/accuracy/problems/A05_governor.toml", 0.3),
    ("src/accuracy/problems/top.toml", 0.2),
    ("src/accuracy/problems/tumbling.toml", 0.5),
];
/// Number of random loops.
pub(super) const LOOPS: usize = 100;
/// End of their runs \[s\].
const SPAN: f64 = 0.4;

/// How many there are.
pub(super) const CASES: usize = FILES.len() + LOOPS;

/// The machine of that number.
pub(super) fn case(number: usize) -> Case {
    if let Some(number) = number.checked_sub(FILES.len()) {
        let drawn = random_loop(number);
        return Case { name: drawn.name, model: drawn.model, end: SPAN, axis: drawn.axis };
    }
    let (path, end) = FILES[number];
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    let file = ModelFile::load(file).unwrap_or_else(|error| panic!("{path}: {error:?}"));
    let mechanism = file.document().mechanism().unwrap_or_else(|| panic!("{path} is a mechanism"));
    let model = mechanism.expand().unwrap_or_else(|error| panic!("{path}: {error}")).model;
    // The horizontal that is across the plane of none of them.
    Case { name: path.to_owned(), model, end, axis: V3::new(0.0, 1.0, 0.0) }
}
