//! The transforms. Functions are ids of registered JavaScript functions of flat values; what they
//! return beyond values (trees) stays on the JavaScript side.

use super::functions::{JsCallback, JsFunction};
use super::session::{Session, guarded};
use super::tape::{Reader, Writer, dtype_from};
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::interp::stage::trace_to_jaxpr;
use crate::ir::ClosedJaxpr;
use crate::ir::print::print;
use crate::prim::callback::{Callback, CallbackKind, VmapMethod};
use crate::prim::rule::{Ctx, Tangent};
use crate::transform::check::{CheckOptions, check_grads};
use crate::transform::custom::{CustomJvpCall, CustomVjpCall};
use crate::transform::grad::value_and_grad;
use crate::transform::jacobian::{jacfwd, jacrev};
use crate::transform::jit::JitCache;
use crate::transform::jvp::jvp;
use crate::transform::linearize::{Linear, instantiate_all, linearize};
use crate::transform::transpose::{backward_pass, check_linear_cotangents, linear_transpose};
use crate::transform::vmap::{moved_in, moved_out, vmap_front};
use crate::transform::{Named, known_name};
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, boxed::Box, string::String, vec, vec::Vec};
use core::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Things that JavaScript holds by number besides values.
enum Held {
    Linear(Linear),
    Transposed {
        closed: ClosedJaxpr,
        in_avals: Vec<Aval>,
    },
    Jaxpr(ClosedJaxpr),
    Jit(Rc<JitCache>),
    Callback(Rc<Callback>),
}

/// What is held with its number.
type Numbered = (u32, Rc<Held>);

local! {
    /// The number given last, and what is held, by number in ascending order.
    static HELD: RefCell<(u32, Vec<Numbered>)> = RefCell::new((0, Vec::new()));
}

fn hold(held: Held) -> u32 {
    HELD.with_borrow_mut(|(last, all)| {
        *last += 1;
        all.push((*last, Rc::new(held)));
        *last
    })
}

fn held(id: u32) -> Result<Rc<Held>> {
    let found = HELD.with_borrow(|(_, all)| {
        let at = all.binary_search_by_key(&id, |(i, _)| *i);
        at.ok().map(|at| Rc::clone(&all[at].1))
    });
    found.ok_or_else(|| Error::internal("an object of the engine was used after it was dropped"))
}

/// Lets go of a held object.
#[wasm_bindgen(js_name = dropHeld)]
pub fn drop_held(id: u32) {
    let gone = HELD.with_borrow_mut(|(_, all)| {
        let at = all.binary_search_by_key(&id, |(i, _)| *i);
        at.ok().map(|at| all.remove(at))
    });
    drop(gone);
}

fn put_values(s: &Session, values: Vec<crate::value::Value>) {
    let mut w = Writer::new(s);
    w.values(values);
    w.finish();
}

fn named(s: &Rc<Session>, id: u32, name: &str) -> Named {
    JsFunction::new(s, id).named(name)
}

/// `grad` and `value_and_grad`. Tape in: arguments, flags of those differentiated. Out: value and
/// auxiliary results in one run, gradients in another.
#[wasm_bindgen(js_name = gradCall)]
pub fn grad_call(
    transform: &str,
    function: u32,
    name: &str,
    allow_int: bool,
    len: usize,
    site: u32,
) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let mut r = Reader::new(s, len);
        let (args, wrt) = (r.values()?, r.flags()?);
        let transform = known_name(transform);
        let out = cx.in_frame(transform, name, || {
            value_and_grad(cx, transform, &f, &args, &wrt, allow_int)
                .map_err(|e| with_program(cx, e, &f, &args))
        })?;
        let mut w = Writer::new(s);
        let mut values = vec![out.value];
        values.extend(out.aux);
        w.values(values);
        w.values(out.grads);
        w.finish();
        Ok(())
    })
}

