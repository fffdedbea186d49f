//! Contacts of a mechanism by their gap functions: the compiled [`ContactModel`](crate::model::ContactModel).
//!
//! [`ContactSet::compile`] resolves names and checks values; the set then finds the contacts of any configuration as
//! [`Contacts`]: gap, rows and drift of each, exact derivatives of one another ([`nearest`]).
//!
//! | kind | gap | rows besides the normal one |
//! |---|---|---|
//! | `point_plane`, `sphere_plane`, `box_plane` | n.(p_I - p_J) - r - offset(t) | tangents along x, y of J |
//! | `sphere_sphere` | distance of the centres - r_I - r_J | tangents |
//! | `rope` | length(t) - distance | none |
//! | `joint_stop` | coordinate - lower(t), upper(t) - coordinate | none |
//! | `curve_curve` | least signed distance of the curves | tangents in and across the plane |
//! | `shapes` | of each pair of features of the manifold | tangents |

mod compile;
mod curve;
mod element;
mod jump;
mod moving;
pub mod nearest;
mod read_curve;
mod rolling;

use crate::Error;
use crate::shape::family::{Family, Follow, has_region, shapes_of};
use crate::shape::{Form, Placed, Solid, overlap};
use crate::unilateral::{ContactId, Contacts, Unilateral};
use element::Element;
use fourbar_multibody::break_state::BreakState;
use fourbar_multibody::expression::Stack;
use fourbar_multibody::space::Pose;
use num_dual::Dual2_64;

pub use jump::Jump;
pub use read_curve::curve_points;

/// The contacts of a mechanism, with their workspace. See the module.
#[derive(Clone)]
pub struct ContactSet {
    names: Vec<String>,
    parts: Vec<Part>,
    solids: Vec<Solid>,
    shape_names: Vec<String>,
    placed: Vec<Placed>,
    stack: Stack<Dual2_64>,
    /// Contacts followed by events.
    follow: Option<Follow>,
    /// Breaks of what is given as a function of time.
    break_state: BreakState,
}

/// One contact of the model, or one side of a stop.
#[derive(Clone)]
enum Part {
    Element(Box<Element>),
    Family(Box<Family>),
}

impl ContactSet {
    /// Names of the contacts of the model, in its order: [`ContactId::pair`] is an index of it.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The largest depth by which shapes that may touch overlap \[m\], zero if none do. Measured by parry's penetration
    /// queries, apart from the gaps on which a solver works.
    #[must_use]
    pub fn overlap(&self, poses: &[Pose]) -> f64 {
        let placed: Vec<Placed> = self.solids.iter().map(|solid| solid.place(poses)).collect();
        let families = self.parts.iter().filter_map(|part| match part {
            Part::Family(family) => Some(overlap::largest(family, &self.solids, &placed)),
            Part::Element(_) => None,
        });
        families.fold(0.0, f64::max)
    }

    /// The two shapes that overlap most, beside the smaller of them: their names, how deep \[m\], and that over the least width of the smaller.
    /// Measured as [`ContactSet::overlap`].
    #[must_use]
    pub fn deepest_shapes(&self, poses: &[Pose]) -> Option<([&str; 2], f64, f64)> {
        let placed: Vec<Placed> = self.solids.iter().map(|solid| solid.place(poses)).collect();
        let mut worst: Option<([usize; 2], f64, f64)> = None;
        for part in &self.parts {
            let Part::Family(family) = part else { continue };
            overlap::each(family, &self.solids, &placed, |pair, depth| {
                let part = depth / self.solids[pair[0]].width().min(self.solids[pair[1]].width());
                if part > worst.map_or(0.0, |(_, _, most)| most) {
                    worst = Some((pair, depth, part));
                }
            });
        }
        worst.map(|(pair, depth, part)| (pair.map(|k| self.shape_names[k].as_str()), depth, part))
    }

    /// Name of a contact for people: that of its pair, and what of it touches.
    #[must_use]
    pub fn describe(&self, id: ContactId) -> String {
        let pair = self.names.get(id.pair as usize).map_or("?", String::as_str);
        match self.part(id) {
            Some(Part::Element(element)) => element.describe(id.feature),
            Some(Part::Family(_)) => {
                let [i, j] = shapes_of(id.feature).map(|k| self.shape_names.get(k).map_or("?", String::as_str));
                format!("{pair}: {i} on {j}")
            }
            None => pair.to_owned(),
        }
    }

