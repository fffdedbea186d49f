//! The members of a sweep over the cores of this machine. Which thread runs which member changes from run to run; what each gives does not.

use super::error::SweepError;
use super::journal::Journal;
use super::prepared::{MemberRun, Sweep};
use super::shard::Shard;
use super::subject::Subject;
use super::table::Results;
use fourbar_linalg::Interrupt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// How a sweep is carried out; nothing of it changes the results.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Threads; 0 for one on each core.
    pub jobs: usize,
    /// The part of the sweep.
    pub shard: Shard,
    /// Where what is done is noted; without it a sweep that is stopped begins anew.
    pub journal: Option<PathBuf>,
}

/// How far a sweep is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Members of this part.
    pub members: usize,
    /// Of these done, those of the journal among them.
    pub done: usize,
    /// Of these failed.
    pub failed: usize,
}

impl Sweep {
    /// Runs what the journal does not have yet. Once `stop` is raised no member begins, and those under way are given up: they begin anew
    /// with the next call. `progress` is called from this thread, first with what the journal has.
    ///
    /// # Errors
    /// [`SweepError::OtherJournal`], [`SweepError::BrokenJournal`], [`SweepError::Busy`], [`SweepError::File`]. A member that fails is
    /// none: it stands in the results. A plan that optimizes has no members, and its results are empty.
    pub fn execute(
        &self,
        options: &Options,
        stop: &Arc<AtomicBool>,
        mut progress: impl FnMut(Progress),
    ) -> Result<Results, SweepError> {
        let number = self.members().map_or(0, super::MemberValues::len);
        let subject = Subject::of(self, options.shard)?;
        let mut results: Vec<Option<MemberRun>> = Vec::new();
        results.resize_with(number, || None);
        let (mut journal, before) = match &options.journal {
            Some(path) => {
                let (journal, before) = Journal::open(path, &subject, self.headings().len())?;
                (Some(journal), before)
            }
            None => (None, Vec::new()),
        };
        for (member, result) in before {
            if let Some(place) = results.get_mut(member) {
                *place = Some(result);
            }
        }
        let open: Vec<usize> = options.shard.members(number).filter(|member| results[*member].is_none()).collect();
        let members = options.shard.members(number).count();
        let failed = results.iter().flatten().filter(|run| run.result.is_err()).count();
        let mut state = Progress { members, done: members - open.len(), failed };
        progress(state);
        self.on_threads(options.jobs, &open, stop, |member, result| {
            journal.as_mut().map_or(Ok(()), |journal| journal.note(member, &result))?;
            state.done += 1;
            state.failed += usize::from(result.result.is_err());
            results[member] = Some(result);
            progress(state);
            Ok(())
        })?;
        let rows = options.shard.members(number).filter_map(|member| Some((member, results[member].take()?))).collect();
        Ok(Results::new(self, subject, rows, state.done == members))
    }

    /// Runs the `open` members on threads; `take` gets each result on this thread, and its error stops the rest.
    fn on_threads(
        &self,
        jobs: usize,
        open: &[usize],
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(usize, MemberRun) -> Result<(), SweepError>,
    ) -> Result<(), SweepError> {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        let jobs = if jobs == 0 { cores() } else { jobs }.min(open.len());
        let (next, given_up) = (AtomicUsize::new(0), AtomicBool::new(false));
        let Some(members) = self.members() else { return Ok(()) };
        std::thread::scope(|scope| {
            // Results wait for their place in the journal: threads are never far ahead of what is written.
            let (sender, receiver) = mpsc::sync_channel(jobs);
            for _ in 0..jobs {
                let (sender, next, given_up) = (sender.clone(), &next, &given_up);
                scope.spawn(move || {
                    // Ends also a step that takes long.
                    Interrupt::from(Arc::clone(stop)).watch();
                    while let Some(member) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.load(Ordering::Relaxed) || given_up.load(Ordering::Relaxed) {
                            return;
                        }
                        let Some(result) = self.run(&members.values(*member), stop) else { return };
                        // What an interrupt has broken within a member is no failure of it.
                        let is_broken = result.result.is_err() && stop.load(Ordering::Relaxed);
                        if is_broken || sender.send((*member, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (member, result) in receiver {
                if let Err(error) = take(member, result) {
                    given_up.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(())
        })
    }
}
