//! Delays of inputs and outputs of a sampled system: whole steps are kept samples, fractions are integrals over parts of a step, all
//! exact (Astrom and Wittenmark, *Computer-Controlled Systems*, 3rd ed., section 2.3).

use fourbar_linalg::phi::exponential;
use nalgebra::{DMatrix, DVector, RowDVector};
use std::collections::BTreeMap;

use super::checked::checked;
use crate::error::length;
use crate::{Error, GMatrices, StateSpace};

/// Delays \[s\] of each input and each output; an empty list is no delays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delays {
    /// Of the inputs, m values.
    pub inputs: Vec<f64>,
    /// Of the outputs, q values.
    pub outputs: Vec<f64>,
}

impl Delays {
    /// Most steps that a delay may be long: each is a state, and the matrices are dense.
    pub const MOST_STEPS: usize = 1000;

    pub(super) fn in_steps(&self, inputs: usize, outputs: usize, step: f64) -> Result<StepDelays, Error> {
        let of = |name, delays: &[f64], count: usize| {
            if delays.is_empty() {
                return Ok(vec![Delay::default(); count]);
            }
            length(name, delays.len(), count)?;
            delays.iter().map(|delay| Delay::new(*delay, step)).collect()
        };
        let inputs = of("delays of the inputs", &self.inputs, inputs)?;
        Ok(StepDelays { inputs, outputs: of("delays of the outputs", &self.outputs, outputs)? })
    }
}

/// Delays in steps.
pub(super) struct StepDelays {
    inputs: Vec<Delay>,
    outputs: Vec<Delay>,
}

/// Whole steps, and the part of a step that is left, in \[0, 1).
#[derive(Debug, Clone, Copy, Default)]
struct Delay {
    whole: i64,
    part: f64,
}

impl Delay {
    fn new(delay: f64, step: f64) -> Result<Self, Error> {
        let steps = delay / step;
        if !(0.0..=Delays::MOST_STEPS as f64).contains(&steps) {
            return Err(Error::Setting { name: "delay", value: delay, range: "[0, 1000 steps]" });
        }
        let (whole, part) = split(steps);
        Ok(Self { whole, part })
    }

    fn whole(self, step: f64) -> Result<i64, Error> {
        let value = (self.whole as f64 + self.part) * step;
        let error = Error::Setting { name: "delay", value, range: "whole steps, with this hold" };
        if self.part == 0.0 { Ok(self.whole) } else { Err(error) }
    }
}

/// The whole number below, and the part in \[0, 1) above it; round-off of a quotient makes no part.
fn split(steps: f64) -> (i64, f64) {
    let nearest = steps.round();
    if (steps - nearest).abs() <= 4.0 * f64::EPSILON * steps.abs().max(1.0) {
        return (nearest as i64, 0.0);
    }
    (steps.floor() as i64, steps - steps.floor())
}

/// The weights of u(k + j), by j.
#[derive(Debug, Clone)]
pub(super) struct Taps {
    rows: usize,
    inputs: usize,
    weights: BTreeMap<i64, DMatrix<f64>>,
}

impl Taps {
    fn new(rows: usize, inputs: usize) -> Self {
        Self { rows, inputs, weights: BTreeMap::new() }
    }

    fn add(&mut self, offset: i64, input: usize, weight: &DVector<f64>) {
        let (rows, inputs) = (self.rows, self.inputs);
        let matrix = self.weights.entry(offset).or_insert_with(|| DMatrix::zeros(rows, inputs));
        matrix.column_mut(input).axpy(1.0, weight, 1.0);
    }
}

/// An output: row x(k) + taps, shown `later` steps later.
pub(super) struct Row {
    row: RowDVector<f64>,
    taps: Taps,
    later: usize,
}

/// x(k+1) = `exp` x(k) + taps, and the outputs.
pub(super) struct Sampling {
    exp: DMatrix<f64>,
    taps: Taps,
    rows: Vec<Row>,
}

impl Sampling {
    /// Of a system whose held input is delayed.
    pub(super) fn of_held(system: &StateSpace, step: f64, linear: bool, delays: &StepDelays) -> Result<Self, Error> {
        let held = Held { system, step, linear, delays };
        let (exp, taps) = held.carry(1.0)?;
        let mut rows = Vec::new();
        for (q, delay) in delays.outputs.iter().enumerate() {
            // A part of a step: the output at the time that is left of the step before.
            let (theta, later) = if delay.part == 0.0 { (0.0, 0) } else { (1.0 - delay.part, 1) };
            let (at, state) = held.carry(theta)?;
            let c = system.c().row(q);
            let mut taps = Taps::new(1, system.inputs());
            for (offset, weight) in &state.weights {
                let product = c * weight;
                (0..system.inputs()).for_each(|i| taps.add(*offset, i, &DVector::from_element(1, product[i])));
            }
            held.feedthrough(theta, q, &mut taps);
            rows.push(Row { row: c * at, taps, later: delay.whole as usize + later });
        }
        Ok(Self { exp, taps, rows })
    }

