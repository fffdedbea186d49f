//! A point mass of 1 kg on a massless rod of 1 m, in Cartesian coordinates: x'' = -lambda x, y'' = -lambda y - g, x^2 + y^2 = 1.

use fourbar_dae::Unknown;
use num_dual::DualNum;

use super::{Equations, System, kinds};

/// Which form of the constraint closes the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Index {
    /// The position constraint: index 3.
    Three,
    /// The velocity constraint: index 2.
    Two,
    /// The acceleration constraint: index 1.
    One,
    /// Both, with a stabilizing multiplier mu (Gear, Gupta, Leimkuhler): index 2.
    Stabilized,
    /// The same, lambda and mu being derivatives of unknowns eta and xi: index 1.
    Integrated,
}

impl Index {
    fn is_stabilized(self) -> bool {
        matches!(self, Self::Stabilized | Self::Integrated)
    }
}

/// The pendulum's equations in the unknowns x, y, u, v, lambda (and mu).
pub(crate) struct Pendulum {
    pub(crate) index: Index,
    /// Acceleration of gravity \[m/s^2\].
    pub(crate) gravity: f64,
}

impl Pendulum {
    /// Gravity for which the period from horizontal rest is 2 s, by the closed form in Jacobi's functions (references.json,
    /// pendulum_period2, 40-digit arithmetic).
    pub(crate) const GRAVITY_OF_PERIOD_2: f64 = 13.750_371_636_040_745_655;

    pub(crate) fn system(index: Index, gravity: f64) -> System<Self> {
        let (velocity_tested, velocity_power, multiplier_power) = match index {
            Index::Three => (false, 1, 2),
            Index::Two | Index::Stabilized => (true, 0, 1),
            Index::One | Index::Integrated => (true, 0, 0),
        };
        let unknown = |kind, error_tested, scale_power| Unknown { kind, error_tested, scale_power, typical: 1.0 };
        let mut unknowns = vec![unknown(kinds::POSITION, true, 0); 2];
        unknowns.extend([unknown(kinds::VELOCITY, velocity_tested, velocity_power); 2]);
        match index {
            Index::Integrated => unknowns
                .extend([kinds::MULTIPLIER_INTEGRAL, kinds::STABILIZER_INTEGRAL].map(|kind| unknown(kind, true, 0))),
            _ => unknowns.push(unknown(kinds::MULTIPLIER, false, multiplier_power)),
        }
        if index == Index::Stabilized {
            unknowns.push(unknown(kinds::STABILIZER, false, 1));
        }
        System::new(unknowns, Self { index, gravity })
    }

    /// y and y' at horizontal rest.
    pub(crate) fn rest(&self) -> (Vec<f64>, Vec<f64>) {
        let n = if self.index.is_stabilized() { 6 } else { 5 };
        let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
        y[0] = 1.0;
        yp[3] = -self.gravity;
        // lambda = |velocity|^2 - g y, so lambda' = -3 g v = 0 here.
        (y, yp)
    }

    /// h^j y^(j)/j!, j = 0 ..= k, at t = 0 of the uniform revolution x = cos t, y = sin t without gravity; lambda = 1, or eta = t.
    pub(crate) fn revolution_history(index: Index, h: f64, k: usize) -> Vec<Vec<f64>> {
        let n = if index.is_stabilized() { 6 } else { 5 };
        let multiplier = usize::from(index == Index::Integrated);
        let mut factor = 1.0;
        let mut columns = Vec::new();
        for j in 0..=k {
            let turn = |phase: usize| [1.0, 0.0, -1.0, 0.0][(j + phase) % 4] * factor;
            // cos^(j)(0) = turn(0), sin^(j)(0) = turn(3), -sin: turn(1), cos: turn(0)
            let mut column = vec![0.0; n];
            column[..4].copy_from_slice(&[turn(0), turn(3), turn(1), turn(0)]);
            column[4] = if j == multiplier { factor } else { 0.0 };
            columns.push(column);
            factor *= h / (j + 1) as f64;
        }
        columns
    }
}

impl Equations for Pendulum {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        let multipliers = if self.index == Index::Integrated { yp } else { y };
        let (position, velocity, lambda) = ([y[0], y[1]], [y[2], y[3]], multipliers[4]);
        let length = position[0] * position[0] + position[1] * position[1];
        let slide = position[0] * velocity[0] + position[1] * velocity[1];
        for d in 0..2 {
            r[d] = yp[d] - velocity[d];
            r[2 + d] = yp[2 + d] + lambda * position[d];
        }
        r[3] += self.gravity;
        let speed = velocity[0] * velocity[0] + velocity[1] * velocity[1];
        r[4] = match self.index {
            Index::Three | Index::Stabilized | Index::Integrated => (length - 1.0) * 0.5,
            Index::Two => slide,
            Index::One => speed - lambda * length - position[1] * self.gravity,
        };
        if self.index.is_stabilized() {
            r[0] += position[0] * multipliers[5];
            r[1] += position[1] * multipliers[5];
            r[5] = slide;
        }
    }
}
