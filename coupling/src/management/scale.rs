//! The sizes against which errors are measured: the largest value that passed, never a unit of whatever kind.

use super::connection::{unit, variable};
use crate::Error;
use crate::function::Causality;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use fourbar_linalg::unit::Dimension;

/// A signal is measured no finer than this part of the largest one of its dimension: what is smaller may be nothing but round-off, as the side
/// force of a machine that is loaded straight. The tightest usual tolerance, 1e-8 of an iteration, times it stays above the round-off of
/// that largest signal, 1e-16.
const FINEST: f64 = 1e-6;

/// One size per relation.
#[derive(Clone)]
pub(super) struct Scales {
    /// Largest value so far, or the nominal one if that is larger \[unit of the target\].
    largest: Vec<f64>,
    /// Which dimension each has, and its unit in coherent SI units.
    kind: Vec<(usize, f64)>,
    /// Largest value so far of each dimension, in SI units.
    of_kind: Vec<f64>,
}

fourbar_linalg::stored!(struct Scales { largest, of_kind });

impl Scales {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Result<Self, Error> {
        let mut dimensions: Vec<Dimension> = Vec::new();
        let mut kind = Vec::with_capacity(relations.len());
        for relation in relations {
            let target = variable(interfaces, relation.target, Causality::Input);
            let unit = unit(&interfaces[relation.target.0], target)?;
            let known = dimensions.iter().position(|dimension| *dimension == unit.dimension);
            let k = known.unwrap_or_else(|| {
                dimensions.push(unit.dimension);
                dimensions.len() - 1
            });
            kind.push((k, unit.factor));
        }
        let largest = relations.iter().map(|relation| relation.nominal).collect();
        Ok(Self { largest, kind, of_kind: vec![0.0; dimensions.len()] })
    }

    /// Takes a value of relation r into account.
    #[inline]
    pub(super) fn see(&mut self, r: usize, value: f64) {
        if value.abs() > self.largest[r] {
            self.largest[r] = value.abs();
            let (kind, factor) = self.kind[r];
            self.of_kind[kind] = self.of_kind[kind].max(value.abs() * factor);
        }
    }

    /// Largest value of relation r so far, or its nominal one.
    #[inline]
    pub(super) fn largest(&self, r: usize) -> f64 {
        self.largest[r]
    }

    /// What errors of relation r are relative to; 0 as long as nothing but zeros passed.
    #[inline]
    pub(super) fn of(&self, r: usize) -> f64 {
        let (kind, factor) = self.kind[r];
        self.largest[r].max(FINEST * self.of_kind[kind] / factor)
    }

    /// An error of relation r relative to its size, a value of `now` counted in; 0 if there is no error.
    #[inline]
    pub(super) fn relative(&self, r: usize, error: f64, now: f64) -> f64 {
        if error == 0.0 { 0.0 } else { error.abs() / self.of(r).max(now.abs()) }
    }
}