    /// Of a system that is a sampled one already, its samples delayed.
    pub(super) fn of_samples(system: &StateSpace, delays: &StepDelays, step: f64) -> Result<Self, Error> {
        let m = system.inputs();
        let mut taps = Taps::new(system.states(), m);
        let mut rows = Vec::new();
        for (i, delay) in delays.inputs.iter().enumerate() {
            taps.add(-delay.whole(step)?, i, &system.b().column(i).into_owned());
        }
        for (q, delay) in delays.outputs.iter().enumerate() {
            let mut direct = Taps::new(1, m);
            for (i, input) in delays.inputs.iter().enumerate() {
                direct.add(-input.whole, i, &DVector::from_element(1, system.d()[(q, i)]));
            }
            rows.push(Row { row: system.c().row(q).into_owned(), taps: direct, later: delay.whole(step)? as usize });
        }
        Ok(Self { exp: system.a().clone(), taps, rows })
    }

    /// States: x, then u(k-1), u(k-2), ... of each input as far back as any tap reaches, then each delayed output on its way. With X(k+1) = F X(k) +
    /// W_1 u(k+1) + W_0 u(k), z = X - W_1 u(k) obeys z(k+1) = F z(k) + (F W_1 + W_0) u(k).
    pub(super) fn assemble(&self) -> Result<(StateSpace, DMatrix<f64>), Error> {
        let (n, history) = (self.exp.nrows(), self.history());
        let first_output = n + history.iter().sum::<usize>();
        let size = first_output + self.rows.iter().map(|row| row.later).sum::<usize>();
        let mut whole = Whole::new(n, &history, [size, self.rows.len()]);
        whole.f.view_mut((0, 0), (n, n)).copy_from(&self.exp);
        whole.place(0, &self.taps);
        let mut line = first_output;
        for (q, Row { row, taps, later }) in self.rows.iter().enumerate() {
            if *later == 0 {
                whole.show(q, row, taps);
                continue;
            }
            whole.f.view_mut((line, 0), (1, n)).copy_from(row);
            whole.place(line, taps);
            (1..*later).for_each(|j| whole.f[(line + j, line + j - 1)] = 1.0);
            whole.c[(q, line + later - 1)] = 1.0;
            line += later;
        }
        let Whole { f, w: [now, next], c, d, .. } = whole;
        let b = &f * &next + now;
        let d = d + &c * &next;
        Ok((checked(f, b, c, d)?, next))
    }

    /// How far back the taps of each input reach.
    fn history(&self) -> Vec<usize> {
        let mut history = vec![0usize; self.taps.inputs];
        for taps in std::iter::once(&self.taps).chain(self.rows.iter().map(|row| &row.taps)) {
            for (offset, weight) in &taps.weights {
                let acts = |i: usize| weight.column(i).iter().any(|x| *x != 0.0);
                for (_, length) in history.iter_mut().enumerate().filter(|(i, _)| acts(*i)) {
                    *length = (*length).max((-offset).max(0) as usize);
                }
            }
        }
        history
    }
}

/// The system with all that delays keep.
struct Whole {
    f: DMatrix<f64>,
    /// Weights of u(k) and u(k+1).
    w: [DMatrix<f64>; 2],
    c: DMatrix<f64>,
    d: DMatrix<f64>,
    first_sample: Vec<usize>,
}

impl Whole {
    /// With samples that move on by one place in each step, behind `n` states.
    fn new(n: usize, history: &[usize], [size, outputs]: [usize; 2]) -> Self {
        let (m, zeros) = (history.len(), DMatrix::zeros);
        let first_sample: Vec<usize> = (0..m).map(|i| n + history[..i].iter().sum::<usize>()).collect();
        let (mut f, mut now) = (zeros(size, size), zeros(size, m));
        for (i, (first, length)) in first_sample.iter().zip(history).enumerate() {
            (1..*length).for_each(|j| f[(first + j, first + j - 1)] = 1.0);
            if *length > 0 {
                now[(*first, i)] = 1.0;
            }
        }
        Self { f, w: [now, zeros(size, m)], c: zeros(outputs, size), d: zeros(outputs, m), first_sample }
    }

