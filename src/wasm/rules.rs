//! The custom rules a program used, kept with the arguments they were used at, so that they can be
//! compared with finite differences afterwards.

use super::session::{Session, guarded};
use super::tape::Writer;
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::prim::rule::Ctx;
use crate::span::Site;
use crate::transform::Named;
use crate::transform::check::{Comparison, Directions, compare_pullback};
use crate::transform::custom::{Bwd, Fwd};
use crate::transform::linearize::linearize;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{vec, vec::Vec};
use core::cell::RefCell;
use wasm_bindgen::prelude::*;

/// At most this many rules of one program are checked.
const MAX_RULES: usize = 16;
/// Arguments larger than this are not kept.
const MAX_ELEMENTS: usize = 1 << 16;

enum Rule {
    Jvp(Named),
    Vjp(Fwd, Bwd),
}

struct Used {
    /// Number of the registered function, by which JavaScript knows it.
    id: u32,
    function: Named,
    rule: Rule,
    site: Site,
    args: Vec<Sample>,
}

/// An argument as it was, or only its type where it was traced.
enum Sample {
    Value(Array),
    Type(Aval),
}

local! {
    static USED: RefCell<Option<Vec<Rc<Used>>>> = RefCell::new(None);
}

/// Begins (or ends) keeping the rules that are used; forgets what was kept.
#[wasm_bindgen(js_name = recordRules)]
pub fn record_rules(on: bool) {
    USED.set(on.then(Vec::new));
}

fn record(session: &Session, cx: &Ctx, id: u32, f: &Named, rule: Rule, args: &[Value]) {
    if cx.env.muted.get() {
        return;
    }
    let site = session.env.site.get();
    let size: usize = args.iter().map(|a| a.aval().numel()).sum();
    USED.with_borrow_mut(|used| {
        let Some(used) = used else { return };
        let known = used
            .iter()
            .any(|u| u.function.name == f.name && u.site == site);
        if known || used.len() == MAX_RULES || size > MAX_ELEMENTS {
            return;
        }
        let sample = |v: &Value| match v.concrete() {
            Some(a) => Sample::Value(a.clone()),
            None => Sample::Type(v.aval().clone()),
        };
        let args = args.iter().map(sample).collect();
        used.push(Rc::new(Used {
            id,
            function: f.clone(),
            rule,
            site,
            args,
        }));
    });
}

/// Keeps a use of a `custom_jvp` function.
pub fn record_jvp(session: &Session, cx: &Ctx, id: u32, f: &Named, rule: &Named, args: &[Value]) {
    record(session, cx, id, f, Rule::Jvp(rule.clone()), args);
}

/// Keeps a use of a `custom_vjp` function.
pub fn record_vjp(
    session: &Session,
    cx: &Ctx,
    id: u32,
    f: &Named,
    (fwd, bwd): (&Fwd, &Bwd),
    args: &[Value],
) {
    let rule = Rule::Vjp(Rc::clone(fwd), Rc::clone(bwd));
    record(session, cx, id, f, rule, args);
}

/// The number of rules kept.
#[wasm_bindgen(js_name = recordedRules)]
pub fn recorded_rules() -> usize {
    USED.with_borrow(|u| u.as_ref().map_or(0, Vec::len))
}

fn kept(i: usize) -> Result<Rc<Used>> {
    let used = USED.with_borrow(|u| u.as_ref().and_then(|u| u.get(i).cloned()));
    used.ok_or_else(|| Error::internal("no such rule"))
}

/// What kept rule `i` is. Out: number of the function, its name (STR index), 0 for `custom_vjp` and 1 for
/// `custom_jvp`, site of the use.
#[wasm_bindgen(js_name = ruleInfo)]
pub fn rule_info(i: usize) -> u32 {
    guarded(0, |s, _| {
        let used = kept(i)?;
        let mut w = Writer::new(s);
        w.number(used.id.into());
        w.number(s.host.put_string(&used.function.name).into());
        w.number(f64::from(matches!(used.rule, Rule::Jvp(_))));
        w.number(used.site.0.into());
        w.finish();
        Ok(())
    })
}

/// Compares kept rule `i` with finite differences. Out: largest relative error, number of elements
/// compared, then a counted run of disagreements: place (STR index), expected, got.
#[wasm_bindgen(js_name = checkRule)]
pub fn check_rule(i: usize, site: u32) -> u32 {
    guarded(site, |s, _| {
        let used = kept(i)?;
        let cx = s.evaluating();
        let was_muted = cx.env.muted.replace(true);
        let compared = compare(&cx, &used);
        cx.env.muted.set(was_muted);
        let compared = compared?;
        let mut w = Writer::new(s);
        w.number(compared.max_relative_error);
        w.number(compared.compared as f64);
        w.number(compared.rows.len() as f64);
        for (place, expected, got) in &compared.rows {
            w.number(s.host.put_string(place).into());
            w.number(*expected);
            w.number(*got);
        }
        w.finish();
        Ok(())
    })
}

fn compare(cx: &Ctx, used: &Used) -> Result<Comparison> {
    let mut random = Directions::new(3);
    let mut args = Vec::with_capacity(used.args.len());
    for a in &used.args {
        args.push(match a {
            Sample::Value(a) => Value::Array(a.clone()),
            Sample::Type(aval) => match random.tangent(aval)? {
                Some(v) => v,
                None => cx.zeros(aval)?,
            },
        });
    }
    let f = &used.function.fun;
    match &used.rule {
        Rule::Vjp(fwd, bwd) => {
            let pull = |cx: &Ctx, cts: &[Value]| {
                let (_, residuals) = fwd(cx, &args)?;
                bwd(cx, &residuals, cts)
            };
            compare_pullback(cx, f, pull, &args)
        }
        Rule::Jvp(_) => {
            // Through reverse mode, which also finds a rule that is not linear in its tangent.
            let Rule::Jvp(rule) = &used.rule else {
                return Ok(Comparison::default());
            };
            let call = crate::transform::custom::CustomJvpCall::new(&used.function, rule);
            let fun: crate::prim::rule::Fun = Rc::new(move |cx, args| cx.bind(&call, args));
            let wrt = vec![true; args.len()];
            let named = Named::new(&used.function.name, fun);
            let (_, linear) = linearize(cx, "vjp", &named, &args, &wrt)?;
            let pull = |cx: &Ctx, cts: &[Value]| {
                let cts: Vec<_> = cts.iter().cloned().map(Some).collect();
                linear.pull_back(cx, &cts)
            };
            compare_pullback(cx, f, pull, &args)
        }
    }
}
