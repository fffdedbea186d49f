//! The chart library of the pages: uPlot, to be put into a page as it stands.

/// Its script.
pub const SCRIPT: &str = include_str!("page/uplot.min.js");
/// Its style.
pub const STYLE: &str = include_str!("page/uplot.min.css");
/// Its licence (MIT), which goes with it.
pub const LICENSE: &str = include_str!("page/uplot.LICENSE");
