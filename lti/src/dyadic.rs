//! Sets of transition matrices for several steps: dyadic steps, and a cache for non-uniform grids.

use crate::error::{all_finite, positive};
use crate::{Discretization, Error, GMatrices, Method, StateSpace};

/// Discretizations for T, 2 T, 4 T, ..., each by identity (11) from the one below it: a step may be halved or doubled at the
/// price of an index.
#[derive(Debug, Clone)]
#[doc(alias("step doubling"))]
pub struct DyadicSteps {
    levels: Vec<Discretization>,
}

impl DyadicSteps {
    /// `count` (at least 1) levels from the step `smallest` \[s\] upward.
    ///
    /// # Errors
    /// As [`Discretization::new`]; the classical methods are refused with [`Error::NoEstimate`].
    pub fn new(system: &StateSpace, smallest: f64, count: usize, method: Method) -> Result<Self, Error> {
        positive("smallest step", smallest)?;
        positive("levels", count as f64)?;
        if method.is_classical() {
            return Err(Error::NoEstimate);
        }
        let mut g = GMatrices::new(system.a(), smallest, method.exact_nodes()?.len())?;
        let mut levels = vec![Discretization::from_g_matrices(&g, system.b(), method.clone())?];
        while levels.len() < count {
            g = g.doubled()?;
            levels.push(Discretization::from_g_matrices(&g, system.b(), method.clone())?);
        }
        Ok(Self { levels })
    }

    /// The levels, smallest step first.
    #[must_use]
    pub fn levels(&self) -> &[Discretization] {
        &self.levels
    }

    /// The level with the largest step not above `step` \[s\]; None below the smallest.
    #[must_use]
    pub fn at_most(&self, step: f64) -> Option<&Discretization> {
        self.levels.iter().rev().find(|level| level.step() <= step)
    }
}

/// Discretizations of one system for whatever steps a non-uniform grid asks for, the least recently used one dropped when the
/// cache is full.
#[derive(Debug, Clone)]
pub struct DiscretizationCache {
    system: StateSpace,
    method: Method,
    capacity: usize,
    relative_tolerance: f64,
    /// Most recently used first.
    entries: Vec<Discretization>,
    computed: usize,
}

impl DiscretizationCache {
    /// An empty cache for at most `capacity` (at least 1) steps. Steps within `relative_tolerance` (negative: 0) of a step already
    /// known share its matrices: differences of a time grid carry rounding noise, for which 1e-12 is a good value.
    ///
    /// # Errors
    /// [`Error::NotPositive`], [`Error::NotFinite`], or what is wrong with the method.
    pub fn new(system: StateSpace, method: Method, capacity: usize, relative_tolerance: f64) -> Result<Self, Error> {
        positive("capacity", capacity as f64)?;
        all_finite("relative tolerance", [&relative_tolerance])?;
        method.nodes()?;
        Ok(Self {
            system,
            method,
            capacity,
            relative_tolerance: relative_tolerance.max(0.0),
            entries: Vec::new(),
            computed: 0,
        })
    }

    /// The matrices for `step` \[s\].
    ///
    /// # Errors
    /// As [`Discretization::new`].
    pub fn get(&mut self, step: f64) -> Result<&Discretization, Error> {
        positive("step", step)?;
        let near = |entry: &Discretization| (entry.step() - step).abs() <= self.relative_tolerance * step;
        let entry = match self.entries.iter().position(near) {
            Some(at) => self.entries.remove(at),
            None => {
                let computed = Discretization::new(&self.system, step, self.method.clone())?;
                self.computed += 1;
                self.entries.truncate(self.capacity - 1);
                computed
            }
        };
        self.entries.insert(0, entry);
        Ok(&self.entries[0])
    }

    /// How many sets have been computed since the cache was made.
    #[must_use]
    pub fn computed(&self) -> usize {
        self.computed
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;

    use super::*;

    fn system() -> StateSpace {
        StateSpace::with_state_outputs(dmatrix![-1.0, 50.0; -50.0, -4e4], dmatrix![0.0; 1.0]).unwrap()
    }

    #[test]
    fn levels_equal_direct_discretizations() {
        let steps = DyadicSteps::new(&system(), 1e-5, 12, Method::Algorithm1 { order: 3 }).unwrap();
        for level in steps.levels() {
            let direct = Discretization::new(&system(), level.step(), level.method().clone()).unwrap();
            for i in 0..4 {
                let difference = (level.input_matrix(i) - direct.input_matrix(i)).abs().max();
                assert!(difference <= 4e-16 * direct.input_matrix(i).abs().max());
            }
        }
        assert_eq!(steps.at_most(4.1e-5).unwrap().step(), 4e-5);
        assert!(steps.at_most(0.9e-5).is_none());
    }

    #[test]
    fn cache_computes_each_step_once_and_forgets_the_oldest() {
        let mut cache = DiscretizationCache::new(system(), Method::FIRST_ORDER_HOLD, 2, 1e-12).unwrap();
        for step in [0.1, 0.2, 0.1 + 1e-15, 0.2, 0.3 - 0.2] {
            assert!((cache.get(step).unwrap().step() - step).abs() < 1e-14);
        }
        assert_eq!(cache.computed(), 2);
        cache.get(0.4).unwrap();
        cache.get(0.1).unwrap();
        assert_eq!(cache.computed(), 3);
        cache.get(0.2).unwrap();
        assert_eq!(cache.computed(), 4);
        for bad in [0.0, f64::INFINITY, f64::NAN] {
            assert!(matches!(cache.get(bad), Err(Error::NotPositive { .. })));
        }
        cache.get(0.2).unwrap();
        assert_eq!(cache.computed(), 4);
    }
}
