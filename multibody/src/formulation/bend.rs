//! What the second derivatives of rows that are functions add to dF/dy: lambda F_ab (grad a) (grad b)^T in the force and torque balances. The bodies of
//! two arguments need not be the same.

use super::emit::Sink;
use super::equations::Equations;
use super::plane::Plane;
use crate::constraint::{MAX_ROWS, Row};
use crate::mechanism::{Bend, BoundConstraint, DROPPED, Term};
use crate::space::{Pose, V3};

/// The gradient of an argument by the motion of one body.
#[derive(Clone, Copy)]
struct Side {
    argument: usize,
    body: usize,
    g: V3,
    turn: V3,
    /// Whether it depends on where the centre of mass is.
    moves: bool,
}

/// The sides of all terms but those on the ground, each times its weight.
fn sides<'a>(bound: &'a BoundConstraint, poses: &'a [Pose], ground: usize) -> impl Iterator<Item = Side> + Clone + 'a {
    let both = |term: &Term| {
        let (c, mut rows) = (&term.constraint, [Row::zero(); MAX_ROWS]);
        c.rows(poses, &mut rows);
        let (Row { g, gi, gj, .. }, moves) = (rows[0], c.form.moves(0, 0));
        [(c.i.body, term.weight, gi), (c.j.body, -term.weight, gj)].map(|(body, sign, turn)| Side {
            argument: term.argument,
            body,
            g: g * sign,
            turn: turn * term.weight,
            moves,
        })
    };
    let terms = bound.composed.iter().flat_map(|composed| &composed.terms);
    terms.flat_map(both).filter(move |side| side.body != ground)
}

impl Equations {
    pub(super) fn emit_bend(&self, bound: &BoundConstraint, bend: &Bend, multipliers: &[f64], sink: &mut impl Sink) {
        if bound.rows[0] == DROPPED {
            return;
        }
        let l = self.layout;
        let lambda = multipliers[l.lambda() + bound.rows[0] as usize];
        let sides = sides(bound, &self.poses, l.bodies);
        for row in sides.clone() {
            for column in sides.clone() {
                let factor = lambda * bend.of(row.argument, column.argument);
                let angles = self.eulers[column.body].g.tr_mul(&column.turn);
                for (at, by, _) in [(l.v(row.body), row.g, row.moves), (l.w(row.body), row.turn, true)]
                    .into_iter()
                    .filter(|part| part.2)
                {
                    let by = by * factor;
                    if column.moves {
                        sink.block(at, l.x(column.body), &(by * column.g.transpose()));
                    }
                    sink.block(at, l.e(column.body), &(by * angles.transpose()));
                }
            }
        }
    }

    pub(super) fn emit_bend_in_plane(
        &self,
        plane: &Plane,
        bound: &BoundConstraint,
        bend: &Bend,
        multipliers: &[f64],
        sink: &mut impl Sink,
    ) {
        let l = self.layout;
        let lambda = multipliers[l.lambda() + bound.first];
        let sides = sides(bound, &self.poses, l.bodies);
        let flat = |side: &Side| {
            let [x, y] = plane.within(&side.g);
            [x, y, plane.about(&side.turn)]
        };
        for row in sides.clone() {
            for column in sides.clone() {
                let factor = lambda * bend.of(row.argument, column.argument);
                let rows = [l.v(row.body), l.v(row.body) + 1, l.w(row.body)];
                let columns = [l.x(column.body), l.x(column.body) + 1, l.e(column.body)];
                for (at, by) in rows.into_iter().zip(flat(&row)) {
                    for (to, g) in columns.into_iter().zip(flat(&column)) {
                        sink.add(at, to, factor * by * g);
                    }
                }
            }
        }
    }
}
