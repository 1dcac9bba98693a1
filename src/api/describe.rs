//! The registry as front-ends read it. With the notes beside it (see [`registry`](super::registry)) completion,
//! hover texts, types and reference pages are made from it.

use super::registry::registry;
use alloc::string::String;

/// Constants of the modules: name, TypeScript type, text of the value in JavaScript, meaning.
pub const CONSTANTS: &[(&str, &str, &str, &str)] = &[
    (
        "np.pi",
        "number",
        "3.141592653589793",
        "The circle constant π.",
    ),
    (
        "np.e",
        "number",
        "2.718281828459045",
        "Euler's number, the base of `np.exp`.",
    ),
    (
        "np.eulerGamma",
        "number",
        "0.5772156649015329",
        "The Euler–Mascheroni constant γ.",
    ),
    ("np.inf", "number", "Infinity", "Positive infinity."),
    ("np.nan", "number", "NaN", "Not a number."),
    (
        "np.newaxis",
        "null",
        "null",
        "A new axis of size 1 inside an index.",
    ),
    (
        "np.float32",
        "DType",
        "\"float32\"",
        "Single precision, the default float.",
    ),
    (
        "np.float64",
        "DType",
        "\"float64\"",
        "Double precision; float32 unless x64 is on.",
    ),
    (
        "np.int32",
        "DType",
        "\"int32\"",
        "Signed integers of 32 bits, the default integer.",
    ),
    (
        "np.uint32",
        "DType",
        "\"uint32\"",
        "Unsigned integers of 32 bits.",
    ),
    ("np.bool", "DType", "\"bool\"", "Booleans."),
];

/// Methods of arrays: each is a function of the registry with the array as its first argument.
pub const METHODS: &[(&str, &str)] = &[
    ("add", "np.add"),
    ("sub", "np.subtract"),
    ("mul", "np.multiply"),
    ("div", "np.trueDivide"),
    ("pow", "np.power"),
    ("mod", "np.remainder"),
    ("neg", "np.negative"),
    ("lt", "np.less"),
    ("le", "np.lessEqual"),
    ("gt", "np.greater"),
    ("ge", "np.greaterEqual"),
    ("eq", "np.equal"),
    ("ne", "np.notEqual"),
    ("matmul", "np.matmul"),
    ("maximum", "np.maximum"),
    ("minimum", "np.minimum"),
    ("all", "np.all"),
    ("any", "np.any"),
    ("argmax", "np.argmax"),
    ("argmin", "np.argmin"),
    ("argsort", "np.argsort"),
    ("astype", "np.astype"),
    ("clip", "np.clip"),
    ("cumprod", "np.cumprod"),
    ("cumsum", "np.cumsum"),
    ("diagonal", "np.diagonal"),
    ("dot", "np.dot"),
    ("flatten", "np.ravel"),
    ("max", "np.max"),
    ("mean", "np.mean"),
    ("min", "np.min"),
    ("prod", "np.prod"),
    ("ptp", "np.ptp"),
    ("ravel", "np.ravel"),
    ("repeat", "np.repeat"),
    ("reshape", "np.reshape"),
    ("round", "np.round"),
    ("sort", "np.sort"),
    ("squeeze", "np.squeeze"),
    ("std", "np.std"),
    ("sum", "np.sum"),
    ("swapaxes", "np.swapaxes"),
    ("take", "np.take"),
    ("trace", "np.trace"),
    ("transpose", "np.transpose"),
    ("var", "np.var"),
];

/// What a front-end needs to offer the functions, as lines of fields separated by tabs. Functions by id:
/// `f`, name, name in Python, `..` if variadic, then the parameters as the registry has them. Constants: `c`
/// and what [`CONSTANTS`] says. Methods of arrays: `m`, name, function.
pub fn describe() -> String {
    let mut out = String::new();
    for f in registry() {
        let (_, rest) = f.text.split_once('\t').unwrap_or_default();
        let (_, rest) = rest.split_once('\t').unwrap_or_default();
        line(&mut out, &["f", f.name(), &f.python_name(), rest]);
    }
    for (name, ty, value, doc) in CONSTANTS {
        line(&mut out, &["c", name, ty, value, doc]);
    }
    for (name, function) in METHODS {
        line(&mut out, &["m", name, function]);
    }
    out
}

fn line(out: &mut String, fields: &[&str]) {
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            out.push('\t');
        }
        out.push_str(field);
    }
    out.push('\n');
}
