//! Signals that jump: discrete outputs (FMI 3.0, section 2.4.7.4) are held from one communication point to the next, and what follows them without delay
//! begins anew where they have jumped, since a polynomial through a jump is none of the signal.

use super::dependency::Followers;
use super::network::Network;
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::{Causality, Variability};

/// The relations that are held, and what follows them.
pub(super) struct Discrete {
    held: Vec<Held>,
    /// Whether what a relation brings to the target may have jumped there.
    jumped: Vec<bool>,
    any: bool,
}

struct Held {
    relation: usize,
    /// Relations that bring what follows it without delay.
    reached: Vec<usize>,
}

/// How output k of interface i changes, where the relations held so far are known.
pub(super) fn variability(interfaces: &[Interface], relations: &[Relation], (i, k): (usize, usize)) -> Variability {
    let description = interfaces[i].description();
    let Some(output) = description.with(Causality::Output).nth(k) else { return Variability::Continuous };
    if output.variability != Variability::Inherited {
        return output.variability;
    }
    let mut open = false;
    for name in &output.feedthrough {
        let Some(input) = description.with(Causality::Input).position(|input| input.name == *name) else { continue };
        match relations.binary_search_by_key(&(i, input), |relation| relation.target) {
            Ok(r) if !relations[r].is_held => return Variability::Continuous,
            Ok(_) => {}
            Err(_) => open = true,
        }
    }
    if open { Variability::Inherited } else { Variability::Discrete }
}

/// Marks the relations that are held: of discrete outputs, to discrete inputs, and of outputs that follow nothing but such. They are sorted by target.
pub(super) fn mark(interfaces: &[Interface], relations: &mut [Relation]) {
    let is_discrete = |(i, k): (usize, usize)| {
        let input = interfaces[i].description().with(Causality::Input).nth(k);
        input.is_some_and(|input| input.variability == Variability::Discrete)
    };
    loop {
        let held = |relation: &Relation| {
            // What follows an input that nothing feeds may follow a run outside.
            is_discrete(relation.target) || variability(interfaces, relations, relation.source) == Variability::Discrete
        };
        let found = relations.iter().position(|relation| !relation.is_held && held(relation));
        match found {
            Some(r) => relations[r].is_held = true,
            None => return,
        }
    }
}

impl Discrete {
    pub(super) fn new(interfaces: &[Interface], relations: &[Relation]) -> Self {
        let held: Vec<usize> = (0..relations.len()).filter(|&r| relations[r].is_held).collect();
        let followers = (!held.is_empty()).then(|| Followers::new(interfaces, relations));
        let reached = |relation: usize| {
            let found = followers.as_ref().map(|followers| followers.of_input(relations, relations[relation].target));
            // Those that are held have no polynomials.
            found.unwrap_or_default().into_iter().filter(|&r| !relations[r].is_held).collect()
        };
        let held = held.into_iter().map(|relation| Held { reached: reached(relation), relation }).collect();
        Self { held, jumped: vec![false; relations.len()], any: false }
    }

    /// Whether what relation r brings to the target may have jumped there, or is held.
    #[inline]
    pub(super) fn jumped(&self, r: usize) -> bool {
        self.any && self.jumped[r]
    }

    /// Whether nothing is held.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

impl Network {
    /// Notes what has jumped at the target because a discrete signal has, when all values there are known.
    #[cold]
    pub(super) fn note_discrete(&mut self) {
        let Self { discrete, interaction, interfaces, .. } = self;
        discrete.jumped.fill(false);
        discrete.any = true;
        for Held { relation, reached } in &discrete.held {
            let r = *relation;
            // How far a held signal lay beside its source no difference of its values tells.
            discrete.jumped[r] = true;
            if interaction.offered(interfaces, r) != interaction.history(r).newest() {
                reached.iter().for_each(|&r| discrete.jumped[r] = true);
            }
        }
    }
}
