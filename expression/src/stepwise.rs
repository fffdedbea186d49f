//! How the value of a program changes: not at all, by jumps alone, or continuously.

use super::code::{Binary, Op, Unary};
use super::program::Program;

/// How a value changes in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changes {
    /// It does not.
    Never,
    /// By jumps alone: it is constant between them.
    Stepwise,
    /// In another way.
    Continuously,
}

use Changes::{Never, Stepwise};

impl Changes {
    /// What jumps where this passes some value.
    fn cut(self) -> Self {
        self.min(Stepwise)
    }
}

impl Program {
    /// How the value changes where slot i changes as `of(i)` says: read from the operations, without their values.
    #[must_use]
    pub fn changes(&self, of: impl Fn(usize) -> Changes) -> Changes {
        let mut stack: Vec<Changes> = Vec::with_capacity(self.depth());
        // Conditions whose first branch is open, and ends of second branches with the first and the condition.
        let (mut conditions, mut ends) = (Vec::new(), Vec::new());
        for (index, &op) in self.code.iter().enumerate() {
            while let Some((_, both)) = ends.pop_if(|(end, _)| *end == index) {
                join(&mut stack, both);
            }
            match op {
                Op::Load(slot) => stack.push(of(slot)),
                Op::Branch { .. } => conditions.push(stack.pop().unwrap_or(Never)),
                Op::Jump(end) => {
                    let condition = conditions.pop().unwrap_or(Never).cut();
                    ends.push((end, condition.max(stack.pop().unwrap_or(Never))));
                }
                op => {
                    let kept = stack.len().saturating_sub(op.arguments());
                    let most = stack.drain(kept..).max().unwrap_or(Never);
                    stack.push(if cuts(op) { most.cut() } else { most });
                }
            }
        }
        while let Some((_, both)) = ends.pop() {
            join(&mut stack, both);
        }
        stack.pop().unwrap_or(Never)
    }
}

/// The second branch lies on the stack; `both` is what the first and the condition do.
fn join(stack: &mut Vec<Changes>, both: Changes) {
    let second = stack.pop().unwrap_or(Never);
    stack.push(both.max(second));
}

/// Whether the result of an operation is constant between jumps, whatever its arguments do.
fn cuts(op: Op) -> bool {
    match op {
        Op::Unary(function) => {
            matches!(function, Unary::Not | Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Truncate | Unary::Round)
        }
        Op::Binary(function) => matches!(function, Binary::And | Binary::Or | Binary::Compare(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Changes::Continuously;
    use super::*;
    use crate::{Binding, Expression};

    #[test]
    fn jumps_alone_are_told_from_what_moves() {
        let table = [
            ("3*2", Never),
            ("t", Continuously),
            ("floor(10*t)", Stepwise),
            ("2*floor(t) + anint(t/3)", Stepwise),
            ("if(t < 1, 0, 5)", Stepwise),
            ("if(t < 1, 0, if(t < 2, 3, floor(t)))", Stepwise),
            ("if(t < 1, 0, t)", Continuously),
            ("if(t < 1, t, 0)", Continuously),
            ("if(2 < 1, 4, 0)", Never),
            ("t > 0.5", Stepwise),
            ("sign(t - 1)*sqrt(floor(t))", Stepwise),
            ("mod(t, 1)", Continuously),
            ("t - mod(t, 1)", Continuously),
            ("n", Stepwise),
            ("2*n + 1", Stepwise),
            ("n*t", Continuously),
            ("min(n, 3)", Stepwise),
        ];
        for (text, expected) in table {
            let resolve = &mut |name: &str| ["t", "n"].iter().position(|known| *known == name).map(Binding::Slot);
            let program = Expression::parse(text).unwrap().bind(resolve).unwrap();
            assert_eq!(program.changes(|slot| if slot == 0 { Continuously } else { Stepwise }), expected, "{text}");
        }
    }
}
