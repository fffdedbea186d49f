//! Linear complementarity problems of the literature: matrices of known classes, programs, games, equilibria, free boundaries, circuits.

use super::families::{Numbers, planted};
use fourbar_contact::problem::{Lcp, MixedLcp};
use nalgebra::{DMatrix, DVector};

pub(crate) fn lcp(m: DMatrix<f64>, q: DVector<f64>) -> Lcp {
    Lcp::new(m, q).unwrap()
}

/// A problem written by rows.
pub(crate) fn rows<const N: usize>(m: [[f64; N]; N], q: [f64; N]) -> Lcp {
    lcp(DMatrix::from_fn(N, N, |i, j| m[i][j]), DVector::from_column_slice(&q))
}

pub(crate) fn tridiagonal(n: usize, below: f64, diagonal: f64, above: f64, q: impl Fn(usize) -> f64) -> Lcp {
    let m = DMatrix::from_fn(n, n, |i, j| match j as isize - i as isize {
        -1 => below,
        0 => diagonal,
        1 => above,
        _ => 0.0,
    });
    lcp(m, DVector::from_fn(n, |i, _| q(i)))
}

/// Ahn 1983: 4 on the diagonal, -2 above, 1 below; q = -1.
pub(crate) fn ahn(n: usize) -> Lcp {
    tridiagonal(n, 1.0, 4.0, -2.0, |_| -1.0)
}

/// Geiger and Kanzow 1996, first: tridiagonal -1, 4, -1.
pub(crate) fn geiger_kanzow(n: usize) -> Lcp {
    tridiagonal(n, -1.0, 4.0, -1.0, |_| -1.0)
}

/// Geiger and Kanzow 1996, second: diagonal 1/n .. 1.
pub(crate) fn graded_diagonal(n: usize) -> Lcp {
    let m = DMatrix::from_fn(n, n, |i, j| if i == j { (i as f64 + 1.0) / n as f64 } else { 0.0 });
    lcp(m, DVector::from_element(n, -1.0))
}

/// Harker and Pang 1990: M = A^T A + B + D, entries of A and the skew B in -5..5, of the diagonal D in 0..0.3; the hard kind has q in
/// -500..500, the easy one in -500..0.
pub(crate) fn harker_pang(numbers: &mut Numbers, n: usize, hard: bool) -> Lcp {
    let a = DMatrix::from_fn(n, n, |_, _| 5.0 * numbers.signed());
    let b = DMatrix::from_fn(n, n, |_, _| 5.0 * numbers.signed());
    let mut m = a.transpose() * &a;
    for i in 0..n {
        for j in 0..i {
            m[(i, j)] += b[(i, j)];
            m[(j, i)] -= b[(i, j)];
        }
        m[(i, i)] += 0.3 * numbers.unit();
    }
    lcp(m, DVector::from_fn(n, |_, _| if hard { 500.0 * numbers.signed() } else { -500.0 * numbers.unit() }))
}

/// min c.x with A x >= b, x >= 0 by its optimality conditions: M = [0 -A^T; A 0], q = (c, -b).
pub(crate) fn linear_program(a: &DMatrix<f64>, b: &DVector<f64>, c: &DVector<f64>) -> Lcp {
    quadratic_program(&DMatrix::zeros(c.len(), c.len()), a, b, c)
}

/// min 1/2 x.H x + c.x with A x >= b, x >= 0.
pub(crate) fn quadratic_program(h: &DMatrix<f64>, a: &DMatrix<f64>, b: &DVector<f64>, c: &DVector<f64>) -> Lcp {
    let (rows, columns) = a.shape();
    let mut m = DMatrix::zeros(rows + columns, rows + columns);
    m.view_mut((0, 0), (columns, columns)).copy_from(h);
    m.view_mut((0, columns), (columns, rows)).copy_from(&(-a.transpose()));
    m.view_mut((columns, 0), (rows, columns)).copy_from(a);
    let q = DVector::from_fn(rows + columns, |i, _| if i < columns { c[i] } else { -b[i - columns] });
    lcp(m, q)
}

