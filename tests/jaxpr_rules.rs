//! The derivative, transposition and batching rules of element-wise primitives leave the equations
//! that JAX leaves, in its order. `jaxpr_rules.txt` holds JAX's answers; `jaxpr_rules.py` records them.

use cotangent::aval::Aval;
use cotangent::dtype::DType;
use cotangent::error::Result;
use cotangent::interp::eval::eval_ctx;
use cotangent::interp::stage::trace_to_jaxpr;
use cotangent::ir::{check::check, print::print};
use cotangent::prim::convert::ConvertElementType;
use cotangent::prim::power::IntegerPow;
use cotangent::prim::roll::roll;
use cotangent::prim::rounding::{Round, RoundingMethod};
use cotangent::prim::rule::{Ctx, Env, Fun, Op, Tangent};
use cotangent::transform::Named;
use cotangent::transform::jvp::{instantiate, jvp};
use cotangent::transform::linearize::linearize;
use cotangent::transform::transpose::{backward_pass, linear_transpose};
use cotangent::transform::vmap::vmap_front;
use cotangent::value::Value;
use std::rc::Rc;

const ANSWERS: &str = include_str!("jaxpr_rules.txt");

/// Titles of cases in which we differ from JAX on purpose, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[(
    "rem | jvp | ~f32[] f32[4] |",
    "JAX's add_any is as weak as its first operand",
)];

struct Case<'a> {
    title: &'a str,
    op: Op,
    transform: &'a str,
    avals: Vec<Aval>,
    picked: Vec<usize>,
    want: String,
}

fn op(name: &str) -> Op {
    let (name, param) = name.split_once(':').unwrap_or((name, ""));
    match name {
        "round" => Rc::new(Round {
            rounding_method: match param {
                "0" => RoundingMethod::AwayFromZero,
                _ => RoundingMethod::ToNearestEven,
            },
        }),
        "integer_pow" => Rc::new(IntegerPow {
            y: param.parse().expect("an exponent"),
        }),
        "convert" => Rc::new(ConvertElementType {
            new_dtype: DType::parse(param, false).expect("a dtype"),
            weak_type: false,
        }),
        _ => {
            let entry = roll().into_iter().find(|e| e.name == name);
            let example = entry.and_then(|e| e.examples.into_iter().next());
            example.unwrap_or_else(|| panic!("no primitive {name}")).op
        }
    }
}

fn aval(text: &str) -> Aval {
    let weak = text.starts_with('~');
    let text = text.trim_start_matches('~').trim_end_matches(']');
    let (dtype, dims) = text.split_once('[').expect("a type");
    let dtype = DType::ALL.into_iter().find(|d| d.short() == dtype);
    let dims: Vec<usize> = dims.split(',').filter_map(|d| d.parse().ok()).collect();
    Aval::new(&dims, dtype.expect("a dtype")).with_weak(weak)
}

fn cases() -> impl Iterator<Item = Case<'static>> {
    ANSWERS.split("\n\n").map(|block| {
        let (title, want) = block.split_once('\n').expect("a title and a text");
        let fields: Vec<&str> = title.trim_start_matches("# ").split(" | ").collect();
        Case {
            title,
            op: op(fields[0]),
            transform: fields[1],
            avals: fields[2].split(' ').map(aval).collect(),
            picked: fields[3]
                .split(',')
                .filter_map(|i| i.parse().ok())
                .collect(),
            want: format!("{}\n{}", fields[4], want.trim_end()),
        }
    })
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

/// Derivative of a scalar function of one scalar.
fn grad(f: Fun) -> Fun {
    Rc::new(move |cx: &Ctx, x: &[Value]| {
        let named = Named::new("f", Rc::clone(&f));
        let (outs, linear) = linearize(cx, "grad", &named, x, &[true])?;
        linear.pull_back_full(cx, &[Some(cx.lit(1.0, &outs[0])?)])
    })
}

