//! Which of the dependent rows are kept: those of a spanning tree of joints, wherever there is a choice.
//!
//! Rows of joints without a loop are independent at every position: each joint holds a body that nothing else holds. So rows should depend on
//! others only at the joints that close loops; those of a planar loop then drop what keeps one joint in its plane, and no position of the
//! loop makes the kept ones dependent. Rows dropped from joints here and there would do so, such as where their three points come to lie
//! in line.
//!
//! Rows are exchanged one by one, along the combinations that the rank analysis gives: a dropped row d = sum of c_k times kept rows k takes the
//! place of one of these, and multiplies the volume that the kept rows span by |c_k|.

use crate::mechanism::Mechanism;
use fourbar_linalg::DependentRow;

/// An exchange within the tree, or outside, must enlarge the volume by this (Gu and Eisenstat, SIAM J. Sci. Comput. 17 (1996) 848, who show
/// that rows without such an exchange are well conditioned for any moderate factor).
const GAIN: f64 = 2.0;
/// Part of the largest factor of a combination below which another is round-off.
const ROUND_OFF: f64 = 1e-12;

/// Factor of a combination up to which the rows of a spanning tree stay, in lengths of the extent of its loop: those of a planar loop have some 1 at most.
const TREE: f64 = 4.0;

/// Dropped rows with the combinations of kept ones that make them up.
struct Exchange {
    dropped: Vec<DependentRow>,
    /// Combinations that a kept row may occur in.
    users: Vec<Vec<u32>>,
    /// Whether a row belongs to the tree.
    in_tree: Vec<bool>,
}

/// The dropped rows after all exchanges, ascending, given those of `dependent`, whose factors count in scaled rows: those beside a spanning tree, unless
/// the rows of the tree are nearly dependent, as `factor` of their combinations tells.
pub(super) fn choose(
    mechanism: &Mechanism,
    dependent: Vec<DependentRow>,
    factor: impl Fn(&DependentRow) -> f64,
) -> Vec<DependentRow> {
    let preferred = exchanged(mechanism, dependent, tree_rows(mechanism));
    match preferred.iter().map(factor).fold(0.0, f64::max) > TREE {
        true => exchanged(mechanism, preferred, vec![false; mechanism.all_row_count()]),
        false => preferred,
    }
}

fn exchanged(mechanism: &Mechanism, dependent: Vec<DependentRow>, in_tree: Vec<bool>) -> Vec<DependentRow> {
    let mut users = vec![Vec::new(); mechanism.all_row_count()];
    for (d, dropped) in dependent.iter().enumerate() {
        dropped.combination.iter().for_each(|&(row, _)| users[row].push(d as u32));
    }
    let mut exchange = Exchange { in_tree, dropped: dependent, users };
    let mut again = true;
    while again {
        again = false;
        for d in 0..exchange.dropped.len() {
            if let Some(k) = exchange.partner(d) {
                exchange.swap(d, k);
                again = true;
            }
        }
    }
    exchange.dropped.sort_by_key(|dropped| dropped.row);
    exchange.dropped
}

impl Exchange {
    /// The kept row to drop in the place of dropped row `d`: outside of the tree if it can be, and with the largest factor.
    fn partner(&self, d: usize) -> Option<usize> {
        let DependentRow { row, combination } = &self.dropped[d];
        let better = |k: usize| self.in_tree[*row] && !self.in_tree[k];
        let worse = |k: usize| !self.in_tree[*row] && self.in_tree[k];
        let largest = combination.iter().fold(0.0_f64, |a, &(_, c)| a.max(c.abs()));
        let may = |&&(k, c): &&(usize, f64)| {
            !worse(k) && (c.abs() > GAIN || (better(k) && c.abs() > ROUND_OFF.sqrt() * largest))
        };
        let best = combination
            .iter()
            .filter(may)
            .max_by(|a, b| better(a.0).cmp(&better(b.0)).then(a.1.abs().total_cmp(&b.1.abs())));
        best.map(|&(k, _)| k)
    }

