//! From what a front-end passes to values: scalars, nested lists, promotion, broadcasting.

use super::args::not_array_like;
use super::registry::Arg;
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::decimal::plain;
use crate::dtype::{DType, Typed, promote};
use crate::error::{Class, Error, Kind, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::rule::Ctx;
use crate::shape::{Shape, broadcast2, tuple};
use crate::span::Site;
use crate::value::Value;
use alloc::{boxed::Box, format, string::String, vec::Vec};

/// Deepest nesting of a list that becomes an array, NumPy's own limit.
const MAX_DEPTH: usize = 64;

/// The Python type of an argument, for messages: `list`.
pub fn kind_of(arg: &Arg) -> &'static str {
    match arg {
        Arg::None | Arg::NewAxis => "NoneType",
        Arg::Value(_) => "jaxlib._jax.ArrayImpl",
        Arg::Number { value, float } if *float || value.fract() != 0.0 => "float",
        Arg::Number { .. } => "int",
        Arg::Bool(_) => "bool",
        Arg::Str(_) => "str",
        Arg::List(_) => "list",
        Arg::Slice { .. } => "slice",
        Arg::Ellipsis => "ellipsis",
    }
}

/// An argument as Python would print it, for messages.
pub fn python_value(arg: &Arg) -> String {
    match arg {
        Arg::None | Arg::NewAxis => "None".into(),
        Arg::Value(v) => format!("an array of type {}", v.aval().long()),
        Arg::Number { value, float } => match *float || !value.is_finite() {
            true => crate::ir::print::python_float(*value),
            false => plain(*value, true),
        },
        Arg::Bool(b) => (if *b { "True" } else { "False" }).into(),
        Arg::Str(s) => format!("'{s}'"),
        Arg::List(items) => {
            let listed: Vec<String> = items.iter().map(python_value).collect();
            match listed.as_slice() {
                [one] => format!("({one},)"),
                _ => format!("({})", listed.join(", ")),
            }
        }
        Arg::Slice { .. } => "a slice".into(),
        Arg::Ellipsis => "Ellipsis".into(),
    }
}

/// The error for a traced value where a concrete one is needed.
pub fn concretization(v: &Value, class: Class) -> Box<Error> {
    let made_at = match v {
        Value::Tracer(t) => t.0.site,
        Value::Array(_) => Site::UNKNOWN,
    };
    let origin = v.origin();
    let aval = v.aval().long();
    let message = match class {
        Class::TracerBoolConversionError => {
            format!("Attempted boolean conversion of traced array with shape {aval}.")
        }
        Class::TracerIntegerConversionError => {
            format!("The __index__() method was called on traced array with shape {aval}")
        }
        Class::TracerArrayConversionError => format!(
            "The numpy.ndarray conversion method __array__() was called on traced array with shape {aval}"
        ),
        Class::NonConcreteBooleanIndexError => {
            format!("Array boolean indices must be concrete; got {aval}")
        }
        _ => format!(
            "Abstract tracer value encountered where concrete value is expected: traced array with shape {aval}"
        ),
    };
    let because = origin.as_ref().map_or_else(String::new, |o| {
        let names = match o.arguments.as_slice() {
            [] => return String::new(),
            [one] => format!("the argument {one}"),
            several => format!("the arguments {}", several.join(", ")),
        };
        format!(
            "\nThe error occurred while tracing the function {} for {}. This concrete value was not \
             available because it depends on the value of {names}.",
            o.function, o.transform
        )
    });
    let origin = origin
        .map(|o| o.arguments.join(", "))
        .filter(|names| !names.is_empty());
    Error::new(class, message + &because).with_kind(Kind::Concretization { origin, made_at })
}

/// The concretization error with a sentence on what asked for the value.
pub fn concretization_for(v: &Value, hint: &str) -> Box<Error> {
    let mut e = concretization(v, Class::ConcretizationTypeError);
    e.message = format!("{}\n{hint}", e.message);
    e
}

/// Dtype and weakness of an argument: plain numbers are weak.
pub fn typed(cx: &Ctx, arg: &Arg) -> Result<Typed> {
    match arg {
        Arg::Value(v) => Ok((v.dtype(), v.aval().weak)),
        Arg::Bool(_) => Ok((DType::Bool, false)),
        Arg::Number { value, float } => Ok(if *float || value.fract() != 0.0 {
            (cx.env.default_float(), true)
        } else {
            (DType::I32, true)
        }),
        _ => Err(not_array_like("promotion", arg, 0)),
    }
}

/// A plain number or boolean of the language, if it is one.
pub fn literal(arg: &Arg) -> Option<f64> {
    match arg {
        Arg::Number { value, .. } => Some(*value),
        Arg::Bool(b) => Some(f64::from(u8::from(*b))),
        _ => None,
    }
}

