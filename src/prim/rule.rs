//! What a primitive must define, and the context its rules run in.
//!
//! Rules never know which interpreter they run under: they bind further primitives through `Ctx`.

use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Frame, Result};
use crate::ir::{ClosedJaxpr, Jaxpr};
use crate::span::Site;
use crate::value::{Trace, Value, leaked};
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::any::Any;
use core::cell::{Cell, RefCell};
use core::fmt;
use core::hash::{Hash, Hasher};
use smallvec::SmallVec;

/// A primitive with its parameters, shared.
pub type Op = Rc<dyn Primitive>;

/// A tangent or cotangent; `None` is a symbolic zero.
pub type Tangent = Option<Value>;

/// Primal outputs with their tangents, one each.
pub type Duals = (Vec<Value>, Vec<Tangent>);

/// Results of batching: the values, and for each whether it carries the mapped axis in front.
pub type Lanes = (Vec<Value>, Vec<bool>);

/// An operation with parts left out, which of the operands it still needs, and which of the results
/// it still gives.
pub type Narrowed = (Op, Vec<bool>, Vec<bool>);

/// A function of flat values: user code, or user code under transforms.
pub type Fun = Rc<dyn Fn(&Ctx, &[Value]) -> Result<Vec<Value>>>;

/// An operand in transposition.
#[derive(Clone, Debug)]
pub enum Operand {
    /// Not linear: its value.
    Known(Value),
    /// A linear operand: only its type is known, and its cotangent is wanted.
    Linear(Aval),
}

impl Operand {
    /// Shape and dtype.
    pub fn aval(&self) -> &Aval {
        match self {
            Operand::Known(v) => v.aval(),
            Operand::Linear(a) => a,
        }
    }

    /// Whether a cotangent is wanted for it.
    pub fn is_linear(&self) -> bool {
        matches!(self, Operand::Linear(_))
    }

    /// The value, where it is known.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Operand::Known(v) => Some(v),
            Operand::Linear(_) => None,
        }
    }
}

/// A parameter as a jaxpr prints it.
#[derive(Clone, Debug)]
pub enum Param {
    /// Text printed as it stands.
    Text(String),
    /// A nested jaxpr.
    Jaxpr(ClosedJaxpr),
    /// Several.
    Jaxprs(Vec<Rc<Jaxpr>>),
}

impl fmt::Debug for dyn Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interpreter")
    }
}

/// Its name; what its parameters are `params` says.
impl fmt::Debug for dyn Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Everything the engine knows of one primitive. Implemented by a struct whose fields are the
/// parameters; all methods are mandatory, so that a missing rule is written down as such.
pub trait Primitive: PrimitiveObject {
    /// JAX's name.
    fn name(&self) -> &'static str;

    /// The parameters JAX prints, in its order.
    fn params(&self) -> Vec<(&'static str, Param)>;

    /// Checks operand types and gives the result types. The only place where operands are
    /// validated: everything below may assume it.
    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>>;

    /// Computes the results.
    fn eval(&self, env: &Env, args: &[Array]) -> Result<Vec<Array>>;

    /// Checks the operands and computes: what evaluation calls. The most frequent primitives
    /// override it to do without lists of types.
    fn apply(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        if let Some(Value::Tracer(t)) = args.iter().find(|v| matches!(v, Value::Tracer(_))) {
            return Err(leaked(&t.0));
        }
        let avals: SmallVec<[&Aval; 4]> = args.iter().map(Value::aval).collect();
        self.abstract_eval(&avals)?;
        self.eval_in(cx, args)
    }

    /// Primal outputs and tangents. At least one tangent is not a symbolic zero.
    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals>;

    /// Cotangents of the linear operands (`None` elsewhere, or for zero). At least one of `cts` is
    /// not a symbolic zero.
    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>>;

    /// Applies to `size` lanes at once. Batched operands carry the mapped axis in front; so do
    /// batched results.
    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)>;

    /// Computes the results where the primitive holds a program or a function: those run in a
    /// context. Everything else is `eval`.
    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        let mut arrays = Vec::with_capacity(args.len());
        for v in args {
            match v {
                Value::Array(a) => arrays.push(a.clone()),
                Value::Tracer(t) => return Err(leaked(&t.0)),
            }
        }
        let out = self.eval(&cx.env, &arrays)?;
        Ok(out.into_iter().map(Value::Array).collect())
    }

    /// Linearisation of primitives that hold a program: primal outputs are computed under
    /// `parent`, tangents staged under `linear`. `None`: the JVP rule serves.
    fn linearize(
        &self,
        _parent: &Ctx,
        _linear: &Ctx,
        _primals: &[Value],
        _tangents: &[Tangent],
    ) -> Option<Result<Duals>> {
        None
    }

    /// Whether it acts on the world, so that it must not be dropped or reordered.
    fn has_effect(&self) -> bool {
        false
    }

    /// The same operation without results that are not `used`. `None` if it would be this one. Only
    /// primitives that hold a program have parts to leave out.
    fn narrowed(&self, _used: &[bool]) -> Option<Narrowed> {
        None
    }

    /// The form in which it enters a jaxpr: primitives that hold functions turn them into jaxprs
    /// here, and append the values those close over to `args`.
    fn staged(&self, _cx: &Ctx, _args: &mut Vec<Value>) -> Result<Op> {
        Ok(self.shared())
    }
}

