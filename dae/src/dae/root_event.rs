//! Sign changes of root functions.

use fourbar_linalg::stored;

/// A root function that changed its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RootEvent {
    /// Which one.
    pub index: usize,
    /// Which way.
    pub direction: Direction,
}

/// Direction of a sign change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From negative to positive.
    #[default]
    Rising,
    /// From positive to negative.
    Falling,
}

stored!(struct RootEvent { index, direction });
stored!(
    enum Direction {
        Rising = 0,
        Falling = 1,
    }
);
