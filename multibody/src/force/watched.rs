//! The conditions of the forces of a mechanism, and on which sides they are held.

use crate::expression::{Conditions, Program};

/// The conditions of the programs of a mechanism, and the first place of each among all that are watched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watched {
    /// Of measures that forces use, in the order of evaluation, and of the programs of forces.
    measures: Vec<(Conditions, usize)>,
    programs: Vec<(Conditions, usize)>,
    count: usize,
}

impl Watched {
    /// The conditions of `measures` and `programs`; none where a number comes from elsewhere.
    pub(crate) fn new<'a>(
        measures: impl Iterator<Item = Option<&'a Program>>,
        programs: impl Iterator<Item = Option<&'a Program>>,
    ) -> Self {
        let mut count = 0;
        let mut place = |program: Option<&Program>| {
            let conditions = program.map(|program| program.conditions(0)).unwrap_or_default();
            let first = count;
            count += conditions.count();
            (conditions, first)
        };
        let (measures, programs) = (measures.map(&mut place).collect(), programs.map(&mut place).collect());
        Self { measures, programs, count }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Conditions of the measure at place `at` among those that forces use.
    pub(super) fn of_measure(&self, at: usize) -> &(Conditions, usize) {
        &self.measures[at]
    }

    /// Conditions of program `p` of a force.
    pub(super) fn of_program(&self, p: usize) -> &(Conditions, usize) {
        &self.programs[p]
    }

    /// What is watched at place `k`: its conditions, the place among them, and whose they are: a measure or a program.
    pub(crate) fn find(&self, k: usize) -> Option<(&Conditions, usize, Result<usize, usize>)> {
        let within = |(conditions, first): &(Conditions, usize)| (*first..first + conditions.count()).contains(&k);
        let measure = self.measures.iter().position(within).map(Ok);
        let owner = measure.or_else(|| self.programs.iter().position(within).map(Err))?;
        let (conditions, first) = match owner {
            Ok(at) => &self.measures[at],
            Err(p) => &self.programs[p],
        };
        Some((conditions, k - first, owner))
    }

    /// The measure or program that is watched at place `k`, by a number.
    pub(crate) fn function(&self, k: usize) -> usize {
        match self.find(k) {
            Some((.., Ok(at))) => at,
            Some((.., Err(p))) => self.measures.len() + p,
            None => usize::MAX,
        }
    }
}

/// On which sides conditions are held.
#[derive(Debug, Clone, Default)]
pub(crate) struct Holding {
    /// Whether they are held at all.
    pub(super) on: bool,
    pub(super) sides: Vec<f64>,
    pub(super) arguments: Vec<f64>,
}
