//! The table of functions people call. Each function stands in it once, with its documentation, its
//! signature and the code that runs; the JavaScript and Python packages, their types, completion and
//! the reference pages are made from it.

use super::args::Args;
use crate::error::{Error, Result};
use crate::prim::rule::Ctx;
use crate::value::Value;
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::cell::OnceCell;

/// An argument as a front-end passes it.
#[derive(Clone, Debug)]
pub enum Arg {
    /// Not given, or the language's null.
    None,
    /// An array or a tracer.
    Value(Value),
    /// A plain number of the language.
    Number {
        /// The number.
        value: f64,
        /// Written as a float, or known to be one.
        float: bool,
    },
    /// A plain boolean of the language.
    Bool(bool),
    /// A string: a dtype, a mode, subscripts.
    Str(String),
    /// A list or tuple.
    List(Vec<Arg>),
    /// A slice inside an index.
    Slice {
        /// First index, or the end the step starts from.
        start: Option<i64>,
        /// Where to stop, exclusive.
        stop: Option<i64>,
        /// Step, 1 when not given; may be negative.
        step: Option<i64>,
    },
    /// `...` inside an index.
    Ellipsis,
    /// A new axis of size 1 inside an index.
    NewAxis,
}

/// A result.
#[derive(Clone, Debug)]
pub enum Ret {
    /// Nothing.
    None,
    /// An array or a tracer.
    Value(Value),
    /// Several results.
    List(Vec<Ret>),
    /// Named results, as `finfo` gives them.
    Record(Vec<(&'static str, Ret)>),
    /// A plain integer.
    Int(i64),
    /// A plain float.
    Float(f64),
    /// A plain boolean.
    Bool(bool),
    /// A plain string.
    Str(String),
}

impl From<Value> for Ret {
    fn from(v: Value) -> Ret {
        Ret::Value(v)
    }
}

/// One parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name in JavaScript; Python's is derived by `snake_case`.
    pub name: &'static str,
    /// The default as shown to people; `None` when the argument must be given.
    pub default: Option<&'static str>,
    /// Only by name, never by position.
    pub keyword_only: bool,
}

/// One function people call. What only readers need (types, documentation) is kept outside of the
/// program: see [`notes`].
pub struct Function {
    /// Fields separated by tabs: its name, its Python name where the rule of `snake_case` does not give
    /// it, `..` if variadic, then the parameters, positional ones first: for each `*` if it goes by name
    /// only, its name, and after `=` its default.
    pub text: &'static str,
    /// What it does.
    pub call: fn(&Ctx, &Args) -> Result<Ret>,
}

impl Function {
    fn field(&self, i: usize) -> &'static str {
        self.text.split('\t').nth(i).unwrap_or_default()
    }

    /// Where it lives and its JavaScript name: `np.zerosLike`.
    pub fn name(&self) -> &'static str {
        self.field(0)
    }

    /// The name inside the module: `zerosLike`.
    pub fn short(&self) -> &'static str {
        self.name().rsplit_once('.').map_or(self.name(), |(_, s)| s)
    }

    /// Whether the last positional parameter takes all further positional arguments as one list.
    pub fn variadic(&self) -> bool {
        !self.field(2).is_empty()
    }

    /// The name inside the module in Python: `zeros_like`.
    pub fn python_name(&self) -> String {
        match self.field(1) {
            "" => snake_case(self.short()),
            given => given.to_owned(),
        }
    }

    /// The parameters in order.
    pub fn params(&self) -> impl Iterator<Item = Param> + use<> {
        self.text.split('\t').skip(3).map(|text| {
            let (keyword_only, text) = match text.strip_prefix('*') {
                Some(text) => (true, text),
                None => (false, text),
            };
            let (name, default) = match text.split_once('=') {
                Some((name, default)) => (name, Some(default)),
                None => (text, None),
            };
            Param {
                name,
                default,
                keyword_only,
            }
        })
    }

    /// How many parameters may be given by position.
    pub fn positional(&self) -> usize {
        self.params().filter(|p| !p.keyword_only).count()
    }
}

/// What readers need to know of a function or of a type's name, put into a custom section of the
/// wasm file, `cotangent.notes`, which the build takes out of it: the editor, the declarations and the
/// reference pages are made from it, and nobody has to download it to run a program.
macro_rules! note {
    ($text:expr) => {
        #[cfg(target_arch = "wasm32")]
        #[allow(dead_code)] // read from the wasm file, not from the program
        const _: () = {
            const TEXT: &str = $text;
            #[unsafe(link_section = "cotangent.notes")]
            static NOTE: [u8; TEXT.len()] = $crate::api::registry::bytes(TEXT);
        };
    };
}
pub(super) use note;

