//! What depends on the time by itself, compared within each step with the polynomial that the integrator makes of it ([`Samples`](fourbar_dae::samples::Samples)).
//!
//! The unknowns stay what they are at the end of the step, and the flows and rates of the components that signals of time drive are sampled. Their
//! difference from the polynomial is a change d of the residual, and that of the unknowns solves (dF/dy + c dF/dy') delta = d, c = 1/(h beta_0): h beta_0 d in a
//! large volume, what balances d in a small one, which follows at once, and in a junction. Waves that leave the end of a line where a signal
//! holds the pressure enter no equation before they arrive: they are compared by themselves.

use super::Circuit;
use super::evaluate::Workspace;
use super::plan::{Place, Plan, Row};
use super::timed::{Sampled, Timed};
use crate::fluid::PRESSURE;
use fourbar_dae::StepErrors;

impl Circuit {
    /// Largest error, in tolerances, that a step of length `h` to `t` makes of functions of time by polynomials of degree `order`. The unknowns
    /// are those of the last evaluation.
    pub(super) fn defect_of_time(&mut self, [t, h]: [f64; 2], order: usize, errors: &mut dyn StepErrors) -> f64 {
        let (plan, work) = (&*self.plan, &mut self.work);
        if work.timed.sampled.is_empty() || !(work.timed.on_time || work.inputs_move()) {
            return 0.0;
        }
        let mut timed = std::mem::take(&mut work.timed);
        let Timed { signals, parts, sampled, samples, factors, residual, .. } = &mut timed;
        for (factor, sampled) in factors.iter_mut().zip(sampled.iter()) {
            *factor = work.factor(plan, *sampled);
        }
        let passed = work.break_state.passed();
        let tolerance = work.waves.tolerance;
        let mut defect = 0.0_f64;
        samples.compare(
            [t, h, passed],
            |_| order + 1,
            |time, values| {
                work.drive_parts(plan, time, signals, parts);
                for (value, sampled) in values.iter_mut().zip(sampled.iter()) {
                    *value = work.sample(plan, *sampled);
                }
            },
            |values, differences| {
                residual.fill(0.0);
                let mut moved = false;
                for (i, (value, d)) in
                    values.iter().zip(differences.iter()).enumerate().filter(|(_, (_, d))| **d != 0.0)
                {
                    match sampled[i] {
                        Sampled::Row(_, row) => {
                            residual[row.equation()] += factors[i] * d;
                            moved = true;
                        }
                        Sampled::Wave(..) => defect = defect.max(d.abs() / (tolerance * (value.abs() + PRESSURE))),
                    }
                }
                if moved {
                    errors.solve(residual);
                    let sizes = residual.iter().enumerate().map(|(i, d)| d.abs() * errors.weight(i));
                    // What cannot be evaluated there is no reason for shorter steps.
                    defect = sizes.filter(|size| size.is_finite()).fold(defect, f64::max);
                }
            },
        );
        work.timed = timed;
        defect
    }
}

impl Workspace {
    /// Change of the residual for a unit of what is sampled.
    fn factor(&self, plan: &Plan, sampled: Sampled) -> f64 {
        match sampled {
            Sampled::Row(_, Row::Node { node, .. }) => match plan.nodes[node].place {
                Place::Unknown(i) if plan.nodes[node].stores => {
                    -plan.fluid.bulk_modulus(self.unknown(i)) / self.balance[node][1]
                }
                _ => 1.0,
            },
            Sampled::Row(_, Row::State { .. }) => -1.0,
            Sampled::Wave(..) => 1.0,
        }
    }

    /// The value of what is sampled.
    fn sample(&self, plan: &Plan, sampled: Sampled) -> f64 {
        match sampled {
            Sampled::Row(p, Row::Node { port, .. }) => self.responses[p].flow[port],
            Sampled::Row(p, Row::State { state, .. }) => self.responses[p].rate[state],
            Sampled::Wave(k, end) => self.leaving(plan, k)[end],
        }
    }
}
