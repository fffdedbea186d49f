//! The mixed linear complementarity problem: A u + B z + a = 0 with u free, w = C u + D z + b, 0 <= z _|_ w >= 0.

use super::{Lcp, finite, json, shape};
use crate::Error;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// A mixed linear complementarity problem with f free and n complementary variables:
/// A u + B z + a = 0, w = C u + D z + b, 0 <= z _|_ w >= 0.
///
/// For an impact u holds the jump of the velocities and the bilateral impulses, A the saddle matrix of the mechanism. As JSON: an object
/// with `A`, `B`, `C`, `D` by rows, `a` and `b`; an empty list stands for a matrix without entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct MixedLcp {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
    a_vec: DVector<f64>,
    b_vec: DVector<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "A")]
    a: Vec<Vec<f64>>,
    #[serde(rename = "B")]
    b: Vec<Vec<f64>>,
    #[serde(rename = "C")]
    c: Vec<Vec<f64>>,
    #[serde(rename = "D")]
    d: Vec<Vec<f64>>,
    #[serde(rename = "a")]
    a_vec: Vec<f64>,
    #[serde(rename = "b")]
    b_vec: Vec<f64>,
}

impl TryFrom<Written> for MixedLcp {
    type Error = Error;
    fn try_from(written: Written) -> Result<Self, Error> {
        let (f, n) = (written.a_vec.len(), written.b_vec.len());
        Self::new(
            json::matrix("A", &written.a, (f, f))?,
            json::matrix("B", &written.b, (f, n))?,
            json::matrix("C", &written.c, (n, f))?,
            json::matrix("D", &written.d, (n, n))?,
            DVector::from_vec(written.a_vec),
            DVector::from_vec(written.b_vec),
        )
    }
}

impl From<MixedLcp> for Written {
    fn from(mixed: MixedLcp) -> Self {
        Self {
            a: json::rows(mixed.a.as_view()),
            b: json::rows(mixed.b.as_view()),
            c: json::rows(mixed.c.as_view()),
            d: json::rows(mixed.d.as_view()),
            a_vec: mixed.a_vec.data.into(),
            b_vec: mixed.b_vec.data.into(),
        }
    }
}

impl MixedLcp {
    /// The problem of A (f x f), B (f x n), C (n x f), D (n x n), a (f) and b (n).
    ///
    /// # Errors
    /// [`Error::Shape`] where a shape does not follow from the lengths of a and b, [`Error::NotFinite`] for a NaN or an infinity.
    pub fn new(
        a: DMatrix<f64>,
        b: DMatrix<f64>,
        c: DMatrix<f64>,
        d: DMatrix<f64>,
        a_vec: DVector<f64>,
        b_vec: DVector<f64>,
    ) -> Result<Self, Error> {
        let (f, n) = (a_vec.len(), b_vec.len());
        for (what, matrix, expected) in [("A", &a, (f, f)), ("B", &b, (f, n)), ("C", &c, (n, f)), ("D", &d, (n, n))] {
            shape(what, matrix.shape(), expected)?;
            finite(what, matrix.as_slice(), expected.0)?;
        }
        finite("a", a_vec.as_slice(), f)?;
        finite("b", b_vec.as_slice(), n)?;
        Ok(Self { a, b, c, d, a_vec, b_vec })
    }

    /// Number of free variables f.
    #[must_use]
    pub fn free(&self) -> usize {
        self.a_vec.len()
    }

    /// Number of complementary pairs n.
    #[must_use]
    pub fn len(&self) -> usize {
        self.b_vec.len()
    }

