//! Offsets, lengths and limits that jump in time. A gap that does moves the bodies that touch at once, without a velocity and without an
//! impulse: nothing in the laws of contact says what they should do.

use super::element::{Element, Gap};
use super::moving::Moving;
use super::{ContactSet, Part};
use fourbar_multibody::expression::{Break, Stack};
use num_dual::Dual2_64;

/// Jumps below this are round-off of what expressions give [m, rad].
const LEAST: f64 = 1e-6;
/// Halvings of the interval in which one is found: a double has no more digits.
const HALVINGS: usize = 60;

/// A jump of what a contact is given as a function of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    /// Index of the contact in [`ContactSet::names`].
    pub pair: u32,
    /// The field that jumps.
    pub field: &'static str,
    /// Time \[s\].
    pub time: f64,
    /// By how much [m, rad].
    pub size: f64,
}

impl ContactSet {
    /// The largest jump of an offset, length or limit between two times \[s\], if there is one.
    #[must_use]
    pub fn jump(&self, from: f64, to: f64) -> Option<Jump> {
        let elements = self.parts.iter().filter_map(|part| match part {
            Part::Element(element) => Some(element),
            Part::Family(_) => None,
        });
        let jumps = elements.filter_map(|element| {
            let (field, moving) = given(element)?;
            let [time, size] = jump(moving, from, to, &mut Stack::new(0))?;
            Some(Jump { pair: element.pair, field, time, size })
        });
        jumps.max_by(|a, b| a.size.abs().total_cmp(&b.size.abs()))
    }
}

/// Times at which offsets, lengths and limits jump or bend.
pub(super) fn breaks(parts: &[Part]) -> Vec<Break> {
    let programs = parts.iter().filter_map(|part| match part {
        Part::Element(element) => given(element),
        Part::Family(_) => None,
    });
    let breaks = |(_, moving): (_, &Moving)| match moving {
        Moving::Program(program) => program.breaks(0),
        Moving::Fixed(_) => Vec::new(),
    };
    programs.flat_map(breaks).collect()
}

/// The field of the contact that is a function of time.
fn given(element: &Element) -> Option<(&'static str, &Moving)> {
    let (field, moving) = match &element.gap {
        Gap::Plane { offset, .. } => ("offset", offset),
        Gap::Rope { length, .. } => ("length", length),
        Gap::Stop { limit, side, .. } => (if *side > 0.0 { "lower" } else { "upper" }, limit),
        Gap::Spheres { .. } | Gap::Curves(_) => return None,
    };
    matches!(moving, Moving::Program(_)).then_some((field, moving))
}

/// Time and size of a jump between two times: what the rates at both do not explain, however near they come.
fn jump(moving: &Moving, mut from: f64, mut to: f64, stack: &mut Stack<Dual2_64>) -> Option<[f64; 2]> {
    let (mut a, mut b) = (moving.at(from, stack), moving.at(to, stack));
    // Of a cubic through values and rates, less what the values do.
    let missed = |h: f64, a: &[f64; 3], b: &[f64; 3]| (b[0] - a[0] - 0.5 * h * (a[1] + b[1])).abs();
    if !(missed(to - from, &a, &b) > LEAST) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if !(middle > from && middle < to) {
            break;
        }
        let m = moving.at(middle, stack);
        if missed(middle - from, &a, &m) >= missed(to - middle, &m, &b) {
            (to, b) = (middle, m);
        } else {
            (from, a) = (middle, m);
        }
    }
    let size = b[0] - a[0];
    (missed(to - from, &a, &b) > LEAST && size.is_finite()).then_some([to, size])
}
