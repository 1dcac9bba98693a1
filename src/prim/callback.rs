//! Callbacks into the host language: `buffer_callback`, `pure_callback`, `io_callback`,
//! `debug_callback` and `debug_print`.
//!
//! All kinds share one call: the engine allocates the results and hands the host views of operands
//! and results in its own memory.

use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::{Class, Error, Result, Rule};
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec, vec::Vec};
use core::fmt;
use core::hash::{Hash, Hasher};

/// A function of the host language.
pub trait HostCallback {
    /// Its name, for jaxprs and messages.
    fn name(&self) -> String;
    /// Reads `args`, writes every result. Results of aliased inputs start out as copies of them.
    fn call(&self, env: &Env, args: &[Array], results: &mut [ArrayMut]) -> Result<()>;
}

/// Which of JAX's callbacks it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallbackKind {
    /// Writes its results in place.
    Buffer,
    /// Returns its results; may be dropped or called again.
    Pure,
    /// Returns its results and acts on the world.
    Io,
    /// Observes; no results.
    Debug,
    /// Prints; no results.
    Print,
}

/// How `vmap` calls back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VmapMethod {
    /// Once per lane.
    Sequential,
    /// Once per lane, unrolled.
    SequentialUnrolled,
    /// Once; operands that are not mapped get an axis of size 1.
    ExpandDims,
    /// Once; operands that are not mapped are repeated.
    BroadcastAll,
    /// Once; operands that are not mapped are handed over as they are.
    LegacyVectorized,
    /// A name that is none of these. Buffer callbacks are refused only when they are mapped.
    Unknown,
}

impl VmapMethod {
    const NAMES: [(&'static str, VmapMethod); 5] = [
        ("sequential", VmapMethod::Sequential),
        ("sequential_unrolled", VmapMethod::SequentialUnrolled),
        ("expand_dims", VmapMethod::ExpandDims),
        ("broadcast_all", VmapMethod::BroadcastAll),
        ("legacy_vectorized", VmapMethod::LegacyVectorized),
    ];

    /// Reads JAX's name.
    pub fn parse(name: &str) -> Result<VmapMethod> {
        let found = Self::NAMES.iter().find(|(n, _)| *n == name);
        found.map(|(_, m)| *m).ok_or_else(|| {
            let names: Vec<String> = Self::NAMES.iter().map(|(n, _)| format!("'{n}'")).collect();
            Error::value_error(format!(
                "vmap_method must be on of the allowed methods [{}], but got: {name}",
                names.join(", ")
            ))
        })
    }

    fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, m)| *m == self)
            .map_or("", |(n, _)| n)
    }
}

/// A callback with everything its call fixed.
#[derive(Clone)]
pub struct Callback {
    /// Which kind.
    pub kind: CallbackKind,
    /// The host's function.
    pub host: Rc<dyn HostCallback>,
    /// Types of the results.
    pub results: Vec<Aval>,
    /// Whether it must be kept and kept in order.
    pub has_side_effect: bool,
    /// Kept in program order with other ordered ones.
    pub ordered: bool,
    /// What `vmap` does.
    pub vmap_method: Option<VmapMethod>,
    /// Pairs of input and output that share memory (`buffer_callback`).
    pub aliases: Vec<(usize, usize)>,
    /// The arguments' tree as JAX prints it.
    pub in_tree: String,
    /// The results' tree as JAX prints it.
    pub out_tree: String,
}

impl PartialEq for Callback {
    fn eq(&self, other: &Callback) -> bool {
        Rc::ptr_eq(&self.host, &other.host)
            && self.kind == other.kind
            && self.results == other.results
            && self.vmap_method == other.vmap_method
            && self.aliases == other.aliases
    }
}
impl Eq for Callback {}
impl Hash for Callback {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (Rc::as_ptr(&self.host) as *const () as usize).hash(h);
        self.results.hash(h);
    }
}
impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.host.name())
    }
}

impl Callback {
    /// Checks the aliases against operand types, in JAX's words.
    fn check_aliases(&self, avals: &[&Aval]) -> Result<()> {
        for &(i, o) in &self.aliases {
            let outside = |what: &str, k: usize, n: usize| {
                Error::value_error(format!(
                    "input_output_aliases contains the mapping '{i}:{o}' with {what} index {k} \
                     outside the range [0, {n})."
                ))
            };
            let input = avals
                .get(i)
                .ok_or_else(|| outside("input", i, avals.len()))?;
            let output = self.results.get(o);
            let output = output.ok_or_else(|| outside("output", o, self.results.len()))?;
            if input.shape != output.shape || input.dtype != output.dtype {
                let message = format!(
                    "input_output_aliases contains the mapping '{i}:{o}' referring to an input \
                     with abstract value {} and an output with a different abstract value {}.",
                    input.long(),
                    output.long()
                );
                let avals = [(*input).clone(), output.clone()];
                return Err(Error::mismatch(Class::ValueError, message, &avals));
            }
        }
        Ok(())
    }

