//! Runs operations on a stack.
use super::code::Op;
use super::elementary as f;
use super::scalar::Scalar;

/// Runs `code` on a stack that is as long as the code is deep; `read` gives the value of a slot.
///
/// Allocates nothing: values live in `stack`, and the operations hold plain numbers.
#[inline]
pub(super) fn execute<T: Scalar>(code: &[Op], read: impl Fn(usize) -> T, stack: &mut [T]) -> T {
    let mut next = 0;
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
            _ => top = apply(op, stack, top),
        }
    }
    stack[0]
}

/// Replaces the arguments of `op` on the stack by its value; returns the new number of values.
#[inline]
fn apply<T: Scalar>(op: Op, stack: &mut [T], top: usize) -> usize {
    let last = top - 1;
    match op {
        Op::Negate => stack[last] = -stack[last],
        Op::Not => stack[last] = f::truth([stack[last].re(), 0.0], |a, _| a == 0.0),
        Op::Unary(function) => stack[last] = f::unary(function, stack[last]),
        Op::PowerConstant(n) => stack[last] = f::power_constant(stack[last], n),
        Op::Blend(_) | Op::Harmonic | Op::Polynomial(_) => return apply_many(op, stack, top),
        _ => {
            let first = last - 1;
            stack[first] = binary(op, stack[first], stack[last]);
            return last;
        }
    }
    top
}

/// Operations on two values.
#[inline]
fn binary<T: Scalar>(op: Op, a: T, b: T) -> T {
    match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => f::quotient(a, b),
        Op::Power => f::power(a, b),
        Op::Min => f::min(a, b),
        Op::Max => f::max(a, b),
        Op::And => f::truth([a.re(), b.re()], |a, b| a != 0.0 && b != 0.0),
        Op::Or => f::truth([a.re(), b.re()], |a, b| a != 0.0 || b != 0.0),
        Op::Compare(comparison) => f::compare(comparison, a, b),
        Op::Atan2 => f::atan2(a, b),
        Op::Hypot => f::hypot(a, b),
        _ => f::modulo(a, b),
    }
}

/// Operations on five and more values.
fn apply_many<T: Scalar>(op: Op, stack: &mut [T], top: usize) -> usize {
    let (first, value) = match (op, &stack[..top]) {
        (Op::Blend(shape), [rest @ .., x, x0, y0, x1, y1]) => {
            (rest.len(), f::blend(shape, [*x, *x0, *y0, *x1, *y1]))
        }
        (Op::Polynomial(count), values) => {
            let (rest, coefficients) = values.split_at(top - count);
            let first = rest.len() - 2;
            let value = f::polynomial(rest[first], rest[first + 1], coefficients);
            (first, value)
        }
        (_, [rest @ .., x, x0, amplitude, omega, phase, offset]) => {
            let arguments = [*x, *x0, *amplitude, *omega, *phase, *offset];
            (rest.len(), f::harmonic(arguments))
        }
        (_, values) => (values.len() - 1, T::from(f64::NAN)),
    };
    stack[first] = value;
    first + 1
}
