//! Arrays print as JAX and NumPy print them; the answers come from `tests/format/record.py`.

#[path = "support/json.rs"]
mod json;

use cotangent::api::format;
use cotangent::array::{Array, ArrayMut};
use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::value::Value;
use json::Json;

const ANSWERS: &str = include_str!("format/answers.json");

fn array(j: &Json) -> Array {
    let dtype = DType::parse(j.get("dtype").unwrap().text(), true).unwrap();
    let shape = j.get("shape").unwrap().sizes();
    let numbers = j.get("data").unwrap().numbers();
    let mut out = ArrayMut::uninit(Aval::new(&shape, dtype)).unwrap();
    match dtype {
        DType::F32 => fill(out.slice_mut::<f32>(), &numbers, |x| x as f32),
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

fn compare(key: &str, print: fn(&Value) -> String) {
    let mut faults = Vec::new();
    let answers = Json::parse(ANSWERS);
    for case in answers.list() {
        let got = print(&Value::Array(array(case)));
        let want = case.get(key).map_or("", Json::text);
        if got != want {
            faults.push(format!("got\n{got}\nwant\n{want}\n"));
        }
    }
    faults.sort_by_key(String::len);
    assert!(
        faults.is_empty(),
        "{} of {} arrays print otherwise:\n{}",
        faults.len(),
        answers.list().len(),
        faults[..faults.len().min(12)].join("\n")
    );
}

#[test]
fn str_is_numpys() {
    compare("str", format::str);
}

#[test]
fn repr_is_jaxs() {
    compare("repr", format::repr);
}
