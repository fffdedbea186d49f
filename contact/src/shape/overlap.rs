//! How deep shapes overlap, measured apart from the gaps: what a solver has left, checked by another.

use super::broad::{Extent, Sweep};
use super::family::Family;
use super::general::pose;
use super::{Form, Placed, Solid};
use parry3d_f64::query::contact;

/// The largest depth by which two shapes of `family` overlap \[m\], zero if none do.
pub(crate) fn largest(family: &Family, solids: &[Solid], placed: &[Placed]) -> f64 {
    let mut worst = 0.0_f64;
    each(family, solids, placed, |_, depth| worst = worst.max(depth));
    worst
}

/// Tells of each two shapes of `family` near each other and how deep they overlap \[m\], zero if they do not; by parry's distance of two shapes.
pub(crate) fn each(family: &Family, solids: &[Solid], placed: &[Placed], mut tell: impl FnMut([usize; 2], f64)) {
    let depth = |a: usize, b: usize| {
        let found = contact(&pose(&placed[a]), &*solids[a].shape, &pose(&placed[b]), &*solids[b].shape, 0.0);
        found.ok().flatten().map_or(0.0, |c| -c.dist)
    };
    let finite: Vec<usize> = (0..solids.len()).filter(|&k| solids[k].form != Form::HalfSpace).collect();
    let extents: Vec<Extent> = finite.iter().map(|&k| Extent::new(&solids[k], &placed[k], 0.0)).collect();
    Sweep::default().pairs(&extents, |a, b| {
        let (a, b) = (finite[a as usize], finite[b as usize]);
        if family.holds(a, b) {
            tell([a, b], depth(a, b));
        }
    });
    let spaces = (0..solids.len()).filter(|&k| solids[k].form == Form::HalfSpace);
    for (space, &k) in spaces.flat_map(|space| finite.iter().map(move |k| (space, k))) {
        if family.holds(space, k) {
            tell([space, k], depth(space, k));
        }
    }
}
