//! What element-wise operands may be: dtypes, shapes, and JAX's sentences when they do not fit.

use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::shape::{Shape, tuple};
use alloc::{boxed::Box, format, string::String, string::ToString, vec::Vec};

/// Sets of dtypes that a primitive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// float32, float64
    Floats,
    /// int32, uint32
    Ints,
    /// int32, uint32, bool
    IntsAndBool,
    /// All but bool.
    Numbers,
    /// As `Numbers`, where JAX does not take complex numbers either.
    Reals,
    /// Numbers that have a sign: all but uint32 and bool.
    Signed,
    /// Every dtype.
    All,
    /// bool
    Bool,
}

impl Accepts {
    /// Whether the dtype is in the set.
    pub fn contains(self, d: DType) -> bool {
        match self {
            Accepts::Floats => d.is_float(),
            Accepts::Ints => d.is_int(),
            Accepts::IntsAndBool => d.is_int() || d == DType::Bool,
            Accepts::Numbers | Accepts::Reals => d.is_int() || d.is_float(),
            Accepts::Signed => d.is_float() || d == DType::I32,
            Accepts::Bool => d == DType::Bool,
            Accepts::All => !matches!(d, DType::Float0 | DType::Key),
        }
    }

    /// The set as JAX's messages list it.
    fn listed(self) -> &'static str {
        match self {
            Accepts::Floats => "floating, complexfloating",
            Accepts::Ints => "integer",
            Accepts::IntsAndBool => "integer, bool",
            Accepts::Numbers => "integer, floating, complexfloating",
            Accepts::Reals => "integer, floating",
            Accepts::Signed => "signedinteger, floating, complexfloating",
            Accepts::Bool => "bool",
            Accepts::All => "integer, floating, complexfloating, bool",
        }
    }

    /// As `listed`; some primitives on floats have no complex form in JAX.
    fn listed_for(self, name: &str) -> &'static str {
        const REAL_ONLY: [&str; 12] = [
            "floor",
            "ceil",
            "round",
            "is_finite",
            "cbrt",
            "erf",
            "erfc",
            "erf_inv",
            "lgamma",
            "digamma",
            "polygamma",
            "nextafter",
        ];
        if self == Accepts::Floats && REAL_ONLY.contains(&name) {
            return "floating";
        }
        self.listed()
    }
}

/// Refuses a dtype that a primitive of several operands does not take, in JAX's words.
pub fn accept(name: &str, accepts: Accepts, aval: &Aval, index: usize) -> Result<()> {
    if accepts.contains(aval.dtype) {
        return Ok(());
    }
    if aval.dtype == DType::Float0 {
        return Err(float0(
            format!("Called {name} with a float0 at position {index}. "),
            aval,
        ));
    }
    let message = format!(
        "{name} does not accept dtype {} at position {index}. Accepted dtypes at position {index} are subtypes of {}.",
        aval.dtype,
        accepts.listed_for(name)
    );
    Err(mismatch(Class::TypeError, message, &[aval]))
}

/// Refuses a dtype that a primitive of one operand does not take, in JAX's words.
pub fn accept_only(name: &str, accepts: Accepts, aval: &Aval) -> Result<()> {
    if accepts.contains(aval.dtype) {
        return Ok(());
    }
    if aval.dtype == DType::Float0 {
        return Err(float0(format!("Called {name} with a float0 array. "), aval));
    }
    let message = format!(
        "{name} does not accept dtype {}. Accepted dtypes are subtypes of {}.",
        aval.dtype,
        accepts.listed_for(name)
    );
    Err(mismatch(Class::TypeError, message, &[aval]))
}

fn float0(start: String, aval: &Aval) -> Box<Error> {
    let message = start
        + "float0s do not support any operations by design, because they are not compatible with \
           non-trivial vector spaces. No implicit dtype conversion is done. You can use \
           np.zeros_like(arr, dtype=np.float) to cast a float0 array to a regular zeros array. \n\
           If you didn't expect to get a float0 you might have accidentally taken a gradient with \
           respect to an integer argument.";
    mismatch(Class::TypeError, message, &[aval])
}

