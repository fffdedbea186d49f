//! Matrices as comma-separated values and as JSON.

use crate::columns::field;
use fourbar::linear::LinearAnalysis;
use fourbar::lti::{Hold, SampledSystem};
use nalgebra::DMatrix;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// The matrices with their names.
fn named(sampled: &SampledSystem) -> [(&'static str, &DMatrix<f64>); 5] {
    [("A_d", sampled.a()), ("B_d", sampled.b()), ("C_d", sampled.c()), ("D_d", sampled.d()), ("shift", sampled.shift())]
}

pub(super) fn matrices_csv(sampled: &SampledSystem) -> String {
    entries(&named(sampled))
}

/// An entry a line, rows and columns counted from 1.
pub(super) fn entries(matrices: &[(&str, &DMatrix<f64>)]) -> String {
    let mut text = "matrix,row,column,value\n".to_owned();
    for (name, matrix) in matrices {
        for i in 0..matrix.nrows() {
            for j in 0..matrix.ncols() {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{name},{},{},{:?}", i + 1, j + 1, matrix[(i, j)]);
            }
        }
    }
    text
}

pub(super) fn matrices_json(model: &str, analysis: &LinearAnalysis, sampled: &SampledSystem) -> String {
    let mut object = json!({
        "model": model,
        "hold": sampled.hold().name(),
        "step": sampled.step(),
        "inputs": analysis.inputs(),
        "outputs": analysis.outputs(),
    });
    if let Hold::Tustin { prewarped_at: Some(w) } = sampled.hold() {
        object["prewarp"] = json!(w / TAU);
    }
    for (name, matrix) in named(sampled) {
        object[name] = Value::from(rows(matrix));
    }
    format!("{object}\n")
}

/// A matrix with the names of its rows and columns.
type Named<'a> = ((&'a str, &'a DMatrix<f64>), [&'a [&'a str]; 2]);

/// As [`entries`] with the names of rows and columns.
pub(super) fn named_entries(matrices: &[Named<'_>]) -> String {
    let mut text = "matrix,row,column,value,row name,column name\n".to_owned();
    for ((name, matrix), [rows, columns]) in matrices {
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let (row, column) = (field(row), field(column));
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{name},{},{},{:?},{row},{column}", i + 1, j + 1, matrix[(i, j)]);
            }
        }
    }
    text
}

/// A matrix as an array of rows.
pub(super) fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    (0..matrix.nrows()).map(|i| matrix.row(i).iter().copied().collect()).collect()
}
