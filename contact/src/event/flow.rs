//! The motion between two events as an explicit system y' = f(t, y): accelerations with the closed contacts held.
//!
//! y holds for each body x, a rotation vector p from a reference orientation (A = exp(p) A_ref), V and omega, then the unknowns of
//! motions. p' = omega - p x omega/2 + (1 - |p| (1 + cos |p|)/(2 sin |p|)) p x (p x omega)/|p|^2. At the end of each step positions and
//! velocities are put back on joints, closed gaps and sticking directions in the mass norm; before the next, references are moved.

use super::decide::{Decision, STOPPED, decide};
use super::imposed::Imposed;
use super::mode::{self, Closed, Friction, Watch, watches};
use crate::configuration::Configuration;
use crate::error::Error;
use crate::unilateral::{ContactId, Contacts, Unilateral};
use fourbar_multibody::dae::{EvalError, Kind, Unknown};
use fourbar_multibody::ode::Ode;
use fourbar_multibody::space::{M3, V3, rotation};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Numbers a body in y.
const BODY: usize = 12;
/// Corrections of positions at the end of a step, and violation that ends them [m, rad].
const CORRECTIONS: usize = 6;
const CLOSED: f64 = 1e-15;
/// Gap below zero at which an open contact closes, in units of round-off of the farthest body: above the round-off of the gap, so
/// that a contact that rebounds starts on the open side.
const AHEAD: f64 = 8.0 * f64::EPSILON;
/// Penetration of an open contact that no root function saw [m, rad].
const ENTERED: f64 = 1e-12;
/// Turn from the reference orientation at which the reference is moved \[rad\].
const TURNED: f64 = 0.5;

#[derive(Debug, Clone)]
pub(super) struct Flow<C> {
    pub(super) configuration: Configuration,
    pub(super) contacts: C,
    /// Contacts of the last evaluation, sorted by id.
    pub(super) found: Vec<Unilateral>,
    pub(super) closed: Vec<Closed>,
    /// Open contacts whose gaps are root functions.
    pub(super) watched: Vec<ContactId>,
    /// Whether multipliers of closed contacts are root functions. Where contacts are redundant their forces are not unique: there
    /// the root function is whether the decision would still be the same.
    pub(super) guarded: bool,
    pub(super) imposed: Imposed,
    /// The state of the last evaluation.
    pub(super) state: State,
    pub(super) margin: f64,
    ahead: f64,
    reference: Vec<M3>,
    unknowns: Vec<Unknown>,
    top: Vec<f64>,
    bottom: Vec<f64>,
}

impl<C: Contacts> Flow<C> {
    pub(super) fn new(mechanism: &Arc<Mechanism>, contacts: C, start: &State, margin: f64) -> Result<Self, Error> {
        let configuration = Configuration::new(mechanism, start)?;
        let unknown = |kind, typical| Unknown { kind, error_tested: true, scale_power: 0, typical };
        let mut unknowns = Vec::new();
        for _ in mechanism.bodies() {
            for kind in [Kind::Position, Kind::Orientation, Kind::Velocity, Kind::AngularVelocity] {
                unknowns.extend([unknown(kind, 1.0); 3]);
            }
        }
        unknowns.extend(start.drives.iter().map(|_| unknown(Kind::State, 1.0)));
        let (top, bottom) = (vec![0.0; configuration.dimension()], vec![0.0; configuration.row_count()]);
        Ok(Self {
            configuration,
            contacts,
            found: Vec::new(),
            closed: Vec::new(),
            watched: Vec::new(),
            guarded: true,
            imposed: Imposed::default(),
            state: start.clone(),
            margin,
            ahead: 0.0,
            reference: start.poses.iter().map(|p| p.a).collect(),
            unknowns,
            top,
            bottom,
        })
    }

