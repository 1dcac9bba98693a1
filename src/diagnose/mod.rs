//! From an error to a diagnosis: the facts a front-end shows, as JSON. Sites stay numbers; the
//! front-end that gave them out turns them into lines, and makes the edits of fixes.

use alloc::{string::String, vec::Vec};
mod explain;
pub mod json;

use crate::error::{Error, Kind};
use crate::ir::ClosedJaxpr;
use crate::ir::print::{Printed, print};
use crate::span::Site;
use crate::transform::transpose::FailedAt;
use json::Object;

pub use explain::explain;

/// Everything known of an error.
///
/// `{class, message, primitive, site, kind, rule, madeAt, explanation, chain: [{transform,
/// function, site}], avals, results, table: [[path, expected, got, ok]], jaxpr, equation}`
pub fn report(e: &Error) -> String {
    let mut out = String::new();
    let mut o = Object::open(&mut out);
    o.text("class", e.class.name());
    o.text("message", &e.message);
    o.optional_text("primitive", e.primitive);
    o.number("site", e.site.0 as usize);
    o.text("kind", kind_name(&e.kind));
    let rule = match &e.kind {
        Kind::NoRule { rule } => Some(rule.name()),
        _ => None,
    };
    o.optional_text("rule", rule);
    let made_at = made_at(e);
    o.number("madeAt", made_at.0 as usize);
    o.text("explanation", &explain(e));
    json::array(o.key("chain"), &e.chain, |out, frame| {
        let mut o = Object::open(out);
        o.text("transform", frame.transform);
        o.text("function", &frame.function);
        o.number("site", frame.site.0 as usize);
        o.close();
    });
    json::array(o.key("avals"), &e.avals, |out, a| {
        json::string(out, &a.long())
    });
    json::array(o.key("results"), &e.results, |out, a| {
        json::string(out, &a.long())
    });
    let empty = Vec::new();
    let table = match &e.kind {
        Kind::CustomRule { table } => table,
        _ => &empty,
    };
    json::array(o.key("table"), table, |out, (path, expected, got, ok)| {
        out.push('[');
        for text in [path, expected, got] {
            json::string(out, text);
            out.push(',');
        }
        out.push_str(if *ok { "true]" } else { "false]" });
    });
    match program(e) {
        Some((printed, equation)) => {
            o.key("jaxpr").push_str(&jaxpr_json(&printed));
            match equation {
                Some(i) => o.number("equation", i),
                None => o.key("equation").push_str("null"),
            }
        }
        None => {
            o.key("jaxpr").push_str("null");
            o.key("equation").push_str("null");
        }
    }
    o.close();
    out
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Other => "other",
        Kind::NoRule { .. } => "noRule",
        Kind::Concretization { .. } => "concretization",
        Kind::Leaked { .. } => "leaked",
        Kind::NonScalarGrad => "nonScalarGrad",
        Kind::IntegerGrad => "integerGrad",
        Kind::Mismatch => "mismatch",
        Kind::CustomRule { .. } => "customRule",
        Kind::Memory => "memory",
    }
}

fn made_at(e: &Error) -> Site {
    match e.kind {
        Kind::Leaked { made_at, .. } | Kind::Concretization { made_at, .. } => made_at,
        _ => Site::UNKNOWN,
    }
}

/// The program that failed, printed, and the index of the failing equation in the print.
fn program(e: &Error) -> Option<(Printed, Option<usize>)> {
    let program = e.program.as_ref()?;
    if let Some(failed) = program.downcast_ref::<FailedAt>() {
        let printed = print(&failed.closed);
        let at = printed
            .eqns
            .iter()
            .position(|q| q.path == [failed.equation]);
        return Some((printed, at));
    }
    let closed = program.downcast_ref::<ClosedJaxpr>()?;
    let printed = print(closed);
    let same = |site: Site, primitive: Option<&str>| {
        printed.eqns.iter().position(|q| {
            site.is_known() && q.site == site && primitive.is_none_or(|p| q.primitive == p)
        })
    };
    let at = same(e.site, e.primitive).or_else(|| same(made_at(e), None));
    Some((printed, at))
}

/// A printed jaxpr with the place of every equation, in UTF-16 units.
pub fn jaxpr_json(printed: &Printed) -> String {
    // For every byte how many units stand before it, where that is not the same number.
    let mut units = Vec::new();
    if !printed.text.is_ascii() {
        let mut before = 0;
        for c in printed.text.chars() {
            units.extend(core::iter::repeat_n(before, c.len_utf8()));
            before += c.len_utf16();
        }
        units.push(before);
    }
    let utf16 = |at: usize| units.get(at).copied().unwrap_or(at);
    let mut out = String::new();
    let mut o = Object::open(&mut out);
    o.text("text", &printed.text);
    json::array(o.key("equations"), &printed.eqns, |out, q| {
        let mut o = Object::open(out);
        o.number("from", utf16(q.from));
        o.number("to", utf16(q.to));
        o.number("site", q.site.0 as usize);
        o.text("primitive", q.primitive);
        o.close();
    });
    o.close();
    out
}
