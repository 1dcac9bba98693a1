//! Element types and JAX's promotion lattice.

use core::fmt;

/// The element type of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DType {
    /// One byte, 0 or 1.
    Bool,
    /// Signed 32-bit integer, wrapping.
    I32,
    /// Unsigned 32-bit integer, wrapping.
    U32,
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision; only reachable when x64 is on.
    F64,
    /// The tangent type of integers and booleans: no information, zero bytes an element.
    Float0,
    /// A random key: the eight bytes of two unsigned integers. Only moved about, never computed with.
    Key,
}

use DType::*;

impl DType {
    /// Every dtype a program can name, in the lattice's order.
    pub const ALL: [DType; 5] = [Bool, I32, U32, F32, F64];

    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            Bool => 1,
            I32 | U32 | F32 => 4,
            F64 | Key => 8,
            Float0 => 0,
        }
    }

    /// NumPy's name: `float32`.
    pub const fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I32 => "int32",
            U32 => "uint32",
            F32 => "float32",
            F64 => "float64",
            Float0 => "float0",
            Key => "key<fry>",
        }
    }

    /// The name used in jaxprs: `f32`.
    pub const fn short(self) -> &'static str {
        match self {
            Bool => "bool",
            I32 => "i32",
            U32 => "u32",
            F32 => "f32",
            F64 => "f64",
            Float0 => "float0",
            Key => "key<fry>",
        }
    }

    /// Reads a NumPy or JAX name (`"float32"`, `"int"`, `"bool_"`). 64-bit names become 32-bit
    /// ones unless `x64`, as JAX does. `None` for an unknown name.
    pub fn parse(name: &str, x64: bool) -> Option<DType> {
        Some(match name {
            "bool" | "bool_" => Bool,
            "int32" | "i32" | "i4" | "int64" | "int" | "i8" => I32,
            "uint32" | "u32" | "u4" | "uint64" | "uint" | "u8" => U32,
            "float32" | "f32" | "f4" => F32,
            "float64" | "f64" | "f8" | "float" | "double" => {
                if x64 {
                    F64
                } else {
                    F32
                }
            }
            "float0" => Float0,
            _ => return None,
        })
    }

    /// float32 or float64.
    pub const fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    /// int32 or uint32.
    pub const fn is_int(self) -> bool {
        matches!(self, I32 | U32)
    }

    /// The dtype of this dtype's tangents: itself for floats, float0 for the rest.
    pub const fn tangent(self) -> DType {
        if self.is_float() { self } else { Float0 }
    }

    /// The default float: float64 under x64, else float32.
    pub const fn default_float(x64: bool) -> DType {
        if x64 { F64 } else { F32 }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A dtype together with its weakness: Python and JavaScript scalars are weak and yield to arrays.
pub type Typed = (DType, bool);

/// Joins dtypes along JAX's type-promotion lattice
/// (<https://docs.jax.dev/en/latest/type_promotion.html>): bool < int* < {uint32, int32} < float* <
/// float32 < float64, where `*` marks weak types. The result is weak only if every operand is.
pub fn promote(types: impl IntoIterator<Item = Typed>, x64: bool) -> Typed {
    types
        .into_iter()
        .reduce(|a, b| promote2(a, b, x64))
        .unwrap_or((F32, true))
}

fn promote2(a: Typed, b: Typed, x64: bool) -> Typed {
    if a == b {
        return a;
    }
    let ((low, low_weak), (high, high_weak)) = if rank(a) <= rank(b) { (a, b) } else { (b, a) };
    if low == high {
        return (low, low_weak && high_weak);
    }
    match (low, high) {
        // Without a 64-bit integer the join of int32 and uint32 is JAX's int64 truncated: int32.
        (I32, U32) if !low_weak && !high_weak => (I32, false),
        // A weak float meets a strong integer: the result stays weak float of the default width.
        (Bool | I32 | U32, F32 | F64) if high_weak => (if x64 { F64 } else { F32 }, true),
        _ => (high, high_weak),
    }
}

/// Position in a linear extension of the lattice; a tie means the dtypes are equal.
fn rank((dtype, weak): Typed) -> u8 {
    match (dtype, weak) {
        (Float0, _) => 0,
        (Bool, _) => 1,
        (I32, true) => 2,
        (U32, true) => 3,
        (I32, false) => 4,
        (U32, false) => 5,
        (F32, true) => 6,
        (F64, true) => 7,
        (F32, false) => 8,
        (F64, false) => 9,
        (Key, _) => 10,
    }
}
