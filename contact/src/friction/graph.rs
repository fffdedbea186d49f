//! Which contacts act on each other (share a body that moves), and an order in which those that do stand close together.
//!
//! Reverse Cuthill and McKee: breadth first from a contact at an end, neighbours by their number of neighbours (Proc. 24th Nat. Conf.
//! ACM (1969) 157). Factors of W keep to the skyline that this leaves: a stack or a chain costs its height, not the cube of it.

/// Graph of the contacts and their order. Reused from solve to solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactGraph {
    /// Contacts in order.
    pub(crate) order: Vec<usize>,
    /// Place of each contact in the order.
    pub(crate) place: Vec<usize>,
    start: Vec<usize>,
    neighbours: Vec<usize>,
}

impl ContactGraph {
    /// Takes the graph of `n` contacts from `coupled(a, b)`, a < b.
    pub(crate) fn assign(&mut self, n: usize, coupled: impl Fn(usize, usize) -> bool) {
        self.start.clear();
        self.neighbours.clear();
        for a in 0..n {
            self.start.push(self.neighbours.len());
            for b in 0..n {
                if a != b && coupled(a.min(b), a.max(b)) {
                    self.neighbours.push(b);
                }
            }
        }
        self.start.push(self.neighbours.len());
        self.sort(n);
    }

    /// Contacts that a contact acts on, itself left out.
    #[inline]
    pub(crate) fn neighbours(&self, contact: usize) -> &[usize] {
        &self.neighbours[self.start[contact]..self.start[contact + 1]]
    }

    fn degree(&self, contact: usize) -> usize {
        self.start[contact + 1] - self.start[contact]
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
            for &contact in &self.order[first..] {
                self.place[contact] = usize::MAX;
            }
            self.order.truncate(first);
            self.breadth_first(seed);
        }
        self.order.reverse();
        for (place, &contact) in self.order.iter().enumerate() {
            self.place[contact] = place;
        }
    }

    /// Appends the part of the graph that holds `seed`.
    fn breadth_first(&mut self, seed: usize) {
        let mut next = self.order.len();
        self.place[seed] = next;
        self.order.push(seed);
        while next < self.order.len() {
            let contact = self.order[next];
            let found = self.order.len();
            for at in self.start[contact]..self.start[contact + 1] {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered at random comes out in a row, a separate pair beside it.
    #[test]
    fn chains_come_in_a_row() {
        let links = [4, 0, 5, 2, 6, 1, 3];
        let mut coupling = ContactGraph::default();
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
