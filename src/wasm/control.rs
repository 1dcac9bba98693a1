//! Control flow. Functions are ids of registered functions of flat values; the front-end has
//! checked the trees of what they return, types are checked here.

use super::functions::JsFunction;
use super::session::{Session, guarded};
use super::tape::{Reader, Writer};
use crate::error::{Error, Result};
use crate::transform::control::enter::{self, ScanOptions, Step};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::vec::Vec;
use wasm_bindgen::prelude::*;

/// `scan`. Tape in: initial carries (counted), sliced operands (counted), the length or NaN,
/// 1 for reverse, unroll. The step takes carries and slices in one run and gives new carries and
/// results in one. Out: final carries and stacked results in one run.
#[wasm_bindgen(js_name = scanCall)]
pub fn scan_call(step: u32, name: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let js = JsFunction::new(s, step);
        let step = Step {
            function: js.named(name),
            names: &|| js.argument_names(),
        };
        let mut r = Reader::new(s, len);
        let (init, xs) = (r.values()?, r.values()?);
        let length = r.next()?;
        let options = ScanOptions {
            length: (!length.is_nan()).then_some(length as usize),
            reverse: r.next()? != 0.0,
            unroll: r.count()?,
        };
        let outs = enter::scan(cx, &step, &init, &xs, options)?;
        put(s, outs);
        Ok(())
    })
}

fn put(s: &Rc<Session>, outs: Vec<Value>) {
    let mut w = Writer::new(s);
    w.values(outs);
    w.finish();
}

/// `while_loop` and, with `cond` 0, `fori_loop`. Tape in: initial carries (counted); for a
/// `fori_loop` lower and upper bound in a run of two, then unroll. `names` are those of the
/// condition and the body, one per line. Both take the carries in one run (a `fori_loop`'s body the index
/// in front); the condition gives one value, the body new carries. Out: final carries.
#[wasm_bindgen(js_name = whileCall)]
pub fn while_call(cond: u32, body: u32, names: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let (cond_name, body_name) = names.split_once('\n').unwrap_or(("", names));
        let js = JsFunction::new(s, body);
        let body = Step {
            function: js.named(body_name),
            names: &|| js.argument_names(),
        };
        let mut r = Reader::new(s, len);
        let init = r.values()?;
        let outs = if cond == 0 {
            let bounds: core::result::Result<[Value; 2], _> = r.values()?.try_into();
            let bounds = bounds.map_err(|_| Error::internal("a fori_loop has two bounds"))?;
            enter::fori_loop(cx, &body, bounds, &init, r.count()?)?
        } else {
            let test = JsFunction::new(s, cond);
            let cond = Step {
                function: test.named(cond_name),
                names: &|| test.argument_names(),
            };
            enter::while_loop(cx, &cond, &body, &init)?
        };
        put(s, outs);
        Ok(())
    })
}

/// `cond` (`switch` false; branches: false, true) and `switch`. Tape in: the predicate or index in
/// a run of one, operands (counted), the branches' function ids (counted). `names` are the branches',
/// one per line. Branches take the operands and give results in one run. Out: results.
#[wasm_bindgen(js_name = condCall)]
pub fn cond_call(switch: bool, names: &str, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let mut r = Reader::new(s, len);
        let (which, operands) = (r.values()?, r.values()?);
        let n = r.count()?;
        let ids: Vec<f64> = (0..n).map(|_| r.next()).collect::<Result<_>>()?;
        let functions: Vec<Rc<JsFunction>> = ids
            .iter()
            .map(|&id| JsFunction::new(s, id as u32))
            .collect();
        let names_of: Vec<_> = functions.iter().map(|f| || f.argument_names()).collect();
        let mut names = names.split('\n');
        let mut steps = Vec::new();
        for (f, names_of) in functions.iter().zip(&names_of) {
            steps.push(Step {
                function: f.named(names.next().unwrap_or_default()),
                names: names_of,
            });
        }
        let [which] = which.as_slice() else {
            return Err(Error::internal("a cond has one predicate"));
        };
        put(s, enter::cond(cx, switch, which, &steps, &operands)?);
        Ok(())
    })
}
