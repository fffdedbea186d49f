//! Islands handed to workers: one thread takes them in order; with the feature `parallel` several threads take parts of them, as many as there are
//! cores or as `RAYON_NUM_THREADS` says.
//!
//! No island reads what another one writes, and what each answers stands at its own place: the bits do not depend on who solved it.

use super::{
    island::Islands,
    settle::{Outcome, Task, Worker},
};

/// Contacts below which another thread costs more than it saves: a contact takes 0.3 us or more, to wake a thread some 10 us.
#[cfg(feature = "parallel")]
const GRAIN: usize = 100;
/// Parts for each thread: islands that take long in one of them leave the others to other threads.
#[cfg(feature = "parallel")]
const PARTS: usize = 4;

/// Solves all islands, each outcome at the index of its island.
pub(super) fn solve(task: &Task<'_>, islands: Islands<'_>, workers: &mut Vec<Worker>, outcomes: &mut Vec<Outcome>) {
    outcomes.clear();
    outcomes.resize(islands.len(), Outcome::default());
    let count = parts(&islands);
    if workers.len() < count {
        workers.resize_with(count, Worker::default);
    }
    divide(task, islands, &mut workers[..count], outcomes);
}

#[cfg(not(feature = "parallel"))]
fn parts(_: &Islands<'_>) -> usize {
    1
}

#[cfg(feature = "parallel")]
fn parts(islands: &Islands<'_>) -> usize {
    let threads = rayon::current_num_threads();
    if threads == 1 { 1 } else { (PARTS * threads).min(islands.len()).min(islands.unit_count() / GRAIN).max(1) }
}

#[cfg(not(feature = "parallel"))]
use each as divide;

/// Halves until each worker has its part.
#[cfg(feature = "parallel")]
fn divide(task: &Task<'_>, islands: Islands<'_>, workers: &mut [Worker], outcomes: &mut [Outcome]) {
    if workers.len() < 2 || islands.len() < 2 {
        return each(task, islands, workers, outcomes);
    }
    let middle = islands.middle();
    let (first, second) = islands.split_at(middle);
    let (first_workers, second_workers) = workers.split_at_mut(workers.len() / 2);
    let (first_outcomes, second_outcomes) = outcomes.split_at_mut(middle);
    rayon::join(
        || divide(task, first, first_workers, first_outcomes),
        || divide(task, second, second_workers, second_outcomes),
    );
}

/// One after the other, by the first worker.
pub(super) fn each(task: &Task<'_>, islands: Islands<'_>, workers: &mut [Worker], outcomes: &mut [Outcome]) {
    let Some(worker) = workers.first_mut() else { return };
    let mut outcomes = outcomes.iter_mut();
    islands.for_each(|mut island| {
        if let Some(outcome) = outcomes.next() {
            *outcome = task.solve(&mut island, worker);
        }
    });
}
