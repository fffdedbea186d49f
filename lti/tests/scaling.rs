//! e^{AT} and G_i under changes of units: x = D z turns A into D^-1 A D and e^{AT} into D^-1 e^{AT} D, whatever D is.

use fourbar_linalg::phi::{PhiError, exponential};
use fourbar_lti::{GMatrices, Precision};
use nalgebra::{DMatrix, dmatrix};
use proptest::prelude::*;

/// 2^`e`, also where it is not a normal number.
fn power(e: i32) -> f64 {
    2f64.powi(e / 2) * 2f64.powi(e - e / 2)
}

/// What a matrix is made of: every entry, or those of a pattern.
#[derive(Debug, Clone, Copy)]
enum Pattern {
    Dense,
    Sparse,
    Triangular,
    Chain,
    Blocks,
}

#[derive(Debug, Clone)]
struct Member {
    /// In ordinary units.
    plain: DMatrix<f64>,
    /// Logarithms of D: from 1e-150 to 1e150.
    units: Vec<i32>,
    step: f64,
}

impl Member {
    /// D^-1 A D, without any rounding; none where an entry leaves the normal numbers.
    fn scaled(&self) -> Option<DMatrix<f64>> {
        let n = self.plain.nrows();
        let entry = |i: usize, j: usize| self.plain[(i, j)] * power(self.units[j] - self.units[i]);
        let scaled = DMatrix::from_fn(n, n, entry);
        let kept = scaled.iter().zip(&self.plain).all(|(x, y)| x.is_normal() || *y == 0.0);
        kept.then_some(scaled)
    }

    /// Largest error of `scaled` against D^-1 `plain` D, relative to the entry, or to round-off of the largest one of `plain`.
    fn error(&self, scaled: &DMatrix<f64>, plain: &DMatrix<f64>, floor: f64) -> f64 {
        let n = plain.nrows();
        if plain.amax() < 1e-280 {
            // Decayed to numbers that f64 holds with fewer digits.
            return 0.0;
        }
        let mut worst = 0.0_f64;
        for j in 0..n {
            for i in 0..n {
                let exact = plain[(i, j)] * power(self.units[j] - self.units[i]);
                if exact.is_finite() && (exact.abs() > 1e-290 || plain[(i, j)] == 0.0) {
                    let back = scaled[(i, j)] * power(self.units[i] - self.units[j]);
                    let size = plain[(i, j)].abs() + floor * plain.amax();
                    worst = worst.max((back - plain[(i, j)]).abs() / size);
                }
            }
        }
        worst
    }
}

