//! Outcomes side by side.

use super::loose::{Loose, loose};
use super::observe::{Load, Outcome, Row};
use fourbar::multibody::Mechanism;
use fourbar::multibody::space::{Pose, V3};
use nalgebra::{Complex, Vector6};
use std::collections::BTreeMap;

/// Tolerances by which values may differ.
pub(super) const TEN: f64 = 10.0;
/// Units of round-off that the error tests of runs leave in positions, and in velocities over the step (docs/multibody.md, Tolerances).
const OF_PLACES: f64 = 1000.0 * f64::EPSILON;
const OF_SPEEDS: f64 = 32.0 * f64::EPSILON;
/// Steps up to which a start at order 1 and the outputs say how many there are.
const FEW: u64 = 100;
/// Part of the digits that assembly and equilibrium leave open: the tolerance of analyses that have none.
pub(super) const CLOSED: f64 = 1e-9;

/// What numbers of a machine are measured by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    length: f64,
    speed: f64,
    rate: f64,
    force: f64,
    acceleration: f64,
    /// Longest way of a centre of mass from its start.
    way: f64,
}

impl Sizes {
    /// Those of a motion: its largest values.
    pub(super) fn of(mechanism: &Mechanism, outcome: &Outcome) -> Self {
        let poses = || outcome.rows.iter().flat_map(|row| row.poses.values());
        let starts = outcome.rows.first().map(|row| &row.poses);
        let way = |(name, pose): (&String, &Pose)| {
            starts.and_then(|starts| starts.get(name)).map_or(0.0, |start| (pose.x - start.x).norm())
        };
        let longest = outcome.rows.iter().flat_map(|row| &row.poses).map(way).fold(0.0, f64::max);
        let length = mechanism.length().max(longest);
        let speed = poses().map(|pose| pose.v.norm().max(pose.w.norm() * length)).fold(0.0, f64::max);
        let end = outcome.rows.last().map_or(1.0, |row| row.time).max(f64::MIN_POSITIVE);
        // What rests moves by round-off.
        let speed = if speed > CLOSED * length / end { speed } else { length / end };
        let mass: f64 = mechanism.bodies().iter().map(|body| body.mass).sum();
        let acceleration = mechanism.gravity().norm().max(speed * speed / length);
        let loads = outcome.rows.iter().flat_map(|row| row.loads.values());
        let force = loads.map(|load| load.force.norm().max(load.torque.norm() / length)).fold(0.0, f64::max);
        Self { length, speed, rate: speed / length, force: force.max(mass * acceleration), acceleration, way: longest }
    }

    /// The larger ones of both: tolerances follow from all the motion of a machine, that of its base too.
    pub(super) fn or_larger(self, other: Self) -> Self {
        Self {
            length: self.length.max(other.length),
            speed: self.speed.max(other.speed),
            rate: self.rate.max(other.rate),
            force: self.force.max(other.force),
            acceleration: self.acceleration.max(other.acceleration),
            way: self.way.max(other.way),
        }
    }

    /// That of a unit; none of one that is not told.
    fn unit(&self, unit: &str) -> Option<f64> {
        Some(match unit {
            "m" => self.length,
            "rad" => 1.0,
            "m/s" => self.speed,
            "rad/s" => self.rate,
            "N" => self.force,
            "N m" | "J" => self.force * self.length,
            "m/s2" | "m/s^2" => self.acceleration,
            "rad/s2" | "rad/s^2" => self.acceleration / self.length,
            _ => return None,
        })
    }
}

/// How the outcome of another machine compares.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// All equal; the largest difference in tolerances.
    Equal(f64),
    /// Values differ by more than ten tolerances, but by less than ten times the error that the better run has of its own.
    Loose(f64, String),
    /// One ends otherwise.
    Ending(String),
    /// Values differ, in tolerances, and which.
    Values(f64, String),
    /// Steps differ, by this factor.
    Steps(f64),
    /// Warnings are of other kinds.
    Warnings(String),
}

