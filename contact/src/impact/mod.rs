//! Impacts on a mechanism: the bilateral constraints eliminated, the law applied to the closed contacts, the velocities after.
//!
//! ```text
//! [ M       Phi_q^T ] (du  )   ( J^T S                  )
//! [ Phi_q   0       ] (-S_E) = ( -Phi_q u- - Phi_t      )      (12'), (13')
//! ```
//!
//! The second row holds at the instant of the impact, so that it also takes away whatever velocity error the joints had. S follows
//! from W = J M^ J^T, the velocities J u- after that correction, and an [`ImpactLaw`]. Redundant contacts are ordinary: the
//! velocities after are unique, the impulses are those of the solver.

use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::law::{Impact, ImpactLaw, Outcome};
use crate::unilateral::{Surface, Unilateral};

/// Workspace of impacts on one mechanism.
#[derive(Debug, Clone)]
pub struct MechanismImpact {
    delassus: Delassus,
    surfaces: Vec<Surface>,
    rates: Vec<f64>,
    change: Vec<f64>,
    walls_work: f64,
    speed: f64,
}

impl Default for MechanismImpact {
    fn default() -> Self {
        Self::beside(1.0)
    }
}

/// `error` of the plain impact with the contacts it means.
fn named(error: Error, time: f64, contacts: &[Unilateral]) -> Error {
    match error {
        Error::Unstopped { contacts: which, speed } => {
            let contacts = which.into_iter().map(|c| contacts[c].id).collect();
            Error::Squeezed { contacts, names: Vec::new(), time, left: speed }
        }
        other => other,
    }
}

impl MechanismImpact {
    /// Room for impacts in a scene of a given speed ([`SceneScales::speed`](crate::scene_scales::SceneScales::speed)) [m/s]: velocities that are
    /// round-off of it are no impact. By default 1 m/s.
    #[must_use]
    pub fn beside(speed: f64) -> Self {
        Self {
            delassus: Delassus::default(),
            surfaces: Vec::new(),
            rates: Vec::new(),
            change: Vec::new(),
            walls_work: 0.0,
            speed,
        }
    }

    /// Lets `contacts`, closed ones, collide at the positions and velocities of `configuration`, which must be factored there;
    /// its velocities become those after.
    ///
    /// # Errors
    /// [`Error::Multibody`] if a solve fails; [`Error::Squeezed`] if no impulse ends the impact, the velocities then are those before;
    /// the others of [`ImpactLaw::solve`].
    pub fn collide(
        &mut self,
        law: &ImpactLaw,
        configuration: &mut Configuration,
        contacts: &[Unilateral],
    ) -> Result<Outcome, Error> {
        configuration.project_velocities()?;
        self.delassus.assemble(configuration, contacts, |c| c.surface.friction_rows())?;
        self.surfaces.clear();
        self.surfaces.extend(contacts.iter().map(|c| c.surface));
        self.rates.resize(self.delassus.row_count(), 0.0);
        self.delassus.rates(contacts, configuration.poses(), &mut self.rates);
        let impact = Impact { w: self.delassus.matrix(), rates: &self.rates, surfaces: &self.surfaces };
        let outcome =
            law.solve_beside(&impact, self.speed).map_err(|error| named(error, configuration.time(), contacts))?;
        let normals = contacts.iter().zip(self.delassus.first());
        self.walls_work = -normals.map(|(contact, &at)| outcome.impulses[at] * contact.gap_rate).sum::<f64>();
        self.change.clear();
        self.change.resize(configuration.dimension(), 0.0);
        self.delassus.apply(&outcome.impulses, &mut self.change);
        configuration.accelerate(&self.change);
        Ok(outcome)
    }

    /// Work on the bodies by walls that move with time in the last impact \[J\], -S_N dg/dt of each contact. With [`Outcome::energy`] it
    /// is the change of the kinetic energy, T+ - T-, but for the work of joints whose motion is given.
    #[must_use]
    pub fn walls_work(&self) -> f64 {
        self.walls_work
    }
}
