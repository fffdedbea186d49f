//! Projection onto the constraints in the mass norm: positions first, (15'), then velocities, (17').
//!
//! ```text
//! [ M       Phi_q^T ] (dq )   ( J^T eta_N )         0 <= eta_N _|_ g_N + J dq >= 0
//! [ Phi_q   0       ] (eta) = ( -Phi      )         q <- q + dq
//! ```
//!
//! The contacts near enough to be reached take part as complementarity: a correction of the joints never pushes a body into a
//! wall, and what has penetrated is moved out. Repeated with fresh Jacobians it converges quadratically to Phi = 0, g_N >= 0, near
//! to but not exactly at the closest such point; [`Projection::exact`] puts -M (q - q~) on top of the right-hand side, q~ the
//! position before, and converges linearly to the closest point itself. Positions move as x += dx, A = exp(dp) A.

use crate::Budget;
use crate::configuration::{Configuration, Delassus, gather};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::scene_scales::{SceneScales, is_angle};
use crate::unilateral::{Contacts, Surface, Unilateral};
use fourbar_multibody::State;
use nalgebra::{Rotation3, UnitQuaternion};
use serde::{Deserialize, Serialize};

/// Violation that is left alone by default, as part of the length of the scene, or in radians: round-off.
const TOLERANCE: f64 = 1e-14;
/// What round-off may leave of a violation, of the size of a position, or as an angle: that of sums of some dozen terms.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;
/// Over what is left alone: violation from which on one that is not halved is taken for as good as it gets, and one of the closest point
/// for gone astray, over the best.
const STALLED: f64 = 1e4;
const GROWN: f64 = 1e3;
/// Closing velocity that projecting velocities leaves, as part of the larger of the violation and the speed of the scene: round-off.
const SLOW: f64 = 1e-15;

/// How positions and velocities are put back on their constraints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Projection {
    /// Most iterations on positions; 0 switches the projection of positions off. The source does one or two.
    pub iterations: usize,
    /// Whether velocities are projected.
    pub velocities: bool,
    /// Violation that is left alone [m, rad]; by default 1e-14 of the length of the scene, or 1e-14 rad. Never less than round-off of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Goes to the closest point in the mass norm rather than to one near it.
    pub exact: bool,
}

impl Default for Projection {
    fn default() -> Self {
        Self { iterations: 10, velocities: true, tolerance: None, exact: false }
    }
}

impl Projection {
    /// No projection at all.
    #[must_use]
    pub fn off() -> Self {
        Self { iterations: 0, velocities: false, ..Self::default() }
    }
}

/// What a projection did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Projected {
    /// Iterations on positions.
    pub iterations: usize,
    /// Largest violation of a joint row before [m, rad].
    pub before: f64,
    /// Largest violation of a joint row or penetration of a contact after [m, rad].
    pub after: f64,
    /// Residual of the complementarity problems, the worst one.
    pub residual: f64,
}

/// Workspace of projections of one mechanism.
#[derive(Debug, Clone)]
pub struct Projector {
    scales: SceneScales,
    /// Violation of a length and of an angle that is left alone in the projection at hand [m, rad].
    allowed: [f64; 2],
    delassus: Delassus,
    found: Vec<Unilateral>,
    surfaces: Vec<Surface>,
    top: Vec<f64>,
    bottom: Vec<f64>,
    origin: Vec<fourbar_multibody::space::Pose>,
    /// What contacts moved the bodies in the last projection of positions.
    pushed: Vec<f64>,
    away: Vec<f64>,
    gaps: Vec<f64>,
    /// Change by the joints alone, which contacts are held against it, these and their gaps then.
    alone: Vec<f64>,
    held: Vec<bool>,
    active: Vec<Unilateral>,
    closing: Vec<f64>,
    solver: ConeSolver,
}

impl Default for Projector {
    /// That of a scene of a metre and a metre a second.
    fn default() -> Self {
        Self {
            scales: SceneScales::UNIT,
            allowed: [0.0; 2],
            delassus: Delassus::default(),
            found: Vec::new(),
            surfaces: Vec::new(),
            top: Vec::new(),
            bottom: Vec::new(),
            origin: Vec::new(),
            pushed: Vec::new(),
            away: Vec::new(),
            gaps: Vec::new(),
            alone: Vec::new(),
            held: Vec::new(),
            active: Vec::new(),
            closing: Vec::new(),
            solver: ConeSolver::default(),
        }
    }
}

