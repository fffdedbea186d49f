//! Scratch memory of a thread: numbers and stacks of programs for rows that are functions, which a mechanism, shared by threads, cannot hold
//! itself. What was taken is given back where it is dropped, so that evaluations allocate nothing once there is enough.

use crate::expression::{GradientStack, Stack};
use num_dual::HyperDual64;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// Numbers that there is room for at first: second derivatives by the time and seven arguments. What is taken for fewer serves for these later.
const FIRST: usize = 64;
/// Lists that there is room for at first; a row has five at once.
const LISTS: usize = 16;

thread_local! {
    static FREE: RefCell<Vec<Vec<f64>>> = RefCell::new(Vec::with_capacity(LISTS));
    static STACKS: RefCell<(GradientStack, Stack<HyperDual64>)> = RefCell::new((Stack::new(0), Stack::new(0)));
}

/// Numbers that are taken from the thread for a while.
#[derive(Debug)]
pub(super) struct Numbers(Vec<f64>);

impl Numbers {
    /// `count` zeros.
    pub(super) fn zeros(count: usize) -> Self {
        let mut numbers = FREE.with_borrow_mut(Vec::pop).unwrap_or_else(|| Vec::with_capacity(FIRST));
        numbers.clear();
        numbers.resize(count, 0.0);
        Self(numbers)
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        let numbers = std::mem::take(&mut self.0);
        // A thread that ends has no more use for them.
        let _ = FREE.try_with(|free| free.borrow_mut().push(numbers));
    }
}

impl Deref for Numbers {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
}

/// Lends the stacks of the thread for first and for second derivatives.
pub(super) fn with_stacks<T>(evaluate: impl FnOnce(&mut GradientStack, &mut Stack<HyperDual64>) -> T) -> T {
    STACKS.with_borrow_mut(|(first, second)| evaluate(first, second))
}
