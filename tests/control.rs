//! Loops and branches under every transform, compared with plain loops, finite differences and
//! each other.

use cotangent::array::Array;
use cotangent::error::Result;
use cotangent::interp::eval::eval_ctx;
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::{check::check, print::print};
use cotangent::prim::rule::{Ctx, Env, Fun};
use cotangent::prim::transcendental::SIN;
use cotangent::transform::Named;
use cotangent::transform::check::{CheckOptions, check_grads};
use cotangent::transform::control::enter::{ScanOptions, Step, cond, fori_loop, scan, while_loop};
use cotangent::transform::jit::named_jit;
use cotangent::transform::jvp::jvp;
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

fn cx() -> Ctx {
    eval_ctx(Rc::new(Env::default()))
}

fn vector(x: &[f32]) -> Value {
    Array::from_slice(x, &[x.len()]).unwrap().into()
}

fn scalar(x: f32) -> Value {
    Array::from_slice(&[x], &[]).unwrap().into()
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().to_f64()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!(
            (x - y).abs() <= 2e-5 * (1.0 + y.abs()),
            "{a:?} is not {b:?}"
        );
    }
}

fn fun(f: impl Fn(&Ctx, &[Value]) -> Result<Vec<Value>> + 'static) -> Fun {
    Rc::new(f)
}

fn step(f: Fun) -> Step<'static> {
    Step {
        function: Named::new("step", f),
        names: &Vec::new,
    }
}

const FORWARD: ScanOptions = ScanOptions {
    length: None,
    reverse: false,
    unroll: 1,
};

/// From `(w, c0, xs)` to the final carry and the stacked results of `c = sin(c) x + w c`.
fn recurrence(options: ScanOptions) -> Fun {
    fun(move |cx, args| {
        let w = args[0].clone();
        let body = step(fun(move |cx, a| {
            let s = cx.mul(&cx.unary(&SIN, &a[0])?, &a[1])?;
            let c = cx.add(&s, &cx.mul(&w, &a[0])?)?;
            let y = cx.mul(&c, &a[1])?;
            Ok(vec![c, y])
        }));
        scan(cx, &body, &args[1..2], &args[2..3], options)
    })
}

/// The same as a plain loop.
fn unrolled(reverse: bool) -> Fun {
    fun(move |cx, args| {
        let (w, mut c) = (&args[0], args[1].clone());
        let n = args[2].shape()[0];
        let mut ys = vec![c.clone(); n];
        for k in 0..n {
            let i = if reverse { n - 1 - k } else { k };
            let x = cx.lane(&args[2], i)?;
            let s = cx.mul(&cx.unary(&SIN, &c)?, &x)?;
            c = cx.add(&s, &cx.mul(w, &c)?)?;
            ys[i] = cx.mul(&c, &x)?;
        }
        Ok(vec![c, cx.stack_lanes(&ys)?])
    })
}

fn example() -> Vec<Value> {
    vec![scalar(0.7), scalar(0.4), vector(&[1.1, -0.3, 0.8, 0.5])]
}

fn gradients(cx: &Ctx, f: &Fun, args: &[Value]) -> Vec<Vec<f64>> {
    let wrt = vec![true; args.len()];
    let (outs, linear) = linearize(cx, "grad", &Named::new("f", Rc::clone(f)), args, &wrt).unwrap();
    let cts: Vec<_> = outs
        .iter()
        .map(|o| Some(cx.full(1.0, o.aval()).unwrap()))
        .collect();
    let ins = linear.pull_back_full(cx, &cts).unwrap();
    ins.iter().map(numbers).collect()
}

fn jitted(f: Fun) -> Fun {
    fun(move |cx, args| named_jit(cx, "f", Rc::clone(&f), args))
}

fn checked(f: &Fun, args: &[Value]) {
    let options = CheckOptions {
        order: 2,
        fwd: true,
        rev: true,
        atol: Some(2e-2),
        rtol: Some(2e-2),
        eps: None,
    };
    check_grads(&cx(), &Named::new("f", Rc::clone(f)), args, options).unwrap();
}

#[test]
fn scan_is_the_loop_it_stands_for() {
    let cx = cx();
    for reverse in [false, true] {
        let options = ScanOptions { reverse, ..FORWARD };
        let got = recurrence(options)(&cx, &example()).unwrap();
        let want = unrolled(reverse)(&cx, &example()).unwrap();
        close(&numbers(&got[0]), &numbers(&want[0]));
        close(&numbers(&got[1]), &numbers(&want[1]));
    }
}

