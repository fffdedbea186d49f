//! What an impact must be before a law takes it, and what it must have become after.

use super::collision::{Attempt, Impact};
use crate::error::Error;
use crate::surface::Surface;
use nalgebra::DVector;

/// Closing velocity after an impact, and residual, that count as none: as part of the largest velocity before.
const CLOSES: f64 = 1e-7;

impl Surface {
    /// Refuses coefficients that no surface has; `index` is that of the contact.
    ///
    /// # Errors
    /// [`Error::Coefficient`] unless restitution is 0 to 1 and friction, rolling and spinning are finite and at least 0.
    pub fn check(&self, index: usize) -> Result<(), Error> {
        let refuse = |what, value, remedy| Err(Error::Coefficient { what, place: "contact", index, value, remedy });
        if !(0.0..=1.0).contains(&self.restitution) {
            return refuse("coefficient of restitution", self.restitution, "give a number from 0 to 1");
        }
        let limits = [("friction", self.friction), ("rolling friction", self.rolling), ("spinning", self.spinning)];
        for (what, value) in limits {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(what, value, "give a finite number that is not negative");
            }
        }
        Ok(())
    }
}

impl Impact<'_> {
    /// First row of each contact and, last, the number of rows, of an impact whose numbers fit together.
    pub(super) fn check(&self) -> Result<Vec<usize>, Error> {
        self.surfaces.iter().enumerate().try_for_each(|(c, surface)| surface.check(c))?;
        let first = self.first();
        let rows = first[self.surfaces.len()];
        let shape = self.w.nrows() == rows && self.w.ncols() == rows && self.rates.len() == rows;
        if !shape {
            return Err(Error::Impact {
                reason: format!(
                    "the surfaces ask for {rows} rows, but W is {} x {} and there are {} velocities; give one normal row a \
                     contact and its friction rows after it",
                    self.w.nrows(),
                    self.w.ncols(),
                    self.rates.len()
                ),
            });
        }
        if let Some(k) = self.w.iter().chain(self.rates).position(|x| !x.is_finite()) {
            return Err(Error::Impact { reason: format!("number {k} of W, then the velocities, is not finite") });
        }
        Ok(first)
    }

    /// Whether `attempt` ends the impact: no contact closes any more, by more than round-off of its impulses can say. Of bodies
    /// that are squeezed the impulses grow until their round-off hides the velocities, or a residual is left.
    pub(super) fn ends(&self, first: &[usize], attempt: &Attempt) -> bool {
        let allowed = self.allowed();
        attempt.residual <= CLOSES && self.closing(first, &attempt.impulses).iter().all(|u| *u <= allowed)
    }

    /// The contacts that `attempt` does not stop, all of them if it does not say which, and their fastest closing [m/s].
    pub(super) fn unstopped(&self, first: &[usize], attempt: &Attempt) -> Error {
        let (allowed, closing) = (self.allowed(), self.closing(first, &attempt.impulses));
        let mut contacts: Vec<usize> = (0..closing.len()).filter(|c| closing[*c] > allowed).collect();
        if contacts.is_empty() {
            contacts = (0..closing.len()).filter(|c| attempt.impulses[first[*c]] > 0.0).collect();
        }
        let left = attempt.residual * self.fastest();
        Error::Unstopped { contacts, speed: closing.into_iter().fold(left, f64::max) }
    }

    fn allowed(&self) -> f64 {
        CLOSES * self.fastest()
    }

    /// Largest velocity before the impact [m/s, rad/s].
    pub(crate) fn fastest(&self) -> f64 {
        self.rates.iter().fold(0.0, |a, u| u.abs().max(a))
    }

    /// Closing velocity of each contact after the impulses, or the round-off of its sum W S, whichever is larger.
    fn closing(&self, first: &[usize], impulses: &DVector<f64>) -> Vec<f64> {
        let after = self.after(impulses);
        let closing = |&i: &usize| {
            let size: f64 = self.w.row(i).iter().zip(impulses).map(|(w, s)| (w * s).abs()).sum();
            (f64::EPSILON * size).max(-after[i])
        };
        first[..self.surfaces.len()].iter().map(closing).collect()
    }
}
