//! Rules of the primitives that are not element-wise, checked on the roll's examples: values agree
//! with types, JVPs with finite differences, transposes with inner products, batching with a loop.

use cotangent::array::{Array, ArrayMut};
use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::interp::eval::eval_ctx;
use cotangent::prim::roll::{Arg, Example};
use cotangent::prim::roll_shape::entries;
use cotangent::prim::rule::{Ctx, Env, Fun, Tangent};
use cotangent::transform::Named;
use cotangent::transform::jvp::jvp;
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

fn cx() -> Ctx {
    let env = Env::default();
    env.x64.set(true);
    eval_ctx(Rc::new(env))
}

fn array(shape: &[usize], dtype: DType, values: &[f64]) -> Value {
    let mut out = ArrayMut::uninit(Aval::new(shape, dtype)).unwrap();
    for (i, v) in values.iter().enumerate() {
        match dtype {
            DType::F64 => out.slice_mut::<f64>()[i] = *v,
            DType::F32 => out.slice_mut::<f32>()[i] = *v as f32,
            DType::I32 => out.slice_mut::<i32>()[i] = *v as i32,
            DType::U32 => out.slice_mut::<u32>()[i] = *v as u32,
            DType::Bool => out.slice_mut::<u8>()[i] = (*v != 0.0) as u8,
            DType::Float0 => {}
        }
    }
    out.freeze().into()
}

/// The operand, floats in double precision.
fn operand(arg: &Arg) -> Value {
    let dtype = if arg.dtype.is_float() {
        DType::F64
    } else {
        arg.dtype
    };
    array(&arg.shape, dtype, &arg.values)
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().expect("a concrete result").to_f64()
}

fn function(e: &Example) -> Named {
    let op = Rc::clone(&e.op);
    let fun: Fun = Rc::new(move |cx, x| cx.bind(&*op, x));
    Named::new(e.op.name(), fun)
}

/// A direction with no symmetry.
fn direction(shape: &[usize], salt: usize) -> Value {
    let n: usize = shape.iter().product();
    let values: Vec<f64> = (0..n)
        .map(|i| (((i + salt) * 29 + 5) % 17) as f64 / 8.0 - 0.9)
        .collect();
    array(shape, DType::F64, &values)
}

fn each_example(check: impl Fn(&str, &Example)) {
    for entry in entries() {
        for (i, e) in entry.examples.iter().enumerate() {
            assert_eq!(entry.name, e.op.name());
            check(&format!("{} example {i}: {:?}", entry.name, e.op), e);
        }
    }
}

fn assert_close(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (g, w) in got.iter().zip(want) {
        let ok = (g - w).abs() <= tolerance * (1.0 + w.abs()) || (g.is_nan() && w.is_nan());
        assert!(ok, "{what}:\n got  {got:?}\n want {want:?}");
    }
}

#[test]
fn results_have_the_types_the_shape_rules_say() {
    each_example(|what, e| {
        let args: Vec<Value> = e.args.iter().map(operand).collect();
        let avals: Vec<&Aval> = args.iter().map(Value::aval).collect();
        let want = e.op.abstract_eval(&avals).unwrap();
        let got = cx()
            .bind(&*e.op, &args)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        let got: Vec<Aval> = got.iter().map(|v| v.aval().clone()).collect();
        assert_eq!(got, want, "{what}");
    });
}

#[test]
fn jvps_agree_with_finite_differences() {
    each_example(|what, e| {
        let cx = cx();
        let args: Vec<Value> = e.args.iter().map(operand).collect();
        let tangents: Vec<Tangent> = args
            .iter()
            .enumerate()
            .map(|(i, a)| e.wrt.contains(&i).then(|| direction(a.shape(), i)))
            .collect();
        if tangents.iter().all(Option::is_none) {
            return;
        }
        let (outs, out_tangents) =
            jvp(&cx, &function(e), &args, &tangents).unwrap_or_else(|e| panic!("{what}: {e}"));
        let at = |h: f64| -> Vec<Value> {
            let moved: Vec<Value> = args
                .iter()
                .zip(&tangents)
                .map(|(a, t)| match t {
                    None => a.clone(),
                    Some(t) => {
                        let sum: Vec<f64> = numbers(a)
                            .iter()
                            .zip(numbers(t))
                            .map(|(a, t)| a + h * t)
                            .collect();
                        array(a.shape(), a.dtype(), &sum)
                    }
                })
                .collect();
            cx.bind(&*e.op, &moved).unwrap()
        };
        let h = 1e-5;
        let (up, down) = (at(h), at(-h));
        for (i, out) in outs.iter().enumerate() {
            let want: Vec<f64> = numbers(&up[i])
                .iter()
                .zip(numbers(&down[i]))
                .map(|(u, d)| (u - d) / (2.0 * h))
                .collect();
            match &out_tangents[i] {
                Some(t) => {
                    assert_eq!(t.shape(), out.shape(), "{what}");
                    assert_close(what, &numbers(t), &want, 1e-6);
                }
                None => assert!(want.iter().all(|w| *w == 0.0), "{what}"),
            }
        }
    });
}

