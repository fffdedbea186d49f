//! The chart library of the pages, uPlot, to be put into a page as it stands, and the plots with tools that are drawn by it.

/// Its script.
pub const SCRIPT: &str = include_str!("page/uplot.min.js");
/// Its style.
pub const STYLE: &str = include_str!("page/uplot.min.css");
/// Its licence (MIT), which goes with it.
pub const LICENSE: &str = include_str!("page/uplot.LICENSE");

/// Plots with units, spectra, cursors and export, drawn by [`SCRIPT`], which comes before: a script whose names all others see.
pub const PLOTS: &str = concat!(
    include_str!("page/words.js"),
    include_str!("page/units.js"),
    include_str!("page/spectrum.js"),
    include_str!("page/picture.js"),
    include_str!("page/theme.js"),
    include_str!("page/cursor.js"),
    include_str!("page/plot.js"),
    include_str!("page/tools.js"),
);
/// Their style.
pub const PLOTS_STYLE: &str = include_str!("page/plots.css");

/// three.js with what the view of bodies in motion uses of it, deflated (RFC 1950): a script that makes the name `THREE`.
pub const THREE_DEFLATED: &[u8] = include_bytes!("page/three.deflate");
/// Its licence (MIT), which goes with it.
pub const THREE_LICENSE: &str = include_str!("page/three.LICENSE");
/// The view of bodies in motion, drawn by `THREE`, which it asks for when it is needed: a script whose names all others see, behind [`PLOTS`].
pub const VIEW: &str = concat!(
    include_str!("page/driven.js"),
    include_str!("page/inks.js"),
    include_str!("page/survey.js"),
    include_str!("page/stage.js"),
    include_str!("page/cameraman.js"),
    include_str!("page/traces.js"),
    include_str!("page/playing.js"),
    include_str!("page/view.js"),
);
/// What the view needs besides for modes.
pub const MODES: &str = include_str!("page/modes.js");
/// Its style.
pub const VIEW_STYLE: &str = include_str!("page/view.css");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Two declarations of one name stop a page, and only a browser would tell.
    #[test]
    fn scripts_that_share_a_page_declare_each_name_once() {
        let pages = [include_str!("page/report.js"), include_str!("page/analysis.js")];
        let shared = [PLOTS, VIEW, MODES, include_str!("page/runs.js"), include_str!("page/common.js")];
        for page in pages {
            let mut names = BTreeSet::new();
            for line in shared.into_iter().chain([page]).flat_map(str::lines) {
                let mut words = line.split([' ', '(', '=', ';']);
                let declares = matches!(words.next(), Some("const" | "let" | "class" | "function"));
                if let Some(name) = words.next().filter(|name| declares && !name.starts_with(['{', '['])) {
                    assert!(names.insert(name), "{name} is declared twice");
                }
            }
            assert!(names.len() > 100, "{}", names.len());
        }
    }
}