/// A linear program with an optimum; many rows of it are active at a vertex.
pub(crate) fn random_program(numbers: &mut Numbers, rows: usize, columns: usize, degenerate: bool) -> Lcp {
    let a = DMatrix::from_fn(rows, columns, |_, _| (9.0 * numbers.signed()).round());
    let keep = if degenerate { 3 } else { 2 };
    let x =
        DVector::from_fn(columns, |_, _| if numbers.below(keep) == 0 { 1.0 + numbers.below(5) as f64 } else { 0.0 });
    let y = DVector::from_fn(rows, |_, _| if numbers.below(keep) == 0 { 1.0 + numbers.below(5) as f64 } else { 0.0 });
    let slack = |value: f64, numbers: &mut Numbers| f64::from(u8::from(value == 0.0 && numbers.below(2) == 0));
    let b = &a * &x - DVector::from_fn(rows, |i, _| slack(y[i], numbers));
    let c = a.transpose() * &y + DVector::from_fn(columns, |j, _| slack(x[j], numbers));
    linear_program(&a, &b, &c)
}

/// Klee and Minty 1972 (Chvatal's form): max sum 10^(n-j) x_j with 2 sum_{j<i} 10^(i-j) x_j + x_i <= 100^(i-1).
pub(crate) fn klee_minty(n: usize) -> Lcp {
    let a = DMatrix::from_fn(n, n, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => -1.0,
        std::cmp::Ordering::Greater => -2.0 * 10f64.powi((i - j) as i32),
    });
    let b = DVector::from_fn(n, |i, _| -100f64.powi(i as i32));
    let c = DVector::from_fn(n, |j, _| -10f64.powi((n - 1 - j) as i32));
    linear_program(&a, &b, &c)
}

/// Programs on which the simplex method cycles without a rule against it: Beale 1955, Chvatal 1983 (page 31), Marshall and Suurballe 1969.
pub(crate) fn cycling_programs() -> [Lcp; 3] {
    let program = |a: &[f64], rows: usize, b: &[f64], c: &[f64]| {
        let a = -DMatrix::from_row_slice(rows, c.len(), a);
        linear_program(&a, &-DVector::from_column_slice(b), &DVector::from_column_slice(c))
    };
    let beale = [0.25, -8.0, -1.0, 9.0, 0.5, -12.0, -0.5, 3.0, 0.0, 0.0, 1.0, 0.0];
    let chvatal = [0.5, -5.5, -2.5, 9.0, 0.5, -1.5, -0.5, 1.0, 1.0, 0.0, 0.0, 0.0];
    let marshall = [0.5, -5.5, -2.5, 9.0, 0.5, -1.5, -0.5, 1.0, 1.0, 1.0, 1.0, 1.0];
    [
        program(&beale, 3, &[0.0, 0.0, 1.0], &[-0.75, 20.0, -0.5, 6.0]),
        program(&chvatal, 3, &[0.0, 0.0, 1.0], &[-10.0, 57.0, 9.0, 24.0]),
        program(&marshall, 3, &[0.0, 0.0, 1.0], &[-10.0, 57.0, 9.0, 24.0]),
    ]
}

/// Stationary points of 1/2 x.H x + c.x in the box 0..1, H indefinite: M = [H I; -I 0], q = (c, 1). Always solvable.
pub(crate) fn indefinite_box(numbers: &mut Numbers, n: usize) -> Lcp {
    let g = numbers.matrix(n, n);
    let h = (&g + g.transpose()) * 0.5;
    let a = -DMatrix::identity(n, n);
    let c = DVector::from_fn(n, |_, _| numbers.normal());
    quadratic_program(&h, &a, &DVector::from_element(n, -1.0), &c)
}

/// Cost of Cournot's oligopoly with linear demand: M = b (I + 1 1^T) + costs, firms at several markets share capacity.
pub(crate) fn cournot(numbers: &mut Numbers, firms: usize, markets: usize) -> Lcp {
    let n = firms * markets;
    let slope: Vec<f64> = (0..markets).map(|_| 0.5 + numbers.unit()).collect();
    let price: Vec<f64> = (0..markets).map(|_| 50.0 + 50.0 * numbers.unit()).collect();
    let h = DMatrix::from_fn(n, n, |i, j| {
        if i % markets == j % markets { slope[i % markets] * if i == j { 2.0 } else { 1.0 } } else { 0.0 }
    });
    let a = DMatrix::from_fn(firms, n, |f, i| if i / markets == f { -1.0 } else { 0.0 });
    let c = DVector::from_fn(n, |i, _| 40.0 * numbers.unit() - price[i % markets]);
    quadratic_program(&h, &a, &DVector::from_fn(firms, |_, _| -30.0 * numbers.unit()), &c)
}

