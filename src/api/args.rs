//! Arguments by position, with readers that say what is wrong with one in the words of JAX.

use super::convert::{as_value, concretization, concretization_for, kind_of, python_value};
use super::registry::{Arg, Function};
use crate::decimal;
use crate::dtype::DType;
use crate::error::{Class, Error, Kind, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::rule::Ctx;
use crate::shape::{Shape, sort_few};
use crate::value::Value;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, string::ToString, vec, vec::Vec};

/// The largest axis size taken: beyond it no array could be stored anyway.
const MAX_SIZE: f64 = (1u64 << 40) as f64;

/// Bound arguments, in the order of the function's parameters.
pub struct Args<'a> {
    /// Where the call happens.
    pub cx: &'a Ctx,
    /// The function called.
    pub function: &'static Function,
    args: &'a [Arg],
}

impl<'a> Args<'a> {
    /// Arguments of a call; missing ones at the end count as not given.
    pub fn new(cx: &'a Ctx, function: &'static Function, args: &'a [Arg]) -> Args<'a> {
        Args { cx, function, args }
    }

    /// The argument as it was passed; an explicit null counts as not given.
    pub fn arg(&self, i: usize) -> &'a Arg {
        match self.args.get(i) {
            Some(Arg::NewAxis) | None => &Arg::None,
            Some(arg) => arg,
        }
    }

    /// Whether null was passed for it, which a front-end hands over as `Arg::NewAxis`: told apart
    /// only where null is not the default.
    pub fn is_null(&self, i: usize) -> bool {
        matches!(self.args.get(i), Some(Arg::NewAxis))
    }

    /// Whether it was given.
    pub fn given(&self, i: usize) -> bool {
        !matches!(self.arg(i), Arg::None)
    }

    /// The function's name as messages have it: `zeros_like`; of a second name the first one.
    pub fn name(&self) -> String {
        match self.function.name() {
            "np.divide" => "true_divide".into(),
            "np.mod" => "remainder".into(),
            "np.abs" => "absolute".into(),
            "np.radians" => "deg2rad".into(),
            "np.degrees" => "rad2deg".into(),
            "np.around" => "round".into(),
            "np.conj" => "conjugate".into(),
            "np.amax" => "max".into(),
            "np.amin" => "min".into(),
            "nn.swish" => "silu".into(),
            _ => self.function.python_name(),
        }
    }

