//! Which of the dependent rows are kept, chosen anew where the kept ones come to depend on each other.
//!
//! A dropped row is d = sum of `c_k` times kept rows k. Kept rows become dependent exactly where some `|c_k|` grows without bound, while the rank of all
//! rows stays (Bennett, Bricard and Sarrus linkages). The factors are the multipliers c of
//!
//! ```text
//! W v + Phi_q^T c = d,   Phi_q v = 0
//! ```
//!
//! over the kept rows, where v is zero. One solve with the sum of the dropped rows, with signs that favour none, tells of all. It is made where bodies
//! have moved since the last one ([`Watch`]); where it has grown, rank and exchanges choose as at the start ([`super::kept`]). Multipliers lambda of
//! the old rows load bodies as those of the new ones do that take lambda_k of each newly dropped row k = sum of `c_j` times kept rows j by `c_j`.

use super::acceleration::with_ground;
use super::assembly::assemble;
use super::redundancy::{dependent_rows, keep_all_but};
use super::saddle;
use crate::constraint::{MAX_ROWS, Row};
use crate::mechanism::{Counted, DROPPED, Mechanism, Rows, System};
use crate::space::{Pose, V3};
use crate::state::{State, Tracked};
use fourbar_linalg::{DependentRow, Kkt};

/// Sum of factors from which rows are chosen anew: at a choice factors are at most 2 to 4, and they double as the way to the singular position halves.
const REACH: f64 = 8.0;
/// The same, in parts of the sum at the choice: of many loops it is larger there.
const GROWN: f64 = 3.0;
/// Part to which another choice must bring the sum.
const BETTER: f64 = 0.6;
/// Turn \[rad\], or way in lengths of the mechanism, after which the sum is looked at again: factors of [`REACH`] are some 1/8 rad away from where they
/// have no bound.
const MOVED: f64 = 0.1;

/// A mechanism with other rows kept.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) mechanism: Mechanism,
    /// Rows that the other one drops, with the kept rows that make them up.
    dropped: Vec<DependentRow>,
}

impl Chosen {
    /// Multipliers of the rows that `old` keeps as those of the rows kept now that load the bodies alike; `all` is scratch.
    pub(crate) fn carry(&self, old: &Mechanism, multipliers: &mut [f64], all: &mut Vec<f64>) {
        all.clear();
        all.resize(old.all_row_count(), 0.0);
        each_kept(old, |row, at| all[row] = multipliers[at]);
        for DependentRow { row, combination } in &self.dropped {
            let own = std::mem::take(&mut all[*row]);
            combination.iter().filter(|_| own != 0.0).for_each(|&(other, c)| all[other] += c * own);
        }
        each_kept(&self.mechanism, |row, at| multipliers[at] = all[row]);
    }
}

fn each_kept(mechanism: &Mechanism, mut visit: impl FnMut(usize, usize)) {
    for bound in &mechanism.constraints {
        for (k, &at) in bound.rows[..bound.constraint.row_count()].iter().enumerate().filter(|(_, at)| **at != DROPPED)
        {
            visit(bound.first + k, at as usize);
        }
    }
}

/// Largest factor of a combination whose rows are in lengths of the mechanism: in lengths of the extent of the loop that it goes through.
pub(super) fn largest_factor(mechanism: &Mechanism, poses: &[Pose], own: &DependentRow) -> f64 {
    let rows = own.combination.iter().map(|&(row, _)| row).chain([own.row]);
    let lengths = mechanism.length / extent(mechanism, poses, rows.map(|row| mechanism.all_row(row).0.set));
    let scale = |row: usize| if mechanism.all_row(row).0.constraint.is_angular() { 1.0 } else { lengths };
    own.combination.iter().fold(0.0, |most, &(row, c)| most.max((c * scale(own.row) / scale(row)).abs()))
}

/// Diagonal of the box around the markers of these joints \[m\]; the length of the mechanism if they are at one place.
fn extent(mechanism: &Mechanism, poses: &[Pose], sets: impl Iterator<Item = usize>) -> f64 {
    let mut points = sets.map(|set| &mechanism.sets[set]).flat_map(|set| [set.i.origin(poses), set.j.origin(poses)]);
    let Some(first) = points.next() else { return mechanism.length };
    let (low, high) = points.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
    let (low, high): (V3, V3) = (low, high);
    let diagonal = (high - low).norm();
    if diagonal > 1e-9 * mechanism.length { diagonal } else { mechanism.length }
}

/// Notes the factors of a choice just made at `poses` (ground last).
pub(super) fn begin(mechanism: &mut Mechanism, poses: &[Pose], at: (f64, &[f64], &[Tracked])) {
    mechanism.choice.extent = extent(mechanism, poses, 0..mechanism.sets.len()).max(mechanism.length);
    if mechanism.choice.moves {
        mechanism.choice.reach = Lever::new(mechanism).reach(mechanism, poses, at);
    }
}

