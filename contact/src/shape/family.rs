//! All pairs of two groups of shapes.

use super::boxes::{Block, box_box, box_half_space};
use super::broad::{Extent, Sweep};
use super::cylinder::{Cylinder, Flat, rubbing};
use super::cylinder_facets::cylinder_over;
use super::features::{Followed, features, is_followed};
use super::general::{General, corners_apart};
use super::polytopes::polytopes;
use super::rounded::{is_rounded, may_leave, rounded};
use super::seams::Seams;
use super::{Form, Placed, Point, Solid};
use crate::Error;
use crate::pair::nearest::Nearest;
use crate::unilateral::{ContactId, Surface, Unilateral};
use fourbar_multibody::space::{Pose, V3};

/// Most shapes of a model: their numbers go into the ids of contacts.
pub(crate) const MOST_SHAPES: usize = 1 << 20;
const FEATURE_BITS: u32 = 24;
/// The bits of a feature of two shapes.
const MASK: u32 = (1 << FEATURE_BITS) - 1;

/// Contacts followed feature by feature, where a detector does that.
#[derive(Debug, Clone, Default)]
pub(crate) struct Follow {
    /// Those to be found wherever they are, sorted.
    pub(crate) held: Vec<ContactId>,
    /// How far these were from leaving their regions when they were last found \[m\].
    pub(crate) regions: Vec<(ContactId, f64)>,
}

/// A group of shapes against another, or against itself.
#[derive(Clone)]
pub(crate) struct Family {
    pub(crate) name: String,
    pub(crate) pair: u32,
    pub(crate) surface: Surface,
    /// Shapes, in ascending order; those without bounds are apart.
    bounded: Vec<Member>,
    unbounded: Vec<Member>,
    /// Pairs of bodies that do not touch, sorted.
    apart: Vec<[usize; 2]>,
    /// Where shapes of one body are flush.
    seams: Seams,
    sweep: Sweep,
    extents: Vec<Extent>,
    near: Vec<[u32; 2]>,
    general: General,
    points: Vec<Point>,
    followed: Vec<Followed>,
    /// Those of a pair to be found wherever they are.
    held: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Member {
    solid: u32,
    body: usize,
    as_i: bool,
    as_j: bool,
}

/// The numbers of two shapes, of bodies I and J, in a feature.
fn of_shapes(i: usize, j: usize) -> u64 {
    (i as u64) << (FEATURE_BITS + 20) | (j as u64) << FEATURE_BITS
}

/// Whether a contact of a family, of the shapes `solids`, has a region that it may leave.
pub(crate) fn has_region(feature: u64, solids: [&Solid; 2]) -> bool {
    let are_boxes = solids.iter().all(|solid| matches!(solid.form, Form::Box(_)));
    are_boxes && is_followed((feature & u64::from(MASK)) as u32) || may_leave(solids)
}

/// The numbers of the two shapes of a contact: those of bodies I and J.
pub(crate) fn shapes_of(feature: u64) -> [usize; 2] {
    let mask = MOST_SHAPES as u64 - 1;
    [(feature >> (FEATURE_BITS + 20) & mask) as usize, (feature >> FEATURE_BITS & mask) as usize]
}

impl Family {
    /// Raises how far each body reaches from its centre of mass \[m\] to the bounded shapes on it.
    pub(crate) fn reaches(&self, solids: &[Solid], reaches: &mut [f64]) {
        for member in &self.bounded {
            let solid = &solids[member.solid as usize];
            if let Some(reach) = reaches.get_mut(member.body) {
                *reach = reach.max((solid.frame.r + solid.frame.c * solid.middle).norm() + solid.half.norm());
            }
        }
    }