    fn param(&self, i: usize) -> &'static str {
        self.function.params().nth(i).map_or("?", |p| p.name)
    }

    fn default(&self, i: usize) -> Option<&'static str> {
        self.function.params().nth(i)?.default
    }

    /// The error for a required argument that was not given.
    pub fn missing(&self, i: usize) -> Box<Error> {
        Error::type_error(format!(
            "{}() missing 1 required positional argument: '{}'",
            self.function.python_name(),
            self.param(i)
        ))
    }

    fn wrong(&self, i: usize, wanted: &str) -> Box<Error> {
        Error::type_error(format!(
            "{}: argument '{}' must be {wanted}, got {}",
            self.name(),
            self.param(i),
            python_value(self.arg(i))
        ))
    }

    /// Refuses what is neither an array nor a scalar, as JAX's `check_arraylike`.
    pub fn array_like(&self, i: usize) -> Result<&'a Arg> {
        let arg = self.arg(i);
        match arg {
            Arg::Value(_) | Arg::Number { .. } | Arg::Bool(_) => Ok(arg),
            Arg::None if self.default(i).is_none() && i >= self.args.len() => Err(self.missing(i)),
            Arg::None if self.default(i).is_none() && self.args[i..].iter().all(is_none) => {
                Err(self.missing(i))
            }
            _ => Err(not_array_like(&self.name(), arg, i)),
        }
    }

    /// An array or scalar as a value; a plain number becomes a weak scalar.
    pub fn value(&self, i: usize) -> Result<Value> {
        as_value(self.cx, self.array_like(i)?)
    }

    /// The same, or nothing when it was not given.
    pub fn opt_value(&self, i: usize) -> Result<Option<Value>> {
        if self.given(i) {
            self.value(i).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A list of arguments. An array counts as the list of its rows.
    pub fn list(&self, i: usize) -> Result<&'a [Arg]> {
        match self.arg(i) {
            Arg::List(items) => Ok(items),
            Arg::None if self.default(i).is_none() => Err(self.missing(i)),
            Arg::None => Ok(&[]),
            _ => Err(self.wrong(i, "a list")),
        }
    }

    /// A plain boolean, or the default.
    pub fn bool(&self, i: usize) -> Result<bool> {
        match self.arg(i) {
            Arg::None => Ok(self.default(i) == Some("true")),
            Arg::Bool(b) => Ok(*b),
            Arg::Number { value, .. } => Ok(*value != 0.0),
            Arg::Value(v) => Ok(concrete_number(v, Class::TracerBoolConversionError)? != 0.0),
            _ => Err(self.wrong(i, "a boolean")),
        }
    }

    /// A plain integer, or the default.
    pub fn int(&self, i: usize) -> Result<i64> {
        match self.opt_int(i)? {
            Some(n) => Ok(n),
            None => Err(self.missing(i)),
        }
    }

    /// A plain integer, the default, or nothing.
    pub fn opt_int(&self, i: usize) -> Result<Option<i64>> {
        match self.arg(i) {
            Arg::None => Ok(self.default(i).and_then(|d| d.parse().ok())),
            arg => integer(arg).map(Some),
        }
    }

    /// A plain number, or the default.
    pub fn float(&self, i: usize) -> Result<f64> {
        match self.arg(i) {
            Arg::None => match self.default(i) {
                Some(d) => decimal::parse(d).ok_or_else(|| self.missing(i)),
                None => Err(self.missing(i)),
            },
            Arg::Number { value, .. } => Ok(*value),
            Arg::Bool(b) => Ok(f64::from(u8::from(*b))),
            Arg::Value(v) => concrete_number(v, Class::ConcretizationTypeError),
            _ => Err(self.wrong(i, "a number")),
        }
    }

    /// Text, or the default.
    pub fn str(&self, i: usize) -> Result<&'a str> {
        match self.arg(i) {
            Arg::Str(s) => Ok(s),
            Arg::None => match self.default(i) {
                Some(d) if d != "null" => Ok(d.trim_matches('"')),
                Some(_) => Ok(""),
                None => Err(self.missing(i)),
            },
            _ => Err(self.wrong(i, "a string")),
        }
    }

    /// A dtype, or nothing when it was not given. 64-bit names are cut to 32 bits unless x64.
    pub fn dtype(&self, i: usize) -> Result<Option<DType>> {
        match self.arg(i) {
            Arg::None => Ok(None),
            arg => parse_dtype(self.cx, arg).map(Some),
        }
    }

    /// Axis sizes: a number or a list of numbers.
    pub fn shape(&self, i: usize) -> Result<Shape> {
        match self.arg(i) {
            Arg::None => Err(self.missing(i)),
            arg => parse_shape(arg),
        }
    }

    /// Axis sizes, or nothing when not given.
    pub fn opt_shape(&self, i: usize) -> Result<Option<Shape>> {
        if self.given(i) {
            self.shape(i).map(Some)
        } else {
            Ok(None)
        }
    }

    /// One axis of an array of that rank, counted from the end when negative.
    pub fn axis(&self, i: usize, rank: usize) -> Result<usize> {
        canonical_axis(self.int(i)?, rank)
    }

    /// The same; nothing when null or not given.
    pub fn opt_axis(&self, i: usize, rank: usize) -> Result<Option<usize>> {
        match self.opt_int(i)? {
            Some(n) => canonical_axis(n, rank).map(Some),
            None => Ok(None),
        }
    }

    /// One axis, several, or all when null or not given; ascending.
    pub fn axes(&self, i: usize, rank: usize) -> Result<Shape> {
        Ok(match self.opt_axes(i, rank)? {
            Some(mut axes) => {
                sort_few(&mut axes, |&a| a);
                axes
            }
            None => (0..rank).collect(),
        })
    }

    /// One axis or several as given; nothing when null or not given.
    pub fn opt_axes(&self, i: usize, rank: usize) -> Result<Option<Shape>> {
        if !self.given(i) && self.default(i).is_none_or(|d| d == "null") {
            return Ok(None);
        }
        if let Arg::Value(v @ Value::Tracer(_)) = self.arg(i)
            && v.concrete().is_none()
        {
            return Err(concretization_for(
                v,
                "The axis argument must be known statically.",
            ));
        }
        let given = self.ints(i)?;
        let mut axes = Shape::new();
        for &n in &given {
            let axis = canonical_axis(n, rank)?;
            if axes.contains(&axis) {
                let listed = python_tuple(&given);
                return Err(Error::value_error(format!(
                    "duplicate value in 'axis': {listed}"
                )));
            }
            axes.push(axis);
        }
        Ok(Some(axes))
    }

    /// One integer or a list of them.
    pub fn ints(&self, i: usize) -> Result<Vec<i64>> {
        match self.arg(i) {
            Arg::List(items) => items.iter().map(integer).collect(),
            Arg::Value(v) if v.rank() == 1 => match v.concrete() {
                Some(a) => Ok(a.to_f64().iter().map(|x| *x as i64).collect()),
                None => Err(concretization(v, Class::TracerArrayConversionError)),
            },
            _ => Ok(vec![self.int(i)?]),
        }
    }
}

fn is_none(a: &Arg) -> bool {
    matches!(a, Arg::None)
}

/// The error for an argument that is no array: `sin requires ndarray or scalar arguments, …`.
pub fn not_array_like(name: &str, arg: &Arg, position: usize) -> Box<Error> {
    Error::type_error(format!(
        "{name} requires ndarray or scalar arguments, got <class '{}'> at position {position}.",
        kind_of(arg)
    ))
}