    fn no_derivative(&self, rule: Rule) -> Box<Error> {
        let message = match (self.kind, rule) {
            (CallbackKind::Io, _) => format!("IO callbacks do not support {}.", rule.name()),
            (kind, _) => {
                let which = if kind == CallbackKind::Buffer {
                    "Buffer"
                } else {
                    "Pure"
                };
                let instead = if rule == Rule::Jvp { "jvp" } else { "vjp" };
                format!(
                    "{which} callbacks do not support {}. Please use `jax.custom_{instead}` to use \
                     callbacks while taking gradients.",
                    rule.name()
                )
            }
        };
        let mut e = Error::no_rule(self.name(), rule, Class::ValueError, message);
        e.results = self.results.clone();
        e
    }

    /// One call per lane, results stacked.
    fn call_each_lane(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<Vec<Value>> {
        let mut columns: Vec<Vec<Value>> = vec![Vec::with_capacity(size); self.results.len()];
        for lane in 0..size {
            let mut lane_args = Vec::with_capacity(args.len());
            for (v, &b) in args.iter().zip(batched) {
                lane_args.push(if b { cx.lane(v, lane)? } else { v.clone() });
            }
            for (column, out) in columns.iter_mut().zip(cx.bind(self, &lane_args)?) {
                column.push(out);
            }
        }
        columns.iter().map(|c| cx.stack_lanes(c)).collect()
    }
}

impl Primitive for Callback {
    fn name(&self) -> &'static str {
        match self.kind {
            CallbackKind::Buffer => "buffer_callback",
            CallbackKind::Pure => "pure_callback",
            CallbackKind::Io => "io_callback",
            CallbackKind::Debug => "debug_callback",
            CallbackKind::Print => "debug_print",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let text = |s: String| Param::Text(s);
        let name = self.host.name();
        let flat = format!(
            "_FlatCallback(callback_func=<function {name}>, in_tree={})",
            self.in_tree
        );
        let avals: Vec<String> = self
            .results
            .iter()
            .map(|a| format!("ShapedArray({})", a.long()))
            .collect();
        let avals = match avals.as_slice() {
            [one] => format!("({one},)"),
            _ => format!("({})", avals.join(", ")),
        };
        let python_bool = |b: bool| text(if b { "True" } else { "False" }.into());
        let vmap_method = self.vmap_method.map_or("None", VmapMethod::name).to_owned();
        match self.kind {
            CallbackKind::Buffer => {
                let pairs: Vec<String> =
                    self.aliases.iter().map(|&(i, o)| tuple(&[i, o])).collect();
                let aliases = match pairs.as_slice() {
                    [one] => format!("({one},)"),
                    _ => format!("({})", pairs.join(", ")),
                };
                vec![
                    ("callback", text(format!("<function {name}>"))),
                    ("command_buffer_compatible", python_bool(false)),
                    ("has_side_effect", python_bool(self.has_side_effect)),
                    ("in_tree", text(self.in_tree.clone())),
                    ("input_output_aliases", text(aliases)),
                    ("out_tree", text(self.out_tree.clone())),
                    ("result_avals", text(avals)),
                    ("vmap_method", text(vmap_method)),
                ]
            }
            CallbackKind::Pure => vec![
                ("callback", text(flat)),
                ("result_avals", text(avals)),
                ("sharding", text("None".into())),
                ("vmap_method", text(vmap_method)),
            ],
            CallbackKind::Io => vec![
                ("callback", text(flat)),
                ("ordered", python_bool(self.ordered)),
                ("result_avals", text(avals)),
                ("sharding", text("None".into())),
            ],
            CallbackKind::Debug => {
                let effect = if self.ordered {
                    "OrderedDebug"
                } else {
                    "Debug"
                };
                vec![
                    ("callback", text(format!("<function {name}>"))),
                    ("effect", text(effect.into())),
                    ("partitioned", python_bool(false)),
                ]
            }
            CallbackKind::Print => {
                vec![("fmt", text(name)), ("ordered", python_bool(self.ordered))]
            }
        }
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        self.check_aliases(avals)?;
        Ok(self.results.clone())
    }