/// What is compared of a machine.
pub(super) struct Comparison<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) tolerance: f64,
    /// That of the local error of runs.
    pub(super) local: f64,
    pub(super) sizes: Sizes,
    /// The same motion, more accurately; none where the analysis leaves no error.
    pub(super) reference: Option<&'a Outcome>,
    /// Largest coordinate of the other machine \[m\].
    pub(super) reach: f64,
    /// Whether the other machine has the same motion in the same frame, and so the same steps.
    pub(super) steps: bool,
    /// Measures that are to be the same, by their places.
    pub(super) measures: &'a dyn Fn(&str) -> bool,
}

impl Comparison<'_> {
    pub(super) fn verdict(&self, first: &Outcome, other: &Outcome) -> Verdict {
        if first.ending != other.ending {
            return Verdict::Ending(format!("{} / {}", first.text(), other.text()));
        }
        let (worst, place, excused) = self.values(first, other);
        if worst > TEN && !excused {
            return Verdict::Values(worst, place);
        }
        let far = poles_apart(&first.poles, &other.poles, (self.sizes.acceleration / self.sizes.length).sqrt());
        if far > TEN {
            return Verdict::Values(far, format!("poles {:?} / {:?}", brief(&first.poles), brief(&other.poles)));
        }
        // Error tests allow round-off beside the tolerance: what is below a tenth of it makes no steps longer.
        let places = OF_PLACES * self.reach / self.sizes.way.max(f64::MIN_POSITIVE);
        // What does not move has no size: steps follow round-off.
        let moves = self.sizes.way > CLOSED * self.sizes.length;
        let followed =
            moves && self.steps && self.round_off(first).max(places) < 0.1 * self.local && first.steps > Some(FEW);
        if let (Some(one), Some(two), true) = (first.steps, other.steps, followed)
            && one.abs_diff(two) as f64 > 0.2 * one.max(two) as f64
        {
            return Verdict::Steps(two as f64 / one as f64);
        }
        if first.warnings != other.warnings {
            return Verdict::Warnings(format!("{:?} / {:?}", first.warnings, other.warnings));
        }
        if excused { Verdict::Loose(worst, place) } else { Verdict::Equal(worst.max(far)) }
    }

    /// Whether an outcome is that of the accurate run to ten tolerances.
    pub(super) fn is_right(&self, outcome: &Outcome) -> bool {
        let Some(reference) = self.reference else { return false };
        let alone = Comparison { reference: None, ..*self };
        outcome.ending == reference.ending && alone.values(reference, outcome).0 <= TEN
    }

    /// What round-off of coordinates leaves, relative to the sizes: of positions, and of speeds over a short step.
    fn round_off(&self, first: &Outcome) -> f64 {
        let step = first.short_step.unwrap_or(f64::INFINITY);
        let Sizes { length, speed, .. } = self.sizes;
        let reach = self.reach + length;
        (OF_PLACES * reach / length).max(OF_SPEEDS * reach / (step * speed))
    }

    /// The largest difference, where, and whether all above ten tolerances are excused. One that is not goes before those that are.
    fn values(&self, first: &Outcome, other: &Outcome) -> (f64, String, bool) {
        let mut worst = (0.0, String::new(), false);
        // Errors of both so far.
        let mut errors: BTreeMap<String, [f64; 2]> = BTreeMap::new();
        for (index, (one, two)) in first.rows.iter().zip(&other.rows).enumerate() {
            // What is not unique matters only where something differs.
            let all = self.apart(one, two, None, &first.columns);
            let free = if all.values().all(|d| *d <= TEN) { None } else { loose(self.mechanism, one) };
            if let Some(right) = self.reference.and_then(|reference| reference.rows.get(index)) {
                for (k, row) in [one, two].into_iter().enumerate() {
                    for (place, d) in self.apart(row, right, free.as_ref(), &first.columns) {
                        let known = &mut errors.entry(place).or_insert([0.0; 2])[k];
                        *known = known.max(d);
                    }
                }
            }
            let apart = if free.is_some() { self.apart(one, two, free.as_ref(), &first.columns) } else { all };
            for (place, d) in apart {
                let own = errors.get(&place).copied().unwrap_or_default();
                let round_off = self.round_off(first) / self.tolerance;
                let excused = !(d <= TEN) && d <= TEN * own[0].min(own[1]).max(1.0 + round_off);
                let d = if d.is_nan() { f64::INFINITY } else { d };
                let goes_before = match (worst.0 > TEN && !worst.2, d > TEN && !excused) {
                    (false, true) => true,
                    (true, false) => false,
                    _ => d > worst.0,
                };
                if goes_before {
                    worst = (
                        d,
                        format!("{place} at t = {:.6}, own errors {:.1e} {:.1e}", one.time, own[0], own[1]),
                        excused,
                    );
                }
            }
        }
        worst
    }

    /// Differences in tolerances by what they are of.
    fn apart(
        &self,
        one: &Row,
        two: &Row,
        free: Option<&Loose>,
        columns: &[fourbar::results::Column],
    ) -> BTreeMap<String, f64> {
        let mut apart = BTreeMap::new();
        let Sizes { length, speed, rate, .. } = self.sizes;
        for (name, a) in &one.poses {
            let Some(b) = two.poses.get(name) else { continue };
            let turn = (a.a - b.a).norm() / std::f64::consts::SQRT_2;
            let Pose { x, v, w, .. } = a;
            let parts = [
                ("place", (x - b.x).norm() / length),
                ("turn", turn),
                ("velocity", (v - b.v).norm() / speed),
                ("angular velocity", (w - b.w).norm() / rate),
            ];
            apart.extend(parts.map(|(part, d)| (format!("{part} of {name}"), d / self.tolerance)));
        }
        for (name, a) in &one.loads {
            let basis = free.and_then(|free| free.get(name)).map_or(&[][..], Vec::as_slice);
            if let Some(b) = two.loads.get(name) {
                let d = self.loads_apart(a, b, basis);
                apart.insert(format!("reaction of {name}"), d / self.tolerance);
            }
        }
        for ((a, b), column) in one.measures.iter().zip(&two.measures).zip(columns) {
            if let (Some(unit), true) = (self.sizes.unit(&column.unit), (self.measures)(&column.name)) {
                let d = if column.unit == "rad" { turned(a - b) } else { (a - b).abs() };
                apart.insert(format!("measure {}", column.name), d / unit / self.tolerance);
            }
        }
        apart
    }

    /// What is unique of two loads, over the force of the machine.
    fn loads_apart(&self, a: &Load, b: &Load, basis: &[Vector6<f64>]) -> f64 {
        let length = self.mechanism.length();
        let force = b.force - a.force;
        let torque = b.torque + (b.point - a.point).cross(&b.force) - a.torque;
        let part = |v: V3, t: V3| Vector6::new(v.x, v.y, v.z, t.x, t.y, t.z);
        let mut d = part(force, torque / length);
        for _ in 0..2 {
            for known in basis {
                d -= known * known.dot(&d);
            }
        }
        d.norm() / self.sizes.force
    }
}

