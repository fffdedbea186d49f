//! Second-order cones |x_1| <= x_0 of one to three dimensions and their symmetric scaling (Nesterov and Todd).
//!
//! Formulas: Andersen, Dahl, Vandenberghe, "Interior-point methods for large-scale cone programming", in Optimization for Machine
//! Learning, MIT Press 2011, section 5. One dimension is the half line.

/// A point of the space of a cone; entries beyond its dimension are zero.
pub(crate) type Point = [f64; 3];

#[inline]
pub(crate) fn dot(x: &Point, y: &Point) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x_0 y_0 - x_1 . y_1.
#[inline]
fn reflected(x: &Point, y: &Point) -> f64 {
    x[0] * y[0] - x[1] * y[1] - x[2] * y[2]
}

/// (|x_0| - |x_1|)(|x_0| + |x_1|), without cancellation of squares.
#[inline]
fn determinant(x: &Point) -> f64 {
    let length = (x[1] * x[1] + x[2] * x[2]).sqrt();
    (x[0] - length) * (x[0] + length)
}

/// Jordan product.
#[inline]
pub(crate) fn product(x: &Point, y: &Point) -> Point {
    [dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// The y with product(x, y) = r.
#[inline]
pub(crate) fn divide(x: &Point, r: &Point) -> Point {
    let head = reflected(x, r) / determinant(x);
    [head, (r[1] - head * x[1]) / x[0], (r[2] - head * x[2]) / x[0]]
}

/// The symmetric scaling F of an inner pair (p, l): F l = F^-1 p.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scaling {
    eta: f64,
    w: Point,
}

impl Scaling {
    pub(crate) fn new(p: &Point, l: &Point) -> Self {
        let (p_size, l_size) = (determinant(p).sqrt(), determinant(l).sqrt());
        let cosine = dot(p, l) / (p_size * l_size);
        let gamma = (0.5 * (1.0 + cosine)).sqrt();
        let tail = |i: usize| (p[i] / p_size - l[i] / l_size) / (2.0 * gamma);
        let (a, b) = (tail(1), tail(2));
        // w_0 from |w_1|: on the hyperboloid to the last digit.
        Self { eta: (p_size / l_size).sqrt(), w: [(1.0 + a * a + b * b).sqrt(), a, b] }
    }

    /// F x.
    #[inline]
    pub(crate) fn apply(&self, x: &Point) -> Point {
        self.turned(x, 1.0, self.eta)
    }

    /// F^-1 x.
    #[inline]
    pub(crate) fn undo(&self, x: &Point) -> Point {
        self.turned(x, -1.0, 1.0 / self.eta)
    }

    #[inline]
    fn turned(&self, x: &Point, sign: f64, factor: f64) -> Point {
        let tail = self.w[1] * x[1] + self.w[2] * x[2];
        let along = sign * x[0] + tail / (1.0 + self.w[0]);
        let head = self.w[0] * x[0] + sign * tail;
        [factor * head, factor * (x[1] + along * self.w[1]), factor * (x[2] + along * self.w[2])]
    }

    /// F^-2, row by row.
    pub(crate) fn inverse_square(&self) -> [Point; 3] {
        let unit = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        std::array::from_fn(|k| self.undo(&self.undo(&unit(k))))
    }
}

/// The largest step t <= 1 with x + t d still in the cone; x is inside.
pub(crate) fn largest_step(x: &Point, d: &Point) -> f64 {
    let (a, b, c) = (determinant(d), reflected(x, d), determinant(x));
    if d[1] == 0.0 && d[2] == 0.0 && x[1] == 0.0 && x[2] == 0.0 {
        return if d[0] < 0.0 { (-x[0] / d[0]).min(1.0) } else { 1.0 };
    }
    // First positive root of a t^2 + 2 b t + c, c > 0.
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return 1.0;
    }
    let q = -(b + discriminant.sqrt().copysign(b));
    [q / a, c / q].into_iter().filter(|t| *t > 0.0).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inside() -> impl Strategy<Value = Point> {
        (0.01..2.0, -1.0..1.0_f64, -1.0..1.0_f64).prop_map(|(e, a, b)| [e + a.hypot(b), a, b])
    }

    proptest! {
        #[test]
        fn scalings_meet_in_the_middle(p in inside(), l in inside(), r in inside()) {
            let scaling = Scaling::new(&p, &l);
            let (a, b) = (scaling.apply(&l), scaling.undo(&p));
            let back = divide(&a, &product(&a, &r));
            for i in 0..3 {
                prop_assert!((a[i] - b[i]).abs() < 1e-9);
                prop_assert!((back[i] - r[i]).abs() < 1e-8);
            }
        }

        #[test]
        fn steps_end_on_the_cone(x in inside(), d in prop::array::uniform3(-5.0..5.0_f64)) {
            let t = largest_step(&x, &d);
            let at = |t: f64| -> f64 { x[0] + t * d[0] - (x[1] + t * d[1]).hypot(x[2] + t * d[2]) };
            prop_assert!(at(0.999 * t) > 0.0);
            prop_assert!(t == 1.0 || at(t).abs() < 1e-9);
        }
    }
}
