//! Sums over the mass of a flexible body: its inertia invariants.

use crate::space::{M3, V3, skew};
use nalgebra::{DMatrix, Matrix3xX};

/// A piece of a flexible body with its mass, at a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Lump {
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia about the node, axes of the frame [kg m^2].
    pub inertia: M3,
    /// Place of the node in the undeformed body \[m\].
    pub position: V3,
    /// Displacement of the node in each mode.
    pub translation: Matrix3xX<f64>,
    /// Turn of the node in each mode [1/m].
    pub rotation: Matrix3xX<f64>,
}

/// Inertia invariants about the origin of the floating frame: with s the place, Phi_k the displacement and Psi_k the turn in mode k of a
/// piece of mass dm and inertia dJ (Shabana, section 5.3; those of Adams are the same sums in other combinations).
///
/// ```text
/// S(q) = first + linear q                                 first moment of the mass
/// J(q) = inertia + sum q_k d_k + sum q_j q_k d_jk / 2      inertia
/// G(q) = angular + (sum_j q_j n_jk)_k                      angular momentum by the rates of q
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Invariants {
    /// Sum of dm \[kg\].
    pub mass: f64,
    /// Sum of s dm [kg m].
    pub first: V3,
    /// Sum of (s.s I - s s^T) dm + dJ [kg m^2].
    pub inertia: M3,
    /// Sums of Phi_k dm \[kg\].
    pub linear: Matrix3xX<f64>,
    /// Sums of s x Phi_k dm + dJ Psi_k [kg m].
    pub angular: Matrix3xX<f64>,
    /// n_jk: sums of Phi_j x Phi_k dm \[kg\], k running fastest.
    pub coupling: Vec<V3>,
    /// d_k: sums of (2 s.Phi_k I - s Phi_k^T - Phi_k s^T) dm [kg m].
    pub first_change: Vec<M3>,
    /// d_jk: sums of (2 Phi_j.Phi_k I - Phi_j Phi_k^T - Phi_k Phi_j^T) dm \[kg\], k running fastest.
    pub second_change: Vec<M3>,
    /// Sums of Phi_j.Phi_k dm + Psi_j dJ Psi_k \[kg\].
    pub modal: DMatrix<f64>,
}

impl Invariants {
    /// Those of nothing, with so many modes.
    #[must_use]
    pub fn zero(modes: usize) -> Self {
        Self {
            mass: 0.0,
            first: V3::zeros(),
            inertia: M3::zeros(),
            linear: Matrix3xX::zeros(modes),
            angular: Matrix3xX::zeros(modes),
            coupling: vec![V3::zeros(); modes * modes],
            first_change: vec![M3::zeros(); modes],
            second_change: vec![M3::zeros(); modes * modes],
            modal: DMatrix::zeros(modes, modes),
        }
    }

    /// Those of `lumps` about `origin` \[m\], with so many modes.
    #[must_use]
    pub fn of<'a>(lumps: impl IntoIterator<Item = &'a Lump>, origin: &V3, modes: usize) -> Self {
        let mut sum = Self::zero(modes);
        for lump in lumps {
            sum.add_point(lump.mass, &(lump.position - origin), &lump.translation);
            sum.inertia += lump.inertia;
            let turned = lump.inertia * &lump.rotation;
            sum.angular += &turned;
            sum.modal += lump.rotation.transpose() * turned;
        }
        sum
    }

    /// Number of modes.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.first_change.len()
    }

    /// Adds a point of mass `mass` at `s` with the displacements `phi` in the modes.
    pub fn add_point(&mut self, mass: f64, s: &V3, phi: &Matrix3xX<f64>) {
        let modes = self.modes();
        self.mass += mass;
        self.first += s * mass;
        self.inertia += spread(s, s) * (0.5 * mass);
        self.linear += phi * mass;
        self.angular += skew(s) * phi * mass;
        self.modal += phi.transpose() * phi * mass;
        let column = |k: usize| -> V3 { phi.column(k).into_owned() };
        for j in 0..modes {
            self.first_change[j] += spread(s, &column(j)) * mass;
            for k in 0..modes {
                self.coupling[j * modes + k] += column(j).cross(&column(k)) * mass;
                self.second_change[j * modes + k] += spread(&column(j), &column(k)) * mass;
            }
        }
    }
}

/// 2 a.b I - a b^T - b a^T.
fn spread(a: &V3, b: &V3) -> M3 {
    M3::identity() * (2.0 * a.dot(b)) - a * b.transpose() - b * a.transpose()
}
