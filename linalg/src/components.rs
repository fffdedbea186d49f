//! Strong components of a directed graph: sets of nodes that reach each other (Tarjan, SIAM J. Comput. 1 (1972) 146), without recursion.

use std::ops::Range;

/// The strong components of the graph with the edges i -> `successors[i]`, each before those that lead into it: with the components of the
/// nonzero pattern of a matrix in reverse order, its rows and columns become block upper triangular.
///
/// Successors beyond the number of nodes are ignored.
#[must_use]
pub fn strong_components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let (n, mut search) = (successors.len(), StrongComponents::default());
    search.find(n, |node, seen| {
        let next = successors[node][seen..].iter().position(|to| *to < n)?;
        Some((successors[node][seen + next], seen + next + 1))
    });
    search.iter().map(<[usize]>::to_vec).collect()
}

/// A search for strong components that is kept from one graph to the next, for its memory.
#[derive(Debug, Clone, Default)]
pub struct StrongComponents {
    /// The nodes, component by component.
    order: Vec<usize>,
    /// Where each component stands in that order.
    ranges: Vec<Range<usize>>,
    /// When each node was first met, from 1; 0 before, [`SETTLED`] when its component is known.
    met: Vec<usize>,
    /// The earliest met that each node leads back to.
    earliest: Vec<usize>,
    /// Nodes whose component is not yet known.
    open: Vec<usize>,
    /// The way to the present node: each with where among its edges to go on.
    way: Vec<(usize, usize)>,
}

/// Stands for a node whose component is known.
const SETTLED: usize = usize::MAX;

impl StrongComponents {
    /// Takes the graph of `n` nodes whose next edge of a node from a place on is `next`(node, place): where it leads, and the place behind it.
    pub fn find(&mut self, n: usize, next: impl Fn(usize, usize) -> Option<(usize, usize)>) {
        self.order.clear();
        self.ranges.clear();
        for times in [&mut self.met, &mut self.earliest] {
            times.clear();
            times.resize(n, 0);
        }
        let mut time = 0;
        for first in 0..n {
            if self.met[first] == 0 {
                self.meet(first, &mut time);
                while let Some((node, place)) = self.way.pop() {
                    self.go_on(node, place, &next, &mut time);
                }
            }
        }
    }

    /// The components, each with its nodes in ascending order, before those that lead into it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> + ExactSizeIterator {
        self.ranges.iter().map(|range| &self.order[range.clone()])
    }

    fn meet(&mut self, node: usize, time: &mut usize) {
        *time += 1;
        (self.met[node], self.earliest[node]) = (*time, *time);
        self.open.push(node);
        self.way.push((node, 0));
    }

    /// Goes through the rest of the edges of a node until one leads to a node not yet met, which comes first.
    fn go_on(
        &mut self,
        node: usize,
        mut place: usize,
        next: &impl Fn(usize, usize) -> Option<(usize, usize)>,
        time: &mut usize,
    ) {
        while let Some((to, behind)) = next(node, place) {
            if self.met[to] == 0 {
                // Looked at once more on the way back, for what it leads to.
                self.way.push((node, place));
                return self.meet(to, time);
            }
            if self.met[to] != SETTLED {
                self.earliest[node] = self.earliest[node].min(self.earliest[to]);
            }
            place = behind;
        }
        if self.earliest[node] == self.met[node] {
            self.close(node);
        }
    }

    /// What was met since a node and is still open is a component.
    fn close(&mut self, node: usize) {
        let start = self.order.len();
        while let Some(member) = self.open.pop() {
            self.met[member] = SETTLED;
            self.order.push(member);
            if member == node {
                break;
            }
        }
        self.order[start..].sort_unstable();
        self.ranges.push(start..self.order.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the transitive closure: same component if and only if each reaches the other, and none leads to a later one.
        #[test]
        fn components_of_random_graphs(n in 0..12usize, edges in prop::collection::vec((0..12usize, 0..12usize), 0..30)) {
            let mut successors = vec![Vec::new(); n];
            let mut reaches = vec![vec![false; n]; n];
            for (from, to) in edges.into_iter().filter(|(i, j)| *i < n && *j < n) {
                successors[from].push(to);
                reaches[from][to] = true;
            }
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        reaches[i][j] |= reaches[i][k] && reaches[k][j];
                    }
                }
            }
            let components = strong_components(&successors);
            let place = |node: usize| components.iter().position(|c| c.contains(&node)).unwrap();
            prop_assert_eq!(components.iter().map(Vec::len).sum::<usize>(), n);
            for i in 0..n {
                for j in (0..n).filter(|j| *j != i) {
                    prop_assert_eq!(place(i) == place(j), reaches[i][j] && reaches[j][i]);
                    prop_assert!(!reaches[i][j] || place(j) <= place(i));
                }
            }
        }
    }

    #[test]
    fn long_paths_do_not_recurse() {
        let n = 200_000;
        let ring: Vec<Vec<usize>> = (0..n).map(|i| vec![(i + 1) % n]).collect();
        assert_eq!(strong_components(&ring).len(), 1);
        let path: Vec<Vec<usize>> = (0..n).map(|i| vec![i + 1]).collect();
        assert_eq!(strong_components(&path).len(), n);
    }
}
