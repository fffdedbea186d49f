//! Calahan, Harwell and Kkt against dense solves.
use fourbar_linalg::*;
use nalgebra::{DMatrix, DVector};

#[test]
fn solves_like_dense() {
    let mut seed = 12345u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 31) as f64 - 0.5
    };
    for n in 1..40 {
        let dense = DMatrix::from_fn(n, n, |i, j| if i == (j * 7 + 3) % n || random() > 0.35 { random() } else { 0.0 });
        let sparse = CscMatrix::from(&dense);
        let b = DVector::from_fn(n, |_, _| random());
        let Some(x) = dense.clone().lu().solve(&b) else {
            continue;
        };
        let mut lu = match Calahan::new(sparse.pattern(), sparse.values(), &CalahanOptions::default()) {
            Ok(lu) => lu,
            Err(e) => {
                println!("{n} {e}");
                continue;
            }
        };
        let mut y = vec![0.0; n];
        let solved = lu.solve_checked(sparse.values(), b.as_slice(), &mut y).unwrap();
        assert!(solved.backward_error < 1e-12, "{solved:?}");
        assert!((&x - DVector::from_vec(y)).amax() < 1e-8 * x.amax());
        let mut z = b.as_slice().to_vec();
        Harwell::factor(&sparse).unwrap().solve(&mut z).unwrap();
        assert!((&x - DVector::from_vec(z)).amax() < 1e-8 * x.amax());
        let rank = Harwell::rank(&CsrMatrix::from(&dense), &RankOptions::default()).unwrap();
        assert_eq!(rank.rank, n);
    }
}
