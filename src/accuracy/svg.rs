//! Work-precision diagrams: error over work, both logarithmic, as SVG.

use std::fmt::Write;

/// Units of a diagram: two of them side by side fill the page at the size of its text.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
/// Room for the labels at the left, top, right and bottom.
const MARGINS: [f64; 4] = [56.0, 26.0, 14.0, 42.0];
/// Colours that differ also for eyes that do not tell red from green (Okabe and Ito 2008).
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333", "#8a6d00"];
/// Marks by which series differ where colours come again, or are not seen: no divisor of the number of colours, so that forty series differ.
const MARKS: usize = 5;
/// Most labels of decades on an axis.
const LABELS: i32 = 8;

/// A series: its place in the legend, and its points (work, error) with what they are.
pub(super) struct Line {
    pub(super) style: usize,
    pub(super) points: Vec<Point>,
}

/// A run.
pub(super) struct Point {
    pub(super) work: f64,
    pub(super) error: f64,
    pub(super) label: String,
}

/// Decades from the smallest to the largest number.
struct Axis {
    from: i32,
    to: i32,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(value.log10()), high.max(value.log10()));
        }
        let (from, to) = (low.floor() as i32, high.ceil() as i32);
        Self { from, to: to.max(from + 1) }
    }

    /// Where a number lies, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.from)) / f64::from(self.to - self.from)
    }

    fn labels(&self) -> impl Iterator<Item = i32> {
        let every = (self.to - self.from + LABELS - 1) / LABELS;
        (self.from..=self.to).step_by(every.max(1) as usize)
    }
}

/// A colour of the series.
pub(super) fn colour(style: usize) -> &'static str {
    COLOURS[style % COLOURS.len()]
}

/// A diagram; none without a point. Texts are escaped by the caller.
pub(super) fn diagram(title: &str, work: &str, lines: &[Line]) -> Option<String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    points().next()?;
    let (x, y) = (Axis::over(points().map(|point| point.work)), Axis::over(points().map(|point| point.error)));
    let [left, top, right, bottom] = MARGINS;
    let at = |point: &Point| {
        [
            left + x.place(point.work) * (WIDTH - left - right),
            HEIGHT - bottom - y.place(point.error) * (HEIGHT - top - bottom),
        ]
    };
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title} over {work}\">\n");
    svg += &grid(&x, &y);
    // Writing to a String cannot fail.
    let _ = write!(
        svg,
        "<text class=\"title\" x=\"{left}\" y=\"16\">{title}</text>\n<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{work}</text>\n",
        WIDTH - right,
        HEIGHT - 6.0
    );
    for line in lines {
        let colour = colour(line.style);
        let path: Vec<String> = line.points.iter().map(at).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" stroke=\"{colour}\"/>", path.join(" "));
        for point in &line.points {
            let mark = mark(line.style, at(point));
            let _ = writeln!(svg, "<g fill=\"{colour}\">{mark}<title>{}</title></g>", point.label);
        }
    }
    svg += "</svg>\n";
    Some(svg)
}

fn grid(x: &Axis, y: &Axis) -> String {
    let [left, top, right, bottom] = MARGINS;
    let (base, end) = (HEIGHT - bottom, WIDTH - right);
    let mut svg = String::new();
    for decade in x.labels() {
        let place = left + x.place(10.0_f64.powi(decade)) * (end - left);
        let _ = writeln!(
            svg,
            "<line x1=\"{place:.1}\" y1=\"{top}\" x2=\"{place:.1}\" y2=\"{base}\"/><text x=\"{place:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            base + 14.0,
            power(decade)
        );
    }
    for decade in y.labels() {
        let place = base - y.place(10.0_f64.powi(decade)) * (base - top);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" y1=\"{place:.1}\" x2=\"{end}\" y2=\"{place:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            place + 4.0,
            power(decade)
        );
    }
    svg
}

fn power(decade: i32) -> String {
    format!("10<tspan dy=\"-4\" font-size=\"8\">{decade}</tspan>")
}

/// A mark about a point, 4 units in radius.
pub(super) fn mark(style: usize, [x, y]: [f64; 2]) -> String {
    match style % MARKS {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"),
        1 => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6.6\" height=\"6.6\"/>", x - 3.3, y - 3.3),
        2 => format!("<path d=\"M{x:.1} {:.1}l4.2 7.6h-8.4z\"/>", y - 4.6),
        3 => format!("<path d=\"M{x:.1} {:.1}l4.2 -7.6h-8.4z\"/>", y + 4.6),
        _ => format!("<path d=\"M{x:.1} {:.1}l4.6 4.6l-4.6 4.6l-4.6-4.6z\"/>", y - 4.6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn forty_series_look_different() {
        let looks: BTreeSet<String> =
            (0..40).map(|style| colour(style).to_owned() + &mark(style, [0.0, 0.0])).collect();
        assert_eq!(looks.len(), 40);
    }

    #[test]
    fn axes_end_at_decades_and_hold_all_points() {
        let axis = Axis::over([2e-5, 3.0].into_iter());
        assert_eq!((axis.from, axis.to), (-5, 1));
        assert_eq!((axis.place(1e-5), axis.place(10.0)), (0.0, 1.0));
        // A single point still has an axis.
        let axis = Axis::over([100.0].into_iter());
        assert_eq!((axis.from, axis.to), (2, 3));
        assert!(diagram("error", "work", &[]).is_none());
    }
}
