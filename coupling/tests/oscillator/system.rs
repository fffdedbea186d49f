//! S1: m1 x1'' = -k1 x1 - d1 v1 - F, F = kc (x1 - x2) + dc (v1 - v2), takes (x2, v2), gives F. S2: m2 x2'' = -k2 x2 - d2 v2 + F.

use fourbar_coupling::partner::Linear;
use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Variable};
use fourbar_lti::StateSpace;
use nalgebra::{DMatrix, DVector, dmatrix};
use serde_json::Value;

pub(crate) const CASES: [&str; 5] = [
    "A symmetric, soft coupling, light damping",
    "B symmetric, stiff coupling, light damping",
    "C stiff coupling, damped",
    "D heavy S1 (m1 = 10 m2)",
    "E heavy S2 (m2 = 10 m1)",
];

pub(crate) fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/oscillator.json")).unwrap()
}

#[derive(Clone, Copy)]
pub(crate) struct Oscillator {
    m: [f64; 2],
    k: [f64; 2],
    d: [f64; 2],
    kc: f64,
    dc: f64,
}

/// Names of the schemes of the reference.
pub(crate) const SCHEMES: [&str; 11] = [
    "jacobi_0",
    "jacobi_1",
    "jacobi_2",
    "gs_S1first_0",
    "gs_S1first_1",
    "gs_S1first_2",
    "gs_S2first_0",
    "gs_S2first_1",
    "gs_S2first_2",
    "iter_1",
    "iter_2",
];

pub(crate) fn scheme(name: &str) -> Algorithm {
    let order = match name.chars().last() {
        Some('0') => Order::Hold,
        Some('1') => Order::Linear,
        _ => Order::Quadratic,
    };
    let sequence = |first: &str, second: &str| vec![first.to_string(), second.to_string()];
    match &name[..name.len() - 2] {
        "jacobi" => Algorithm::Jacobi { order },
        "gs_S1first" => Algorithm::GaussSeidel { order, sequence: sequence("s1", "s2") },
        "gs_S2first" => Algorithm::GaussSeidel { order, sequence: sequence("s2", "s1") },
        "iter" => Algorithm::Iterated {
            order,
            sequence: vec![],
            acceleration: Default::default(),
            tolerance: 1e-13,
            max_sweeps: 50,
        },
        other => panic!("no scheme {other}"),
    }
}

impl Oscillator {
    pub(crate) fn of(case: &Value) -> Self {
        let p = |name: &str| case["params"][name].as_f64().unwrap();
        Self { m: [p("m1"), p("m2")], k: [p("k1"), p("k2")], d: [p("d1"), p("d2")], kc: p("kc"), dc: p("dc") }
    }

    /// Masses of 1 kg, k = 10 N/m, d = 0.1 N s/m, coupled by kc and the damping ratio zeta_c = dc / sqrt(2 kc).
    pub(crate) fn of_scan(kc: f64, zeta_c: f64) -> Self {
        Self { m: [1.0; 2], k: [10.0; 2], d: [0.1; 2], kc, dc: zeta_c * (2.0 * kc).sqrt() }
    }

    pub(crate) fn force(&self, z: &[f64]) -> f64 {
        self.kc * (z[0] - z[2]) + self.dc * (z[1] - z[3])
    }

    /// State matrix of both together, state (x1, v1, x2, v2).
    pub(crate) fn together(&self) -> DMatrix<f64> {
        let ([m1, m2], [k1, k2], [d1, d2], kc, dc) = (self.m, self.k, self.d, self.kc, self.dc);
        dmatrix![
            0.0, 1.0, 0.0, 0.0;
            -(k1 + kc) / m1, -(d1 + dc) / m1, kc / m1, dc / m1;
            0.0, 0.0, 0.0, 1.0;
            kc / m2, dc / m2, -(k2 + kc) / m2, -(d2 + dc) / m2
        ]
    }

    /// e^{A t} z.
    pub(crate) fn exact(&self, z: &[f64; 4], t: f64) -> [f64; 4] {
        let z = fourbar_lti::GMatrices::new(&self.together(), t, 0).unwrap().exp() * DVector::from_column_slice(z);
        [z[0], z[1], z[2], z[3]]
    }

    /// Kinetic and potential energy of both.
    pub(crate) fn energy(&self, z: &[f64]) -> f64 {
        let stored =
            self.m[0] * z[1] * z[1] + self.m[1] * z[3] * z[3] + self.k[0] * z[0] * z[0] + self.k[1] * z[2] * z[2];
        0.5 * (stored + self.kc * (z[0] - z[2]).powi(2))
    }

    /// Both partners from state z, with the states at -H and -2 H as their past.
    pub(crate) fn master(&self, z: &[[f64; 4]; 3], options: &Options) -> Master {
        let ([m1, m2], [k1, k2], [d1, d2], kc, dc) = (self.m, self.k, self.d, self.kc, self.dc);
        let s1 = StateSpace::new(
            dmatrix![0.0, 1.0; -(k1 + kc) / m1, -(d1 + dc) / m1],
            dmatrix![0.0, 0.0; kc / m1, dc / m1],
            dmatrix![kc, dc; 1.0, 0.0; 0.0, 1.0],
            dmatrix![-kc, -dc; 0.0, 0.0; 0.0, 0.0],
        );
        let s2 = StateSpace::new(
            dmatrix![0.0, 1.0; -k2 / m2, -d2 / m2],
            dmatrix![0.0; 1.0 / m2],
            DMatrix::identity(2, 2),
            DMatrix::zeros(2, 1),
        );
        let (x2, v2) = (Variable::input("x2", "m"), Variable::input("v2", "m/s"));
        let force = Variable::output("F", "N").nominal(1e-3);
        let first = vec![x2, v2, force, Variable::output("x1", "m"), Variable::output("v1", "m/s")];
        let second = vec![Variable::input("F", "N"), Variable::output("x2", "m"), Variable::output("v2", "m/s")];
        let [now, past, before] = z;
        let partners = vec![
            Partner::new("s1", Linear::new(s1.unwrap(), first, &now[..2]).unwrap()),
            Partner::new("s2", Linear::new(s2.unwrap(), second, &now[2..]).unwrap()),
        ];
        let connections = ["x2", "v2"].map(|name| Connection::new(format!("s2.{name}"), format!("s1.{name}")));
        let mut connections = connections.to_vec();
        connections.push(Connection::new("s1.F", "s2.F"));
        let mut master = Master::new(partners, &connections, options).unwrap();
        master.set_past("s1.x2", &[(2, before[2]), (1, past[2])]).unwrap();
        master.set_past("s1.v2", &[(2, before[3]), (1, past[3])]).unwrap();
        master.set_past("s2.F", &[(2, self.force(before)), (1, self.force(past))]).unwrap();
        master
    }

    pub(crate) fn start(&self, h: f64) -> [[f64; 4]; 3] {
        let z = [1.0, 0.0, 0.0, 0.0];
        [z, self.exact(&z, -h), self.exact(&z, -2.0 * h)]
    }
}

pub(crate) fn state(master: &Master) -> [f64; 4] {
    ["s1.x1", "s1.v1", "s2.x2", "s2.v2"].map(|name| master.output(name).unwrap())
}
