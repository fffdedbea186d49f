//! Where a picture is seen from.

use crate::scene::Scene;
use crate::scene::build::{SAME, in_plane};
use fourbar_multibody::space::{M3, V3};

/// Where a picture is seen from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum View {
    /// Along the normal of a planar mechanism, else from above and aside.
    #[default]
    Auto,
    /// From above and aside.
    Aside,
    /// From where this direction leads to, global.
    From(V3),
}

impl View {
    /// The views by their names; `x` is from where x leads to.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("auto", Self::Auto),
        ("aside", Self::Aside),
        ("x", Self::From(V3::new(1.0, 0.0, 0.0))),
        ("y", Self::From(V3::new(0.0, 1.0, 0.0))),
        ("z", Self::From(V3::new(0.0, 0.0, 1.0))),
        ("-x", Self::From(V3::new(-1.0, 0.0, 0.0))),
        ("-y", Self::From(V3::new(0.0, -1.0, 0.0))),
        ("-z", Self::From(V3::new(0.0, 0.0, -1.0))),
    ];

    /// The view of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(own, _)| *own == name).map(|(_, view)| *view)
    }
}

/// Axes of the view as rows: to the right, up, towards the eye.
pub(super) struct Camera {
    rows: M3,
    /// Where the light comes from, in the view.
    pub(super) light: V3,
}

impl Camera {
    pub(super) fn new(scene: &Scene, view: View) -> Self {
        let eye = match view {
            View::From(direction) => direction.normalize(),
            View::Auto => eye(scene),
            View::Aside => aside(&scene.up),
        };
        let up = scene.up - eye * eye.dot(&scene.up);
        let up = if up.norm() > SAME { up.normalize() } else { in_plane(&eye) };
        let right = up.cross(&eye);
        let rows = M3::from_rows(&[right.transpose(), up.transpose(), eye.transpose()]);
        Self { rows, light: V3::new(-0.45, 0.65, 0.8).normalize() }
    }

    /// Whether it looks across what is up.
    pub(super) fn is_level(&self, up: &V3) -> bool {
        self.see(up).z.abs() < SAME
    }

    /// A point or direction in the view.
    pub(super) fn see(&self, p: &V3) -> V3 {
        self.rows * p
    }
}

/// Along the normal of a planar mechanism, else from above and aside.
pub(in crate::scene) fn eye(scene: &Scene) -> V3 {
    scene.normal.unwrap_or_else(|| aside(&scene.up))
}

/// From 25 degrees above, and so that the first horizontal axis leads to the right and the second into the picture.
fn aside(up: &V3) -> V3 {
    let first = if up.x.abs() < 0.9 { V3::x() } else { V3::y() };
    let first = (first - up * up.dot(&first)).normalize();
    let second = up.cross(&first);
    let (azimuth, height) = (-62_f64.to_radians(), 25_f64.to_radians());
    (first * azimuth.cos() + second * azimuth.sin()) * height.cos() + up * height.sin()
}
