//! `Harwell`: rank against the singular values, dependent rows as combinations, contradictions, solutions.

use crate::support;

use fourbar_linalg::{CscMatrix, CsrMatrix, Error, Harwell, Partition, RankOptions, RankReport};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use support::{Random, condition, index, machine::plane_ladder, random_matrix, random_vector};

fn rank(matrix: &DMatrix<f64>) -> RankReport {
    Harwell::rank(&CsrMatrix::from(matrix), &RankOptions::default()).expect("finite")
}

fn powers(n: usize, range: f64, random: &mut Random) -> DVector<f64> {
    DVector::from_fn(n, |_, _| 2f64.powi((range * random.signed()) as i32))
}

/// m x n matrix with r independent sparse rows; the others are combinations of up to three of them, or zero.
fn redundant(m: usize, n: usize, r: usize, random: &mut Random) -> DMatrix<f64> {
    let basis = random_matrix(n, 0.3, random);
    let mut matrix = basis.rows(0, r).into_owned().resize_vertically(m, 0.0);
    for i in r..m {
        for _ in 0..index(4, random).min(r) {
            let (from, factor) = (index(r, random), random.signed());
            let row = matrix.row(i) + factor * matrix.row(from);
            matrix.set_row(i, &row);
        }
    }
    (1..m).rev().for_each(|i| matrix.swap_rows(i, index(i + 1, random)));
    matrix
}

/// The report is consistent with the matrix: combinations reproduce the dependent rows, pivots form a regular matrix.
fn check_report(matrix: &DMatrix<f64>, report: &RankReport) -> Result<(), TestCaseError> {
    prop_assert_eq!(report.rank, report.independent_rows.len());
    prop_assert_eq!(report.rank + report.dependent.len(), matrix.nrows());
    for dependent in &report.dependent {
        let mut defect = matrix.row(dependent.row).into_owned();
        let mut size = defect.amax();
        for &(i, factor) in &dependent.combination {
            prop_assert!(report.independent_rows.contains(&i));
            defect -= factor * matrix.row(i);
            size = size.max((factor * matrix.row(i)).amax());
        }
        prop_assert!(defect.amax() <= 1e-9 * size, "row {} misses by {:e} of {size:e}", dependent.row, defect.amax());
    }
    let pivots = DMatrix::from_fn(report.rank, report.rank, |i, j| {
        matrix[(report.independent_rows[i], report.pivot_columns[j])]
    });
    prop_assert!(report.rank == 0 || pivots.lu().is_invertible());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Wide, square and tall matrices of known rank; the rank is that of the singular values.
    #[test]
    fn rank_is_that_of_the_singular_values(m in 1..25usize, n in 1..25usize, part in 0.0..=1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let r = (part * m.min(n) as f64) as usize;
        let matrix = redundant(m, n, r, &mut random);
        let report = rank(&matrix);
        let values = matrix.singular_values();
        prop_assert_eq!(report.rank, values.iter().filter(|&&v| v > 1e-10 * values.max()).count());
        prop_assert_eq!(report.rank, r);
        check_report(&matrix, &report)?;
    }

    /// Neither the rank nor the combinations depend on the units of equations and coordinates.
    #[test]
    fn rank_does_not_depend_on_units(m in 1..20usize, n in 1..20usize, part in 0.0..=1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let r = (part * m.min(n) as f64) as usize;
        let matrix = redundant(m, n, r, &mut random);
        let (rows, columns) = (powers(m, 40.0, &mut random), powers(n, 10.0, &mut random));
        let scaled = DMatrix::from_fn(m, n, |i, j| matrix[(i, j)] * rows[i] * columns[j]);
        let report = rank(&scaled);
        prop_assert_eq!(report.rank, r);
        let plain = DMatrix::from_fn(m, n, |i, j| matrix[(i, j)] * rows[i]);
        check_report(&plain, &report)?;
    }

    /// A right-hand side made from the rows is consistent; a changed entry of a dependent row is found, with its defect.
    #[test]
    fn contradictions_are_found(m in 2..20usize, n in 1..15usize, seed in any::<u64>()) {
        let mut random = Random(seed);
        let r = index(m.min(n), &mut random);
        let matrix = redundant(m, n, r, &mut random);
        let report = rank(&matrix);
        let mut rhs = &matrix * random_vector(n, &mut random);
        prop_assert!(report.conflicts(rhs.as_slice(), 1e-9)?.is_empty());
        let row = report.dependent[index(report.dependent.len(), &mut random)].row;
        rhs[row] += 0.125;
        let conflicts = report.conflicts(rhs.as_slice(), 1e-9)?;
        prop_assert_eq!(conflicts.len(), 1);
        prop_assert!(conflicts[0].row == row && (conflicts[0].defect - 0.125).abs() < 1e-9);
    }

    /// |x - x0| <= 10 n eps kappa |x0|.
    #[test]
    fn factors_solve(n in 1..30usize, density in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let matrix = random_matrix(n, density, &mut random);
        let x0 = random_vector(n, &mut random);
        let mut x = &matrix * &x0;
        Harwell::factor(&CscMatrix::from(&matrix))?.solve(x.as_mut_slice())?;
        let limit = 10.0 * n as f64 * f64::EPSILON * condition(&matrix) * x0.norm();
        prop_assert!((&x - &x0).norm() <= limit, "{:e} > {limit:e}", (&x - &x0).norm());
    }
}