    /// Writes `state` as y, with its orientations as references.
    pub(super) fn write(&mut self, state: &State, y: &mut [f64]) {
        self.state.clone_from(state);
        self.ahead = AHEAD * state.poses.iter().fold(1e-3, |a, p| p.x.amax().max(a));
        for ((block, pose), reference) in y.chunks_exact_mut(BODY).zip(&state.poses).zip(&mut self.reference) {
            *reference = pose.a;
            block[..3].copy_from_slice(pose.x.as_slice());
            block[3..6].fill(0.0);
            block[6..9].copy_from_slice(pose.v.as_slice());
            block[9..].copy_from_slice(pose.w.as_slice());
        }
        let drives = BODY * state.poses.len();
        y[drives..].copy_from_slice(&state.drives);
    }

    /// Reads y at `t` into the state.
    pub(super) fn read(&mut self, t: f64, y: &[f64]) {
        self.state.time = t;
        let vector = |b: &[f64]| V3::new(b[0], b[1], b[2]);
        for ((block, pose), reference) in y.chunks_exact(BODY).zip(&mut self.state.poses).zip(&self.reference) {
            pose.x = vector(block);
            pose.a = rotation(&vector(&block[3..])) * reference;
            pose.v = vector(&block[6..]);
            pose.w = vector(&block[9..]);
        }
        let drives = BODY * self.state.poses.len();
        self.state.drives.copy_from_slice(&y[drives..]);
    }

    /// Goes to y at `t` and finds its contacts.
    pub(super) fn visit(&mut self, t: f64, y: &[f64]) -> Result<(), Error> {
        self.read(t, y);
        self.configuration.place(t, &self.state.poses, &self.state.drives);
        self.look()
    }

    /// Finds the contacts at the configuration.
    pub(super) fn look(&mut self) -> Result<(), Error> {
        self.contacts.find(self.configuration.time(), self.configuration.poses(), self.margin, &mut self.found)
    }

    /// Takes the rows of the closed contacts.
    fn collect(&mut self) -> Result<(), Error> {
        match self.imposed.collect(&self.closed, &self.found, &self.configuration) {
            None => Ok(()),
            Some(c) => Err(Error::Lost { contact: self.closed[c].id, time: self.configuration.time() }),
        }
    }

    /// Accelerations with the contacts held, into the workspace; multipliers stay in `imposed`.
    pub(super) fn accelerations(&mut self) -> Result<&[f64], Error> {
        self.configuration.factor()?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        self.collect()?;
        if !self.imposed.hold(&mut self.configuration, &mut self.top)? {
            return Err(self.dependent());
        }
        Ok(&self.top)
    }

    fn dependent(&self) -> Error {
        Error::Dependent { time: self.configuration.time() }
    }

    /// Puts the configuration back on joints, closed gaps and sticking directions, and the state with it.
    pub(super) fn restore(&mut self) -> Result<(), Error> {
        self.restore_positions()?;
        self.configuration.factor()?;
        self.configuration.project_velocities()?;
        self.collect()?;
        if !self.imposed.stop(&mut self.configuration)? {
            return Err(self.dependent());
        }
        let n = self.state.poses.len();
        self.state.poses.copy_from_slice(&self.configuration.poses()[..n]);
        Ok(())
    }

    /// Puts the positions on joints and closed gaps, those of `closing` among them if they are not redundant.
    pub(super) fn meet(&mut self, closing: &[ContactId]) -> Result<(), Error> {
        let kept = self.closed.clone();
        let only = |id: &ContactId| Closed {
            id: *id,
            friction: [Friction::None; 3],
            imposed: std::array::from_fn(|row| row == 0),
        };
        self.closed.extend(closing.iter().map(only));
        let met = self.restore_positions();
        self.closed = kept;
        match met {
            Err(Error::Dependent { .. }) => self.restore_positions(),
            met => met,
        }
    }