    fn part(&self, id: ContactId) -> Option<&Part> {
        self.parts.iter().find(|part| match part {
            Part::Element(element) => element.pair == id.pair,
            Part::Family(family) => family.pair == id.pair,
        })
    }
}

impl Contacts for ContactSet {
    fn find(&mut self, time: f64, poses: &[Pose], margin: f64, found: &mut Vec<Unilateral>) -> Result<(), Error> {
        found.clear();
        let time = self.break_state.sided(time);
        self.placed.clear();
        self.placed.extend(self.solids.iter().map(|solid| solid.place(poses)));
        if let Some(follow) = &mut self.follow {
            follow.regions.clear();
        }
        for part in &mut self.parts {
            match part {
                Part::Element(element) => element.find(time, poses, margin, &mut self.stack, found)?,
                Part::Family(family) => {
                    family.find(time, &self.solids, &self.placed, poses, margin, self.follow.as_mut(), found)?;
                }
            }
        }
        Ok(())
    }

    fn follow(&mut self, closed: &mut dyn Iterator<Item = ContactId>) -> bool {
        let follows = |part: &Part| matches!(part, Part::Family(family) if family.follows(&self.solids));
        if self.follow.is_none() && !self.parts.iter().any(follows) {
            return false;
        }
        let follow = self.follow.get_or_insert_default();
        follow.held.clear();
        follow.held.extend(closed);
        true
    }

    fn region(&self, id: ContactId) -> Option<f64> {
        let Some(Part::Family(_)) = self.part(id) else { return None };
        let [i, j] = shapes_of(id.feature).map(|k| self.solids.get(k));
        if !has_region(id.feature, [i?, j?]) {
            return None;
        }
        let regions = self.follow.iter().flat_map(|follow| &follow.regions);
        Some(regions.filter(|(other, _)| *other == id).map(|(_, region)| *region).next().unwrap_or(f64::INFINITY))
    }

    fn next_break(&mut self, time: f64) -> f64 {
        self.break_state.from(time)
    }

    fn pass_break(&mut self, time: f64) {
        if self.break_state.is_at(time) {
            self.break_state.pass(time);
        }
    }

    fn break_state(&self) -> [f64; 3] {
        self.break_state.saved()
    }

    fn set_break_state(&mut self, state: [f64; 3]) {
        self.break_state.restore(state);
    }

    fn describe(&self, id: ContactId) -> String {
        Self::describe(self, id)
    }

    fn lost(&self, id: ContactId) -> String {
        let [i, j] = shapes_of(id.feature).map(|k| (self.solids.get(k), self.shape_names.get(k)));
        let over = |round: (Option<&Solid>, Option<&String>), block: (Option<&Solid>, Option<&String>)| {
            let (Form::Cylinder { .. }, Form::Box(_)) = (round.0?.form, block.0?.form) else { return None };
            Some(format!(
                "the cylinder \"{}\" passes an edge of the box \"{}\", where its gaps jump and events do not follow; make the box larger, \
                 put a half space in its place, end the motion before",
                round.1?, block.1?
            ))
        };
        match self.part(id) {
            Some(Part::Family(_)) => over(i, j).or_else(|| over(j, i)).unwrap_or_else(|| {
                "its shapes touch with other features, under other names; end the motion before".to_owned()
            }),
            _ => "its body has reached the end of a curve; lengthen the curve, end the motion before".to_owned(),
        }
    }

    fn reaches(&self, reaches: &mut [f64]) {
        for part in &self.parts {
            match part {
                Part::Element(element) => element.gap.reaches(reaches),
                Part::Family(family) => family.reaches(&self.solids, reaches),
            }
        }
    }

    fn width(&self, id: ContactId) -> f64 {
        match self.part(id) {
            Some(Part::Family(_)) => {
                let widths = shapes_of(id.feature).map(|k| self.solids.get(k).map_or(f64::INFINITY, Solid::width));
                widths[0].min(widths[1])
            }
            Some(Part::Element(element)) => element.gap.width(),
            None => f64::INFINITY,
        }
    }

    fn has_angles(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Element(element) => element.gap.is_angle(),
            Part::Family(_) => false,
        })
    }

    fn check_events(&self) -> Result<(), Error> {
        let jumping = self.parts.iter().find_map(|part| match part {
            Part::Family(family) => family.jumps(&self.solids).map(|found| (family, found)),
            Part::Element(_) => None,
        });
        jumping.map_or(Ok(()), |(family, (shapes, what))| {
            let shapes = shapes.map(|k| self.shape_names[k].clone());
            Err(Error::Unfollowed { pair: family.name.clone(), shapes, what })
        })
    }
}