/// Workspace of the factors of a choice.
#[derive(Debug, Clone)]
struct Lever {
    system: System,
    kkt: Option<Kkt>,
    mark: u64,
    top: Vec<f64>,
    bottom: Vec<f64>,
}

impl Lever {
    fn new(mechanism: &Mechanism) -> Self {
        let system = System::new(mechanism, Rows::Independent);
        let (top, bottom) = (vec![0.0; 6 * mechanism.bodies.len()], vec![0.0; system.row_count()]);
        Self { system, kkt: None, mark: mechanism.choice.mark, top, bottom }
    }

    /// Largest factor of a kept row in the sum of the dropped ones; infinite where kept rows depend on each other.
    fn reach(&mut self, mechanism: &Mechanism, poses: &[Pose], at: (f64, &[f64], &[Tracked])) -> f64 {
        self.solve(mechanism, poses, at).unwrap_or(f64::INFINITY)
    }

    fn solve(
        &mut self,
        mechanism: &Mechanism,
        poses: &[Pose],
        (time, drives, angles): (f64, &[f64], &[Tracked]),
    ) -> Result<f64, fourbar_linalg::Error> {
        if self.mark != mechanism.choice.mark {
            *self = Self::new(mechanism);
        }
        let system = &mut self.system;
        system.evaluate_drives(mechanism, time, drives);
        system.count_from(angles);
        system.evaluate_weights(mechanism, 0);
        system.evaluate_phi(mechanism, poses);
        match &mut self.kkt {
            Some(kkt) => _ = kkt.refactor(system.mass.values(), system.phi.values())?,
            None => self.kkt = Some(saddle::factored(mechanism, system)?),
        }
        sum_of_dropped(mechanism, poses, Counted { angles, time }, &mut self.top);
        self.bottom.fill(0.0);
        if let Some(kkt) = &mut self.kkt {
            kkt.solve(&mut self.top, &mut self.bottom)?;
        }
        let mut most = 0.0_f64;
        for bound in &mechanism.constraints {
            let unit = if bound.constraint.is_angular() { 1.0 } else { mechanism.choice.extent };
            for &at in bound.rows[..bound.constraint.row_count()].iter().filter(|at| **at != DROPPED) {
                most = most.max((self.bottom[at as usize] * unit).abs());
            }
        }
        Ok(most)
    }
}

/// The sum of the dropped rows with signs that favour none, lengths in lengths of the extent, six numbers a body.
fn sum_of_dropped(mechanism: &Mechanism, poses: &[Pose], counted: Counted<'_>, sum: &mut [f64]) {
    let golden = 0.618_033_988_75;
    let mut rows = [Row::zero(); MAX_ROWS];
    sum.fill(0.0);
    for bound in &mechanism.constraints {
        let count = bound.constraint.row_count();
        if bound.rows[..count].iter().all(|at| *at != DROPPED) {
            continue;
        }
        let unit = if bound.constraint.is_angular() { 1.0 } else { mechanism.choice.extent };
        for part in bound.parts_at(poses, counted) {
            part.gradients(poses, &mut rows);
            for (k, row) in rows[..count].iter().enumerate().filter(|(k, _)| bound.rows[*k] == DROPPED) {
                let sign = if ((bound.first + k + 1) as f64 * golden).fract() < 0.5 { 1.0 } else { -1.0 } / unit;
                let (i, j) = (part.constraint.i.body, part.constraint.j.body);
                for (body, along, turn) in [(i, row.g, row.gi), (j, -row.g, row.gj)] {
                    let Some(own) = sum.get_mut(6 * body..6 * body + 6) else { continue };
                    for a in 0..3 {
                        own[a] += sign * along[a];
                        own[3 + a] += sign * turn[a];
                    }
                }
            }
        }
    }
}

/// Watches that the rows of a choice stay independent.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    lever: Lever,
    last: Look,
}

/// What a watch saw last.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    /// Poses, ground last; before the first look nothing moved.
    poses: Vec<Pose>,
    looked: bool,
    /// The choice.
    mark: u64,
    /// Sum from which another choice is sought.
    limit: f64,
}

fourbar_linalg::stored!(struct Look { poses, looked, mark, limit });

impl Look {
    fn none(mechanism: &Mechanism) -> Self {
        Self { poses: with_ground(&mechanism.start.poses), looked: false, mark: 0, limit: 0.0 }
    }

    /// As `other`, in the memory that is there.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.poses.clone_from(&other.poses);
        (self.looked, self.mark, self.limit) = (other.looked, other.mark, other.limit);
    }
}

impl Watch {
    /// None where no choice needs to be watched.
    pub(crate) fn new(mechanism: &Mechanism) -> Option<Box<Self>> {
        mechanism.choice.moves.then(|| Box::new(Self { lever: Lever::new(mechanism), last: Look::none(mechanism) }))
    }

    pub(crate) fn last(&self) -> &Look {
        &self.last
    }

    pub(crate) fn last_mut(&mut self) -> &mut Look {
        &mut self.last
    }

