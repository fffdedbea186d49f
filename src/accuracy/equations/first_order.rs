//! Systems y' = f(t, y): Robertson's kinetics and van der Pol's oscillator, which are stiff (Hairer and Wanner II, IV.10), and Arenstorf's orbit,
//! which is not (Hairer, Norsett and Wanner I, II.0).

use super::{Build, FLOOR, System, full};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Dae, Differences, EvalError, Kind, Unknown};
use fourbar_multibody::ode::Ode;
use nalgebra_sparse::pattern::SparsityPattern;

/// y1' = -0.04 y1 + 1e4 y2 y3, y2' = -y1' - y3', y3' = 3e7 y2^2.
pub(in crate::accuracy) const ROBERTSON: Build = Build {
    columns: || ["y1", "y2", "y3"].map(|name| Column::new(name, "")).to_vec(),
    formulated: false,
    system: |_| Some(Box::new(FirstOrder::new(robertson, &[1.0, 0.0, 0.0], &[1.0, 1e-5, 1.0]))),
};

/// y1' = y2, y2' = mu (1 - y1^2) y2 - y1 with mu = 1000.
pub(in crate::accuracy) const VAN_DER_POL: Build = Build {
    columns: || ["y1", "y2"].map(|name| Column::new(name, "")).to_vec(),
    formulated: false,
    system: |_| Some(Box::new(FirstOrder::new(van_der_pol, &[2.0, 0.0], &[1.0, 1e-3]))),
};

/// A closed orbit of a body about earth and moon, in the axes that turn with them.
pub(in crate::accuracy) const ARENSTORF: Build = Build {
    columns: || ["x", "y", "v_x", "v_y"].map(|name| Column::new(name, "")).to_vec(),
    formulated: false,
    system: |_| Some(Box::new(FirstOrder::new(arenstorf, &[0.994, 0.0, 0.0, -2.001_585_106_379_082_5], &[1.0; 4]))),
};

fn robertson(y: &[f64], yp: &mut [f64]) {
    let (slow, back, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    yp[0] = back - slow;
    yp[1] = slow - back - fast;
    yp[2] = fast;
}

fn van_der_pol(y: &[f64], yp: &mut [f64]) {
    yp[0] = y[1];
    yp[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

/// mu is the moon's part of the mass.
fn arenstorf(y: &[f64], yp: &mut [f64]) {
    const MU: f64 = 0.012_277_471;
    let (moon, earth) = (y[0] - (1.0 - MU), y[0] + MU);
    let pull = |x: f64, mass: f64| mass / (x * x + y[1] * y[1]).powf(1.5);
    let (to_earth, to_moon) = (pull(earth, 1.0 - MU), pull(moon, MU));
    yp[0] = y[2];
    yp[1] = y[3];
    yp[2] = y[0] + 2.0 * y[3] - to_earth * earth - to_moon * moon;
    yp[3] = y[1] - 2.0 * y[2] - (to_earth + to_moon) * y[1];
}

/// y' = f(y) with differences for its matrix.
struct FirstOrder {
    rate: fn(&[f64], &mut [f64]),
    start: &'static [f64],
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    differences: Option<Differences>,
}

impl FirstOrder {
    fn new(rate: fn(&[f64], &mut [f64]), start: &'static [f64], typical: &[f64]) -> Self {
        let unknown = |&typical: &f64| Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical };
        let pattern = full(start.len());
        let floors: Vec<f64> = typical.iter().map(|size| FLOOR * size).collect();
        let differences = Some(Differences::new(&pattern, &floors));
        Self { rate, start, unknowns: typical.iter().map(unknown).collect(), pattern, differences }
    }

    fn write_defect(&self, y: &[f64], yp: &[f64], residual: &mut [f64]) {
        (self.rate)(y, residual);
        residual.iter_mut().zip(yp).for_each(|(r, yp)| *r = yp - *r);
    }
}

impl Dae for FirstOrder {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, _: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        self.write_defect(y, yp, residual);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        // Taken out while it evaluates the system that it is a part of.
        let Some(mut differences) = self.differences.take() else { return Ok(()) };
        let done = differences.evaluate(&self.pattern, y, yp, c, values, |y, yp, residual| {
            self.write_defect(y, yp, residual);
            Ok(())
        });
        self.differences = Some(differences);
        done
    }
}

impl Ode for FirstOrder {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn rhs(&mut self, _: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        (self.rate)(y, yp);
        Ok(())
    }
}

impl System for FirstOrder {
    fn start(&self) -> [Vec<f64>; 2] {
        let mut yp = vec![0.0; self.start.len()];
        (self.rate)(self.start, &mut yp);
        [self.start.to_vec(), yp]
    }
    fn values(&mut self, _: f64, y: &[f64], _: &[f64], values: &mut [f64]) {
        values.copy_from_slice(y);
    }
    fn dae(&mut self) -> &mut dyn Dae {
        self
    }
    fn ode(&mut self) -> Option<&mut dyn Ode> {
        Some(self)
    }
}
