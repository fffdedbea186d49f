//! Runs operations on a stack.
use super::code::{Binary, Op, Unary};
use super::elementary as f;
use super::scalar::Scalar;
use super::series;
use super::spline::Surface;
use std::sync::Arc;

/// Who sees the conditions of a run, and may keep them to one side.
pub(super) trait Watcher {
    /// The value of the operation of index `op`.
    fn unary<T: Scalar>(&mut self, op: usize, function: Unary, x: T) -> T;
    /// The value of the operation of index `op`.
    fn binary<T: Scalar>(&mut self, op: usize, function: Binary, a: T, b: T) -> T;
    /// Arguments at whose zeros the operation of index `op` bends.
    fn see(&mut self, op: usize, arguments: [f64; 2]);
}

/// Nobody watches.
pub(super) struct Free;

impl Watcher for Free {
    #[inline]
    fn unary<T: Scalar>(&mut self, _: usize, function: Unary, x: T) -> T {
        f::unary(function, x)
    }
    #[inline]
    fn binary<T: Scalar>(&mut self, _: usize, function: Binary, a: T, b: T) -> T {
        binary(function, a, b)
    }
    #[inline]
    fn see(&mut self, _: usize, _: [f64; 2]) {}
}

/// Runs `code` on a stack that is as long as the code is deep; `read` gives the value of a slot, `surfaces` are its splines.
///
/// Allocates nothing: values live in `stack`, and the operations hold plain numbers.
#[inline]
pub(super) fn execute<T: Scalar>(
    code: &[Op],
    surfaces: &[Arc<Surface>],
    read: impl Fn(usize) -> T,
    stack: &mut [T],
    watcher: &mut impl Watcher,
) -> T {
    let mut next = 0;
    // The number of values on the stack.
    let mut top = 0;
    while let Some(&op) = code.get(next) {
        next += 1;
        match op {
            Op::Constant(value) => {
                stack[top] = T::from(value);
                top += 1;
            }
            Op::Load(slot) => {
                stack[top] = read(slot);
                top += 1;
            }
            Op::Circular(function) => stack[top - 1] = f::circular(function, stack[top - 1]),
            Op::Unary(function) => stack[top - 1] = watcher.unary(next - 1, function, stack[top - 1]),
            // What most programs consist of has neither conditions nor calls.
            Op::Binary(Binary::Add) => {
                top -= 1;
                stack[top - 1] += stack[top];
            }
            Op::Binary(Binary::Subtract) => {
                top -= 1;
                stack[top - 1] -= stack[top];
            }
            Op::Binary(Binary::Multiply) => {
                top -= 1;
                stack[top - 1] *= stack[top];
            }
            Op::PowerConstant(n) => stack[top - 1] = f::power_constant(stack[top - 1], n),
            Op::Binary(function) => {
                top -= 1;
                stack[top - 1] = watcher.binary(next - 1, function, stack[top - 1], stack[top]);
            }
            Op::Blend(shape) => {
                top -= 4;
                let x = stack[top - 1].re();
                watcher.see(next - 1, [x - stack[top].re(), x - stack[top + 2].re()]);
                stack[top - 1] = f::blend(shape, from(stack, top - 1));
            }
            Op::Harmonic => {
                top -= 5;
                stack[top - 1] = f::harmonic(from(stack, top - 1));
            }
            Op::Impact => {
                top -= 6;
                watcher.see(next - 1, [stack[top - 1].re() - stack[top + 1].re(), 0.0]);
                stack[top - 1] = f::impact(from(stack, top - 1));
            }
            Op::TwoStops => {
                top -= 7;
                let x = stack[top - 1].re();
                watcher.see(next - 1, [x - stack[top + 1].re(), x - stack[top + 2].re()]);
                stack[top - 1] = f::two_stops(from(stack, top - 1));
            }
            Op::Sweep => {
                top -= 6;
                let x = stack[top - 1].re();
                watcher.see(next - 1, [x - stack[top + 1].re(), x - stack[top + 3].re()]);
                stack[top - 1] = series::sweep(from(stack, top - 1));
            }
            Op::Series(kind, count) => {
                let first = top - count - kind.leading();
                let (leading, coefficients) = stack[first..top].split_at(kind.leading());
                stack[first] = series::series(kind, leading, coefficients);
                top = first + 1;
            }
            Op::Spline { index, order, family: false } => {
                stack[top - 1] = surfaces[index].curve(stack[top - 1], order);
            }
            Op::Spline { index, order, family: true } => {
                top -= 1;
                stack[top - 1] = surfaces[index].surface(stack[top - 1], stack[top], order);
            }
            Op::Branch { otherwise, end } => {
                top -= 1;
                let condition = stack[top].re();
                if condition.is_nan() {
                    stack[top] = T::from(f64::NAN);
                    top += 1;
                    next = end;
                } else if condition == 0.0 {
                    next = otherwise;
                }
            }
            Op::Jump(target) => next = target,
        }
    }
    stack[0]
}

/// The `N` values from index `first` on.
#[inline]
fn from<T: Copy, const N: usize>(stack: &[T], first: usize) -> [T; N] {
    std::array::from_fn(|index| stack[first + index])
}

#[inline]
pub(super) fn binary<T: Scalar>(function: Binary, a: T, b: T) -> T {
    match function {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => f::quotient(a, b),
        Binary::Power => f::power(a, b),
        Binary::Min => f::min(a, b),
        Binary::Max => f::max(a, b),
        Binary::And => f::truth([a.re(), b.re()], |a, b| a != 0.0 && b != 0.0),
        Binary::Or => f::truth([a.re(), b.re()], |a, b| a != 0.0 || b != 0.0),
        Binary::Compare(comparison) => f::compare(comparison, a, b),
        Binary::Atan2 => f::atan2(a, b),
        Binary::Hypot => f::hypot(a, b),
        Binary::Modulo => f::modulo(a, b),
    }
}
