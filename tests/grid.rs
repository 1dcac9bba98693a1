//! Every nesting of three transforms over a dozen programs, each checked against what the outermost
//! transform means: derivatives against central differences of the function below it, `vmap` against a loop,
//! `jit` against the function itself; and each staged into a jaxpr, checked, and run again.
//!
//! All functions here map three float64 numbers to one, and so does every transform of them, so that they
//! nest in any order.

use cotangent::api::registry::{Arg, Ret, call, find};
use cotangent::array::Array;
use cotangent::error::Result;
use cotangent::interp::eval::{eval_ctx, eval_jaxpr};
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::check::check;
use cotangent::prim::rule::{Ctx, Env, Fun};
use cotangent::transform::Named;
use cotangent::transform::custom::{CustomJvpCall, CustomVjpCall};
use cotangent::transform::grad::value_and_grad;
use cotangent::transform::jit::JitCache;
use cotangent::transform::jvp::jvp;
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

const POINT: [f64; 3] = [0.6, -0.8, 1.3];
const WEIGHTS: [f64; 3] = [0.5, -1.25, 0.75];
const SCALES: [f64; 2] = [1.0, 0.7];

fn vector(x: &[f64]) -> Value {
    Array::from_slice(x, &[x.len()]).unwrap().into()
}

fn number(v: &Value) -> f64 {
    v.as_array().unwrap().number_at(0)
}

fn np(cx: &Ctx, name: &str, args: Vec<Arg>) -> Result<Value> {
    match call(
        cx,
        find(name).unwrap_or_else(|| panic!("{name} is missing")),
        &args,
    )? {
        Ret::Value(v) => Ok(v),
        other => panic!("{name} gave {other:?}"),
    }
}

fn v(x: &Value) -> Arg {
    Arg::Value(x.clone())
}

fn num(x: f64) -> Arg {
    Arg::Number {
        value: x,
        float: true,
    }
}

fn sum(cx: &Ctx, x: &Value) -> Result<Value> {
    np(cx, "np.sum", vec![v(x)])
}

/// The programs: a name and a function of three numbers.
fn programs() -> Vec<(&'static str, Fun)> {
    fn fun(f: impl Fn(&Ctx, &Value) -> Result<Value> + 'static) -> Fun {
        Rc::new(move |cx, x| Ok(vec![f(cx, &x[0])?]))
    }
    vec![
        (
            "products",
            fun(|cx, x| {
                let s = np(cx, "np.sin", vec![v(x)])?;
                sum(cx, &cx.mul(&s, x)?)
            }),
        ),
        (
            "quotients",
            fun(|cx, x| {
                let e = np(cx, "np.exp", vec![v(x)])?;
                let d = np(cx, "np.add", vec![v(&e), num(1.0)])?;
                sum(cx, &cx.div(x, &d)?)
            }),
        ),
        (
            "matrix",
            fun(|cx, x| {
                let m: Value =
                    Array::from_slice(&[0.3, -0.2, 0.9, 1.1, 0.4, -0.5f64], &[2, 3])?.into();
                let y = np(cx, "np.matmul", vec![v(&m), v(x)])?;
                let t = np(cx, "np.tanh", vec![v(&y)])?;
                np(cx, "np.dot", vec![v(&t), v(&y)])
            }),
        ),
        (
            "branches",
            fun(|cx, x| {
                let zero = np(cx, "np.greater", vec![v(x), num(0.1)])?;
                let square = cx.mul(x, x)?;
                let cube = cx.mul(&square, x)?;
                sum(
                    cx,
                    &np(cx, "np.where", vec![v(&zero), v(&square), v(&cube)])?,
                )
            }),
        ),
        (
            "indexing",
            fun(|cx, x| {
                let at: Value = Array::from_slice(&[2i32, 0, 2], &[3])?.into();
                let picked = np(cx, "np.take", vec![v(x), v(&at)])?;
                let first = np(
                    cx,
                    "array.get",
                    vec![
                        v(x),
                        Arg::List(vec![Arg::Number {
                            value: 1.0,
                            float: false,
                        }]),
                    ],
                )?;
                let all = sum(cx, &cx.mul(&picked, &picked)?)?;
                cx.mul(&all, &first)
            }),
        ),
        (
            "shapes",
            fun(|cx, x| {
                let twice = np(cx, "np.concatenate", vec![Arg::List(vec![v(x), v(x)])])?;
                let shape = [2.0, 3.0].map(|value| Arg::Number {
                    value,
                    float: false,
                });
                let table = np(cx, "np.reshape", vec![v(&twice), Arg::List(shape.to_vec())])?;
                let turned = np(cx, "np.transpose", vec![v(&table)])?;
                let product = np(cx, "np.matmul", vec![v(&table), v(&turned)])?;
                let sines = np(cx, "np.sin", vec![v(&product)])?;
                sum(cx, &sines)
            }),
        ),
        (
            "softmax",
            fun(|cx, x| {
                let p = np(cx, "nn.softmax", vec![v(x)])?;
                let l = np(cx, "nn.logsumexp", vec![v(x)])?;
                let d = np(cx, "np.dot", vec![v(&p), v(x)])?;
                cx.add(&d, &l)
            }),
        ),
        (
            "running totals",
            fun(|cx, x| {
                let c = np(cx, "np.cumsum", vec![v(x)])?;
                let p = np(cx, "np.prod", vec![v(&c)])?;
                let m = np(cx, "np.max", vec![v(x)])?;
                cx.mul(&p, &m)
            }),
        ),
        (
            "sorted",
            fun(|cx, x| {
                let s = np(cx, "np.sort", vec![v(x)])?;
                let w = vector(&WEIGHTS);
                let d = np(cx, "np.dot", vec![v(&s), v(&w)])?;
                cx.mul(&d, &d)
            }),
        ),
        ("a rule forward", custom_jvp_program()),
        ("jit inside", {
            let inner = fun(|cx, x| {
                let l = np(cx, "np.logaddexp", vec![v(x), num(0.0)])?;
                sum(cx, &cx.mul(&l, x)?)
            });
            transformed("jit", inner)
        }),
    ]
}

