//! Every primitive on the roll against its own mathematics: types, derivatives, transposes, batching,
//! staging. A new primitive is tested by being on the roll.

use cotangent::array::{Array, ArrayMut};
use cotangent::aval::Aval;
use cotangent::dtype::DType::{self, Bool, F32, F64, Float0, I32, Key, U32};
use cotangent::interp::eval::{eval_ctx, eval_jaxpr};
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::check::check;
use cotangent::prim::roll::{Arg, Entry, Example, roll};
use cotangent::prim::rule::{Ctx, Env, Fun, Op, Tangent};
use cotangent::transform::Named;
use cotangent::transform::jvp::{instantiate, jvp};
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::{replicate, vmap_front};
use cotangent::value::Value;
use proptest::prelude::*;
use std::collections::HashSet;
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
            Bool => out.slice_mut::<u8>()[i] = u8::from(*v != 0.0),
            I32 => out.slice_mut::<i32>()[i] = *v as i32,
            U32 => out.slice_mut::<u32>()[i] = *v as u32,
            F32 => out.slice_mut::<f32>()[i] = *v as f32,
            F64 => out.slice_mut::<f64>()[i] = *v,
            Float0 => {}
            Key => out.bytes_mut()[8 * i..8 * i + 8].copy_from_slice(&(*v as u64).to_le_bytes()),
        }
    }
    out.freeze().into()
}

fn value(a: &Arg) -> Value {
    array(&a.shape, a.dtype, &a.values)
}

fn concrete(v: &Value) -> &Array {
    v.as_array().expect("evaluated")
}

