//! What rules write: `cx.mul(a, b)`. Thin wrappers that bind a primitive under the current
//! interpreter; operands must already agree in dtype.

use super::arithmetic::{ADD, ADD_ANY, DIV, MAX, MIN, MUL, NEG, SUB};
use super::elementwise::{Binary, BinaryDef, Unary, UnaryDef};
use super::movement::{BroadcastInDim, Reshape};
use super::rule::Ctx;
use crate::array::Array;
use crate::aval::Aval;
use crate::error::Result;
use crate::shape::Shape;
use crate::value::Value;
use alloc::vec::Vec;

impl Ctx {
    /// Binds a one-operand element-wise primitive.
    pub fn unary(&self, def: &'static UnaryDef, x: &Value) -> Result<Value> {
        self.bind1(&Unary(def), core::slice::from_ref(x))
    }

    /// Binds a two-operand element-wise primitive.
    pub fn binary(&self, def: &'static BinaryDef, x: &Value, y: &Value) -> Result<Value> {
        self.bind1(&Binary(def), &[x.clone(), y.clone()])
    }

    /// `x + y`
    pub fn add(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&ADD, x, y)
    }

    /// `x - y`
    pub fn sub(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&SUB, x, y)
    }

    /// `x * y`
    pub fn mul(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&MUL, x, y)
    }

    /// `x / y`
    pub fn div(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&DIV, x, y)
    }

    /// `-x`
    pub fn neg(&self, x: &Value) -> Result<Value> {
        self.unary(&NEG, x)
    }

    /// The larger of both.
    pub fn max(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&MAX, x, y)
    }

    /// The smaller of both.
    pub fn min(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&MIN, x, y)
    }

    /// Sums two cotangents of one value.
    pub fn add_any(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&ADD_ANY, x, y)
    }

    /// A scalar constant of `like`'s dtype: it broadcasts against any shape. Weak beside a weak
    /// scalar, as in JAX.
    pub fn lit(&self, value: f64, like: &Value) -> Result<Value> {
        let weak = like.aval().weak && like.rank() == 0;
        Ok(Array::scalar(value, like.dtype(), weak)?.into())
    }

    /// The scalar 1 of `like`'s dtype and weakness.
    pub fn one(&self, like: &Value) -> Result<Value> {
        Ok(Array::scalar(1.0, like.dtype(), like.aval().weak)?.into())
    }

    /// The same elements in another shape; nothing to do where it fits already.
    pub fn reshape(&self, x: &Value, shape: &[usize]) -> Result<Value> {
        if x.shape() == shape {
            return Ok(x.clone());
        }
        self.bind1(
            &Reshape {
                new_sizes: Shape::from_slice(shape),
            },
            core::slice::from_ref(x),
        )
    }

    /// Places operand axis `i` at result axis `dims[i]` and repeats along the others.
    pub fn broadcast_in_dim(&self, x: &Value, shape: &[usize], dims: &[usize]) -> Result<Value> {
        let op = BroadcastInDim {
            shape: Shape::from_slice(shape),
            broadcast_dimensions: Shape::from_slice(dims),
        };
        self.bind1(&op, core::slice::from_ref(x))
    }

    /// Repeats a scalar, or an array with size-1 axes, to `shape`; identity where it fits already.
    /// Axes that repeat are dropped first, as JAX does.
    pub fn broadcast_like(&self, x: &Value, shape: &[usize]) -> Result<Value> {
        if x.shape() == shape {
            return Ok(x.clone());
        }
        if x.rank() < shape.len() {
            let dims: Vec<usize> = (shape.len() - x.rank()..shape.len()).collect();
            return self.broadcast_in_dim(x, shape, &dims);
        }
        let dims: Vec<usize> = (0..shape.len())
            .filter(|&i| x.shape()[i] == shape[i])
            .collect();
        let sizes: Vec<usize> = dims.iter().map(|&i| shape[i]).collect();
        self.broadcast_in_dim(&self.reshape(x, &sizes)?, shape, &dims)
    }

    /// The transpose of implicit broadcasting: sums a cotangent down to its operand's shape.
    pub fn unbroadcast(&self, ct: &Value, shape: &[usize]) -> Result<Value> {
        if ct.shape() == shape {
            return Ok(ct.clone());
        }
        if shape.is_empty() {
            let all: Vec<usize> = (0..ct.rank()).collect();
            return self.reduce_sum(ct, &all);
        }
        let stretched: Vec<usize> = (0..shape.len())
            .filter(|&i| shape[i] == 1 && ct.shape()[i] != 1)
            .collect();
        let summed = self.reduce_sum(ct, &stretched)?;
        self.reshape(&summed, shape)
    }

    /// Zeros of the given type, staged as JAX does: a broadcast scalar.
    pub fn zeros(&self, aval: &Aval) -> Result<Value> {
        self.full(0.0, aval)
    }

    /// A number repeated to the given type.
    pub fn full(&self, value: f64, aval: &Aval) -> Result<Value> {
        if self.interp.is_staging() {
            let scalar = Array::scalar(value, aval.dtype, aval.weak)?;
            return self.broadcast_like(&scalar.into(), &aval.shape);
        }
        Ok(Value::Array(Array::full(value, aval.clone())?))
    }
}