/// A number, boolean, array or nested list as a value. Numbers become weak scalars: int32 when
/// integral and not known as floats, else the default float.
///
/// # Errors
/// `OverflowError` for an integer outside int32, `ValueError` for a ragged list, `TypeError` for
/// anything else than numbers.
pub fn as_value(cx: &Ctx, arg: &Arg) -> Result<Value> {
    match arg {
        Arg::Value(v) => Ok(v.clone()),
        Arg::List(_) => array_of(cx, arg, None),
        Arg::None | Arg::NewAxis => Err(Error::value_error(
            "None is not a valid value for jnp.array",
        )),
        Arg::Str(s) => Err(Error::type_error(format!(
            "Value '{s}' with dtype <U{} is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
            s.chars().count()
        ))),
        Arg::Slice { .. } | Arg::Ellipsis => Err(not_array_like("array", arg, 0)),
        Arg::Number { .. } | Arg::Bool(_) => {
            let (dtype, weak) = typed(cx, arg)?;
            let value = literal(arg).unwrap_or(0.0);
            check_range(value, dtype)?;
            Ok(Array::scalar(value, dtype, weak)?.into())
        }
    }
}

fn check_range(value: f64, dtype: DType) -> Result<()> {
    if dtype == DType::I32 && !(-2147483648.0..=2147483647.0).contains(&value) {
        return Err(Error::new(
            Class::OverflowError,
            format!(
                "Python int {} too large to convert to int32",
                plain(value.round(), true)
            ),
        ));
    }
    Ok(())
}

/// Refuses whole numbers that an integer type asked for by name does not hold.
pub fn check_bounds(value: f64, dtype: DType) -> Result<()> {
    let (low, high) = match dtype {
        DType::I32 => (-2147483648.0, 2147483647.0),
        DType::U32 => (0.0, 4294967295.0),
        _ => return Ok(()),
    };
    if value.fract() == 0.0 && !(low..=high).contains(&value) {
        return Err(Error::new(
            Class::OverflowError,
            format!(
                "Python integer {} out of bounds for {dtype}",
                plain(value, true)
            ),
        ));
    }
    Ok(())
}

/// A plain number as a scalar of the given type: what a number meeting an array becomes.
///
/// # Errors
/// `OverflowError` for a whole number that an integer type does not hold: it would wrap in silence.
fn literal_of(value: f64, (dtype, weak): Typed) -> Result<Value> {
    match dtype {
        DType::I32 if value.fract() == 0.0 => check_range(value, dtype)?,
        // Negative numbers wrap as in JAX, where they are int32 first.
        DType::U32 if !(-2147483648.0..=0.0).contains(&value) => check_bounds(value, dtype)?,
        _ => {}
    }
    Ok(Array::scalar(value, dtype, weak)?.into())
}

/// Brings an argument to a dtype and weakness. Plain numbers are converted at once, values by an
/// equation unless they are of that type already.
pub fn cast(cx: &Ctx, arg: &Arg, to: Typed) -> Result<Value> {
    match (arg, literal(arg)) {
        (_, Some(value)) => literal_of(value, to),
        (Arg::Value(v), _) => convert(cx, v, to),
        _ => convert(cx, &as_value(cx, arg)?, to),
    }
}

/// Brings a value to a dtype and weakness.
pub fn convert(cx: &Ctx, v: &Value, to: Typed) -> Result<Value> {
    if (v.dtype(), v.aval().weak) == to {
        return Ok(v.clone());
    }
    super::prims::convert_element_type(cx, v, to.0, to.1)
}

/// Brings a value to a dtype, strong.
pub fn astype(cx: &Ctx, v: &Value, dtype: DType) -> Result<Value> {
    convert(cx, v, (dtype, false))
}

/// The common type of arguments under JAX's promotion.
pub fn result_type(cx: &Ctx, args: &[&Arg]) -> Result<Typed> {
    let types = args.iter().map(|a| typed(cx, a));
    Ok(promote(
        types.collect::<Result<Vec<_>>>()?,
        cx.env.x64.get(),
    ))
}

/// Brings arguments to their common type.
pub fn promote_dtypes(cx: &Ctx, args: &[&Arg]) -> Result<Vec<Value>> {
    let to = result_type(cx, args)?;
    args.iter().map(|a| cast(cx, a, to)).collect()
}

/// Brings arguments to their common inexact type: integers become the default float.
pub fn promote_inexact(cx: &Ctx, args: &[&Arg]) -> Result<Vec<Value>> {
    let to = inexact(cx, result_type(cx, args)?);
    args.iter().map(|a| cast(cx, a, to)).collect()
}

/// A dtype made inexact: integers and booleans give the default float.
pub fn inexact(cx: &Ctx, (dtype, weak): Typed) -> Typed {
    if dtype.is_float() {
        (dtype, weak)
    } else {
        (cx.env.default_float(), weak)
    }
}

