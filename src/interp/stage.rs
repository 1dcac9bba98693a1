//! Staging: records primitives as equations of a jaxpr.

use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::ir::build::Builder;
use crate::ir::{Atom, ClosedJaxpr, Var};
use crate::prim::rule::{Ctx, Fun, Interpreter, Primitive};
use crate::value::{Payload, Trace, Tracer, Value, leaked};
use alloc::rc::Rc;
use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::cell::RefCell;

/// Programs of more equations than this come from a loop that nobody meant to unroll.
const MOST_EQUATIONS: usize = 1_000_000;

/// So many are traced where a program is traced again only to be looked at.
const MOST_SHOWN: usize = 20_000;

/// Of a program that is too long, so many equations are shown.
const SHOWN_OF_TOO_MANY: usize = 1_000;

/// Builds one jaxpr.
#[derive(Debug)]
pub struct Stage {
    trace: Rc<Trace>,
    builder: RefCell<Builder>,
    /// Names of the arguments, in order.
    origins: RefCell<Vec<Option<String>>>,
}

impl Stage {
    /// An empty jaxpr under construction.
    pub fn new(transform: &'static str, function: &str) -> Rc<Stage> {
        let stage = Rc::new(Stage {
            trace: Trace::new(transform, function),
            builder: RefCell::default(),
            origins: RefCell::default(),
        });
        let weak = Rc::downgrade(&stage);
        stage.trace.set_lookup(Box::new(move |var| {
            weak.upgrade()
                .map_or_else(Vec::new, |s| s.arguments_behind(Var(var)))
        }));
        stage
    }

    /// Names of the arguments that a variable depends on.
    fn arguments_behind(&self, var: Var) -> Vec<String> {
        let positions = self.builder.borrow().arguments_behind(var);
        let origins = self.origins.borrow();
        positions
            .into_iter()
            .filter_map(|i| origins.get(i).cloned().flatten())
            .collect()
    }

    /// A tracer for a new argument. `origin` names it in messages.
    pub fn argument(&self, cx: &Ctx, aval: Aval, origin: Option<String>) -> Value {
        let var = self.builder.borrow_mut().invar(aval.clone());
        self.origins.borrow_mut().push(origin);
        let payload = Payload::Stage { var: var.0 };
        Value::Tracer(Tracer::new(&self.trace, aval, cx.env.site.get(), payload))
    }

    fn atom(&self, value: &Value) -> Result<Atom> {
        if let Some(t) = value.of_trace(&self.trace)
            && let Payload::Stage { var } = &t.payload
        {
            return Ok(Atom::Var(Var(*var)));
        }
        match value {
            Value::Tracer(t) if !t.0.trace.is_alive() => Err(leaked(&t.0)),
            _ => Ok(self.builder.borrow_mut().constant(value)),
        }
    }

    /// Ends the trace and gives the jaxpr of `outputs`.
    pub fn finish(&self, outputs: &[Value]) -> Result<ClosedJaxpr> {
        let outvars = outputs
            .iter()
            .map(|v| self.atom(v))
            .collect::<Result<Vec<_>>>();
        self.trace.end();
        Ok(self.builder.take().finish(outvars?))
    }

    /// Ends the trace without a result and gives what was recorded so far.
    pub fn abandon(&self) -> ClosedJaxpr {
        self.trace.end();
        self.builder.borrow().partial(usize::MAX)
    }

    fn refuse_too_many(&self, cx: &Ctx) -> Result<()> {
        let most = if cx.env.muted.get() {
            MOST_SHOWN
        } else {
            MOST_EQUATIONS
        };
        let builder = self.builder.borrow();
        if builder.len() < most {
            return Ok(());
        }
        let message = format!(
            "the program that `{}` traces has more than {most} equations. A loop over arrays is \
             unrolled when it is traced: take fewer steps, or trace only what a step does.",
            self.trace.transform
        );
        let mut e = Error::new(Class::ResourceError, message);
        e.program = Some(Rc::new(builder.partial(SHOWN_OF_TOO_MANY)));
        Err(e)
    }
}

impl Interpreter for Stage {
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        self.refuse_too_many(cx)?;
        let mut args = args.to_vec();
        let op = op.staged(cx, &mut args)?;
        let avals: Vec<_> = args.iter().map(Value::aval).collect();
        let out_avals = op.abstract_eval(&avals)?;
        let inputs = args
            .iter()
            .map(|v| self.atom(v))
            .collect::<Result<Vec<_>>>()?;
        let site = cx.env.site.get();
        let vars = self
            .builder
            .borrow_mut()
            .eqn(op, inputs, out_avals.clone(), site);
        Ok(vars
            .into_iter()
            .zip(out_avals)
            .map(|(v, aval)| {
                let payload = Payload::Stage { var: v.0 };
                Value::Tracer(Tracer::new(&self.trace, aval, site, payload))
            })
            .collect())
    }

    fn is_staging(&self) -> bool {
        true
    }

    fn trace(&self) -> Option<&Rc<Trace>> {
        Some(&self.trace)
    }
}

/// Traces `fun` at the given types into a jaxpr. `origins` names the arguments in messages.
///
/// An error leaves with the jaxpr recorded up to it attached, unless it already has one.
pub fn trace_to_jaxpr(
    cx: &Ctx,
    transform: &'static str,
    function: &str,
    fun: &Fun,
    avals: &[Aval],
    origins: &[String],
) -> Result<ClosedJaxpr> {
    let stage = Stage::new(transform, function);
    let inner = cx.with(Rc::clone(&stage) as Rc<dyn Interpreter>);
    let args: Vec<Value> = avals
        .iter()
        .enumerate()
        .map(|(i, a)| stage.argument(&inner, a.clone(), origins.get(i).cloned()))
        .collect();
    let traced = fun(&inner, &args).and_then(|outs| stage.finish(&outs));
    traced.map_err(|mut e| {
        if e.program.is_none() {
            e.program = Some(Rc::new(stage.abandon()));
        }
        stage.trace.end();
        e
    })
}
