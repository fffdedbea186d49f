//! The flat stream: LU of a matrix whose pivot sequence and fill are known, without any search.
//!
//! Up-looking elimination by rows, in pivot order: row i of the permuted matrix is scattered into a work row; for each l_ik
//! in ascending k, l_ik = w_k / u_kk and w_j -= l_ik u_kj along row k of U; what remains is row i of U. The work row stays in
//! the first-level cache, each row of U is read contiguously, and the place of every multiply-add in the work row is one
//! precomputed 16-bit number. Because an index of that type cannot leave a work row of 65,536 entries, the inner loop
//! needs no bounds check although it is safe code.

use crate::{
    error::Error,
    fill::{Fill, RowView, Sequence},
};

/// Length of the work row; no row of L + U may be longer.
const WORK: usize = 1 << 16;

/// Programme and values of a factorization.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    sequence: Sequence,
    fill: Fill,
    /// Where each value of the matrix goes: (index of the value, place in its work row), by rows in pivot order.
    scatter_start: Vec<u32>,
    scatter: Vec<(u32, u16)>,
    /// Place in the work row of every multiply-add, in the order of execution.
    targets: Vec<u16>,
    /// Entries of L (unit diagonal left out) and U by rows, and the inverse pivots.
    lower: Vec<f64>,
    upper: Vec<f64>,
    inverse: Vec<f64>,
    /// |u_kk| below this asks for fresh pivots.
    floor: Vec<f64>,
    work: Box<[f64; WORK]>,
    permuted: Vec<f64>,
}

/// What the pivot test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Flow {
    /// All pivots are usable.
    Good,
    /// Pivot k fell below its floor.
    SmallPivot,
    /// A value is NaN or infinite.
    NotFinite,
}

impl Stream {
    /// Compiles the stream; `values` are not looked at.
    pub(crate) fn new(rows: &RowView, sequence: Sequence, fill: Fill) -> Result<Self, Error> {
        let n = sequence.rows.len();
        let mut number = vec![0u32; n];
        for (k, &j) in sequence.columns.iter().enumerate() {
            number[j as usize] = k as u32;
        }
        let mut place = vec![0u16; n];
        let mut stream = Self {
            scatter_start: Vec::with_capacity(n + 1),
            scatter: Vec::with_capacity(rows.entries.len()),
            targets: Vec::with_capacity(fill.multiply_adds),
            lower: vec![0.0; fill.lower.len()],
            upper: vec![0.0; fill.upper.len()],
            inverse: vec![0.0; n],
            floor: vec![0.0; n],
            work: work_row(),
            permuted: vec![0.0; n],
            sequence,
            fill,
        };
        stream.scatter_start.push(0);
        for i in 0..n {
            let lower = stream.fill.lower_row(i);
            let upper = stream.fill.upper_row(i);
            let length = lower.len() + 1 + upper.len();
            if length > WORK {
                return Err(Error::TooLarge {
                    what: "a row of the factors",
                    found: length,
                    limit: WORK,
                });
            }
            for (position, &j) in lower.iter().chain(&[i as u32]).chain(upper).enumerate() {
                place[j as usize] = position as u16;
            }
            for &(j, position) in rows.row(stream.sequence.rows[i] as usize) {
                stream
                    .scatter
                    .push((position, place[number[j as usize] as usize]));
            }
            stream.scatter_start.push(stream.scatter.len() as u32);
            for &k in lower {
                let row = stream.fill.upper_row(k as usize);
                stream
                    .targets
                    .extend(row.iter().map(|&j| place[j as usize]));
            }
        }
        Ok(stream)
    }

    pub(crate) fn fill(&self) -> &Fill {
        &self.fill
    }

    /// Factors the matrix with these values (one per entry of the pattern).
    pub(crate) fn factor(&mut self, values: &[f64]) -> Flow {
        let n = self.inverse.len();
        let mut target = 0;
        let mut small = false;
        let mut finite = 0.0;
        let work = &mut *self.work;
        for i in 0..n {
            let lower = range(&self.fill.lower_start, i);
            let upper = range(&self.fill.upper_start, i);
            let length = lower.len() + 1 + upper.len();
            work[..length].fill(0.0);
            for &(source, place) in &self.scatter[range(&self.scatter_start, i)] {
                work[place as usize] = values[source as usize];
            }
            for (place, &k) in self.fill.lower[lower.clone()].iter().enumerate() {
                let k = k as usize;
                let l = work[place & (WORK - 1)] * self.inverse[k];
                work[place & (WORK - 1)] = l;
                let row = &self.upper[range(&self.fill.upper_start, k)];
                let places = &self.targets[target..target + row.len()];
                target += row.len();
                for (&place, &u) in places.iter().zip(row) {
                    work[place as usize] -= l * u;
                }
            }
            let diagonal = lower.len();
            let pivot = work[diagonal];
            small |= !(pivot.abs() >= self.floor[i]);
            self.inverse[i] = 1.0 / pivot;
            for (to, &from) in self.lower[lower].iter_mut().zip(&work[..diagonal]) {
                *to = from;
                finite += from * 0.0;
            }
            for (to, &from) in self.upper[upper]
                .iter_mut()
                .zip(&work[diagonal + 1..length])
            {
                *to = from;
                finite += from * 0.0;
            }
            finite += pivot * 0.0;
        }
        match (finite == 0.0, small) {
            (false, _) => Flow::NotFinite,
            (true, true) => Flow::SmallPivot,
            (true, false) => Flow::Good,
        }
    }

    /// Makes a fraction of the present pivots the least that later ones may be.
    pub(crate) fn set_floors(&mut self, fraction: f64) {
        for (floor, inverse) in self.floor.iter_mut().zip(&self.inverse) {
            *floor = fraction / inverse.abs();
        }
    }

    /// Solves A x = b in place with the last factorization.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        let y = &mut self.permuted[..];
        for (to, &from) in y.iter_mut().zip(&self.sequence.rows) {
            *to = b[from as usize];
        }
        let n = y.len();
        for i in 0..n {
            let entries = range(&self.fill.lower_start, i);
            let mut sum = y[i];
            for (&k, &l) in self.fill.lower[entries.clone()]
                .iter()
                .zip(&self.lower[entries])
            {
                sum -= l * y[k as usize];
            }
            y[i] = sum;
        }
        for i in (0..n).rev() {
            let entries = range(&self.fill.upper_start, i);
            let mut sum = y[i];
            for (&j, &u) in self.fill.upper[entries.clone()]
                .iter()
                .zip(&self.upper[entries])
            {
                sum -= u * y[j as usize];
            }
            y[i] = sum * self.inverse[i];
        }
        for (&from, &to) in y.iter().zip(&self.sequence.columns) {
            b[to as usize] = from;
        }
    }
}

fn range(start: &[u32], i: usize) -> std::ops::Range<usize> {
    start[i] as usize..start[i + 1] as usize
}

fn work_row() -> Box<[f64; WORK]> {
    match vec![0.0; WORK].into_boxed_slice().try_into() {
        Ok(row) => row,
        Err(_) => unreachable!("a slice of WORK entries converts to an array of WORK entries"),
    }
}
