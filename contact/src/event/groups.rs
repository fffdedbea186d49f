//! The groups of friction rows of a contact: sliding, spinning, rolling.

use crate::unilateral::Surface;
use std::ops::Range;

/// Rows of group `g` among those of a contact.
pub(super) fn rows(g: usize) -> Range<usize> {
    [1..3, 3..4, 4..6][g].clone()
}

/// Limit of group `g` over the normal multiplier.
pub(super) fn coefficient(surface: &Surface, g: usize) -> f64 {
    [surface.friction, surface.spinning, surface.rolling][g]
}

/// Whether group `g` is a motion along the surfaces, not a turn.
pub(super) fn slides(g: usize) -> bool {
    g == 0
}

/// Whether the direction of group `g` can turn: it has two rows.
pub(super) fn turns(g: usize) -> bool {
    rows(g).len() == 2
}
