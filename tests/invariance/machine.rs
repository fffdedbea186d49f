//! A machine and what it does, beside the same one made otherwise.

use super::carry::{Carrier, carried};
use super::case::Case;
use super::change::Change;
use super::compare::{CLOSED, Comparison, Sizes, Verdict};
use super::observe::{self, Outcome};
use super::{ANALYSES, Analysis, INDEX_3, write};
use fourbar::multibody::Mechanism;
use fourbar::multibody::space::{M3, V3};
use std::collections::BTreeMap;

/// Begins of warnings of a linearization about a motion, that of a base too, and of one that is not quite at rest: on a base that moves the first stands for
/// both.
const MOVES: [&str; 2] = ["the state moves", "the state does not stay"];
/// Part of the tolerance of a run at which its errors are to be below ten of its tolerances.
const FINER: f64 = 1e-3;
/// Tolerance of the run that shows what errors the others have.
const ACCURATE: f64 = 1e-10;

/// A case under way: what is the same for several comparisons.
pub(super) struct Machine {
    pub(super) case: Case,
    mechanism: Mechanism,
    /// Outcomes of the first machine by the ride of its frame and analysis; the accurate run behind the others.
    known: BTreeMap<(String, usize), Outcome>,
}

impl Machine {
    pub(super) fn new(case: Case) -> Self {
        let mechanism = Mechanism::compile(&case.model).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        Self { case, mechanism, known: BTreeMap::new() }
    }

    fn outcome(&mut self, change: Change, analysis: usize) -> Outcome {
        let ride = change.ride(&self.case, &self.mechanism);
        let key = (ride.map_or_else(String::new, |_| change.label()), analysis);
        if let Some(outcome) = self.known.get(&key) {
            return outcome.clone();
        }
        let model = change.first(&self.case, &self.mechanism);
        let accurate = Analysis::Run("gstiff", Some("si2"), ACCURATE);
        let outcome = ANALYSES.get(analysis).map_or(accurate, |of| of.1).of(&model, self.case.end, 1.0);
        self.known.insert(key, outcome.clone());
        outcome
    }

    /// Writes both machines where the caller wants them.
    pub(super) fn write(&self, change: Change) {
        let Some(folder) = std::env::var_os("FOURBAR_INVARIANCE_MODELS") else { return };
        let (other, view) = change.of(&self.case, &self.mechanism);
        let (name, end) = (&self.case.name, self.case.end);
        let first = change.first(&self.case, &self.mechanism);
        write::write(folder.as_ref(), &format!("{name} {} first", change.label()), &first, end);
        write::write(folder.as_ref(), &format!("{name} {} other", change.label()), &other, end * view.factors.time);
    }

    /// The poles of a machine at rest on a base that moves or turns evenly, and in the frame of the base.
    fn compare_poles_on_base(&self, change: Change) -> Result<Verdict, String> {
        // Markers in axes of the bodies stay with them.
        let mut bodies = carried(&self.case.model, &Carrier::fixed(V3::zeros(), M3::identity()));
        let drawn = Case { model: bodies.clone(), name: self.case.name.clone(), ..self.case };
        let seen = observe::at_equilibrium(&change.first(&drawn, &self.mechanism));
        let seen = seen.ok_or("linear: no rest on a base that moves")?;
        bodies.joints.iter_mut().for_each(|joint| joint.initial = Default::default());
        for (body, found) in bodies.bodies.iter_mut().zip(seen.bodies) {
            (body.position, body.orientation) = (found.position, found.orientation);
            (body.velocity, body.angular_velocity) = (found.velocity, found.angular_velocity);
        }
        let mechanism = Mechanism::compile(&bodies).map_err(|error| error.to_string())?;
        if mechanism.start().poses.iter().any(|pose| pose.v.norm() > 0.0 || pose.w.norm() > 0.0) {
            return Err("linear: it moves on its base".to_owned());
        }
        let case = Case { model: bodies, name: self.case.name.clone(), ..self.case };
        let mut first = Analysis::LinearAtStart.of(&change.first(&case, &mechanism), case.end, 1.0);
        let (model, view) = change.of(&case, &mechanism);
        let mut other = view.back(&Analysis::LinearAtStart.of(&model, case.end, 1.0));
        [&mut first, &mut other].into_iter().for_each(forget_motion);
        let comparison = Comparison {
            mechanism: &mechanism,
            tolerance: CLOSED,
            local: CLOSED,
            sizes: Sizes::of(&mechanism, &first),
            reference: None,
            reach: 0.0,
            steps: false,
            measures: &|_| false,
        };
        Ok(comparison.verdict(&first, &other))
    }