    fn restore_positions(&mut self) -> Result<(), Error> {
        let mut best = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            self.collect()?;
            self.configuration.defects(&mut self.bottom);
            let worst = self.bottom.iter().fold(self.imposed.gap(), |a, b| a.max(b.abs()));
            if worst <= CLOSED || worst > 0.5 * best {
                break;
            }
            best = worst;
            self.configuration.factor()?;
            self.top.fill(0.0);
            self.bottom.iter_mut().for_each(|b| *b = -*b);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            if !self.imposed.close(&mut self.configuration, &mut self.top)? {
                return Err(self.dependent());
            }
            self.configuration.displace(&self.top, 1.0);
            self.look()?;
        }
        Ok(())
    }

    /// Gap below zero at which an open contact closes \[m, rad\].
    pub(super) fn ahead(&self) -> f64 {
        self.ahead
    }

    /// Whether the gap of the watched contact number `k` grows.
    pub(super) fn leaves(&self, k: usize) -> bool {
        let found = self.found.binary_search_by_key(&self.watched[k], |f| f.id);
        found.is_ok_and(|k| self.found[k].rate(self.configuration.poses()) > 0.0)
    }

    /// Open contacts that have entered the material, too soon after a restart for a root function to see it.
    pub(super) fn entered(&self) -> Vec<ContactId> {
        let open = self.found.iter().filter(|c| self.watched.contains(&c.id));
        open.filter(|c| c.gap < -ENTERED).map(|c| c.id).collect()
    }

    /// Whether friction somewhere pushes along the slip: it has reversed too soon after a restart for a root function to see it.
    pub(super) fn reversed(&self) -> bool {
        let slips = |closed: &Closed| {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { return false };
            closed.friction.iter().enumerate().any(|(g, friction)| match friction {
                Friction::Slip(before) => {
                    let velocity = mode::velocity(&self.found[k], g, self.configuration.poses());
                    mode::slip(velocity, *before).0 < -STOPPED
                }
                _ => false,
            })
        };
        self.closed.iter().any(slips)
    }

    /// Whether the decision at the configuration would be the modes it has.
    pub(super) fn lasts(&mut self) -> Result<bool, Error> {
        self.configuration.factor()?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        let (mut touching, mut friction) = (Vec::new(), Vec::new());
        for closed in &self.closed {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { return Ok(false) };
            touching.push(self.found[k]);
            friction.push(std::array::from_fn(|g| match closed.friction[g] {
                Friction::Slip(before) => {
                    let velocity = mode::velocity(&self.found[k], g, self.configuration.poses());
                    Friction::Slip(mode::slip(velocity, before).1)
                }
                other => other,
            }));
        }
        let decision = decide(&mut self.configuration, &touching, &self.top, friction)?;
        Ok(matches!(decision, Decision::Modes(now, _) if mode::alike(&now, &self.closed)))
    }

    /// Names the error of an evaluation for the integrator.
    fn failed(&self, error: &Error) -> EvalError {
        let (element, time, reason) = ("contact".to_owned(), self.configuration.time(), error.to_string());
        EvalError::Recoverable { element, time, reason }
    }

    /// c_g Lambda_N - |Lambda_g| of a sticking group of closed contact `c`, number `k` of those found.
    fn margin_of_stick(&self, c: usize, k: usize, g: usize) -> f64 {
        let multipliers = &self.imposed.multipliers[c];
        let size = multipliers[mode::rows(g)].iter().map(|x| x * x).sum::<f64>().sqrt();
        mode::coefficient(&self.found[k].surface, g) * multipliers[0] - size
    }

    fn write_roots(&mut self, roots: &mut [f64]) -> Result<(), Error> {
        let mut next = 0;
        for id in &self.watched {
            let known = self.found.binary_search_by_key(id, |f| f.id);
            roots[next] = known.map_or(self.margin.min(1.0), |k| self.found[k].gap) + self.ahead;
            next += 1;
        }
        if !self.guarded {
            roots[next] = if self.lasts()? { 1.0 } else { -1.0 };
            next += 1;
        } else if !self.closed.is_empty() {
            self.accelerations()?;
        }
        for (c, closed) in self.closed.iter().enumerate() {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { continue };
            for watch in watches(c, closed, self.guarded) {
                roots[next] = match (watch, closed.friction) {
                    (Watch::Friction(_, g), friction) => match friction[g] {
                        Friction::Slip(before) => {
                            mode::slip(mode::velocity(&self.found[k], g, self.configuration.poses()), before).0
                        }
                        _ => self.margin_of_stick(c, k, g),
                    },
                    _ => self.imposed.multipliers[c][0],
                };
                next += 1;
            }
        }
        Ok(())
    }
}