#[test]
fn scan_has_the_derivatives_of_the_loop() {
    let cx = cx();
    for reverse in [false, true] {
        let f = recurrence(ScanOptions { reverse, ..FORWARD });
        let plain = unrolled(reverse);
        let want = gradients(&cx, &plain, &example());
        for (a, b) in gradients(&cx, &f, &example()).iter().zip(&want) {
            close(a, b);
        }
        for (a, b) in gradients(&cx, &jitted(Rc::clone(&f)), &example())
            .iter()
            .zip(&want)
        {
            close(a, b);
        }
        let tangents: Vec<_> = example().into_iter().map(Some).collect();
        let push = |f: &Fun| {
            let (_, t) = jvp(&cx, &Named::new("f", Rc::clone(f)), &example(), &tangents).unwrap();
            t.into_iter()
                .flatten()
                .map(|t| numbers(&t))
                .collect::<Vec<_>>()
        };
        for (a, b) in push(&f).iter().zip(push(&plain)) {
            close(a, &b);
        }
    }
}

#[test]
fn scan_has_second_derivatives() {
    checked(&recurrence(FORWARD), &example());
}

#[test]
fn scan_of_lanes_is_scan_per_lane() {
    let cx = cx();
    let f = Named::new("f", recurrence(FORWARD));
    let xs = [[1.0, 2.0, 3.0], [0.5, -1.0, 0.25]];
    let flat: Vec<f32> = xs.concat();
    let all: Value = Array::from_slice(&flat, &[2, 3]).unwrap().into();
    for carried in [false, true] {
        let c0 = if carried {
            vector(&[0.4, 0.9])
        } else {
            scalar(0.4)
        };
        let args = [scalar(0.7), c0, all.clone()];
        let (outs, flags) = vmap_front(&cx, &f, 2, &args, &[false, carried, true]).unwrap();
        assert_eq!(flags, [true, true]);
        for lane in 0..2 {
            let c = if carried { [0.4, 0.9][lane] } else { 0.4 };
            let one = [scalar(0.7), scalar(c), vector(&xs[lane])];
            let want = (f.fun)(&cx, &one).unwrap();
            close(&numbers(&outs[0])[lane..=lane], &numbers(&want[0]));
            close(&numbers(&outs[1])[lane * 3..][..3], &numbers(&want[1]));
        }
    }
}

#[test]
fn jaxprs_of_scans_hold_together() {
    let cx = cx();
    let f = recurrence(FORWARD);
    let avals: Vec<_> = example().iter().map(|v| v.aval().clone()).collect();
    let grad = fun(move |cx, args| {
        let f = Named::new("f", Rc::clone(&f));
        let (outs, linear) = linearize(cx, "grad", &f, args, &[true, true, true])?;
        let one = cx.one(&outs[0])?;
        linear.pull_back_full(cx, &[Some(one), None])
    });
    let closed = trace_to_jaxpr(&cx, "make_jaxpr", "f", &grad, &avals, &[]).unwrap();
    check(&closed.jaxpr).unwrap();
    let text = print(&closed).text;
    assert_eq!(text.matches("= scan[").count(), 2, "{text}");
    assert!(text.contains("reverse=True"), "{text}");
}

/// `sin(x) x` where `x` is positive, else `3 x`.
fn branching() -> Fun {
    fun(|cx, args| {
        let positive = cx.gt(&args[0], &cx.lit(0.0, &args[0])?)?;
        let no = fun(|cx, a| Ok(vec![cx.mul(&a[0], &cx.lit(3.0, &a[0])?)?]));
        let yes = fun(|cx, a| Ok(vec![cx.mul(&cx.unary(&SIN, &a[0])?, &a[0])?]));
        cond(cx, false, &positive, &[step(no), step(yes)], args)
    })
}

#[test]
fn cond_takes_one_branch_and_its_derivative() {
    let cx = cx();
    for x in [0.8_f32, -0.6] {
        let d = if x > 0.0 {
            f64::from(x.cos() * x + x.sin())
        } else {
            3.0
        };
        close(&gradients(&cx, &branching(), &[scalar(x)])[0], &[d]);
        close(&gradients(&cx, &jitted(branching()), &[scalar(x)])[0], &[d]);
        checked(&branching(), &[scalar(x)]);
    }
}

#[test]
fn cond_with_a_truth_per_lane_takes_each_lanes_branch() {
    let cx = cx();
    let f = Named::new("f", branching());
    let (outs, _) = vmap_front(&cx, &f, 3, &[vector(&[0.8, -0.6, 0.1])], &[true]).unwrap();
    let want = [0.8_f64.sin() * 0.8, -1.8, 0.1_f64.sin() * 0.1];
    close(&numbers(&outs[0]), &want);
}

