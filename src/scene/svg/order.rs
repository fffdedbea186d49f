//! The order in which faces are painted: whatever hides another comes after it.
//!
//! Two faces whose pictures overlap are compared by their planes, as Newell, Newell and Sancha do (A solution to the hidden surface problem,
//! 1972): one that lies wholly behind the plane of the other comes first. Where neither does, and in circles, their middles decide.

use super::paint::Piece;
use fourbar_multibody::space::V3;

/// Corners of a ball's picture when it is compared.
const CORNERS: usize = 16;
/// Part of the size of a face by which it may cross a plane: what touches does not hide.
const TOUCH: f64 = 1e-6;

/// A face to compare.
struct Face {
    points: Vec<V3>,
    /// Normal towards the eye, of unit length.
    normal: V3,
    low: [f64; 2],
    high: [f64; 2],
    depth: f64,
    size: f64,
}

impl Face {
    fn of(piece: &Piece) -> Self {
        let points: Vec<V3> = match (piece.radius, &piece.points[..]) {
            (Some(radius), [middle]) => (0..CORNERS)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / CORNERS as f64;
                    middle + V3::new(angle.cos(), angle.sin(), 0.0) * radius
                })
                .collect(),
            _ => piece.points.clone(),
        };
        let normal: V3 =
            (1..points.len() - 1).map(|k| (points[k] - points[0]).cross(&(points[k + 1] - points[0]))).sum();
        let normal = if normal.z < 0.0 { -normal } else { normal };
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let depth = points.iter().map(|p| p.z).sum::<f64>() / points.len() as f64;
        let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
        Self { points, normal: normal.normalize(), low, high, depth, size }
    }

    /// Whether all of `other` is behind (or, with a sign of -1, before) the plane of this face, at least in part clearly so.
    fn has(&self, other: &Self, sign: f64) -> bool {
        let slack = TOUCH * self.size.max(other.size);
        let heights = other.points.iter().map(|p| sign * (p - self.points[0]).dot(&self.normal));
        heights.clone().all(|height| height <= slack) && heights.fold(0.0, f64::min) < -slack
    }

    /// Whether the pictures overlap by more than a touch: no edge of either separates them.
    fn overlaps(&self, other: &Self) -> bool {
        let slack = TOUCH * self.size.max(other.size);
        let apart =
            |axis: usize| self.high[axis] <= other.low[axis] + slack || other.high[axis] <= self.low[axis] + slack;
        !apart(0) && !apart(1) && !self.separates(other, slack) && !other.separates(self, slack)
    }

    fn separates(&self, other: &Self, slack: f64) -> bool {
        let n = self.points.len();
        (0..n).any(|k| {
            let (a, b) = (&self.points[k], &self.points[(k + 1) % n]);
            let (x, y) = (b.y - a.y, a.x - b.x);
            let length = x.hypot(y);
            if !(length > 0.0) {
                return false;
            }
            let side = |p: &V3| (x * (p.x - a.x) + y * (p.y - a.y)) / length;
            // Which side is inside depends on which way the corners run.
            let own = self.points.iter().map(side).fold(0.0, |far: f64, s| if s.abs() > far.abs() { s } else { far });
            other.points.iter().all(|p| side(p) * own.signum() <= slack)
        })
    }
}

/// Places of the pieces, the first to be painted first.
pub(super) fn order(pieces: &[Piece]) -> Vec<usize> {
    let faces: Vec<Face> = pieces.iter().map(Face::of).collect();
    let mut by_depth: Vec<usize> = (0..faces.len()).collect();
    by_depth.sort_by(|&a, &b| faces[a].depth.total_cmp(&faces[b].depth));
    // Those that come before each.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); faces.len()];
    let mut by_left = by_depth.clone();
    by_left.sort_by(|&a, &b| faces[a].low[0].total_cmp(&faces[b].low[0]));
    for (k, &a) in by_left.iter().enumerate() {
        for &b in by_left[k + 1..].iter().take_while(|&&b| faces[b].low[0] < faces[a].high[0]) {
            if !faces[a].overlaps(&faces[b]) {
                continue;
            }
            let (one, two) = (&faces[a], &faces[b]);
            let a_is_behind = two.has(one, 1.0) || one.has(two, -1.0);
            let b_is_behind = one.has(two, 1.0) || two.has(one, -1.0);
            match (a_is_behind, b_is_behind) {
                (true, false) => before[b].push(a),
                (false, true) => before[a].push(b),
                _ => {}
            }
        }
    }
    let mut done = vec![Mark::New; faces.len()];
    let mut order = Vec::with_capacity(faces.len());
    for face in by_depth {
        visit(face, &mut before, &mut done, &faces, &mut order);
    }
    order
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Puts what comes before a face into the order, then the face; without recursion, which long rows of faces would make deep.
fn visit(face: usize, before: &mut [Vec<usize>], marks: &mut [Mark], faces: &[Face], order: &mut Vec<usize>) {
    let mut stack = vec![face];
    while let Some(&top) = stack.last() {
        if marks[top] == Mark::New {
            marks[top] = Mark::Open;
            // Taken from the end: the farthest first.
            before[top].sort_by(|&a, &b| faces[b].depth.total_cmp(&faces[a].depth));
        }
        match before[top].pop() {
            Some(next) if marks[next] == Mark::New => stack.push(next),
            // In a circle: the middles decide.
            Some(_) => {}
            None => {
                stack.pop();
                if marks[top] != Mark::Done {
                    marks[top] = Mark::Done;
                    order.push(top);
                }
            }
        }
    }
}
