//! What depends on the time by itself, compared within each step with the polynomial that the integrator makes of it ([`Samples`]). The
//! difference d over the step h is an impulse h d that the method does not see.

use super::equations::Equations;
use super::timed::{Effect, Timed};
use crate::dae::StepErrors;
use crate::samples::NODES;

impl Equations {
    /// Largest error, in tolerances, that a step of length `h` to `t` makes of functions of time by a polynomial of degree `order`; `errors`
    /// gives what a unit of each unknown is in tolerances. The state is that of the last evaluation.
    pub(super) fn defect_of_time(&mut self, t: f64, h: f64, order: usize, errors: &dyn StepErrors) -> f64 {
        if self.timed.samples.is_empty() {
            return 0.0;
        }
        let mut timed = std::mem::take(&mut self.timed);
        let nodes = (order + 1).min(NODES);
        // A BDF of order k is exact for the polynomial through k values of a force; what the next one makes of it, the test of velocities sees.
        let of_forces = if self.formulation.stabilized() { nodes } else { order.min(NODES) };
        let Timed { programs, drives, samples, largest } = &mut timed;
        largest.fill(0.0);
        samples.compare(
            [t, h, f64::NEG_INFINITY],
            |i| if i < programs.len() { of_forces } else { nodes },
            |time, values| self.evaluate_timed(programs, drives, time, values),
            |_, differences| {
                largest.iter_mut().zip(differences).for_each(|(largest, d)| *largest = largest.max(d.abs()));
            },
        );
        let of = |effect: &Effect, d: f64| {
            let most = (effect.first..effect.first + effect.count).map(|i| errors.weight(i)).fold(0.0, f64::max);
            most * effect.factor * d * h.powi(effect.power)
        };
        let (of_programs, of_drives) = timed.largest.split_at(timed.programs.len());
        let programs = timed.programs.iter().zip(of_programs);
        let largest = programs.flat_map(|((_, effects), &d)| effects.iter().map(move |effect| (effect, d)));
        let drives = timed.drives.iter().zip(of_drives).map(|((_, effect), &d)| (effect, d));
        let defect = largest.chain(drives).map(|(effect, d)| of(effect, d)).fold(0.0, f64::max);
        self.timed = timed;
        defect
    }

    fn evaluate_timed(
        &mut self,
        programs: &[(usize, Vec<Effect>)],
        drives: &[(usize, Effect)],
        t: f64,
        values: &mut [f64],
    ) {
        let (of_programs, of_drives) = values.split_at_mut(programs.len());
        self.loads.timed(&self.mechanism, t, programs.iter().map(|(p, _)| *p), of_programs);
        let t = self.loads.break_state().sided(t);
        for (value, (d, _)) in of_drives.iter_mut().zip(drives) {
            *value = self.mechanism.drives[*d].function.time_derivatives(t, &mut self.stack)[0];
        }
    }
}
