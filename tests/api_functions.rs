//! Every function against what JAX 0.10.2 answered: results with dtype and weakness, the jaxpr of the
//! call, errors. The answers come from `tests/api/record.py`.

#[path = "support/json.rs"]
mod json;

use cotangent::api::registry::{Arg, Ret, bind, call, find};
use cotangent::array::{Array, ArrayMut};
use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::error::Result;
use cotangent::interp::eval::eval_ctx;
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::print::print;
use cotangent::prim::rule::{Ctx, Env, Fun};
use cotangent::value::Value;
use json::Json;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const ANSWERS: &str = include_str!("api/answers.json");
const KNOWN: &str = include_str!("api/known-differences.json");

fn cx() -> Ctx {
    eval_ctx(Rc::new(Env::default()))
}

fn array(j: &Json) -> Array {
    let dtype = DType::parse(j.get("dtype").expect("a dtype").text(), true).expect("a known dtype");
    let shape = j.get("shape").expect("a shape").sizes();
    let numbers = j.get("data").expect("elements").numbers();
    let mut out = ArrayMut::uninit(Aval::new(&shape, dtype)).unwrap();
    match dtype {
        DType::F32 => fill(out.slice_mut::<f32>(), &numbers, |x| x as f32),
        DType::F64 => fill(out.slice_mut::<f64>(), &numbers, |x| x),
        DType::I32 => fill(out.slice_mut::<i32>(), &numbers, |x| x as i32),
        DType::U32 => fill(out.slice_mut::<u32>(), &numbers, |x| x as u32),
        _ => fill(out.slice_mut::<u8>(), &numbers, |x| x as u8),
    }
    out.freeze()
        .with_weak(j.get("weak").is_some_and(Json::is_true))
}

fn fill<T>(to: &mut [T], from: &[f64], f: impl Fn(f64) -> T) {
    for (t, x) in to.iter_mut().zip(from) {
        *t = f(*x);
    }
}

/// A recorded argument. Arrays are collected in `arrays` and replaced by the ones given, if any.
fn argument(j: &Json, arrays: &RefCell<Vec<Value>>, given: Option<&[Value]>) -> Arg {
    match j {
        Json::Null => Arg::NewAxis,
        Json::Bool(b) => Arg::Bool(*b),
        Json::Number(value) => Arg::Number {
            value: *value,
            float: false,
        },
        Json::Text(s) => Arg::Str(s.clone()),
        Json::List(items) => Arg::List(items.iter().map(|i| argument(i, arrays, given)).collect()),
        Json::Object(_) => {
            if let Some(value) = j.get("float") {
                return Arg::Number {
                    value: value.number(),
                    float: true,
                };
            }
            if let Some(parts) = j.get("slice") {
                let part = |i: usize| match &parts.list()[i] {
                    Json::Null => None,
                    n => Some(n.number() as i64),
                };
                return Arg::Slice {
                    start: part(0),
                    stop: part(1),
                    step: part(2),
                };
            }
            if j.get("ellipsis").is_some() {
                return Arg::Ellipsis;
            }
            let mut seen = arrays.borrow_mut();
            let value = match given {
                Some(values) => values[seen.len()].clone(),
                None => Value::Array(array(j)),
            };
            seen.push(value.clone());
            Arg::Value(value)
        }
    }
}

/// Runs a recorded call; gives its result and the arrays among its arguments.
fn run(cx: &Ctx, case: &Json, given: Option<&[Value]>) -> (Result<Ret>, Vec<Value>) {
    let arrays = RefCell::default();
    let name = case.get("f").expect("a function").text();
    let id = find(name).unwrap_or_else(|| panic!("{name} is not in the registry"));
    let mut positional: Vec<Arg> = case
        .get("args")
        .expect("arguments")
        .list()
        .iter()
        .map(|j| argument(j, &arrays, given))
        .collect();
    if name.starts_with("at.") {
        // Only the index is a list in itself.
        let rest = positional.split_off(2);
        let index = positional.remove(1);
        positional.push(index);
        positional.extend(rest);
    }
    let named = match case.get("kw") {
        Some(Json::Object(fields)) => fields
            .iter()
            .map(|(k, j)| (k.clone(), argument(j, &arrays, given)))
            .collect(),
        _ => Vec::new(),
    };
    let out = bind(id, positional, named).and_then(|args| call(cx, id, &args));
    (out, arrays.into_inner())
}

