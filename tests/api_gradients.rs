//! Derivatives of functions as people call them, against central differences in float64.

use cotangent::api::registry::{Arg, Ret, bind, call, find};
use cotangent::array::Array;
use cotangent::error::Result;
use cotangent::interp::eval::eval_ctx;
use cotangent::prim::rule::{Ctx, Env, Fun};
use cotangent::transform::Named;
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

fn cx() -> Ctx {
    let env = Env::default();
    env.x64.set(true);
    eval_ctx(Rc::new(env))
}

fn vector(x: &[f64]) -> Value {
    Array::from_slice(x, &[x.len()]).unwrap().into()
}

fn apply(cx: &Ctx, name: &str, args: Vec<Arg>) -> Result<Value> {
    let id = find(name).unwrap_or_else(|| panic!("{name} is not in the registry"));
    match call(cx, id, &bind(id, args, Vec::new())?)? {
        Ret::Value(v) => Ok(v),
        other => panic!("{name} gave {other:?}"),
    }
}

fn int(value: f64) -> Arg {
    Arg::Number {
        value,
        float: false,
    }
}

/// The sum of a function's result times fixed weights, so that no two elements count alike.
fn weighted(name: &'static str, rest: Vec<Arg>) -> Fun {
    Rc::new(move |cx: &Ctx, x: &[Value]| {
        let mut args = vec![Arg::Value(x[0].clone())];
        args.extend(rest.clone());
        let y = apply(cx, name, args)?;
        let n = y.aval().numel();
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * i as f64).collect();
        let weights: Value = Array::from_slice(&weights, y.shape())?.into();
        let axes: Vec<usize> = (0..y.rank()).collect();
        Ok(vec![cx.reduce_sum(&cx.mul(&y, &weights)?, &axes)?])
    })
}

fn gradient(cx: &Ctx, f: &Fun, x: &Value) -> Result<Value> {
    let named = Named::new("f", Rc::clone(f));
    let (outs, linear) = linearize(cx, "grad", &named, std::slice::from_ref(x), &[true])?;
    let one = cx.lit(1.0, &outs[0])?;
    Ok(linear.pull_back_full(cx, &[Some(one)])?.remove(0))
}

fn check(name: &'static str, rest: Vec<Arg>, x: &[f64]) -> std::result::Result<(), String> {
    let cx = cx();
    let f = weighted(name, rest);
    let got = gradient(&cx, &f, &vector(x)).map_err(|e| format!("{name}: {e}"))?;
    let got = got.as_array().ok_or("a tracer")?.to_f64();
    let at = |x: &[f64]| f(&cx, &[vector(x)]).map(|o| o[0].as_array().unwrap().number_at(0));
    for i in 0..x.len() {
        let h = 1e-6;
        let (mut up, mut down) = (x.to_vec(), x.to_vec());
        up[i] += h;
        down[i] -= h;
        let slope = (at(&up).unwrap() - at(&down).unwrap()) / (2.0 * h);
        if (got[i] - slope).abs() > 1e-5 * (1.0 + slope.abs()) {
            return Err(format!(
                "{name}: element {i} is {} instead of {slope}",
                got[i]
            ));
        }
    }
    // The same gradient on two lanes at once.
    let g = Rc::clone(&f);
    let per_lane: Fun = Rc::new(move |cx, v| Ok(vec![gradient(cx, &g, &v[0])?]));
    let twice: Vec<f64> = [x, x].concat();
    let lanes: Value = Array::from_slice(&twice, &[2, x.len()]).unwrap().into();
    let (outs, mapped) = vmap_front(&cx, &Named::new("g", per_lane), 2, &[lanes], &[true])
        .map_err(|e| format!("{name} under vmap: {e}"))?;
    let outs = outs[0].as_array().ok_or("a tracer")?.to_f64();
    let want: Vec<f64> = if mapped[0] {
        [got.clone(), got].concat()
    } else {
        got
    };
    let near = outs
        .iter()
        .zip(&want)
        .all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b.abs()));
    if near && outs.len() == want.len() {
        Ok(())
    } else {
        Err(format!("{name} under vmap: {outs:?} instead of {want:?}"))
    }
}

