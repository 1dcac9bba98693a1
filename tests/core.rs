//! The core end to end on a small function.

use cotangent::array::Array;
use cotangent::interp::eval::eval_ctx;
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::{check::check, print::print};
use cotangent::pass::dce::dce;
use cotangent::prim::rule::{Ctx, Env, Fun};
use cotangent::prim::transcendental::SIN;
use cotangent::transform::Named;
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

fn cx() -> Ctx {
    eval_ctx(Rc::new(Env::default()))
}

/// sum(sin(x) * x)
fn loss() -> Fun {
    Rc::new(|cx: &Ctx, x: &[Value]| {
        let s = cx.unary(&SIN, &x[0])?;
        Ok(vec![cx.reduce_sum(&cx.mul(&s, &x[0])?, &[0])?])
    })
}

fn grad(f: Fun) -> Fun {
    Rc::new(move |cx: &Ctx, x: &[Value]| {
        let (outs, linear) = linearize(cx, "grad", &Named::new("loss", Rc::clone(&f)), x, &[true])?;
        let one = cx.lit(1.0, &outs[0])?;
        linear.pull_back_full(cx, &[Some(one)])
    })
}

fn vector(x: &[f32]) -> Value {
    Array::from_slice(x, &[x.len()]).unwrap().into()
}

#[test]
fn gradient_of_a_small_function_is_right() {
    let out = grad(loss())(&cx(), &[vector(&[0.0, 1.0, 2.0, 3.0])]).unwrap();
    let got = out[0].as_array().unwrap().to_f64();
    for (i, g) in got.iter().enumerate() {
        let x = i as f64;
        assert!((g - (x.cos() * x + x.sin())).abs() < 1e-5, "{got:?}");
    }
}

#[test]
fn jaxpr_of_a_gradient_is_jaxs() {
    let cx = cx();
    let aval = vector(&[0.0; 4]).aval().clone();
    let closed = trace_to_jaxpr(&cx, "make_jaxpr", "loss", &grad(loss()), &[aval], &[]).unwrap();
    check(&closed.jaxpr).unwrap();
    let want = "\
{ lambda ; a:f32[4]. let
    b:f32[4] = sin a
    c:f32[4] = cos a
    d:f32[4] = mul b a
    _:f32[] = reduce_sum[axes=(0,) out_sharding=None] d
    e:f32[4] = broadcast_in_dim 1.0:f32[]
    f:f32[4] = mul b e
    g:f32[4] = mul e a
    h:f32[4] = mul g c
    i:f32[4] = add_any f h
  in (i,) }";
    assert_eq!(print(&closed).text, want);
}

#[test]
fn second_derivative_through_nested_linearisation() {
    let f: Fun = Rc::new(|cx: &Ctx, x: &[Value]| Ok(vec![cx.unary(&SIN, &x[0])?]));
    let x = Value::Array(Array::scalar(0.5, cotangent::dtype::DType::F32, false).unwrap());
    let out = grad(grad(f))(&cx(), &[x]).unwrap();
    assert!((out[0].as_array().unwrap().number_at(0) + 0.5f64.sin()).abs() < 1e-6);
}

#[test]
fn vmap_of_grad_gives_every_lane_its_gradient() {
    let x: Value = Array::from_slice(&[0.0f32, 1.0, 2.0, 3.0], &[2, 2])
        .unwrap()
        .into();
    let f = Named::new("grad", grad(loss()));
    let (outs, mapped) = vmap_front(&cx(), &f, 2, &[x], &[true]).unwrap();
    assert!(mapped[0]);
    let got = outs[0].as_array().unwrap().to_f64();
    for (i, g) in got.iter().enumerate() {
        let x = i as f64;
        assert!((g - (x.cos() * x + x.sin())).abs() < 1e-5, "{got:?}");
    }
}

#[test]
fn unused_equations_are_pruned_from_what_runs_only() {
    let cx = cx();
    let aval = vector(&[0.0; 4]).aval().clone();
    let f: Fun = Rc::new(|cx: &Ctx, x: &[Value]| {
        let unused = cx.unary(&SIN, &x[0])?;
        cx.unary(&SIN, &unused)?;
        Ok(vec![cx.mul(&x[0], &x[0])?])
    });
    let jaxpr = trace_to_jaxpr(&cx, "jit", "f", &f, &[aval], &[])
        .unwrap()
        .jaxpr;
    let pruned = dce(&jaxpr);
    check(&pruned).unwrap();
    assert_eq!((jaxpr.eqns.len(), pruned.eqns.len()), (3, 1));
    assert_eq!(pruned.eqns[0].op.name(), "mul");
    assert!(Rc::ptr_eq(&pruned, &dce(&jaxpr)), "made once");
    assert!(
        Rc::ptr_eq(&pruned, &dce(&pruned)),
        "nothing is left to prune"
    );
}

#[test]
fn scalars_of_the_program_are_constants_and_numbers_are_literals() {
    let cx = cx();
    let aval = vector(&[0.0; 4]).aval().clone();
    let two = Array::scalar(2.0, aval.dtype, false).unwrap();
    let text = |two: Array| {
        let f: Fun = Rc::new(move |cx: &Ctx, x: &[Value]| {
            Ok(vec![cx.mul(&x[0], &Value::Array(two.clone()))?])
        });
        let closed = trace_to_jaxpr(&cx, "make_jaxpr", "f", &f, std::slice::from_ref(&aval), &[]);
        print(&closed.unwrap()).text
    };
    assert_eq!(
        text(two.clone()),
        "{ lambda ; a:f32[4]. let b:f32[4] = mul a 2.0:f32[] in (b,) }"
    );
    assert_eq!(
        text(two.into_held()),
        "{ lambda a:f32[]; b:f32[4]. let c:f32[4] = mul b a in (c,) }"
    );
}

#[test]
fn loops_that_are_traced_end_in_a_message_before_they_fill_memory() {
    let cx = cx();
    cx.env.muted.set(true);
    let aval = vector(&[1.0]).aval().clone();
    let endless: Fun = Rc::new(|cx, args| {
        let mut x = args[0].clone();
        loop {
            x = cx.unary(&SIN, &x)?;
        }
    });
    let error = trace_to_jaxpr(&cx, "jit", "f", &endless, &[aval], &[]).unwrap_err();
    assert!(error.message.contains("`jit` traces has more than 20000"));
    assert!(error.program.is_some(), "its beginning is shown");
}