/// Raises ranks so that the primitive can broadcast: operands of equal rank and scalars stay as
/// they are, others get leading axes.
pub fn promote_shapes(cx: &Ctx, name: &str, values: Vec<Value>) -> Result<Vec<Value>> {
    let ranks: Vec<usize> = values.iter().map(Value::rank).filter(|r| *r > 0).collect();
    if ranks.windows(2).all(|w| w[0] == w[1]) {
        let mut shape = Shape::new();
        for v in &values {
            shape = broadcast2(&shape, v.shape()).ok_or_else(|| unbroadcastable(name, &values))?;
        }
        return Ok(values);
    }
    let mut shape = Shape::new();
    for v in &values {
        shape = broadcast2(&shape, v.shape()).ok_or_else(|| {
            let listed: Vec<String> = values.iter().map(|v| tuple(v.shape())).collect();
            let avals: Vec<Aval> = values.iter().map(|v| v.aval().clone()).collect();
            Error::mismatch(
                Class::ValueError,
                format!(
                    "Incompatible shapes for broadcasting: shapes=[{}]",
                    listed.join(", ")
                ),
                &avals,
            )
        })?;
    }
    values
        .iter()
        .map(|v| {
            let new: Vec<usize> = (0..shape.len() - v.rank()).collect();
            cx.expand_dims(v, &new)
        })
        .collect()
}

fn unbroadcastable(name: &str, values: &[Value]) -> Box<Error> {
    let listed: Vec<String> = values.iter().map(|v| tuple(v.shape())).collect();
    let avals: Vec<Aval> = values.iter().map(|v| v.aval().clone()).collect();
    Error::mismatch(
        Class::TypeError,
        format!(
            "{name} got incompatible shapes for broadcasting: {}.",
            listed.join(", ")
        ),
        &avals,
    )
}

/// Type and rank promotion together, as JAX's `promote_args`.
pub fn promote_args(cx: &Ctx, name: &str, args: &[&Arg]) -> Result<Vec<Value>> {
    promote_shapes(cx, name, promote_dtypes(cx, args)?)
}

/// The same, to an inexact type.
pub fn promote_args_inexact(cx: &Ctx, name: &str, args: &[&Arg]) -> Result<Vec<Value>> {
    promote_shapes(cx, name, promote_inexact(cx, args)?)
}

/// Values as arguments again, for functions written over arguments.
pub fn args_of(values: &[Value]) -> Vec<Arg> {
    values.iter().cloned().map(Arg::Value).collect()
}

/// Broadcasts to a shape, as `jnp.broadcast_to`.
pub fn broadcast_to(cx: &Ctx, v: &Value, shape: &[usize]) -> Result<Value> {
    if v.shape() == shape {
        return Ok(v.clone());
    }
    if v.rank() > shape.len() {
        return Err(Error::value_error(format!(
            "Cannot broadcast to shape with fewer dimensions: arr_shape={} shape={}",
            tuple(v.shape()),
            tuple(shape)
        )));
    }
    let skip = shape.len().checked_sub(v.rank());
    let fits = skip.is_some_and(|skip| {
        let sizes = v.shape().iter().zip(&shape[skip..]);
        sizes.into_iter().all(|(n, m)| n == m || *n == 1)
    });
    if !fits {
        let wanted = Aval::new(shape, v.dtype());
        return Err(Error::mismatch(
            Class::ValueError,
            format!(
                "Incompatible types for broadcasting: input type={} and requested type={}",
                v.aval().long(),
                wanted.long()
            ),
            &[v.aval().clone(), wanted],
        ));
    }
    super::prims::broadcast_to(cx, v, shape)
}

/// A nested list (or scalar) as an array. With tracers or arrays inside, rows are stacked.
pub fn array_of(cx: &Ctx, arg: &Arg, dtype: Option<DType>) -> Result<Value> {
    let mut leaves = Leaves::default();
    leaves.visit(arg, 0)?;
    if leaves.has_values {
        return stacked(cx, arg, dtype);
    }
    let strong = match dtype {
        Some(d) => d,
        None if leaves.numbers.is_empty() || leaves.float => cx.env.default_float(),
        None if leaves.int => DType::I32,
        None => DType::Bool,
    };
    if dtype.is_some() && !leaves.float {
        for v in &leaves.numbers {
            check_bounds(*v, strong)?;
        }
    }
    if strong == DType::I32 && !leaves.float {
        for v in &leaves.numbers {
            check_range(*v, DType::I32)?;
        }
    }
    let shape = Shape::from_vec(leaves.shape);
    let mut out = ArrayMut::uninit(Aval::new(&shape, DType::F64))?;
    out.slice_mut::<f64>().copy_from_slice(&leaves.numbers);
    Ok(narrow(&out.freeze(), strong)?.into())
}

