//! The motion between two events as an explicit system y' = f(t, y): accelerations with the closed contacts held.
//!
//! y holds for each body x, a rotation vector p from a reference orientation (A = exp(p) A_ref), V and omega, then the unknowns of
//! motions. p' = omega - p x omega/2 + (1 - |p| (1 + cos |p|)/(2 sin |p|)) p x (p x omega)/|p|^2. At the end of each step positions and
//! velocities are put back on joints, closed gaps and sticking directions in the mass norm; before the next, references are moved.

use super::flow::{BODY, Flow};
use super::groups;
use super::mode::{self, Closed, Friction, Watch};
use crate::configuration::scatter;
use crate::error::Error;
use crate::unilateral::{Contacts, Row};
use fourbar_multibody::dae::{ErrorWeights, EvalError, Unknown};
use fourbar_multibody::ode::{Fast, Ode};
use fourbar_multibody::space::V3;

/// Turn from the reference orientation at which the reference is moved \[rad\].
const TURNED: f64 = 0.5;

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
        self.write_rates(y, yp);
        Ok(())
    }

    /// The angles by which slip turns in a step.
    fn fast_count(&self) -> usize {
        let slips = |closed: &Closed| (0..3).filter(|&g| turns(closed, g)).count();
        self.modes.closed.iter().map(slips).sum()
    }

    fn rhs_fast(&mut self, t: f64, y: &[f64], w: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        let evaluated = self.visit(t, y).and_then(|()| self.accelerations_turned(Some(w)).map(|_| ()));
        evaluated.map_err(|e| self.failed(&e))?;
        self.write_rates(y, yp);
        Ok(())
    }

    /// Slip of velocity u has the direction d, 0 = g = p.u, p across d; then dg/dw = -d.u, and the force turns by -c_g N p dw, to which
    /// the other rows answer as they hold.
    fn fast(&mut self, fast: &mut Fast) -> Result<(), EvalError> {
        let n = self.dimension();
        for c in 0..self.modes.closed.len() {
            let closed = self.modes.closed[c];
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { continue };
            let contact = self.found[k];
            for g in (0..3).filter(|&g| turns(&closed, g)) {
                let ([a, b], d) = ([groups::rows(g).start, groups::rows(g).start + 1], self.imposed.directions[c][g]);
                let u = mode::velocity(&contact, g, self.configuration.poses());
                fast.residual.push(u[1] * d[0] - u[0] * d[1]);
                fast.slope.push(-u[0] * d[0] - u[1] * d[1]);
                let (a, b) = (contact.rows[a], contact.rows[b]);
                let across = Row {
                    g: b.g * d[0] - a.g * d[1],
                    gi: b.gi * d[0] - a.gi * d[1],
                    gj: b.gj * d[0] - a.gj * d[1],
                    drift: 0.0,
                };
                let across = (contact.bodies, across);
                let force = groups::coefficient(&contact.surface, g) * self.imposed.multipliers[c][0];
                let answered = self.imposed.answer(&mut self.configuration, &across, &mut self.top);
                answered.map_err(|e| self.failed(&e))?;
                spread(&self.top, -force, n, &mut fast.effect);
                self.top.fill(0.0);
                scatter(&across, 1.0, &mut self.top);
                spread(&self.top, 1.0, n, &mut fast.by_y);
            }
        }
        Ok(())
    }

    fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<(), EvalError> {
        let settled = self.visit(t, y).and_then(|()| self.restore());
        settled.and_then(|()| self.settle_states()).map_err(|e| self.failed(&e))?;
        let first = self.first_state();
        y[first..].copy_from_slice(self.configuration.mechanism().states_in(&self.state.drives));
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
        self.visit(t, y).and_then(|()| self.follow_states(y)).map_err(|e| self.failed(&e))?;
        for closed in &mut self.modes.closed {
            let Ok(k) = self.found.binary_search_by_key(&closed.id, |f| f.id) else { continue };
            for (g, friction) in closed.friction.iter_mut().enumerate() {
                if let Friction::Slip(before) = friction {
                    let u = mode::velocity(&self.found[k], g, self.configuration.poses());
                    *before = mode::slip(u, *before, self.thresholds.slip(g)).1;
                }
            }
        }
        self.configuration.mechanism().count_angles(&mut self.state, self.configuration.poses());
        let turned = y.chunks_exact(BODY).any(|b| V3::new(b[3], b[4], b[5]).norm() > TURNED);
        if turned {
            self.write_state(y);
        }
        Ok(turned)
    }

    fn weighs(&self) -> bool {
        self.has_states()
    }

    /// Bodies as without unknowns of the user: by what is typical of them.
    fn weigh(&self, _y: &[f64], weights: &mut ErrorWeights<'_>) {
        let first = self.first_state();
        for (absolute, unknown) in weights.absolute.iter_mut().zip(&self.unknowns[..first]) {
            *absolute = absolute.max(weights.relative * unknown.typical);
        }
        self.state_sizes.weigh(weights, first);
    }

    fn root_count(&self) -> usize {
        self.watch_count()
    }

    fn root_name(&self, i: usize) -> String {
        match self.watch(i) {
            Some(Watch::Gap(k)) => format!("gap of {:?}", self.modes.watched[k]),
            Some(Watch::New) => "gap of contacts that come within reach".to_owned(),
            Some(Watch::Modes) => "modes of redundant contacts".to_owned(),
            Some(Watch::Pole) => "bound of the forces".to_owned(),
            Some(Watch::Region(k)) => format!("region of {:?}", self.modes.closed[k].id),
            Some(Watch::Normal(k)) => format!("normal force of {:?}", self.modes.closed[k].id),
            Some(Watch::Friction(k, g)) => format!("friction {g} of {:?}", self.modes.closed[k].id),
            None => format!("root function {i}"),
        }
    }

    fn roots(&mut self, t: f64, y: &[f64], _: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let written = self.visit(t, y).and_then(|()| self.write_roots(roots));
        written.map_err(|e| self.failed(&e))?;
        roots.iter_mut().zip(&self.modes.shifts).for_each(|(root, shift)| *root += shift);
        Ok(())
    }
}