/// Spatial price equilibrium with linear supply and demand (Takayama and Judge 1971): flows, supply prices, demand prices.
pub(crate) fn spatial_prices(numbers: &mut Numbers, supplies: usize, demands: usize) -> Lcp {
    let flows = supplies * demands;
    let n = flows + supplies + demands;
    let mut m = DMatrix::zeros(n, n);
    let mut q = DVector::zeros(n);
    for i in 0..supplies {
        for j in 0..demands {
            let k = i * demands + j;
            // Shipping from i to j pays p_i + cost >= p_j.
            (m[(k, flows + i)], m[(k, flows + supplies + j)], q[k]) = (1.0, -1.0, 1.0 + 9.0 * numbers.unit());
            (m[(flows + i, k)], m[(flows + supplies + j, k)]) = (-1.0, 1.0);
        }
    }
    for i in 0..supplies {
        (m[(flows + i, flows + i)], q[flows + i]) = (0.5 + numbers.unit(), -5.0 * numbers.unit());
    }
    for j in flows + supplies..n {
        (m[(j, j)], q[j]) = (0.5 + numbers.unit(), -30.0 - 20.0 * numbers.unit());
    }
    lcp(m, q)
}

/// Polymatrix game (Miller and Zucker 1991): every player pays against every other; M = [P -E; E^T 0], q = (0, -1).
pub(crate) fn polymatrix(numbers: &mut Numbers, players: usize, strategies: usize) -> Lcp {
    let n = players * strategies;
    let mut m = DMatrix::zeros(n + players, n + players);
    for i in 0..n {
        for j in 0..n {
            m[(i, j)] = if i / strategies == j / strategies { 1.0 } else { 1.0 + numbers.below(250) as f64 };
        }
        (m[(i, n + i / strategies)], m[(n + i / strategies, i)]) = (-1.0, 1.0);
    }
    lcp(m, DVector::from_fn(n + players, |i, _| if i < n { 0.0 } else { -1.0 }))
}

/// Zero-sum game with a skew matrix of integers, hence degenerate: Stone-paper-scissors and its larger kin.
pub(crate) fn cyclic_game(k: usize) -> Lcp {
    let pay = |i: usize, j: usize| match (j + k - i) % k {
        0 => 2.0,
        d if d <= k / 2 => 3.0,
        _ => 1.0,
    };
    let m = DMatrix::from_fn(2 * k, 2 * k, |i, j| match (i < k, j < k) {
        (true, false) => pay(i, j - k),
        (false, true) => pay(j, i - k),
        _ => 0.0,
    });
    lcp(m, DVector::from_element(2 * k, -1.0))
}

/// Five-point operator of -div(k grad) - velocity . grad on a square grid, upwind.
pub(crate) fn five_point(
    side: usize,
    conductivity: impl Fn(f64, f64) -> f64,
    velocity: (f64, f64),
    q: impl Fn(f64, f64) -> f64,
) -> Lcp {
    let (n, h) = (side * side, 1.0 / (side as f64 + 1.0));
    let mut m = DMatrix::zeros(n, n);
    let at = |k: usize| (k as f64 + 1.0) * h;
    for i in 0..side {
        for j in 0..side {
            let here = i * side + j;
            for (di, dj) in [(0isize, 1isize), (1, 0), (0, -1), (-1, 0)] {
                let (x, y) = (at(i) + 0.5 * h * di as f64, at(j) + 0.5 * h * dj as f64);
                let drift = velocity.0 * di as f64 + velocity.1 * dj as f64;
                let flow = conductivity(x, y) / (h * h) + drift.max(0.0) / h;
                m[(here, here)] += flow;
                let (k, l) = (i as isize + di, j as isize + dj);
                if (0..side as isize).contains(&k) && (0..side as isize).contains(&l) {
                    m[(here, k as usize * side + l as usize)] -= flow;
                }
            }
        }
    }
    lcp(m, DVector::from_fn(n, |k, _| q(at(k / side), at(k % side))))
}