/// Attaches the jaxpr of the function under a failed transform, so that the failing equation can
/// be shown: traced again, silently, or as far as tracing gets.
fn with_program(
    cx: &Ctx,
    mut e: Box<Error>,
    f: &Named,
    args: &[crate::value::Value],
) -> Box<Error> {
    if e.program.is_some() || e.foreign.is_some() || cx.env.muted.get() {
        return e;
    }
    let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
    let was_muted = cx.env.muted.replace(true);
    let frames = cx.env.frames.take();
    let traced = trace_to_jaxpr(cx, "make_jaxpr", &f.name, &f.fun, &avals, &[]);
    cx.env.frames.replace(frames);
    cx.env.muted.set(was_muted);
    e.program = match traced {
        Ok(closed) => Some(Rc::new(closed)),
        Err(partial) => partial.program,
    };
    e
}

/// `jvp`. Tape in: primals, tangents. Out: results, their tangents.
#[wasm_bindgen(js_name = jvpCall)]
pub fn jvp_call(function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let mut r = Reader::new(s, len);
        let (primals, tangents) = (r.values()?, r.optional_values()?);
        let tangents = crate::transform::jvp::checked_tangents(&primals, tangents)?;
        let (outs, out_tangents) = cx.in_frame("jvp", name, || {
            let (outs, ts) =
                jvp(cx, &f, &primals, &tangents).map_err(|e| with_program(cx, e, &f, &primals))?;
            let ts = instantiate_all(cx, &outs, ts)?;
            Ok((outs, ts))
        })?;
        let mut w = Writer::new(s);
        w.values(outs);
        w.values(out_tangents);
        w.finish();
        Ok(())
    })
}

/// `vjp` and `linearize`. Tape in: primals, flags of those that vary. Out: the number of the held
/// linear map, results.
#[wasm_bindgen(js_name = linearizeCall)]
pub fn linearize_call(transform: &str, function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let mut r = Reader::new(s, len);
        let (primals, wrt) = (r.values()?, r.flags()?);
        let transform = known_name(transform);
        let (outs, linear) = cx.in_frame(transform, name, || {
            linearize(cx, transform, &f, &primals, &wrt)
                .map_err(|e| with_program(cx, e, &f, &primals))
        })?;
        let mut w = Writer::new(s);
        w.number(hold(Held::Linear(linear)).into());
        w.values(outs);
        w.finish();
        Ok(())
    })
}

/// Applies a held linear map to tangents, or pulls cotangents back through it. Tape in: tangents
/// or cotangents, nothing for zero. Out: values.
#[wasm_bindgen(js_name = applyLinear)]
pub fn apply_linear(id: u32, pull_back: bool, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let held = held(id)?;
        let Held::Linear(linear) = &*held else {
            return Err(Error::internal("not a linear map"));
        };
        let mut r = Reader::new(s, len);
        let given = r.optional_values()?;
        let outs = if pull_back {
            let cts = linear.checked_cotangents(&given)?;
            cx.in_frame("transpose", "", || linear.pull_back_full(cx, &cts))?
        } else {
            let tangents = linear.checked_tangents(cx, &given)?;
            linear.apply(cx, &tangents)?
        };
        put_values(s, outs);
        Ok(())
    })
}

/// `linear_transpose`. Tape in: example arguments. Out: the number of the held transpose and the
/// number of results expected as cotangents.
#[wasm_bindgen(js_name = transposeCall)]
pub fn transpose_call(function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let in_avals = Reader::new(s, len).avals()?;
        let closed = cx.in_frame("linear_transpose", name, || {
            linear_transpose(cx, &f, &in_avals)
        })?;
        let outputs = closed.jaxpr.outvars.len();
        let mut w = Writer::new(s);
        w.number(hold(Held::Transposed { closed, in_avals }).into());
        w.number(outputs as f64);
        w.finish();
        Ok(())
    })
}

/// Applies a held transpose to cotangents. Tape in: cotangents. Out: values.
#[wasm_bindgen(js_name = applyTranspose)]
pub fn apply_transpose(id: u32, made_at: u32, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let held = held(id)?;
        let Held::Transposed { closed, in_avals } = &*held else {
            return Err(Error::internal("not a transpose"));
        };
        let cts: Vec<Tangent> = Reader::new(s, len).optional_values()?;
        check_linear_cotangents(&closed.jaxpr.out_avals(), &cts)?;
        let frame = crate::error::Frame {
            transform: "linear_transpose",
            function: String::new(),
            site: crate::span::Site(made_at),
        };
        let ins = cx.in_frame_at(frame, || {
            cx.in_frame("transpose", "", || {
                backward_pass(cx, &closed.jaxpr, &closed.consts, &cts)
            })
        })?;
        let full = ins
            .into_iter()
            .zip(in_avals)
            .map(|(ct, aval)| ct.map_or_else(|| cx.zeros(&aval.tangent()), Ok))
            .collect::<Result<_>>()?;
        put_values(s, full);
        Ok(())
    })
}

