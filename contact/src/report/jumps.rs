//! Offsets, lengths and limits of contacts that jump on the way of a run.

use crate::pair::{ContactSet, Jump};
use fourbar_linalg::text::Brief;

/// The largest jump of each contact so far, and up to where it was looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Jumps {
    found: Vec<Jump>,
    seen: f64,
}

impl Jumps {
    /// Looks up to `time` \[s\].
    pub(super) fn look(&mut self, detector: &ContactSet, time: f64) {
        if let Some(jump) = detector.jump(self.seen, time) {
            match self.found.iter_mut().find(|known| known.pair == jump.pair && known.field == jump.field) {
                Some(known) if known.size.abs() >= jump.size.abs() => {}
                Some(known) => *known = jump,
                None => self.found.push(jump),
            }
        }
        self.seen = time;
    }

    /// What to say of them.
    pub(super) fn warnings<'a>(&'a self, detector: &'a ContactSet) -> impl Iterator<Item = String> + 'a {
        self.found.iter().map(|Jump { pair, field, time, size }| {
            format!(
                "`{field}` of contact \"{}\" jumps by {:.4} m or rad at t = {:.6} s: what touches is moved with it at once, without the \
                 velocity and the impulse of a collision; write a ramp, as min(time/0.01, 1), if it is to strike",
                detector.names().get(*pair as usize).map_or("?", String::as_str),
                Brief(*size),
                Brief(*time)
            )
        })
    }
}