/// Doubles `x` until it is 10 or more, counting.
fn doubling() -> Fun {
    fun(|cx, args| {
        let small = fun(|cx, a| Ok(vec![cx.lt(&a[0], &cx.lit(10.0, &a[0])?)?]));
        let double = fun(|cx, a| {
            let n = cx.add(&a[1], &cx.one(&a[1])?)?;
            Ok(vec![cx.mul(&a[0], &cx.lit(2.0, &a[0])?)?, n])
        });
        let init = [args[0].clone(), scalar(0.0)];
        while_loop(cx, &step(small), &step(double), &init)
    })
}

#[test]
fn while_loop_runs_until_the_condition_fails() {
    let outs = doubling()(&cx(), &[scalar(0.75)]).unwrap();
    close(&numbers(&outs[0]), &[12.0]);
    close(&numbers(&outs[1]), &[4.0]);
}

#[test]
fn while_loop_runs_until_its_last_lane_is_done() {
    let f = Named::new("f", doubling());
    let (outs, _) = vmap_front(&cx(), &f, 3, &[vector(&[0.75, 40.0, 6.0])], &[true]).unwrap();
    close(&numbers(&outs[0]), &[12.0, 40.0, 12.0]);
    close(&numbers(&outs[1]), &[4.0, 0.0, 1.0]);
}

#[test]
fn while_loop_has_forward_mode_and_refuses_reverse_mode() {
    let cx = cx();
    let f = Named::new("f", doubling());
    let (_, t) = jvp(&cx, &f, &[scalar(0.75)], &[Some(scalar(1.0))]).unwrap();
    close(&numbers(t[0].as_ref().unwrap()), &[16.0]);
    let (outs, linear) = linearize(&cx, "grad", &f, &[scalar(0.75)], &[true]).unwrap();
    close(
        &numbers(&linear.apply(&cx, &[scalar(1.0)]).unwrap()[0]),
        &[16.0],
    );
    let one = cx.one(&outs[0]).unwrap();
    let error = linear.pull_back(&cx, &[Some(one), None]).unwrap_err();
    assert!(
        error
            .message
            .starts_with("Reverse-mode differentiation does not work for")
    );
    assert_eq!(error.primitive, Some("while"));
}

#[test]
fn fori_loop_with_known_bounds_has_reverse_mode() {
    let cx = cx();
    let f = fun(|cx, args| {
        let body = step(fun(|cx, a| {
            let i = cx.convert(&a[0], a[1].dtype(), false)?;
            Ok(vec![cx.mul(&cx.unary(&SIN, &a[1])?, &cx.add(&i, &a[1])?)?])
        }));
        let int = |n: i32| Value::from(Array::from_slice(&[n], &[]).unwrap());
        fori_loop(cx, &body, [int(1), int(4)], args, 1)
    });
    checked(&f, &[scalar(0.9)]);
    let plain = |mut x: f64| {
        for i in 1..4 {
            x = x.sin() * (f64::from(i) + x);
        }
        x
    };
    close(
        &numbers(&f(&cx, &[scalar(0.9)]).unwrap()[0]),
        &[plain(f64::from(0.9_f32))],
    );
}

#[test]
fn a_branch_inside_a_loop_is_differentiated_in_each_step() {
    let cx = cx();
    let f = fun(|cx, args| {
        let body = step(fun(|cx, a| {
            let sum = cx.add(&a[0], &a[1])?;
            let c = branching()(cx, &[sum])?;
            Ok(vec![c[0].clone(), c[0].clone()])
        }));
        scan(cx, &body, &args[..1], &args[1..], FORWARD)
    });
    let args = [scalar(0.3), vector(&[0.5, -1.4, 0.2])];
    checked(&f, &args);
    let plain = gradients(&cx, &f, &args);
    for (a, b) in gradients(&cx, &jitted(f), &args).iter().zip(&plain) {
        close(a, b);
    }
}

#[test]
fn a_carry_that_changes_its_type_is_named() {
    let body = step(fun(|cx, a| {
        let c = cx.stack_lanes(&[a[0].clone(), a[0].clone()])?;
        Ok(vec![c, a[1].clone()])
    }));
    let body = Step {
        names: &|| vec!["c".into()],
        ..body
    };
    let error = scan(&cx(), &body, &[scalar(0.0)], &[vector(&[1.0])], FORWARD).unwrap_err();
    let phrase = "The input carry c has type float32[] but the corresponding output carry \
                  component has type float32[2], so the shapes do not match.";
    assert!(error.message.contains(phrase), "{}", error.message);
}
