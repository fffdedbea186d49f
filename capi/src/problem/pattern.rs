//! The pattern of the matrix of a problem: as the host gives it, or full.

use fourbar::linalg::SparsityPattern;
use fourbar::linalg::checkpoint::Fingerprint;

use super::equations::fourbar_equations;
use crate::abi::error::Failure;
use crate::abi::memory;
use crate::abi::status::fourbar_status as Status;
use crate::abi::view;

/// Where dF/dy + c dF/dy' has entries, F = y' - f for the explicit form.
pub(super) struct Pattern {
    pub(super) whole: SparsityPattern,
    /// Of the explicit form: where the host's entries lie in it, and where its diagonal.
    pub(super) given: Vec<usize>,
    pub(super) diagonal: Vec<usize>,
}

impl Pattern {
    /// The one that the host gives, if it does.
    ///
    /// # Safety
    /// The arrays are NULL or as long as the struct says.
    pub(super) unsafe fn given(equations: &fourbar_equations) -> Result<Option<Self>, Failure> {
        if equations.pattern_offsets.is_null() {
            return Ok(None);
        }
        let n = equations.dimension;
        // SAFETY: by contract.
        let (offsets, rows) = unsafe {
            let offsets = view::slice(equations.pattern_offsets, n + 1, "pattern_offsets")?;
            (offsets, view::slice(equations.pattern_rows, equations.pattern_length, "pattern_rows")?)
        };
        if let Some(fault) = fault_of(n, offsets, rows) {
            return Err(Failure::new(Status::FOURBAR_INVALID, fault));
        }
        let own = SparsityPattern::try_from_offsets_and_indices(n, n, offsets.to_vec(), rows.to_vec());
        let own = own.map_err(|error| Failure::new(Status::FOURBAR_INVALID, format!("the pattern: {error}")))?;
        let explicit = equations.residual.is_none();
        Ok(Some(if explicit {
            with_diagonal(&own)
        } else {
            Self { whole: own, given: Vec::new(), diagonal: Vec::new() }
        }))
    }

    /// All n x n entries.
    pub(super) fn full(n: usize) -> Result<Self, Failure> {
        // Pattern, values, factors; and 4 bytes for each of the n^3/3 multiply-adds of the elimination.
        let numbers = |entries: usize| entries.checked_mul(12)?.checked_add(entries.checked_mul(n)? / 6);
        let entries = n.checked_mul(n).filter(|entries| memory::holds(numbers(*entries)));
        let Some(entries) = entries else {
            let text = format!("{n} x {n} entries are too many for a full matrix here: give the pattern");
            return Err(Failure::new(Status::FOURBAR_LENGTH, text));
        };
        let (offsets, rows) = ((0..=n).map(|j| j * n).collect(), (0..n).flat_map(|_| 0..n).collect());
        let whole = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows);
        let whole = whole.expect("all rows of each column, in order");
        Ok(Self { whole, given: (0..entries).collect(), diagonal: (0..n).map(|j| j * n + j).collect() })
    }

    /// Of a method that needs no matrix.
    pub(super) fn none() -> Self {
        Self { whole: SparsityPattern::zeros(0, 0), given: Vec::new(), diagonal: Vec::new() }
    }

    /// Tells patterns apart.
    pub(super) fn fingerprint(&self, sum: Fingerprint) -> Fingerprint {
        let (offsets, rows) = (self.whole.major_offsets(), self.whole.minor_indices());
        let counts = offsets.iter().chain(rows).chain(&self.given);
        counts.fold(sum, |sum, count| sum.bytes(&count.to_le_bytes()))
    }
}

/// What keeps `n` + 1 offsets and the rows from being a pattern compressed by columns.
fn fault_of(n: usize, offsets: &[usize], rows: &[usize]) -> Option<String> {
    let length = rows.len();
    if offsets[0] != 0 {
        return Some(format!("pattern_offsets[0] is {}; it must be 0", offsets[0]));
    }
    if let Some(j) = (0..n).find(|&j| offsets[j + 1] < offsets[j]) {
        let (before, next) = (offsets[j], offsets[j + 1]);
        return Some(format!("pattern_offsets[{}] is {next}; it must not be less than the {before} before it", j + 1));
    }
    if offsets[n] != length {
        return Some(format!("pattern_offsets[{n}] is {}; it must be pattern_length, {length}", offsets[n]));
    }
    (0..n).find_map(|j| {
        (offsets[j]..offsets[j + 1]).find_map(|k| {
            let row = rows[k];
            if row >= n {
                return Some(format!("pattern_rows[{k}] is {row}; it must be less than dimension, {n}"));
            }
            let ascends = k == offsets[j] || rows[k - 1] < row;
            (!ascends).then(|| {
                format!("pattern_rows[{k}] is {row}; in column {j} it must be more than the {} before it", rows[k - 1])
            })
        })
    })
}

/// The pattern with its whole diagonal.
fn with_diagonal(own: &SparsityPattern) -> Pattern {
    let n = own.major_dim();
    let (mut offsets, mut rows) = (vec![0], Vec::with_capacity(own.nnz() + n));
    let (mut given, mut diagonal) = (Vec::with_capacity(own.nnz()), Vec::with_capacity(n));
    for j in 0..n {
        let lane = own.lane(j);
        let before = lane.partition_point(|&row| row < j);
        let missing = lane.get(before) != Some(&j);
        for (k, &row) in lane.iter().enumerate() {
            given.push(rows.len() + k + usize::from(missing && k >= before));
            debug_assert!(row < n);
        }
        diagonal.push(rows.len() + before);
        rows.extend_from_slice(&lane[..before]);
        rows.extend(missing.then_some(j));
        rows.extend_from_slice(&lane[before..]);
        offsets.push(rows.len());
    }
    let whole = SparsityPattern::try_from_offsets_and_indices(n, n, offsets, rows);
    Pattern { whole: whole.expect("rows ascend: the diagonal was put in its place"), given, diagonal }
}