/// p' of A = exp(p) A_ref that turns with omega.
fn rotation_rate(p: &V3, w: &V3) -> V3 {
    let square = p.norm_squared();
    let factor = if square < 1e-4 {
        // Series of (1 - a cot a)/(4 a^2), a = |p|/2: the next term is below round-off.
        1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    } else {
        let angle = square.sqrt();
        (1.0 - 0.5 * angle / (0.5 * angle).tan()) / square
    };
    let across = p.cross(w);
    w - across * 0.5 + p.cross(&across) * factor
}

impl<C> Flow<C> {
    fn has_states(&self) -> bool {
        !self.configuration.mechanism().user_states().is_empty()
    }

    /// First unknown of the user in y.
    fn first_state(&self) -> usize {
        self.unknowns.len() - self.configuration.mechanism().user_states().len()
    }

    /// Lets the sizes of the unknowns of the user know where they are and how fast they go.
    fn follow_states(&mut self, y: &[f64]) -> Result<(), Error> {
        if !self.has_states() {
            return Ok(());
        }
        self.configuration.forces(&self.state, &mut self.top)?;
        let mut rates = vec![0.0; y.len() - BODY * self.state.poses.len()];
        self.configuration.drive_rates(&mut rates);
        let first = self.first_state();
        let states = rates.len() - (y.len() - first);
        for (k, rate) in rates[states..].iter().enumerate() {
            self.state_sizes.follow(k, y[first + k], *rate);
        }
        let Self { configuration, state_sizes, .. } = self;
        state_sizes.weigh_terms(|terms| configuration.state_terms(terms));
        Ok(())
    }

    /// y' from the accelerations in the workspace.
    fn write_rates(&self, y: &[f64], yp: &mut [f64]) {
        for ((out, block), u) in yp.chunks_exact_mut(BODY).zip(y.chunks_exact(BODY)).zip(self.top.chunks_exact(6)) {
            let (p, w) = (V3::new(block[3], block[4], block[5]), V3::new(block[9], block[10], block[11]));
            out[..3].copy_from_slice(&block[6..9]);
            out[3..6].copy_from_slice(rotation_rate(&p, &w).as_slice());
            out[6..].copy_from_slice(u);
        }
        let drives = BODY * self.state.poses.len();
        self.configuration.drive_rates(&mut yp[drives..]);
    }
}

/// Whether group `g` of a closed contact slips in a direction that may turn.
fn turns(closed: &Closed, g: usize) -> bool {
    groups::turns(g) && matches!(closed.friction[g], Friction::Slip(_))
}

/// Appends `factor` times the velocities `u`, six a body, in the places they have in y of `n` entries.
fn spread(u: &[f64], factor: f64, n: usize, columns: &mut Vec<f64>) {
    let from = columns.len();
    columns.resize(from + n, 0.0);
    for (block, u) in columns[from..].chunks_exact_mut(BODY).zip(u.chunks_exact(6)) {
        block[6..].iter_mut().zip(u).for_each(|(out, u)| *out = factor * u);
    }
}