/// Host numbers in the given dtype.
pub fn narrow(wide: &Array, dtype: DType) -> Result<Array> {
    let mut out = ArrayMut::uninit(Aval::new(wide.shape(), dtype))?;
    let from = wide.as_slice::<f64>();
    match dtype {
        DType::F64 => out.slice_mut::<f64>().copy_from_slice(from),
        DType::F32 => copy(from, out.slice_mut::<f32>(), |x| x as f32),
        DType::I32 => copy(from, out.slice_mut::<i32>(), |x| x as i64 as i32),
        DType::U32 => copy(from, out.slice_mut::<u32>(), |x| x as i64 as u32),
        DType::Bool => copy(from, out.slice_mut::<u8>(), |x| u8::from(x != 0.0)),
        DType::Float0 | DType::Key => {}
    }
    Ok(out.freeze())
}

fn copy<T>(from: &[f64], to: &mut [T], f: impl Fn(f64) -> T) {
    for (t, x) in to.iter_mut().zip(from) {
        *t = f(*x);
    }
}

/// What a nested list holds.
#[derive(Default)]
struct Leaves {
    shape: Vec<usize>,
    numbers: Vec<f64>,
    float: bool,
    int: bool,
    has_values: bool,
    /// The depth at which numbers stand, once one was met.
    depth: Option<usize>,
}

impl Leaves {
    fn visit(&mut self, arg: &Arg, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Error::value_error("a list is nested too deeply"));
        }
        match arg {
            Arg::List(items) => {
                match self.shape.get(depth) {
                    Some(&n) if n != items.len() => return Err(self.ragged(depth)),
                    Some(_) => {}
                    None if self.depth.is_some() => return Err(self.ragged(depth)),
                    None => self.shape.push(items.len()),
                }
                items
                    .iter()
                    .try_for_each(|item| self.visit(item, depth + 1))
            }
            Arg::Value(_) => {
                self.has_values = true;
                Ok(())
            }
            Arg::Number { .. } | Arg::Bool(_) => {
                if depth < self.shape.len() && !self.has_values {
                    return Err(self.ragged(depth));
                }
                self.depth = Some(depth);
                match arg {
                    Arg::Number { value, float } => {
                        self.float |= *float || value.fract() != 0.0;
                        self.int = true;
                        self.numbers.push(*value);
                    }
                    _ => self.numbers.push(literal(arg).unwrap_or(0.0)),
                }
                Ok(())
            }
            Arg::None | Arg::NewAxis => Err(Error::value_error(
                "None is not a valid value for jnp.array",
            )),
            Arg::Str(s) => Err(Error::type_error(format!(
                "Value '{s}' with dtype <U{} is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
                s.chars().count()
            ))),
            Arg::Slice { .. } | Arg::Ellipsis => Err(not_array_like("array", arg, 0)),
        }
    }

    fn ragged(&self, depth: usize) -> Box<Error> {
        Error::value_error(format!(
            "setting an array element with a sequence. The requested array has an inhomogeneous \
             shape after {depth} dimensions. The detected shape was {} + inhomogeneous part.",
            tuple(&self.shape[..depth.min(self.shape.len())])
        ))
    }
}

/// A list with arrays or tracers in it: rows brought to one type and stacked.
fn stacked(cx: &Ctx, arg: &Arg, dtype: Option<DType>) -> Result<Value> {
    let to = match dtype {
        Some(d) => (d, false),
        None => {
            let mut types = Vec::new();
            gather_types(cx, arg, &mut types)?;
            (promote(types, cx.env.x64.get()).0, false)
        }
    };
    stack_rows(cx, arg, to)
}

fn gather_types(cx: &Ctx, arg: &Arg, types: &mut Vec<Typed>) -> Result<()> {
    match arg {
        Arg::List(items) => items.iter().try_for_each(|i| gather_types(cx, i, types)),
        leaf => {
            types.push(typed(cx, leaf)?);
            Ok(())
        }
    }
}

fn stack_rows(cx: &Ctx, arg: &Arg, to: Typed) -> Result<Value> {
    match arg {
        Arg::List(items) => {
            let rows = items
                .iter()
                .map(|i| cx.expand_dims(&stack_rows(cx, i, to)?, &[0]))
                .collect::<Result<Vec<_>>>()?;
            cx.concatenate(&rows, 0)
        }
        leaf => cast(cx, leaf, to),
    }
}

/// The same value without weakness: what a callback receives.
pub fn strong(cx: &Ctx, v: &Value) -> Result<Value> {
    if v.aval().weak {
        convert(cx, v, (v.dtype(), false))
    } else {
        Ok(v.clone())
    }
}
