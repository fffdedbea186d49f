//! What is watched at every accepted step of a mechanism with redundant rows: that the rows kept stay independent, and that no row opens.
//!
//! Integrators close the rows that are kept; the others follow as far as they depend on these. A row that does not follow ends the run.

use super::acceleration::with_ground;
use super::assembly::unit_free;
use super::choice::{Chosen, Look, Watch};
use super::dynamics::Dynamics;
use crate::error::Error;
use crate::integrator::{Error as IntegratorError, Stop};
use crate::mechanism::{DROPPED, Mechanism, Rows, System};
use crate::space::Pose;
use crate::state::State;
use std::sync::Arc;

/// What rows may be open, in tolerances of lengths of the mechanism, or of a rad.
const OPEN: f64 = 10.0;
/// The same at the finest tolerances: what assembly and the rank of rows count as closed, times a few joints.
const CLOSED: f64 = 1e-7;
/// The same in parts of what the kept rows are open: the factors of a choice, times some ten rows that take part.
const FOLLOWS: f64 = 100.0;
/// Round-off of a row, relative to the largest coordinate.
const ROUND_OFF: f64 = 1e-13;

/// Watches a mechanism with redundant rows.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    pub(super) watch: Box<Watch>,
    /// Relative tolerance of the integrator.
    tolerance: f64,
    /// Time of the start \[s\].
    begun: f64,
    /// Time at which all rows were closed last \[s\].
    closed: f64,
    /// Largest speed of a body so far, in lengths of the mechanism or rad a second.
    speed: f64,
    /// Time at which rows were chosen since a step failed \[s\].
    tried: f64,
}

/// What a guard knew at a saved point.
#[derive(Debug, Clone)]
pub(super) struct GuardPoint {
    look: Look,
    closed: f64,
    speed: f64,
    tried: f64,
}

fourbar_linalg::stored!(struct GuardPoint { look, closed, speed, tried });

/// The row that is open most, in what it may be.
#[derive(Clone, Copy)]
struct Worst {
    ratio: f64,
    row: usize,
    gap: f64,
    allowed: f64,
    /// What is allowed, in parts of a length.
    part: f64,
}

/// What the kept rows say of the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The integrator closes them to its tolerance.
    Integrated,
    /// They have been closed to round-off.
    Closed,
    /// They drift: others may as far as they follow.
    Drifting,
}

impl Guard {
    /// None where no rows are redundant, or where they stay so in a plane at rest.
    pub(super) fn new(mechanism: &Mechanism, tolerance: f64, time: f64) -> Option<Box<Self>> {
        let of = |watch| {
            Box::new(Self { watch, tolerance, begun: time, closed: time, speed: 0.0, tried: f64::NEG_INFINITY })
        };
        Watch::new(mechanism).map(of)
    }

    pub(super) fn save(&self, point: &mut Option<Box<GuardPoint>>) {
        let Self { watch, closed, speed, tried, .. } = self;
        match point {
            Some(point) => {
                point.look.follow(watch.last());
                (point.closed, point.speed, point.tried) = (*closed, *speed, *tried);
            }
            none => *none = Some(Box::new(self.point())),
        }
    }

    pub(super) fn point(&self) -> GuardPoint {
        GuardPoint { look: self.watch.last().clone(), closed: self.closed, speed: self.speed, tried: self.tried }
    }

    pub(super) fn restore(&mut self, point: &GuardPoint) {
        self.watch.last_mut().follow(&point.look);
        (self.closed, self.speed, self.tried) = (point.closed, point.speed, point.tried);
    }