/// A plane mechanism of spatial revolutes: 17 independent rows of 20 in each cell.
#[test]
fn plane_ladders_lose_three_rows_a_cell() {
    for cells in [1, 3, 10, 50] {
        let phi = plane_ladder(cells, 7);
        let report = Harwell::rank(&phi, &RankOptions::default()).unwrap();
        assert_eq!(report.rank, 17 * cells);
        assert_eq!(report.dependent.len(), 3 * cells);
        // velocities of points agree over any motion of the bodies
        let motion = random_vector(phi.ncols(), &mut Random(1));
        let rhs: Vec<f64> = phi
            .row_iter()
            .map(|row| row.col_indices().iter().zip(row.values()).map(|(&j, v)| v * motion[j]).sum())
            .collect();
        assert!(report.conflicts(&rhs, 1e-12).unwrap().is_empty());
    }
}

/// The tolerance decides: rows a millionth of a radian apart are independent, a millionth of a millionth apart dependent.
#[test]
fn nearly_dependent_rows() {
    let close = |angle: f64| DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 1.0, 2.0 + angle]);
    assert_eq!(rank(&close(1e-6)).rank, 2);
    assert_eq!(rank(&close(1e-12)).rank, 1);
    let loose = RankOptions { tolerance: 1e-4, ..RankOptions::default() };
    assert_eq!(Harwell::rank(&CsrMatrix::from(&close(1e-6)), &loose).unwrap().rank, 1);
}

#[test]
fn empty_zero_and_stored_zero_rows() {
    for (m, n) in [(0, 0), (0, 3), (3, 0)] {
        let report = Harwell::rank(&CsrMatrix::zeros(m, n), &RankOptions::default()).unwrap();
        assert_eq!((report.rank, report.dependent.len()), (0, m));
        assert!(report.dependent.iter().all(|d| d.combination.is_empty()));
        assert_eq!(report.conflicts(&vec![1.0; m], 0.5).unwrap().len(), m, "0 = 1 is a contradiction");
    }
    let stored = CsrMatrix::try_from_csr_data(2, 2, vec![0, 1, 2], vec![0, 1], vec![0.0, 2.0]).unwrap();
    let report = Harwell::rank(&stored, &RankOptions::default()).unwrap();
    assert_eq!((report.independent_rows, report.pivot_columns), (vec![1], vec![1]));
    Harwell::factor(&CscMatrix::zeros(0, 0)).unwrap().solve(&mut []).unwrap();
}

#[test]
fn bad_arguments_are_named() {
    let nan = CsrMatrix::try_from_csr_data(1, 2, vec![0, 2], vec![0, 1], vec![1.0, f64::NAN]).unwrap();
    let error = Harwell::rank(&nan, &RankOptions::default()).unwrap_err();
    assert!(matches!(error, Error::NotFinite { row: 0, column: 1, .. }), "{error}");
    let one = CsrMatrix::identity(2);
    assert!(matches!(
        Harwell::rank(&one, &RankOptions { tolerance: 1.0, ..RankOptions::default() }),
        Err(Error::Option { .. })
    ));
    let report = Harwell::rank(&one, &RankOptions::default()).unwrap();
    assert!(matches!(report.conflicts(&[1.0], 0.0), Err(Error::Length { .. })));
    assert!(matches!(Harwell::factor(&CscMatrix::zeros(2, 3)), Err(Error::NotSquare { rows: 2, columns: 3 })));
    let singular = CscMatrix::from(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0]));
    assert!(matches!(Harwell::factor(&singular), Err(Error::Singular { .. })));
    let factors = Harwell::factor(&CscMatrix::identity(2)).unwrap();
    assert!(matches!(factors.solve(&mut [1.0, f64::NAN]), Err(Error::NotFiniteVector { index: 1, .. })));
    assert!(matches!(factors.solve(&mut [1.0]), Err(Error::Length { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// The rows of a partition are independent and as many as the rank; its columns solve for them with moderate numbers.
    #[test]
    fn partitions_are_regular(m in 1..20usize, n in 1..30usize, part in 0.0..=1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let r = (part * m.min(n) as f64) as usize;
        let mut matrix = redundant(m, n, r, &mut random);
        for mut row in matrix.row_iter_mut() {
            let largest = row.amax();
            if largest > 0.0 {
                row /= largest;
            }
        }
        let Partition { rows, columns, weakest } = Harwell::partition(&CsrMatrix::from(&matrix), 1e-9)?;
        prop_assert_eq!((rows.len(), columns.len()), (r, r));
        prop_assert!(rows.is_sorted_by(|a, b| a < b) && columns.is_sorted_by(|a, b| a < b));
        prop_assert!(weakest.0 > 0.0 && weakest.0 <= 1.0);
        if r == 0 {
            return Ok(());
        }
        let kept = matrix.select_rows(&rows);
        let dependent = kept.select_columns(&columns);
        let values = kept.clone().singular_values();
        prop_assume!(values.min() > 1e-6 * values.max());
        // How far the dependent columns move for what they must make up for, against the bound of complete pivoting times 2^10.
        let moved = dependent.clone().lu().solve(&kept).expect("regular");
        prop_assert!(moved.amax() <= 1024.0, "{}", moved.amax());
    }
}

/// A chain of points, each held to the next: the ways of the points depend, not their turns, and the work is linear in the length.
#[test]
fn chains_of_any_length_are_partitioned() {
    for n in [10, 20_000] {
        let mut entries = nalgebra_sparse::CooMatrix::new(n, 2 * n);
        for k in 0..n {
            entries.push(k, 2 * k, 1.0);
            entries.push(k, 2 * k + 1, -0.5);
            if k > 0 {
                entries.push(k, 2 * k - 2, -1.0);
                entries.push(k, 2 * k - 1, -0.5);
            }
        }
        let Partition { columns, weakest, .. } = Harwell::partition(&CsrMatrix::from(&entries), 1e-9).unwrap();
        assert!(columns.iter().all(|c| c % 2 == 0) && columns.len() == n && weakest.0 == 1.0);
    }
}
