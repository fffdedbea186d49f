//! Small systems F(t, y, y') = 0 for the tests of the integrators, with derivatives from dual numbers.
#![allow(dead_code)] // every test binary uses its own part

pub(crate) mod andrews;
pub(crate) mod kinds;
pub(crate) mod ode;
pub(crate) mod pendulum;

use fourbar_dae::integrator::{BdfStepper, ConstantBdf, Dstiff, Gstiff, Hht, Wstiff};
use fourbar_dae::{Dae, EvalError, Kind, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;
use num_dual::{Dual64, DualNum};

/// A differential unknown that is error-tested.
pub(crate) const STATE: Unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
/// An algebraic unknown of an index-1 system.
pub(crate) const ALGEBRAIC: Unknown =
    Unknown { kind: Kind::ALGEBRAIC, error_tested: false, scale_power: 0, typical: 1.0 };

/// F(t, y, y') over any kind of number.
pub(crate) trait Equations {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, t: T, y: &[T], yp: &[T], r: &mut [T]);
}

/// Equations as a system with a full pattern and exact derivatives.
pub(crate) struct System<E> {
    pub(crate) equations: E,
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    /// y, y' and F as dual numbers.
    dual: [Vec<Dual64>; 3],
}

impl<E: Equations> System<E> {
    pub(crate) fn new(unknowns: Vec<Unknown>, equations: E) -> Self {
        let n = unknowns.len();
        let offsets = (0..=n).map(|j| j * n).collect();
        let rows = (0..n).flat_map(|_| 0..n).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).expect("a full pattern");
        let zeros = || vec![Dual64::from(0.0); n];
        Self { equations, unknowns, pattern, dual: [zeros(), zeros(), zeros()] }
    }
}

impl<E: Equations> Dae for System<E> {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn unknown_name(&self, i: usize) -> String {
        format!("y{i}")
    }
    fn equation_name(&self, i: usize) -> String {
        format!("row {i}")
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.equations.residual(t, y, yp, r);
        Ok(())
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        let n = y.len();
        let [dual_y, dual_yp, dual_r] = &mut self.dual;
        for column in 0..n {
            for i in 0..n {
                let seed = if i == column { 1.0 } else { 0.0 };
                dual_y[i] = Dual64::new(y[i], seed);
                dual_yp[i] = Dual64::new(yp[i], c * seed);
            }
            self.equations.residual(Dual64::from(t), dual_y, dual_yp, dual_r);
            (0..n).for_each(|row| values[column * n + row] = dual_r[row].eps);
        }
        Ok(())
    }
}

/// A system with root functions.
pub(crate) struct Rooted<E, F> {
    pub(crate) system: System<E>,
    pub(crate) count: usize,
    pub(crate) roots: F,
}

impl<E: Equations, F: FnMut(f64, &[f64], &mut [f64])> Dae for Rooted<E, F> {
    fn dimension(&self) -> usize {
        self.system.dimension()
    }
    fn unknowns(&self) -> &[Unknown] {
        self.system.unknowns()
    }
    fn pattern(&self) -> &SparsityPattern {
        self.system.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.system.residual(t, y, yp, r)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.system.jacobian(t, y, yp, c, values)
    }
    fn root_count(&self) -> usize {
        self.count
    }
    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        (self.roots)(t, y, out);
        Ok(())
    }
}

/// Robertson's kinetics; with `index1` the third rate is replaced by y1 + y2 + y3 = 1.
pub(crate) struct Robertson {
    pub(crate) index1: bool,
}

impl Robertson {
    pub(crate) const START: [f64; 3] = [1.0, 0.0, 0.0];
    pub(crate) const SLOPE: [f64; 3] = [-0.04, 0.04, 0.0];

    pub(crate) fn system(index1: bool) -> System<Self> {
        System::new(vec![STATE, STATE, if index1 { ALGEBRAIC } else { STATE }], Self { index1 })
    }
}

impl Equations for Robertson {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        let (a, b, c) = (y[0] * 0.04, y[1] * y[2] * 1e4, y[1] * y[1] * 3e7);
        r[0] = yp[0] + a - b;
        r[1] = yp[1] - a + b + c;
        r[2] = if self.index1 { y[0] + y[1] + y[2] - 1.0 } else { yp[2] - c };
    }
}

/// Van der Pol's oscillator y1' = y2, y2' = mu (1 - y1^2) y2 - y1.
pub(crate) struct VanDerPol {
    pub(crate) mu: f64,
}

impl VanDerPol {
    pub(crate) fn system(mu: f64) -> System<Self> {
        System::new(vec![STATE, STATE], Self { mu })
    }
}

impl Equations for VanDerPol {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[1];
        r[1] = yp[1] - (-y[0] * y[0] + 1.0) * y[1] * self.mu + y[0];
    }
}

/// Prothero and Robinson's problem y' = -s (y - cos t) - sin t with the solution cos t, and an algebraic z = y^2.
pub(crate) struct ProtheroRobinson {
    pub(crate) stiffness: f64,
}

impl ProtheroRobinson {
    pub(crate) fn system(stiffness: f64) -> System<Self> {
        System::new(vec![STATE, ALGEBRAIC], Self { stiffness })
    }
}

impl Equations for ProtheroRobinson {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, t: T, y: &[T], yp: &[T], r: &mut [T]) {
        let (sin, cos) = t.sin_cos();
        r[0] = yp[0] + (y[0] - cos) * self.stiffness + sin;
        r[1] = y[1] - y[0] * y[0];
    }
}

/// Methods for F(t, y, y') = 0.
pub(crate) trait Differentiation {
    fn begin<D: Dae>(&self, dae: D, y: &[f64], yp: &[f64], end: f64) -> BdfStepper<D>;
}

macro_rules! differentiation {
    ($($method:ident),+) => {
        $(impl Differentiation for $method {
            fn begin<D: Dae>(&self, dae: D, y: &[f64], yp: &[f64], end: f64) -> BdfStepper<D> {
                self.start(dae, 0.0, y, yp, end).expect("start")
            }
        })+
    };
}
differentiation!(Gstiff, Wstiff, Dstiff, ConstantBdf, Hht);