    /// Refuses rows that have opened at `state`; `poses` are its, ground last, and `rows` has room for all rows.
    pub(super) fn refuse_open(
        &mut self,
        mechanism: &Mechanism,
        (all_rows, rows): (&mut System, &mut [f64]),
        (poses, state): (&[Pose], &State),
        kept: Kept,
    ) -> Result<(), Error> {
        let (time, length) = (state.time, mechanism.length);
        let (mut far, mut fast) = (length, 0.0_f64);
        for pose in &state.poses {
            far = far.max(pose.x.amax());
            fast = fast.max(pose.v.norm() / length).max(pose.w.norm());
        }
        self.speed = self.speed.max(fast);
        // At rest: a rate that would not open its row by as much in the time since the start.
        let speed = self.speed.max(1.0 / (time - self.begun).abs());
        let allowed = (OPEN * self.tolerance).max(CLOSED);
        let round_off = ROUND_OFF * far / length;
        all_rows.evaluate_drives(mechanism, time, &state.drives);
        all_rows.count_from(&state.angles);
        all_rows.defects(mechanism, poses, rows);
        let follows = if kept == Kept::Closed { 0.0 } else { FOLLOWS };
        let place = worst(mechanism, rows, [allowed, round_off], follows);
        all_rows.defect_rates(mechanism, poses, rows);
        let allowed = if kept == Kept::Drifting { place.part } else { allowed };
        let rate = worst(mechanism, rows, [allowed, round_off].map(|part| part * speed), FOLLOWS);
        let (worst, by_rate) = if rate.ratio > place.ratio { (rate, true) } else { (place, false) };
        if worst.ratio <= 1.0 {
            self.closed = time;
            return Ok(());
        }
        let (bound, row) = mechanism.all_row(worst.row);
        Err(Error::Opened {
            row: mechanism.describe(bound, row),
            gap: worst.gap,
            allowed: worst.allowed,
            unit: match (bound.constraint.is_angular(), by_rate) {
                (false, false) => "m",
                (true, false) => "rad",
                (false, true) => "m/s",
                (true, true) => "rad/s",
            },
            since: self.closed,
            time,
        })
    }
}

impl Dynamics {
    /// A step of the integrator, at whose end rows are chosen anew where those kept do not suit. A step that fails is tried once more with others.
    pub(super) fn advance(&mut self) -> Result<Stop, Error> {
        let stepped = self.running.integrator_mut().step();
        let Some(mut guard) = self.guard.take() else { return Ok(stepped?) };
        let stop = self.guarded(&mut guard, stepped);
        self.guard = Some(guard);
        stop
    }

    fn guarded(&mut self, guard: &mut Guard, stepped: Result<Stop, IntegratorError>) -> Result<Stop, Error> {
        let time = self.running.integrator().time();
        let stop = match stepped {
            Ok(stop) => stop,
            Err(error) if guard.tried < time && may_follow(&error) => {
                guard.tried = time;
                guard.watch.doubt();
                self.motion_at(time)?;
                let chosen = guard.watch.look(&self.mechanism, &self.state);
                if !chosen.is_some_and(|chosen| matches!(self.keep_others(chosen), Ok(true))) {
                    return Err(error.into());
                }
                self.begin_anew()?;
                self.running.integrator_mut().step()?
            }
            Err(error) => return Err(error.into()),
        };
        let time = self.running.integrator().time();
        self.motion_at(time)?;
        self.refuse_open(guard)?;
        if let Some(chosen) = guard.watch.look(&self.mechanism, &self.state)
            && !self.keep_others(chosen)?
        {
            guard.watch.look_again();
        }
        Ok(stop)
    }

    /// Goes on with other rows where the motion stands, `self.state`. False where the last step goes on behind an event.
    fn keep_others(&mut self, chosen: Chosen) -> Result<bool, Error> {
        let mechanism = Arc::new(chosen.mechanism.clone());
        let done = self.running.renumber(&chosen, &mechanism, &self.state)?;
        if done {
            self.mechanism = mechanism;
        }
        Ok(done)
    }

    /// With a first step where the steps before had become ever shorter.
    fn begin_anew(&mut self) -> Result<(), Error> {
        let integrator = self.running.integrator_mut();
        let (y, yp) = (integrator.state().to_vec(), integrator.derivative().to_vec());
        Ok(integrator.restart(integrator.time(), &y, &yp)?)
    }

    /// Refuses rows that have opened at `self.state`.
    fn refuse_open(&mut self, guard: &mut Guard) -> Result<(), Error> {
        let Self { mechanism, all_rows, rows, poses, state, .. } = self;
        guard.refuse_open(mechanism, (all_rows, rows), (poses.as_slice(), state), Kept::Integrated)
    }
}