/// Reads a plain integer; a concrete scalar array counts.
pub fn integer(arg: &Arg) -> Result<i64> {
    match arg {
        Arg::Bool(b) => Ok((*b).into()),
        Arg::Number {
            value,
            float: false,
        } if value.fract() == 0.0 && value.abs() <= MAX_SIZE => Ok(*value as i64),
        Arg::Value(v) if v.dtype().is_int() => {
            Ok(concrete_number(v, Class::TracerIntegerConversionError)? as i64)
        }
        _ => Err(Error::type_error(format!(
            "'{}' object cannot be interpreted as an integer",
            kind_of(arg)
        ))),
    }
}

/// The number in a concrete scalar.
pub fn concrete_number(v: &Value, class: Class) -> Result<f64> {
    match v.concrete() {
        Some(a) if a.shape().is_empty() => Ok(a.number_at(0)),
        Some(a) => Err(Error::type_error(format!(
            "Only scalar arrays can be converted to Python scalars; got arr.ndim={}",
            a.shape().len()
        ))),
        None => Err(concretization(v, class)),
    }
}

/// Counts an axis from the end when negative, and checks that it is there.
pub fn canonical_axis(axis: i64, rank: usize) -> Result<usize> {
    let n = rank as i64;
    if axis < -n || axis >= n {
        return Err(Error::value_error(format!(
            "axis {axis} is out of bounds for array of dimension {rank}"
        )));
    }
    Ok(if axis < 0 { axis + n } else { axis } as usize)
}

/// Reads a dtype's name, as NumPy and JAX spell it.
pub fn parse_dtype(cx: &Ctx, arg: &Arg) -> Result<DType> {
    match arg {
        Arg::Str(s) => DType::parse(s, cx.env.x64.get())
            .ok_or_else(|| Error::type_error(format!("data type '{s}' not understood"))),
        Arg::Value(v) => Ok(v.dtype()),
        _ => Err(Error::type_error(format!(
            "Cannot interpret '{}' as a data type.",
            python_value(arg)
        ))),
    }
}

/// An integer, also one written as JavaScript writes large ones: `1e6`.
fn axis_size(arg: &Arg) -> Result<i64> {
    match arg {
        Arg::Number { value, float: true } => integer(&Arg::Number {
            value: *value,
            float: false,
        }),
        _ => integer(arg),
    }
}

fn too_long(n: i64) -> Box<Error> {
    let message = format!("out of memory: an axis of {n} elements is longer than memory");
    Error::new(Class::ResourceError, message).with_kind(Kind::Memory)
}

/// The error for a traced value among axis sizes.
pub fn traced_shape(v: &Value, sizes: &[Arg]) -> Box<Error> {
    let mut e = concretization(v, Class::TypeError);
    let listed: Vec<String> = sizes
        .iter()
        .map(|a| match a {
            Arg::Value(v) => super::format::str(v),
            other => python_value(other),
        })
        .collect();
    let listed = match listed.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", listed.join(", ")),
    };
    let because = e.message.split_once('\n').map_or("", |(_, rest)| rest);
    e.message = format!(
        "Shapes must be 1D sequences of concrete values of integer type, got {listed}.\nIf using \
         `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions.\n{because}"
    )
    .trim_end()
    .to_owned();
    e
}

/// Reads axis sizes, none negative.
pub fn parse_shape(arg: &Arg) -> Result<Shape> {
    let items = match arg {
        Arg::List(items) => items.as_slice(),
        one => core::slice::from_ref(one),
    };
    let mut out = Shape::new();
    let mut negative = false;
    let mut sizes = Vec::with_capacity(items.len());
    for item in items {
        if let Arg::Value(v @ Value::Tracer(_)) = item
            && v.concrete().is_none()
        {
            return Err(traced_shape(v, items));
        }
        let n = axis_size(item).map_err(|_| {
            Error::type_error(format!(
                "Shapes must be 1D sequences of concrete values of integer type, got {}.",
                match arg {
                    Arg::List(_) => python_value(arg),
                    one => format!("({},)", python_value(one)),
                }
            ))
        })?;
        negative |= n < 0;
        sizes.push(n);
        out.push(count(n)?);
    }
    if negative {
        return Err(Error::type_error(format!(
            "broadcast_in_dim shape must have every element be nonnegative, got {}.",
            python_tuple(&sizes)
        )));
    }
    Ok(out)
}

/// A number of things as a size; less than none is none.
///
/// # Errors
/// `ValueError` for one that this machine cannot address.
pub fn count(n: i64) -> Result<usize> {
    usize::try_from(n.max(0)).map_err(|_| too_long(n))
}

/// Integers as Python prints a tuple: `(1,)`, `(1, -2)`.
pub fn python_tuple(items: &[i64]) -> String {
    match items {
        [n] => format!("({n},)"),
        _ => {
            let listed: Vec<String> = items.iter().map(i64::to_string).collect();
            format!("({})", listed.join(", "))
        }
    }
}
