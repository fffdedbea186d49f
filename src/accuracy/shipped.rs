//! The problems that come with the program.

use super::equations::{
    AKZO, ARENSTORF, Build, CAR_AXIS, FEKETE, NAND, PUMP, ROBERTSON, SLIDER_CRANK, TRANSISTOR, VAN_DER_POL, WHEELSET,
};
use super::error::AccuracyError;
use super::ladders::{chain, ladder};
use super::problem::Problem;
use super::references::Reference;

/// How a shipped problem is stated.
enum Source {
    /// A model file.
    File(fn() -> String),
    /// Equations in Rust.
    Equations(Build, &'static str),
}

/// Name, statement and solution.
type Entry = (&'static str, Source, &'static str);

const ANDREWS: &str =
    concat!(include_str!("../../models/andrews.toml"), "\n", include_str!("problems/andrews-measures.toml"));

/// The angles at which the variant of IFToMM starts: beta = -0.062 rad, the others by closure.
const ANDREWS_IFTOMM: [(&str, &str); 7] = [
    ("beta0 = -0.0617138900142764496358948458001", "beta0 = -0.062"),
    ("theta0 = 0\n", "theta0 = 0.00021458685379951534\n"),
    ("gamma0 = 0.455279819163070380255912382449", "gamma0 = 0.4552798121003702"),
    ("phi0 = 0.222668390165885884674473185609", "phi0 = 0.22266837590302746"),
    ("delta0 = 0.487364979543842550225598953530", "delta0 = 0.4873649811406328"),
    ("omega0 = -0.222668390165885884674473185609", "omega0 = -0.22266837590302746"),
    ("epsilon0 = 1.23054744454982119249735015568", "epsilon0 = 1.2305474391566007"),
];

fn andrews_iftomm() -> String {
    ANDREWS_IFTOMM.iter().fold(ANDREWS.to_owned(), |text, (from, to)| text.replace(from, to))
}

macro_rules! file {
    ($name:literal) => {
        (
            $name,
            Source::File(|| include_str!(concat!("problems/", $name, ".toml")).to_owned()),
            include_str!(concat!("reference/", $name, ".json")),
        )
    };
}

macro_rules! made {
    ($name:literal, $text:expr) => {
        ($name, Source::File(|| $text), include_str!(concat!("reference/", $name, ".json")))
    };
}

macro_rules! equations {
    ($name:literal, $build:expr, $title:literal) => {
        ($name, Source::Equations($build, $title), include_str!(concat!("reference/", $name, ".json")))
    };
}

/// All shipped problems: those of the IVP test set, the library of IFToMM, families of growing size, stiff systems.
const PROBLEMS: &[Entry] = &[
    made!("andrews", ANDREWS.to_owned()),
    equations!("car_axis", CAR_AXIS, "car axis of the IVP test set"),
    equations!("crank", SLIDER_CRANK, "slider crank with an elastic rod of the IVP test set"),
    equations!("wheelset", WHEELSET, "wheelset of the IVP test set"),
    equations!("fekete", FEKETE, "Fekete's points on a sphere, of the IVP test set"),
    equations!("transistor", TRANSISTOR, "transistor amplifier of the IVP test set"),
    equations!("akzo", AKZO, "chemical problem of Akzo Nobel, of the IVP test set"),
    equations!("pump", PUMP, "charge pump of the IVP test set"),
    equations!("nand", NAND, "NAND gate of the IVP test set, in ns"),
    file!("A01_pendulum"),
    file!("pendulum_period2"),
    made!("A02_N1", ladder(1)),
    made!("A02_N2", ladder(2)),
    made!("A02_N40", ladder(40)),
    made!("A02_N100", ladder(100)),
    made!("A02_N40_10s", ladder(40)),
    made!("A03_andrews", andrews_iftomm()),
    file!("A04_bricard"),
    file!("A05_governor"),
    made!("chain_N1", chain(1)),
    made!("chain_N2", chain(2)),
    made!("chain_N5", chain(5)),
    made!("chain_N10", chain(10)),
    made!("chain_N100", chain(100)),
    made!("chain_N1000", chain(1000)),
    file!("top"),
    file!("rotor"),
    file!("tumbling"),
    file!("two_mass"),
    file!("lti_two_mass"),
    made!("bouncing_ball", include_str!("../../models/bouncing-ball.toml").to_owned()),
    equations!("arenstorf", ARENSTORF, "Arenstorf's orbit"),
    equations!("robertson", ROBERTSON, "Robertson's kinetics"),
    equations!("van_der_pol", VAN_DER_POL, "van der Pol's oscillator, mu = 1000"),
];

/// Names of the shipped problems.
#[must_use]
pub fn names() -> Vec<&'static str> {
    PROBLEMS.iter().map(|(name, ..)| *name).collect()
}

pub(super) fn problem(name: &str) -> Result<Problem, AccuracyError> {
    let Some((name, source, reference)) = PROBLEMS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) else {
        return Err(AccuracyError::UnknownProblem { name: name.to_owned(), known: names() });
    };
    let reference = Reference::parse(name, reference)?;
    match source {
        Source::File(text) => Problem::from_text(name, text(), reference),
        Source::Equations(build, title) => Ok(Problem::from_equations(name, title, *build, reference)),
    }
}
