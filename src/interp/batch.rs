//! Vectorisation: every batched value carries its mapped axis in front.

use crate::error::Result;
use crate::prim::rule::{Ctx, Interpreter, Primitive};
use crate::value::{Payload, Trace, Tracer, Value, leaked};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The batching interpreter.
#[derive(Debug)]
pub struct Batch {
    trace: Rc<Trace>,
    parent: Ctx,
    size: usize,
}

impl Batch {
    /// Vectorises over `size` lanes, on top of `parent`.
    pub fn new(parent: &Ctx, size: usize, function: &str) -> Rc<Batch> {
        Rc::new(Batch {
            trace: Trace::new("vmap", function),
            parent: parent.clone(),
            size,
        })
    }

    /// A tracer for one lane of `value`, whose axis 0 is mapped.
    pub fn lane(&self, cx: &Ctx, value: Value) -> Value {
        let aval = value.aval().without_axis0();
        let payload = Payload::Batch { value };
        Value::Tracer(Tracer::new(&self.trace, aval, cx.env.site.get(), payload))
    }

    /// The value with all lanes, and whether it is mapped at all.
    pub fn lanes(&self, value: &Value) -> Result<(Value, bool)> {
        if let Some(t) = value.of_trace(&self.trace)
            && let Payload::Batch { value } = &t.payload
        {
            return Ok((value.clone(), true));
        }
        match value {
            Value::Tracer(t) if !t.0.trace.is_alive() => Err(leaked(&t.0)),
            _ => Ok((value.clone(), false)),
        }
    }

    /// The transform has ended.
    pub fn end(&self) {
        self.trace.end();
    }
}

impl Interpreter for Batch {
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(args.len());
        let mut batched = Vec::with_capacity(args.len());
        for v in args {
            let (v, b) = self.lanes(v)?;
            values.push(v);
            batched.push(b);
        }
        if !batched.contains(&true) {
            return self.parent.bind(op, &values);
        }
        // Types are checked on one lane: messages then speak of the program's own shapes.
        let avals: Vec<_> = args.iter().map(Value::aval).collect();
        op.abstract_eval(&avals)?;
        let (outs, out_batched) = op.batch(&self.parent, self.size, &values, &batched)?;
        let lanes = outs.into_iter().zip(out_batched);
        Ok(lanes
            .map(|(v, b)| if b { self.lane(cx, v) } else { v })
            .collect())
    }

    fn is_staging(&self) -> bool {
        self.parent.interp.is_staging()
    }

    fn trace(&self) -> Option<&Rc<Trace>> {
        Some(&self.trace)
    }
}
