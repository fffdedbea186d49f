//! The two machines: mechanics, axes, reference motion, initial state; as one system and as two partners.

use std::f64::consts::PI;

use fourbar_coupling::partner::Ode;
use fourbar_coupling::{Connection, Partner, Simulator, Variable};
use serde_json::Value;

use crate::press::axis::{Axis, STATES, arm_axis, press_axis};

/// Solver step of each partner \[s\].
pub(crate) const SOLVER_STEP: f64 = 2.5e-5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Machine {
    Press,
    Arm,
}

pub(crate) fn file(name: &str) -> Value {
    let text = match name {
        "reference" => include_str!("../reference/press_reference.json"),
        "results" => include_str!("../reference/press_results.json"),
        "adaptive" => include_str!("../reference/press_adaptive.json"),
        _ => include_str!("../reference/press_newton.json"),
    };
    serde_json::from_str(text).unwrap()
}

fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

impl Machine {
    pub(crate) fn name(self) -> &'static str {
        if self == Self::Press { "press" } else { "arm" }
    }

    pub(crate) fn end(self) -> f64 {
        if self == Self::Press { 2.0 } else { 1.0 }
    }

    /// States of the mechanics.
    pub(crate) fn mechanics(self) -> usize {
        if self == Self::Press { 4 } else { 2 }
    }

    pub(crate) fn axes(self) -> Vec<Axis> {
        match self {
            Self::Press => vec![press_axis(0.004, [0.002, 2.4e6, 4e6]), press_axis(0.006, [0.003, 3.6e6, 6e6])],
            Self::Arm => vec![arm_axis()],
        }
    }

    pub(crate) fn initial(self) -> Vec<f64> {
        let reference = file("reference");
        let state = reference[self.name()]["initial_state"].as_array().unwrap();
        state.iter().map(|value| value.as_f64().unwrap()).collect()
    }

    /// Reference position and its derivative.
    pub(crate) fn reference(self, t: f64) -> (f64, f64) {
        let (r0, amplitude, omega) = if self == Self::Press { (0.2, 0.11, PI) } else { (0.16, 0.06, 2.0 * PI) };
        (r0 + amplitude * (1.0 - (omega * t).cos()), amplitude * omega * (omega * t).sin())
    }

    /// Rod positions and velocities, and dl/dq of each.
    fn rods(self, q: &[f64], rods: &mut [(f64, f64)], gradient: &mut [[f64; 2]]) {
        match self {
            Self::Press => {
                let (b, h0) = (1.2, 2.5);
                let (sin, cos) = q[1].sin_cos();
                for (k, side) in [1.0, -1.0].into_iter().enumerate() {
                    let (dx, dy) = (side * b * (cos - 1.0), q[0] + side * b * sin + h0);
                    let l = dx.hypot(dy);
                    gradient[k] = [dy / l, (dx * -side * b * sin + dy * side * b * cos) / l];
                    rods[k] = (l - h0, gradient[k][0] * q[2] + gradient[k][1] * q[3]);
                }
            }
            Self::Arm => {
                let (a, c) = (0.6f64, 1.1f64);
                let (sin, cos) = (1.2 + q[0]).sin_cos();
                let l = (a * a + c * c - 2.0 * a * c * cos).sqrt();
                gradient[0] = [a * c * sin / l, 0.0];
                rods[0] = (l - 1.02 + 0.2, gradient[0][0] * q[1]);
            }
        }
    }

    /// Derivatives of the mechanics for the rod forces.
    fn mechanics_rhs(self, q: &[f64], force: &[f64], dq: &mut [f64]) {
        let (mut rods, mut gradient) = ([(0.0, 0.0); 2], [[0.0; 2]; 2]);
        self.rods(q, &mut rods, &mut gradient);
        match self {
            Self::Press => {
                let (m, j, kw, ds, yw, ew, dw) = (30_000.0, 40_000.0, 5e7, 0.001, 0.36, 0.15, 200_000.0);
                let pen = q[0] + ew * q[1].sin() - yw;
                let vp = q[2] + ew * q[1].cos() * q[3];
                let fw = kw * ds * softplus(pen / ds) + dw * vp * sigmoid(pen / ds);
                let generalised = |i: usize| force[0] * gradient[0][i] + force[1] * gradient[1][i];
                dq[0] = q[2];
                dq[1] = q[3];
                dq[2] = (generalised(0) + m * 9.81 - fw - 20_000.0 * q[2]) / m;
                dq[3] = (generalised(1) - fw * ew * q[1].cos() - 6e7 * q[1] - 300_000.0 * q[3]) / j;
            }
            Self::Arm => {
                let (kw, ds, lt, dw) = (200_000.0, 0.0005, 1.7, 2000.0);
                let pen = (q[0] - 0.06) * lt;
                let fw = kw * ds * softplus(pen / ds) + dw * lt * q[1] * sigmoid(pen / ds);
                let weight = 700.0 * 9.81 * 0.9 * q[0].cos();
                dq[0] = q[1];
                dq[1] = (force[0] * gradient[0][0] - weight - 150.0 * q[1] - fw * lt) / 900.0;
            }
        }
    }

    /// Rod positions, velocities and forces of the whole state.
    pub(crate) fn observe(self, state: &[f64], columns: &mut Vec<f64>) {
        let (mut rods, mut gradient) = ([(0.0, 0.0); 2], [[0.0; 2]; 2]);
        self.rods(state, &mut rods, &mut gradient);
        columns.clear();
        for (k, axis) in self.axes().iter().enumerate() {
            let (x, v) = rods[k];
            columns.extend([x, v, axis.force(&state[self.mechanics() + k * STATES..], v)]);
        }
    }

    /// All in one, without inputs; outputs are the states.
    pub(crate) fn together(self, solver_step: f64) -> impl Simulator {
        let (axes, n) = (self.axes(), self.mechanics());
        let rhs = move |t: f64, x: &[f64], _: &[f64], dx: &mut [f64]| {
            let (mut rods, mut gradient, mut force) = ([(0.0, 0.0); 2], [[0.0; 2]; 2], [0.0; 2]);
            self.rods(x, &mut rods, &mut gradient);
            for (k, axis) in axes.iter().enumerate() {
                let range = n + k * STATES..n + (k + 1) * STATES;
                let (position, v) = rods[k];
                force[k] = axis.force(&x[range.clone()], v);
                axis.rhs(&x[range.clone()], position, v, self.reference(t), &mut dx[range]);
            }
            self.mechanics_rhs(x, &force, dx);
        };
        let mut system = Ode::new(self.initial(), rhs).solver_step(solver_step);
        for i in 0..self.initial().len() {
            system = system.output(Variable::output(format!("state{i}"), ""), move |_, x, _| x[i]);
        }
        system
    }

    /// Names of position, velocity and force of axis k, and their largest values.
    fn names(self, k: usize) -> [(String, f64); 3] {
        let scale = file("reference")[self.name()]["scale"].clone();
        let axis = |i: usize, name: &str| (format!("{name}{}", k + 1), scale[3 * k + i].as_f64().unwrap());
        [axis(0, "x"), axis(1, "v"), axis(2, "F")]
    }

    /// The mechanics: forces in, positions and velocities of the rods out.
    pub(crate) fn planar(self) -> impl Simulator {
        let (n, initial) = (self.mechanics(), self.initial());
        let rhs = move |_, x: &[f64], u: &[f64], dx: &mut [f64]| self.mechanics_rhs(x, u, dx);
        let mut mech = Ode::new(&initial[..n], rhs).solver_step(SOLVER_STEP);
        for k in 0..self.axes().len() {
            let [(x, largest_x), (v, largest_v), (f, _)] = self.names(k);
            let rod = move |q: &[f64]| {
                let (mut rods, mut gradient) = ([(0.0, 0.0); 2], [[0.0; 2]; 2]);
                self.rods(q, &mut rods, &mut gradient);
                rods[k]
            };
            mech = mech
                .input(Variable::input(&f, "N"))
                .output(Variable::output(&x, "m").nominal(largest_x), move |_, q, _| rod(q).0)
                .output(Variable::output(&v, "m/s").nominal(largest_v), move |_, q, _| rod(q).1);
        }
        mech
    }

    /// The hydraulics: positions and velocities of the rods in, forces out.
    pub(crate) fn hydraulics(self) -> impl Simulator {
        let (axes, n, initial) = (self.axes(), self.mechanics(), self.initial());
        let data = axes.clone();
        let rhs = move |t, x: &[f64], u: &[f64], dx: &mut [f64]| {
            for (k, axis) in data.iter().enumerate() {
                let range = k * STATES..(k + 1) * STATES;
                axis.rhs(&x[range.clone()], u[2 * k], u[2 * k + 1], self.reference(t), &mut dx[range]);
            }
        };
        let mut hyd = Ode::new(&initial[n..], rhs).solver_step(SOLVER_STEP);
        for (k, axis) in axes.into_iter().enumerate() {
            let [(x, _), (v, _), (f, largest)] = self.names(k);
            let force = Variable::output(&f, "N").nominal(largest).depends_on(&[&v]);
            hyd = hyd
                .input(Variable::input(&x, "m"))
                .input(Variable::input(&v, "m/s"))
                .output(force, move |_, s, u| axis.force(&s[k * STATES..], u[2 * k + 1]));
        }
        hyd
    }

    /// "mech" and "hyd", and what passes between them.
    pub(crate) fn partners(self) -> (Vec<Partner>, Vec<Connection>) {
        let of_axis = |k: usize| {
            [("mech.x", "hyd.x"), ("mech.v", "hyd.v"), ("hyd.F", "mech.F")]
                .map(|(from, to)| Connection::new(format!("{from}{k}"), format!("{to}{k}")))
        };
        let connections = (1..=self.axes().len()).flat_map(of_axis).collect();
        (vec![Partner::new("mech", self.planar()), Partner::new("hyd", self.hydraulics())], connections)
    }
}