/// `vmap`. Tape in: arguments, their mapped axes (NaN for none), the axis size or NaN. Out: the
/// axis size, flags of mapped results, results with the mapped axis in front.
#[wasm_bindgen(js_name = vmapCall)]
pub fn vmap_call(function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let js = JsFunction::new(s, function);
        let f = js.named(name);
        let mut r = Reader::new(s, len);
        let (args, axes) = (r.values()?, r.axes()?);
        let size = r.next()?;
        let size = if size.is_nan() {
            None
        } else {
            Some(size as usize)
        };
        let names = || js.argument_names();
        let (size, args, mapped) = moved_in(cx, args, &axes, size, &names)?;
        let (outs, flags) = cx.in_frame("vmap", name, || {
            vmap_front(cx, &f, size, &args, &mapped)
                .map_err(|e| with_program_of_lanes(cx, e, &f, &args, &mapped))
        })?;
        let mut w = Writer::new(s);
        w.number(size as f64);
        w.number(flags.len() as f64);
        flags.iter().for_each(|&m| w.number(f64::from(m)));
        w.values(outs);
        w.finish();
        Ok(())
    })
}

fn with_program_of_lanes(
    cx: &Ctx,
    e: Box<Error>,
    f: &Named,
    args: &[crate::value::Value],
    mapped: &[bool],
) -> Box<Error> {
    let lanes = args
        .iter()
        .zip(mapped)
        .map(|(v, &m)| if m { cx.lane(v, 0) } else { Ok(v.clone()) });
    match lanes.collect::<Result<Vec<_>>>() {
        Ok(lanes) => with_program(cx, e, f, &lanes),
        Err(_) => e,
    }
}

/// Puts results' mapped axes where they are wanted. Tape in: results, flags, axes (NaN for none),
/// axis size. Out: results.
#[wasm_bindgen(js_name = vmapFinish)]
pub fn vmap_finish(len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let mut r = Reader::new(s, len);
        let (outs, flags, axes) = (r.values()?, r.flags()?, r.axes()?);
        let size = r.count()?;
        put_values(s, moved_out(cx, outs, &flags, &axes, size)?);
        Ok(())
    })
}

/// A new cache of traces for one jitted function; gives its number.
#[wasm_bindgen(js_name = newJit)]
pub fn new_jit() -> u32 {
    hold(Held::Jit(Rc::default()))
}

/// Calls a jitted function. Tape in: arguments. Out: the number of the trace used, results.
#[wasm_bindgen(js_name = jitCall)]
pub fn jit_call(id: u32, function: u32, name: &str, key: u32, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let held = held(id)?;
        let Held::Jit(cache) = &*held else {
            return Err(Error::internal("not a jit"));
        };
        let function = JsFunction::new(s, function);
        let f = function.named(name);
        let args = Reader::new(s, len).values()?;
        let origins = || function.argument_names();
        let (outs, trace) =
            cx.in_frame("jit", name, || cache.call(cx, &f, key, &args, &origins))?;
        let mut w = Writer::new(s);
        w.number(trace.into());
        w.values(outs);
        w.finish();
        Ok(())
    })
}

/// `jacfwd` (`reverse` false) and `jacrev`. Tape in: arguments, flags, the number of leading results
/// that are differentiated or NaN for all. Out: results, then for every
/// differentiated result its blocks.
#[wasm_bindgen(js_name = jacobianCall)]
pub fn jacobian_call(reverse: bool, function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let mut r = Reader::new(s, len);
        let (args, wrt) = (r.values()?, r.flags()?);
        let transform = if reverse { "jacrev" } else { "jacfwd" };
        let jac = cx.in_frame(transform, name, || {
            let jac = if reverse {
                jacrev(cx, &f, &args, &wrt, || s.main_results.get())
            } else {
                jacfwd(cx, &f, &args, &wrt)
            };
            jac.map_err(|e| with_program(cx, e, &f, &args))
        })?;
        let mut w = Writer::new(s);
        w.values(jac.outs);
        w.number(jac.blocks.len() as f64);
        jac.blocks.into_iter().for_each(|row| w.values(row));
        w.finish();
        Ok(())
    })
}

