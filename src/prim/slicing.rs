//! Cutting boxes out of arrays at fixed places, and padding, which is the inverse.

use super::movement::{linear_jvp, linear_transpose, mapped, refused};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::operands;
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::runtime::movement;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// Elements from `start_indices` up to `limit_indices`, every `strides`-th along each axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slice {
    /// First index along each axis.
    pub start_indices: Shape,
    /// One past the last index along each axis.
    pub limit_indices: Shape,
    /// Steps along each axis; 1 everywhere if not given.
    pub strides: Option<Shape>,
}

impl Slice {
    fn out_shape(&self) -> Shape {
        let step = |i: usize| self.strides.as_ref().map_or(1, |s| s[i]);
        let bounds = self.start_indices.iter().zip(&self.limit_indices);
        bounds
            .enumerate()
            .map(|(i, (&a, &b))| b.saturating_sub(a).div_ceil(step(i)))
            .collect()
    }

    /// What does not fit, in JAX's words.
    fn fault(&self, x: &Aval) -> Option<String> {
        let (starts, limits) = (&self.start_indices, &self.limit_indices);
        let lengths = [
            ("start_indices", Some(starts)),
            ("limit_indices", Some(limits)),
            ("strides", self.strides.as_ref()),
        ];
        for (what, given) in lengths {
            if let Some(given) = given.filter(|g| g.len() != x.rank()) {
                return Some(format!(
                    "slice {what} must have length equal to the number of dimensions of the operand, \
                     got {what} {} for operand shape {}.",
                    tuple(given),
                    tuple(&x.shape)
                ));
            }
        }
        let sizes = || -> String {
            let bounds = starts.iter().zip(limits);
            let sizes: Vec<isize> = bounds.map(|(&a, &b)| b as isize - a as isize).collect();
            signed_tuple(&sizes)
        };
        if starts.iter().zip(limits).any(|(a, b)| a > b) {
            return Some(format!(
                "slice slice_sizes must be greater than or equal to zero, got slice_sizes of {}.",
                sizes()
            ));
        }
        if limits.iter().zip(&x.shape).any(|(b, n)| b > n) {
            return Some(format!(
                "slice slice_sizes must be less than or equal to operand shape, got slice_sizes \
                 {} for operand shape {}.",
                sizes(),
                tuple(&x.shape)
            ));
        }
        let strides = self.strides.as_ref().filter(|s| s.contains(&0))?;
        Some(format!(
            "slice strides must be positive, got {}",
            tuple(strides)
        ))
    }
}

impl Primitive for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let strides = self.strides.as_ref().map_or("None".into(), |s| tuple(s));
        vec![
            ("limit_indices", Param::Text(tuple(&self.limit_indices))),
            ("start_indices", Param::Text(tuple(&self.start_indices))),
            ("strides", Param::Text(strides)),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        match self.fault(avals[0]) {
            Some(message) => Err(refused(Class::TypeError, message, avals[0])),
            None => Ok(vec![avals[0].with_shape(&self.out_shape())]),
        }
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let steps = self.strides.as_deref();
        let out = movement::slice(&args[0], &self.start_indices, &self.out_shape(), steps)?;
        Ok(vec![out])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let operand = &args[0].aval().shape;
        let config: Padding = self
            .out_shape()
            .iter()
            .enumerate()
            .map(|(i, &kept)| {
                let step = self.strides.as_ref().map_or(1, |s| s[i]);
                let covered = if kept == 0 { 0 } else { 1 + step * (kept - 1) };
                let after = operand[i] - self.start_indices[i] - covered;
                (
                    self.start_indices[i] as isize,
                    after as isize,
                    step as isize - 1,
                )
            })
            .collect();
        linear_transpose(cts, |ct| cx.pad(ct, &cx.lit(0.0, ct)?, &config))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let with_front = |v: &Shape, n: usize| -> Shape {
            core::iter::once(n).chain(v.iter().copied()).collect()
        };
        let op = Slice {
            start_indices: with_front(&self.start_indices, 0),
            limit_indices: with_front(&self.limit_indices, size),
            strides: self.strides.as_ref().map(|s| with_front(s, 1)),
        };
        mapped(cx.bind1(&op, &args[..1]))
    }
}

/// For every axis how much goes before, after and between the elements; before and after may be
/// negative, which cuts elements off.
pub type Padding = Vec<(isize, isize, isize)>;

/// Puts a scalar around and between the elements. Operands: the array, the scalar.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pad {
    /// Low, high and interior padding of every axis.
    pub padding_config: Padding,
}

impl Pad {
    fn out_shape(&self, x: &Aval) -> Vec<isize> {
        let sizes = x.shape.iter().zip(&self.padding_config);
        sizes
            .map(|(&n, &(low, high, interior))| {
                // Sizes beyond the address space must not wrap to small ones.
                let n = n as i64;
                let size = (low as i64 + high as i64 + n)
                    .saturating_add((interior as i64).saturating_mul((n - 1).max(0)));
                size.clamp(isize::MIN as i64, isize::MAX as i64) as isize
            })
            .collect()
    }

