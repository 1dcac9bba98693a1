//! Where in the user's source something was written. The engine carries a small id; the front-end
//! that rewrote the program owns the table from ids to lines and columns.

use core::fmt;

/// A call site in the user's program: an index into the front-end's table, 0 when unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Site(pub u32);

impl Site {
    /// No known place.
    pub const UNKNOWN: Site = Site(0);
    /// Whether a place is known.
    pub fn is_known(self) -> bool {
        self.0 != 0
    }
}

/// A range of source text: 1-based, columns in UTF-16 units, the end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub struct Span {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
