//! Shapes that a model gives its bodies: displays, else solids and contact shapes.

use super::build::{Builder, Built, DARK};
use super::outline::V2;
use super::points::at;
use super::{Carrier, Facets, Form, Group, Item, SpanPart};
use crate::mechanism::{Display, DisplayForm};
use fourbar_multibody::space::{FixedFrame, V3};
use fourbar_multibody::{BodySolid, ModelError, SolidForm, body_solids};
use nalgebra::Vector2;

impl Builder<'_> {
    /// Adds the shapes of bodies, and says which have displays.
    pub(super) fn add_shapes(&mut self) -> Result<Vec<bool>, Box<ModelError>> {
        self.add_displays()?;
        let displayed = self.shaped.clone();
        self.add_solids(&displayed)?;
        self.add_contact_shapes(&displayed)?;
        Ok(displayed)
    }

    fn add_displays(&mut self) -> Built {
        for (index, display) in self.model.displays.iter().enumerate() {
            let frame = self.names.marker(&display.on, &at("display", &display.name))?;
            let painted = display.rgb(index)?;
            let color = painted.unwrap_or_else(|| self.color(frame.body));
            let (name, group) = (display.name.as_str(), self.group(frame.body));
            let form = display.form(self.names, index)?;
            // A line between two markers at one place shows nothing: the body is drawn as without it.
            let is_seen = !matches!(form, DisplayForm::Line { .. }) || self.line_ends(display, frame)?.1 > 0.0;
            if is_seen && frame.body != self.ground() {
                self.shaped[frame.body] = true;
            }
            let facets = match form {
                DisplayForm::Box(size) => Facets::cuboid(V3::from(size)),
                DisplayForm::Cylinder { radius, length } => Facets::cylinder(radius, length),
                DisplayForm::Sphere(radius) => Facets::sphere(radius),
                DisplayForm::Capsule { radius, length } => Facets::capsule(radius, length),
                DisplayForm::Plane([x, y]) => Facets::rectangle(x, y),
                DisplayForm::Mesh(mesh, scale) => {
                    let vertices = mesh.vertices.iter().map(|v| V3::from(*v) * scale);
                    Facets::triangles(vertices, &mesh.triangles)
                }
                DisplayForm::Line { radius } => {
                    let (j, distance) = self.line_ends(display, frame)?;
                    let radius = radius.unwrap_or(0.015 * distance);
                    if radius > 0.0 {
                        self.add_line(name, [frame, j], radius, color, painted.is_some());
                    }
                    continue;
                }
            };
            self.add(group, name, frame, facets, color);
            self.paint(painted.is_some());
        }
        Ok(())
    }

    /// The second end of a line that begins at `i`, and its distance at the start \[m\].
    fn line_ends(&self, display: &Display, i: FixedFrame) -> Result<(FixedFrame, f64), Box<ModelError>> {
        let to = display.to.as_ref().unwrap_or(&display.on);
        let j = self.names.marker(to, &at("display", &display.name))?;
        Ok((j, (i.origin(&self.poses) - j.origin(&self.poses)).norm()))
    }

    /// A rod between two points; within one body it is a part of it.
    fn add_line(&mut self, name: &str, [i, j]: [FixedFrame; 2], radius: f64, color: [u8; 3], is_painted: bool) {
        self.items.push(Item {
            name: name.to_owned(),
            group: self.group(i.body),
            carrier: Carrier::Span { i, j, part: SpanPart::Stretched },
            form: Form::surface(Facets::unit_rod(radius)),
            color,
            is_painted,
        });
    }

    fn group(&self, body: usize) -> Group {
        if body == self.ground() { Group::Ground } else { Group::Bodies }
    }

    fn add_solids(&mut self, displayed: &[bool]) -> Built {
        for (body, solids) in body_solids(&self.model.model)?.iter().enumerate().filter(|(body, _)| !displayed[*body]) {
            for solid in solids {
                let centre = self.mechanism.bodies()[body].center_of_mass();
                let frame = FixedFrame { body, r: solid.position - centre, c: solid.axes };
                self.add_part(frame, solid_facets(solid));
                self.shaped[body] = true;
            }
        }
        Ok(())
    }

    /// A surface that touches, unless displays show the body.
    pub(super) fn add_touching(&mut self, frame: FixedFrame, facets: Facets, displayed: &[bool]) {
        if !displayed[frame.body] {
            self.add_part(frame, facets);
            if frame.body != self.ground() {
                self.shaped[frame.body] = true;
            }
        }
    }

    /// The spring-like look of something between two points.
    pub(super) fn add_span(&mut self, name: &str, ends: [FixedFrame; 2], part: SpanPart, facets: Facets) {
        let [i, j] = ends;
        self.items.push(Item {
            name: name.to_owned(),
            group: Group::Springs,
            carrier: Carrier::Span { i, j, part },
            form: Form::surface(facets),
            color: if part == SpanPart::AtFirst { DARK } else { super::build::SPRING },
            is_painted: false,
        });
    }
}

fn solid_facets(solid: &BodySolid) -> Facets {
    match &solid.form {
        SolidForm::Box(size) => Facets::cuboid(*size),
        SolidForm::Cylinder { radius, inner, length } if *inner > 0.0 => Facets::pipe(*radius, *inner, *length),
        SolidForm::Cylinder { radius, length, .. } => Facets::cylinder(*radius, *length),
        SolidForm::Sphere { radius, .. } => Facets::sphere(*radius),
        SolidForm::Capsule { radius, length } => Facets::capsule(*radius, *length),
        SolidForm::Plate { outline, thickness } => {
            let outline: Vec<V2> = outline.iter().map(|p| Vector2::new(p.x, p.y)).collect();
            Facets::prism(&outline, -thickness / 2.0, thickness / 2.0)
        }
        // Forms to come have no look yet.
        _ => Facets::default(),
    }
}