/// The row of all `rows`, or of their rates, that is open most: beyond a part of lengths and round-off, or what the kept ones leave times `follows`.
fn worst(mechanism: &Mechanism, rows: &[f64], [allowed, round_off]: [f64; 2], follows: f64) -> Worst {
    let unit = |angular: bool| if angular { 1.0 } else { mechanism.length };
    let mut kept = 0.0_f64;
    for bound in &mechanism.constraints {
        for (k, _) in bound.rows[..bound.constraint.row_count()].iter().enumerate().filter(|(_, at)| **at != DROPPED) {
            kept = kept.max(rows[bound.first + k].abs() / unit(bound.constraint.is_angular()));
        }
    }
    let part = allowed.max(follows * kept) + round_off;
    let mut worst = Worst { ratio: 0.0, row: 0, gap: 0.0, allowed: part, part };
    for bound in &mechanism.constraints {
        let unit = unit(bound.constraint.is_angular());
        for row in bound.first..bound.first + bound.constraint.row_count() {
            let ratio = rows[row].abs() / unit / part;
            if !(ratio <= worst.ratio) {
                worst = Worst { ratio, row, gap: rows[row].abs(), allowed: part * unit, part };
            }
        }
    }
    worst
}

/// Refuses positions of `state` that leave a row open, dropped ones included.
pub(super) fn refuse_open(mechanism: &Mechanism, state: &State) -> Result<(), Error> {
    let poses = with_ground(&state.poses);
    let mut system = System::new(mechanism, Rows::All);
    system.evaluate_drives(mechanism, state.time, &state.drives);
    system.count_from(&state.angles);
    let mut rows = vec![0.0; system.row_count()];
    system.defects(mechanism, &poses, &mut rows);
    let relative = unit_free(mechanism, &rows);
    let far = poses.iter().fold(mechanism.length, |far, pose| far.max(pose.x.amax()));
    let allowed = CLOSED.max(ROUND_OFF * far / mechanism.length);
    let Some(row) = (0..rows.len()).find(|&row| !(relative[row].abs() <= allowed)) else { return Ok(()) };
    let (bound, k) = mechanism.all_row(row);
    let angular = bound.constraint.is_angular();
    Err(Error::Opened {
        row: mechanism.describe(bound, k),
        gap: rows[row].abs(),
        allowed: allowed * if angular { 1.0 } else { mechanism.length },
        unit: if angular { "rad" } else { "m" },
        since: state.time,
        time: state.time,
    })
}

