//! How many joints follow each other in a mechanism.

use super::Mechanism;

impl Mechanism {
    /// Joints of the longest of the shortest ways from the ground to a body; of bodies that joints do not connect with the ground, from the first
    /// of them. At least 1.
    pub(crate) fn longest_chain(&self) -> usize {
        let ground = self.bodies.len();
        let mut neighbours = vec![Vec::new(); ground + 1];
        for set in &self.sets {
            neighbours[set.i.body].push(set.j.body);
            neighbours[set.j.body].push(set.i.body);
        }
        let mut seen = vec![false; ground + 1];
        let mut longest = 1;
        for root in std::iter::once(ground).chain(0..ground) {
            let mut front = if std::mem::replace(&mut seen[root], true) { Vec::new() } else { vec![root] };
            let mut joints = 0;
            while !front.is_empty() {
                longest = longest.max(joints);
                let next = front.iter().flat_map(|&b| &neighbours[b]);
                front = next.copied().filter(|&b| !std::mem::replace(&mut seen[b], true)).collect();
                joints += 1;
            }
        }
        longest
    }
}