    /// Compares by one analysis; a reason where it cannot.
    pub(super) fn compare(&mut self, change: Change, analysis: usize) -> Result<Verdict, String> {
        self.is_taken(change, analysis)?;
        let kind = ANALYSES[analysis].1;
        if let (Analysis::Linear, Change::OnTurn(_) | Change::OnEven) = (kind, change) {
            return self.compare_poles_on_base(change);
        }
        let first = self.outcome(change, analysis);
        let reference = kind.is_run().then(|| self.outcome(change, ANALYSES.len()));
        if first.ending.starts_with("error") && first.poles.is_empty() {
            match &reference {
                Some(reference) if !reference.ending.starts_with("error") => {
                    return Ok(Verdict::Ending(format!("already the first machine: {}", first.text())));
                }
                None if !first.rows.is_empty() => {}
                _ => return Err(format!("{}, {}: {}", self.case.name, ANALYSES[analysis].0, first.ending)),
            }
        }
        if kind == Analysis::Statics && first.ending == "neutral" {
            return Err("statics: neutral, so that the place is one of many".to_owned());
        }
        Ok(self.judge(change, kind, first, reference.as_ref()))
    }

    /// Whether the pair can be compared; a reason if not.
    fn is_taken(&self, change: Change, analysis: usize) -> Result<(), String> {
        if let Some(reason) = change.refusal(&self.case, &self.mechanism) {
            return Err(format!("{}: {reason}", change.label()));
        }
        let (name, kind) = ANALYSES[analysis];
        let reason = match (kind, change) {
            (Analysis::Statics, change) if change.moves() => "statics: a base that moves stands still there",
            (Analysis::Linear, Change::OnSwing(_)) => "linear: a base that begins to swing is not at rest",
            _ if name == "constant_bdf" && change.moves() => {
                "constant_bdf: it tests no error, and its own one is that of all the motion"
            }
            _ => return Ok(()),
        };
        Err(reason.to_owned())
    }

    /// Compares the other machine with the first one.
    fn judge(&self, change: Change, kind: Analysis, mut first: Outcome, reference: Option<&Outcome>) -> Verdict {
        let (model, view) = change.of(&self.case, &self.mechanism);
        let seen = kind.of(&model, self.case.end, view.factors.time);
        let mut other = view.back(&seen);
        if change.moves() {
            [&mut first, &mut other].into_iter().for_each(forget_motion);
        }
        let kept = |column: &str| self.keeps(change, column);
        let sizes = Sizes::of(&self.mechanism, reference.unwrap_or(&first));
        let comparison = Comparison {
            mechanism: &self.mechanism,
            tolerance: kind.tolerance(),
            local: if let Analysis::Run(_, _, local) = kind { local } else { CLOSED },
            sizes: if change.moves() { sizes.or_larger(Sizes::of(&self.mechanism, &seen)) } else { sizes },
            reach: if change == Change::Moved { view.origin.norm() } else { 0.0 },
            steps: !change.moves(),
            reference,
            measures: &kept,
        };
        let verdict = comparison.verdict(&first, &other);
        if let (Verdict::Values(worst, place), Analysis::Run(integrator, formulation, tolerance)) = (&verdict, kind)
            && (change.moves() || formulation == Some(INDEX_3))
        {
            // A base adds a motion to follow, and I3 does not test velocities: errors that vanish with the tolerance are those of the method.
            let finer = Analysis::Run(integrator, formulation, FINER * tolerance);
            let finer = view.back(&finer.of(&model, self.case.end, view.factors.time));
            if comparison.is_right(&finer) {
                return Verdict::Loose(*worst, place.clone());
            }
        }
        verdict
    }

    /// Whether a measured column is the same on both machines.
    fn keeps(&self, change: Change, column: &str) -> bool {
        let owns = |name: &str| column == name || column.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let redundant = !self.mechanism.redundancies().is_empty();
        let own = self.case.model.measures.iter().find(|measure| owns(&measure.name));
        own.is_some_and(|measure| change.keeps(&measure.kind, redundant))
    }
}

fn forget_motion(outcome: &mut Outcome) {
    outcome.warnings.retain(|warning| MOVES.iter().all(|begin| !warning.starts_with(begin)));
}
