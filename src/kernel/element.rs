//! What kernels can be asked for: element types and the error of asking for what does not exist.

/// The type of an array's elements, as kernels distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `u8` holding 0 or 1
    Bool,
}

impl Kind {
    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            Kind::F32 | Kind::I32 | Kind::U32 => 4,
            Kind::F64 => 8,
            Kind::Bool => 1,
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is a [`Kind`]. `u8` stands for bool.
pub trait Element: Copy + Default + PartialEq + PartialOrd + 'static + sealed::Sealed {
    /// Which one.
    const KIND: Kind;
}

macro_rules! elements {
    ($($t:ty, $kind:ident;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
elements! { f32, F32; f64, F64; i32, I32; u32, U32; u8, Bool; }

/// The function is not defined on this element type. Shape rules rule this out beforehand; a kernel
/// that is asked all the same does nothing and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported;