/// How many leading results of the function being traced are differentiated (the rest is
/// auxiliary). Set by the JavaScript side while the function runs.
#[wasm_bindgen(js_name = setMainResults)]
pub fn set_main_results(n: usize) {
    Session::get_current().main_results.set(n);
}

/// `make_jaxpr` and `eval_shape`. Tape in: arguments. Out: the number of the held jaxpr, then for
/// every result dtype, rank, sizes.
#[wasm_bindgen(js_name = traceCall)]
pub fn trace_call(transform: &str, function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let js = JsFunction::new(s, function);
        let f = js.named(name);
        let avals = Reader::new(s, len).avals()?;
        let transform = known_name(transform);
        let closed = cx.in_frame(transform, name, || {
            trace_to_jaxpr(cx, transform, name, &f.fun, &avals, &js.argument_names())
        })?;
        let outs = closed.jaxpr.out_avals();
        let mut w = Writer::new(s);
        w.number(hold(Held::Jaxpr(closed)).into());
        w.number(outs.len() as f64);
        for a in outs {
            w.number(super::tape::dtype_code(a.dtype));
            w.number(f64::from(a.weak));
            w.number(a.shape.len() as f64);
            a.shape.iter().for_each(|&n| w.number(n as f64));
        }
        w.finish();
        Ok(())
    })
}

/// A held jaxpr as JSON: its text and where every equation stands in it.
#[wasm_bindgen(js_name = jaxprReport)]
pub fn jaxpr_report(id: u32) -> String {
    match held(id).as_deref() {
        Ok(Held::Jaxpr(closed)) => crate::diagnose::jaxpr_json(&print(closed)),
        _ => "null".to_owned(),
    }
}

/// The values that a held jaxpr closes over, on the tape.
#[wasm_bindgen(js_name = jaxprConsts)]
pub fn jaxpr_consts(id: u32, _len: usize, site: u32) -> u32 {
    guarded(site, |s, _| {
        let held = held(id)?;
        let Held::Jaxpr(closed) = &*held else {
            return Err(Error::internal("not a jaxpr"));
        };
        put_values(s, closed.consts.to_vec());
        Ok(())
    })
}

/// Evaluates a held jaxpr. Tape in: arguments, values to stand for those it closes over. Out: results.
#[wasm_bindgen(js_name = evalJaxpr)]
pub fn eval_held_jaxpr(id: u32, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let held = held(id)?;
        let Held::Jaxpr(closed) = &*held else {
            return Err(Error::internal("not a jaxpr"));
        };
        let mut r = Reader::new(s, len);
        let (args, consts) = (r.values()?, r.values()?);
        let outs = crate::interp::eval::eval_jaxpr(cx, &closed.jaxpr, &consts, &args)?;
        put_values(s, outs);
        Ok(())
    })
}

/// Calls a function with its own JVP rule. Tape in: arguments. Out: results.
#[wasm_bindgen(js_name = customJvpCall)]
pub fn custom_jvp_call(
    function: u32,
    name: &str,
    rule: u32,
    rule_name: &str,
    len: usize,
    site: u32,
) -> u32 {
    guarded(site, |s, cx| {
        let (f, rule) = (named(s, function, name), named(s, rule, rule_name));
        let args = Reader::new(s, len).values()?;
        super::rules::record_jvp(s, cx, function, &f, &rule, &args);
        let outs = cx.bind(&CustomJvpCall::new(&f, &rule), &args)?;
        put_values(s, outs);
        Ok(())
    })
}