    fn fault(&self, x: &Aval, value: &Aval) -> Option<(Class, String)> {
        if x.dtype != value.dtype {
            let message = format!(
                "pad operand and padding_value must be same dtype: got {} and {}.",
                x.dtype, value.dtype
            );
            return Some((Class::TypeError, message));
        }
        let config = || config_text(&self.padding_config);
        let message = if value.rank() != 0 {
            let shape = tuple(&value.shape);
            format!("padding_value must be a scalar; got np.shape(padding_value)={shape}")
        } else if self.padding_config.len() != x.rank() {
            format!(
                "length of padding_config must equal the number of axes of operand, got \
                 padding_config {} for operand shape {}",
                config(),
                tuple(&x.shape)
            )
        } else if self.padding_config.iter().any(|p| p.2 < 0) {
            format!(
                "interior padding in padding_config must be nonnegative, got padding_config {}",
                config()
            )
        } else {
            let shape = self.out_shape(x);
            if shape.iter().all(|&n| n >= 0) {
                return None;
            }
            format!(
                "Dimension size after padding is not at least 0, got result shape {}, for \
                 padding_config {} and operand shape {}",
                signed_tuple(&shape),
                config(),
                tuple(&x.shape)
            )
        };
        Some((Class::ValueError, message))
    }
}

fn signed_tuple(dims: &[isize]) -> String {
    let dims: Vec<_> = dims.iter().map(isize::to_string).collect();
    match dims.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", dims.join(", ")),
    }
}

fn config_text(config: &Padding) -> String {
    let axes: Vec<_> = config
        .iter()
        .map(|&(l, h, i)| signed_tuple(&[l, h, i]))
        .collect();
    match axes.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", axes.join(", ")),
    }
}

impl Primitive for Pad {
    fn name(&self) -> &'static str {
        "pad"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let config = config_text(&self.padding_config);
        vec![("padding_config", Param::Text(config))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, value] = operands("pad", avals)?;
        if let Some((class, message)) = self.fault(x, value) {
            let avals = [(*x).clone(), (*value).clone()];
            return Err(Error::mismatch(class, message, &avals));
        }
        let shape: Shape = self.out_shape(x).iter().map(|&n| n as usize).collect();
        Ok(vec![x.with_shape(&shape)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let shape: Shape = self
            .out_shape(args[0].aval())
            .iter()
            .map(|&n| n as usize)
            .collect();
        let out = args[0].aval().with_shape(&shape);
        Ok(vec![movement::pad(
            &args[0],
            &args[1],
            &self.padding_config,
            out,
        )?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind(self, primals)?;
        let zero_or = |i: usize| match &tangents[i] {
            Some(t) => Ok(t.clone()),
            None if i == 1 => cx.lit(0.0, &primals[1]),
            None => cx.zeros(primals[i].aval()),
        };
        let tangent = cx.bind1(self, &[zero_or(0)?, zero_or(1)?])?;
        Ok((out, vec![Some(tangent)]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None, None]);
        };
        let x = args[0].aval();
        let operand_ct = || -> Result<Value> {
            let cut: Padding = self
                .padding_config
                .iter()
                .map(|p| (-p.0, -p.1, 0))
                .collect();
            let inner = cx.pad(ct, &cx.lit(0.0, ct)?, &cut)?;
            let steps: Shape = self
                .padding_config
                .iter()
                .map(|p| p.2 as usize + 1)
                .collect();
            let limits = Shape::from_slice(inner.shape());
            let starts: Shape = limits.iter().map(|_| 0).collect();
            cx.slice(&inner, &starts, &limits, Some(&steps))
        };
        let all: Vec<usize> = (0..x.rank()).collect();
        let t_operand = args[0].is_linear().then(operand_ct).transpose()?;
        let t_value = match (args[1].is_linear(), &t_operand) {
            (false, _) => None,
            (true, inner) => {
                let inner = match inner {
                    Some(inner) => inner.clone(),
                    None => operand_ct()?,
                };
                let total = cx.reduce_sum(ct, &all)?;
                Some(cx.sub(&total, &cx.reduce_sum(&inner, &all)?)?)
            }
        };
        Ok(vec![t_operand, t_value])
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let x = if batched[0] {
            args[0].clone()
        } else {
            cx.with_leading_axis(&args[0], size)?
        };
        let mut config = self.padding_config.clone();
        config.insert(0, (0, 0, 0));
        if !batched[1] {
            return mapped(cx.pad(&x, &args[1], &config));
        }
        // One padding value per lane: pad with anything, then put the values where the mask says.
        let padded = cx.pad(&x, &cx.lit(0.0, &x)?, &config)?;
        let inside = cx.full(1.0, &Aval::new(x.shape(), DType::Bool))?;
        let outside = Value::scalar(0.0, DType::Bool)?;
        let mask = cx.pad(&inside, &outside, &config)?;
        let values = cx.broadcast_in_dim(&args[1], padded.shape(), &[0])?;
        mapped(cx.select(&mask, &padded, &values))
    }
}

impl Ctx {
    /// Elements from `starts` up to `limits`, every `strides`-th along each axis.
    pub fn slice(
        &self,
        x: &Value,
        starts: &[usize],
        limits: &[usize],
        strides: Option<&[usize]>,
    ) -> Result<Value> {
        let op = Slice {
            start_indices: Shape::from_slice(starts),
            limit_indices: Shape::from_slice(limits),
            strides: strides.map(Shape::from_slice),
        };
        self.bind1(&op, core::slice::from_ref(x))
    }

    /// Elements `start` up to `limit` along one axis, all along the others.
    pub fn slice_axis(&self, x: &Value, axis: usize, start: usize, limit: usize) -> Result<Value> {
        let mut starts: Shape = Shape::from_elem(0, x.rank());
        let mut limits = Shape::from_slice(x.shape());
        starts[axis] = start;
        limits[axis] = limit;
        self.slice(x, &starts, &limits, None)
    }

    /// Puts the scalar `value` around and between the elements.
    pub fn pad(&self, x: &Value, value: &Value, config: &[(isize, isize, isize)]) -> Result<Value> {
        let padding_config = config.to_vec();
        self.bind1(&Pad { padding_config }, &[x.clone(), value.clone()])
    }
}