/// sin with a hand-written JVP rule, inside a sum of squares.
fn custom_jvp_program() -> Fun {
    Rc::new(|cx, x| {
        let f = Named::new(
            "sine",
            Rc::new(|cx: &Ctx, x: &[Value]| Ok(vec![np(cx, "np.sin", vec![v(&x[0])])?])),
        );
        let rule = Named::new(
            "sine_jvp",
            Rc::new(|cx: &Ctx, x: &[Value]| {
                let slope = np(cx, "np.cos", vec![v(&x[0])])?;
                Ok(vec![
                    np(cx, "np.sin", vec![v(&x[0])])?,
                    cx.mul(&slope, &x[1])?,
                ])
            }),
        );
        let y = cx.bind(&CustomJvpCall::new(&f, &rule), x)?.remove(0);
        Ok(vec![sum(cx, &cx.mul(&y, &y)?)?])
    })
}

/// The same with a backward rule: it has no forward mode, so it nests under reverse mode only.
fn custom_vjp_program() -> Fun {
    Rc::new(|cx, x| {
        let f = Named::new(
            "sine",
            Rc::new(|cx: &Ctx, x: &[Value]| Ok(vec![np(cx, "np.sin", vec![v(&x[0])])?])),
        );
        let fwd: cotangent::transform::custom::Fwd =
            Rc::new(|cx, x| Ok((vec![np(cx, "np.sin", vec![v(&x[0])])?], vec![x[0].clone()])));
        let bwd: cotangent::transform::custom::Bwd = Rc::new(|cx, residuals, cts| {
            let slope = np(cx, "np.cos", vec![v(&residuals[0])])?;
            Ok(vec![Some(cx.mul(&cts[0], &slope)?)])
        });
        let y = cx
            .bind(&CustomVjpCall::new(&f, ("fwd", fwd), ("bwd", bwd)), x)?
            .remove(0);
        Ok(vec![sum(cx, &cx.mul(&y, &y)?)?])
    })
}

const TRANSFORMS: [&str; 5] = ["jit", "vmap", "grad", "jvp", "vjp"];