/// Journal bearing (Cryer 1971; Lin and Cryer 1985): film thickness 1 + e cos x, pressure nowhere negative.
pub(crate) fn journal_bearing(side: usize, eccentricity: f64) -> Lcp {
    let angle = |x: f64| std::f64::consts::TAU * x;
    let film = move |x: f64| 1.0 + eccentricity * angle(x).cos();
    five_point(side, move |x, _| film(x).powi(3), (0.0, 0.0), move |x, _| -eccentricity * angle(x).sin())
}

/// Elastic-plastic torsion of a square bar: |u| at most the distance from the edge; lower bound as complementarity, upper with a multiplier.
pub(crate) fn torsion(side: usize, load: f64) -> Lcp {
    let distance = |x: f64, y: f64| x.min(1.0 - x).min(y.min(1.0 - y));
    let a = five_point(side, |_, _| 1.0, (0.0, 0.0), |_, _| -load);
    let h = 1.0 / (side as f64 + 1.0);
    let at = |k: usize| (k as f64 + 1.0) * h;
    let d = DVector::from_fn(side * side, |k, _| distance(at(k / side), at(k % side)));
    let c = DVector::from_column_slice(a.q()) - a.m() * &d;
    let n = d.len();
    quadratic_program(&a.m().into_owned(), &-DMatrix::identity(n, n), &(&d * -2.0), &c)
}

/// One implicit step of an American put (Wilmott, Dewynne and Howison 1993) on n prices: value above the payoff, in prices up to four strikes.
pub(crate) fn american_put(n: usize, volatility: f64, rate: f64, step: f64, centred: bool) -> Lcp {
    let h = 4.0 / (n as f64 + 1.0);
    let payoff = |k: usize| (1.0 - (k as f64) * h).max(0.0);
    let mut m = DMatrix::zeros(n, n);
    let mut q = DVector::zeros(n);
    for k in 0..n {
        let s = (k as f64 + 1.0) * h;
        let diffusion = 0.5 * (volatility * s / h).powi(2) * step;
        let drift = rate * s / h * step;
        let (up, down) =
            if centred { (diffusion + 0.5 * drift, diffusion - 0.5 * drift) } else { (diffusion + drift, diffusion) };
        let diagonal = 1.0 + up + down + rate * step;
        // z = value - payoff; beyond the last price the payoff is the value.
        q[k] = diagonal * payoff(k + 1) - up * payoff(k + 2) - down * payoff(k) - payoff(k + 1);
        m[(k, k)] = diagonal;
        if k + 1 < n {
            m[(k, k + 1)] = -up;
        }
        if k > 0 {
            m[(k, k - 1)] = -down;
        }
    }
    lcp(m, q)
}

/// Seepage through a rectangular dam after Baiocchi's transformation: -Laplace z + 1 >= 0, z >= 0, heads on the sides.
pub(crate) fn dam(side: usize, left: f64, right: f64) -> Lcp {
    let a = five_point(side, |_, _| 1.0, (0.0, 0.0), |_, _| 1.0);
    let h = 1.0 / (side as f64 + 1.0);
    let height = |y: f64, level: f64| 0.5 * (level - y).max(0.0).powi(2);
    let mut q = DVector::from_column_slice(a.q());
    for k in 0..side {
        let s = (k as f64 + 1.0) * h;
        // x runs with the first index, y with the second.
        q[k] -= height(s, left) / (h * h);
        q[(side - 1) * side + k] -= height(s, right) / (h * h);
        q[k * side] -= 0.5 * (left * left * (1.0 - s) + right * right * s) / (h * h);
    }
    lcp(a.m().into_owned(), q)
}