impl<C> Flow<C> {
    /// The meaning of root function `index`.
    pub(super) fn watch(&self, index: usize) -> Option<Watch> {
        let gaps = (0..self.watched.len()).map(Watch::Gap);
        let closed = self.closed.iter().enumerate().flat_map(|(c, closed)| watches(c, closed, self.guarded));
        let modes = (!self.guarded).then_some(Watch::Modes);
        gaps.chain(modes).chain(closed).nth(index)
    }
}

impl<C: Contacts> Ode for Flow<C> {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        let evaluated = self.visit(t, y).and_then(|()| self.accelerations().map(|_| ()));
        evaluated.map_err(|e| self.failed(&e))?;
        for ((out, block), u) in yp.chunks_exact_mut(BODY).zip(y.chunks_exact(BODY)).zip(self.top.chunks_exact(6)) {
            let (p, w) = (V3::new(block[3], block[4], block[5]), V3::new(block[9], block[10], block[11]));
            out[..3].copy_from_slice(&block[6..9]);
            out[3..6].copy_from_slice(rotation_rate(&p, &w).as_slice());
            out[6..].copy_from_slice(u);
        }
        let drives = BODY * self.state.poses.len();
        self.configuration.drive_rates(&mut yp[drives..]);
        Ok(())
    }

    fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvalError> {
        let settled = self.visit(t, y).and_then(|()| self.restore());
        settled.map_err(|e| self.failed(&e))?;
        for ((block, pose), reference) in y.chunks_exact_mut(BODY).zip(&self.state.poses).zip(&self.reference) {
            // By a quaternion: the cosine of a small angle has lost half its digits.
            let turn = nalgebra::Rotation3::from_matrix_unchecked(pose.a * reference.transpose());
            let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&turn);
            block[..3].copy_from_slice(pose.x.as_slice());
            block[3..6].copy_from_slice(turn.scaled_axis().as_slice());
            block[6..9].copy_from_slice(pose.v.as_slice());
            block[9..].copy_from_slice(pose.w.as_slice());
        }
        Ok(())
    }

    fn before_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        self.visit(t, y).map_err(|e| self.failed(&e))?;
        for closed in &mut self.closed {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { continue };
            for (g, friction) in closed.friction.iter_mut().enumerate() {
                if let Friction::Slip(before) = friction {
                    *before = mode::slip(mode::velocity(&self.found[k], g, self.configuration.poses()), *before).1;
                }
            }
        }
        self.configuration.mechanism().count_angles(&mut self.state, self.configuration.poses());
        let turned = y.chunks_exact(BODY).any(|b| V3::new(b[3], b[4], b[5]).norm() > TURNED);
        if turned {
            let state = self.state.clone();
            self.write(&state, y);
        }
        Ok(turned)
    }

    fn root_count(&self) -> usize {
        let closed = self.closed.iter().enumerate();
        self.watched.len()
            + usize::from(!self.guarded)
            + closed.map(|(c, closed)| watches(c, closed, self.guarded).count()).sum::<usize>()
    }

    fn root_name(&self, i: usize) -> String {
        match self.watch(i) {
            Some(Watch::Gap(k)) => format!("gap of {:?}", self.watched[k]),
            Some(Watch::Modes) => "modes of redundant contacts".to_owned(),
            Some(Watch::Normal(k)) => format!("normal force of {:?}", self.closed[k].id),
            Some(Watch::Friction(k, g)) => format!("friction {g} of {:?}", self.closed[k].id),
            None => format!("root function {i}"),
        }
    }

    fn roots(&mut self, t: f64, y: &[f64], _: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let written = self.visit(t, y).and_then(|()| self.write_roots(roots));
        written.map_err(|e| self.failed(&e))
    }
}

/// p' of A = exp(p) A_ref that turns with omega.
fn rotation_rate(p: &V3, w: &V3) -> V3 {
    let square = p.norm_squared();
    let factor = if square < 1e-4 {
        // Series of (1 - a cot a)/(4 a^2), a = |p|/2.
        1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    } else {
        let angle = square.sqrt();
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / square
    };
    let across = p.cross(w);
    w - across * 0.5 + p.cross(&across) * factor
}
