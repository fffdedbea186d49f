//! Strong components of a directed graph: sets of nodes that reach each other (Tarjan, SIAM J. Comput. 1 (1972) 146), without recursion.

/// A node that the search has reached has a number below this.
const NEW: usize = usize::MAX;

/// The strong components of the graph with the edges i -> `successors[i]`, each before those that lead into it: with the components of the
/// nonzero pattern of a matrix in reverse order, its rows and columns become block upper triangular.
///
/// Successors beyond the number of nodes are ignored.
#[must_use]
pub fn strong_components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = successors.len();
    let mut search = Search { number: vec![NEW; n], low: vec![0; n], open: vec![false; n], stack: Vec::new(), next: 0 };
    let mut components = Vec::new();
    for root in 0..n {
        if search.number[root] == NEW {
            search.from(root, successors, &mut components);
        }
    }
    components
}

struct Search {
    /// In the order of discovery.
    number: Vec<usize>,
    /// The smallest number of an open node that the node is known to reach.
    low: Vec<usize>,
    /// On `stack`: reached, its component not closed yet.
    open: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.number[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.open[node] = true;
    }

    fn from(&mut self, root: usize, successors: &[Vec<usize>], components: &mut Vec<Vec<usize>>) {
        // The path, with how many successors of each node have been looked at.
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, seen)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = successors[node].get(*seen) {
                *seen += 1;
                if to >= self.number.len() {
                    continue;
                }
                if self.number[to] == NEW {
                    self.enter(to);
                    path.push((to, 0));
                } else if self.open[to] {
                    self.low[node] = self.low[node].min(self.number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.low[node] == self.number[node] {
                let from = self.stack.iter().rposition(|open| *open == node).unwrap_or(0);
                let component = self.stack.split_off(from);
                component.iter().for_each(|member| self.open[*member] = false);
                components.push(component);
            }
        }
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
