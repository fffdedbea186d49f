//! The linear complementarity problem: find z with w = M z + q, z >= 0, w >= 0, z^T w = 0.

use super::{finite, json, shape};
use crate::Error;
use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, DVector};
use serde::{Deserialize, Serialize};

/// A linear complementarity problem, w = M z + q, 0 <= z _|_ w >= 0.
///
/// As JSON: `{"M": [[2, 1], [1, 2]], "q": [-5, -6]}`, M by rows.
///
/// ```
/// use fourbar_contact::problem::Lcp;
///
/// let lcp: Lcp = serde_json::from_str(r#"{"M": [[2, 1], [1, 2]], "q": [-5, -6]}"#)?;
/// assert_eq!(lcp.m()[(0, 1)], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Lcp {
    /// Column by column.
    m: Vec<f64>,
    q: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "M")]
    m: Vec<Vec<f64>>,
    q: Vec<f64>,
}

impl TryFrom<Written> for Lcp {
    type Error = Error;
    fn try_from(written: Written) -> Result<Self, Error> {
        let n = written.q.len();
        Self::new(json::matrix("M", &written.m, (n, n))?, DVector::from_vec(written.q))
    }
}

impl From<Lcp> for Written {
    fn from(lcp: Lcp) -> Self {
        Self { m: json::rows(lcp.m()), q: lcp.q }
    }
}

impl Lcp {
    /// The problem of M (n x n) and q (n).
    ///
    /// # Errors
    /// [`Error::Shape`] unless M is n x n, [`Error::NotFinite`] for a NaN or an infinity.
    pub fn new(m: DMatrix<f64>, q: DVector<f64>) -> Result<Self, Error> {
        let n = q.len();
        shape("M", m.shape(), (n, n))?;
        finite("M", m.as_slice(), n)?;
        finite("q", q.as_slice(), n)?;
        Ok(Self::from_checked(m, q))
    }

    /// The problem of an M and a q known to be square and finite.
    pub(crate) fn from_checked(m: DMatrix<f64>, q: DVector<f64>) -> Self {
        debug_assert!(m.shape() == (q.len(), q.len()));
        Self { m: m.data.into(), q: q.data.into() }
    }

    /// Number of complementary pairs n.
    #[must_use]
    pub fn len(&self) -> usize {
        self.q.len()
    }

    /// Whether there is nothing to find.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.q.is_empty()
    }

    /// M, n x n.
    #[must_use]
    pub fn m(&self) -> DMatrixView<'_, f64> {
        DMatrixView::from_slice(&self.m, self.len(), self.len())
    }

    /// q, n entries.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// Column j of M.
    #[must_use]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.m[j * self.len()..(j + 1) * self.len()]
    }

    /// Makes it a problem of n pairs again, within the memory it has: `fill` gets M and q, all zeros.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if `fill` left a NaN or an infinity; the problem is then empty.
    pub fn refill(&mut self, n: usize, fill: impl FnOnce(DMatrixViewMut<'_, f64>, &mut [f64])) -> Result<(), Error> {
        self.m.clear();
        self.q.clear();
        self.m.resize(n * n, 0.0);
        self.q.resize(n, 0.0);
        fill(DMatrixViewMut::from_slice(&mut self.m, n, n), &mut self.q);
        let checked = finite("M", &self.m, n).and_then(|()| finite("q", &self.q, n));
        if checked.is_err() {
            self.m.clear();
            self.q.clear();
        }
        checked
    }

    /// w = M z + q.
    ///
    /// # Panics
    /// Unless z and w have n entries.
    pub fn w(&self, z: &[f64], w: &mut [f64]) {
        assert!(z.len() == self.len() && w.len() == self.len(), "z and w have one entry a pair");
        w.copy_from_slice(&self.q);
        for (j, &zj) in z.iter().enumerate() {
            if zj != 0.0 {
                for (wi, &mij) in w.iter_mut().zip(self.column(j)) {
                    *wi += mij * zj;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_problem_is_refused_by_name() {
        let refused = |m: &[f64], rows, columns, q: &[f64]| {
            Lcp::new(DMatrix::from_row_slice(rows, columns, m), DVector::from_row_slice(q)).unwrap_err().to_string()
        };
        assert!(refused(&[1.0, 2.0], 1, 2, &[1.0]).starts_with("M is 1 x 2, expected 1 x 1"));
        let nan = refused(&[1.0, f64::NAN, 3.0, 4.0], 2, 2, &[1.0, 1.0]);
        assert!(nan.starts_with("entry (0, 1) of M is NaN"), "{nan}");
        assert!(refused(&[1.0], 1, 1, &[f64::INFINITY]).starts_with("entry (0, 0) of q is inf"));
    }

    #[test]
    fn refilled_within_its_room() {
        let mut lcp = Lcp::new(DMatrix::identity(3, 3), DVector::zeros(3)).unwrap();
        lcp.refill(2, |mut m, q| {
            m[(0, 1)] = 5.0;
            q[1] = -1.0;
        })
        .unwrap();
        let mut w = [0.0; 2];
        lcp.w(&[0.0, 2.0], &mut w);
        assert_eq!(w, [10.0, -1.0]);
        assert!(lcp.refill(1, |_, q| q[0] = f64::NAN).is_err());
        assert!(lcp.is_empty());
    }

    #[test]
    fn json_there_and_back_to_the_bit() {
        let (m, q) = (
            DMatrix::from_fn(3, 3, |i, j| 0.1 + i as f64 / (1.0 + j as f64)),
            DVector::from_fn(3, |i, _| -1.0 / (7.0 + i as f64)),
        );
        let lcp = Lcp::new(m, q).unwrap();
        let text = serde_json::to_string(&lcp).unwrap();
        assert_eq!(serde_json::from_str::<Lcp>(&text).unwrap(), lcp);
        let ragged = serde_json::from_str::<Lcp>(r#"{"M": [[1, 2], [3]], "q": [1, 1]}"#).unwrap_err();
        assert!(ragged.to_string().starts_with("M is 2 x 1, expected 2 x 2"), "{ragged}");
    }
}
