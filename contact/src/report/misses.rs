//! What fixed steps leave undone: overlaps and residuals, the worst of a run, with what to do about them.

use crate::pair::ContactSet;
use crate::stepping::StepRecord;
use crate::unilateral::ContactId;
use fourbar_linalg::text::Brief;
use fourbar_multibody::space::Pose;

/// Overlap from which on it is told, as part of the width of the smaller shape (angles: in radians). Deeper, what shapes touch with is soon
/// not what they met with: the far side of a plate is near, and boxes leave by another face.
const DEEP: f64 = 0.05;
/// Residual from which on it is told, as part of the speeds of the step: a thousand times what solvers leave where a next step can mend it.
const MISSES: f64 = 1e-3;

/// The largest of something: how large, of which contact, when \[s\].
#[derive(Debug, Clone, Copy, Default)]
struct Worst {
    size: f64,
    contact: ContactId,
    time: f64,
}

/// The worst overlaps and residuals so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Misses {
    overlap: Worst,
    /// Depth of that overlap [m, rad].
    depth: f64,
    residual: Worst,
    /// Steps with a residual to be told, and steps of which a solve ended at its budget.
    missed: u64,
    cut: u64,
}

impl Misses {
    /// Takes a step.
    pub(super) fn take(&mut self, record: &StepRecord) {
        if record.overlap > self.overlap.size {
            self.overlap = Worst { size: record.overlap, contact: record.deepest, time: record.time };
            self.depth = record.depth;
        }
        if record.residual > self.residual.size {
            self.residual = Worst { size: record.residual, contact: record.hardest, time: record.time };
        }
        self.missed += u64::from(record.residual > MISSES);
        self.cut += u64::from(record.out_of_budget);
    }

    /// What to say of them after so many steps, and of shapes that overlap at `poses` (the ground last), measured apart from the gaps.
    pub(super) fn warnings(&self, detector: &ContactSet, steps: u64, poses: &[Pose]) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.overlap.size > DEEP {
            warnings.push(format!(
                "contact \"{}\" overlaps by {:.3} m or rad at t = {:.6} s, {:.2} of the width of the smaller of what touches: take a smaller \
                 `step`, or another `method` (gap_lcp keeps gaps at the end of each step, event follows each impact)",
                detector.describe(self.overlap.contact),
                Brief(self.depth),
                Brief(self.overlap.time),
                Brief(self.overlap.size)
            ));
        }
        // Not told twice.
        if let Some(([i, j], depth, part)) =
            detector.deepest_shapes(poses).filter(|(.., part)| *part > DEEP.max(self.overlap.size))
        {
            warnings.push(format!(
                "shapes \"{i}\" and \"{j}\" overlap by {:.3} m at the end, {:.2} of the width of the smaller: they got into one another where their \
                 gaps are not seen; take a smaller `step`",
                Brief(depth),
                Brief(part)
            ));
        }
        if self.missed > 0 {
            let place = match self.residual.contact {
                ContactId::NONE => String::new(),
                contact => format!(", at contact \"{}\"", detector.describe(contact)),
            };
            warnings.push(format!(
                "the contact problems of {} of {steps} steps were not solved, the worst at t = {:.6} s with a residual of {:.2} of the \
                 speeds{place}: take a smaller `step`; bodies of very different masses on one another, or joints that press them together, are hard",
                self.missed,
                Brief(self.residual.time),
                Brief(self.residual.size),
            ));
        }
        if self.cut > 0 {
            warnings.push(format!(
                "the solvers of {} of {steps} steps came to the end of their work, and the best point until then was taken",
                self.cut
            ));
        }
        warnings
    }
}
