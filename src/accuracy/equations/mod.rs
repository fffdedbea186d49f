//! Problems that are no mechanisms of bodies: equations in Rust.

mod akzo;
mod car_axis;
mod constrained;
mod crank;
mod fekete;
mod first_order;
mod implicit;
mod nand;
mod pump;
mod transistor;
mod wheelset;

pub(super) use akzo::AKZO;
pub(super) use car_axis::CAR_AXIS;
pub(super) use crank::SLIDER_CRANK;
pub(super) use fekete::FEKETE;
pub(super) use first_order::{ARENSTORF, ROBERTSON, VAN_DER_POL};
pub(super) use nand::NAND;
pub(super) use pump::PUMP;
pub(super) use transistor::TRANSISTOR;
pub(super) use wheelset::WHEELSET;

use super::references::Column;
use fourbar_multibody::dae::Dae;
use fourbar_multibody::ode::Ode;
use nalgebra_sparse::pattern::SparsityPattern;

/// Part of the typical size of an unknown below which increments of difference quotients do not shrink.
const FLOOR: f64 = 1e-3;

/// Equations of a problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Build {
    /// What is compared.
    pub(super) columns: fn() -> Vec<Column>,
    /// Whether there are several formulations; else they are of first order: y' = f(t, y), or F(t, y, y') = 0 of index 1.
    pub(super) formulated: bool,
    /// The equations in the formulation of this name, if they have it.
    pub(super) system: fn(formulation: &str) -> Option<Box<dyn System>>,
}

/// Equations with their start and what is compared of them.
pub(super) trait System: Dae {
    /// y and y' at t = 0, consistent.
    fn start(&self) -> [Vec<f64>; 2];

    /// Writes the columns at (t, y, y').
    fn values(&mut self, t: f64, y: &[f64], yp: &[f64], values: &mut [f64]);

    /// Largest violation of the constraints and of their rates, if there are some.
    fn violation(&mut self, _t: f64, _y: &[f64]) -> Option<[f64; 2]> {
        None
    }

    /// Itself as F(t, y, y') = 0.
    fn dae(&mut self) -> &mut dyn Dae;

    /// Itself as y' = f(t, y), if it is of that form.
    fn ode(&mut self) -> Option<&mut dyn Ode> {
        None
    }
}

/// The pattern of a full matrix. Small systems: zeros in it cost next to nothing.
fn full(n: usize) -> SparsityPattern {
    let offsets = (0..=n).map(|j| j * n).collect();
    let rows = (0..n).flat_map(|_| 0..n).collect();
    // Offsets and rows of a full matrix are those of a pattern.
    SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows).unwrap_or_else(|_| SparsityPattern::zeros(n, n))
}
