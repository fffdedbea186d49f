//! Results: rows of numbers as CSV, and whole runs of model files with their tables, summaries and reports.

mod bodies;
pub mod csv;
pub mod of_model;
pub mod options;
pub mod run;
pub mod writing;