    /// An output that nothing delays.
    fn show(&mut self, output: usize, row: &RowDVector<f64>, taps: &Taps) {
        self.c.view_mut((output, 0), (1, row.len())).copy_from(row);
        for (offset, weight) in &taps.weights {
            for i in (0..taps.inputs).filter(|i| weight[*i] != 0.0) {
                if *offset == 0 {
                    self.d[(output, i)] += weight[i];
                } else {
                    let column = self.sample(i, *offset);
                    self.c[(output, column)] += weight[i];
                }
            }
        }
    }

    /// The state that holds u_i(k + `offset`), `offset` < 0.
    fn sample(&self, i: usize, offset: i64) -> usize {
        self.first_sample[i] + offset.unsigned_abs() as usize - 1
    }

    /// Taps in the rows from `first` on.
    fn place(&mut self, first: usize, taps: &Taps) {
        for (offset, weight) in &taps.weights {
            for i in 0..taps.inputs {
                for r in (0..taps.rows).filter(|r| weight[(*r, i)] != 0.0) {
                    let value = weight[(r, i)];
                    match *offset {
                        0 => self.w[0][(first + r, i)] += value,
                        1 => self.w[1][(first + r, i)] += value,
                        offset => {
                            let column = self.sample(i, offset);
                            self.f[(first + r, column)] += value;
                        }
                    }
                }
            }
        }
    }
}

/// A system under delayed held inputs.
struct Held<'a> {
    system: &'a StateSpace,
    step: f64,
    linear: bool,
    delays: &'a StepDelays,
}

impl Held<'_> {
    /// From x(k) and the samples to the state at (k + `theta`) T.
    fn carry(&self, theta: f64) -> Result<(DMatrix<f64>, Taps), Error> {
        let n = self.system.states();
        let mut taps = Taps::new(n, self.system.inputs());
        for (i, delay) in self.delays.inputs.iter().enumerate() {
            // Up to the part of the delay the sample before counts, from then on the next one.
            let middle = delay.part.min(theta);
            self.segment(&mut taps, i, [0.0, middle, theta], -delay.whole - 1, 1.0 - delay.part)?;
            self.segment(&mut taps, i, [middle, theta, theta], -delay.whole, 0.0)?;
        }
        let exp = if theta == 0.0 { DMatrix::identity(n, n) } else { exponential_to(self.system, theta * self.step)? };
        Ok((exp, taps))
    }

    /// What the input from `from` to `to` does to the state at `end`, all in parts of the step: between the samples `base` and `base` + 1, begun at
    /// `fraction` of the way.
    fn segment(
        &self,
        taps: &mut Taps,
        input: usize,
        [from, to, end]: [f64; 3],
        base: i64,
        fraction: f64,
    ) -> Result<(), Error> {
        let part = to - from;
        if part <= 0.0 {
            return Ok(());
        }
        let g = GMatrices::new(self.system.a(), part * self.step, 1)?;
        let b = self.system.b().column(input);
        let (mut constant, mut ramp) = (g.g(0) * b, g.g(1) * b);
        if end > to {
            let onward = exponential_to(self.system, (end - to) * self.step)?;
            (constant, ramp) = (&onward * constant, onward * ramp);
        }
        if self.linear {
            taps.add(base, input, &(&constant * (1.0 - fraction) - &ramp * part));
            taps.add(base + 1, input, &(constant * fraction + ramp * part));
        } else {
            taps.add(base, input, &constant);
        }
        Ok(())
    }

    /// D times the delayed input at (k + `theta`) T.
    fn feedthrough(&self, theta: f64, output: usize, taps: &mut Taps) {
        for (i, delay) in self.delays.inputs.iter().enumerate() {
            let weight = |part: f64| DVector::from_element(1, part * self.system.d()[(output, i)]);
            let (before, part) = split(theta - delay.part);
            let base = before - delay.whole;
            if self.linear && part > 0.0 {
                taps.add(base, i, &weight(1.0 - part));
                taps.add(base + 1, i, &weight(part));
            } else {
                taps.add(base, i, &weight(1.0));
            }
        }
    }
}

fn exponential_to(system: &StateSpace, time: f64) -> Result<DMatrix<f64>, Error> {
    // In the arithmetic of the other matrices.
    if system.states() <= crate::Precision::EXTENDED_UP_TO {
        return Ok(GMatrices::new(system.a(), time, 0)?.exp().clone());
    }
    Ok(exponential(system.a(), time)?)
}
