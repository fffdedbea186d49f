//! What depends on the time by itself, compared within each step with the polynomial that the integrator makes of it ([`Samples`]). The
//! difference d over the step h is an impulse h d that the method does not see. Where it would be too large for free bodies, what it moves is asked of the
//! matrix of the step, joints included: a body that nothing can turn is not turned by a torque.

use super::equations::Equations;
use super::timed::{Effect, Timed};
use crate::dae::StepErrors;
use crate::samples::NODES;

/// Part of what a free body would do below which its joints hold it: above round-off of the matrix, as for the rank of rows.
const HELD: f64 = 1e-8;

impl Equations {
    /// Largest error, in tolerances, that a step of length `h` to `t` makes of functions of time by a polynomial of degree `order`; `errors`
    /// gives what a unit of each unknown is in tolerances. The state is that of the last evaluation.
    pub(super) fn defect_of_time(&mut self, t: f64, h: f64, order: usize, errors: &mut dyn StepErrors) -> f64 {
        if self.timed.samples.is_empty() {
            return 0.0;
        }
        let mut timed = std::mem::take(&mut self.timed);
        let nodes = (order + 1).min(NODES);
        // A BDF of order k is exact for the polynomial through k values of a force; what the next one makes of it, the test of velocities sees.
        let of_forces = if self.formulation.stabilized() { nodes } else { order.min(NODES) };
        let Timed { programs, drives, samples, largest, .. } = &mut timed;
        largest.fill(0.0);
        samples.compare(
            [t, h, f64::NEG_INFINITY],
            |i| if i < programs.len() { of_forces } else { nodes },
            |time, values| self.evaluate_timed(programs, drives, time, values),
            |_, differences| {
                largest.iter_mut().zip(differences).for_each(|(largest, d)| *largest = largest.max(d.abs()));
            },
        );
        let Timed { programs, drives, largest, response, .. } = &mut timed;
        let (of_programs, of_drives) = largest.split_at(programs.len());
        let of_programs = programs.iter().zip(of_programs);
        let forces = of_programs.flat_map(|((_, effects), &d)| effects.iter().map(move |effect| (effect, d)));
        let drives = drives.iter().zip(of_drives).map(|((_, effect), &d)| (effect, d));
        let mut defect = 0.0_f64;
        for (effect, d) in forces.chain(drives) {
            let most = (effect.first..effect.first + effect.count).map(|i| errors.weight(i)).fold(0.0, f64::max);
            let free = most * effect.factor * d * h.powi(effect.power);
            let moved = if free > defect.max(1.0) { free * freedom(effect, response, errors) } else { free };
            defect = defect.max(moved);
        }
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

/// Largest part of what it would do to a free body that a force of any direction does, joints included.
fn freedom(effect: &Effect, response: &mut [f64], errors: &mut dyn StepErrors) -> f64 {
    let Some((row, inertia)) = effect.load else { return 1.0 };
    let mut most = 0.0_f64;
    for k in 0..effect.count {
        response.fill(0.0);
        response[row + k] = 1.0;
        errors.solve(response);
        let own = response[effect.first..effect.first + effect.count].iter();
        most = own.fold(most, |most, d| most.max((d * inertia * errors.slope()).abs()));
    }
    match most {
        most if most < HELD => 0.0,
        most => most.min(1.0),
    }
}
