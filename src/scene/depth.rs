//! Where bodies of a planar mechanism lie across its plane: those without a shape side by side in layers, those of the model where they are.

use super::build::Builder;
use super::{Carrier, Form};
use fourbar_multibody::space::{FixedFrame, V3};

/// Distance of the layers over the thickness of a link: a gap between them.
const LAYER: f64 = 1.15;

impl Builder<'_> {
    /// How far the links of a body are drawn in front of the ground \[m\].
    pub(super) fn lift(&self, body: usize) -> f64 {
        self.layers[body] as f64 * LAYER * self.thickness()
    }

    /// From where to where a body reaches along the normal of the plane at a point of it, counted from that point \[m\].
    pub(super) fn depth(&self, body: usize, at: &V3) -> [f64; 2] {
        let half = self.thickness() / 2.0;
        if body != self.ground() && self.is_own[body] {
            return self.own_depth(body, at).unwrap_or([0.0; 2]);
        }
        let lift = if body == self.ground() { self.behind(at) } else { self.lift(body) };
        [lift - half, lift + half]
    }

    /// That of a body with shapes of the model, by the boxes about them; none where none is near.
    pub(super) fn own_depth(&self, body: usize, at: &V3) -> Option<[f64; 2]> {
        let normal = self.normal?;
        let mut found: Option<[f64; 2]> = None;
        for item in &self.items {
            if let (Carrier::Body(frame), Form::Surface(facets)) = (&item.carrier, &item.form)
                && frame.body == body
                && let Some([low, high]) = self.crossed(frame, &facets.points, at, &normal)
            {
                let [least, most] = found.get_or_insert([low, high]);
                (*least, *most) = (least.min(low), most.max(high));
            }
        }
        found
    }

    /// Where a line enters and leaves the box about points of a frame, which is wider across it by half a link: pins stand at ends.
    fn crossed(&self, frame: &FixedFrame, points: &[V3], at: &V3, normal: &V3) -> Option<[f64; 2]> {
        let axes = frame.axes(&self.poses);
        let (start, way) = (axes.tr_mul(&(at - frame.origin(&self.poses))), axes.tr_mul(normal));
        let [low, high] = super::points::bounds(points.iter().copied())?;
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        for k in 0..3 {
            let wider = if way[k].abs() < 0.5 { self.half_width() } else { 0.0 };
            let ends = [low[k] - wider - start[k], high[k] + wider - start[k]];
            if way[k].abs() < 1e-9 {
                if ends[0] > 0.0 || ends[1] < 0.0 {
                    return None;
                }
            } else {
                let [a, b] = ends.map(|end| end / way[k]);
                range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
            }
        }
        (range[0] <= range[1] && range.iter().all(|end| end.is_finite())).then_some(range)
    }

    /// How far a support of the ground is drawn behind a point: behind the shapes of what it bears \[m\].
    pub(super) fn behind(&self, at: &V3) -> f64 {
        let near = |other: &usize| {
            *other != self.ground()
                && self.is_own[*other]
                && self.places[*other]
                    .iter()
                    .any(|place| (place.frame.origin(&self.poses) - at).norm() < 0.004 * self.length)
        };
        let ground = &self.places[self.ground()];
        let others = ground.iter().filter_map(|place| place.other).filter(near);
        let lows = others.filter_map(|other| self.own_depth(other, at)).map(|[low, _]| low);
        // A layer lies that far behind the face of the next one.
        lows.map(|low| low - (LAYER - 0.5) * self.thickness()).fold(0.0, f64::min)
    }
}
