//! The primitives that are not element-wise compute what JAX computes and leave the equations that
//! JAX leaves under jvp, vjp and vmap, on every example of the roll. `jaxpr_shapes.txt` holds JAX's
//! answers. `jaxpr_shapes.py` records them from the list that
//! `cargo test --test jaxpr_shapes -- --ignored --nocapture` prints.

use cotangent::array::ArrayMut;
use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::error::Result;
use cotangent::interp::eval::eval_ctx;
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::{check::check, print::print};
use cotangent::prim::roll::{Arg, Example};
use cotangent::prim::roll_shape::entries;
use cotangent::prim::rule::{Ctx, Env, Fun, Op, Param, Tangent};
use cotangent::transform::Named;
use cotangent::transform::jvp::{instantiate, jvp};
use cotangent::transform::linearize::linearize;
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::collections::HashMap;
use std::rc::Rc;

const ANSWERS: &str = include_str!("jaxpr_shapes.txt");
const LANES: usize = 3;

/// Texts that differ from JAX's on purpose: primitive, question, reason.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("reduce_prod", "jvp", REORDERED),
    ("reduce_prod", "vjp", REORDERED),
    ("cumlogsumexp", "jvp", LOGADDEXP),
    ("cumlogsumexp", "vjp", LOGADDEXP),
    ("scatter-mul", "vjp", SHARED),
    ("scatter-min", "vjp", SHARED),
    ("scatter-max", "vjp", SHARED),
    (
        "stack",
        "vmap 11",
        "JAX stacks mapped scalars along axis 0 and transposes",
    ),
];
const REORDERED: &str = "JAX reshapes and transposes in one equation, reshape[dimensions=..]";
const LOGADDEXP: &str = "JAX calls jnp.logaddexp, a custom_jvp function of another layer";
const SHARED: &str = "JAX shares jaxprs by identity, here they are shared if they are equal";

fn cx() -> Ctx {
    let env = Env::default();
    env.x64.set(true);
    eval_ctx(Rc::new(env))
}

fn array(arg: &Arg) -> Value {
    let mut out = ArrayMut::uninit(Aval::new(&arg.shape, arg.dtype)).unwrap();
    for (i, v) in arg.values.iter().enumerate() {
        match arg.dtype {
            DType::F64 => out.slice_mut::<f64>()[i] = *v,
            DType::F32 => out.slice_mut::<f32>()[i] = *v as f32,
            DType::I32 => out.slice_mut::<i32>()[i] = *v as i32,
            DType::U32 => out.slice_mut::<u32>()[i] = *v as u32,
            DType::Bool => out.slice_mut::<u8>()[i] = (*v != 0.0) as u8,
            DType::Float0 | DType::Key => {}
        }
    }
    out.freeze().into()
}

fn avals(e: &Example) -> Vec<Aval> {
    e.args
        .iter()
        .map(|a| Aval::new(&a.shape, a.dtype))
        .collect()
}

fn out_avals(e: &Example) -> Vec<Aval> {
    let avals = avals(e);
    e.op.abstract_eval(&avals.iter().collect::<Vec<_>>())
        .unwrap()
}

/// The primitive as a function of the picked operands, the others being constants.
fn only(op: &Op, args: &[Value], picked: &[usize]) -> Named {
    let (op, args, picked) = (Rc::clone(op), args.to_vec(), picked.to_vec());
    let fun: Fun = Rc::new(move |cx, some| {
        let mut full = args.clone();
        for (i, v) in picked.iter().zip(some) {
            full[*i] = v.clone();
        }
        cx.bind(&*op, &full)
    });
    Named::new("f", fun)
}

fn pick(values: &[Value], picked: &[usize]) -> Vec<Value> {
    picked.iter().map(|&i| values[i].clone()).collect()
}

fn jaxpr(fun: Fun, avals: &[Aval]) -> Result<String> {
    let closed = trace_to_jaxpr(&cx(), "make_jaxpr", "f", &fun, avals, &[])?;
    check(&closed.jaxpr)?;
    // Folded as the recorded texts are: JAX breaks lines at another width where NumPy's scalars leak.
    let text = print(&closed).text.replace(';', " ; ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(text
        .replace("[ ", "[")
        .replace(" ]", "]")
        .replace(" ; ", " "))
}