    /// Keeps dropped row `d` and drops kept row `k`: d = c_k k + r gives k = (d - r)/c_k, to be put into the other combinations.
    fn swap(&mut self, d: usize, k: usize) {
        let row = std::mem::replace(&mut self.dropped[d].row, k);
        let old = std::mem::take(&mut self.dropped[d].combination);
        let factor = old.iter().find(|&&(other, _)| other == k).map_or(1.0, |&(_, c)| c);
        let rest = old.into_iter().filter(|&(other, _)| other != k).map(|(other, c)| (other, -c / factor));
        let combination = sum(&rest.collect::<Vec<_>>(), &[(row, 1.0 / factor)], 1.0);
        for user in std::mem::take(&mut self.users[k]) {
            let own = &mut self.dropped[user as usize].combination;
            let Ok(at) = own.binary_search_by_key(&k, |&(other, _)| other) else { continue };
            let (_, c) = own.remove(at);
            *own = sum(own, &combination, c);
            combination.iter().for_each(|&(other, _)| add(&mut self.users[other], user));
        }
        combination.iter().for_each(|&(other, _)| add(&mut self.users[other], d as u32));
        self.dropped[d].combination = combination;
    }
}

fn add(users: &mut Vec<u32>, user: u32) {
    if !users.contains(&user) {
        users.push(user);
    }
}

/// a + factor times b, both ascending, without round-off.
fn sum(a: &[(usize, f64)], b: &[(usize, f64)], factor: f64) -> Vec<(usize, f64)> {
    let mut out: Vec<(usize, f64)> = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    let mut largest = 0.0_f64;
    loop {
        let next = match (a.get(i), b.get(j)) {
            (None, None) => break,
            (Some(&(p, x)), Some(&(q, y))) if p == q => {
                (i, j) = (i + 1, j + 1);
                largest = largest.max(x.abs()).max((factor * y).abs());
                (p, x + factor * y)
            }
            (Some(&(p, x)), other) if other.is_none_or(|&(q, _)| p < q) => {
                i += 1;
                largest = largest.max(x.abs());
                (p, x)
            }
            (_, Some(&(q, y))) => {
                j += 1;
                largest = largest.max((factor * y).abs());
                (q, factor * y)
            }
            (Some(_), None) => break,
        };
        out.push(next);
    }
    out.retain(|&(_, c)| c.abs() > ROUND_OFF * largest);
    out
}

/// Of each row, whether its joint belongs to a spanning tree of bodies and ground: joints with most rows first, then in the order of the model.
fn tree_rows(mechanism: &Mechanism) -> Vec<bool> {
    let rows = |set: usize| -> usize {
        mechanism.constraints[mechanism.sets[set].constraints.clone()].iter().map(|c| c.constraint.row_count()).sum()
    };
    let mut order: Vec<usize> = (0..mechanism.sets.len()).collect();
    order.sort_by_key(|&set| (mechanism.sets[set].joint.is_none(), std::cmp::Reverse(rows(set))));
    let mut group: Vec<usize> = (0..=mechanism.bodies.len()).collect();
    let mut in_tree = vec![false; mechanism.all_row_count()];
    for set in order {
        let set = &mechanism.sets[set];
        if set.constraints.is_empty() {
            continue;
        }
        let [a, b] = [set.i.body, set.j.body].map(|body| root(&mut group, body));
        if a != b {
            group[a] = b;
            for bound in &mechanism.constraints[set.constraints.clone()] {
                in_tree[bound.first..bound.first + bound.constraint.row_count()].fill(true);
            }
        }
    }
    in_tree
}

/// The body that stands for all those joined with one, halving the way there.
fn root(group: &mut [usize], mut body: usize) -> usize {
    while group[body] != body {
        group[body] = group[group[body]];
        body = group[body];
    }
    body
}
