//! How large the terms are of which the rates of the unknowns of the user are made: their rounding is that of the rates, which may be nothing but that. The
//! integral of a controller at its set point has a rate of terms that cancel.
//!
//! | of | terms |
//! |---|---|
//! | a value at hand: time, input, unknown | its magnitude |
//! | a length between markers | its magnitude, and the coordinates of both bodies and the arms of the markers, of which it is the difference |
//! | a speed | likewise, with speeds for coordinates |
//! | an angle | its magnitude, and 1 |
//! | an expression | its magnitude, and the terms of what it uses times the slopes by these |

use super::Loads;
use crate::measure::{Kinematic, KinematicQuantity, Source};
use crate::mechanism::{Mechanism, Value};
use crate::space::{FixedFrame, Pose};

/// Measures on which rates depend, as places among those that forces use, and room for the terms of all.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    used: Vec<usize>,
    terms: Vec<f64>,
}

impl Terms {
    pub(super) fn new(mechanism: &Mechanism) -> Self {
        let places = &mechanism.force_measures;
        let mut used = vec![false; places.len()];
        let mark = |slots: &[usize], used: &mut [bool]| {
            let measures = slots.iter().filter_map(|slot| slot.checked_sub(1));
            measures.filter_map(|m| mechanism.force_measure_place(m)).for_each(|at| used[at] = true);
        };
        for state in &mechanism.states {
            if let Value::Program(program) = &mechanism.programs[state.program].value {
                mark(program.slots(), &mut used);
            }
        }
        // They are in the order of their evaluation.
        for at in (0..places.len()).rev() {
            if let (true, Source::Expression(program)) = (used[at], &mechanism.measures[places[at]].source) {
                mark(program.slots(), &mut used);
            }
        }
        Self { used: (0..used.len()).filter(|&at| used[at]).collect(), terms: vec![0.0; places.len()] }
    }
}

impl Loads {
    /// Writes the sizes of the terms of each rate at the point that was evaluated last, 0 of those that a host gives.
    pub fn rate_terms(&mut self, mechanism: &Mechanism, poses: &[Pose], out: &mut [f64]) {
        let mut own = std::mem::take(&mut self.terms);
        for &at in &own.used {
            let m = mechanism.force_measures[at];
            own.terms[at] = match &mechanism.measures[m].source {
                Source::Kinematic(kinematic) => self.slots[m + 1].abs() + behind(kinematic, poses),
                Source::Expression(program) => {
                    self.gradient_of(program, mechanism.watched.of_measure(at));
                    self.slots[m + 1].abs() + self.carried(mechanism, program.slots(), &own.terms)
                }
                _ => self.slots[m + 1].abs(),
            };
        }
        for (out, state) in out.iter_mut().zip(&mechanism.states) {
            *out = 0.0;
            if let Value::Program(program) = &mechanism.programs[state.program].value {
                self.gradient_of(program, mechanism.watched.of_program(state.program));
                *out = self.values[state.program].abs() + self.carried(mechanism, program.slots(), &own.terms);
            }
        }
        self.terms = own;
    }

    /// The terms in `slots` times the partial derivatives by them. Where one of these is infinite (the root of 0) its part is left to the error test.
    fn carried(&self, mechanism: &Mechanism, slots: &[usize], terms: &[f64]) -> f64 {
        let carried = slots.iter().zip(&self.partials).map(|(&slot, partial)| {
            let place = slot.checked_sub(1).and_then(|m| mechanism.force_measure_place(m));
            partial.abs() * place.map_or(self.slots[slot].abs(), |at| terms[at])
        });
        carried.filter(|part| part.is_finite()).sum()
    }
}

/// What a measure is a difference of.
fn behind(measure: &Kinematic, poses: &[Pose]) -> f64 {
    let of = |size: &dyn Fn(&FixedFrame) -> f64| size(&measure.i) + size(&measure.j);
    match measure.quantity {
        KinematicQuantity::Position(_) | KinematicQuantity::Distance => {
            of(&|marker| poses[marker.body].x.amax() + marker.r.amax())
        }
        KinematicQuantity::Velocity { .. } | KinematicQuantity::DistanceRate => {
            of(&|marker| poses[marker.body].v.amax() + poses[marker.body].w.amax() * marker.r.amax())
        }
        KinematicQuantity::AngularVelocity(_) => of(&|marker| poses[marker.body].w.amax()),
        KinematicQuantity::Angle(_)
        | KinematicQuantity::Bearing
        | KinematicQuantity::Inclination
        | KinematicQuantity::Elevation => 1.0,
    }
}
