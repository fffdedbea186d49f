//! Bytes as the arguments of calls: numbers that are often awkward, lengths that are sometimes wrong, pointers that are sometimes NULL.

use std::ffi::{CStr, c_char};

/// Numbers at which something tends to go wrong.
const NUMBERS: [f64; 16] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 1e-3, 0.01, 3.0, -7.0, 1e3, 1e12, 1e-12, 1e300, -1e300, f64::NAN, f64::INFINITY];

/// Room of every array that is passed.
pub const ROOM: usize = 512;

pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.byte() as usize % n.max(1)
    }

    /// True in one of eight cases.
    pub fn rarely(&mut self) -> bool {
        self.byte() % 8 == 7
    }

    pub fn number(&mut self) -> f64 {
        match self.byte() {
            // Mostly tame, so that calls succeed and lead somewhere.
            byte @ 0..=199 => f64::from(byte) / 100.0 - 0.5,
            byte => NUMBERS[byte as usize % NUMBERS.len()],
        }
    }

    /// A step of a size that comes to an end.
    pub fn step(&mut self) -> f64 {
        match self.byte() {
            byte @ 0..=223 => f64::from(byte) * 1e-3,
            byte => NUMBERS[byte as usize % NUMBERS.len()].min(1.0),
        }
    }

    pub fn numbers(&mut self, count: usize) -> [f64; ROOM] {
        let mut values = [0.0; ROOM];
        values[..count.min(ROOM)].fill_with(|| self.number());
        values
    }

    /// `right`, or now and then another length that there is room for.
    pub fn length(&mut self, right: usize) -> usize {
        if self.rarely() { self.below(ROOM.min(64)) } else { right.min(ROOM) }
    }

    pub fn pointer<T>(&mut self, values: &[T]) -> *const T {
        if self.rarely() { std::ptr::null() } else { values.as_ptr() }
    }

    pub fn pointer_mut<T>(&mut self, values: &mut [T]) -> *mut T {
        if self.rarely() { std::ptr::null_mut() } else { values.as_mut_ptr() }
    }

    pub fn out<T>(&mut self, value: &mut T) -> *mut T {
        if self.rarely() { std::ptr::null_mut() } else { value }
    }

    pub fn text(&mut self, among: &[&'static CStr]) -> *const c_char {
        if self.rarely() { std::ptr::null() } else { among[self.below(among.len())].as_ptr() }
    }

    pub fn choice(&mut self, largest: i32) -> i32 {
        if self.rarely() { i32::from(self.byte()) - 100 } else { self.below(largest as usize + 1) as i32 }
    }
}
