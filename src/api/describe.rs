//! The registry as JSON, from which completion, hover texts, types and reference pages are made.

use super::registry::{Function, registry};
use std::fmt::Write as _;

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

/// All functions, constants and methods of arrays as JSON:
/// `{functions: [{name, python, module, signature, params: [{name, default, type, keywordOnly}],
/// variadic, returns, doc}], constants: [{name, type, value, doc}], methods: [{name, function}]}`;
/// functions by id.
pub fn describe() -> String {
    let mut out = String::from("{\"functions\":[");
    for (i, f) in registry().iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        function(&mut out, f);
    }
    out.push_str("],\"constants\":[");
    for (i, (name, ty, value, doc)) in CONSTANTS.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        let fields = [("name", name), ("type", ty), ("value", value), ("doc", doc)];
        object(&mut out, &fields.map(|(key, text)| (key, quoted(text))));
    }
    out.push_str("],\"methods\":[");
    for (i, (name, function)) in METHODS.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        object(
            &mut out,
            &[("name", quoted(name)), ("function", quoted(function))],
        );
    }
    out.push_str("]}");
    out
}

fn function(out: &mut String, f: &Function) {
    let params: Vec<String> = f
        .params
        .iter()
        .map(|p| {
            let mut one = String::new();
            object(
                &mut one,
                &[
                    ("name", quoted(p.name)),
                    ("default", p.default.map_or("null".into(), quoted)),
                    ("type", quoted(p.ty)),
                    ("keywordOnly", p.keyword_only.to_string()),
                ],
            );
            one
        })
        .collect();
    object(
        out,
        &[
            ("name", quoted(f.name)),
            ("python", quoted(&f.python_name())),
            ("module", quoted(f.module())),
            ("signature", quoted(&signature(f))),
            ("params", format!("[{}]", params.join(","))),
            ("variadic", f.variadic.to_string()),
            ("returns", quoted(f.returns)),
            ("doc", quoted(&doc(f))),
        ],
    );
}

/// The signature as JavaScript has it: `np.sum(a, axis = null, { keepdims = false })`.
pub fn signature(f: &Function) -> String {
    let shown = |p: &super::registry::Param| match p.default {
        Some(d) => format!("{} = {d}", p.name),
        None => p.name.to_owned(),
    };
    let positional = f.positional();
    let mut parts: Vec<String> = f.params[..positional].iter().map(shown).collect();
    if f.variadic
        && let Some(last) = parts.last_mut()
    {
        last.insert_str(0, "...");
    }
    let named: Vec<String> = f.params[positional..].iter().map(shown).collect();
    if !named.is_empty() {
        parts.push(format!("{{ {} }}", named.join(", ")));
    }
    format!("{}({})", f.name, parts.join(", "))
}

/// The documentation without the blank that begins every line of a Rust doc comment.
fn doc(f: &Function) -> String {
    let lines = f.doc.lines().map(|l| l.strip_prefix(' ').unwrap_or(l));
    lines.collect::<Vec<_>>().join("\n")
}

fn object(out: &mut String, fields: &[(&str, String)]) {
    out.push('{');
    for (i, (key, value)) in fields.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\"{key}\":{value}");
    }
    out.push('}');
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
