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

/// All functions by id, then all constants, as JSON: `[{name, python, module, signature, params:
/// [{name, default, type, keywordOnly}], variadic, returns, doc}]`. A constant has no parameters,
/// and beside these fields `constant`, its value as JavaScript text.
pub fn describe() -> String {
    let mut out = String::from("[");
    for (i, f) in registry().iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        function(&mut out, f);
    }
    for (name, ty, value, doc) in CONSTANTS {
        let short = name.rsplit_once('.').map_or(*name, |(_, short)| short);
        let module = name.rsplit_once('.').map_or("", |(module, _)| module);
        out.push(',');
        object(
            &mut out,
            &[
                ("name", quoted(name)),
                ("python", quoted(&super::registry::snake_case(short))),
                ("module", quoted(module)),
                ("signature", quoted(name)),
                ("params", "[]".into()),
                ("variadic", "false".into()),
                ("returns", quoted(ty)),
                ("doc", quoted(doc)),
                ("constant", quoted(value)),
            ],
        );
    }
    out.push(']');
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
