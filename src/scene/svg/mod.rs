//! A still picture of a scene: orthographic projection, faces painted from the farthest to the nearest.

mod order;
mod paint;
mod view;

pub use view::View;
pub(super) use view::eye;

use super::{Film, Group};
use crate::run::Frame;
use crate::xml::escaped;
use paint::{Ink, Piece, pieces};
use std::fmt::Write as _;
use view::Camera;

/// Longer side of the picture, in pixels.
const SIZE: f64 = 600.0;
/// Free border, in pixels.
const BORDER: f64 = 12.0;

/// Height of a line of text under the picture, in pixels.
const LINE: f64 = 18.0;
/// Size of its letters, in pixels.
const TEXT: f64 = 12.0;
/// Width of a letter over the size, at most in the mean of a line: that of wide sans-serif letters, as of DejaVu Sans.
const LETTER: f64 = 0.62;

/// What a still picture shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Time \[s\]; the frame nearest to it is drawn.
    pub time: f64,
    /// Where it is seen from.
    pub view: View,
    /// What is drawn.
    pub groups: Vec<Group>,
    /// Number of further positions, spread evenly over the frames and drawn pale behind.
    pub ghosts: usize,
}

impl Default for Picture {
    /// Bodies, ground, joints and springs at the start.
    fn default() -> Self {
        let groups = vec![Group::Bodies, Group::Ground, Group::Joints, Group::Springs];
        Self { time: 0.0, view: View::Auto, groups, ghosts: 0 }
    }
}

/// The picture as an SVG document.
#[must_use]
pub fn write(film: &Film, picture: &Picture) -> String {
    let camera = Camera::new(&film.scene, picture.view);
    let drawn = |frame: &Frame, groups: &[Group]| pieces(film, frame, &camera, groups);
    let main = film.nearest(picture.time).map(|frame| drawn(frame, &picture.groups)).unwrap_or_default();
    let moving: Vec<Group> = picture.groups.iter().copied().filter(|group| *group != Group::Ground).collect();
    let ghosts: Vec<Vec<Piece>> = ghosts(film, picture.ghosts).map(|frame| drawn(frame, &moving)).collect();
    let scales: Vec<String> = picture.groups.iter().filter_map(|group| film.scale(*group)).collect();
    let widest = scales.iter().map(|line| line.chars().count() as f64 * TEXT * LETTER).fold(0.0, f64::max);
    let page = Page::around(ghosts.iter().flatten().chain(&main)).at_least(widest + 2.0 * BORDER);
    let mut text = String::new();
    let (width, height) = (page.width, page.height + LINE * scales.len() as f64);
    // Writing to a text does not fail.
    let _ = write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escaped(&film.scene.name)
    );
    for ghost in &ghosts {
        text.push_str("<g opacity=\"0.22\">\n");
        page.paint(ghost, &mut text);
        text.push_str("</g>\n");
    }
    page.paint(&main, &mut text);
    for (k, scale) in scales.iter().enumerate() {
        let y = height - LINE * (scales.len() - k) as f64 + 0.3 * LINE;
        let _ = writeln!(
            text,
            "<text x=\"{BORDER}\" y=\"{y:.0}\" font-family=\"sans-serif\" font-size=\"{TEXT}\" fill=\"#333\">{scale}</text>"
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Frames spread evenly, without the first.
fn ghosts(film: &Film, count: usize) -> impl Iterator<Item = &Frame> {
    let last = film.frames.len().saturating_sub(1);
    (1..=count.min(last)).map(move |k| &film.frames[k * last / count.min(last)])
}

/// From view coordinates to pixels.
struct Page {
    left: f64,
    top: f64,
    scale: f64,
    width: f64,
    height: f64,
}

impl Page {
    fn around<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for piece in pieces {
            let radius = piece.radius.unwrap_or(0.0);
            for point in &piece.points {
                for axis in 0..2 {
                    low[axis] = low[axis].min(point[axis] - radius);
                    high[axis] = high[axis].max(point[axis] + radius);
                }
            }
        }
        let size = [0, 1].map(|axis| (high[axis] - low[axis]).max(0.0));
        let longer = size[0].max(size[1]);
        // Nothing to see, or a single point.
        if !(longer > 0.0 && longer.is_finite()) {
            return Self { left: 0.0, top: 0.0, scale: 1.0, width: SIZE, height: SIZE };
        }
        let scale = (SIZE - 2.0 * BORDER) / longer;
        Self {
            left: low[0] - BORDER / scale,
            top: high[1] + BORDER / scale,
            scale,
            width: size[0] * scale + 2.0 * BORDER,
            height: size[1] * scale + 2.0 * BORDER,
        }
    }

    /// Itself, no narrower than what is written under it; the drawing stays in the middle.
    fn at_least(self, width: f64) -> Self {
        let more = (width - self.width).max(0.0);
        Self { left: self.left - more / 2.0 / self.scale, width: self.width + more, ..self }
    }

    /// The light on a ball of this radius in pixels.
    fn shine(&self, middle: &nalgebra::Vector3<f64>, radius: f64) -> String {
        let (x, y) =
            ((middle.x - self.left) * self.scale - 0.3 * radius, (self.top - middle.y) * self.scale - 0.35 * radius);
        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#fff\" opacity=\".28\"/>", 0.45 * radius)
    }

    fn paint(&self, pieces: &[Piece], text: &mut String) {
        let at = |p: &nalgebra::Vector3<f64>| {
            let number = |value: f64| {
                let text = format!("{value:.1}");
                text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
            };
            format!("{} {}", number((p.x - self.left) * self.scale), number((self.top - p.y) * self.scale))
        };
        let hex = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
        for sheet in pieces.chunk_by(|a, b| a.sheet == b.sheet && a.sheet > 0) {
            let piece = &sheet[0];
            let outline = |piece: &Piece| format!("M{}", piece.points.iter().map(&at).collect::<Vec<_>>().join("L"));
            // Writing to a text does not fail.
            let _ = match (&piece.ink, piece.radius) {
                (Ink::Line(color), _) => {
                    let (path, color) = (outline(piece), hex(*color));
                    writeln!(text, "<path d=\"{path}\" stroke=\"{color}\" fill=\"none\"/>")
                }
                (Ink::Face { fill, edge }, Some(radius)) => {
                    let middle = at(&piece.points[0]).replace(' ', "\" cy=\"");
                    let (radius, fill, edge) = (radius * self.scale, hex(*fill), hex(*edge));
                    let shine = self.shine(&piece.points[0], radius);
                    writeln!(
                        text,
                        "<circle cx=\"{middle}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{edge}\"/>{shine}"
                    )
                }
                (Ink::Face { fill, .. }, None) => {
                    let path: Vec<String> = sheet.iter().map(|piece| outline(piece) + "Z").collect();
                    let (path, fill) = (path.concat(), hex(*fill));
                    writeln!(text, "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\".5\"/>")
                }
            };
            let edges: Vec<_> = sheet.iter().flat_map(|piece| &piece.edges).collect();
            if let (Ink::Face { edge, .. }, false) = (&piece.ink, edges.is_empty()) {
                let lines: String = edges.iter().map(|[a, b]| format!("M{}L{}", at(a), at(b))).collect();
                let _ = writeln!(text, "<path d=\"{lines}\" stroke=\"{}\" stroke-linecap=\"round\"/>", hex(*edge));
            }
        }
    }
}
