//! [[M, Phi_q^T], [Phi_q, 0]](u, lambda) = (Q, gamma) with the bodies eliminated first: M is block diagonal, so
//!
//! ```text
//! S lambda = Phi_q M^-1 Q - gamma,   S = Phi_q M^-1 Phi_q^T,   u = M^-1 (Q - Phi_q^T lambda)
//! ```
//!
//! S couples rows that share a body: block tridiagonal along a chain, and so without fill but that of loops. The first equation holds to round-off by
//! the way u is found; the second is tested, with a step of refinement where it asks for one.

use super::left::{REFINE, REFUSE, Six, missing_of};
use crate::mechanism::{HeldRows, Mechanism};
use crate::space::{M3, Pose, V3};
use fourbar_linalg::symmetric_eigen;
use fourbar_linalg::{Calahan, CalahanOptions, Error as LinearError, Refactored, SparsityPattern};

/// Smallest and largest moment of inertia of a body may differ by this: beyond it the inverse has lost half of its digits.
const SLENDER: f64 = 1e-8;

/// Workspace.
#[derive(Debug, Clone)]
pub(super) struct Elimination {
    /// 1/m and the inverse of the inertia in body axes.
    inverse: Vec<(f64, M3)>,
    /// The latter in global axes.
    inertia: Vec<M3>,
    /// M^-1 times the gradients of each term of the rows.
    scaled: Vec<[Six; 2]>,
    /// Products that make up S: (term, side) twice, and the places among its values of both entries.
    products: Vec<Product>,
    pattern: SparsityPattern,
    values: Vec<f64>,
    /// None without rows.
    lu: Option<Calahan>,
    rhs: Vec<f64>,
    missing: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Product {
    terms: [u32; 2],
    sides: [u8; 2],
    places: [u32; 2],
    /// 2 where it stands on the diagonal for both orders of two terms.
    factor: f64,
}

impl Elimination {
    /// Orders the elimination at the rows that `held` has at `poses`. None if that cannot be solved well this way: a body without inertia, a flexible one, rows
    /// close to dependent ones.
    pub(super) fn new(mechanism: &Mechanism, held: &HeldRows, poses: &[Pose]) -> Option<Self> {
        if !mechanism.flexible.is_empty() {
            return None;
        }
        let inverse: Option<Vec<_>> = mechanism.bodies.iter().map(|b| inverse_of(b.mass, &b.inertia)).collect();
        let (inverse, rows) = (inverse?, held.rows.len());
        let (pattern, products) = coupled(held, inverse.len());
        let mut elimination = Self {
            inertia: vec![M3::zeros(); inverse.len()],
            inverse,
            scaled: vec![[[0.0; 6]; 2]; held.term_count()],
            products,
            values: vec![0.0; pattern.nnz()],
            pattern,
            lu: None,
            rhs: vec![0.0; rows],
            missing: vec![0.0; rows],
        };
        elimination.assemble(held, poses);
        if rows > 0 {
            let lu = Calahan::new(&elimination.pattern, &elimination.values, &CalahanOptions::default());
            elimination.lu = Some(lu.ok()?);
            // A trial, with signs that change without a pattern.
            let sign = |k: usize| if (k * 7 + k / 3) % 5 < 2 { -1.0 } else { 1.0 };
            let mut bodies: Vec<f64> = (0..6 * poses.len() - 6).map(sign).collect();
            let mut joints: Vec<f64> = (0..rows).map(sign).collect();
            elimination.solve(held, &mut bodies, &mut joints).then_some(())?;
        }
        Some(elimination)
    }

    /// Factors S at the rows that `held` has at `poses`.
    pub(super) fn factor(&mut self, held: &HeldRows, poses: &[Pose]) -> Result<Refactored, LinearError> {
        self.assemble(held, poses);
        self.lu.as_mut().map_or(Ok(Refactored::Stream), |lu| lu.refactor(&self.values))
    }

    /// Solves in place: `top` becomes u, `bottom` lambda. Returns whether the rows are satisfied.
    pub(super) fn solve(&mut self, held: &HeldRows, top: &mut [f64], bottom: &mut [f64]) -> bool {
        let blocks = top.as_chunks_mut::<6>().0;
        for ((block, (mass, _)), inertia) in blocks.iter_mut().zip(&self.inverse).zip(&self.inertia) {
            let turn = inertia * V3::new(block[3], block[4], block[5]);
            *block = [block[0] * mass, block[1] * mass, block[2] * mass, turn.x, turn.y, turn.z];
        }
        self.rhs.copy_from_slice(bottom);
        missing_of(held, &self.rhs, blocks, &mut self.missing);
        bottom.fill(0.0);
        self.correct(held, blocks, bottom);
        let mut left = missing_of(held, &self.rhs, blocks, &mut self.missing);
        if left > REFINE {
            self.correct(held, blocks, bottom);
            left = missing_of(held, &self.rhs, blocks, &mut self.missing);
        }
        left <= REFUSE
    }

