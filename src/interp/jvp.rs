//! Forward differentiation, and with a second jaxpr for the tangents, linearisation.
//!
//! A `Jvp` splits operands into primals and tangents and runs the primitive's JVP rule. In plain
//! forward mode the rule runs in the enclosing context. In linearisation it runs under `Split`:
//! whatever touches a tangent is staged into the linear jaxpr, everything else is computed in the
//! enclosing context, and its results become residuals of the linear jaxpr.

use super::stage::Stage;
use crate::error::Result;
use crate::prim::rule::{Ctx, Duals, Interpreter, Primitive, Tangent};
use crate::value::{Payload, Trace, Tracer, Value, leaked};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The differentiating interpreter.
#[derive(Debug)]
pub struct Jvp {
    trace: Rc<Trace>,
    /// Where primals live.
    parent: Ctx,
    /// Where rules run: the parent, or a `Split` over it.
    rules: Ctx,
    /// Where tangents are staged, when linearising.
    linear: Option<Ctx>,
}

impl Jvp {
    /// Forward mode over `parent`.
    pub fn forward(parent: &Ctx, transform: &'static str, function: &str) -> Rc<Jvp> {
        let trace = Trace::new(transform, function);
        Rc::new(Jvp {
            trace,
            parent: parent.clone(),
            rules: parent.clone(),
            linear: None,
        })
    }

    /// Linearisation over `parent`, tangents going to `linear`.
    pub fn linearizing(
        parent: &Ctx,
        linear: &Rc<Stage>,
        transform: &'static str,
        function: &str,
    ) -> Rc<Jvp> {
        let split = Split {
            parent: parent.clone(),
            linear: Rc::clone(linear),
        };
        Rc::new(Jvp {
            trace: Trace::new(transform, function),
            parent: parent.clone(),
            rules: parent.with(Rc::new(split)),
            linear: Some(parent.with(Rc::clone(linear) as Rc<dyn Interpreter>)),
        })
    }

    /// A tracer of this trace, or the bare primal where the tangent is a symbolic zero.
    pub fn dual(&self, cx: &Ctx, primal: Value, tangent: Tangent) -> Value {
        match tangent {
            None => primal,
            Some(tangent) => {
                let aval = primal.aval().clone();
                let linear = self.linear.is_some();
                let payload = Payload::Jvp {
                    primal,
                    tangent,
                    linear,
                };
                Value::Tracer(Tracer::new(&self.trace, aval, cx.env.site.get(), payload))
            }
        }
    }

    /// Primal and tangent of any value: values of other traces are constants here.
    pub fn split(&self, value: &Value) -> Result<(Value, Tangent)> {
        if let Some(t) = value.of_trace(&self.trace)
            && let Payload::Jvp {
                primal, tangent, ..
            } = &t.payload
        {
            return Ok((primal.clone(), Some(tangent.clone())));
        }
        match value {
            Value::Tracer(t) if !t.0.trace.is_alive() => Err(leaked(&t.0)),
            _ => Ok((value.clone(), None)),
        }
    }

    /// The transform has ended.
    pub fn end(&self) {
        self.trace.end();
    }
}

impl Interpreter for Jvp {
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        let mut primals = Vec::with_capacity(args.len());
        let mut tangents = Vec::with_capacity(args.len());
        for v in args {
            let (p, t) = self.split(v)?;
            primals.push(p);
            tangents.push(t);
        }
        if tangents.iter().all(Option::is_none) {
            return self.parent.bind(op, &primals);
        }
        let own = self
            .linear
            .as_ref()
            .and_then(|linear| op.linearize(&self.parent, linear, &primals, &tangents));
        let (outs, out_tangents): Duals = match own {
            Some(duals) => duals?,
            None => op.jvp(&self.rules, &primals, &tangents)?,
        };
        Ok(outs
            .into_iter()
            .zip(out_tangents)
            .map(|(p, t)| self.dual(cx, p, t))
            .collect())
    }

    fn is_staging(&self) -> bool {
        self.parent.interp.is_staging()
    }

    fn trace(&self) -> Option<&Rc<Trace>> {
        Some(&self.trace)
    }
}

/// Stages what touches a tangent, computes the rest.
#[derive(Debug)]
struct Split {
    parent: Ctx,
    linear: Rc<Stage>,
}

impl Interpreter for Split {
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        let is_tangent = |v: &Value| self.linear.trace().is_some_and(|t| v.of_trace(t).is_some());
        if args.iter().any(is_tangent) {
            return self.linear.process(cx, op, args);
        }
        self.parent.bind(op, args)
    }

    fn is_staging(&self) -> bool {
        self.parent.interp.is_staging()
    }

    fn trace(&self) -> Option<&Rc<Trace>> {
        self.linear.trace()
    }
}
