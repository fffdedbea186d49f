//! Pages of analyses: curves over time or frequency, tables, a root locus, and modes that move. As a report each carries all that it needs.

use super::report::{Rows, plots, write_page};
use super::{Animation, Column, Table};
use crate::observer::Observer as _;
use serde::Serialize;
use std::io::{self, Write};

const SCRIPT: &str = include_str!("page/analysis.js");

/// A page of an analysis.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AnalysisPage {
    /// Version of the library.
    version: &'static str,
    /// Name of the model.
    pub title: String,
    /// What the model shows, and what was done.
    pub lead: String,
    /// Why the analysis ended early.
    pub error: Option<String>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// Modes as drawings.
    pub drawings: Vec<Drawing>,
    /// Curves.
    pub charts: Vec<Chart>,
    /// A root locus.
    pub locus: Option<Locus>,
    /// A table: headings and rows.
    pub table: Option<(String, Vec<String>, Vec<Vec<f64>>)>,
    /// Name and value.
    pub settings: Vec<(String, String)>,
    /// The bodies in motion.
    #[serde(skip)]
    pub animation: Option<Animation>,
}

/// Curves of one unit over a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// Title, or nothing.
    pub title: String,
    /// Name of the variable with its unit, and whether its axis is logarithmic.
    pub across: (String, bool),
    /// Unit of the curves.
    pub unit: String,
    /// Whether their axis is logarithmic.
    pub log: bool,
    /// Values of the variable, ascending.
    pub places: Vec<f64>,
    /// Name and values of each curve.
    pub curves: Vec<(String, Vec<f64>)>,
    /// Of each curve, what its values amount to that are round-off, which is shown as zero.
    pub noise: Vec<f64>,
}

/// A mode: lines through points of bodies, `[x, y, z]` and the complex amplitude of their ways, real and imaginary parts \[m\].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawing {
    /// What it is.
    pub title: String,
    /// The lines; a body's name, or nothing, and points of nine numbers.
    pub lines: Vec<(String, Vec<[f64; 9]>)>,
}

/// Poles over the values of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Locus {
    /// Name of the parameter; nothing for the poles at one of its values.
    pub parameter: String,
    /// Its value, and real and imaginary part of a pole \[1/s\].
    pub points: Vec<[f64; 3]>,
}

impl AnalysisPage {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str, lead: String) -> Self {
        Self { version: env!("CARGO_PKG_VERSION"), title: title.to_owned(), lead, ..Self::default() }
    }

    /// Adds charts of `rows` over their first column, by unit and magnitude; headings have the unit in brackets.
    pub fn add_curves(&mut self, columns: &[String], rows: &[Vec<f64>]) {
        let split = |heading: &String| match heading.rsplit_once(" [") {
            Some((name, unit)) => Column { name: name.to_owned(), unit: unit.trim_end_matches(']').to_owned() },
            None => Column { name: heading.clone(), unit: String::new() },
        };
        let Some((across, columns)) = columns.split_first() else { return };
        let mut table = Table::default();
        // A table in memory takes what it is given.
        let _ = table.begin(&columns.iter().map(split).collect::<Vec<_>>());
        for (first, rest) in rows.iter().filter_map(|row| row.split_first()) {
            let _ = table.output(*first, rest);
        }
        let thin = Rows::of(rows.len());
        let places = thin.thin(table.times().iter().copied());
        for plot in plots(&table, thin, across.ends_with(" [s]"), None) {
            let noise = plot.curves.iter().map(|curve| curve.noise).collect();
            let curves = plot.curves.into_iter().map(|curve| (curve.name.to_owned(), curve.values)).collect();
            self.charts.push(Chart {
                title: String::new(),
                across: (across.clone(), false),
                unit: plot.unit.to_owned(),
                log: false,
                places: places.clone(),
                curves,
                noise,
            });
        }
    }

    /// Writes the page to `sink`.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn write(&self, sink: impl Write) -> io::Result<()> {
        write_page(sink, &self.title, self, SCRIPT, "", self.animation.as_ref())
    }
}