/// Calls a function with its own forward and backward rule. `names` are those of the function and
/// its rules, one per line. Tape in: arguments. Out: results.
#[wasm_bindgen(js_name = customVjpCall)]
pub fn custom_vjp_call(
    function: u32,
    fwd: u32,
    bwd: u32,
    names: &str,
    len: usize,
    site: u32,
) -> u32 {
    guarded(site, |s, cx| {
        let mut names = names.split('\n');
        let mut name = || names.next().unwrap_or_default();
        let f = named(s, function, name());
        let fwd = (name(), JsFunction::new(s, fwd).fwd());
        let bwd = (name(), JsFunction::new(s, bwd).bwd());
        let args = Reader::new(s, len).values()?;
        super::rules::record_vjp(s, cx, function, &f, (&fwd.1, &bwd.1), &args);
        let outs = cx.bind(&CustomVjpCall::new(&f, fwd, bwd), &args)?;
        put_values(s, outs);
        Ok(())
    })
}

/// A callback with its options; gives its number on the tape. Tape in: the results' types (count,
/// then dtype, rank, sizes each), pairs of aliases (count, then input and output each). `options`
/// has one per line: vmap method or empty, `1` for side effects, `1` for ordered, tree of the
/// arguments, tree of the results.
#[wasm_bindgen(js_name = newCallback)]
pub fn new_callback(
    kind: u32,
    function: u32,
    name: &str,
    options: &str,
    len: usize,
    site: u32,
) -> u32 {
    guarded(site, |s, _| {
        const KINDS: [CallbackKind; 5] = [
            CallbackKind::Buffer,
            CallbackKind::Pure,
            CallbackKind::Io,
            CallbackKind::Debug,
            CallbackKind::Print,
        ];
        let kind = KINDS
            .get(kind as usize)
            .copied()
            .ok_or_else(|| Error::internal("no such kind of callback"))?;
        let mut r = Reader::new(s, len);
        let mut results = Vec::new();
        for _ in 0..r.count()? {
            let dtype = dtype_from(r.next()?)?;
            let rank = r.count()?;
            let shape = (0..rank).map(|_| r.count()).collect::<Result<Vec<_>>>()?;
            results.push(Aval::new(&shape, dtype));
        }
        let pairs = r.count()?;
        let aliases = (0..pairs)
            .map(|_| Ok((r.count()?, r.count()?)))
            .collect::<Result<Vec<_>>>()?;
        let lines: Vec<&str> = options.split('\n').collect();
        let line = |i: usize| lines.get(i).copied().unwrap_or_default();
        let vmap_method = match line(0) {
            "" => None,
            name => match VmapMethod::parse(name) {
                Err(_) if kind == CallbackKind::Buffer => Some(VmapMethod::Unknown),
                parsed => Some(parsed?),
            },
        };
        let function = JsFunction::new(s, function);
        let callback = Callback {
            kind,
            host: Rc::new(JsCallback::new(function, kind, name.to_owned())),
            results,
            has_side_effect: line(1) == "1",
            ordered: line(2) == "1",
            vmap_method,
            aliases,
            in_tree: line(3).to_owned(),
            out_tree: line(4).to_owned(),
        };
        let mut w = Writer::new(s);
        w.number(hold(Held::Callback(Rc::new(callback))).into());
        w.finish();
        Ok(())
    })
}

/// Calls a held callback. Tape in: arguments. Out: results.
#[wasm_bindgen(js_name = callbackCall)]
pub fn callback_call(id: u32, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let held = held(id)?;
        let Held::Callback(callback) = &*held else {
            return Err(Error::internal("not a callback"));
        };
        let args = Reader::new(s, len).values()?;
        let args = args
            .into_iter()
            .map(|v| crate::api::convert::strong(cx, &v))
            .collect::<Result<Vec<_>>>()?;
        put_values(s, cx.bind(&**callback, &args)?);
        Ok(())
    })
}

/// `check_grads`. Tape in: arguments, then order, fwd, rev, atol, rtol, eps (NaN for default).
#[wasm_bindgen(js_name = checkGradsCall)]
pub fn check_grads_call(function: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let f = named(s, function, name);
        let mut r = Reader::new(s, len);
        let args = r.values()?;
        let given = |x: f64| if x.is_nan() { None } else { Some(x) };
        let options = CheckOptions {
            order: r.count()?,
            fwd: r.next()? != 0.0,
            rev: r.next()? != 0.0,
            atol: given(r.next()?),
            rtol: given(r.next()?),
            eps: given(r.next()?),
        };
        cx.in_frame("check_grads", name, || check_grads(cx, &f, &args, options))
    })
}