/// Runs a check on every example, and says in which one it failed.
fn each(test: impl Fn(&Example, &[Value]) -> Result<(), String>) {
    let mut faults = Vec::new();
    for entry in roll() {
        for (i, e) in entry.examples.iter().enumerate() {
            let args: Vec<Value> = e.args.iter().map(value).collect();
            if let Err(fault) = test(e, &args) {
                let types: Vec<String> = args.iter().map(|a| a.aval().to_string()).collect();
                let name = entry.name;
                faults.push(format!("{name} example {i} ({}): {fault}", types.join(" ")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn close(what: &str, got: &[f64], want: &[f64], tolerance: f64) -> Result<(), String> {
    let near = |(g, w): (&f64, &f64)| {
        g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= tolerance * (1.0 + w.abs())
    };
    if got.len() == want.len() && got.iter().zip(want).all(near) {
        return Ok(());
    }
    Err(format!("{what}: got {got:?}, want {want:?}"))
}

fn text<T>(r: cotangent::error::Result<T>) -> Result<T, String> {
    r.map_err(|e| e.to_string())
}

/// The primitive as a function of some operands, the others being constants.
fn only(op: &Op, args: &[Value], wrt: &[usize]) -> Named {
    let (op, args, wrt) = (Rc::clone(op), args.to_vec(), wrt.to_vec());
    let fun: Fun = Rc::new(move |cx, some| {
        let mut full = args.clone();
        for (i, v) in wrt.iter().zip(some) {
            full[*i] = v.clone();
        }
        cx.bind(&*op, &full)
    });
    Named::new("f", fun)
}

fn pick(values: &[Value], wrt: &[usize]) -> Vec<Value> {
    wrt.iter().map(|&i| values[i].clone()).collect()
}

/// Numbers that have nothing to do with one another, between -1 and 1.
fn direction(aval: &Aval, seed: u64) -> Value {
    let values: Vec<f64> = (0..aval.numel() as u64)
        .map(|i| ((i * 37 + seed * 101 + 11) as f64 * 0.7391).sin())
        .collect();
    array(&aval.shape, aval.dtype, &values)
}

fn directions(values: &[Value], seed: u64) -> Vec<Value> {
    let one = |(i, v): (usize, &Value)| direction(v.aval(), seed + i as u64);
    values.iter().enumerate().map(one).collect()
}

fn dot(a: &Value, b: &Value) -> f64 {
    let (a, b) = (concrete(a).to_f64(), concrete(b).to_f64());
    a.iter().zip(&b).map(|(x, y)| x * y).sum()
}

/// `x + step * direction`, by plain arithmetic.
fn moved(x: &Value, t: &Value, step: f64) -> Value {
    let (a, b) = (concrete(x).to_f64(), concrete(t).to_f64());
    let values: Vec<f64> = a.iter().zip(&b).map(|(x, t)| x + step * t).collect();
    array(x.shape(), x.dtype(), &values)
}

/// The derivative of `f` along `ts`, as numbers per result, by central differences of order 4.
fn differences(cx: &Ctx, f: &Named, xs: &[Value], ts: &[Value]) -> Result<Vec<Vec<f64>>, String> {
    const STEP: f64 = 1e-3;
    let at = |step: f64| -> Result<Vec<Vec<f64>>, String> {
        let xs: Vec<Value> = xs.iter().zip(ts).map(|(x, t)| moved(x, t, step)).collect();
        let outs = text((f.fun)(cx, &xs))?;
        Ok(outs.iter().map(|v| concrete(v).to_f64()).collect())
    };
    let (far, near) = ([at(2.0 * STEP)?, at(-2.0 * STEP)?], [at(STEP)?, at(-STEP)?]);
    let slope = |k: usize, i: usize| {
        let near = near[0][k][i] - near[1][k][i];
        let far = far[0][k][i] - far[1][k][i];
        (8.0 * near - far) / (12.0 * STEP)
    };
    Ok((0..near[0].len())
        .map(|k| (0..near[0][k].len()).map(|i| slope(k, i)).collect())
        .collect())
}

/// Tangents of the results, zeros written out; `None` for results that have none.
fn tangents(
    cx: &Ctx,
    f: &Named,
    xs: &[Value],
    ts: &[Value],
) -> Result<Vec<Option<Vec<f64>>>, String> {
    let ts: Vec<Tangent> = ts.iter().cloned().map(Some).collect();
    let (outs, out_ts) = text(jvp(cx, f, xs, &ts))?;
    outs.iter()
        .zip(out_ts)
        .map(|(out, t)| match t {
            _ if !out.dtype().is_float() => Ok(None),
            Some(t) if t.aval().shape != out.aval().shape || t.dtype() != out.dtype() => {
                Err(format!("the tangent of {} is {}", out.aval(), t.aval()))
            }
            Some(t) => Ok(Some(concrete(&t).to_f64())),
            None => Ok(Some(vec![0.0; out.aval().numel()])),
        })
        .collect()
}

#[test]
fn tangents_of_discrete_results_are_float0_also_when_staged() {
    let cx = cx();
    let lt = roll().into_iter().find(|e| e.name == "lt").unwrap();
    let op = Rc::clone(&lt.examples[0].op);
    let fun: Fun = Rc::new(move |cx, xs| {
        let f = only(&op, &xs[..2], &[0, 1]);
        let ts: Vec<Tangent> = xs[2..].iter().cloned().map(Some).collect();
        let (outs, out_ts) = jvp(cx, &f, &xs[..2], &ts)?;
        let t = instantiate(cx, &outs[0], out_ts[0].clone())?;
        Ok(vec![outs[0].clone(), t])
    });
    let x = array(&[2, 3], F64, &[0.5; 6]);
    let args = vec![x; 4];
    let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
    let closed = trace_to_jaxpr(&cx, "jit", "f", &fun, &avals, &[]).unwrap();
    let staged = eval_jaxpr(&cx, &closed.jaxpr, &closed.consts, &args).unwrap();
    for outs in [staged, fun(&cx, &args).unwrap()] {
        assert_eq!(outs[1].aval(), &Aval::new(&[2, 3], Float0));
    }
}

/// Examples that have a derivative in float64.
fn differentiable(e: &Example, args: &[Value]) -> bool {
    // A result in single precision is too coarse for finite differences.
    let avals: Vec<&Aval> = args.iter().map(Value::aval).collect();
    let double = |a: &Aval| a.dtype == F64;
    let outs = e.op.abstract_eval(&avals);
    !e.wrt.is_empty() && outs.is_ok_and(|outs| outs.iter().any(double))
}

#[test]
fn every_primitive_is_on_the_roll_once_with_a_doc_and_an_example() {
    let mut names = HashSet::new();
    for Entry {
        name,
        doc,
        examples,
    } in roll()
    {
        assert!(names.insert(name), "{name} is listed twice");
        assert!(
            doc.len() > 10 && doc.ends_with('.') || doc.ends_with('?'),
            "doc of {name}: {doc:?}"
        );
        assert!(!examples.is_empty(), "{name} has no example");
        for e in &examples {
            assert_eq!(e.op.name(), name);
            assert!(e.op.same(&*e.op.shared()));
            assert_eq!(e.op.hash_code(), e.op.shared().hash_code());
        }
    }
}

#[test]
fn primitives_are_defined_in_no_file_without_being_on_the_roll() {
    let listed: HashSet<&str> = roll().iter().map(|e| e.name).collect();
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/prim");
    for file in std::fs::read_dir(dir).unwrap().flatten() {
        let source = std::fs::read_to_string(file.path()).unwrap_or_default();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        // A name is given by `name: "x"` in a definition of a family, or by the method `name`.
        let by_field = code.split("name: \"").skip(1);
        let by_method = code
            .split("fn name(&self) -> &'static str {\n        \"")
            .skip(1);
        for rest in by_field.chain(by_method) {
            let name = rest.split('"').next().unwrap_or_default();
            let known = listed.contains(name) || NOT_ON_THE_ROLL.contains(&name);
            assert!(known, "{name} in {:?} is not on the roll", file.file_name());
        }
    }
}

/// Primitives that the generated tests cannot apply: they hold programs.
const NOT_ON_THE_ROLL: &[&str] = &["jit", "custom_jvp_call", "custom_vjp_call"];

#[test]
fn results_have_the_types_that_were_announced() {
    each(|e, args| {
        let single: Vec<Value> = args
            .iter()
            .map(|v| match v.dtype() {
                F64 => array(v.shape(), F32, &concrete(v).to_f64()),
                _ => v.clone(),
            })
            .collect();
        for args in [args, &single] {
            let avals: Vec<&Aval> = args.iter().map(Value::aval).collect();
            let want = text(e.op.abstract_eval(&avals))?;
            let outs = text(cx().bind(&*e.op, args))?;
            let got: Vec<Aval> = outs.iter().map(|v| v.aval().clone()).collect();
            if got != want {
                return Err(format!("announced {want:?}, computed {got:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn single_precision_agrees_with_double() {
    each(|e, args| {
        let arrays: Vec<Array> = args.iter().map(|v| concrete(v).clone()).collect();
        if !arrays.iter().any(|a| a.dtype() == F64) {
            return Ok(());
        }
        let single: Vec<Value> = arrays
            .iter()
            .map(|a| match a.dtype() {
                F64 => array(a.shape(), F32, &a.to_f64()),
                _ => a.clone().into(),
            })
            .collect();
        let (outs, singles) = (
            text(cx().bind(&*e.op, args))?,
            text(cx().bind(&*e.op, &single))?,
        );
        for (a, b) in outs.iter().zip(&singles) {
            close(
                "float32",
                &concrete(b).to_f64(),
                &concrete(a).to_f64(),
                1e-5,
            )?;
        }
        Ok(())
    });
}

#[test]
fn tangents_are_slopes() {
    each(|e, args| {
        if !differentiable(e, args) {
            return Ok(());
        }
        let cx = cx();
        let mut subsets: Vec<Vec<usize>> = e.wrt.iter().map(|&i| vec![i]).collect();
        subsets.push(e.wrt.clone());
        for wrt in subsets {
            let (f, xs) = (only(&e.op, args, &wrt), pick(args, &wrt));
            let ts = directions(&xs, 1);
            let want = differences(&cx, &f, &xs, &ts)?;
            let got = tangents(&cx, &f, &xs, &ts)?;
            for (g, w) in got.iter().zip(&want) {
                if let Some(g) = g {
                    close(&format!("tangent by {wrt:?}"), g, w, 1e-7)?;
                }
            }
        }
        Ok(())
    });
}

#[test]
fn cotangents_are_the_transpose_of_tangents() {
    each(|e, args| {
        if !differentiable(e, args) {
            return Ok(());
        }
        let cx = cx();
        let (f, xs) = (only(&e.op, args, &e.wrt), pick(args, &e.wrt));
        let ts = directions(&xs, 3);
        let forward = tangents(&cx, &f, &xs, &ts)?;
        let (outs, linear) = text(linearize(&cx, "vjp", &f, &xs, &vec![true; xs.len()]))?;
        let cts: Vec<Tangent> = outs
            .iter()
            .map(|o| o.dtype().is_float().then(|| direction(o.aval(), 9)))
            .collect();
        let back = text(linear.pull_back_full(&cx, &cts))?;
        for (x, ct) in xs.iter().zip(&back) {
            if x.aval().shape != ct.aval().shape || x.dtype() != ct.dtype() {
                return Err(format!("the cotangent of {} is {}", x.aval(), ct.aval()));
            }
        }
        let mut by_tangent = 0.0;
        for (ct, t) in cts.iter().zip(&forward) {
            if let (Some(ct), Some(t)) = (ct, t) {
                by_tangent += concrete(ct)
                    .to_f64()
                    .iter()
                    .zip(t)
                    .map(|(a, b)| a * b)
                    .sum::<f64>();
            }
        }
        let by_cotangent: f64 = ts.iter().zip(&back).map(|(t, ct)| dot(t, ct)).sum();
        close(
            "<ct, J t> and <J^T ct, t>",
            &[by_cotangent],
            &[by_tangent],
            1e-10,
        )
    });
}

/// The gradient of <ct, f>, as a function of flat values.
fn pulled(f: Named, ct: Vec<Value>) -> Named {
    let fun: Fun = Rc::new(move |cx, xs| {
        let (outs, linear) = linearize(cx, "grad", &f, xs, &vec![true; xs.len()])?;
        let float = |o: &Value| o.dtype().is_float();
        let cts = outs
            .iter()
            .zip(&ct)
            .map(|(o, c)| float(o).then(|| c.clone()));
        linear.pull_back_full(cx, &cts.collect::<Vec<_>>())
    });
    Named::new("gradient", fun)
}

#[test]
fn second_derivatives_are_slopes_of_first_ones() {
    each(|e, args| {
        if !differentiable(e, args) {
            return Ok(());
        }
        let cx = cx();
        let (f, xs) = (only(&e.op, args, &e.wrt), pick(args, &e.wrt));
        let outs = text((f.fun)(&cx, &xs))?;
        let gradient = pulled(f, directions(&outs, 5));
        let ts = directions(&xs, 7);
        let want = differences(&cx, &gradient, &xs, &ts)?;
        let got = tangents(&cx, &gradient, &xs, &ts)?;
        for (g, w) in got.iter().zip(&want) {
            close("forward over reverse", g.as_ref().unwrap_or(w), w, 1e-6)?;
        }
        // Reverse over reverse: <Jt of the gradient applied to u, t> = <u, tangent of the gradient>.
        let us = directions(&xs, 13);
        let (_, linear) = text(linearize(
            &cx,
            "grad",
            &gradient,
            &xs,
            &vec![true; xs.len()],
        ))?;
        let cts: Vec<Tangent> = us.iter().cloned().map(Some).collect();
        let back = text(linear.pull_back_full(&cx, &cts))?;
        let by_cotangent: f64 = ts.iter().zip(&back).map(|(t, b)| dot(t, b)).sum();
        let along = |(u, g): (&Value, &Option<Vec<f64>>)| -> f64 {
            let g = g.clone().unwrap_or_default();
            concrete(u)
                .to_f64()
                .iter()
                .zip(&g)
                .map(|(a, b)| a * b)
                .sum()
        };
        let by_tangent: f64 = us.iter().zip(&got).map(along).sum();
        close("reverse over reverse", &[by_cotangent], &[by_tangent], 1e-9)
    });
}

/// `size` lanes of a value, floats differing a little from lane to lane.
fn lanes(v: &Value, size: usize) -> (Value, Vec<Value>) {
    let x = concrete(v).to_f64();
    let step = |lane: usize| {
        if v.dtype().is_float() {
            1.0 + lane as f64 / 64.0
        } else {
            1.0
        }
    };
    let lane = |k: usize| x.iter().map(|v| v * step(k)).collect::<Vec<f64>>();
    let all: Vec<f64> = (0..size).flat_map(lane).collect();
    let mut shape = vec![size];
    shape.extend(v.shape());
    let singles = (0..size).map(|k| array(v.shape(), v.dtype(), &lane(k)));
    (array(&shape, v.dtype(), &all), singles.collect())
}

fn check_batching(cx: &Ctx, f: &Named, args: &[Value], mapped: &[bool]) -> Result<(), String> {
    const SIZE: usize = 3;
    let (mut whole, mut single) = (Vec::new(), vec![Vec::new(); SIZE]);
    for (v, &m) in args.iter().zip(mapped) {
        let (all, each) = lanes(v, SIZE);
        whole.push(if m { all } else { v.clone() });
        for (lane, v1) in single.iter_mut().zip(each) {
            lane.push(if m { v1 } else { v.clone() });
        }
    }
    let (outs, out_mapped) = text(vmap_front(cx, f, SIZE, &whole, mapped))?;
    let mut got = Vec::new();
    for (v, m) in outs.iter().zip(out_mapped) {
        got.push(if m {
            v.clone()
        } else {
            text(replicate(cx, v, SIZE))?
        });
    }
    let mut want: Vec<Vec<f64>> = vec![Vec::new(); got.len()];
    for lane in &single {
        for (w, v) in want.iter_mut().zip(text((f.fun)(cx, lane))?) {
            w.extend(concrete(&v).to_f64());
        }
    }
    for (g, w) in got.iter().zip(&want) {
        close(
            &format!("lanes with {mapped:?} mapped"),
            &concrete(g).to_f64(),
            w,
            1e-12,
        )?;
    }
    Ok(())
}

fn subsets(n: usize) -> impl Iterator<Item = Vec<bool>> {
    (1..1usize << n).map(move |bits| (0..n).map(|i| bits >> i & 1 == 1).collect())
}

#[test]
fn lanes_compute_what_a_loop_computes() {
    each(|e, args| {
        let all: Vec<usize> = (0..args.len()).collect();
        let f = only(&e.op, args, &all);
        subsets(args.len()).try_for_each(|mapped| check_batching(&cx(), &f, args, &mapped))
    });
}

#[test]
fn lanes_of_gradients_are_gradients_of_lanes() {
    each(|e, args| {
        if !differentiable(e, args) {
            return Ok(());
        }
        let (f, xs) = (only(&e.op, args, &e.wrt), pick(args, &e.wrt));
        let outs = text((f.fun)(&cx(), &xs))?;
        let gradient = pulled(f, directions(&outs, 5));
        subsets(xs.len()).try_for_each(|mapped| check_batching(&cx(), &gradient, &xs, &mapped))
    });
}

/// A size-1 axis where the mask says so; a scalar on request.
fn squeezed(shape: &[usize], ones: &[bool], scalar: bool) -> Vec<usize> {
    if scalar {
        return vec![];
    }
    let size = |(n, one): (&usize, &bool)| if *one { 1 } else { *n };
    shape.iter().zip(ones).map(size).collect()
}

/// Positive numbers without equals.
fn positive(shape: &[usize], offset: f64) -> Value {
    let n: usize = shape.iter().product();
    let values: Vec<f64> = (0..n).map(|i| offset + 0.37 * i as f64).collect();
    array(shape, F64, &values)
}

/// An operand written out in the shape of the result, element by element.
fn spread(x: &Value, shape: &[usize]) -> Value {
    let (from, x_shape) = (concrete(x).to_f64(), x.shape());
    let n: usize = shape.iter().product();
    let values: Vec<f64> = (0..n)
        .map(|flat| {
            let (mut rest, mut at, mut stride) = (flat, 0, 1);
            for i in (0..x_shape.len()).rev() {
                let place = rest % shape[i];
                rest /= shape[i];
                if x_shape[i] != 1 {
                    at += place * stride;
                }
                stride *= x_shape[i];
            }
            from[at]
        })
        .collect();
    array(shape, F64, &values)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn operands_of_any_shapes_that_fit_are_repeated(
        (shape, ones) in (0usize..4).prop_flat_map(|rank| (
            prop::collection::vec(1usize..4, rank),
            prop::collection::vec(any::<[bool; 2]>(), rank),
        )),
        scalar in prop::sample::select(vec![[false, false], [true, false], [false, true], [true, true]]),
        name in prop::sample::select(vec!["add", "sub", "mul", "div", "pow", "max", "min", "atan2", "rem"]),
    ) {
        let entry = roll().into_iter().find(|e| e.name == name).expect("on the roll");
        let op = Rc::clone(&entry.examples[0].op);
        let side = |k: usize| {
            let ones: Vec<bool> = ones.iter().map(|o| o[k]).collect();
            positive(&squeezed(&shape, &ones, scalar[k]), [0.61, 1.07][k])
        };
        let args = [side(0), side(1)];
        let cx = cx();
        let out = cx.bind1(&*op, &args).unwrap();
        let plain = args.clone().map(|a| spread(&a, out.shape()));
        let want = cx.bind1(&*op, &plain).unwrap();
        prop_assert_eq!(concrete(&out).to_f64(), concrete(&want).to_f64());

        let f = only(&op, &args, &[0, 1]);
        let ts = directions(&args, 3);
        let forward = tangents(&cx, &f, &args, &ts).unwrap();
        let (_, linear) = linearize(&cx, "vjp", &f, &args, &[true, true]).unwrap();
        let ct = direction(out.aval(), 9);
        let back = linear.pull_back_full(&cx, &[Some(ct.clone())]).unwrap();
        let by_cotangent: f64 = ts.iter().zip(&back).map(|(t, b)| dot(t, b)).sum();
        let tangent = forward[0].as_ref().unwrap();
        let by_tangent: f64 = concrete(&ct).to_f64().iter().zip(tangent).map(|(a, b)| a * b).sum();
        prop_assert_eq!(close("transpose", &[by_cotangent], &[by_tangent], 1e-10), Ok(()));
        for (x, ct) in args.iter().zip(&back) {
            prop_assert_eq!(x.shape(), ct.shape());
        }
        for mapped in subsets(2) {
            prop_assert_eq!(check_batching(&cx, &f, &args, &mapped), Ok(()));
        }
    }
}

#[test]
fn staged_programs_compute_what_eager_ones_do() {
    each(|e, args| {
        let cx = cx();
        let all: Vec<usize> = (0..args.len()).collect();
        let f = only(&e.op, args, &all);
        let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
        let closed = text(trace_to_jaxpr(&cx, "jit", "f", &f.fun, &avals, &[]))?;
        text(check(&closed.jaxpr))?;
        let got = text(eval_jaxpr(&cx, &closed.jaxpr, &closed.consts, args))?;
        let want = text((f.fun)(&cx, args))?;
        for (g, w) in got.iter().zip(&want) {
            if g.aval() != w.aval() || concrete(g).bytes() != concrete(w).bytes() {
                return Err(format!("staged {g:?}, eager {w:?}"));
            }
        }
        if !differentiable(e, args) {
            return Ok(());
        }
        // The gradient too: rules stage zeros and constants that eager programs hold as arrays.
        let (f, xs) = (only(&e.op, args, &e.wrt), pick(args, &e.wrt));
        let gradient = pulled(f, directions(&want, 5));
        let avals: Vec<Aval> = xs.iter().map(|v| v.aval().clone()).collect();
        let closed = text(trace_to_jaxpr(&cx, "jit", "f", &gradient.fun, &avals, &[]))?;
        text(check(&closed.jaxpr))?;
        let got = text(eval_jaxpr(&cx, &closed.jaxpr, &closed.consts, &xs))?;
        for (g, w) in got.iter().zip(text((gradient.fun)(&cx, &xs))?) {
            close(
                "staged gradient",
                &concrete(g).to_f64(),
                &concrete(&w).to_f64(),
                1e-12,
            )?;
        }
        Ok(())
    });
}