impl Projector {
    /// That of a scene.
    #[must_use]
    pub fn in_scene(scales: &SceneScales) -> Self {
        Self { scales: *scales, ..Self::default() }
    }

    /// What the solves to come may cost.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.solver.set_budget(budget);
    }

    /// Projects the positions of `state` with the contacts that `contacts` finds within `margin` \[m, rad\]; velocities stay.
    ///
    /// # Errors
    /// [`Error::Multibody`] where the constraints are singular; those of [`Contacts::find`].
    pub fn positions<C: Contacts + ?Sized>(
        &mut self,
        options: &Projection,
        configuration: &mut Configuration,
        contacts: &mut C,
        margin: f64,
        state: &mut State,
    ) -> Result<Projected, Error> {
        let mut done = Projected::default();
        configuration.look(state);
        self.top.resize(configuration.dimension(), 0.0);
        self.bottom.resize(configuration.row_count(), 0.0);
        self.pushed.clear();
        self.pushed.resize(configuration.dimension(), 0.0);
        self.origin.clone_from(&state.poses);
        // The worst violation so far over what is left alone.
        let mut best = f64::INFINITY;
        loop {
            let place = (state.time, configuration.poses());
            self.scales.find(contacts, place, margin, &mut self.found)?;
            configuration.violations(&mut self.bottom);
            let open = largest(&self.bottom);
            done.after = self.found.iter().fold(open, |worst, c| worst.max(-c.gap));
            if done.iterations == 0 {
                done.before = open;
                self.allow(options.tolerance, configuration);
            }
            let open = self.opening(&self.bottom, configuration);
            let left = self.found.iter().fold(open, |worst, c| worst.max(-c.gap / self.part(c)));
            let settled = if options.exact && done.iterations > 0 {
                self.moving() <= 1.0 && left <= 1.0 || left > GROWN * best.max(1.0)
            } else {
                left <= 1.0 || left > 0.5 * best && best < STALLED
            };
            if settled || done.iterations == options.iterations {
                break;
            }
            best = left;
            done.iterations += 1;
            let residual = self.iterate(options, configuration)?;
            done.residual = done.residual.max(residual);
        }
        configuration.store(state);
        Ok(done)
    }

    /// What is left alone in this projection: not less than round-off of the positions as they are.
    pub(crate) fn allow(&mut self, tolerance: Option<f64>, configuration: &Configuration) {
        let [length, angle] = tolerance.map_or([TOLERANCE * self.scales.length, TOLERANCE], |given| [given; 2]);
        let extent = configuration.poses().iter().fold(self.scales.length, |far: f64, pose| far.max(pose.x.amax()));
        self.allowed = [length.max(ROUND_OFF * extent), angle.max(ROUND_OFF)];
    }

    /// What is left alone of a gap [m, rad].
    fn part(&self, contact: &Unilateral) -> f64 {
        self.allowed[usize::from(is_angle(contact))]
    }

    /// Largest violation of a joint row, over what is left alone of it.
    pub(crate) fn opening(&self, violations: &[f64], configuration: &Configuration) -> f64 {
        let rows = violations.iter().zip(configuration.lengths());
        rows.fold(0.0, |worst, (b, length)| worst.max(b.abs() / self.allowed[usize::from(!length)]))
    }

    /// Largest part of the last displacement, over what is left alone.
    fn moving(&self) -> f64 {
        let of = |d: &[f64]| largest(&d[..3]) / self.allowed[0] + largest(&d[3..]) / self.allowed[1];
        self.top.chunks_exact(6).map(of).fold(0.0, f64::max)
    }

    /// Forgets the last projection of positions: as if there had been none.
    pub(crate) fn forget(&mut self) {
        self.pushed.clear();
    }

    /// What contacts moved the bodies in the last projection of positions, six numbers a body [m, rad]; empty if there was none.
    pub(crate) fn pushed(&self) -> &[f64] {
        &self.pushed
    }

    /// One iteration from the violations in `bottom`; leaves the displacement in `top`.
    fn iterate(&mut self, options: &Projection, configuration: &mut Configuration) -> Result<f64, Error> {
        configuration.factor()?;
        self.bottom.iter_mut().for_each(|b| *b = -*b);
        self.pull(options.exact, configuration);
        configuration.solve(&mut self.top, &mut self.bottom)?;
        self.gaps.clear();
        self.gaps.extend(self.found.iter().map(|contact| contact.gap));
        let found = std::mem::take(&mut self.found);
        self.solver.reference = self.scales.length;
        let slack = self.allowed.map(|allowed| 0.1 * allowed);
        let held = self.hold(configuration, &found, slack);
        self.found = found;
        for ((pushed, d), alone) in self.pushed.iter_mut().zip(&self.top).zip(&self.alone) {
            *pushed += d - alone;
        }
        configuration.displace(&self.top, 1.0);
        held
    }

    /// Adds to the change in `top` what keeps `gaps` + J top >= 0 for `contacts`: a complementarity problem over those that need it and
    /// those that these then close, found round by round, so that its size is theirs and not that of all contacts. Less than
    /// `slack`, of lengths and of angles, is left alone. Returns the residual, over the reference of the solver.
    fn hold(
        &mut self,
        configuration: &mut Configuration,
        contacts: &[Unilateral],
        slack: [f64; 2],
    ) -> Result<f64, Error> {
        self.alone.clone_from(&self.top);
        self.held.clear();
        self.held.resize(contacts.len(), false);
        let mut residual = 0.0_f64;
        loop {
            let mut more = false;
            for ((held, contact), gap) in self.held.iter_mut().zip(contacts).zip(&self.gaps) {
                let slack = slack[usize::from(is_angle(contact))];
                if !*held && gap + gather(&(contact.bodies, contact.rows[0]), &self.top) < -slack {
                    (*held, more) = (true, true);
                }
            }
            if !more {
                return Ok(residual);
            }
            self.active.clear();
            self.closing.clear();
            for ((contact, gap), _) in contacts.iter().zip(&self.gaps).zip(&self.held).filter(|(_, held)| **held) {
                self.active.push(*contact);
                self.closing.push(gap + gather(&(contact.bodies, contact.rows[0]), &self.alone));
            }
            self.delassus.assemble(configuration, &self.active, |_| 0)?;
            self.surfaces.clear();
            self.surfaces.resize(self.active.len(), Surface::smooth());
            let (eta, left) = self.solver.solve(self.delassus.matrix(), &self.surfaces, &self.closing)?;
            residual = residual.max(left);
            self.top.clone_from(&self.alone);
            self.delassus.apply(eta, &mut self.top);
        }
    }

    /// Zero, or -M (q - q~) for the closest point, into `top`.
    fn pull(&mut self, exact: bool, configuration: &Configuration) {
        self.top.fill(0.0);
        if !exact {
            return;
        }
        self.away.resize(self.top.len(), 0.0);
        for ((block, origin), pose) in self.away.chunks_exact_mut(6).zip(&self.origin).zip(configuration.poses()) {
            let turn = Rotation3::from_matrix_unchecked(pose.a * origin.a.transpose());
            let turn = UnitQuaternion::from_rotation_matrix(&turn).scaled_axis();
            for k in 0..3 {
                block[k] = origin.x[k] - pose.x[k];
                block[3 + k] = -turn[k];
            }
        }
        configuration.multiply_mass(&self.away, &mut self.top);
    }

    /// Projects the velocities of `state`, (17'), at its positions; the rates of the contacts in `closed` do not fall below
    /// min(rate, 0) by it. Returns the largest violation found [m/s, rad/s]. Leaves `configuration` factored at these positions.
    ///
    /// # Errors
    /// [`Error::Multibody`] where the constraints are singular.
    pub fn velocities(
        &mut self,
        configuration: &mut Configuration,
        closed: &[Unilateral],
        state: &mut State,
    ) -> Result<f64, Error> {
        configuration.evaluate(state)?;
        self.gaps.clear();
        self.gaps.extend(closed.iter().map(|c| c.rate(configuration.poses()).min(0.0)));
        let worst = configuration.project_velocities()?;
        for (kept, contact) in self.gaps.iter_mut().zip(closed) {
            *kept = contact.rate(configuration.poses()) - *kept;
        }
        self.top.clear();
        self.top.resize(configuration.dimension(), 0.0);
        self.solver.reference = self.scales.speed;
        let slack = [self.scales.speed, self.scales.speed / self.scales.length].map(|speed| SLOW * worst.max(speed));
        self.hold(configuration, closed, slack)?;
        configuration.accelerate(&self.top);
        configuration.store(state);
        Ok(worst)
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}
