//! Saddle-point systems [[M, Phi^T], [Phi, 0]]: accelerations and multipliers of a constrained mechanism, minimum-norm corrections.

use crate::{
    calahan::{Calahan, CalahanOptions, Refactored, Solved},
    checkpoint::{CheckpointError, Source, Stored},
    error::{Error, check_length},
};
use nalgebra_sparse::CooMatrix;
use nalgebra_sparse::{CscMatrix, CsrMatrix, pattern::SparsityPattern};

/// Solver of [[M, Phi^T], [Phi, 0]] (x, y) = (top, bottom) for fixed patterns: M is n x n, symmetric, given in full; Phi is m x n.
///
/// The rows of Phi must be independent (drop what [`crate::Harwell::rank`] calls dependent).
#[derive(Debug, Clone)]
#[doc(alias("saddle-point system"))]
pub struct Kkt {
    lu: Calahan,
    n: usize,
    m: usize,
    /// Place of each value of M, and the two places of each value of Phi, in the combined matrix.
    mass_places: Vec<usize>,
    phi_places: Vec<[usize; 2]>,
    values: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
}

impl Kkt {
    /// Orders and factors the system for M and Phi.
    ///
    /// # Errors
    /// Sizes that do not match, entries that are not finite, a singular system.
    pub fn new(mass: &CscMatrix<f64>, phi: &CsrMatrix<f64>) -> Result<Self, Error> {
        let (n, m) = (mass.ncols(), phi.nrows());
        if mass.nrows() != n {
            return Err(Error::NotSquare { rows: mass.nrows(), columns: n });
        }
        check_length("the columns of Phi", phi.ncols(), n)?;
        let mut entries = CooMatrix::new(n + m, n + m);
        for (i, j, _) in mass.triplet_iter() {
            entries.push(i, j, 1.0);
        }
        for (i, j, _) in phi.triplet_iter() {
            entries.push(n + i, j, 1.0);
            entries.push(j, n + i, 1.0);
        }
        let combined = CscMatrix::from(&entries);
        let pattern = combined.pattern();
        let mass_places: Vec<usize> = mass.triplet_iter().map(|(i, j, _)| place(pattern, i, j)).collect();
        let phi_places: Vec<[usize; 2]> =
            phi.triplet_iter().map(|(i, j, _)| [place(pattern, n + i, j), place(pattern, j, n + i)]).collect();
        let mut values = vec![0.0; pattern.nnz()];
        assemble(&mut values, &mass_places, &phi_places, mass.values(), phi.values());
        let lu = Calahan::new(pattern, &values, &CalahanOptions::default())?;
        let (rhs, solution) = (vec![0.0; n + m], vec![0.0; n + m]);
        Ok(Self { lu, n, m, mass_places, phi_places, values, rhs, solution })
    }

    /// Whether M and Phi have the patterns that this was made for: then a copy can take their values.
    #[must_use]
    pub fn suits(&self, mass: &CscMatrix<f64>, phi: &CsrMatrix<f64>) -> bool {
        let pattern = self.lu.pattern();
        let offsets = pattern.major_offsets();
        let holds = |i: usize, j: usize, place: usize| {
            (offsets[j]..offsets[j + 1]).contains(&place) && pattern.minor_indices()[place] == i
        };
        (mass.nrows(), mass.ncols(), phi.nrows(), phi.ncols()) == (self.n, self.n, self.m, self.n)
            && (mass.nnz(), phi.nnz()) == (self.mass_places.len(), self.phi_places.len())
            && mass.triplet_iter().zip(&self.mass_places).all(|((i, j, _), &place)| holds(i, j, place))
            && phi.triplet_iter().zip(&self.phi_places).all(|((i, j, _), &[row, _])| holds(self.n + i, j, row))
    }

    /// Takes new values of M and Phi, in the order of their patterns.
    ///
    /// # Errors
    /// Values of the wrong number or not finite, a singular system.
    pub fn refactor(&mut self, mass: &[f64], phi: &[f64]) -> Result<Refactored, Error> {
        check_length("the values of M", mass.len(), self.mass_places.len())?;
        check_length("the values of Phi", phi.len(), self.phi_places.len())?;
        assemble(&mut self.values, &self.mass_places, &self.phi_places, mass, phi);
        self.lu.refactor(&self.values)
    }

    /// Solves in place: `top` (n entries) becomes x, `bottom` (m entries) becomes y. Says how well.
    ///
    /// # Errors
    /// Arguments of the wrong length or not finite, a solution that stays inaccurate.
    pub fn solve(&mut self, top: &mut [f64], bottom: &mut [f64]) -> Result<Solved, Error> {
        check_length("top", top.len(), self.n)?;
        check_length("bottom", bottom.len(), self.m)?;
        self.rhs[..self.n].copy_from_slice(top);
        self.rhs[self.n..].copy_from_slice(bottom);
        let solved = self.lu.solve_checked(&self.values, &self.rhs, &mut self.solution)?;
        top.copy_from_slice(&self.solution[..self.n]);
        bottom.copy_from_slice(&self.solution[self.n..]);
        Ok(solved)
    }

    /// The solver underneath, for its statistics.
    pub fn lu(&self) -> &Calahan {
        &self.lu
    }
}

/// The pivot sequence alone; [`Kkt::refactor`] before solving.
impl Stored for Kkt {
    fn store(&self, to: &mut Vec<u8>) {
        self.lu.store(to);
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.lu.load(from)
    }
}

/// Index of entry (i, j), which the pattern holds, among its values.
fn place(pattern: &SparsityPattern, i: usize, j: usize) -> usize {
    let before = pattern.lane(j).partition_point(|&row| row < i);
    pattern.major_offsets()[j] + before
}

fn assemble(values: &mut [f64], mass_places: &[usize], phi_places: &[[usize; 2]], mass: &[f64], phi: &[f64]) {
    for (&place, &value) in mass_places.iter().zip(mass) {
        values[place] = value;
    }
    for (&[row, column], &value) in phi_places.iter().zip(phi) {
        values[row] = value;
        values[column] = value;
    }
}