fn described(case: &Json) -> String {
    let show = |j: &Json| -> String { short(j) };
    let mut parts: Vec<String> = case.get("args").unwrap().list().iter().map(show).collect();
    if let Some(Json::Object(fields)) = case.get("kw") {
        parts.extend(fields.iter().map(|(k, j)| format!("{k}={}", show(j))));
    }
    format!("{}({})", case.get("f").unwrap().text(), parts.join(", "))
}

fn short(j: &Json) -> String {
    match j {
        Json::Null => "null".into(),
        Json::Bool(b) => b.to_string(),
        Json::Number(n) => n.to_string(),
        Json::Text(s) => format!("{s:?}"),
        Json::List(items) => format!(
            "[{}]",
            items.iter().map(short).collect::<Vec<_>>().join(",")
        ),
        Json::Object(_) => match (j.get("float"), j.get("slice"), j.get("ellipsis")) {
            (Some(x), _, _) => format!("{:?}", x.number()),
            (_, Some(s), _) => format!("slice{}", short(s)),
            (_, _, Some(_)) => "...".into(),
            _ => {
                let dims: Vec<String> = j
                    .get("shape")
                    .unwrap()
                    .sizes()
                    .iter()
                    .map(usize::to_string)
                    .collect();
                let weak = if j.get("weak").is_some_and(Json::is_true) {
                    "*"
                } else {
                    ""
                };
                let data = j.get("data").unwrap().numbers();
                let first = data.first().map_or(String::new(), |x| format!(" {x}.."));
                format!(
                    "{}{weak}[{}{first}]",
                    j.get("dtype").unwrap().text(),
                    dims.join("x")
                )
            }
        },
    }
}

/// Compares a result with the recorded one; says what differs.
fn difference(got: &Ret, want: &Json) -> Option<String> {
    match (got, want) {
        (Ret::List(items), Json::List(wanted)) => {
            if items.len() != wanted.len() {
                return Some(format!(
                    "{} results instead of {}",
                    items.len(),
                    wanted.len()
                ));
            }
            items.iter().zip(wanted).find_map(|(g, w)| difference(g, w))
        }
        (Ret::Value(v), _) => {
            let Some(got) = v.as_array() else {
                return Some("a tracer".into());
            };
            if want.get("shape").is_none() {
                return Some(format!("an array instead of {want:?}"));
            }
            let wanted = array(want);
            if got.aval() != wanted.aval() {
                let shown = |a: &Aval| format!("{}{}", a.long(), if a.weak { "*" } else { "" });
                return Some(format!(
                    "{} instead of {}",
                    shown(got.aval()),
                    shown(wanted.aval())
                ));
            }
            let pairs = got.to_f64().into_iter().zip(wanted.to_f64());
            for (i, (g, w)) in pairs.enumerate() {
                let near =
                    g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= 1e-6 + 1e-5 * w.abs();
                if !near {
                    return Some(format!("element {i} is {g} instead of {w}"));
                }
            }
            None
        }
        (Ret::Int(n), _) => (want.get("plain") != Some(&Json::Number(*n as f64)))
            .then(|| format!("{n} instead of {want:?}")),
        (Ret::Str(s), _) => (want.get("plain") != Some(&Json::Text(s.clone())))
            .then(|| format!("{s} instead of {want:?}")),
        _ => Some(format!("{got:?} instead of {want:?}")),
    }
}

/// Differences that are meant, by kind: description of the case to reason.
fn known(kind: &str) -> BTreeMap<String, String> {
    match Json::parse(KNOWN).get(kind) {
        Some(Json::Object(fields)) => fields
            .iter()
            .map(|(k, v)| (k.clone(), v.text().to_owned()))
            .collect(),
        _ => BTreeMap::new(),
    }
}

/// What was found beside what is known to differ, by description of the case or by its function.
struct Faults {
    known: BTreeMap<String, String>,
    used: BTreeSet<String>,
    found: Vec<String>,
    total: usize,
}

