//! Errors as data. A message is the sentence a JAX user would search for; everything a reader needs
//! beyond it (which primitive, where, under which transforms) travels in fields, and `diagnose/`
//! turns it into prose.

use crate::aval::Aval;
use crate::decimal::Decimal;
use crate::span::Site;
use alloc::rc::Rc;
use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::any::Any;
use core::fmt;

/// Results of the engine.
pub type Result<T> = core::result::Result<T, Box<Error>>;

/// The exception class, with JAX's or Python's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Class {
    TypeError,
    ValueError,
    IndexError,
    KeyError,
    NotImplementedError,
    AttributeError,
    OverflowError,
    AssertionError,
    FloatingPointError,
    RuntimeError,
    ZeroDivisionError,
    ConcretizationTypeError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    TracerArrayConversionError,
    NonConcreteBooleanIndexError,
    UnexpectedTracerError,
    /// The engine's own limit: too much memory.
    ResourceError,
    /// An exception thrown by user code, carried through unchanged.
    Foreign,
    /// Our own fault.
    InternalError,
}

impl Class {
    /// Every class, for reading names.
    const ALL: [Class; 19] = [
        Class::TypeError,
        Class::ValueError,
        Class::IndexError,
        Class::KeyError,
        Class::NotImplementedError,
        Class::AttributeError,
        Class::OverflowError,
        Class::AssertionError,
        Class::FloatingPointError,
        Class::RuntimeError,
        Class::ConcretizationTypeError,
        Class::TracerBoolConversionError,
        Class::TracerIntegerConversionError,
        Class::TracerArrayConversionError,
        Class::NonConcreteBooleanIndexError,
        Class::UnexpectedTracerError,
        Class::ResourceError,
        Class::Foreign,
        Class::InternalError,
    ];

    /// The class of a name.
    pub fn parse(name: &str) -> Option<Class> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// The name shown to people: `ValueError`.
    pub fn name(self) -> &'static str {
        match self {
            Class::TypeError => "TypeError",
            Class::ValueError => "ValueError",
            Class::IndexError => "IndexError",
            Class::KeyError => "KeyError",
            Class::NotImplementedError => "NotImplementedError",
            Class::AttributeError => "AttributeError",
            Class::OverflowError => "OverflowError",
            Class::AssertionError => "AssertionError",
            Class::FloatingPointError => "FloatingPointError",
            Class::RuntimeError => "RuntimeError",
            Class::ZeroDivisionError => "ZeroDivisionError",
            Class::ConcretizationTypeError => "ConcretizationTypeError",
            Class::TracerBoolConversionError => "TracerBoolConversionError",
            Class::TracerIntegerConversionError => "TracerIntegerConversionError",
            Class::TracerArrayConversionError => "TracerArrayConversionError",
            Class::NonConcreteBooleanIndexError => "NonConcreteBooleanIndexError",
            Class::UnexpectedTracerError => "UnexpectedTracerError",
            Class::ResourceError => "ResourceError",
            Class::Foreign => "Error",
            Class::InternalError => "InternalError",
        }
    }
}

/// What kind of failure it was, for the diagnosis to tell apart without reading sentences.
#[derive(Clone, Debug, Default)]
pub enum Kind {
    /// Nothing special: the message says it.
    #[default]
    Other,
    /// A primitive has no rule for what a transform asked of it.
    NoRule {
        /// Which rule is missing.
        rule: Rule,
    },
    /// A traced value was needed as a concrete one.
    Concretization {
        /// What the value is: "the argument x of loss", when known.
        origin: Option<String>,
        /// Where the tracer was made.
        made_at: Site,
    },
    /// A tracer was used after its transform had ended.
    Leaked {
        /// Where the tracer was made.
        made_at: Site,
        /// The transform it belonged to.
        transform: &'static str,
    },
    /// `grad` of something whose output is not a scalar.
    NonScalarGrad,
    /// `grad` with respect to an integer or boolean.
    IntegerGrad,
    /// Shapes or dtypes of operands do not fit.
    Mismatch,
    /// A custom rule returned the wrong structure, shape or dtype.
    CustomRule {
        /// One row per leaf: path, expected, got, whether they agree.
        table: Vec<(String, String, String, bool)>,
    },
    /// Memory limit.
    Memory,
}

/// The rules a primitive may lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Rule {
    Jvp,
    Transpose,
    Batch,
    Eval,
}

impl Rule {
    /// As named in prose.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Jvp => "JVP",
            Rule::Transpose => "transpose",
            Rule::Batch => "batching",
            Rule::Eval => "evaluation",
        }
    }
}

/// One transform that was running when an error arose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// `grad`, `vmap`, `jit` …, or a phase: `transpose`.
    pub transform: &'static str,
    /// The name of the function under it, when known.
    pub function: String,
    /// Where the transform was called.
    pub site: Site,
}

