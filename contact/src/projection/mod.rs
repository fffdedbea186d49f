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

use crate::configuration::{Configuration, Delassus, gather};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::unilateral::{Contacts, Surface, Unilateral};
use fourbar_multibody::State;
use nalgebra::{Rotation3, UnitQuaternion};
use serde::{Deserialize, Serialize};

/// How positions and velocities are put back on their constraints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Projection {
    /// Most iterations on positions; 0 switches the projection of positions off. The source does one or two.
    pub iterations: usize,
    /// Whether velocities are projected.
    pub velocities: bool,
    /// Violation that is left alone [m, rad].
    pub tolerance: f64,
    /// Goes to the closest point in the mass norm rather than to one near it.
    pub exact: bool,
}

impl Default for Projection {
    fn default() -> Self {
        Self { iterations: 10, velocities: true, tolerance: 1e-14, exact: false }
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
#[derive(Debug, Clone, Default)]
pub struct Projector {
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

impl Projector {
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
        let mut best = f64::INFINITY;
        loop {
            contacts.find(state.time, configuration.poses(), margin, &mut self.found)?;
            configuration.defects(&mut self.bottom);
            let open = largest(&self.bottom);
            done.after = self.found.iter().fold(open, |worst, c| worst.max(-c.gap));
            if done.iterations == 0 {
                done.before = open;
            }
            let moved = largest(&self.top);
            let settled = if options.exact && done.iterations > 0 {
                moved <= options.tolerance && done.after <= options.tolerance || done.after > 1e3 * best.max(1e-15)
            } else {
                done.after <= options.tolerance || done.after > 0.5 * best && best < 1e-10
            };
            if settled || done.iterations == options.iterations {
                break;
            }
            best = done.after;
            done.iterations += 1;
            let residual = self.iterate(options, configuration)?;
            done.residual = done.residual.max(residual);
        }
        configuration.store(state);
        Ok(done)
    }

    /// Forgets the last projection of positions: as if there had been none.
    pub(crate) fn forget(&mut self) {
        self.pushed.clear();
    }

    /// What contacts moved the bodies in the last projection of positions, six numbers a body [m, rad]; empty if there was none.
    pub(crate) fn pushed(&self) -> &[f64] {
        &self.pushed
    }

    /// One iteration from the defects in `bottom`; leaves the displacement in `top`.
    fn iterate(&mut self, options: &Projection, configuration: &mut Configuration) -> Result<f64, Error> {
        configuration.factor()?;
        self.bottom.iter_mut().for_each(|b| *b = -*b);
        self.pull(options.exact, configuration);
        configuration.solve(&mut self.top, &mut self.bottom)?;
        self.gaps.clear();
        self.gaps.extend(self.found.iter().map(|contact| contact.gap));
        let found = std::mem::take(&mut self.found);
        let held = self.hold(configuration, &found, 0.1 * options.tolerance);
        self.found = found;
        for ((pushed, d), alone) in self.pushed.iter_mut().zip(&self.top).zip(&self.alone) {
            *pushed += d - alone;
        }
        configuration.displace(&self.top, 1.0);
        held
    }

    /// Adds to the change in `top` what keeps `gaps` + J top >= 0 for `contacts`: a complementarity problem over those that need it and
    /// those that these then close, found round by round, so that its size is theirs and not that of all contacts. Less than
    /// `slack` is left alone. Returns the residual.
    fn hold(&mut self, configuration: &mut Configuration, contacts: &[Unilateral], slack: f64) -> Result<f64, Error> {
        self.alone.clone_from(&self.top);
        self.held.clear();
        self.held.resize(contacts.len(), false);
        let mut residual = 0.0_f64;
        loop {
            let mut more = false;
            for ((held, contact), gap) in self.held.iter_mut().zip(contacts).zip(&self.gaps) {
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
            self.delassus.apply(eta, &mut self.top, &mut []);
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
        self.hold(configuration, closed, 1e-15 * worst.max(1.0))?;
        configuration.accelerate(&self.top);
        configuration.store(state);
        Ok(worst)
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}