    /// Adds to u and lambda what takes `missing` away.
    fn correct(&mut self, held: &HeldRows, u: &mut [Six], lambda: &mut [f64]) {
        let Some(lu) = &mut self.lu else { return };
        lu.solve(&mut self.missing);
        lambda.iter_mut().zip(&self.missing).for_each(|(lambda, d)| *lambda -= d);
        for (k, scaled) in self.scaled.iter().enumerate() {
            let (row, d) = (held.term(k), self.missing[held.row_of(k)]);
            for (&body, scaled) in row.bodies.iter().zip(scaled) {
                if let Some(u) = u.get_mut(body) {
                    u.iter_mut().zip(scaled).for_each(|(u, s)| *u += s * d);
                }
            }
        }
    }

    /// Fills M^-1 `Phi_q^T` and S.
    fn assemble(&mut self, held: &HeldRows, poses: &[Pose]) {
        for ((inertia, (_, own)), pose) in self.inertia.iter_mut().zip(&self.inverse).zip(poses) {
            *inertia = pose.a * own * pose.a.transpose();
        }
        for (k, scaled) in self.scaled.iter_mut().enumerate() {
            let row = held.term(k);
            for ((&body, g), scaled) in row.bodies.iter().zip(&row.gradients).zip(scaled) {
                let (Some((mass, _)), Some(inertia)) = (self.inverse.get(body), self.inertia.get(body)) else {
                    continue;
                };
                let turn = inertia * V3::new(g[3], g[4], g[5]);
                *scaled = [g[0] * mass, g[1] * mass, g[2] * mass, turn.x, turn.y, turn.z];
            }
        }
        self.values.fill(0.0);
        for product in &self.products {
            let [p, q] = product.terms.map(|term| term as usize);
            let [side_p, side_q] = product.sides.map(usize::from);
            let (g, s) = (&held.term(p).gradients[side_p], &self.scaled[q][side_q]);
            let value = (g[0] * s[0] + g[1] * s[1] + g[2] * s[2]) + (g[3] * s[3] + g[4] * s[4] + g[5] * s[5]);
            let [upper, lower] = product.places.map(|place| place as usize);
            let value = product.factor * value;
            self.values[upper] += value;
            if lower != upper {
                self.values[lower] += value;
            }
        }
    }
}

/// 1/m and the inverse of an inertia, where they exist and keep enough digits.
fn inverse_of(mass: f64, inertia: &M3) -> Option<(f64, M3)> {
    let moments = symmetric_eigen(inertia).eigenvalues;
    (mass > 0.0 && moments.min() > SLENDER * moments.max()).then_some(())?;
    Some((1.0 / mass, inertia.try_inverse()?))
}

/// Pattern of S by columns, and the products that make it up, body by body.
fn coupled(held: &HeldRows, bodies: usize) -> (SparsityPattern, Vec<Product>) {
    let mut ends = vec![Vec::new(); bodies];
    for k in 0..held.term_count() {
        for (side, &body) in held.term(k).bodies.iter().enumerate().filter(|(_, body)| **body < bodies) {
            ends[body].push((k, side));
        }
    }
    let pairs = || {
        ends.iter().flat_map(|ends| ends.iter().enumerate().flat_map(|(k, &q)| ends[..=k].iter().map(move |&p| [p, q])))
    };
    let mut columns = vec![Vec::new(); held.rows.len()];
    for [(p, _), (q, _)] in pairs() {
        let [p, q] = [held.row_of(p), held.row_of(q)];
        columns[p].push(q);
        columns[q].push(p);
    }
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
        indices.extend_from_slice(column);
        offsets.push(indices.len());
    }
    let place = |row: usize, column: usize| (offsets[column] + columns[column].partition_point(|r| *r < row)) as u32;
    let product = |[(p, side_p), (q, side_q)]: [(usize, usize); 2]| {
        let [r, s] = [held.row_of(p), held.row_of(q)];
        Product {
            terms: [p as u32, q as u32],
            sides: [side_p as u8, side_q as u8],
            places: [place(r, s), place(s, r)],
            factor: if r == s && p != q { 2.0 } else { 1.0 },
        }
    };
    let products = pairs().map(product).collect();
    let n = columns.len();
    let pattern =
        SparsityPattern::try_from_offsets_and_indices(n, n, offsets, indices).expect("rows are sorted and distinct");
    (pattern, products)
}