/// A transform of `f`, brought back to a function of three numbers to one.
fn transformed(transform: &'static str, f: Fun) -> Fun {
    let named = Named::new("f", f);
    match transform {
        "jit" => {
            let cache = JitCache::default();
            Rc::new(move |cx, x| Ok(cache.call(cx, &named, 0, x, &Vec::new)?.0))
        }
        // Over two scaled copies of the point.
        "vmap" => Rc::new(move |cx, x| {
            let mut lanes = Vec::new();
            for s in SCALES {
                lanes.push(np(cx, "np.multiply", vec![v(&x[0]), num(s)])?);
            }
            let lanes = cx.stack_lanes(&lanes)?;
            let (outs, mapped) = vmap_front(cx, &named, 2, &[lanes], &[true])?;
            assert!(mapped[0]);
            Ok(vec![sum(cx, &outs[0])?])
        }),
        "grad" => Rc::new(move |cx, x| {
            let g = value_and_grad(cx, "grad", &named, x, &[true], false)?
                .grads
                .remove(0);
            Ok(vec![np(cx, "np.dot", vec![v(&g), v(&vector(&WEIGHTS))])?])
        }),
        "jvp" => Rc::new(move |cx, x| {
            let (outs, tangents) = jvp(cx, &named, x, &[Some(vector(&WEIGHTS))])?;
            match &tangents[0] {
                Some(t) => Ok(vec![t.clone()]),
                None => Ok(vec![cx.zeros(outs[0].aval())?]),
            }
        }),
        "vjp" => Rc::new(move |cx, x| {
            let (outs, linear) = linearize(cx, "vjp", &named, x, &[true])?;
            let ct = cx.lit(2.0, &outs[0])?;
            let back = linear.pull_back_full(cx, &[Some(ct)])?.remove(0);
            Ok(vec![np(
                cx,
                "np.dot",
                vec![v(&back), v(&vector(&WEIGHTS))],
            )?])
        }),
        other => panic!("no transform {other}"),
    }
}

fn x64() -> Ctx {
    let env = Env::default();
    env.x64.set(true);
    eval_ctx(Rc::new(env))
}

fn at(cx: &Ctx, f: &Fun, x: &[f64]) -> f64 {
    number(&f(cx, &[vector(x)]).unwrap()[0])
}

/// The derivative of `f` along the weights, by central differences.
fn slope(cx: &Ctx, f: &Fun) -> f64 {
    let h = 1e-5;
    let moved =
        |h: f64| -> Vec<f64> { POINT.iter().zip(WEIGHTS).map(|(x, w)| x + h * w).collect() };
    (at(cx, f, &moved(h)) - at(cx, f, &moved(-h))) / (2.0 * h)
}

/// What a transform of `f` must give at the point.
fn meaning(cx: &Ctx, transform: &str, f: &Fun) -> f64 {
    match transform {
        "jit" => at(cx, f, &POINT),
        "vmap" => SCALES
            .iter()
            .map(|s| at(cx, f, &POINT.map(|x| x * s)))
            .sum(),
        "vjp" => 2.0 * slope(cx, f),
        _ => slope(cx, f),
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

fn check_nest(name: &str, nest: &[&'static str], below: &Fun, whole: &Fun) {
    let cx = x64();
    let got = at(&cx, whole, &POINT);
    let want = meaning(&cx, nest[0], below);
    let what = format!("{} of {name}", nest.join(" of "));
    assert!(
        close(got, want, 2e-6),
        "{what}: got {got}, its meaning is {want}"
    );
    let avals = [vector(&POINT).aval().clone()];
    let closed = trace_to_jaxpr(&cx, "make_jaxpr", "f", whole, &avals, &[]).unwrap();
    check(&closed.jaxpr).unwrap_or_else(|e| panic!("{what}: {e}"));
    let staged = eval_jaxpr(&cx, &closed.jaxpr, &closed.consts, &[vector(&POINT)]).unwrap();
    let staged = number(&staged[0]);
    assert!(
        close(staged, got, 1e-12),
        "{what}: staged {staged}, eager {got}"
    );
}

fn nest(name: &str, f: &Fun, transforms: &[&'static str], depth: usize) {
    fn go(name: &str, f: &Fun, outer: &[&'static str], transforms: &[&'static str], depth: usize) {
        if depth == 0 {
            return;
        }
        for t in transforms {
            let whole = transformed(t, Rc::clone(f));
            let mut nest = vec![*t];
            nest.extend_from_slice(outer);
            check_nest(name, &nest, f, &whole);
            go(name, &whole, &nest, transforms, depth - 1);
        }
    }
    go(name, f, &[], transforms, depth);
}

#[test]
fn every_nest_of_three_transforms_means_what_it_says() {
    for (name, f) in programs() {
        nest(name, &f, &TRANSFORMS, 3);
    }
}

#[test]
fn a_backward_rule_nests_under_everything_but_forward_mode() {
    // A second derivative would go through the rule's own derivative, which reverse mode of reverse mode has.
    nest(
        "a rule backward",
        &custom_vjp_program(),
        &["jit", "vmap", "grad", "vjp"],
        2,
    );
}