    /// Another choice for the positions of `state`, if those of `mechanism` do not suit there. Looks where bodies have moved since the last look.
    pub(crate) fn look(&mut self, mechanism: &Mechanism, state: &State) -> Option<Chosen> {
        let Self { lever, last } = self;
        let same = last.mark == mechanism.choice.mark;
        if same && last.looked && !moved(&last.poses, &state.poses, mechanism.length) {
            return None;
        }
        if !same {
            last.limit = REACH.max(GROWN * mechanism.choice.reach);
        }
        (last.looked, last.mark) = (true, mechanism.choice.mark);
        last.poses[..state.poses.len()].copy_from_slice(&state.poses);
        let reach = lever.reach(mechanism, &last.poses, (state.time, &state.drives, &state.angles));
        if reach <= last.limit {
            return None;
        }
        let chosen = choose(mechanism, state).filter(|chosen| chosen.mechanism.choice.reach <= BETTER * reach);
        if chosen.is_none() && reach.is_finite() {
            // No choice is better here: not again before it is worse.
            last.limit = GROWN * reach;
        }
        chosen
    }

    /// As [`Watch::look`], as if nothing had been looked at before: what it finds depends on `mechanism` and `state` alone.
    pub(crate) fn look_afresh(&mut self, mechanism: &Mechanism, state: &State) -> Option<Chosen> {
        (self.last.looked, self.last.mark) = (false, 0);
        self.look(mechanism, state)
    }

    /// Looks at the next call, wherever the bodies are.
    pub(crate) fn look_again(&mut self) {
        self.last.looked = false;
    }

    /// Looks at the next call, wherever the bodies are, and less leniently.
    pub(crate) fn doubt(&mut self) {
        self.last.looked = false;
        self.last.limit = 0.0;
    }
}

fn moved(before: &[Pose], now: &[Pose], length: f64) -> bool {
    before.iter().zip(now).any(|(before, now)| {
        // The norm of the difference of two rotations by a small angle is that angle times the square root of 2.
        (now.a - before.a).norm() > std::f64::consts::SQRT_2 * MOVED || (now.x - before.x).norm() > MOVED * length
    })
}

/// The choice for the positions of `state`; none where as many rows are dropped as the rank there says, and none else.
fn choose(mechanism: &Mechanism, state: &State) -> Option<Chosen> {
    let mut poses = with_ground(&state.poses);
    let mut system = System::new(mechanism, Rows::All);
    system.evaluate_drives(mechanism, state.time, &state.drives);
    system.count_from(&state.angles);
    // What integration leaves open would count as rank.
    assemble(mechanism, &mut system, &mut poses, state.time, &[]).ok()?;
    let dropped = dependent_rows(mechanism, &mut system, &poses, state.time).ok()?;
    if dropped.len() != mechanism.all_row_count() - mechanism.independent_rows {
        return None;
    }
    let mut chosen = mechanism.clone();
    keep_all_but(&mut chosen, &dropped, &poses);
    begin(&mut chosen, &poses, (state.time, &state.drives, &state.angles));
    if chosen.choice.mark == mechanism.choice.mark {
        return None;
    }
    let unit = |row: usize| if mechanism.all_row(row).0.constraint.is_angular() { 1.0 } else { mechanism.length };
    let mut newly: Vec<DependentRow> = dropped;
    for own in &mut newly {
        let by = unit(own.row);
        own.combination.iter_mut().for_each(|(row, c)| *c *= by / unit(*row));
    }
    Some(Chosen { mechanism: chosen, dropped: newly })
}

impl Mechanism {
    /// Rows that are dropped, by their numbers among all.
    pub(crate) fn dropped_rows(&self) -> Vec<usize> {
        let rows = self.constraints.iter().flat_map(|bound| {
            let dropped = |k: &usize| bound.rows[*k] == DROPPED;
            (0..bound.constraint.row_count()).filter(dropped).map(|k| bound.first + k).collect::<Vec<_>>()
        });
        rows.collect()
    }

    /// The mechanism with other rows dropped, as many; none if they are not such.
    pub(crate) fn keeping_all_but(&self, rows: &[usize]) -> Option<Self> {
        let fits = rows.len() == self.all_row_count() - self.independent_rows
            && rows.iter().all(|row| *row < self.all_row_count())
            && rows.windows(2).all(|pair| pair[0] < pair[1]);
        let dropped: Vec<_> = rows.iter().map(|&row| DependentRow { row, combination: Vec::new() }).collect();
        let mut other = self.clone();
        fits.then(|| {
            keep_all_but(&mut other, &dropped, &with_ground(&self.start.poses));
            other.choice.reach = self.choice.reach;
            other
        })
    }

    /// The mechanism with those of its dependent rows kept that suit the positions of `state`, which satisfies the constraints; none if those kept now do.
    /// Other rows have other multipliers: [`Accelerations`](super::Accelerations) solves for them.
    #[must_use]
    pub fn chosen_at(&self, state: &State) -> Option<Self> {
        Watch::new(self).and_then(|mut watch| watch.look(self, state)).map(|chosen| chosen.mechanism)
    }
}
