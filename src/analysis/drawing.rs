//! Modes as drawings: bodies as lines from their centres of mass to their joints and as the edges of their solids.

use super::{Mode, Modes, OperatingPoint};
use crate::Error;
use crate::results::Drawing;
use fourbar_multibody::space::{FixedFrame, Pose, V3};
use fourbar_multibody::{BodySolid, SolidForm, body_solids};

/// Half of the edge of the cube that stands for a body without extent, in sizes of the drawing.
const CUBE: f64 = 0.04;
/// Corners of the circles of a cylinder.
const CORNERS: usize = 16;
/// Modes that are drawn at most.
const DRAWN: usize = 24;

/// Lines of one body (index; ground last) through points in space.
type Lines = Vec<(usize, Vec<V3>)>;

impl OperatingPoint {
    /// The modes as drawings, at most 24 of them, the slowest first.
    ///
    /// # Errors
    /// [`Error::Multibody`] for solids that cannot be evaluated.
    pub fn drawings(&mut self, modes: &Modes) -> Result<Vec<Drawing>, Error> {
        let poses: Vec<Pose> = self.state()?.poses.iter().copied().chain([Pose::ground()]).collect();
        let lines = self.lines(&poses)?;
        let ground = poses.len() - 1;
        let name = |body: usize| modes.bodies.get(body).map_or("ground", String::as_str).to_owned();
        let draw = |mode: &Mode| {
            let point = |body: usize, p: &V3| {
                let mut point = [p.x, p.y, p.z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
                if body < ground {
                    let arm = p - poses[body].x;
                    let way = mode.way(body, &arm);
                    [0, 1, 2].into_iter().for_each(|k| (point[3 + k], point[6 + k]) = (way[k].re, way[k].im));
                }
                point
            };
            let line = |(body, line): &(usize, Vec<V3>)| (name(*body), line.iter().map(|p| point(*body, p)).collect());
            Drawing { title: title(mode), lines: lines.iter().map(line).collect() }
        };
        Ok(modes.modes.iter().take(DRAWN).map(draw).collect())
    }

    fn lines(&self, poses: &[Pose]) -> Result<Lines, Error> {
        let mut lines = Lines::new();
        let ground = poses.len() - 1;
        let placed = |frame: &&FixedFrame| !self.mechanism().carries_modes(frame.body);
        for frame in self.mechanism().constraint_sets().iter().flat_map(|set| [&set.i, &set.j]).filter(placed) {
            let origin = frame.origin(poses);
            let from = if frame.body == ground { origin } else { poses[frame.body].x };
            lines.push((frame.body, if from == origin { vec![origin] } else { vec![from, origin] }));
        }
        let solids = body_solids(self.model()).map_err(fourbar_multibody::Error::Model)?;
        for (body, solids) in solids.iter().enumerate() {
            let (pose, rigid) = (&poses[body], &self.mechanism().bodies()[body]);
            let at = |p: V3| pose.x + pose.a * (p - rigid.center_of_mass());
            let edges = solids.iter().flat_map(edges);
            lines.extend(edges.map(|line| (body, line.into_iter().map(at).collect())));
        }
        let size = extent(&lines, poses).max(1e-3 * self.mechanism().length());
        for (body, pose) in
            poses[..ground].iter().enumerate().filter(|(body, _)| !self.mechanism().carries_modes(*body))
        {
            let far = |p: &V3| (p - pose.x).amax();
            let reach = lines.iter().filter(|(of, _)| *of == body).flat_map(|(_, line)| line.iter().map(far));
            if reach.fold(0.0, f64::max) < CUBE * size {
                let cube = box_edges(&V3::repeat(2.0 * CUBE * size));
                lines.extend(cube.into_iter().map(|line| (body, line.into_iter().map(|p| pose.x + p).collect())));
            }
        }
        Ok(lines)
    }
}

fn title(mode: &Mode) -> String {
    let number = |value: f64| format!("{:.4}", fourbar_linalg::text::Brief(value));
    match (mode.eigenvalue.norm() > 0.0, mode.eigenvalue.im != 0.0) {
        (false, _) => "0 Hz: moves freely".to_owned(),
        (_, true) => {
            let told = if mode.motion.is_unstable() { ": unstable" } else { "" };
            format!("{} Hz, damping {}{told}", number(mode.frequency()), number(mode.damping()))
        }
        (_, false) if mode.motion.is_unstable() => format!("unstable, {} 1/s", number(mode.eigenvalue.re)),
        (_, false) => format!("without oscillation, {} 1/s", number(mode.eigenvalue.re)),
    }
}

/// Largest extent of the drawing \[m\].
fn extent(lines: &Lines, poses: &[Pose]) -> f64 {
    let centres = poses.split_last().map_or(&[][..], |(_, bodies)| bodies).iter().map(|pose| &pose.x);
    let points = || lines.iter().flat_map(|(_, line)| line).chain(centres.clone());
    let range = |k: usize| {
        let (low, high) =
            points().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])));
        (high - low).max(0.0)
    };
    (0..3).map(range).fold(0.0, f64::max)
}

/// Edges of a solid in the frame of its body.
fn edges(solid: &BodySolid) -> Vec<Vec<V3>> {
    let circle = |radius: f64, z: f64| -> Vec<V3> {
        let corner = |k: usize| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
            V3::new(radius * c, radius * s, z)
        };
        (0..=CORNERS).map(corner).collect()
    };
    let tube = |radius: f64, length: f64| {
        let mut lines = vec![circle(radius, -0.5 * length), circle(radius, 0.5 * length)];
        lines.extend(
            [[radius, 0.0], [-radius, 0.0], [0.0, radius], [0.0, -radius]]
                .map(|[x, y]| [-0.5, 0.5].map(|z| V3::new(x, y, z * length)).to_vec()),
        );
        lines
    };
    let lines = match &solid.form {
        SolidForm::Box(size) => box_edges(size),
        SolidForm::Cylinder { radius, length, .. } | SolidForm::Capsule { radius, length } => tube(*radius, *length),
        SolidForm::Sphere { radius, .. } => {
            let turned = |x: usize, y: usize, z: usize| {
                circle(*radius, 0.0).into_iter().map(|p| V3::new(p[x], p[y], p[z])).collect()
            };
            vec![turned(0, 1, 2), turned(0, 2, 1), turned(2, 0, 1)]
        }
        SolidForm::Plate { outline, .. } => {
            vec![outline.iter().chain(outline.first()).map(|p| V3::new(p.x, p.y, 0.0)).collect()]
        }
        _ => Vec::new(),
    };
    let at = |p: V3| solid.position + solid.axes * p;
    lines.into_iter().map(|line| line.into_iter().map(at).collect()).collect()
}

fn box_edges(size: &V3) -> Vec<Vec<V3>> {
    let corner = |signs: [f64; 3]| V3::new(signs[0] * size.x, signs[1] * size.y, signs[2] * size.z) * 0.5;
    let ring = |z: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|[x, y]| corner([x, y, z])).to_vec()
    };
    let mut lines = vec![ring(-1.0), ring(1.0)];
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
        lines.push([-1.0, 1.0].map(|z| corner([x, y, z])).to_vec());
    }
    lines
}
