//! L L^T of a sparse symmetric positive definite matrix of 6 x 6 blocks, one row and column of blocks a body.
//!
//! Bodies are eliminated in the order of fewest neighbours (minimum degree): a stack from its end, a pile from its surface. All workspace is
//! reused; the symbolic part is done again only when the neighbours change.

/// A 6 x 6 block, row by row.
pub(crate) type Block = [[f64; 6]; 6];

/// Multiplications of a product of two blocks.
const BLOCK_PRODUCT: usize = 216;

const ZERO: Block = [[0.0; 6]; 6];

/// The matrix and its factor in one place.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockCholesky {
    n: usize,
    /// Edges (larger, smaller) by which the pattern was made.
    edges: Vec<(u32, u32)>,
    /// Neighbours while nodes are eliminated.
    adjacent: Vec<Vec<u32>>,
    /// Node eliminated k-th, and place of each node in that order.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Block column k of L holds its diagonal, then rows `rows[start[k]..start[k + 1]]`, ascending places.
    start: Vec<usize>,
    rows: Vec<u32>,
    diagonal: Vec<Block>,
    below: Vec<Block>,
    /// Place among `below` of each row of the column in work.
    scatter: Vec<usize>,
    scratch: Vec<u32>,
}

impl BlockCholesky {
    /// A matrix of zeros for n nodes and the edges between them (any order, repeated or not).
    pub(crate) fn reset(&mut self, n: usize, edges: impl Iterator<Item = (usize, usize)>) {
        let mut given = std::mem::take(&mut self.edges);
        let before = given.len();
        given.extend(edges.filter(|(i, j)| i != j).map(|(i, j)| (i.max(j) as u32, i.min(j) as u32)));
        given[before..].sort_unstable();
        // The new edges without repetition, compared with the old ones in front of them.
        let mut kept = before;
        for k in before..given.len() {
            if k == before || given[k] != given[kept - 1] {
                given[kept] = given[k];
                kept += 1;
            }
        }
        given.truncate(kept);
        let same = self.n == n && given.len() == 2 * before && (0..before).all(|k| given[k] == given[before + k]);
        given.drain(..before);
        self.edges = given;
        if !same {
            self.n = n;
            self.analyze();
        }
        self.diagonal.clear();
        self.diagonal.resize(n, ZERO);
        self.below.clear();
        self.below.resize(self.rows.len(), ZERO);
    }

    /// Minimum degree elimination; fills the pattern of L.
    fn analyze(&mut self) {
        let n = self.n;
        if self.adjacent.len() < n {
            self.adjacent.resize_with(n, Vec::new);
        }
        self.adjacent[..n].iter_mut().for_each(Vec::clear);
        for &(i, j) in &self.edges {
            self.adjacent[i as usize].push(j);
            self.adjacent[j as usize].push(i);
        }
        self.adjacent[..n].iter_mut().for_each(|list| list.sort_unstable());
        self.order.clear();
        self.place.clear();
        self.place.resize(n, u32::MAX);
        self.start.clear();
        self.rows.clear();
        for k in 0..n {
            let free = (0..n).filter(|&i| self.place[i] == u32::MAX);
            let node = free.min_by_key(|&i| self.adjacent[i].len()).unwrap_or(k);
            self.place[node] = k as u32;
            self.order.push(node as u32);
            self.start.push(self.rows.len());
            let around = std::mem::take(&mut self.adjacent[node]);
            self.rows.extend_from_slice(&around);
            for &i in &around {
                self.join(i as usize, node as u32, &around);
            }
            self.adjacent[node] = around;
        }
        self.start.push(self.rows.len());
        for k in 0..n {
            let column = &mut self.rows[self.start[k]..self.start[k + 1]];
            column.iter_mut().for_each(|row| *row = self.place[*row as usize]);
            column.sort_unstable();
        }
        self.scatter.clear();
        self.scatter.resize(n, 0);
    }

    /// Neighbours of i, without the eliminated node, with those of that node.
    fn join(&mut self, i: usize, gone: u32, around: &[u32]) {
        let mut merged = std::mem::take(&mut self.scratch);
        merged.clear();
        let own = &self.adjacent[i];
        let (mut a, mut b) = (0, 0);
        while a < own.len() || b < around.len() {
            let next = match (own.get(a), around.get(b)) {
                (Some(&x), Some(&y)) => x.min(y),
                (Some(&x), None) => x,
                (None, Some(&y)) => y,
                (None, None) => break,
            };
            a += usize::from(own.get(a) == Some(&next));
            b += usize::from(around.get(b) == Some(&next));
            if next != gone && next as usize != i {
                merged.push(next);
            }
        }
        std::mem::swap(&mut self.adjacent[i], &mut merged);
        self.scratch = merged;
    }

    /// Multiplications of a factorization, about.
    pub(crate) fn work(&self) -> usize {
        let column = |k: &[usize]| (k[1] - k[0] + 1) * (k[1] - k[0] + 2) / 2;
        BLOCK_PRODUCT * self.start.windows(2).map(column).sum::<usize>()
    }

    /// The diagonal block of a node, to be added to.
    #[inline]
    pub(crate) fn diagonal_mut(&mut self, node: usize) -> &mut Block {
        &mut self.diagonal[self.place[node] as usize]
    }

    /// The block of two nodes that share an edge, and whether it is that of (j, i) instead of (i, j).
    #[inline]
    pub(crate) fn between_mut(&mut self, i: usize, j: usize) -> (&mut Block, bool) {
        let (a, b) = (self.place[i], self.place[j]);
        let (row, column) = (a.max(b), a.min(b) as usize);
        let range = self.start[column]..self.start[column + 1];
        let at = range.start + self.rows[range].partition_point(|&r| r < row);
        (&mut self.below[at], a < b)
    }

