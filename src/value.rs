//! What flows through a program: a concrete array, or a tracer standing for one.

use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Kind, Result};
use crate::span::Site;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};
use core::cell::{Cell, OnceCell};
use core::fmt;

/// An array or a stand-in for one.
#[derive(Clone, Debug)]
pub enum Value {
    /// Concrete.
    Array(Array),
    /// Abstract or accompanied, made by a running transform.
    Tracer(Tracer),
}

/// One run of one transform over one function. Tracers hold it; when the run ends it is marked
/// dead, and tracers that escaped can be told from living ones.
pub struct Trace {
    /// `grad`, `jit` …
    pub transform: &'static str,
    /// The name of the function being traced.
    pub function: String,
    alive: Cell<bool>,
    lookup: OnceCell<ArgumentLookup>,
}

/// From a variable of a jaxpr under construction to the names of the arguments behind it.
pub type ArgumentLookup = Box<dyn Fn(u32) -> Vec<String>>;

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trace({} of {})", self.transform, self.function)
    }
}

impl Trace {
    /// A new, living trace.
    pub fn new(transform: &'static str, function: &str) -> Rc<Trace> {
        Rc::new(Trace {
            transform,
            function: function.to_owned(),
            alive: Cell::new(true),
            lookup: OnceCell::new(),
        })
    }

    /// Says how to find the arguments behind a staged value.
    pub fn set_lookup(&self, lookup: ArgumentLookup) {
        let _ = self.lookup.set(lookup);
    }

    /// Whether the transform is still running.
    pub fn is_alive(&self) -> bool {
        self.alive.get()
    }

    /// The transform has ended.
    pub fn end(&self) {
        self.alive.set(false);
    }
}

/// A value standing for an array under a transform.
#[derive(Clone, Debug)]
pub struct Tracer(pub Rc<TracerData>);

/// The contents of a tracer.
#[derive(Debug)]
pub struct TracerData {
    /// The run it belongs to.
    pub trace: Rc<Trace>,
    /// Its type as the program sees it.
    pub aval: Aval,
    /// Where in the source it came to be.
    pub site: Site,
    /// What its interpreter keeps in it.
    pub payload: Payload,
}

/// What each interpreter keeps in its tracers.
#[derive(Debug)]
pub enum Payload {
    /// Forward differentiation: the primal value and its tangent.
    Jvp {
        /// The value without the tangent; belongs to the enclosing context.
        primal: Value,
        /// The tangent, in the context that collects tangents.
        tangent: Value,
        /// Whether tangents are staged into a linear jaxpr rather than computed along.
        linear: bool,
    },
    /// Vectorisation: the value with the mapped axis in front.
    Batch {
        /// All lanes, axis 0 mapped.
        value: Value,
    },
    /// Staging: a variable of the jaxpr being built.
    Stage {
        /// Index of the variable in the jaxpr under construction.
        var: u32,
    },
}

impl Value {
    /// Shape and dtype.
    pub fn aval(&self) -> &Aval {
        match self {
            Value::Array(a) => a.aval(),
            Value::Tracer(t) => &t.0.aval,
        }
    }

    /// Axis sizes.
    pub fn shape(&self) -> &[usize] {
        &self.aval().shape
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.aval().dtype
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.aval().shape.len()
    }

    /// The concrete array, if it is one.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(a) => Some(a),
            Value::Tracer(_) => None,
        }
    }

    /// A weak scalar of the given number: float unless told otherwise.
    pub fn scalar(value: f64, dtype: DType) -> Result<Value> {
        Ok(Value::Array(Array::scalar(value, dtype, false)?))
    }

    /// Whether this is a tracer of the given trace.
    pub fn of_trace(&self, trace: &Rc<Trace>) -> Option<&TracerData> {
        match self {
            Value::Tracer(t) if Rc::ptr_eq(&t.0.trace, trace) => Some(&t.0),
            _ => None,
        }
    }

    /// The concrete values behind a tracer that carries them (under `grad` or `jvp` without
    /// staging), as JAX gives them to `if` and `print`. `None` where there are none.
    pub fn concrete(&self) -> Option<&Array> {
        match self {
            Value::Array(a) => Some(a),
            Value::Tracer(t) => match &t.0.payload {
                Payload::Jvp { primal, .. } => primal.concrete(),
                _ => None,
            },
        }
    }
}

/// Where a staged value comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The transform that stages it.
    pub transform: &'static str,
    /// The function being traced.
    pub function: String,
    /// Names of those of its arguments that the value depends on.
    pub arguments: Vec<String>,
}

impl Value {
    /// For a value that is staged, here or in an enclosing transform: where it comes from.
    pub fn origin(&self) -> Option<Origin> {
        let Value::Tracer(t) = self else { return None };
        match &t.0.payload {
            Payload::Jvp { primal, .. } => primal.origin(),
            Payload::Batch { value } => value.origin(),
            Payload::Stage { var } => Some(Origin {
                transform: t.0.trace.transform,
                function: t.0.trace.function.clone(),
                arguments: t.0.trace.lookup.get().map_or_else(Vec::new, |f| f(*var)),
            }),
        }
    }
}

impl From<Array> for Value {
    fn from(a: Array) -> Value {
        Value::Array(a)
    }
}

impl Tracer {
    /// Makes a tracer.
    pub fn new(trace: &Rc<Trace>, aval: Aval, site: Site, payload: Payload) -> Tracer {
        Tracer(Rc::new(TracerData {
            trace: Rc::clone(trace),
            aval,
            site,
            payload,
        }))
    }
}

/// The error for a tracer whose transform has ended.
pub fn leaked(t: &TracerData) -> Box<Error> {
    let kind = match t.payload {
        Payload::Jvp { linear: false, .. } => "JVPTracer",
        Payload::Jvp { .. } => "LinearizeTracer",
        Payload::Batch { .. } => "BatchTracer",
        Payload::Stage { .. } => "DynamicJaxprTracer",
    };
    leaked_error(&t.aval.long(), kind, t.site, t.trace.transform)
}

/// The same from its parts: the tracer's type, JAX's name for its kind, where it was made and by
/// which transform.
pub fn leaked_error(aval: &str, kind: &str, made_at: Site, transform: &'static str) -> Box<Error> {
    let message = format!(
        "Encountered an unexpected tracer. A function transformed by JAX had a side effect, \
         allowing for a reference to an intermediate value with type {aval} wrapped in a {kind} to \
         escape the scope of the transformation."
    );
    Error::new(Class::UnexpectedTracerError, message).with_kind(Kind::Leaked { made_at, transform })
}