#[test]
fn transposes_agree_with_inner_products() {
    each_example(|what, e| {
        let cx = cx();
        let args: Vec<Value> = e.args.iter().map(operand).collect();
        // Every float operand at once, and each alone.
        let floats: Vec<bool> = (0..args.len()).map(|i| e.wrt.contains(&i)).collect();
        let mut choices = vec![floats.clone()];
        choices.extend(
            (0..args.len())
                .filter(|&i| floats[i])
                .map(|i| (0..args.len()).map(|k| k == i).collect()),
        );
        for wrt in choices.iter().filter(|w| w.contains(&true)) {
            let (outs, linear) = linearize(&cx, "vjp", &function(e), &args, wrt)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            let tangents: Vec<Value> = args
                .iter()
                .enumerate()
                .map(|(i, a)| direction(a.shape(), i))
                .collect();
            let out_tangents = linear
                .apply(&cx, &tangents)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            // One cotangent for every float result, then one result alone.
            for only in [None, Some(0), Some(outs.len() - 1)] {
                let cts: Vec<Tangent> = outs
                    .iter()
                    .enumerate()
                    .map(|(i, o)| {
                        (o.dtype().is_float() && only.is_none_or(|k| k == i))
                            .then(|| direction(o.shape(), 3 + i))
                    })
                    .collect();
                let ins = linear
                    .pull_back(&cx, &cts)
                    .unwrap_or_else(|e| panic!("{what}: {e}"));
                let dot = |a: &Value, b: &Value| -> f64 {
                    numbers(a).iter().zip(numbers(b)).map(|(a, b)| a * b).sum()
                };
                let forward: f64 = cts
                    .iter()
                    .zip(&out_tangents)
                    .filter_map(|(c, t)| c.as_ref().map(|c| dot(c, t)))
                    .sum();
                let backward: f64 = ins
                    .iter()
                    .zip(&tangents)
                    .filter_map(|(c, t)| c.as_ref().map(|c| dot(c, t)))
                    .sum();
                for (ct, a) in ins.iter().zip(&args) {
                    assert!(
                        ct.as_ref().is_none_or(|c| c.aval().shape == a.aval().shape),
                        "{what}"
                    );
                }
                assert_close(what, &[backward], &[forward], 1e-9);
            }
        }
    });
}

#[test]
fn batching_agrees_with_a_loop() {
    const LANES: usize = 3;
    each_example(|what, e| {
        let cx = cx();
        let n = e.args.len();
        // Every combination of mapped and shared operands, at most eight of them.
        for mask in (1..1usize << n).take(8) {
            let mapped: Vec<bool> = (0..n).map(|i| mask >> i & 1 == 1).collect();
            let lane = |arg: &Arg, k: usize| -> Arg {
                let mut arg = arg.clone();
                let len = arg.values.len().max(1);
                if arg.dtype.is_float() {
                    arg.values.rotate_left(k % len);
                    arg.values.iter_mut().for_each(|v| *v += 0.25 * k as f64);
                } else {
                    arg.values.rotate_left(k % len);
                }
                arg
            };
            let args: Vec<Value> = e
                .args
                .iter()
                .zip(&mapped)
                .map(|(a, &m)| {
                    if !m {
                        return operand(a);
                    }
                    let mut all = a.clone();
                    all.shape.insert(0, LANES);
                    all.values = (0..LANES).flat_map(|k| lane(a, k).values).collect();
                    operand(&all)
                })
                .collect();
            let (outs, out_mapped) = vmap_front(&cx, &function(e), LANES, &args, &mapped)
                .unwrap_or_else(|e| panic!("{what} {mapped:?}: {e}"));
            for k in 0..LANES {
                let one: Vec<Value> = e
                    .args
                    .iter()
                    .zip(&mapped)
                    .map(|(a, &m)| operand(&if m { lane(a, k) } else { a.clone() }))
                    .collect();
                let want = cx.bind(&*e.op, &one).unwrap();
                for ((got, &m), want) in outs.iter().zip(&out_mapped).zip(&want) {
                    let all = numbers(got);
                    let len = want.aval().numel();
                    let part = if m {
                        &all[k * len..(k + 1) * len]
                    } else {
                        &all[..]
                    };
                    assert_close(
                        &format!("{what} {mapped:?} lane {k}"),
                        part,
                        &numbers(want),
                        1e-12,
                    );
                }
            }
        }
    });
}

#[test]
fn storage_is_shared_where_elements_stay_in_place() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]).unwrap();
    let v = Value::from(x.clone());
    let cx = cx();
    for same in [
        cx.reshape(&v, &[4]),
        cx.expand_dims(&v, &[0, 2]),
        cx.squeeze(&cx.expand_dims(&v, &[1]).unwrap(), &[1]),
        cx.slice(&v, &[0, 0], &[2, 2], None),
    ] {
        assert!(same.unwrap().as_array().unwrap().same_storage(&x));
    }
}
