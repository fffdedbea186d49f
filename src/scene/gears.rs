//! Gears with their teeth, racks' pinions, and what rolls.

use super::Facets;
use super::build::{Builder, Built, SAME, axes};
use super::outline::{self, V2};
use super::points::at;
use fourbar_multibody::ModelError;
use fourbar_multibody::mechanism::ConstraintSet;
use fourbar_multibody::model::RollingShape;
use fourbar_multibody::space::{FixedFrame, M3, V3};

/// Teeth of the smallest gear; those of the others follow from their radii. They are signs: their number is not that of the model.
const TEETH: f64 = 16.0;
/// Width of a gear over its pitch radius.
const WIDE: f64 = 0.25;
/// How far a bevel gear goes towards the apex.
const BEVEL: f64 = 0.72;

impl Builder<'_> {
    pub(super) fn add_gears(&mut self) -> Built {
        self.smallest_gear = self.smallest_gear()?;
        for gear in &self.model.model.gears {
            let pitch = self.names.marker(&gear.common_velocity, &at("gear", &gear.name))?;
            let point = pitch.origin(&self.poses);
            let sets: Vec<ConstraintSet> = gear.joints.iter().filter_map(|name| self.joint(name)).cloned().collect();
            let [first, second] = &sets[..] else { continue };
            self.add_gear([first, second], pitch.body, point, 0.0);
            self.add_gear([second, first], pitch.body, point, 0.5);
        }
        for rack in &self.model.model.racks {
            let radius = self.names.number(&rack.pitch_radius, &at("rack_and_pinion", &rack.name))?.abs();
            if let Some(pinion) = self.joint(&rack.pinion).cloned() {
                let body = if pinion.i.body == self.ground() { pinion.j.body } else { pinion.i.body };
                let frame = self.fixed(body, pinion.j.origin(&self.poses), pinion.j.axes(&self.poses));
                self.add_toothed(frame, radius);
            }
        }
        self.add_rolling()
    }

    /// The smallest pitch radius \[m\].
    fn smallest_gear(&self) -> Result<f64, Box<ModelError>> {
        let mut smallest = f64::INFINITY;
        for gear in &self.model.model.gears {
            let point = self.names.marker(&gear.common_velocity, &at("gear", &gear.name))?.origin(&self.poses);
            for set in gear.joints.iter().filter_map(|name| self.joint(name)) {
                let radius = set.j.axis(&self.poses, 2).cross(&(point - set.j.origin(&self.poses))).norm();
                smallest = if radius > 0.0 { smallest.min(radius) } else { smallest };
            }
        }
        for rack in &self.model.model.racks {
            let radius = self.names.number(&rack.pitch_radius, &at("rack_and_pinion", &rack.name))?;
            smallest = smallest.min(radius.abs());
        }
        Ok(smallest)
    }

    fn joint(&self, name: &str) -> Option<&ConstraintSet> {
        self.mechanism.constraint_sets().iter().find(|set| set.name == name)
    }

    /// The gear of a joint with the carrier, which meets that of the other joint at `point`, turned by a part of a tooth.
    fn add_gear(&mut self, [own, other]: [&ConstraintSet; 2], carrier: usize, point: V3, turn: f64) {
        let body = if own.i.body == carrier { own.j.body } else { own.i.body };
        let (origin, z) = (own.j.origin(&self.poses), own.j.axis(&self.poses, 2));
        let (other_origin, other_z) = (other.j.origin(&self.poses), other.j.axis(&self.poses, 2));
        let along = z * z.dot(&(point - origin));
        let out = point - origin - along;
        let other_out = point - other_origin - other_z * other_z.dot(&(point - other_origin));
        let (radius, other_radius) = (out.norm(), other_out.norm());
        if !(radius > 0.0) {
            return;
        }
        let angle = std::f64::consts::TAU * turn / self.teeth(radius) as f64;
        let turned = nalgebra::Rotation3::from_scaled_axis(z.normalize() * angle) * out;
        let frame = self.fixed(body, origin + along, axes(&z, &turned));
        if z.cross(&other_z).norm() > SAME {
            return self.add_bevel(frame, radius, other_radius, &z, &other_out);
        }
        // Both centres on one side of the pitch point: the larger one has its teeth inside.
        if out.dot(&other_out) > 0.0 && radius > other_radius {
            return self.add_annulus(frame, radius);
        }
        self.add_toothed(frame, radius);
    }

    fn teeth(&self, radius: f64) -> usize {
        ((TEETH * radius / self.smallest_gear).round() as usize).clamp(TEETH as usize, 120)
    }

    /// A spur gear about z, once for each place.
    fn add_toothed(&mut self, frame: FixedFrame, radius: f64) {
        if self.is_taken(&frame) {
            return;
        }
        let thick = if self.normal.is_some() { self.thickness() } else { WIDE * radius };
        let frame = self.moved(&frame, self.lift(frame.body));
        let wheel = outline::teeth(radius, self.teeth(radius));
        self.add_part(frame, Facets::prism(&wheel, -thick / 2.0, thick / 2.0));
        self.shaped[frame.body] = true;
        self.add_mark(frame.body, &frame, radius, thick);
    }

    /// A ring with its teeth inside.
    fn add_annulus(&mut self, frame: FixedFrame, radius: f64) {
        let inner = outline::teeth(radius, self.teeth(radius));
        let outer: Vec<V2> = inner.iter().map(|p| p.normalize() * 1.18 * radius).collect();
        let thick = if self.normal.is_some() { self.thickness() } else { WIDE * radius };
        // As high as the gear that meets it.
        let lift = self.normal.map_or(0.0, |_| self.lift(frame.body) + 1.15 * self.thickness());
        let frame = self.moved(&frame, lift);
        self.add_part(frame, Facets::ring(&outer, &inner, -thick / 2.0, thick / 2.0));
        if frame.body != self.ground() {
            self.shaped[frame.body] = true;
        }
    }

    /// A bevel gear: teeth on a cone that narrows towards where the axes meet.
    fn add_bevel(&mut self, frame: FixedFrame, radius: f64, other_radius: f64, z: &V3, other_out: &V3) {
        if self.is_taken(&frame) {
            return;
        }
        // From the pitch circle to the apex lies the radius of the other gear.
        let side = -z.dot(other_out).signum();
        let height = (1.0 - BEVEL) * other_radius;
        let wheel = outline::teeth(radius, self.teeth(radius));
        let cone = Facets::loft(&wheel, (0.0, 1.0), (height, BEVEL));
        let turned = if side < 0.0 { M3::from_diagonal(&V3::new(1.0, -1.0, -1.0)) } else { M3::identity() };
        let frame = FixedFrame { c: frame.c * turned, ..frame };
        self.add_part(frame, cone);
        // The body keeps what else it looks like: a wheel, say.
        let body = frame.body;
        self.shaped[body] |= self.gyration_radius(body, z) < 1.5 * radius;
    }

    fn gyration_radius(&self, body: usize, axis: &V3) -> f64 {
        if body == self.ground() { 0.0 } else { (2.0 * self.gyration(body, axis)).sqrt() }
    }

    /// Whether a gear stands there already, of an earlier mesh.
    fn is_taken(&self, frame: &FixedFrame) -> bool {
        let origin = frame.origin(&self.poses);
        self.items.iter().any(|item| match &item.carrier {
            super::Carrier::Body(other) => {
                other.body == frame.body
                    && (other.origin(&self.poses) - origin - self.raised(other.body)).norm() < 1e-6 * self.length
            }
            _ => false,
        })
    }

    fn raised(&self, body: usize) -> V3 {
        self.normal.map_or(V3::zeros(), |normal| normal * self.lift(body))
    }

    fn add_rolling(&mut self) -> Result<(), Box<ModelError>> {
        for rolling in &self.model.model.rolling {
            let place = at("rolling", &rolling.name);
            let frame = self.names.marker(&rolling.i, &place)?;
            let radius = self.names.number(&rolling.radius, &place)?;
            if self.shaped[frame.body] {
                continue;
            }
            match rolling.shape {
                RollingShape::Sphere => self.add_part(frame, Facets::sphere(radius)),
                RollingShape::Disc => {
                    let thick = 0.08 * radius;
                    self.add_part(frame, Facets::cylinder(radius, thick));
                    self.add_mark(frame.body, &frame, radius, thick);
                }
            }
            self.shaped[frame.body] = true;
        }
        Ok(())
    }
}
