//! Refactorizations and solves allocate nothing.

use crate::counting;

use crate::support;

use counting::obtained;
use fourbar_linalg::{Calahan, CalahanOptions, Kkt, Refactored, newton};
use support::machine::Machine;

/// Allocations of this thread while `work` runs.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = obtained();
    work();
    obtained() - before
}

#[test]
fn refactor_and_solve() {
    let machine = Machine::ladder(5, 1);
    let [start, moved] = [0.0, 0.05].map(|spread| machine.matrix(spread, 1));
    let mut lu = Calahan::new(start.pattern(), start.values(), &CalahanOptions::default()).unwrap();
    let b = vec![1.0; machine.order()];
    let mut x = b.clone();
    let count = allocations(|| {
        assert_eq!(lu.refactor(moved.values()).unwrap(), Refactored::Stream);
        lu.solve(&mut x);
        assert!(!lu.solve_checked(moved.values(), &b, &mut x).unwrap().fresh_pivoting);
    });
    assert_eq!(count, 0);
}

#[test]
fn saddle_point_refactor_and_solve() {
    let machine = Machine::chain(5, 1);
    let [(mass, phi), (moved_mass, moved_phi)] = [0.0, 0.05].map(|spread| machine.kkt(spread, 1));
    let mut kkt = Kkt::new(&mass, &phi).unwrap();
    let (mut top, mut bottom) = (vec![1.0; mass.ncols()], vec![0.5; phi.nrows()]);
    let count = allocations(|| {
        assert_eq!(kkt.refactor(moved_mass.values(), moved_phi.values()).unwrap(), Refactored::Stream);
        assert!(!kkt.solve(&mut top, &mut bottom).unwrap().fresh_pivoting);
    });
    assert_eq!(count, 0);
}

/// x_i^2 = i + 2
struct Roots([f64; 8]);

impl newton::Equations for Roots {
    type Error = std::convert::Infallible;
    fn dimension(&self) -> usize {
        8
    }
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Self::Error> {
        (0..8).for_each(|i| residual[i] = x[i] * x[i] - (i + 2) as f64);
        Ok(())
    }
    fn refresh(&mut self, x: &[f64]) -> Result<(), Self::Error> {
        (0..8).for_each(|i| self.0[i] = 2.0 * x[i]);
        Ok(())
    }
    fn correct(&mut self, r: &mut [f64]) -> Result<(), Self::Error> {
        (0..8).for_each(|i| r[i] /= self.0[i]);
        Ok(())
    }
}

#[test]
fn newton_iteration() {
    let mut iteration = newton::Newton::new(8, newton::NewtonOptions::default()).unwrap();
    let mut x = [3.0; 8];
    let count = allocations(|| assert!(iteration.solve(&mut Roots([0.0; 8]), &mut x).unwrap().is_converged()));
    assert_eq!(count, 0);
}