    /// Whether no pair is complementary: a linear system.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.b_vec.is_empty()
    }

    /// A, f x f.
    #[must_use]
    pub fn a(&self) -> &DMatrix<f64> {
        &self.a
    }

    /// B, f x n.
    #[must_use]
    pub fn b(&self) -> &DMatrix<f64> {
        &self.b
    }

    /// C, n x f.
    #[must_use]
    pub fn c(&self) -> &DMatrix<f64> {
        &self.c
    }

    /// D, n x n.
    #[must_use]
    pub fn d(&self) -> &DMatrix<f64> {
        &self.d
    }

    /// a, f entries.
    #[must_use]
    pub fn a_vec(&self) -> &DVector<f64> {
        &self.a_vec
    }

    /// b, n entries.
    #[must_use]
    pub fn b_vec(&self) -> &DVector<f64> {
        &self.b_vec
    }

    /// (A B a; C D b), f + n rows.
    pub(crate) fn tableau(&self) -> DMatrix<f64> {
        let (f, n) = (self.free(), self.len());
        let mut t = DMatrix::zeros(f + n, f + n + 1);
        t.view_mut((0, 0), (f, f)).copy_from(&self.a);
        t.view_mut((0, f), (f, n)).copy_from(&self.b);
        t.view_mut((f, 0), (n, f)).copy_from(&self.c);
        t.view_mut((f, f), (n, n)).copy_from(&self.d);
        t.view_mut((0, f + n), (f, 1)).copy_from(&self.a_vec);
        t.view_mut((f, f + n), (n, 1)).copy_from(&self.b_vec);
        t
    }

    /// The same as an LCP of 2 f + n pairs: u = u+ - u-, with the equations once as w+ >= 0 and once as w- = -w+ >= 0, which together
    /// leave only zero. Larger and never strictly monotone, but it asks nothing of A.
    #[must_use]
    pub fn split(&self) -> Lcp {
        let (f, n) = (self.free(), self.len());
        let mut m = DMatrix::zeros(2 * f + n, 2 * f + n);
        let mut q = DVector::zeros(2 * f + n);
        for (block, sign) in [(0, 1.0), (f, -1.0)] {
            for (other, with) in [(0, 1.0), (f, -1.0)] {
                m.view_mut((block, other), (f, f)).copy_from(&(&self.a * (sign * with)));
            }
            m.view_mut((block, 2 * f), (f, n)).copy_from(&(&self.b * sign));
            m.view_mut((2 * f, block), (n, f)).copy_from(&(&self.c * sign));
            q.rows_mut(block, f).copy_from(&(&self.a_vec * sign));
        }
        m.view_mut((2 * f, 2 * f), (n, n)).copy_from(&self.d);
        q.rows_mut(2 * f, n).copy_from(&self.b_vec);
        Lcp::from_checked(m, q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMPLEX: &str =
        r#"{"A": [[0]], "B": [[1, 1]], "C": [[1], [1]], "D": [[1, 0], [0, 1]], "a": [-2], "b": [-3, -1]}"#;

    #[test]
    fn json_there_and_back() {
        let mixed: MixedLcp = serde_json::from_str(SIMPLEX).unwrap();
        assert_eq!((mixed.free(), mixed.len()), (1, 2));
        let text = serde_json::to_string(&mixed).unwrap();
        assert_eq!(serde_json::from_str::<MixedLcp>(&text).unwrap(), mixed);
        let no_pairs = r#"{"A": [[2]], "B": [[]], "C": [], "D": [], "a": [-4], "b": []}"#;
        assert!(serde_json::from_str::<MixedLcp>(no_pairs).unwrap().is_empty());
    }

    #[test]
    fn shapes_are_checked_by_name() {
        let wrong = SIMPLEX.replace("[[1, 1]]", "[[1, 1, 1]]");
        let error = serde_json::from_str::<MixedLcp>(&wrong).unwrap_err().to_string();
        assert!(error.starts_with("B is 1 x 3, expected 1 x 2"), "{error}");
    }

    #[test]
    fn split_writes_the_equations_twice() {
        let lcp = serde_json::from_str::<MixedLcp>(SIMPLEX).unwrap().split();
        // u = 1, z = (2, 0): the projection of (3, 1) on z1 + z2 = 2 moved by the multiplier 1.
        let mut w = [f64::NAN; 4];
        lcp.w(&[1.0, 0.0, 2.0, 0.0], &mut w);
        assert_eq!(w, [0.0, 0.0, 0.0, 0.0]);
    }
}
