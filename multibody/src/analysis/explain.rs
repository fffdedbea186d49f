//! Errors of linear solves, told in the words of the model.

use crate::error::Error;
use crate::mechanism::Mechanism;
use fourbar_linalg::Error as LinearError;

/// Turns an error of a saddle-point solve into one that names bodies and constraint rows. `rows` are numbered as in Phi.
pub(crate) fn named(
    mechanism: &Mechanism,
    analysis: &'static str,
    time: f64,
    source: LinearError,
    all_rows: bool,
) -> Error {
    let n = 6 * mechanism.bodies.len();
    let name = |k: usize| {
        if k < n {
            const AXES: [&str; 6] = ["x", "y", "z", "rotation about x", "rotation about y", "rotation about z"];
            format!("{} {}", mechanism.known_body(k / 6), AXES[k % 6])
        } else if all_rows {
            let (bound, row) = mechanism.all_row(k - n);
            mechanism.describe(bound, row)
        } else {
            mechanism.row_name(k - n)
        }
    };
    match source {
        LinearError::Singular { row, column, .. } => Error::Singular {
            analysis,
            time,
            place: match (name(row), name(column)) {
                (row, column) if row == column => row,
                (row, column) => format!("{row} / {column}"),
            },
            remedy: "give the bodies there mass and inertia or joints that hold them, and look for a singular position of the mechanism"
                .to_owned(),
        },
        // A constraint without a gradient stands in its row, or in its column of the symmetric matrix.
        LinearError::NotFinite { row, column, .. } if row.max(column) >= n => Error::Singular {
            analysis,
            time,
            place: name(row.max(column)),
            remedy: "it has no gradient there: points that coincide, curves that are parallel or cross, or an expression that is not finite; draw \
                     the bodies where it has one"
                .to_owned(),
        },
        source => Error::Linear { analysis, time, source },
    }
}
