//! Families of complementarity problems with known answers or known solvability, from a fixed stream of numbers.

#![allow(dead_code)]

use fourbar_contact::problem::Lcp;
use nalgebra::{DMatrix, DVector};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform in -1..1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub(crate) fn unit(&mut self) -> f64 {
        0.5 * (self.signed() + 1.0)
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    /// Near enough to normal: the sum of twelve.
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.signed()).sum::<f64>() * 0.5
    }
    pub(crate) fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.normal())
    }
}

fn lcp(m: DMatrix<f64>, q: DVector<f64>) -> Lcp {
    Lcp::new(m, q).unwrap()
}

/// q so that a z with about half its entries positive solves; some pairs with z = w = 0 if `degenerate`.
pub(crate) fn planted(numbers: &mut Numbers, m: DMatrix<f64>, degenerate: bool) -> (Lcp, DVector<f64>) {
    let n = m.nrows();
    let mut w = DVector::zeros(n);
    let z = DVector::from_fn(n, |i, _| {
        let size = numbers.unit() + 0.1;
        match numbers.below(if degenerate { 3 } else { 2 }) {
            0 => size,
            1 => {
                w[i] = size;
                0.0
            }
            _ => 0.0,
        }
    });
    let q = &w - &m * &z;
    (lcp(m, q), z)
}

/// G G^T / n plus a skew part plus a positive diagonal: P, not symmetric.
pub(crate) fn definite_skew(numbers: &mut Numbers, n: usize, skew: f64) -> DMatrix<f64> {
    let (g, k) = (numbers.matrix(n, n), numbers.matrix(n, n));
    &g * g.transpose() / n as f64 + (&k - k.transpose()) * (skew / (n as f64).sqrt()) + DMatrix::identity(n, n) * 0.01
}

pub(crate) fn symmetric_definite(numbers: &mut Numbers, n: usize) -> DMatrix<f64> {
    let g = numbers.matrix(n, n);
    &g * g.transpose() / n as f64 + DMatrix::identity(n, n) * 0.001
}

pub(crate) fn semidefinite(numbers: &mut Numbers, n: usize, rank: usize) -> DMatrix<f64> {
    let g = numbers.matrix(n, rank);
    &g * g.transpose() / n as f64
}

/// Semidefinite plus a skew part of the given rank: singular, not symmetric.
pub(crate) fn semidefinite_skew(numbers: &mut Numbers, n: usize, rank: usize) -> DMatrix<f64> {
    let (g, k) = (numbers.matrix(n, rank), numbers.matrix(rank, rank));
    (&g * g.transpose() + &g * (&k - k.transpose()) * g.transpose() / (rank as f64).sqrt()) / n as f64
}

/// P but not positive definite: triangular with positive diagonal, mixed by a positive diagonal similarity and a permutation.
pub(crate) fn hidden_triangular(numbers: &mut Numbers, n: usize) -> DMatrix<f64> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, numbers.below(i + 1));
    }
    let mut m = DMatrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            m[(order[i], order[j])] = match i.cmp(&j) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5 + numbers.unit(),
                std::cmp::Ordering::Greater => numbers.signed(),
            };
        }
    }
    m
}

/// Strictly row diagonally dominant with positive diagonal: P (H+), not symmetric.
pub(crate) fn dominant(numbers: &mut Numbers, n: usize) -> DMatrix<f64> {
    let mut m = DMatrix::from_fn(n, n, |_, _| numbers.signed());
    for i in 0..n {
        m[(i, i)] = 0.0;
        m[(i, i)] = m.row(i).iter().map(|x| x.abs()).sum::<f64>() * 1.01 + 0.1;
    }
    m
}

/// P blocks of order three on which block pivoting without a safeguard cycles (Kostreva).
pub(crate) fn kostreva_blocks(numbers: &mut Numbers, n: usize) -> DMatrix<f64> {
    let mut m = DMatrix::identity(n, n);
    for first in (0..n / 3 * 3).step_by(3) {
        for k in 0..3 {
            m[(first + k, first + (k + 1) % 3)] = 1.5 + numbers.unit();
        }
    }
    m
}

/// Planar boxes in a stack, three contacts on each interface: rank two thirds. M = J W J^T, q from gravity.
/// `mass(k)` of box k, from the ground up.
pub(crate) fn stack(boxes: usize, mass: impl Fn(usize) -> f64, points: &[f64]) -> Lcp {
    let p = points.len();
    let n = boxes * p;
    let mut m = DMatrix::zeros(n, n);
    let inertia = |k: usize| mass(k) / 6.0;
    for k in 0..boxes {
        for (a, &xa) in points.iter().enumerate() {
            for (b, &xb) in points.iter().enumerate() {
                let own = 1.0 / mass(k) + xa * xb / inertia(k);
                m[(k * p + a, k * p + b)] += own;
                if k + 1 < boxes {
                    m[((k + 1) * p + a, (k + 1) * p + b)] += own;
                    m[(k * p + a, (k + 1) * p + b)] -= own;
                    m[((k + 1) * p + a, k * p + b)] -= own;
                }
            }
        }
    }
    let q = DVector::from_fn(n, |i, _| if i < p { -9.81 } else { 0.0 });
    lcp(m, q)
}

