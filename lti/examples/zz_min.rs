//! tmp
use fourbar_lti::*;
use nalgebra::{DMatrix, DVector};
use std::hint::black_box;
use std::time::Instant;
fn system(n: usize) -> StateSpace {
    let coupling = |i: usize, j: usize| ((i * 37 + j * 17) % 101) as f64 / 101.0 - 0.5;
    let a = DMatrix::from_fn(n, n, |i, j| if i == j { -(1.0 + i as f64) } else { coupling(i, j) / n as f64 });
    let b = DMatrix::from_fn(n, 1, |i, _| coupling(i, 3));
    let c = DMatrix::from_fn(1, n, |_, j| coupling(5, j));
    StateSpace::new(a, b, c, DMatrix::zeros(1, 1)).unwrap()
}
fn best(mut f: impl FnMut()) -> f64 {
    // calibrate
    let t = Instant::now();
    for _ in 0..200 {
        f();
    }
    let per = t.elapsed().as_nanos() as f64 / 200.0;
    let n = ((50_000.0 / per) as usize).max(1);
    let mut b = f64::INFINITY;
    for _ in 0..6000 {
        let t = Instant::now();
        for _ in 0..n {
            f();
        }
        b = b.min(t.elapsed().as_nanos() as f64 / n as f64);
    }
    b
}
fn main() {
    for n in [4, 10, 50, 200] {
        let sys = system(n);
        let mut st = Stepper::new(&sys, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        st.set_input(&[1.0]).unwrap();
        let mut y = [0.0];
        let a = best(|| {
            st.step(black_box(&[1.0]), &mut y).unwrap();
            black_box(&y);
        });
        let d = Discretization::new(&sys, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        let (mut x, mut next) = (DVector::zeros(n), DVector::zeros(n));
        let (mut u, mut out) = (DVector::from_element(1, 1.0), DVector::zeros(1));
        let g = best(|| {
            next.gemv(1.0, d.exp(), &x, 0.0);
            next.gemv(1.0, d.input_matrix(0), &u, 1.0);
            u[0] = black_box(1.0);
            next.gemv(1.0, d.input_matrix(1), &u, 1.0);
            std::mem::swap(&mut x, &mut next);
            out.gemv(1.0, sys.c(), &x, 0.0);
            black_box(&out);
        });
        let mut e = Ensemble::new(&sys, &d, 64).unwrap();
        e.set_history(&vec![1.0; 64]).unwrap();
        let (uu, mut yy) = (vec![1.0; 64], vec![0.0; 64]);
        let m = best(|| {
            e.step(black_box(&uu), &mut yy).unwrap();
            black_box(&yy);
        }) / 64.0;
        println!("n={n}: stepper {a:.1} ns, nalgebra {g:.1}, many {m:.1}");
    }
}
