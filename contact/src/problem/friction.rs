//! Frictional contact in reduced form: u = W S + q with W the Delassus matrix, the law of Coulomb at every contact.
//!
//! Rows are ordered by contact, in each (n, t1, t2, spin, roll1, roll2) as far as it has them. q is the velocity without contact
//! impulses with whatever the normal rows add (restitution e u_N, or gap over step) already in it.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{finite, json, shape};
use crate::{
    Error,
    dense::resize,
    friction::cone::{Cone, Rows},
};

/// W (n x n, symmetric positive semidefinite, of any rank), q (n) and the cone of each contact.
///
/// In JSON: `{"W": [[..]], "q": [..], "mu": [..]}` with three rows a contact, and, where contacts differ, `"rows"` (1, 3 or 6 of
/// each), `"spinning"` and `"rolling"` \[m\].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct FrictionProblem {
    w: DMatrix<f64>,
    q: DVector<f64>,
    cones: Vec<Cone>,
    offsets: Vec<usize>,
    reference: f64,
}

impl FrictionProblem {
    /// From W, q and the cones, whose sizes add up to the order of W.
    ///
    /// # Errors
    /// Sizes that do not match, entries that are not finite, coefficients below zero, a negative diagonal of W.
    pub fn new(w: DMatrix<f64>, q: DVector<f64>, cones: Vec<Cone>) -> Result<Self, Error> {
        let mut problem = Self { w, q, cones, offsets: Vec::new(), reference: 0.0 };
        problem.check()?;
        problem.count();
        Ok(problem)
    }

    /// Without contacts, to be filled by [`FrictionProblem::refill`].
    pub(crate) fn empty() -> Self {
        Self { w: DMatrix::zeros(0, 0), q: DVector::zeros(0), cones: Vec::new(), offsets: vec![0], reference: 0.0 }
    }

    /// The same, of which q is known to be what is left of velocities as large as `reference` [m/s]: residuals are measured beside the
    /// larger of both, so that round-off need not be solved for. By default q alone says how large velocities are.
    #[must_use]
    pub fn beside(mut self, reference: f64) -> Self {
        self.set_reference(reference);
        self
    }

    pub(crate) fn set_reference(&mut self, reference: f64) {
        self.reference = if reference.is_finite() { reference.abs() } else { 0.0 };
    }

    /// Velocity beside which q may be round-off [m/s]; 0 if there is none.
    #[must_use]
    pub fn reference(&self) -> f64 {
        self.reference
    }

    /// Becomes the problem of W, q and the cones; allocates only while it grows.
    ///
    /// # Errors
    /// Those of [`FrictionProblem::new`]; the problem is to be filled again then.
    pub(crate) fn refill(
        &mut self,
        w: &DMatrix<f64>,
        q: &[f64],
        cones: impl Iterator<Item = Cone>,
    ) -> Result<(), Error> {
        resize(&mut self.w, w.nrows(), w.ncols());
        self.w.copy_from(w);
        let mut kept: Vec<f64> = std::mem::take(&mut self.q).data.into();
        kept.clear();
        kept.extend_from_slice(q);
        self.q = DVector::from_vec(kept);
        self.cones.clear();
        self.cones.extend(cones);
        self.check()?;
        self.count();
        Ok(())
    }

    fn check(&self) -> Result<(), Error> {
        let (w, q, cones, n) = (&self.w, &self.q, &self.cones, self.q.len());
        shape("W", w.shape(), (n, n))?;
        shape("the rows of all contacts", (cones.iter().map(Cone::size).sum(), 1), (n, 1))?;
        finite("W", w.as_slice(), n)?;
        finite("q", q.as_slice(), n)?;
        check_cones(cones)?;
        if let Some(index) = (0..n).find(|&i| w[(i, i)] < 0.0) {
            let remedy = "W = J M^-1 J^T has no negative diagonal: check the masses";
            return Err(Error::Coefficient {
                what: "diagonal of W",
                place: "row",
                index,
                value: w[(index, index)],
                remedy,
            });
        }
        Ok(())
    }

    /// Counts the rows: first of each contact, and at the end their number.
    fn count(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        let mut next = 0;
        for cone in &self.cones {
            next += cone.size();
            self.offsets.push(next);
        }
    }

    /// The matrix W.
    #[must_use]
    pub fn w(&self) -> &DMatrix<f64> {
        &self.w
    }

