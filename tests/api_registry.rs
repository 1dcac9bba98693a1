//! The registry: what it says of itself, how arguments are bound, and what it refuses.

use cotangent::api::describe::describe;
use cotangent::api::docs;
use cotangent::api::registry::{Arg, Ret, bind, call, find, registry};
use cotangent::interp::eval::eval_ctx;
use cotangent::prim::rule::{Ctx, Env};
use std::collections::HashSet;
use std::rc::Rc;

fn cx() -> Ctx {
    eval_ctx(Rc::new(Env::default()))
}

fn int(value: f64) -> Arg {
    Arg::Number {
        value,
        float: false,
    }
}

fn list(values: &[f64]) -> Arg {
    Arg::List(values.iter().map(|v| int(*v)).collect())
}

fn run(name: &str, positional: Vec<Arg>, named: Vec<(&str, Arg)>) -> Result<Vec<f64>, String> {
    let id = find(name).ok_or("no such function")?;
    let named = named.into_iter().map(|(n, a)| (n.to_owned(), a)).collect();
    let args = bind(id, positional, named).map_err(|e| e.to_string())?;
    match call(&cx(), id, &args).map_err(|e| e.to_string())? {
        Ret::Value(v) => Ok(v.as_array().ok_or("a tracer")?.to_f64()),
        other => Err(format!("{other:?}")),
    }
}

fn array(values: &[f64]) -> Arg {
    let id = find("np.array").unwrap();
    match call(&cx(), id, &[list(values)]).unwrap() {
        Ret::Value(v) => Arg::Value(v),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_name_stands_once_and_has_documentation() {
    let mut seen = HashSet::new();
    assert_eq!(docs().len(), registry().len());
    for (f, doc) in registry().iter().zip(docs()) {
        assert!(seen.insert(f.name()), "{} stands twice", f.name());
        assert!(doc.trim().len() > 8, "{} is not documented", f.name());
        let first_by_name = f.positional();
        let by_name = || f.params().skip(first_by_name);
        let ordered = by_name().all(|p| p.keyword_only);
        assert!(ordered, "{}: by-name parameters come last", f.name());
        let optional = by_name().all(|p| p.default.is_some());
        assert!(optional, "{}: by-name parameters have defaults", f.name());
        assert!(!f.variadic() || first_by_name > 0, "{}", f.name());
    }
}

#[test]
fn the_description_has_a_line_for_every_function_with_its_parameters() {
    let text = describe();
    let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("f\t")).collect();
    assert_eq!(lines.len(), registry().len());
    let sum = lines[find("np.sum").unwrap()];
    assert!(
        sum.starts_with("f\tnp.sum\tsum\t\ta\taxis=null\tdtype=null\t*keepdims=false"),
        "{sum}"
    );
    assert!(text.contains("f\tnp.zerosLike\tzeros_like\t\t"));
}

#[test]
fn arguments_bind_by_position_and_by_either_spelling_of_their_name() {
    let by_name = run("np.full", vec![int(2.0)], vec![("fillValue", int(7.0))]);
    assert_eq!(by_name, Ok(vec![7.0, 7.0]));
    let snake = run("np.full", vec![int(2.0)], vec![("fill_value", int(7.0))]);
    assert_eq!(snake, Ok(vec![7.0, 7.0]));
}

#[test]
fn wrong_calls_are_refused_in_pythons_words() {
    let unknown = run("np.sum", vec![int(1.0)], vec![("axes", int(0.0))]);
    assert_eq!(
        unknown.unwrap_err(),
        "TypeError: sum() got an unexpected keyword argument 'axes'"
    );
    let many = run("np.add", vec![int(1.0), int(1.0), int(1.0)], vec![]);
    assert_eq!(
        many.unwrap_err(),
        "TypeError: add() takes 2 positional arguments but 3 were given"
    );
    let missing = run("np.add", vec![int(1.0)], vec![]);
    assert_eq!(
        missing.unwrap_err(),
        "TypeError: add() missing 1 required positional argument: 'y'"
    );
    let twice = run("np.sum", vec![int(1.0)], vec![("a", int(0.0))]);
    assert_eq!(
        twice.unwrap_err(),
        "TypeError: sum() got multiple values for argument 'a'"
    );
}

#[test]
fn lists_become_arrays_only_where_jax_takes_them() {
    let list_in_sin = run("np.sin", vec![list(&[1.0])], vec![]);
    assert_eq!(
        list_in_sin.unwrap_err(),
        "TypeError: sin requires ndarray or scalar arguments, got <class 'list'> at position 0."
    );
    let ragged = run(
        "np.array",
        vec![Arg::List(vec![list(&[1.0, 2.0]), list(&[3.0])])],
        vec![],
    );
    assert!(ragged.unwrap_err().contains(
        "an inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous"
    ));
}

#[test]
fn numbers_meeting_arrays_take_their_type() {
    let out = run(
        "np.add",
        vec![
            array(&[1.0, 2.0]),
            Arg::Number {
                value: 0.5,
                float: true,
            },
        ],
        vec![],
    );
    assert!(out.is_err() || out == Ok(vec![1.5, 2.5]));
}