fn member() -> impl Strategy<Value = Member> {
    use Pattern::{Blocks, Chain, Dense, Sparse, Triangular};
    let pattern = prop::sample::select(vec![Dense, Sparse, Triangular, Chain, Blocks]);
    (1..=9usize, pattern, -2.0..2.0f64, -3.0..1.5f64, -1.0..3.0f64).prop_flat_map(|(n, pattern, step, shift, size)| {
        let entries = prop::collection::vec((-1.0..1.0f64, 0.0..1.0f64), n * n);
        let units = prop::collection::vec(-498..=498i32, n);
        (entries, units).prop_map(move |(entries, units)| {
            let kept = |i: usize, j: usize, chance: f64| match pattern {
                Dense => true,
                Sparse => chance < 0.3,
                Triangular => i <= j,
                Chain => i.abs_diff(j) <= 1,
                Blocks => i / 3 <= j / 3,
            };
            let diagonal = |i: usize, j: usize| if i == j { -10f64.powf(shift) } else { 0.0 };
            let plain = DMatrix::from_fn(n, n, |i, j| {
                let (value, chance) = entries[i * n + j];
                10f64.powf(size) * if kept(i, j, chance) { value + diagonal(i, j) } else { 0.0 }
            });
            // T ||A|| up to some hundred: what grows beyond the range is refused with D and without.
            Member { plain, units, step: 10f64.powf(step - size) }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn units_of_the_states_change_nothing(member in member()) {
        let (Some(scaled), Ok(plain)) = (member.scaled(), GMatrices::new(&member.plain, member.step, 3)) else {
            return Ok(());
        };
        let scaled = match GMatrices::new(&scaled, member.step, 3) {
            Err(PhiError::Overflow { .. }) => {
                // Only where an entry of the result is out of range indeed.
                let n = member.plain.nrows();
                let out = |m: &DMatrix<f64>| (0..n * n).any(|k| {
                    !(m[k].abs().max(1e-18 * m.amax()) * power(member.units[k / n] - member.units[k % n])).is_finite()
                });
                prop_assert!(out(plain.exp()) || (0..=3).any(|i| out(plain.g(i))), "refused in vain");
                return Ok(());
            }
            other => other?,
        };
        let error = member.error(scaled.exp(), plain.exp(), 1e-15);
        prop_assert!(error < 4.0 * f64::EPSILON, "e^AT: {error:e}");
        for i in 0..=3 {
            let error = member.error(scaled.g(i), plain.g(i), 1e-15);
            prop_assert!(error < 4.0 * f64::EPSILON, "G_{i}: {error:e}");
        }
    }

    /// In the arithmetic of large matrices an error of e^{AT} is one of round-off of I, times the size of A T.
    #[test]
    fn nor_in_plain_doubles(member in member()) {
        let (Some(scaled), Ok(plain)) = (member.scaled(), GMatrices::new(&member.plain, member.step, 1)) else {
            return Ok(());
        };
        let Ok(scaled) = GMatrices::with_precision(&scaled, member.step, 1, Precision::Working) else { return Ok(()) };
        let round_off = 32.0 * f64::EPSILON * (1.0 + member.plain.norm() * member.step);
        for (scaled, plain, size) in [(scaled.exp(), plain.exp(), 1.0), (scaled.g(0), plain.g(0), 0.0)] {
            let error = member.error(scaled, plain, 1.0) * plain.amax() / plain.amax().max(size);
            prop_assert!(error < round_off, "{error:e}, {round_off:e}");
        }
    }
}

/// Units 1e140 apart in a servo: volts, metres and newtons in units of atoms and galaxies.
#[test]
fn units_of_atoms_and_galaxies() {
    let plain = dmatrix![-50.0, 3.0, 0.0; 20.0, -1e5, 7e4; 0.0, 1.0, -0.25];
    let exact = GMatrices::new(&plain, 0.01, 2).unwrap();
    for far in [70, 140, 465] {
        let units = [far, 0, -far];
        let member = Member { plain: plain.clone(), units: units.to_vec(), step: 0.01 };
        let scaled = GMatrices::new(&member.scaled().unwrap(), 0.01, 2).unwrap();
        assert!(member.error(scaled.exp(), exact.exp(), 0.0) < 2.0 * f64::EPSILON);
        assert!(member.error(scaled.g(2), exact.g(2), 0.0) < 2.0 * f64::EPSILON);
        let (twice, exact) = (scaled.doubled().unwrap(), exact.doubled().unwrap());
        assert!(member.error(twice.exp(), exact.exp(), 0.0) < 2.0 * f64::EPSILON, "doubled, {far}");
    }
}

/// A coupling in one direction only, of any size: e^A = [e^a, h (e^a - e^b)/(a - b); 0, e^b], and a chain of two of them, whose product
/// is out of range before it decays.
#[test]
fn couplings_of_any_size() {
    for h in [1e30, 1e100, 1e200, 1e300] {
        let exp = exponential(&dmatrix![-1.0, h; 0.0, -3.0], 1.0).unwrap();
        let exact = h * 0.5 * ((-1f64).exp() - (-3f64).exp());
        assert!((exp[2] / exact - 1.0).abs() < 1e-14, "{h:e}: {:e} {exact:e}", exp[2]);
    }
    let (h, a) = (1e200, -600.0);
    let chain = GMatrices::new(&dmatrix![a, h, 0.0; 0.0, a, h; 0.0, 0.0, a], 1.0, 0);
    assert!(matches!(chain, Err(PhiError::Overflow { .. })), "G_0 is about h^2/|a|^3: {chain:?}");
    let exp = exponential(&dmatrix![a, h, 0.0; 0.0, a, h; 0.0, 0.0, a], 1.0).unwrap();
    let exact = (0.5 * h * a.exp()) * h;
    assert!((exp[(0, 2)] / exact - 1.0).abs() < 1e-12, "{:e} {exact:e}", exp[(0, 2)]);
}

/// Long chains of large couplings in one direction, and slow decay: (h^k / k!) e^-1 in the k-th diagonal above.
#[test]
fn chains_keep_their_far_corner() {
    for (n, h) in [(20usize, 1e12), (48, 1e3), (48, 1e6), (60, 20.0)] {
        let a = DMatrix::from_fn(n, n, |i, j| if i == j { -1.0 } else { if j == i + 1 { h } else { 0.0 } });
        let exp = GMatrices::new(&a, 1.0, 0).unwrap().exp().clone();
        for k in 0..n {
            let exact = (1..=k).map(|i| h / i as f64).product::<f64>() * (-1f64).exp();
            assert!(
                (exp[(0, k)] / exact - 1.0).abs() < 1e-13,
                "n = {n}, h = {h:e}, k = {k}: {:e} {exact:e}",
                exp[(0, k)]
            );
        }
    }
}

/// Entries that are finite, their sums not: a result or a typed error, at once.
#[test]
fn norms_beyond_the_range() {
    let all = |size: f64, n: usize| DMatrix::from_element(n, n, size);
    for n in [2usize, 3, 8] {
        for precision in [Precision::Working, Precision::Extended] {
            let of = |a: &DMatrix<f64>, step: f64| GMatrices::with_precision(a, step, 2, precision);
            assert!(matches!(of(&all(f64::MAX, n), 1.0), Err(PhiError::Overflow { norm }) if norm.is_finite()));
            assert!(matches!(of(&all(f64::MAX, n), f64::MAX), Err(PhiError::Overflow { .. })));
            // e^(t 1 1^T) = I + 1 1^T (e^(n t) - 1)/n.
            let step = 1.0 / f64::MAX;
            let exp = of(&all(f64::MAX, n), step).unwrap().exp().clone();
            let exact = (n as f64).exp_m1() / n as f64;
            assert!((exp[1] / exact - 1.0).abs() < 1e-13, "{:e} {exact:e}", exp[1]);
            // Decay of -M 1 1^T + M/n ... on the one side of its null space: e^A = I - 1 1^T/n.
            let projection = of(&all(-1e308, n), 1.0).unwrap().exp().clone();
            let exact = DMatrix::identity(n, n) - all(1.0 / n as f64, n);
            assert!((projection - exact).amax() < 1e-13);
        }
    }
    let skew = dmatrix![0.0, f64::MAX; -f64::MAX, 0.0];
    let turn = GMatrices::new(&skew, 1.0 / f64::MAX, 0).unwrap();
    assert!((turn.exp()[0] - 1f64.cos()).abs() < 1e-15);
}

/// Decay a thousand powers of two beyond the last digit of e^{AT}, where G_0 = -A^{-1} and G_1 = G_0/T (I + ...): at once as well.
#[test]
fn decay_long_over() {
    for n in [3usize, 64] {
        let value = |i: usize, j: usize| ((i * 31 + j * 17 + i * j * 7) % 101) as f64 / 101.0 - 0.5;
        let a = DMatrix::from_fn(n, n, |i, j| 1e290 * (value(i, j) - if i == j { n as f64 } else { 0.0 }));
        let g = GMatrices::new(&a, 3.0, 1).unwrap();
        assert_eq!(g.exp().amax(), 0.0);
        assert!((&a * g.g(0) + DMatrix::identity(n, n)).amax() < 1e-13);
        assert!((&a * g.g(1) + DMatrix::identity(n, n)).amax() < 1e-13);
    }
}
