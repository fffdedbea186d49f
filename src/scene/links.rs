//! Bodies without shapes: links drawn from the places where others meet them, wheels and blocks from their inertia.

use super::build::{Builder, DARK, axes, axis_across};
use super::outline::{self, ROUND, V2};
use super::points::{Meeting, Place, distinct};
use super::{Carrier, Facets, Form, Group};
use fourbar_linalg::symmetric_eigen;
use fourbar_multibody::space::{FixedFrame, M3, V3};

/// Distance of places on one body that count as one, over the size of the whole.
const ONE: f64 = 0.004;
/// The largest block or wheel that stands for inertia, over the size of the whole.
const LARGEST: f64 = 0.3;

impl Builder<'_> {
    /// Draws the bodies that have no shape yet, and strings from joints to what touches far away from them.
    pub(super) fn add_links(&mut self) {
        self.add_strings();
        for body in (0..self.ground()).filter(|&body| !self.shaped[body]).collect::<Vec<_>>() {
            match self.normal {
                Some(normal) => self.add_flat_link(body, &normal),
                None => self.add_link(body),
            }
        }
    }

    /// Thin rods from the joints of a body to its centre of mass where its only shapes are balls that do not reach them, as those of pendulums.
    fn add_strings(&mut self) {
        for body in (0..self.ground()).filter(|&body| self.shaped[body]).collect::<Vec<_>>() {
            let balls = self.items.iter().filter_map(|item| match (&item.carrier, &item.form) {
                (Carrier::Body(frame), Form::Surface(facets)) if frame.body == body => {
                    Some(facets.sphere.map(|radius| (frame.origin(&self.poses), radius)))
                }
                _ => None,
            });
            let Some(balls) = balls.collect::<Option<Vec<_>>>().filter(|balls| !balls.is_empty()) else { continue };
            let centre = self.poses[body].x;
            let far = |p: &V3| balls.iter().all(|(middle, radius)| (p - middle).norm() > 1.01 * radius);
            let hinges = self.places[body].iter().filter(|place| place.meeting != Meeting::Slide);
            let ends = distinct(hinges.map(|place| place.frame.origin(&self.poses)).filter(far), ONE * self.length);
            for end in ends {
                let (way, radius) = (end - centre, 0.004 * self.length);
                let frame = self.fixed(body, centre, axes(&way, &axis_across(&way)));
                let frame = self.moved_by(&frame, self.normal.map_or(V3::zeros(), |n| n * self.lift(body)));
                let rod = Facets::unit_rod(radius).mapped(|p| V3::new(p.x, p.y, p.z * way.norm()));
                self.add_part(frame, rod);
            }
        }
    }

    /// A frame moved by a global vector, as seen at the start.
    fn moved_by(&self, frame: &FixedFrame, way: V3) -> FixedFrame {
        FixedFrame { r: frame.r + self.poses[frame.body].a.tr_mul(&way), ..*frame }
    }

    /// Moment of inertia about an axis through the centre of mass at the start, over the mass \[m^2\].
    pub(super) fn gyration(&self, body: usize, axis: &V3) -> f64 {
        let rigid = &self.mechanism.bodies()[body];
        let own = self.poses[body].a.tr_mul(axis);
        own.dot(&(rigid.inertia * own)) / rigid.mass
    }

    /// A plate in the plane of a planar mechanism: the convex hull of circles about the places.
    fn add_flat_link(&mut self, body: usize, normal: &V3) {
        let centre = self.poses[body].x;
        let frame_axes = axes(normal, &axis_across(normal));
        let flat = |p: &V3| {
            let p = frame_axes.tr_mul(&(p - centre));
            V2::new(p.x, p.y)
        };
        let places: Vec<Place> = self.places[body].clone();
        let height = places.iter().find(|place| place.meeting != Meeting::Point).or(places.first());
        let height = height.map_or(0.0, |place| (place.frame.origin(&self.poses) - centre).dot(normal));
        let at: Vec<V2> =
            distinct(places.iter().map(|p| p.frame.origin(&self.poses)), ONE * self.length).iter().map(flat).collect();
        let reach = self.reach(body, normal);
        let mut middles = at.clone();
        let mut ball = None;
        match &at[..] {
            [one] if one.norm() > 0.01 * self.length => {
                let (end, radius) = self.far_end(one.norm(), reach);
                middles.push(one - one.normalize() * end);
                ball = radius.map(|radius| (V2::zeros(), radius));
            }
            [] => ball = Some((V2::zeros(), (reach / 2.0).clamp(self.half_width(), LARGEST / 2.0 * self.length))),
            _ => {}
        }
        let slides: Vec<(V2, V2)> = places
            .iter()
            .filter(|place| place.meeting == Meeting::Slide)
            .map(|place| {
                let origin = place.frame.origin(&self.poses);
                (flat(&origin), flat(&(origin + place.frame.axis(&self.poses, 2))) - flat(&origin))
            })
            .collect();
        if at.len() == 1 && slides.is_empty() && middles.len() == 1 {
            let radius = self.wheel_radius(body, normal);
            return self.add_wheel(body, self.fixed(body, centre + normal * height, frame_axes), radius);
        }
        let widest = middles.iter().flat_map(|a| middles.iter().map(move |b| (a - b).norm())).fold(0.0, f64::max);
        let round = self.half_width().min(0.22 * widest).max(0.006 * self.length);
        let mut corners: Vec<V2> = middles.iter().flat_map(|m| outline::circle(*m, round, ROUND)).collect();
        for (middle, along) in &slides {
            let (along, across) =
                (along * 2.4 * self.half_width(), V2::new(-along.y, along.x) * 1.5 * self.half_width());
            corners.extend([along + across, along - across, across - along, -along - across].map(|c| middle + c));
        }
        if let Some((middle, radius)) = ball {
            let plate =
                Facets::prism(&outline::circle(middle, radius, ROUND), -self.thickness() / 2.0, self.thickness() / 2.0);
            self.add_plate(body, centre, height, &frame_axes, plate);
        }
        if !middles.is_empty() || !slides.is_empty() {
            let half = self.thickness() / 2.0;
            let plate = Facets::prism(&outline::hull(corners), -half, half);
            self.add_plate(body, centre, height, &frame_axes, plate);
        }
    }

    /// A plate of a link, at the height of its layer.
    fn add_plate(&mut self, body: usize, centre: V3, height: f64, axes: &M3, plate: Facets) {
        let origin = centre + axes.column(2) * (height + self.lift(body));
        self.add_part(self.fixed(body, origin, *axes), plate);
    }

    /// How long a rod is that has the inertia of a body across `axis` \[m\].
    fn reach(&self, body: usize, axis: &V3) -> f64 {
        (12.0 * self.gyration(body, axis)).sqrt()
    }

    /// How far a link leads from its only place through the centre of mass in the distance `out`, and the radius of what hangs there, if a
    /// rod does not have such an inertia.
    fn far_end(&self, out: f64, reach: f64) -> (f64, Option<f64>) {
        if reach > 0.8 * out {
            return (out + (reach / 2.0).min(1.1 * out), None);
        }
        // A ball of the same inertia.
        (out, Some((reach * (2.5_f64 / 12.0).sqrt()).clamp(0.015 * self.length, 0.06 * self.length)))
    }

    /// Radius of a wheel of that inertia about `axis` \[m\].
    pub(super) fn wheel_radius(&self, body: usize, axis: &V3) -> f64 {
        let radius = (2.0 * self.gyration(body, axis)).sqrt();
        radius.clamp(1.6 * self.half_width(), LARGEST * self.length)
    }

    /// A disc about z with a mark, so that it is seen to turn.
    fn add_wheel(&mut self, body: usize, frame: FixedFrame, radius: f64) {
        let (thick, lift) = (self.thickness(), self.lift(body));
        let frame = self.moved(&frame, lift);
        self.add_part(frame, Facets::cylinder(radius, thick));
        self.add_mark(body, &frame, radius, thick);
    }

    /// A dark spot near the rim of a wheel about z, on both of its faces.
    pub(super) fn add_mark(&mut self, body: usize, frame: &FixedFrame, radius: f64, thick: f64) {
        let spot = outline::circle(V2::new(0.72 * radius, 0.0), 0.1 * radius, ROUND / 2);
        let mark = Facets::prism(&spot, -0.52 * thick, 0.52 * thick);
        self.add(Group::Bodies, self.name(body), *frame, mark, DARK);
    }

    /// A frame moved along its z.
    pub(super) fn moved(&self, frame: &FixedFrame, way: f64) -> FixedFrame {
        FixedFrame { r: frame.r + frame.c.column(2) * way, ..*frame }
    }

    /// Rods from place to place, or a wheel, a block or a ball.
    fn add_link(&mut self, body: usize) {
        let centre = self.poses[body].x;
        let places = self.places[body].clone();
        let at = distinct(places.iter().map(|p| p.frame.origin(&self.poses)), ONE * self.length);
        match &at[..] {
            [one] if (one - centre).norm() > 0.01 * self.length => {
                let (out, towards) = ((centre - one).norm(), (centre - one).normalize());
                let across = axes(&towards, &axis_across(&towards)).column(0).into_owned();
                let (end, ball) = self.far_end(out, self.reach(body, &across));
                self.add_rod(body, *one, one + towards * end);
                if let Some(radius) = ball {
                    self.add_part(self.fixed(body, centre, M3::identity()), Facets::sphere(radius));
                }
            }
            [] | [_] => self.add_lump(body, &places),
            [one, two] => self.add_rod(body, *one, *two),
            several => {
                let hub = several.iter().find(|p| (*p - centre).norm() < ONE * self.length).copied().unwrap_or(centre);
                for place in several.iter().filter(|p| (*p - hub).norm() > 0.0) {
                    self.add_rod(body, hub, *place);
                }
            }
        }
    }

    fn add_rod(&mut self, body: usize, from: V3, to: V3) {
        let (way, length) = (to - from, (to - from).norm());
        if !(length > 0.0) {
            return;
        }
        let radius = (0.5 * self.half_width()).min(0.12 * length);
        let frame = self.fixed(body, (from + to) / 2.0, axes(&way, &axis_across(&way)));
        self.add_part(frame, Facets::capsule(radius, length));
    }

    /// What is all in one place: a wheel about its hinge, else the box of its inertia, a ball where all moments are alike and nothing slides.
    fn add_lump(&mut self, body: usize, places: &[Place]) {
        let slides = places.iter().find(|place| place.meeting == Meeting::Slide);
        if let Some(hinge) = places.iter().find(|place| place.meeting == Meeting::Hinge && slides.is_none()) {
            let (centre, z) = (self.poses[body].x, hinge.frame.axis(&self.poses, 2));
            let across = axes(&z, &axis_across(&z)).column(0).into_owned();
            let radius = (2.0 * self.gyration(body, &z)).sqrt().clamp(0.5 * self.half_width(), LARGEST * self.length);
            let square = 12.0 * self.gyration(body, &across) - 3.0 * radius * radius;
            let thick = square.max(0.0).sqrt().clamp(0.12 * radius, 2.0 * LARGEST * self.length);
            let frame = self.fixed(body, centre, hinge.frame.axes(&self.poses));
            self.add_part(frame, Facets::cylinder(radius, thick));
            return self.add_mark(body, &frame, radius, thick);
        }
        let rigid = &self.mechanism.bodies()[body];
        let principal = symmetric_eigen(&rigid.inertia);
        let [x, y, z] = [0, 1, 2].map(|k| principal.eigenvalues[k].max(0.0) / rigid.mass);
        let least = 1.2 * self.half_width();
        let side = |others: f64, own: f64| (6.0 * (others - own)).max(0.0).sqrt().clamp(least, LARGEST * self.length);
        let size = V3::new(side(y + z, x), side(x + z, y), side(x + y, z));
        let mut axes = principal.eigenvectors;
        if axes.determinant() < 0.0 {
            axes = -axes;
        }
        let alike = size.max() - size.min() < 1e-6 * size.max();
        if let Some(slide) = slides.filter(|_| alike) {
            axes = slide.frame.c;
        } else if alike {
            axes = M3::identity();
        }
        let facets = match alike && slides.is_none() {
            // The same inertia: 2/5 r^2 for 1/6 of the square of a side.
            true => Facets::sphere(size.x * (5.0_f64 / 12.0).sqrt()),
            false => Facets::cuboid(size),
        };
        self.add_part(FixedFrame { body, r: V3::zeros(), c: axes }, facets);
    }
}
