//! Work and precision: what each integrator costs for the error that it makes, on problems whose solutions are known.
//!
//! A [`Problem`] is a model file or equations in Rust, with a [`Reference`] of 9 to 18 digits. A [`Study`] follows problems by every
//! integrator and formulation at several tolerances and gives a [`Record`] for each run, with its [`Errors`] and its [`Work`]. Programs of
//! others take part as a [`Partner`]. What is compared is work at equal error ([`at_equal_error`]), never at equal tolerance.
//!
//! ```
//! use fourbar::accuracy::{Problem, Selection, Study};
//!
//! let study = Study { problems: vec![Problem::shipped("chain_N1")?], tolerances: vec![1e-6], repeats: 1, ..Study::default() };
//! let results = study.run(&Selection::default(), &Default::default(), |_| {})?;
//! let best = results.records.iter().filter_map(|record| record.outcome.as_ref().ok());
//! assert!(best.map(|measured| measured.errors.position.unwrap()).fold(1.0, f64::min) < 1e-4);
//! # Ok::<(), fourbar::accuracy::AccuracyError>(())
//! ```
//!
//! In reading order: `references`, `problem`, `shipped`, `ladders`, `equations`; `combination`, `run`, `plain`, `stepped`, `errors`; `record`, `equal`, `summary`, `table`;
//! `question`, `partner`; `html`, `svg`.

mod combination;
mod equal;
mod equations;
mod error;
mod errors;
mod html;
mod ladders;
mod partner;
mod plain;
mod problem;
mod question;
mod record;
mod references;
mod run;
mod shipped;
mod stepped;
mod study;
mod summary;
mod svg;
mod table;

pub use combination::{Combination, Selection};
pub use equal::{AtEqualError, at_equal_error};
pub use error::AccuracyError;
pub use errors::Errors;
pub use html::write_html;
pub use partner::Partner;
pub use problem::Problem;
pub use record::{Control, Machine, Measured, Record, Results, Work};
pub use references::{Column, Quantity, Reference};
pub use shipped::names;
pub use study::Study;
pub use table::{CSV_COLUMNS, write_csv, write_json, write_text};