    fn eval(&self, env: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let observes = matches!(self.kind, CallbackKind::Debug | CallbackKind::Print);
        if env.muted.get() && observes {
            return Ok(Vec::new());
        }
        let mut results = Vec::with_capacity(self.results.len());
        for (o, aval) in self.results.iter().enumerate() {
            let aliased = self.aliases.iter().find(|(_, to)| *to == o);
            results.push(match aliased {
                Some(&(i, _)) => ArrayMut::copy_of(&args[i].with_weak(false))?,
                None => ArrayMut::zeroed(aval.clone())?,
            });
        }
        self.host.call(env, args, &mut results)?;
        Ok(results.into_iter().map(ArrayMut::freeze).collect())
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        match self.kind {
            // Observers see the primal values; nothing flows out of them.
            CallbackKind::Debug | CallbackKind::Print => Ok((cx.bind(self, primals)?, Vec::new())),
            _ => Err(self.no_derivative(Rule::Jvp)),
        }
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(self.no_derivative(Rule::Transpose))
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let method = match (self.kind, self.vmap_method) {
            (CallbackKind::Io, _) if self.ordered => {
                let message = "Cannot `vmap` ordered IO callback.";
                return Err(Error::no_rule(
                    self.name(),
                    Rule::Batch,
                    Class::ValueError,
                    message,
                ));
            }
            (CallbackKind::Io | CallbackKind::Debug | CallbackKind::Print, _) => {
                VmapMethod::Sequential
            }
            (_, Some(method)) if method != VmapMethod::Unknown => method,
            (_, method) => {
                let got = method.map_or("None", |_| "an unknown name");
                let message = format!(
                    "vmap is only supported for the {} primitive when vmap_method is one of \
                     'sequential', 'sequential_unrolled', 'expand_dims', 'broadcast_all', or \
                     'legacy_vectorized'. Got vmap_method={got}.",
                    self.name()
                );
                let class = Class::NotImplementedError;
                return Err(Error::no_rule(self.name(), Rule::Batch, class, message));
            }
        };
        let outs = match method {
            VmapMethod::Sequential | VmapMethod::SequentialUnrolled => {
                self.call_each_lane(cx, size, args, batched)?
            }
            _ => {
                let mut full = Vec::with_capacity(args.len());
                for (v, &b) in args.iter().zip(batched) {
                    let lanes = if method == VmapMethod::BroadcastAll {
                        size
                    } else {
                        1
                    };
                    let as_it_is = b || method == VmapMethod::LegacyVectorized;
                    full.push(if as_it_is {
                        v.clone()
                    } else {
                        cx.repeat_front(v, lanes)?
                    });
                }
                let results = self.results.iter().map(|a| a.with_axis0(size)).collect();
                cx.bind(
                    &Callback {
                        results,
                        ..self.clone()
                    },
                    &full,
                )?
            }
        };
        let flags = vec![true; outs.len()];
        Ok((outs, flags))
    }

    fn has_effect(&self) -> bool {
        self.has_side_effect || !matches!(self.kind, CallbackKind::Buffer | CallbackKind::Pure)
    }
}

impl Ctx {
    /// Lane `i` of a value whose axis 0 is mapped.
    pub fn lane(&self, v: &Value, i: usize) -> Result<Value> {
        let lane = v.aval().without_axis0();
        let mut start = Shape::from_elem(0, v.rank());
        let mut limit = v.aval().shape.clone();
        start[0] = i;
        limit[0] = i + 1;
        let slice = self.slice(v, &start, &limit, None)?;
        self.reshape(&slice, &lane.shape)
    }

    /// Stacks lanes along a new leading axis.
    pub fn stack_lanes(&self, lanes: &[Value]) -> Result<Value> {
        let mut rows = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let shape = lane.aval().with_axis0(1).shape;
            rows.push(self.reshape(lane, &shape)?);
        }
        match rows.as_slice() {
            [one] => Ok(one.clone()),
            _ => self.concatenate(&rows, 0),
        }
    }

    /// A new leading axis of the given size.
    pub fn repeat_front(&self, v: &Value, size: usize) -> Result<Value> {
        let shape = v.aval().with_axis0(size).shape;
        let dims: Vec<usize> = (1..shape.len()).collect();
        self.broadcast_in_dim(v, &shape, &dims)
    }
}