fn all(cases: Vec<(&'static str, Vec<Arg>, &[f64])>) {
    let faults: Vec<String> = cases
        .into_iter()
        .filter_map(|(name, rest, x)| check(name, rest, x).err())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const X: &[f64] = &[0.3, 1.7, 0.9, 2.4, 0.55];
const SIGNED: &[f64] = &[-1.3, 0.4, -0.2, 2.1, 0.8];

#[test]
fn element_wise_functions() {
    let on_positive = [
        "np.sqrt",
        "np.log",
        "np.log2",
        "np.log10",
        "np.log1p",
        "np.reciprocal",
        "np.cbrt",
    ];
    let on_all = [
        "np.sin",
        "np.cos",
        "np.tan",
        "np.tanh",
        "np.sinh",
        "np.cosh",
        "np.exp",
        "np.exp2",
        "np.expm1",
        "np.arctan",
        "np.arcsinh",
        "np.abs",
        "np.square",
        "np.negative",
        "np.sinc",
        "np.deg2rad",
        "np.nanToNum",
        "nn.relu",
        "nn.relu6",
        "nn.sigmoid",
        "nn.silu",
        "nn.softplus",
        "nn.softSign",
        "nn.hardSigmoid",
        "nn.hardTanh",
        "nn.logSigmoid",
        "nn.elu",
        "nn.celu",
        "nn.selu",
        "nn.leakyRelu",
        "nn.gelu",
        "nn.mish",
        "nn.squareplus",
        "nn.softmax",
        "nn.logSoftmax",
        "nn.logsumexp",
        "nn.standardize",
        "lax.erf",
        "lax.logistic",
    ];
    let mut cases: Vec<_> = on_positive.iter().map(|n| (*n, vec![], X)).collect();
    cases.extend(on_all.iter().map(|n| (*n, vec![], SIGNED)));
    cases.push(("nn.gelu", vec![Arg::Bool(false)], SIGNED));
    cases.push(("np.power", vec![int(3.0)], SIGNED));
    cases.push((
        "np.power",
        vec![Arg::Number {
            value: 1.5,
            float: true,
        }],
        X,
    ));
    cases.push(("np.clip", vec![int(0.0), int(1.0)], SIGNED));
    for name in [
        "np.add",
        "np.multiply",
        "np.divide",
        "np.subtract",
        "np.maximum",
        "np.fmax",
        "np.hypot",
        "np.logaddexp",
        "np.arctan2",
        "np.copysign",
    ] {
        cases.push((
            name,
            vec![Arg::Value(vector(&[1.1, 0.6, -0.7, 3.0, 0.2]))],
            SIGNED,
        ));
    }
    all(cases);
}

#[test]
fn reductions_shapes_and_products() {
    let list = |x: &[f64]| Arg::List(x.iter().map(|v| int(*v)).collect());
    let mut cases = vec![];
    for name in [
        "np.sum",
        "np.mean",
        "np.var",
        "np.std",
        "np.prod",
        "np.max",
        "np.min",
        "np.cumsum",
        "np.cumprod",
        "np.median",
        "np.ptp",
        "np.nansum",
        "np.nanmean",
        "np.sort",
        "np.flip",
        "np.diff",
        "np.diag",
        "np.linalg.norm",
        "np.trapezoid",
        "np.ravel",
        "np.atleast2d",
    ] {
        let rest = vec![];
        cases.push((name, rest, SIGNED));
    }
    cases.push(("np.reshape", vec![list(&[5.0, 1.0])], SIGNED));
    cases.push(("np.tile", vec![int(2.0)], SIGNED));
    cases.push(("np.repeat", vec![int(2.0)], SIGNED));
    cases.push(("np.roll", vec![int(2.0)], SIGNED));
    for mode in ["constant", "edge", "reflect", "wrap"] {
        cases.push(("np.pad", vec![int(2.0), Arg::Str(mode.into())], SIGNED));
    }
    cases.push(("np.broadcastTo", vec![list(&[2.0, 5.0])], SIGNED));
    for name in [
        "np.dot",
        "np.inner",
        "np.outer",
        "np.convolve",
        "np.vdot",
        "np.kron",
    ] {
        cases.push((
            name,
            vec![Arg::Value(vector(&[1.1, 0.6, -0.7, 3.0, 0.2]))],
            SIGNED,
        ));
    }
    cases.push(("np.take", vec![list(&[0.0, 3.0, 3.0])], SIGNED));
    cases.push((
        "np.quantile",
        vec![Arg::Number {
            value: 0.3,
            float: true,
        }],
        SIGNED,
    ));
    all(cases);
}

#[test]
fn indexing_and_updates() {
    let index = |parts: Vec<Arg>| Arg::List(parts);
    let picks = Arg::List(vec![int(1.0), int(3.0), int(1.0)]);
    let back = Arg::Slice {
        start: None,
        stop: None,
        step: Some(-2),
    };
    let mut cases = vec![
        ("array.get", vec![int(2.0)], SIGNED),
        ("array.get", vec![back.clone()], SIGNED),
        ("array.get", vec![picks.clone()], SIGNED),
    ];
    let two = Arg::Number {
        value: 2.0,
        float: true,
    };
    let unique = Arg::List(vec![int(1.0), int(3.0)]);
    for name in ["at.set", "at.add", "at.subtract"] {
        let rest = vec![index(vec![picks.clone()]), two.clone()];
        cases.push((name, rest, SIGNED));
        cases.push((name, vec![index(vec![back.clone()]), two.clone()], SIGNED));
    }
    cases.push(("at.divide", vec![index(vec![unique]), two.clone()], SIGNED));
    cases.push(("at.multiply", vec![index(vec![int(2.0)]), two], SIGNED));
    all(cases);
}
