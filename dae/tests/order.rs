//! Orders of the corrector and of the dense output at fixed step, on problems with known solutions and exact histories.

use crate::support;

use fourbar_dae::Dae;
use fourbar_dae::integrator::{ConstantBdf, Gstiff, Integrator, Stop, Tolerance};
use support::ProtheroRobinson;
use support::pendulum::{Index, Pendulum};

/// Method of fixed order and step whose corrector is solved to round-off.
fn fixed(order: usize, step: f64) -> ConstantBdf {
    ConstantBdf { tolerance: Tolerance::uniform(1e-13), ..ConstantBdf::new(step, order) }
}

/// Largest errors of the first `compared` unknowns at the mesh points and half-way between, over [0, end].
fn errors<D: Dae>(
    dae: D,
    order: usize,
    step: f64,
    history: &[Vec<f64>],
    end: f64,
    compared: usize,
    solution: impl Fn(f64) -> Vec<f64>,
) -> [f64; 2] {
    let columns: Vec<&[f64]> = history.iter().map(Vec::as_slice).collect();
    let mut run = fixed(order, step).start_with_history(dae, 0.0, step, &columns, end).expect("start");
    let n = columns[0].len();
    let (mut y, mut yp, mut worst) = (vec![0.0; n], vec![0.0; n], [0.0; 2]);
    let compare = |worst: &mut f64, t: f64, y: &[f64]| {
        let exact = solution(t);
        (0..compared).for_each(|i| *worst = f64::max(*worst, (y[i] - exact[i]).abs()));
    };
    loop {
        let stop = run.step().expect("step");
        assert_eq!(run.order(), order);
        compare(&mut worst[0], run.time(), run.state());
        run.interpolate(run.time() - 0.5 * step, &mut y, &mut yp).expect("interpolation");
        compare(&mut worst[1], run.time() - 0.5 * step, &y);
        if stop == Stop::EndTime {
            return worst;
        }
    }
}

/// Measured order from steps h and h/2.
fn slopes(mut errors: impl FnMut(f64) -> [f64; 2], h: f64) -> [f64; 2] {
    let (coarse, fine) = (errors(h), errors(h / 2.0));
    [(coarse[0] / fine[0]).log2(), (coarse[1] / fine[1]).log2()]
}

/// h^j/j! times the j-th derivatives of cos t and cos^2 t = (1 + cos 2t)/2 at t = 0.
fn cosine_history(h: f64, order: usize) -> Vec<Vec<f64>> {
    let mut factor = 1.0;
    (0..=order)
        .map(|j| {
            let turn = [1.0, 0.0, -1.0, 0.0][j % 4];
            let double = 0.5 * turn * 2f64.powi(j as i32) + if j == 0 { 0.5 } else { 0.0 };
            let column = vec![factor * turn, factor * double];
            factor *= h / (j + 1) as f64;
            column
        })
        .collect()
}

#[test]
fn ode_with_algebraic_unknown() {
    // Steps at which the error lies well between round-off and the asymptotic range.
    for (order, h) in [(1, 0.01), (2, 0.01), (3, 0.02), (4, 0.04), (5, 0.05), (6, 0.05)] {
        let run = |step: f64| {
            let system = ProtheroRobinson::system(2.0);
            errors(system, order, step, &cosine_history(step, order), 3.2, 2, |t| vec![t.cos(), t.cos().powi(2)])
        };
        let [mesh, dense] = slopes(run, h);
        assert!((mesh - order as f64).abs() < 0.2, "order {order}: measured {mesh}");
        assert!(dense > order as f64 - 0.2, "order {order}: between mesh points {dense}");
    }
}

#[test]
fn stabilized_and_index_3_mechanism() {
    for (index, compared) in [(Index::Stabilized, 6), (Index::Integrated, 6), (Index::Three, 4)] {
        for (order, h) in [(1, 0.005), (2, 0.01), (3, 0.02), (4, 0.04), (5, 0.04), (6, 0.05)] {
            let run = |step: f64| {
                let history = Pendulum::revolution_history(index, step, order);
                let multiplier = |t: f64| if index == Index::Integrated { t } else { 1.0 };
                let solution = |t: f64| vec![t.cos(), t.sin(), -t.sin(), t.cos(), multiplier(t), 0.0];
                errors(Pendulum::system(index, 0.0), order, step, &history, 2.0, compared, solution)
            };
            let [mesh, _] = slopes(run, h);
            assert!((mesh - order as f64).abs() < 0.2, "{index:?}, order {order}: measured {mesh}");
        }
    }
}

/// Between the points of a run with error control the solution is as good as at them.
#[test]
fn dense_output_is_as_accurate_as_the_steps() {
    let mut run = Gstiff::with_tolerance(1e-8)
        .start(ProtheroRobinson::system(2.0), 0.0, &[1.0, 1.0], &[0.0, 0.0], 10.0)
        .expect("start");
    let (mut mesh, mut between): (f64, f64) = (0.0, 0.0);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    let mut previous = 0.0;
    while run.step().expect("step") != Stop::EndTime {
        mesh = mesh.max((run.state()[0] - run.time().cos()).abs());
        for part in [0.25, 0.5, 0.75] {
            let t = previous + part * (run.time() - previous);
            run.interpolate(t, &mut y, &mut yp).expect("interpolation");
            between = between.max((y[0] - t.cos()).abs());
            // One order less than y; the first steps are of order 1.
            let slope_error = (yp[0] + t.sin()).abs();
            assert!(slope_error < if run.order() < 3 { 1e-2 } else { 1e-5 }, "y' at {t}: {slope_error:e}");
        }
        previous = run.time();
    }
    assert!(between < 2.0 * mesh, "mesh {mesh:e}, between {between:e}");
    // Local errors of 1e-8 add up over the memory of the system, 1/2 s, to about ten times that.
    assert!(mesh < 2e-7, "{mesh:e}");
}

/// Without a history the fixed method rises to its order within the first steps.
#[test]
fn fixed_order_is_reached_from_order_1() {
    let mut run =
        fixed(4, 0.01).start(ProtheroRobinson::system(2.0), 0.0, &[1.0, 1.0], &[0.0, 0.0], 1.0).expect("start");
    let orders: Vec<usize> = (0..6)
        .map(|_| {
            run.step().expect("step");
            run.order()
        })
        .collect();
    assert_eq!(orders, [1, 2, 3, 4, 4, 4]);
    while run.step().expect("step") != Stop::EndTime {}
    assert_eq!(run.statistics().steps, 100);
    assert_eq!(run.statistics().rejected_by_error, 0);
}