/// Whether rows that depend on each other may be the cause.
fn may_follow(error: &IntegratorError) -> bool {
    use IntegratorError as I;
    matches!(
        error,
        I::Evaluation(_) | I::SmallestStep { .. } | I::FixedStep { .. } | I::Stiff { .. } | I::Chattering { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::DynamicsOptions;
    use crate::analysis::redundancy::keep_all_but;
    use crate::integrator::{Abam, Gstiff, Rkf45};
    use crate::{Formulation, Method};
    use fourbar_linalg::DependentRow;

    /// A parallelogram in space, on a base that turns, with the redundant rows of its closing pin and one more row of that left out.
    fn with_a_needed_row_dropped() -> Mechanism {
        let pin = |name: &str, i: &str, j: &str, x: f64, y: f64| {
            let marker = |body: &str| serde_json::json!({"body": body, "position": [x, y, 0], "orientation": {"z_axis": [0, 0, 1]}, "frame": "global"});
            serde_json::json!({"name": name, "type": "revolute", "i": marker(i), "j": marker(j)})
        };
        let body = |name: &str, x: f64, y: f64| serde_json::json!({"name": name, "mass": 1, "inertia": [0.01, 0.02, 0.02], "position": [x, y, 0]});
        let across = serde_json::json!({"orientation": {"z_axis": [1, 0, 0]}, "body": "base"});
        let model = serde_json::json!({
            "gravity": [-3, -9.81, 0],
            "body": [body("base", 0.5, 0.0), body("a", 0.0, 0.5), body("b", 0.5, 1.0), body("c", 1.0, 0.5)],
            "joint": [
                pin("p", "a", "base", 0.0, 0.0), pin("q", "b", "a", 0.0, 1.0), pin("r", "c", "b", 1.0, 1.0), pin("s", "c", "base", 1.0, 0.0),
                {"name": "spin", "type": "revolute", "i": across, "j": {"body": "ground", "position": [0.5, 0, 0], "orientation": {"z_axis": [1, 0, 0]}}},
            ],
        });
        let model: crate::Model = serde_json::from_value(model).expect("a model");
        let mut mechanism = Mechanism::compile(&model).expect("a mechanism");
        assert!(mechanism.choice.moves && mechanism.redundancies.len() == 3);
        let set = mechanism.sets.iter().position(|set| set.name == "s").expect("the pin");
        let first = mechanism.constraints[mechanism.sets[set].constraints.start].first;
        let mut dropped = mechanism.dropped_rows();
        dropped.push((first..first + 3).find(|row| !dropped.contains(row)).expect("a kept row"));
        let dropped: Vec<_> = dropped.into_iter().map(|row| DependentRow { row, combination: Vec::new() }).collect();
        let poses = with_ground(&mechanism.start.poses);
        keep_all_but(&mut mechanism, &dropped, &poses);
        super::super::initial::accelerations(&mut mechanism).expect("accelerations");
        mechanism
    }

    #[test]
    fn a_row_that_opens_ends_the_run_by_name() {
        let mechanism = Arc::new(with_a_needed_row_dropped());
        for tolerance in [1e-3, 1e-6, 1e-9] {
            let gstiff = |formulation| (Method::from(Gstiff::with_tolerance(tolerance)), formulation);
            let methods = [
                gstiff(Formulation::Si2),
                gstiff(Formulation::I3),
                gstiff(Formulation::Si1),
                (Rkf45::with_tolerance(tolerance).into(), Formulation::Si2),
                (Abam::with_tolerance(tolerance).into(), Formulation::Si2),
            ];
            for (method, formulation) in methods {
                let options = DynamicsOptions { formulation, method, end: 1.0, stop_times: Vec::new() };
                let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
                let error = loop {
                    match dynamics.step() {
                        Ok(Stop::EndTime) => panic!("it ends well"),
                        Ok(_) => {}
                        Err(error) => break error,
                    }
                };
                let Error::Opened { ref row, gap, allowed, since, time, .. } = error else { panic!("{error}") };
                assert!(row.contains("\"s\"") && gap > allowed && since < time, "{error}");
                // The pin falls by g t^2/2 or so: it is seen where that is what the tolerance allows.
                assert!(time < 0.02 + 10.0 * tolerance.sqrt(), "{error}");
            }
        }
        let mut open = mechanism.start().clone();
        assert_eq!(refuse_open(&mechanism, &open), Ok(()));
        open.poses[3].x.y += 1e-3;
        assert!(
            matches!(refuse_open(&mechanism, &open), Err(Error::Opened { gap, unit: "m", .. }) if (gap - 1e-3).abs() < 1e-12)
        );
        // The same for analyses outside, whether the kept rows are closed or drift: the row that is needed is dropped.
        let mut rows = crate::RowGuard::new(&mechanism, 0.0).expect("redundant rows");
        let inputs = crate::Inputs::start(&mechanism);
        for closed in [true, false] {
            let mut seen = |state: &State| {
                let poses = with_ground(&state.poses);
                rows.refuse_open(
                    &mechanism,
                    (&inputs, [f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY]),
                    (&poses, state),
                    closed,
                )
            };
            assert_eq!(seen(mechanism.start()), Ok(()));
            let mut fallen = mechanism.start().clone();
            fallen.poses[3].x.y += 1e-6;
            assert_eq!(matches!(seen(&fallen), Err(Error::Opened { gap, .. }) if (gap - 1e-6).abs() < 1e-12), closed);
        }
    }
}