    /// Factors in place; false if the matrix is not positive definite to round-off.
    pub(crate) fn factor(&mut self) -> bool {
        for k in 0..self.n {
            let range = self.start[k]..self.start[k + 1];
            if !factor_block(&mut self.diagonal[k]) {
                return false;
            }
            let pivot = self.diagonal[k];
            for block in &mut self.below[range.clone()] {
                // B L^-T: each row by forward substitution.
                for row in block.iter_mut() {
                    forward(&pivot, row);
                }
            }
            for at in range.clone() {
                self.update_column(at, range.end);
            }
        }
        true
    }

    /// Takes the products of block `at` of a finished column with itself and the blocks below it from the column of its row.
    fn update_column(&mut self, at: usize, end: usize) {
        let target = self.rows[at] as usize;
        let b = self.below[at];
        subtract_product(&mut self.diagonal[target], &b, &b);
        if at + 1 == end {
            return;
        }
        for place in self.start[target]..self.start[target + 1] {
            self.scatter[self.rows[place] as usize] = place;
        }
        for other in at + 1..end {
            let place = self.scatter[self.rows[other] as usize];
            let a = self.below[other];
            subtract_product(&mut self.below[place], &a, &b);
        }
    }

    /// Solves in place, six numbers a node.
    pub(crate) fn solve(&self, x: &mut [[f64; 6]]) {
        for k in 0..self.n {
            let node = self.order[k] as usize;
            let mut y = x[node];
            forward(&self.diagonal[k], &mut y);
            x[node] = y;
            for at in self.start[k]..self.start[k + 1] {
                let (below, block) = (&mut x[self.order[self.rows[at] as usize] as usize], &self.below[at]);
                for i in 0..6 {
                    below[i] -= (0..6).map(|j| block[i][j] * y[j]).sum::<f64>();
                }
            }
        }
        for k in (0..self.n).rev() {
            let node = self.order[k] as usize;
            let mut y = x[node];
            for at in self.start[k]..self.start[k + 1] {
                let (below, block) = (&x[self.order[self.rows[at] as usize] as usize], &self.below[at]);
                for j in 0..6 {
                    y[j] -= (0..6).map(|i| block[i][j] * below[i]).sum::<f64>();
                }
            }
            backward(&self.diagonal[k], &mut y);
            x[node] = y;
        }
    }
}

/// L of a block in its lower triangle.
fn factor_block(a: &mut Block) -> bool {
    for i in 0..6 {
        let before = a[i][i];
        for j in 0..i {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            a[i][j] = (a[i][j] - sum) / a[j][j];
        }
        let pivot = before - (0..i).map(|k| a[i][k] * a[i][k]).sum::<f64>();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        a[i][i] = pivot.sqrt();
    }
    true
}

/// L^-1 x.
#[inline]
fn forward(l: &Block, x: &mut [f64; 6]) {
    for i in 0..6 {
        let sum: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
}

/// L^-T x.
#[inline]
fn backward(l: &Block, x: &mut [f64; 6]) {
    for i in (0..6).rev() {
        let sum: f64 = (i + 1..6).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
}

/// c -= a b^T.
#[inline]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for i in 0..6 {
        for j in 0..6 {
            let mut sum = 0.0;
            for k in 0..6 {
                sum += a[i][k] * b[j][k];
            }
            c[i][j] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// A grid of 3 x 4 bodies, whose elimination fills in, against a dense factorization; then another pattern in the same workspace.
    #[test]
    fn solves_as_dense_factors_do() {
        let mut sparse = BlockCholesky::default();
        for (across, along) in [(3, 4), (1, 7), (3, 4)] {
            let n = across * along;
            let right = (0..n).filter(|i| i % along + 1 < along).map(|i| (i, i + 1));
            let edges: Vec<_> = right.chain((0..n - along).map(|i| (i, i + along))).collect();
            sparse.reset(n, edges.iter().copied());
            let mut dense = DMatrix::<f64>::zeros(6 * n, 6 * n);
            let value = |seed: usize| ((seed * 7919 + 13) % 101) as f64 / 101.0 - 0.5;
            for node in 0..n {
                for k in 0..6 {
                    sparse.diagonal_mut(node)[k][k] += 12.0 + value(node + k);
                    dense[(6 * node + k, 6 * node + k)] += 12.0 + value(node + k);
                }
            }
            for (e, &(i, j)) in edges.iter().enumerate() {
                let (block, transposed) = sparse.between_mut(i, j);
                for r in 0..6 {
                    for c in 0..6 {
                        let x = value(36 * e + 6 * r + c);
                        if transposed {
                            block[c][r] += x
                        } else {
                            block[r][c] += x
                        }
                        dense[(6 * i + r, 6 * j + c)] += x;
                        dense[(6 * j + c, 6 * i + r)] += x;
                    }
                }
            }
            let mut x: Vec<[f64; 6]> = (0..n).map(|i| std::array::from_fn(|k| value(i + 5 * k))).collect();
            let rhs = DVector::from_iterator(6 * n, x.iter().flatten().copied());
            assert!(sparse.factor());
            sparse.solve(&mut x);
            let expected = dense.cholesky().expect("diagonally dominant").solve(&rhs);
            for (found, expected) in x.iter().flatten().zip(expected.iter()) {
                assert!((found - expected).abs() < 1e-14);
            }
        }
    }
}