/// A difference of angles, whole turns left aside.
fn turned(angle: f64) -> f64 {
    use std::f64::consts::TAU;
    (angle - TAU * (angle / TAU).round()).abs()
}

/// The largest difference of the squares of poles, each with the nearest one, in what an equilibrium leaves open; the largest pole counts as `rate` at least.
fn poles_apart(first: &[Complex<f64>], other: &[Complex<f64>], rate: f64) -> f64 {
    if first.len() != other.len() {
        return f64::INFINITY;
    }
    let largest = first.iter().chain(other).map(|pole| pole.norm()).fold(rate, f64::max);
    let mut left = other.to_vec();
    let mut worst = 0.0_f64;
    for pole in first {
        let apart = |other: &Complex<f64>| {
            let squares = (pole * pole - other * other).norm() / (largest * largest);
            squares.min((pole - other).norm() / largest)
        };
        let near = left.iter().enumerate().map(|(k, other)| (k, (pole - other).norm()));
        let Some((k, _)) = near.min_by(|a, b| a.1.total_cmp(&b.1)) else { return f64::INFINITY };
        let other = left.swap_remove(k);
        worst = worst.max(if largest > 0.0 { apart(&other) / CLOSED } else { 0.0 });
    }
    worst
}

fn brief(poles: &[Complex<f64>]) -> Vec<String> {
    poles.iter().take(8).map(|pole| format!("{:.6}{:+.6}i", pole.re, pole.im)).collect()
}