/// The functions of jax.numpy that JAX's messages recommend in place of a strict primitive.
const JNP_EQUIVALENTS: [(&str, &str); 17] = [
    ("add", "add"),
    ("atan2", "arctan2"),
    ("concatenate", "concatenate"),
    ("div", "divide"),
    ("eq", "equal"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("mul", "multiply"),
    ("ne", "not_equal"),
    ("nextafter", "nextafter"),
    ("pow", "float_power"),
    ("select", "where"),
    ("shift_left", "left_shift"),
    ("shift_right_arithmetic", "right_shift"),
    ("shift_right_logical", "right_shift"),
    ("sub", "subtract"),
    ("add_any", "add"),
];

/// Refuses operands of different dtypes, in JAX's words.
pub fn same_dtypes(name: &str, avals: &[&Aval]) -> Result<()> {
    if avals.windows(2).all(|w| w[0].dtype == w[1].dtype) {
        return Ok(());
    }
    let dtypes: Vec<_> = avals.iter().map(|a| a.dtype.name()).collect();
    let mut message = format!(
        "lax.{name} requires arguments to have the same dtypes, got {}.",
        dtypes.join(", ")
    );
    if let Some((_, numpy)) = JNP_EQUIVALENTS.iter().find(|(n, _)| *n == name) {
        message += &format!(
            " (Tip: jnp.{numpy} is a similar function that does automatic type promotion on inputs)."
        );
    }
    Err(mismatch(Class::TypeError, message, avals))
}

/// The result shape of element-wise operands: equal ranks with size-1 axes stretched, or scalars.
pub fn broadcast_shape(name: &str, avals: &[&Aval]) -> Result<Shape> {
    let mut out: Option<&Shape> = None;
    let mut equal = true;
    for a in avals.iter().filter(|a| !a.shape.is_empty()) {
        match out {
            None => out = Some(&a.shape),
            Some(s) => equal = equal && *s == a.shape,
        }
    }
    let Some(first) = out else {
        return Ok(Shape::new());
    };
    if equal {
        return Ok(first.clone());
    }
    stretched_shape(name, avals, first.clone())
}

fn stretched_shape(name: &str, avals: &[&Aval], mut out: Shape) -> Result<Shape> {
    let arrays = || avals.iter().filter(|a| !a.shape.is_empty());
    if arrays().any(|a| a.rank() != out.len()) {
        let mut ranks: Vec<usize> = arrays().map(|a| a.rank()).collect();
        crate::shape::sort_few(&mut ranks, |&r| r);
        ranks.dedup();
        let ranks: Vec<String> = ranks.iter().map(usize::to_string).collect();
        let message = format!(
            "{name}: arrays must have the same number of dimensions, got {{{}}}",
            ranks.join(", ")
        );
        return Err(mismatch(Class::TypeError, message, avals));
    }
    for a in arrays() {
        for (d, &n) in out.iter_mut().zip(&a.shape) {
            if *d == 1 {
                *d = n;
            } else if n != 1 && n != *d {
                let shapes: Vec<String> = arrays().map(|a| tuple(&a.shape)).collect();
                let message = format!(
                    "{name} got incompatible shapes for broadcasting: {}.",
                    shapes.join(", ")
                );
                return Err(mismatch(Class::TypeError, message, avals));
            }
        }
    }
    Ok(out)
}

/// An error about operand types.
pub fn mismatch(class: Class, message: String, avals: &[&Aval]) -> Box<Error> {
    let avals: Vec<Aval> = avals.iter().map(|a| (*a).clone()).collect();
    Error::mismatch(class, message, &avals)
}

/// The operands, exactly `N` of them. An error means that a rule or the builder miscounted.
pub fn operands<'a, const N: usize>(name: &str, avals: &[&'a Aval]) -> Result<[&'a Aval; N]> {
    avals
        .try_into()
        .map_err(|_| Error::internal(format!("{name} takes {N} operands, got {}", avals.len())))
}