/// Murty 1978: lower triangular, ones and twos; 2^n pivots for least-index rules.
pub(crate) fn murty(n: usize, upper: bool) -> DMatrix<f64> {
    let lower = DMatrix::from_fn(n, n, |i, j| {
        if i == j {
            1.0
        } else if i > j {
            2.0
        } else {
            0.0
        }
    });
    if upper { lower.transpose() } else { lower }
}

pub(crate) fn murty_lcp(n: usize, upper: bool) -> Lcp {
    let q = if upper {
        DVector::from_fn(n, |i, _| -(2f64.powi(n as i32 + 1) - 2f64.powi(i as i32 + 1)))
    } else {
        DVector::from_element(n, -1.0)
    };
    lcp(murty(n, upper), q)
}

/// Fathi 1979: L L^T of Murty's.
pub(crate) fn fathi(n: usize) -> Lcp {
    let l = murty(n, false);
    lcp(&l * l.transpose(), DVector::from_element(n, -1.0))
}

/// Bimatrix game with positive costs: w = M z - 1, M = [[0, A], [B^T, 0]].
pub(crate) fn bimatrix(numbers: &mut Numbers, rows: usize, columns: usize) -> Lcp {
    let n = rows + columns;
    let mut m = DMatrix::zeros(n, n);
    for i in 0..rows {
        for j in 0..columns {
            m[(i, rows + j)] = 1.0 + 9.0 * numbers.unit();
            m[(rows + j, i)] = 1.0 + 9.0 * numbers.unit();
        }
    }
    lcp(m, DVector::from_element(n, -1.0))
}

/// Membrane over an obstacle on a square grid: five-point Laplacian, an M matrix.
pub(crate) fn obstacle(side: usize) -> Lcp {
    let n = side * side;
    let h = 1.0 / (side as f64 + 1.0);
    let mut m = DMatrix::zeros(n, n);
    let at = |i: usize, j: usize| i * side + j;
    let psi = |i: isize, j: isize| {
        let (x, y) = ((i + 1) as f64 * h - 0.5, (j + 1) as f64 * h - 0.5);
        0.2 - 3.0 * (x * x + y * y)
    };
    let mut q = DVector::zeros(n);
    for i in 0..side {
        for j in 0..side {
            m[(at(i, j), at(i, j))] = 4.0 / (h * h);
            let mut lap = 4.0 * psi(i as isize, j as isize);
            for (di, dj) in [(0isize, 1isize), (1, 0), (0, -1), (-1, 0)] {
                let (k, l) = (i as isize + di, j as isize + dj);
                if (0..side as isize).contains(&k) && (0..side as isize).contains(&l) {
                    m[(at(i, j), at(k as usize, l as usize))] = -1.0 / (h * h);
                    lap -= psi(k, l);
                }
            }
            q[at(i, j)] = lap / (h * h) + 1.0;
        }
    }
    lcp(m, q)
}

/// Stewart and Trinkle's friction problem of random contacts: copositive, not symmetric, singular.
pub(crate) fn stewart_trinkle(
    numbers: &mut Numbers,
    contacts: usize,
    directions: usize,
    bodies: usize,
    mu: f64,
) -> Lcp {
    let (p, k) = (contacts, directions);
    let dofs = 3 * bodies;
    let jn = numbers.matrix(p, dofs);
    let jt = numbers.matrix(p, dofs);
    let js = numbers.matrix(p, dofs);
    let n = p * (k + 2);
    let mut d = DMatrix::zeros(p * k, dofs);
    for c in 0..p {
        for l in 0..k {
            let angle = std::f64::consts::TAU * l as f64 / k as f64;
            d.row_mut(c * k + l).copy_from(&(jt.row(c) * angle.cos() + js.row(c) * angle.sin()));
        }
    }
    let mut m = DMatrix::zeros(n, n);
    m.view_mut((0, 0), (p, p)).copy_from(&(&jn * jn.transpose()));
    m.view_mut((0, p), (p, p * k)).copy_from(&(&jn * d.transpose()));
    m.view_mut((p, 0), (p * k, p)).copy_from(&(&d * jn.transpose()));
    m.view_mut((p, p), (p * k, p * k)).copy_from(&(&d * d.transpose()));
    for c in 0..p {
        m[(p + p * k + c, c)] = mu;
        for l in 0..k {
            m[(p + c * k + l, p + p * k + c)] = 1.0;
            m[(p + p * k + c, p + c * k + l)] = -1.0;
        }
    }
    let v = DVector::from_fn(dofs, |_, _| numbers.normal());
    let mut q = DVector::zeros(n);
    q.rows_mut(0, p).copy_from(&(&jn * &v));
    q.rows_mut(p, p * k).copy_from(&(&d * &v));
    lcp(m, q)
}

/// A solvable problem of a matrix of no class.
pub(crate) fn general(numbers: &mut Numbers, n: usize) -> Lcp {
    let m = numbers.matrix(n, n);
    planted(numbers, m, false).0
}

/// Scales rows and columns over `decades`, symmetrically.
pub(crate) fn badly_scaled(numbers: &mut Numbers, lcp_in: &Lcp, decades: f64) -> Lcp {
    let n = lcp_in.len();
    let s: Vec<f64> = (0..n).map(|_| 10f64.powf(decades * numbers.signed() * 0.5)).collect();
    let m = DMatrix::from_fn(n, n, |i, j| lcp_in.m()[(i, j)] * s[i] * s[j]);
    let q = DVector::from_fn(n, |i, _| lcp_in.q()[i] * s[i]);
    lcp(m, q)
}