/// A text as an array of its bytes: only that can be put into a custom section.
#[cfg(target_arch = "wasm32")]
#[allow(dead_code)]
pub(super) const fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = text.as_bytes()[i];
        i += 1;
    }
    out
}

/// Defines a table of functions. Parameters after the semicolon go by name only; `..` after the
/// positional ones makes the last of them take all further arguments.
///
/// A note of a function is a record that ends with a NUL: `f`, its name, the names of the types of its
/// parameters and of its result, separated by tabs, and after a line feed the documentation.
macro_rules! api {
    ($table:ident; $(
        $(#[doc = $doc:literal])+
        $name:literal $(as $python:literal)?
        ($($p:ident: $ty:ident $(= $default:expr)?),* $(; $($k:ident: $kty:ident $(= $kdefault:expr)?),*)?)
        $(($dots:tt))? -> $ret:ident => $call:expr;
    )+) => {
        $($crate::api::registry::note! { concat!(
            "f\t", $name,
            $("\t", stringify!($ty),)* $($("\t", stringify!($kty),)*)?
            "\t", stringify!($ret), $("\n", $doc,)+ "\0",
        ) })+

        /// For tests: what must stand with each function.
        #[cfg(not(target_arch = "wasm32"))]
        pub(super) static DOCS: &[&str] = &[$(concat!($($doc, "\n"),+)),+];

        pub(super) static $table: &[$crate::api::registry::Function] = &[$(
            $crate::api::registry::Function {
                text: concat!(
                    $name, "\t", $($python,)? "\t", $(stringify!($dots),)?
                    $("\t", stringify!($p), $("=", stringify!($default),)?)*
                    $($("\t*", stringify!($k), $("=", stringify!($kdefault),)?)*)?
                ),
                call: $call,
            },
        )+];
    };
}
pub(super) use api;

/// Every function. The place in this list is its id at the boundary.
pub fn registry() -> &'static [&'static Function] {
    local! {
        static ALL: OnceCell<&'static [&'static Function]> = OnceCell::new();
    }
    // Made once per thread and kept for good.
    let all = || {
        super::TABLES
            .iter()
            .flat_map(|t| t.iter())
            .collect::<Vec<_>>()
    };
    ALL.with(|cell| *cell.get_or_init(|| all().leak()))
}

/// The id of a function by its full name, `np.sum`.
pub fn find(name: &str) -> Option<usize> {
    registry().iter().position(|f| f.name() == name)
}

/// Calls a function with arguments in the order of its parameters; those not given are
/// `Arg::None` or left out at the end. A variadic parameter takes an `Arg::List`.
pub fn call(cx: &Ctx, id: usize, args: &[Arg]) -> Result<Ret> {
    let function = registry()
        .get(id)
        .ok_or_else(|| Error::internal(format!("there is no function {id}")))?;
    (function.call)(cx, &Args::new(cx, function, args))
}

/// Puts positional and named arguments into the order of the parameters, as `call` wants them.
///
/// # Errors
/// `TypeError` in Python's words for an unknown name, one given twice, and too many arguments.
pub fn bind(id: usize, positional: Vec<Arg>, named: Vec<(String, Arg)>) -> Result<Vec<Arg>> {
    let f = registry()
        .get(id)
        .ok_or_else(|| Error::internal(format!("there is no function {id}")))?;
    let (room, given) = (f.positional(), positional.len());
    let mut positional = positional.into_iter();
    let mut out: Vec<Arg> = Vec::new();
    if f.variadic() {
        out.extend(positional.by_ref().take(room - 1));
        out.resize(room - 1, Arg::None);
        out.push(Arg::List(positional.collect()));
    } else if given > room {
        return Err(Error::type_error(format!(
            "{}() takes {} but {given} {} given",
            f.short(),
            count(room, "positional argument"),
            if given == 1 { "was" } else { "were" }
        )));
    } else {
        out.extend(positional);
    }
    out.resize(f.params().count(), Arg::None);
    for (name, value) in named {
        let at = f
            .params()
            .position(|p| p.name == name || snake_case(p.name) == name);
        let Some(at) = at else {
            return Err(Error::type_error(format!(
                "{}() got an unexpected keyword argument '{name}'",
                f.short()
            )));
        };
        if at < given.min(room) {
            return Err(Error::type_error(format!(
                "{}() got multiple values for argument '{name}'",
                f.short()
            )));
        }
        out[at] = value;
    }
    Ok(out)
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `zerosLike` to `zeros_like`: Python's spelling of a JavaScript name.
pub fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if !out.is_empty() {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}
