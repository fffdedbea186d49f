//! The points along a path of the interior point: where s moves a little, the path of the new convex problem is entered beside the end of
//! the last one, not at its beginning (Yildirim, Wright, SIAM J. Optim. 12 (2002) 782: back to where the gap is as large as the change).

use super::jordan::Point;

/// A point: the gap, the unknowns, p and l of each cone.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    gap: f64,
    pub(super) s: Vec<f64>,
    pub(super) parts: Vec<(Point, Point)>,
}

/// The points of one path, from its beginning on. Reused from path to path.
#[derive(Debug, Clone, Default)]
pub(super) struct Trail {
    places: Vec<Place>,
    count: usize,
}

impl Trail {
    /// Nothing is left of a path.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Notes a point.
    pub(super) fn note(&mut self, gap: f64, s: &[f64], parts: impl Iterator<Item = (Point, Point)>) {
        if self.places.len() == self.count {
            self.places.push(Place::default());
        }
        let place = &mut self.places[self.count];
        self.count += 1;
        place.gap = gap;
        place.s.clear();
        place.s.extend_from_slice(s);
        place.parts.clear();
        place.parts.extend(parts);
    }

    /// The last point before the gap fell below this one.
    pub(super) fn before(&self, gap: f64) -> Option<&Place> {
        self.index(gap).map(|index| &self.places[index])
    }

    /// What comes behind that point is forgotten, and it itself, since a path that goes on from it notes it again.
    pub(super) fn cut(&mut self, gap: f64) {
        self.count = self.index(gap).unwrap_or(0);
    }

    fn index(&self, gap: f64) -> Option<usize> {
        self.places[..self.count].iter().take_while(|place| place.gap >= gap).count().checked_sub(1)
    }
}