fn run(case: &Case) -> Result<String> {
    let cx = eval_ctx(Rc::new(Env::default()));
    let n = case.avals.len();
    let out = case
        .op
        .abstract_eval(&case.avals.iter().collect::<Vec<_>>())
        .map(|a| a[0].clone());
    let (op, picked) = (Rc::clone(&case.op), case.picked.clone());
    let mut avals = case.avals.clone();
    let fun: Fun = match case.transform {
        "jvp" => {
            avals.extend(picked.iter().map(|&i| case.avals[i].clone()));
            Rc::new(move |cx, xs| {
                let f = only(&op, &xs[..n], &picked);
                let tangents: Vec<Tangent> = xs[n..].iter().cloned().map(Some).collect();
                let (mut outs, ts) = jvp(cx, &f, &pick(xs, &picked), &tangents)?;
                let t = instantiate(cx, &outs[0], ts[0].clone())?;
                outs.push(t);
                Ok(outs)
            })
        }
        "vjp" => {
            avals.push(out?);
            Rc::new(move |cx, xs| {
                let f = only(&op, &xs[..n], &picked);
                let wrt = vec![true; picked.len()];
                let (_, linear) = linearize(cx, "vjp", &f, &pick(xs, &picked), &wrt)?;
                linear.pull_back_full(cx, &[Some(xs[n].clone())])
            })
        }
        "grad2" => Rc::new(move |cx, xs| {
            let (first, last) = (picked[0], picked[picked.len() - 1]);
            let (op, xs) = (Rc::clone(&op), xs.to_vec());
            let x = xs[last].clone();
            let outer: Fun = Rc::new(move |cx, v| {
                let mut args = xs.clone();
                args[last] = v[0].clone();
                let x = args[first].clone();
                grad(only(&op, &args, &[first]).fun)(cx, &[x])
            });
            grad(outer)(cx, &[x])
        }),
        "vmap" => Rc::new(move |cx, xs| {
            let mapped: Vec<bool> = (0..n).map(|i| picked.contains(&i)).collect();
            let size = xs[picked[0]].shape()[0];
            let f = only(&op, xs, &(0..n).collect::<Vec<_>>());
            Ok(vmap_front(cx, &f, size, xs, &mapped)?.0)
        }),
        "transpose" => {
            avals.push(out?);
            Rc::new(move |cx, xs| {
                let f = only(&op, &xs[..n], &picked);
                let linear: Vec<_> = picked.iter().map(|&i| xs[i].aval().clone()).collect();
                let closed = linear_transpose(cx, &f, &linear)?;
                let ct = [Some(xs[n].clone())];
                let ins = backward_pass(cx, &closed.jaxpr, &closed.consts, &ct)?;
                Ok(ins.into_iter().flatten().collect())
            })
        }
        other => panic!("no transform {other}"),
    };
    let closed = trace_to_jaxpr(&cx, "make_jaxpr", "f", &fun, &avals, &[])?;
    check(&closed.jaxpr)?;
    let text = print(&closed).text;
    let weak = |a: &Aval| if a.weak { "~" } else { "" };
    let types = closed.jaxpr.out_avals();
    let types: Vec<String> = types.iter().map(|a| format!("{}{a}", weak(a))).collect();
    let text = format!("{}\n{text}", types.join(" "));
    Ok(text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n"))
}

#[test]
fn rules_leave_the_equations_that_jax_leaves() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for case in cases() {
        count += 1;
        if DIFFERENT
            .iter()
            .any(|(title, _)| case.title.contains(&format!("# {title}")))
        {
            continue;
        }
        let got = run(&case).unwrap_or_else(|e| e.to_string());
        if got != case.want {
            faults.push(format!(
                "{}\nJAX:\n{}\nhere:\n{got}\n",
                case.title, case.want
            ));
        }
    }
    assert!(count > 800, "only {count} cases were read");
    assert!(
        faults.is_empty(),
        "{} of {count} differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