    /// The free velocity q [m/s, rad/s].
    #[must_use]
    pub fn q(&self) -> &DVector<f64> {
        &self.q
    }

    /// The cones, one a contact.
    #[must_use]
    pub fn cones(&self) -> &[Cone] {
        &self.cones
    }

    /// First row of each contact, and at the end the number of rows.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.q.len()
    }
}

/// Refuses a coefficient that is negative or not finite.
pub(crate) fn check_cones(cones: &[Cone]) -> Result<(), Error> {
    for (index, cone) in cones.iter().enumerate() {
        for (what, value) in cone.coefficients() {
            if !(value >= 0.0 && value.is_finite()) {
                let remedy = "give a finite number, at least 0";
                return Err(Error::Coefficient { what, place: "contact", index, value, remedy });
            }
        }
    }
    Ok(())
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "W")]
    w: Vec<Vec<f64>>,
    q: Vec<f64>,
    mu: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Rows>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spinning: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rolling: Option<Vec<f64>>,
}

impl TryFrom<Written> for FrictionProblem {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        let (contacts, n) = (written.mu.len(), written.q.len());
        let rows = written.rows.unwrap_or_else(|| vec![Rows::Sliding; contacts]);
        let spinning = written.spinning.unwrap_or_else(|| vec![0.0; contacts]);
        let rolling = written.rolling.unwrap_or_else(|| vec![0.0; contacts]);
        for (what, length) in [("rows", rows.len()), ("spinning", spinning.len()), ("rolling", rolling.len())] {
            shape(what, (length, 1), (contacts, 1))?;
        }
        let cones = (0..contacts)
            .map(|c| Cone { rows: rows[c], friction: written.mu[c], spinning: spinning[c], rolling: rolling[c] })
            .collect();
        Self::new(json::matrix("W", &written.w, (n, n))?, DVector::from_vec(written.q), cones)
    }
}

impl From<FrictionProblem> for Written {
    fn from(problem: FrictionProblem) -> Self {
        let cones = &problem.cones;
        let plain = cones.iter().all(|cone| cone.rows == Rows::Sliding);
        let column = |value: fn(&Cone) -> f64| cones.iter().map(value).collect::<Vec<f64>>();
        Self {
            w: json::rows(problem.w.as_view()),
            q: problem.q.as_slice().to_vec(),
            mu: column(|cone| cone.friction),
            rows: (!plain).then(|| cones.iter().map(|cone| cone.rows).collect()),
            spinning: (!plain).then(|| column(|cone| cone.spinning)),
            rolling: (!plain).then(|| column(|cone| cone.rolling)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed() -> FrictionProblem {
        let cones = vec![Cone::smooth(), Cone::rolling(0.3, 0.01, 0.02), Cone::coulomb(0.1)];
        let w = DMatrix::from_fn(10, 10, |i, j| if i == j { 2.0 } else { 0.1 / (1.0 + (i + j) as f64) });
        FrictionProblem::new(w, DVector::from_fn(10, |i, _| 0.1 - 0.3 / (i + 1) as f64), cones).unwrap()
    }

    #[test]
    fn json_keeps_every_digit() {
        let problem = mixed();
        assert_eq!(
            serde_json::from_str::<FrictionProblem>(&serde_json::to_string(&problem).unwrap()).unwrap(),
            problem
        );
    }

    #[test]
    fn wrong_problems_are_refused_by_name() {
        let problem = mixed();
        let (w, q, cones) = (problem.w.clone(), problem.q.clone(), problem.cones.clone());
        let fails = |w: &DMatrix<f64>, q: &DVector<f64>, cones: &[Cone]| {
            FrictionProblem::new(w.clone(), q.clone(), cones.to_vec()).unwrap_err().to_string()
        };
        assert!(fails(&w, &q, &cones[..2]).contains("rows of all contacts"));
        let mut bad = q.clone();
        bad[3] = f64::NAN;
        assert!(fails(&w, &bad, &cones).contains("(3, 0) of q"));
        let mut bad = w.clone();
        bad[(4, 4)] = -1.0;
        assert!(fails(&bad, &q, &cones).contains("diagonal of W"));
        assert!(fails(&w, &q, &[cones[0], cones[1], Cone::coulomb(-0.1)]).contains("friction of contact 2"));
        assert!(serde_json::from_str::<FrictionProblem>(r#"{"W": [[1.0]], "q": [1.0], "mu": [0.3]}"#).is_err());
    }
}