/// An error on its way to the user.
#[derive(Clone, Debug)]
pub struct Error {
    /// Exception class.
    pub class: Class,
    /// JAX's sentence, or ours where JAX has none.
    pub message: String,
    /// What kind of failure.
    pub kind: Kind,
    /// The primitive at fault.
    pub primitive: Option<&'static str>,
    /// Abstract values of its operands.
    pub avals: Vec<Aval>,
    /// Abstract values of its results, where known.
    pub results: Vec<Aval>,
    /// The call at fault.
    pub site: Site,
    /// Transforms running at the time, outermost first.
    pub chain: Vec<Frame>,
    /// The program being transformed and the index of its failing equation, once known. Opaque
    /// here: the IR lies above this module.
    pub program: Option<Rc<dyn Any>>,
    /// The exception object of user code (class `Foreign`).
    pub foreign: Option<Rc<dyn Any>>,
}

impl Error {
    /// A plain error.
    pub fn new(class: Class, message: impl Into<String>) -> Box<Error> {
        Box::new(Error {
            class,
            message: message.into(),
            kind: Kind::Other,
            primitive: None,
            avals: Vec::new(),
            results: Vec::new(),
            site: Site::UNKNOWN,
            chain: Vec::new(),
            program: None,
            foreign: None,
        })
    }

    /// A `TypeError`.
    pub fn type_error(message: impl Into<String>) -> Box<Error> {
        Error::new(Class::TypeError, message)
    }

    /// A `ValueError`.
    pub fn value_error(message: impl Into<String>) -> Box<Error> {
        Error::new(Class::ValueError, message)
    }

    /// Shapes or dtypes that do not fit each other.
    pub fn mismatch(class: Class, message: impl Into<String>, avals: &[Aval]) -> Box<Error> {
        let mut e = Error::new(class, message);
        e.kind = Kind::Mismatch;
        e.avals = avals.to_vec();
        e
    }

    /// A primitive lacks a rule. `message` is JAX's sentence for it.
    pub fn no_rule(
        primitive: &'static str,
        rule: Rule,
        class: Class,
        message: impl Into<String>,
    ) -> Box<Error> {
        let mut e = Error::new(class, message);
        e.primitive = Some(primitive);
        e.kind = Kind::NoRule { rule };
        e
    }

    /// A rule that JAX lacks too, in its words.
    pub fn rule_missing(primitive: &'static str, rule: Rule) -> Box<Error> {
        let what = match rule {
            Rule::Jvp => "Differentiation rule",
            Rule::Transpose => "Transpose rule (for reverse-mode differentiation)",
            Rule::Batch => "Batching rule",
            Rule::Eval => "Evaluation rule",
        };
        let message = format!("{what} for '{primitive}' not implemented");
        Error::no_rule(primitive, rule, Class::NotImplementedError, message)
    }

    /// The engine contradicts itself.
    pub fn internal(message: impl Into<String>) -> Box<Error> {
        Error::new(Class::InternalError, message)
    }

    /// An exception of user code, to be handed back as the same object.
    pub fn foreign(payload: Rc<dyn Any>) -> Box<Error> {
        let mut e = Error::new(Class::Foreign, "an exception was thrown by the program");
        e.foreign = Some(payload);
        e
    }

    /// Adds the kind.
    pub fn with_kind(mut self: Box<Error>, kind: Kind) -> Box<Error> {
        self.kind = kind;
        self
    }
}

impl From<crate::buffer::OutOfBudget> for Box<Error> {
    fn from(e: crate::buffer::OutOfBudget) -> Box<Error> {
        if e.while_viewed {
            let message = format!(
                "a buffer callback may not allocate this much ({}) while it holds views of the \
                 engine's memory: they would be detached. Make the arrays before, or use a \
                 pure callback",
                human_bytes(e.requested)
            );
            return Error::new(Class::ResourceError, message).with_kind(Kind::Memory);
        }
        let size = human_bytes(e.requested);
        // Sizes beyond the address space arrive as its end.
        let needed = if e.requested == usize::MAX {
            format!("more than {size} are")
        } else {
            format!("{size} more are")
        };
        let message = format!(
            "out of memory: {needed} needed, {} are in use, the limit is {}",
            human_bytes(e.live),
            human_bytes(e.budget)
        );
        Error::new(Class::ResourceError, message).with_kind(Kind::Memory)
    }
}

/// `4.0 MB`: sizes for people.
pub fn human_bytes(bytes: usize) -> String {
    let mut value = bytes as f64;
    let mut units = ["B", "kB", "MB", "GB", "TB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for next in units {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    let (int, frac) = Decimal::of(value).fixed(1);
    match unit {
        "B" => format!("{bytes} B"),
        _ => format!("{int}.{frac} {unit}"),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.message)
    }
}

impl core::error::Error for Error {}
