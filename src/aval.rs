//! Abstract values: what is known of an array without its elements.

use crate::dtype::DType;
use crate::shape::{Shape, numel};
use alloc::{format, string::String, string::ToString, vec::Vec};
use core::fmt;

/// Shape, dtype and weakness of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Aval {
    /// Axis sizes.
    pub shape: Shape,
    /// Element type.
    pub dtype: DType,
    /// Weakly typed: came from a language scalar, yields to strong types in promotion.
    pub weak: bool,
}

impl Aval {
    /// A strongly typed abstract array.
    pub fn new(shape: &[usize], dtype: DType) -> Aval {
        Aval {
            shape: Shape::from_slice(shape),
            dtype,
            weak: false,
        }
    }

    /// The same with the given weakness.
    pub fn with_weak(mut self, weak: bool) -> Aval {
        self.weak = weak;
        self
    }

    /// The same with another shape.
    pub fn with_shape(&self, shape: &[usize]) -> Aval {
        Aval {
            shape: Shape::from_slice(shape),
            ..self.clone()
        }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements (saturating).
    pub fn numel(&self) -> usize {
        numel(&self.shape)
    }

    /// Bytes of storage (saturating).
    pub fn bytes(&self) -> usize {
        self.numel().saturating_mul(self.dtype.size())
    }

    /// The aval of this array's tangents and cotangents.
    pub fn tangent(&self) -> Aval {
        Aval {
            shape: self.shape.clone(),
            dtype: self.dtype.tangent(),
            weak: self.weak && self.dtype.is_float(),
        }
    }

    /// The same without its leading axis.
    ///
    /// # Panics
    /// On a scalar; callers hold a mapped or scanned array.
    pub fn without_axis0(&self) -> Aval {
        Aval {
            shape: Shape::from_slice(&self.shape[1..]),
            ..self.clone()
        }
    }

    /// The same with a leading axis of size `n`.
    pub fn with_axis0(&self, n: usize) -> Aval {
        let mut shape = self.shape.clone();
        shape.insert(0, n);
        Aval {
            shape,
            ..self.clone()
        }
    }

    /// `float32[2,3]`: the form of error messages.
    pub fn long(&self) -> String {
        format!("{}{}", self.dtype, self.dims())
    }

    fn dims(&self) -> String {
        let dims: Vec<_> = self.shape.iter().map(usize::to_string).collect();
        format!("[{}]", dims.join(","))
    }
}

/// `f32[2,3]`: the form of jaxprs.
impl fmt::Display for Aval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype.short(), self.dims())
    }
}
