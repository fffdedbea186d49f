//! Lagrange interpolation of the input over one step: the polynomials in theta = (t - t_k)/T that every family stands on.
//!
//! Computed in double-double arithmetic, because the monomial coefficients of high order alternate and cancel.

use fourbar_linalg::phi::DoubleDouble;

/// The coefficients c_ij of theta^j in the Lagrange basis polynomial of node i: rows i, columns j ascending.
pub(crate) fn lagrange_coefficients(nodes: &[DoubleDouble]) -> Vec<Vec<DoubleDouble>> {
    (0..nodes.len())
        .map(|i| {
            let others: Vec<_> = without(nodes, i).collect();
            let scale = divided_difference_weight(nodes, i);
            let product = nodal_polynomial(&others);
            product.into_iter().map(|x| x * scale).collect()
        })
        .collect()
}

/// The coefficients w_j of w(theta) = prod_i (theta - theta_i), ascending.
pub(crate) fn nodal_polynomial(nodes: &[DoubleDouble]) -> Vec<DoubleDouble> {
    let mut product = vec![DoubleDouble::from(1.0)];
    for &node in nodes {
        product.push(DoubleDouble::default());
        for j in (0..product.len()).rev() {
            let below = if j > 0 { product[j - 1] } else { DoubleDouble::default() };
            product[j] = below - node * product[j];
        }
    }
    product
}

/// 1 / prod_{r != i} (theta_i - theta_r): the weight of node i in the divided difference over all nodes.
pub(crate) fn divided_difference_weight(nodes: &[DoubleDouble], i: usize) -> DoubleDouble {
    let product = without(nodes, i).fold(DoubleDouble::from(1.0), |p, r| p * (nodes[i] - r));
    DoubleDouble::from(1.0) / product
}

fn without(nodes: &[DoubleDouble], i: usize) -> impl Iterator<Item = DoubleDouble> {
    nodes.iter().enumerate().filter(move |(r, _)| *r != i).map(|(_, &node)| node)
}

/// The weights with which the samples make up the input at the end of the step, theta = 1: the sample there if there is one, else the
/// continuation of the interpolation.
pub(crate) fn end_weights(nodes: &[f64]) -> Vec<f64> {
    let factor = |i: usize, r: usize| if r == i { 1.0 } else { (1.0 - nodes[r]) / (nodes[i] - nodes[r]) };
    let all = 0..nodes.len();
    all.clone().map(|i| all.clone().map(|r| factor(i, r)).product()).collect()
}
