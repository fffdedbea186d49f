//! Signs of joints, of what acts between two points, and of forces and reactions.

use super::build::{Builder, Built, DARK, SPRING};
use super::following::Way;
use super::item::arrow_color;
use super::outline::{self, V2};
use super::points::{self, at};
use super::{Carrier, Facets, Form, Group, Item, SpanPart};
use fourbar_contact::model::ContactKind;
use fourbar_multibody::force::{ElementLoad, Loads};
use fourbar_multibody::mechanism::{ConstraintSet, Relation};
use fourbar_multibody::model::{ActuatorKind, Force, JointKind};
use fourbar_multibody::space::{FixedFrame, M3, V3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Straight pieces of a torsion spring.
const STEPS: usize = 36;

impl Builder<'_> {
    pub(super) fn add_signs(&mut self) -> Built {
        for set in self.mechanism.constraint_sets() {
            match (set.joint, set.relation) {
                (Some(kind), _) => self.add_joint(set, kind),
                (None, Some(Relation::PointOnCurve)) => self.add_bead(set),
                _ => {}
            }
        }
        self.add_springs()?;
        self.add_arrows();
        Ok(())
    }

    fn sign(&mut self, set: &ConstraintSet, frame: FixedFrame, facets: Facets) {
        self.add(Group::Joints, &set.name, frame, facets, DARK);
    }

    /// Size of a joint's sign: less than the smaller of the links that it binds is wide.
    fn sign_radius(&self) -> f64 {
        0.45 * self.half_width()
    }

    fn add_joint(&mut self, set: &ConstraintSet, kind: JointKind) {
        use JointKind as K;
        let r = self.sign_radius().min(0.35 * self.room(set));
        let on_i = FixedFrame { c: set.i.c, ..set.i };
        match kind {
            K::Revolute | K::Screw | K::Cylindrical => {
                let reach = if kind == K::Revolute { 1.0 } else { 2.0 };
                let (low, high) = self.pin(set, reach, r);
                let facing = self.normal.map_or(1.0, |n| n.dot(&set.i.axis(&self.poses, 2)).signum());
                let frame = self.moved(&on_i, facing * (low + high) / 2.0);
                self.sign(set, frame, Facets::cylinder(r, high - low));
            }
            K::Spherical | K::Inline => self.sign(set, self.between(set), Facets::sphere(self.ball(set, r))),
            K::Universal | K::Hooke | K::ConstantVelocity => {
                let bar = Facets::cylinder(0.6 * r, 5.0 * r);
                self.sign(set, on_i, bar.clone());
                self.sign(set, FixedFrame { c: set.j.c, ..set.j }, bar);
            }
            K::Prismatic if set.j.body == self.ground() => self.add_guide(set, r),
            K::Fixed => self.sign(set, self.lifted(&on_i), Facets::cuboid(V3::repeat(1.6 * r))),
            K::Planar => self.sign(set, on_i, Facets::cuboid(V3::new(5.0 * r, 5.0 * r, 0.3 * r))),
            K::Distance => {
                let ends = [self.lifted(&set.i), self.lifted(&set.j)];
                self.add_span(&set.name, ends, SpanPart::Stretched, Facets::unit_rod(0.5 * r));
            }
            _ => {}
        }
    }

    /// A ball at a point that stays on a curve.
    fn add_bead(&mut self, set: &ConstraintSet) {
        self.sign(set, self.between(set), Facets::sphere(1.2 * self.sign_radius()));
    }

    /// How far the places on the bodies of a joint are apart, at least \[m\].
    fn room(&self, set: &ConstraintSet) -> f64 {
        let of = |frame: &FixedFrame| {
            let origin = frame.origin(&self.poses);
            let distances =
                self.places[frame.body].iter().map(|place| (place.frame.origin(&self.poses) - origin).norm());
            distances.filter(|d| *d > 0.004 * self.length).fold(f64::INFINITY, f64::min)
        };
        of(&set.i).min(of(&set.j))
    }

    /// From where to where a pin along z of I reaches: through both bodies where the mechanism is planar, and beyond them by a part of the thickness of a
    /// link.
    fn pin(&self, set: &ConstraintSet, reach: f64, r: f64) -> (f64, f64) {
        if self.normal.is_none() {
            return (-3.0 * reach * r, 3.0 * reach * r);
        }
        let at = set.i.origin(&self.poses);
        let [i, j] = [set.i.body, set.j.body].map(|body| self.depth(body, &at));
        let beyond = (0.62 * reach - 0.5) * self.thickness();
        (i[0].min(j[0]) - beyond, i[1].max(j[1]) + beyond)
    }

    /// Radius of a ball about marker I: it stands out of links with shapes that are no thicker than joints are drawn.
    fn ball(&self, set: &ConstraintSet, r: f64) -> f64 {
        let at = set.i.origin(&self.poses);
        let own = [set.i.body, set.j.body].into_iter().filter(|&body| self.is_own[body]);
        let depths = own.filter_map(|body| self.own_depth(body, &at)).map(|[low, high]| (high - low) / 2.0);
        (1.2 * depths.fold(0.0, f64::max)).clamp(1.2 * r, 2.4 * r)
    }

    /// Marker I, halfway between its bodies: from the side a ball in one of them would float beside the other.
    fn between(&self, set: &ConstraintSet) -> FixedFrame {
        let own = FixedFrame { c: set.i.c, ..set.i };
        let at = own.origin(&self.poses);
        let height =
            [set.i.body, set.j.body].map(|body| self.depth(body, &at).iter().sum::<f64>()).iter().sum::<f64>() / 4.0;
        self.normal
            .map_or(own, |normal| FixedFrame { r: own.r + self.poses[own.body].a.tr_mul(&normal) * height, ..own })
    }

    pub(super) fn lifted(&self, frame: &FixedFrame) -> FixedFrame {
        match self.normal {
            Some(normal) => {
                let way = self.poses[frame.body].a.tr_mul(&normal) * self.lift(frame.body);
                FixedFrame { r: frame.r + way, ..*frame }
            }
            None => *frame,
        }
    }

    /// A rail along z of J, behind what slides on it.
    fn add_guide(&mut self, set: &ConstraintSet, r: f64) {
        let z = set.j.axis(&self.poses, 2);
        let origin = set.j.origin(&self.poses);
        let way = z.dot(&(set.i.origin(&self.poses) - origin));
        let middle = origin + z * way;
        let x = self.normal.unwrap_or_else(|| set.j.axis(&self.poses, 0));
        let mut frame = self.fixed(set.j.body, middle, super::build::axes(&z, &x));
        if self.normal.is_some() {
            // z of the frame lies in the plane, and x across it.
            let back = self.own_depth(set.i.body, &middle).map_or(0.0, |[low, _]| low - 0.65 * self.thickness());
            frame.r += frame.c.column(0) * back;
        }
        let thick = if self.normal.is_some() { 0.5 * self.thickness() } else { 1.2 * r };
        self.sign(set, frame, Facets::cuboid(V3::new(thick, 1.2 * r, 0.32 * self.length)));
        self.follow(Way::Rail, vec![FixedFrame { c: set.i.c, ..set.i }]);
    }

    fn add_springs(&mut self) -> Built {
        let thin = 0.006 * self.length;
        for force in &self.model.model.forces {
            let name = force.name();
            if let Some([i, j]) = points::ends(force) {
                let place = at("force", name);
                let (i, j) = (self.names.marker(i, &place)?, self.names.marker(j, &place)?);
                let ends = [self.lifted(&i), self.lifted(&j)];
                match force {
                    Force::SpringDamper(_) => {
                        let distance = (i.origin(&self.poses) - j.origin(&self.poses)).norm();
                        let facets = Facets::spring(0.024 * self.length, 0.0042 * self.length, distance);
                        self.add_span(name, ends, SpanPart::Stretched, facets);
                    }
                    Force::Beam(_) => {
                        let beam = Facets::cuboid(V3::new(3.0 * thin, 3.0 * thin, 1.0)).mapped(|p| p + V3::z() * 0.5);
                        self.add_span(name, ends, SpanPart::Stretched, beam);
                    }
                    Force::LineForce(_) => self.add_cylinder(name, ends),
                    _ => self.add(Group::Springs, name, j, Facets::pipe(5.0 * thin, 2.5 * thin, 6.0 * thin), SPRING),
                }
            }
            if let Force::TorsionSpringDamper(spring) = force {
                let frame = self.names.marker(&spring.j, &at("force", name))?;
                let facing = self.normal.map_or(1.0, |n| n.dot(&frame.axis(&self.poses, 2)).signum());
                let most = self.layers.iter().max().copied().unwrap_or(0) as f64 * 1.15 * self.thickness();
                let frame = self.moved(&frame, facing * (most + self.thickness()));
                self.add(Group::Springs, name, frame, spiral(0.034 * self.length, 0.6 * thin), SPRING);
            }
        }
        for actuator in self.model.model.actuators.iter().filter(|a| a.kind == ActuatorKind::Force) {
            let place = at("actuator", &actuator.name);
            let (i, j) = (self.names.marker(&actuator.i, &place)?, self.names.marker(&actuator.j, &place)?);
            self.add_cylinder(&actuator.name, [self.lifted(&j), self.lifted(&i)]);
        }
        for contact in &self.model.contacts.contacts {
            if let ContactKind::Rope(rope) = &contact.kind {
                let place = at("contact", &contact.name);
                let (i, j) = (self.names.marker(&rope.i, &place)?, self.names.marker(&rope.j, &place)?);
                self.add_span(&contact.name, [i, j], SpanPart::Stretched, Facets::unit_rod(0.5 * thin));
            }
        }
        Ok(())
    }

    /// A barrel at the first end, and a rod that comes out of it from the other one.
    fn add_cylinder(&mut self, name: &str, ends: [FixedFrame; 2]) {
        let [i, j] = &ends;
        let distance = (i.origin(&self.poses) - j.origin(&self.poses)).norm();
        if !(distance > 0.0) {
            return;
        }
        let radius = (0.02 * self.length).min(0.06 * distance);
        let long = |part: f64| move |p: &V3| p + V3::z() * (part * distance / 2.0);
        let barrel = Facets::cylinder(radius, 0.58 * distance).mapped(long(0.58));
        let rod = Facets::cylinder(0.5 * radius, 0.6 * distance).mapped(long(0.6));
        self.add_span(name, ends, SpanPart::AtFirst, barrel);
        self.add_span(name, ends, SpanPart::AtSecond, rod);
    }

    fn add_arrows(&mut self) {
        let mut arrow = |name: &str, group, carrier, torque: bool| {
            let form = Form::surface(Facets::arrow(if torque { 2 } else { 1 }));
            let name = format!("{name} {}", if torque { "torque" } else { "force" });
            let color = arrow_color(group, torque);
            self.items.push(Item { name, group, carrier, form, color, is_painted: false });
        };
        let mut elements: Vec<ElementLoad> = Vec::new();
        let state = self.mechanism.start();
        // Where one cannot be evaluated at the start there is no frame of it either.
        let known = Loads::new(self.mechanism).elements(self.mechanism, state, &self.poses, &mut elements).is_ok();
        for (element, load) in elements.iter().enumerate().filter(|_| known) {
            arrow(&load.name, Group::Forces, Carrier::Force { element, torque: load.is_torque }, load.is_torque);
        }
        // What holds a flexible body together is within it.
        let sets = self.mechanism.constraint_sets().iter().enumerate();
        for (set, owner) in sets.filter(|(_, set)| !set.is_within_flexible()) {
            for torque in [false, true] {
                let carrier = Carrier::Reaction { set, at: owner.i, torque };
                arrow(&owner.name, Group::Reactions, carrier, torque);
            }
        }
    }
}

/// A flat spiral of one and a half turns about z.
fn spiral(radius: f64, wire: f64) -> Facets {
    let at = |k: usize, out: f64| {
        let s = k as f64 / STEPS as f64;
        let angle = 1.5 * TAU * s + FRAC_PI_2;
        V2::new(angle.cos(), angle.sin()) * (radius * (0.35 + 0.65 * s) + out)
    };
    let mut facets = Facets::default();
    for k in 0..STEPS {
        let piece = [at(k, -wire), at(k, wire), at(k + 1, wire), at(k + 1, -wire)];
        facets = facets.joined(Facets::prism(&outline::hull(piece.to_vec()), -wire, wire));
    }
    facets
}

/// Axes of a frame as three lines.
pub(super) fn triad(length: f64) -> [(Form, [u8; 3]); 3] {
    let colors = [[200, 60, 60], [60, 150, 60], [60, 90, 200]];
    let line = |k: usize| Form::Lines(std::sync::Arc::new(vec![[V3::zeros(), M3::identity().column(k) * length]]));
    [0, 1, 2].map(|k| (line(k), colors[k]))
}