fn text(e: &Example, transform: &str) -> Result<String> {
    let (op, picked, n) = (Rc::clone(&e.op), e.wrt.clone(), e.args.len());
    let mut types = avals(e);
    if let Some(mask) = transform.strip_prefix("vmap ") {
        let mapped: Vec<bool> = mask.chars().map(|c| c == '1').collect();
        for (t, _) in types.iter_mut().zip(&mapped).filter(|(_, m)| **m) {
            *t = t.with_axis0(LANES);
        }
        let fun: Fun = Rc::new(move |cx, xs| {
            let f = only(&op, xs, &(0..n).collect::<Vec<_>>());
            Ok(vmap_front(cx, &f, LANES, xs, &mapped)?.0)
        });
        return jaxpr(fun, &types);
    }
    let floats: Vec<bool> = out_avals(e).iter().map(|a| a.dtype.is_float()).collect();
    if transform == "jvp" {
        types.extend(picked.iter().map(|&i| types[i].clone()).collect::<Vec<_>>());
        let fun: Fun = Rc::new(move |cx, xs| {
            let f = only(&op, &xs[..n], &picked);
            let tangents: Vec<Tangent> = xs[n..].iter().cloned().map(Some).collect();
            let (mut outs, ts) = jvp(cx, &f, &pick(xs, &picked), &tangents)?;
            let primals = outs.clone();
            for ((x, t), _) in primals.iter().zip(ts).zip(&floats).filter(|(_, f)| **f) {
                outs.push(instantiate(cx, x, t)?);
            }
            Ok(outs)
        });
        return jaxpr(fun, &types);
    }
    types.extend(out_avals(e).into_iter().filter(|a| a.dtype.is_float()));
    let fun: Fun = Rc::new(move |cx, xs| {
        let f = only(&op, &xs[..n], &picked);
        let (_, linear) = linearize(cx, "vjp", &f, &pick(xs, &picked), &vec![true; picked.len()])?;
        let mut given = xs[n..].iter().cloned();
        let cts: Vec<Tangent> = floats
            .iter()
            .map(|f| f.then(|| given.next()).flatten())
            .collect();
        linear.pull_back_full(cx, &cts)
    });
    jaxpr(fun, &types)
}

fn answers() -> HashMap<&'static str, &'static str> {
    let blocks = ANSWERS.split("\n\n").filter(|b| !b.trim().is_empty());
    blocks
        .map(|b| b.trim().trim_start_matches("# "))
        .map(|b| b.split_once('\n').unwrap_or((b, "")))
        .collect()
}

/// Calls `check` on every answer with its title, its example and what was asked of it.
fn each_answer(check: impl Fn(&str, &Example, &str, &str)) -> usize {
    let (answers, mut count) = (answers(), 0);
    for entry in entries() {
        for (i, e) in entry.examples.iter().enumerate() {
            let prefix = format!("{} {i} | ", entry.name);
            for (title, want) in answers.iter().filter(|(t, _)| t.starts_with(&prefix)) {
                count += 1;
                check(title, e, &title[prefix.len()..], want);
            }
        }
    }
    assert_eq!(count, answers.len(), "every answer belongs to an example");
    count
}

#[test]
fn results_are_jaxs() {
    let count = each_answer(|title, e, what, want| {
        if what != "value" {
            return;
        }
        let args: Vec<Value> = e.args.iter().map(array).collect();
        let outs = cx().bind(&*e.op, &args).unwrap();
        let got: Vec<f64> = outs
            .iter()
            .flat_map(|o| o.as_array().unwrap().to_f64())
            .collect();
        let want: Vec<f64> = want.split(' ').filter_map(|w| w.parse().ok()).collect();
        assert_eq!(got.len(), want.len(), "{title}");
        for (g, w) in got.iter().zip(&want) {
            let close = (g - w).abs() <= 1e-12 * (1.0 + w.abs()) || (g.is_nan() && w.is_nan());
            assert!(close, "{title} {:?}:\n got {got:?}\n JAX {want:?}", e.op);
        }
    });
    assert!(count > 700, "only {count} answers were read");
}

#[test]
fn rules_leave_the_equations_that_jax_leaves() {
    let faults = std::cell::RefCell::new(Vec::new());
    each_answer(|title, e, what, want| {
        let excused = DIFFERENT
            .iter()
            .any(|(p, q, _)| e.op.name() == *p && what == *q);
        if what == "value" || excused {
            return;
        }
        let got = text(e, what).unwrap_or_else(|e| e.to_string());
        if got != want {
            let fault = format!("{title}\nJAX:  {want}\nhere: {got}\n");
            faults.borrow_mut().push(fault);
        }
    });
    let faults = faults.into_inner();
    assert!(
        faults.is_empty(),
        "{} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
#[ignore = "prints the list from which jaxpr_shapes.py records"]
fn the_list_of_examples() {
    for entry in entries() {
        for (i, e) in entry.examples.iter().enumerate() {
            let params = e.op.params().into_iter().map(|(k, p)| match p {
                Param::Text(t) => format!("{k}={t}"),
                Param::Jaxpr(_) | Param::Jaxprs(_) => format!("{k}=None"),
            });
            let params: Vec<String> = params.collect();
            let args = e.args.iter().map(|a| {
                let values: Vec<String> = a.values.iter().map(|v| format!("{v:?}")).collect();
                format!("{}:{:?}:[{}]", a.dtype, a.shape, values.join(","))
            });
            let args: Vec<String> = args.collect();
            let out = out_avals(e);
            let shape = out.first().map_or(vec![], |a| a.shape.to_vec());
            println!(
                "@{}\t{i}\t{}\t{}\t{shape:?}\t{:?}",
                entry.name,
                params.join(";"),
                args.join(";"),
                e.wrt
            );
        }
    }
}