impl Faults {
    fn new(kind: &str) -> Faults {
        Faults {
            known: known(kind),
            used: BTreeSet::new(),
            found: Vec::new(),
            total: 0,
        }
    }

    fn add(&mut self, case: &Json, fault: Option<String>) {
        self.total += 1;
        let Some(fault) = fault else { return };
        let name = case.get("f").unwrap().text().to_owned();
        for key in [described(case), name] {
            if self.known.contains_key(&key) {
                self.used.insert(key);
                return;
            }
        }
        self.found.push(format!("{}: {fault}", described(case)));
    }

    /// Fails for anything not known, and for known differences that are gone.
    fn report(mut self, what: &str) {
        let gone = self.known.keys().filter(|k| !self.used.contains(*k));
        self.found
            .extend(gone.map(|k| format!("{k}: differs no longer; take it off the list")));
        report(what, self.total, &self.found);
    }
}

fn report(what: &str, total: usize, faults: &[String]) {
    let limit = std::env::var("FAULTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let shown: Vec<&str> = faults.iter().take(limit).map(String::as_str).collect();
    assert!(
        faults.is_empty(),
        "{} of {total} {what} differ from JAX's:\n{}",
        faults.len(),
        shown.join("\n")
    );
}

#[test]
fn results_are_jaxs() {
    let mut faults = Faults::new("results");
    for case in Json::parse(ANSWERS).list() {
        let Some(want) = case.get("result") else {
            continue;
        };
        let fault = match run(&cx(), case, None).0 {
            Ok(got) => difference(&got, want),
            Err(e) => Some(e.to_string()),
        };
        faults.add(case, fault);
    }
    faults.report("results");
}

#[test]
fn errors_are_jaxs() {
    let mut faults = Faults::new("errors");
    for case in Json::parse(ANSWERS).list() {
        let Some(want) = case.get("error") else {
            continue;
        };
        let (class, message) = (want.list()[0].text(), want.list()[1].text());
        let fault = match run(&cx(), case, None).0 {
            Ok(_) => Some("no error".to_owned()),
            Err(e) => {
                let first = e.message.lines().next().unwrap_or("");
                (e.class.name() != class || first != message)
                    .then(|| format!("\n    got  {}: {first}", e.class.name()))
            }
        };
        faults.add(
            case,
            fault.map(|f| {
                format!(
                    "{f}
    want {class}: {message}"
                )
            }),
        );
    }
    faults.report("errors");
}

#[test]
fn jaxprs_are_jaxs() {
    let mut faults = Faults::new("jaxprs");
    for case in Json::parse(ANSWERS).list() {
        let Some(want) = case.get("jaxpr") else {
            continue;
        };
        let fault = match staged(case) {
            Ok(got) => (folded(&got) != folded(want.text())).then(|| {
                format!(
                    "\n    got  {}\n    want {}",
                    folded(&got),
                    folded(want.text())
                )
            }),
            Err(e) => Some(e.to_string()),
        };
        faults.add(case, fault);
    }
    faults.report("jaxprs");
}

/// The jaxpr of a call with its arrays as inputs.
fn staged(case: &Json) -> Result<String> {
    let cx = cx();
    let (_, arrays) = run(&cx, case, None);
    let avals: Vec<Aval> = arrays.iter().map(|v| v.aval().clone()).collect();
    let owned = case.clone();
    let fun: Fun = Rc::new(move |cx: &Ctx, args: &[Value]| {
        let mut out = Vec::new();
        collect(run(cx, &owned, Some(args)).0?, &mut out);
        Ok(out)
    });
    let closed = trace_to_jaxpr(&cx, "make_jaxpr", "f", &fun, &avals, &[])?;
    Ok(print(&closed).text)
}

fn collect(ret: Ret, out: &mut Vec<Value>) {
    match ret {
        Ret::Value(v) => out.push(v),
        Ret::List(items) => items.into_iter().for_each(|r| collect(r, out)),
        _ => {}
    }
}

/// Without line breaks: where they fall is the printer's own matter.
fn folded(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    flat.replace("[ ", "[").replace(" ]", "]")
}
