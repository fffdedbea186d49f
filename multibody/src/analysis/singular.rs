//! Singular positions, where the rank of all rows falls and no choice of rows helps: named in place of what follows from them.

use super::acceleration::{Accelerations, with_ground};
use super::saddle;
use super::uncertain::{Probe, TAKES_PART, largest_way, units};
use crate::error::Error;
use crate::integrator::Error as IntegratorError;
use crate::mechanism::{DROPPED, Mechanism, Rows, System};
use crate::state::State;

/// How much further than rows are open bodies move where the position counts as the cause of an error: 1e-4 rad, or lengths of the mechanism, away from the
/// singular one. Steps that fail have come as near.
const MAGNIFIED: f64 = 1e4;

impl Mechanism {
    /// `error` at `state`, or that it is at or beside a singular position, if it is one that can follow.
    pub(crate) fn at_singular(&self, state: &State, error: Error) -> Error {
        use IntegratorError as I;
        let follows = match &error {
            Error::Singular { .. } | Error::Linear { .. } => true,
            Error::Integrator(error) => {
                matches!(error, I::Evaluation(_) | I::SmallestStep { .. } | I::FixedStep { .. })
            }
            _ => false,
        };
        match if follows { self.dependent_at(state) } else { Vec::new() } {
            constraints if constraints.is_empty() => error,
            constraints => Error::SingularPosition { constraints, time: state.time, source: Box::new(error) },
        }
    }

    /// Joints and motions whose rows depend on each other at `state`, whichever are kept; none at a regular position.
    fn dependent_at(&self, state: &State) -> Vec<String> {
        let chosen = self.chosen_at(state);
        let mechanism = chosen.as_ref().unwrap_or(self);
        let mut system = System::new(mechanism, Rows::Independent);
        system.evaluate_drives(mechanism, state.time, &state.drives);
        system.count_from(&state.angles);
        system.evaluate_metric(mechanism.length);
        system.evaluate_phi(mechanism, &with_ground(&state.poses));
        let named = |takes_part: &dyn Fn(usize) -> bool| -> Vec<String> {
            let own = mechanism.constraints.iter().filter(|bound| {
                bound.rows[..bound.constraint.row_count()]
                    .iter()
                    .any(|row| *row != DROPPED && takes_part(*row as usize))
            });
            let mut sets: Vec<usize> = own.map(|bound| bound.set).collect();
            sets.dedup();
            sets.into_iter().map(|set| mechanism.set_name(set)).collect()
        };
        let unit = units(mechanism);
        let mut kkt = match saddle::factored(mechanism, &system) {
            Ok(kkt) => kkt,
            Err(fourbar_linalg::Error::Singular { row, column, .. }) => {
                let first = 6 * mechanism.bodies.len();
                return named(&|k| [row, column].contains(&(first + k)));
            }
            Err(_) => return Vec::new(),
        };
        let (mut top, mut bottom) = (vec![0.0; 6 * mechanism.bodies.len()], unit.clone());
        let mut magnified = 0.0_f64;
        // Inverse iteration: what opens rows most for the least loads.
        for _ in 0..3 {
            top.fill(0.0);
            if kkt.solve(&mut top, &mut bottom).is_err() {
                magnified = f64::INFINITY;
                break;
            }
            magnified = magnified.max(largest_way(mechanism, &top));
            let most = bottom.iter().zip(&unit).fold(0.0_f64, |most, (row, unit)| most.max((row * unit).abs()));
            bottom.iter_mut().zip(&unit).for_each(|(row, unit)| *row *= unit * unit / most);
        }
        if magnified < MAGNIFIED {
            return Vec::new();
        }
        named(&|k| (bottom[k] / unit[k]).abs() >= TAKES_PART)
    }
}

/// Workspace of the question whether a state lies beside a singular position.
#[derive(Debug, Clone)]
pub(crate) struct Neighbourhood {
    accelerations: Accelerations,
    probe: Probe,
}

impl Neighbourhood {
    /// Nothing where the start is singular.
    pub(crate) fn new(mechanism: &Mechanism) -> Option<Self> {
        let mut accelerations = Accelerations::new(mechanism, mechanism.start()).ok()?;
        accelerations.solve(mechanism, &mut mechanism.start().clone()).ok()?;
        let probe = Probe::new(mechanism, &mut accelerations);
        Some(Self { accelerations, probe })
    }

    /// Whether rows nearly depend on each other at `state`.
    pub(crate) fn holds(&mut self, mechanism: &Mechanism, state: &State) -> bool {
        // Where they depend altogether it fails, and that is what is asked.
        let _ = self.accelerations.solve(mechanism, &mut state.clone());
        self.probe.is_beside(&mut self.accelerations, mechanism)
    }
}
