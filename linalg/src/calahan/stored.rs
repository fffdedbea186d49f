//! A factored matrix in a checkpoint: the choice of its pivots is repeated, with the values for which it was made.

use super::{Calahan, CalahanOptions};
use crate::checkpoint::{CheckpointError, Source, Stored};
use nalgebra_sparse::pattern::SparsityPattern;

impl Calahan {
    /// One whose pivots are those that were stored, for the same pattern and options. It holds the factors of the values for which they
    /// were chosen: refactor before it solves.
    ///
    /// # Errors
    /// [`CheckpointError::Content`] for what was not stored of such a matrix.
    pub fn from_stored(
        pattern: &SparsityPattern,
        options: &CalahanOptions,
        from: &mut Source<'_>,
    ) -> Result<Self, CheckpointError> {
        let mut values = vec![0.0; pattern.nnz()];
        values.load(from)?;
        let (tolerance, attainable): (f64, f64) = (from.value()?, from.value()?);
        // Not as chosen at first, but as it would be chosen again: tolerances may have become stricter.
        let stricter = CalahanOptions { pivot_tolerance: tolerance, ..options.clone() };
        let mut matrix = Self::new(pattern, &values, &stricter).map_err(|_| from.refuse("pivots"))?;
        matrix.options = options.clone();
        matrix.attainable = attainable;
        Ok(matrix)
    }
}

/// The pivot sequence alone, not the factors; [`Calahan::refactor`] before solving.
impl Stored for Calahan {
    fn store(&self, to: &mut Vec<u8>) {
        self.chosen.0.store(to);
        self.chosen.1.store(to);
        self.attainable.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        let loaded = Self::from_stored(&self.pattern, &self.options, from)?;
        let statistics = std::mem::take(&mut self.statistics);
        *self = Self { statistics, ..loaded };
        Ok(())
    }
}
