//! Where the derivatives of the components go in the matrix dF/dy + c dF/dy'.

use crate::circuit::plan::{Layout, Node, Part, Place, Row, Term, Variable};
use fourbar_expression::Program;
use nalgebra_sparse::pattern::SparsityPattern;
use std::collections::BTreeSet;

/// Gives each part its rows and terms, and returns the pattern with the places of the diagonal.
pub(super) fn lay_out(
    nodes: &[Node],
    parts: &mut [Part],
    signals: &[Program],
    inputs: usize,
    dimension: usize,
) -> Layout {
    let gradient_starts = starts(signals);
    // Slots are the time, the inputs, the unknowns.
    let first_slot = 1 + inputs;
    let mut entries: BTreeSet<(usize, usize)> = (0..dimension).map(|i| (i, i)).collect();
    for part in parts.iter_mut() {
        part.rows = rows(part, nodes);
        let columns = part.variables.iter().enumerate().flat_map(|(variable, kind)| match *kind {
            Variable::Unknown(column) => vec![(variable, column, None)],
            Variable::Input(_) | Variable::Wave(_) | Variable::Steady => vec![],
            Variable::Signal(signal) => {
                let slots = signals[signal].slots().iter().enumerate();
                let unknowns = slots.filter(|(_, slot)| **slot >= first_slot);
                unknowns.map(|(k, slot)| (variable, slot - first_slot, Some(gradient_starts[signal] + k))).collect()
            }
        });
        let terms = columns.map(|(variable, column, partial)| Term { variable, partial, column, places: vec![] });
        part.terms = terms.collect();
        for term in &part.terms {
            entries.extend(part.rows.iter().map(|row| (term.column, row.equation())));
        }
    }
    let sorted: Vec<(usize, usize)> = entries.into_iter().collect();
    let place = |column: usize, row: usize| sorted.partition_point(|entry| *entry < (column, row));
    for part in parts {
        for term in &mut part.terms {
            term.places = part.rows.iter().map(|row| place(term.column, row.equation())).collect();
        }
    }
    let offsets = (0..=dimension).map(|column| place(column, 0)).collect();
    let rows = sorted.iter().map(|(_, row)| *row).collect();
    let pattern = SparsityPattern::try_from_offsets_and_indices(dimension, dimension, offsets, rows)
        .expect("entries sorted by column and row, each once");
    let diagonal = (0..dimension).map(|i| place(i, i)).collect();
    Layout { pattern, diagonal, gradient_starts }
}

/// Where the partial derivatives of each signal begin, and their number at the end.
fn starts(signals: &[Program]) -> Vec<usize> {
    let mut total = 0;
    let mut starts = vec![0];
    for signal in signals {
        total += signal.slots().len();
        starts.push(total);
    }
    starts
}

/// The equations a part contributes to.
fn rows(part: &Part, nodes: &[Node]) -> Vec<Row> {
    let ports = part.ports.iter().enumerate().filter_map(|(port, &node)| match nodes[node].place {
        Place::Unknown(equation) => Some(Row::Node { port, node, equation }),
        Place::Held(_) => None,
    });
    let states = (0..part.states).map(|state| Row::State { state, equation: part.first_state + state });
    ports.chain(states).collect()
}
