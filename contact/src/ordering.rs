//! Which nodes or pairs of a problem act on each other, and an order in which those that do stand close together.
//!
//! Reverse Cuthill and McKee: breadth first from a node at an end, neighbours by their number of neighbours (Proc. 24th Nat. Conf. ACM (1969)
//! 157; A. George, J. W. Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, chapter 4). Factors keep to the skyline or the band
//! that this leaves: a stack or a chain costs its height, not the cube of it.

/// A graph and the order of its nodes. Reused from solve to solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    /// Nodes in order.
    pub(crate) order: Vec<usize>,
    /// Place of each node in the order.
    pub(crate) place: Vec<usize>,
    start: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    /// Takes the graph of `n` nodes from `coupled(a, b)`, a < b.
    pub(crate) fn assign(&mut self, n: usize, coupled: impl Fn(usize, usize) -> bool) {
        self.assign_edges(n, |each| {
            for a in 0..n {
                (a + 1..n).filter(|&b| coupled(a, b)).for_each(|b| each(a, b));
            }
        });
    }

    /// Takes the graph of `n` nodes from the edges that `visit` shows, the same ones each time, in any order, once or twice.
    pub(crate) fn assign_edges(&mut self, n: usize, visit: impl Fn(&mut dyn FnMut(usize, usize))) {
        let Self { start, neighbours, .. } = self;
        start.clear();
        start.resize(n + 1, 0);
        visit(&mut |a, b| {
            start[a] += 1;
            start[b] += 1;
        });
        let mut sum = 0;
        for count in start.iter_mut() {
            sum += std::mem::replace(count, sum);
        }
        neighbours.clear();
        neighbours.resize(sum, 0);
        visit(&mut |a, b| {
            for (from, to) in [(a, b), (b, a)] {
                neighbours[start[from]] = to;
                start[from] += 1;
            }
        });
        // Each start has moved to the next one's.
        start.copy_within(0..n, 1);
        start[0] = 0;
        self.sort(n);
    }

    /// Nodes that a node acts on, itself left out.
    #[inline]
    pub(crate) fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[self.start[node]..self.start[node + 1]]
    }

    fn degree(&self, node: usize) -> usize {
        self.start[node + 1] - self.start[node]
    }

    fn sort(&mut self, n: usize) {
        self.order.clear();
        self.place.clear();
        self.place.resize(n, usize::MAX);
        while self.order.len() < n {
            let first = self.order.len();
            let least = (0..n).filter(|&c| self.place[c] == usize::MAX).min_by_key(|&c| self.degree(c));
            let Some(mut seed) = least else { break };
            // From the far end once more: the levels become narrower.
            self.breadth_first(seed);
            seed = self.order.last().copied().unwrap_or(seed);
            for &node in &self.order[first..] {
                self.place[node] = usize::MAX;
            }
            self.order.truncate(first);
            self.breadth_first(seed);
        }
        self.order.reverse();
        for (place, &node) in self.order.iter().enumerate() {
            self.place[node] = place;
        }
    }

    /// Appends the part of the graph that holds `seed`.
    fn breadth_first(&mut self, seed: usize) {
        let mut next = self.order.len();
        self.place[seed] = next;
        self.order.push(seed);
        while next < self.order.len() {
            let node = self.order[next];
            let found = self.order.len();
            for at in self.start[node]..self.start[node + 1] {
                let neighbour = self.neighbours[at];
                if self.place[neighbour] == usize::MAX {
                    self.place[neighbour] = 0;
                    self.order.push(neighbour);
                }
            }
            let start = &self.start;
            self.order[found..].sort_unstable_by_key(|&c| (start[c + 1] - start[c], c));
            next += 1;
        }
    }
}

/// Representative of the set of i, where each member points towards it; the path is halved on the way.
pub(crate) fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered at random comes out in a row, a separate pair beside it.
    #[test]
    fn chains_come_in_a_row() {
        let links = [4, 0, 5, 2, 6, 1, 3];
        let mut coupling = Graph::default();
        coupling.assign(9, |a, b| {
            let at = |c: usize| links.iter().position(|&link| link == c);
            match (at(a), at(b)) {
                (Some(a), Some(b)) => a.abs_diff(b) == 1,
                (None, None) => true,
                _ => false,
            }
        });
        for pair in links.windows(2) {
            assert_eq!(coupling.place[pair[0]].abs_diff(coupling.place[pair[1]]), 1);
        }
        assert_eq!(coupling.neighbours(7), [8]);
        let mut all = coupling.order.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..9));
    }
}