/// Traffic on parallel routes (Dafermos 1980): flows of every pair of places add up to its demand, the multiplier is the time of its best
/// route; costs affine, not symmetric, monotone.
pub(crate) fn traffic(numbers: &mut Numbers, places: usize, routes: usize, links: usize) -> MixedLcp {
    let n = places * routes;
    let uses = DMatrix::from_fn(links, n, |_, _| f64::from(u8::from(numbers.below(4) == 0)));
    let g = numbers.matrix(links, links);
    let slope = DMatrix::from_diagonal(&DVector::from_fn(links, |_, _| 1.0 + numbers.unit()))
        + (&g - g.transpose()) * (0.3 / (links as f64).sqrt());
    let free = DVector::from_fn(links, |_, _| 1.0 + 5.0 * numbers.unit());
    let pair = DMatrix::from_fn(places, n, |p, k| f64::from(u8::from(k / routes == p)));
    MixedLcp::new(
        DMatrix::zeros(places, places),
        pair.clone(),
        -pair.transpose(),
        uses.transpose() * slope * &uses,
        DVector::from_fn(places, |_, _| -1.0 - 4.0 * numbers.unit()),
        uses.transpose() * free,
    )
    .unwrap()
}

/// A chain of diode bridges: bridge k rectifies the voltage left by bridge k - 1, all by modified nodal analysis with the node voltages and
/// the current of the source free; each bridge floats, so that the nodal matrix is singular without its diodes.
pub(crate) fn diode_bridges(bridges: usize, conductance: f64, source: f64) -> MixedLcp {
    let (f, n) = (2 * bridges + 1, 4 * bridges);
    let (mut a, mut b, mut c) = (DMatrix::zeros(f, f), DMatrix::zeros(f, n), DMatrix::zeros(n, f));
    let mut a_vec = DVector::zeros(f);
    // Input of bridge 0: a source over a resistor of 10; free variable 0 is its voltage.
    a[(0, 0)] = -1.0 / 10.0;
    a_vec[0] = source / 10.0;
    for k in 0..bridges {
        let (plus, minus) = (1 + 2 * k, 2 + 2 * k);
        // Load between the outputs.
        for (i, j, sign) in [(plus, plus, -1.0), (plus, minus, 1.0), (minus, minus, -1.0), (minus, plus, 1.0)] {
            a[(i, j)] += sign * conductance;
        }
        // Inputs: the source against ground for the first, the outputs of the one before for the others.
        let inputs = if k == 0 { [Some(0), None] } else { [Some(plus - 2), Some(minus - 2)] };
        for (side, input) in inputs.into_iter().enumerate() {
            for (diode, from, to) in [(4 * k + 2 * side, input, Some(plus)), (4 * k + 2 * side + 1, Some(minus), input)]
            {
                if let Some(from) = from {
                    b[(from, diode)] -= 1.0;
                    c[(diode, from)] -= 1.0;
                }
                if let Some(to) = to {
                    b[(to, diode)] += 1.0;
                    c[(diode, to)] += 1.0;
                }
            }
        }
    }
    // b: currents into nodes; c: minus the voltage over a diode, w = v_to - v_from >= 0.
    MixedLcp::new(a, b, c, DMatrix::zeros(n, n), a_vec, DVector::zeros(n)).unwrap()
}

/// Subset sums as complementarity (Chung 1989), NP-complete: x_i = 0 or 1 by 0 <= x_i _|_ 1 - x_i >= 0, and sum a_i x_i = b by the two
/// last rows, a.x - b - y >= 0 and b - a.x - y' >= 0, which leave no room but y = y' = 0.
pub(crate) fn subset_sum(a: &[f64], b: f64) -> Lcp {
    let n = a.len();
    let mut m = DMatrix::zeros(n + 2, n + 2);
    let mut q = DVector::zeros(n + 2);
    for (i, ai) in a.iter().enumerate() {
        (m[(i, i)], q[i]) = (-1.0, 1.0);
        (m[(n, i)], m[(n + 1, i)]) = (*ai, -ai);
    }
    (m[(n, n)], m[(n + 1, n + 1)]) = (-1.0, -1.0);
    (q[n], q[n + 1]) = (-b, b);
    lcp(m, q)
}

/// Positive entries: strictly copositive, of no better class.
pub(crate) fn positive(numbers: &mut Numbers, n: usize) -> Lcp {
    let m = DMatrix::from_fn(n, n, |_, _| 0.05 + numbers.unit());
    lcp(m, DVector::from_fn(n, |_, _| numbers.signed()))
}