/// Fowler, Noll and Vo's hash.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What every primitive gets for free from `Clone`, `Eq` and `Hash`.
pub trait PrimitiveObject {
    /// A shared copy.
    fn shared(&self) -> Op;
    /// For comparing with another primitive.
    fn as_any(&self) -> &dyn Any;
    /// Same primitive, same parameters.
    fn same(&self, other: &dyn Primitive) -> bool;
    /// Consistent with `same`.
    fn hash_code(&self) -> u64;
}

impl<T: Primitive + Clone + Eq + Hash + 'static> PrimitiveObject for T {
    fn shared(&self) -> Op {
        Rc::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn same(&self, other: &dyn Primitive) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
    fn hash_code(&self) -> u64 {
        let mut h = Fnv(0xcbf2_9ce4_8422_2325);
        self.name().hash(&mut h);
        self.hash(&mut h);
        h.finish()
    }
}

/// An interpreter of primitives: the meaning of the program under one transform.
pub trait Interpreter {
    /// Applies a primitive.
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>>;

    /// Whether results are staged into a jaxpr, here or in an enclosing interpreter: then whole
    /// functions are kept together as `jit` equations.
    fn is_staging(&self) -> bool;

    /// The trace whose tracers it makes; `None` for evaluation.
    fn trace(&self) -> Option<&Rc<Trace>>;
}

/// The session that all contexts share: options, the place in the source, running transforms.
#[derive(Debug, Default)]
pub struct Env {
    /// 64-bit floats are allowed.
    pub x64: Cell<bool>,
    /// The call that is being executed.
    pub site: Cell<Site>,
    /// Transforms now running, outermost first.
    pub frames: RefCell<Vec<Frame>>,
    /// While set, callbacks and prints of the program are not carried out (quiet re-tracing).
    pub muted: Cell<bool>,
}

impl Env {
    /// The default float dtype.
    pub fn default_float(&self) -> DType {
        DType::default_float(self.x64.get())
    }
}

/// Where primitives are bound: the current interpreter and the session.
#[derive(Clone, Debug)]
pub struct Ctx {
    /// The current interpreter.
    pub interp: Rc<dyn Interpreter>,
    /// The session.
    pub env: Rc<Env>,
}

impl Ctx {
    /// The same session under another interpreter.
    pub fn with(&self, interp: Rc<dyn Interpreter>) -> Ctx {
        Ctx {
            interp,
            env: Rc::clone(&self.env),
        }
    }

    /// Applies a primitive under the current interpreter.
    pub fn bind(&self, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        self.interp.process(self, op, args).map_err(|mut e| {
            if e.primitive.is_none() {
                e.primitive = Some(op.name());
            }
            if e.avals.is_empty() {
                e.avals = args.iter().map(|v| v.aval().clone()).collect();
            }
            if !e.site.is_known() {
                e.site = self.env.site.get();
            }
            if e.chain.is_empty() {
                e.chain = self.env.frames.borrow().clone();
            }
            e
        })
    }

    /// Applies a primitive with one result.
    pub fn bind1(&self, op: &dyn Primitive, args: &[Value]) -> Result<Value> {
        let mut out = self.bind(op, args)?;
        debug_assert_eq!(out.len(), 1, "{} has one result", op.name());
        out.pop()
            .ok_or_else(|| crate::error::Error::internal("a primitive gave no result"))
    }

    /// Runs `body` with one more transform on the chain.
    pub fn in_frame<T>(
        &self,
        transform: &'static str,
        function: &str,
        body: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let frame = Frame {
            transform,
            function: function.to_owned(),
            site: self.env.site.get(),
        };
        self.in_frame_at(frame, body)
    }

    /// Runs `body` with the given transform on the chain.
    pub fn in_frame_at<T>(&self, frame: Frame, body: impl FnOnce() -> Result<T>) -> Result<T> {
        self.env.frames.borrow_mut().push(frame);
        let mut out = body();
        if let Err(e) = &mut out
            && e.chain.is_empty()
        {
            e.chain = self.env.frames.borrow().clone();
        }
        self.env.frames.borrow_mut().pop();
        out
    }
}