    /// Shapes `i` against shapes `j` (indices of `solids`), but for pairs of bodies in `apart`.
    pub(crate) fn new(
        name: &str,
        pair: u32,
        surface: Surface,
        solids: &[Solid],
        [i, j]: [&[u32]; 2],
        mut apart: Vec<[usize; 2]>,
    ) -> Self {
        apart.sort_unstable();
        let member = |solid: u32| Member {
            solid,
            body: solids[solid as usize].frame.body,
            as_i: i.contains(&solid),
            as_j: j.contains(&solid),
        };
        let all = (0..solids.len() as u32).map(member).filter(|m| m.as_i || m.as_j);
        let (unbounded, bounded) = all.partition(|m: &Member| solids[m.solid as usize].form == Form::HalfSpace);
        Self {
            name: name.to_owned(),
            pair,
            surface,
            bounded,
            unbounded,
            apart,
            seams: Seams::new([i, j], solids),
            sweep: Sweep::default(),
            extents: Vec::new(),
            near: Vec::new(),
            general: General::default(),
            points: Vec::new(),
            followed: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Whether shapes `a` and `b` may touch.
    pub(crate) fn holds(&self, a: usize, b: usize) -> bool {
        let find =
            |members: &[Member], k| members.binary_search_by_key(&k, |m| m.solid as usize).ok().map(|at| members[at]);
        let member = |k| find(&self.bounded, k).or_else(|| find(&self.unbounded, k));
        member(a).zip(member(b)).is_some_and(|(a, b)| roles(&a, &b, &self.apart).is_some())
    }

    /// Shapes that may touch and whose gaps jump from feature to feature, so that events cannot follow them, and what they are.
    pub(crate) fn jumps(&self, solids: &[Solid]) -> Option<([usize; 2], &'static str)> {
        let all = || self.bounded.iter().chain(&self.unbounded);
        all().find_map(|a| {
            let form = |m: &Member| solids[m.solid as usize].form;
            let what = match form(a) {
                Form::Mesh => "a mesh on anything but a half space",
                Form::Cylinder { .. } => "a cylinder on anything but boxes and half spaces",
                _ => return None,
            };
            let flat = |b: &Member| match form(b) {
                Form::HalfSpace => true,
                Form::Box(_) => form(a) != Form::Mesh,
                _ => false,
            };
            let other = all().find(|b| b.solid != a.solid && !flat(b) && roles(a, b, &self.apart).is_some())?;
            Some(([a.solid as usize, other.solid as usize], what))
        })
    }

    /// Adds the contacts with a gap of at most `margin`.
    pub(crate) fn find(
        &mut self,
        time: f64,
        solids: &[Solid],
        placed: &[Placed],
        poses: &[Pose],
        margin: f64,
        mut follow: Option<&mut Follow>,
        found: &mut Vec<Unilateral>,
    ) -> Result<(), Error> {
        self.sweep(solids, placed, margin, follow.is_some());
        for at in 0..self.near.len() {
            let [i, j] = self.near[at].map(|k| k as usize);
            self.points.clear();
            let are_boxes = [i, j].iter().all(|k| matches!(solids[*k].form, Form::Box(_)));
            let is_rounded = is_rounded([&solids[i], &solids[j]]);
            if is_rounded || are_boxes && follow.is_some() {
                self.follow([i, j], solids, placed, poses, margin, follow.as_deref_mut(), found);
                continue;
            }
            // Followed by events, hulls keep the names that parry gives.
            let have_facets = [i, j].iter().all(|k| solids[*k].facets.is_some()) && !are_boxes;
            let are_meshes = [i, j].iter().all(|k| solids[*k].form == Form::Mesh);
            let (pair, at) = ([&solids[i], &solids[j]], [&placed[i], &placed[j]]);
            let is_found =
                follow.is_none() && have_facets && !are_meshes && polytopes(pair, at, margin, &mut self.points);
            if !is_found && !narrow(pair, at, margin, &mut self.general, &mut self.points) {
                let reason =
                    "its shapes do not go together; use boxes, spheres, hulls or cylinders against a mesh".to_owned();
                return Err(Error::Gap { pair: self.name.clone(), time, reason });
            }
            let bodies = [solids[i].frame.body, solids[j].frame.body];
            let of_shapes = of_shapes(i, j);
            for point in &self.points {
                if self.seams.hide(point, [i, j], solids, placed) {
                    continue;
                }
                let id = ContactId { pair: self.pair, feature: of_shapes | u64::from(point.feature) };
                let nearest = Nearest::new(&point.i, &point.j, &point.n, poses);
                if nearest.gap <= margin {
                    let mut contact = nearest.contact(id, bodies, self.surface, &point.hint, poses);
                    let round = [i, j].into_iter().find(|k| matches!(solids[*k].form, Form::Cylinder { .. }));
                    if let Some(rubs) = round.and_then(|k| rubbing(&nearest, point, &placed[k], poses)) {
                        let rubbed = rubs.contact(id, bodies, self.surface, &point.hint, poses);
                        contact.rows[1..3].copy_from_slice(&rubbed.rows[1..3]);
                    }
                    found.push(contact);
                }
            }
        }
        Ok(())
    }

    /// Adds the contacts of two shapes feature by feature, sorted by id.
    fn follow(
        &mut self,
        [i, j]: [usize; 2],
        solids: &[Solid],
        placed: &[Placed],
        poses: &[Pose],
        margin: f64,
        mut follow: Option<&mut Follow>,
        found: &mut Vec<Unilateral>,
    ) {
        let pair = self.pair;
        let id = |feature: u32| ContactId { pair, feature: of_shapes(i, j) | u64::from(feature) };
        self.followed.clear();
        self.held.clear();
        if let Some(follow) = &follow {
            let [from, to] = [0, MASK].map(id);
            let first = follow.held.partition_point(|held| *held < from);
            let own = follow.held[first..].iter().take_while(|held| **held <= to);
            self.held.extend(own.map(|held| (held.feature & u64::from(MASK)) as u32));
        }
        let at = [&placed[i], &placed[j]];
        if let (Form::Box(half_i), Form::Box(half_j)) = (solids[i].form, solids[j].form) {
            let block = |k: usize, half| Block { at: at[k], half };
            features(block(0, half_i), block(1, half_j), margin, &self.held, &mut self.followed);
        } else {
            rounded([&solids[i], &solids[j]], at, margin, &self.held, &mut self.followed);
        }
        self.followed.sort_unstable_by_key(|f| f.point.feature);
        let bodies = [solids[i].frame.body, solids[j].frame.body];
        for Followed { point, region } in &self.followed {
            let is_held = self.held.binary_search(&point.feature).is_ok();
            if !is_held && self.seams.hide(point, [i, j], solids, placed) {
                continue;
            }
            let id = id(point.feature);
            let nearest = Nearest::new(&point.i, &point.j, &point.n, poses);
            found.push(nearest.contact(id, bodies, self.surface, &point.hint, poses));
            if let Some(follow) = follow.as_deref_mut().filter(|_| is_held) {
                follow.regions.push((id, *region));
            }
        }
    }

    /// Whether some of its pairs are followed feature by feature.
    pub(crate) fn follows(&self, solids: &[Solid]) -> bool {
        let count = |is: fn(&Form) -> bool| self.bounded.iter().filter(|m| is(&solids[m.solid as usize].form)).count();
        let capsules = count(|form| matches!(form, Form::Capsule { .. }));
        count(|form| matches!(form, Form::Box(_))) > 1 || capsules > 0 && self.bounded.len() > 1
    }

    /// Fills `near` with the pairs (I, J) of shapes whose boxes come within `margin`, in order. Half spaces are on J whatever the order of the entries, but
    /// where events follow contacts, whose modes keep the directions that the model gives.
    fn sweep(&mut self, solids: &[Solid], placed: &[Placed], margin: f64, are_followed: bool) {
        let Self { bounded, unbounded, extents, near, apart, sweep, .. } = self;
        near.clear();
        extents.clear();
        let place = |m: &Member| (&solids[m.solid as usize], &placed[m.solid as usize]);
        extents.extend(bounded.iter().map(|m| {
            let (solid, at) = place(m);
            Extent::new(solid, at, 0.5 * margin)
        }));
        sweep.pairs(extents, |a, b| near.extend(roles(&bounded[a as usize], &bounded[b as usize], apart)));
        for space in unbounded.iter() {
            let (_, under) = place(space);
            let n: V3 = under.a.column(2).into();
            for member in bounded.iter() {
                let (solid, at) = place(member);
                let middle = at.x + at.a * solid.middle;
                let reach = at.a.tr_mul(&n).abs().dot(&solid.half);
                if n.dot(&(middle - under.x)) - reach <= margin {
                    let drawn = if member.solid < space.solid { [member, space] } else { [space, member] };
                    let roles = roles(drawn[0], drawn[1], apart);
                    near.extend(roles.map(|own| if are_followed { own } else { [member.solid, space.solid] }));
                }
            }
        }
        near.sort_unstable();
    }
}

/// Which of two shapes is on I and which on J, the first on I if both can be; none if they do not touch.
fn roles(a: &Member, b: &Member, apart: &[[usize; 2]]) -> Option<[u32; 2]> {
    if a.body == b.body || apart.binary_search(&[a.body.min(b.body), a.body.max(b.body)]).is_ok() {
        return None;
    }
    match (a.as_i && b.as_j, b.as_i && a.as_j) {
        (true, _) => Some([a.solid, b.solid]),
        (false, true) => Some([b.solid, a.solid]),
        (false, false) => None,
    }
}

/// Points of one pair of shapes. False if nothing is known of such a pair.
fn narrow(solids: [&Solid; 2], placed: [&Placed; 2], margin: f64, general: &mut General, out: &mut Vec<Point>) -> bool {
    let block = |k: usize, half| Block { at: placed[k], half };
    for k in [0, 1] {
        let Form::Cylinder { half, radius } = solids[k].form else { continue };
        let cylinder = Cylinder { at: placed[k], half, radius };
        let flat = match solids[1 - k].form {
            Form::HalfSpace => Some(Flat::of_half_space(placed[1 - k])),
            Form::Box(half) => cylinder.face_under(placed[1 - k], &half),
            _ => None,
        };
        if let Some(flat) = flat {
            cylinder.over(&flat, k == 0, margin, out);
            return true;
        }
        if solids[1 - k].facets.is_some() {
            cylinder_over(cylinder, solids[1 - k], placed, k, margin, out);
            return true;
        }
    }
    match (solids[0].form, solids[1].form) {
        (Form::Box(i), Form::Box(j)) => {
            box_box(block(0, i), block(1, j), margin, out)
                || corners_apart([&i, &j], placed, margin, out)
                || general.points(solids, placed, margin, out)
        }
        (Form::Box(half), Form::HalfSpace) => {
            box_half_space(block(0, half), placed[1], true, margin, out);
            true
        }
        (Form::HalfSpace, Form::Box(half)) => {
            box_half_space(block(1, half), placed[0], false, margin, out);
            true
        }
        _ => general.points(solids, placed, margin, out),
    }
}
