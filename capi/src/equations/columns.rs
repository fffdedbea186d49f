//! Patterns by columns.

use fourbar::linalg::SparsityPattern;

/// A pattern by columns of a matrix that is kept by rows.
pub(crate) struct Columns {
    pub(super) pattern: SparsityPattern,
    /// Where each of its entries lies by rows.
    pub(super) places: Vec<usize>,
}

impl Columns {
    pub(super) fn of(rows: &SparsityPattern) -> Self {
        let mut entries: Vec<(usize, usize)> = rows.entries().map(|(row, column)| (column, row)).collect();
        let mut places: Vec<usize> = (0..entries.len()).collect();
        places.sort_by_key(|&k| entries[k]);
        entries.sort_unstable();
        let columns = rows.minor_dim();
        let offsets = (0..=columns).map(|j| entries.partition_point(|&(column, _)| column < j)).collect();
        let minor = entries.into_iter().map(|(_, row)| row).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(columns, rows.major_dim(), offsets, minor);
        Self { pattern: pattern.expect("the entries of a pattern, sorted by columns"), places }
    }
}