/// Semidefinite plus skew, its rows multiplied by numbers up to `decades` apart either way: sufficient no longer, but solved by planted z.
pub(crate) fn scaled_monotone(numbers: &mut Numbers, n: usize, decades: f64) -> (Lcp, DVector<f64>) {
    let g = numbers.matrix(n, n.div_ceil(2));
    let k = numbers.matrix(n, n);
    let m = &g * g.transpose() / n as f64 + (&k - k.transpose()) * (0.3 / (n as f64).sqrt());
    let rows: Vec<f64> = (0..n).map(|_| 10f64.powf(decades * numbers.signed())).collect();
    let m = DMatrix::from_fn(n, n, |i, j| rows[i] * m[(i, j)]);
    planted(numbers, m, false)
}

/// What the bilateral part of a random mixed problem is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bilateral {
    /// A positive definite, no equations beside.
    Mass,
    /// The saddle matrix of a mass matrix and independent rows.
    Rows,
    /// The same with one row more that follows from the others.
    Redundant,
    /// The same with a constant that contradicts them.
    Contradictory,
    /// The saddle matrix of a singular mass matrix: A may be singular where the problem is not.
    Massless,
    /// A matrix of no structure.
    General,
}

/// A mixed problem of a mechanism with contacts, J_N of full or half rank, whose contact rows stand in units `decades` apart either way;
/// impulses in units of their own as well if `both`. Solved by planted u and z, unless contradictory.
pub(crate) fn random_mixed(numbers: &mut Numbers, kind: Bilateral, decades: f64, both: bool) -> MixedLcp {
    let bilateral = !matches!(kind, Bilateral::Mass | Bilateral::General);
    let dependent = usize::from(matches!(kind, Bilateral::Redundant | Bilateral::Contradictory));
    let dofs = 3 + numbers.below(8);
    let independent = if bilateral { 1 + numbers.below(dofs.min(4)) } else { 0 };
    let (n, joints) = (1 + numbers.below(12), independent + dependent);
    let f = dofs + joints;
    let rank = if kind == Bilateral::Massless { dofs.div_ceil(2) } else { dofs };
    let g = numbers.matrix(dofs, rank);
    let mass = match kind {
        Bilateral::General => g,
        Bilateral::Massless => &g * g.transpose(),
        _ => &g * g.transpose() / dofs as f64 + DMatrix::identity(dofs, dofs) * 0.1,
    };
    let mut j_e = numbers.matrix(joints, dofs);
    if dependent > 0 {
        let row = (0..independent).map(|k| j_e.row(k) * numbers.signed()).reduce(|sum, row| sum + row).unwrap();
        j_e.row_mut(independent).copy_from(&row);
    }
    let mut j_n = numbers.matrix(n, dofs);
    if numbers.below(2) == 0 {
        j_n = numbers.matrix(n, n.div_ceil(2)) * numbers.matrix(n.div_ceil(2), dofs);
    }
    let (mut a, mut b, mut c) = (DMatrix::zeros(f, f), DMatrix::zeros(f, n), DMatrix::zeros(n, f));
    a.view_mut((0, 0), (dofs, dofs)).copy_from(&mass);
    a.view_mut((0, dofs), (dofs, joints)).copy_from(&-j_e.transpose());
    a.view_mut((dofs, 0), (joints, dofs)).copy_from(&j_e);
    b.view_mut((0, 0), (dofs, n)).copy_from(&-j_n.transpose());
    c.view_mut((0, 0), (n, dofs)).copy_from(&j_n);
    let u = DVector::from_fn(f, |_, _| numbers.normal());
    let z = DVector::from_fn(n, |_, _| if numbers.below(2) == 0 { 0.1 + numbers.unit() } else { 0.0 });
    let w = DVector::from_fn(n, |i, _| if z[i] == 0.0 && numbers.below(3) > 0 { 0.1 + numbers.unit() } else { 0.0 });
    let mut a_vec = -(&a * &u + &b * &z);
    if kind == Bilateral::Contradictory {
        a_vec[f - 1] += 1.0;
    }
    let rows = DVector::from_fn(n, |_, _| 10f64.powf(decades * numbers.signed()));
    let impulses = if both { rows.clone() } else { DVector::from_element(n, 1.0) };
    let b_vec = (&w - &c * &u).component_mul(&rows);
    let b = b * DMatrix::from_diagonal(&impulses);
    let c = DMatrix::from_diagonal(&rows) * c;
    MixedLcp::new(a, b, c, DMatrix::zeros(n, n), a_vec, b_vec).unwrap()
}
