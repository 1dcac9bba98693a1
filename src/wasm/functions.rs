//! JavaScript functions as the engine sees them.

use super::session::Session;
use super::tape::{Reader, Writer};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::prim::callback::{CallbackKind, HostCallback};
use crate::prim::rule::{Ctx, Env, Fun, Tangent};
use crate::shape::tuple;
use crate::transform::Named;
use crate::transform::custom::{Bwd, Fwd};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// A registered JavaScript function; it is let go with the last clone.
pub struct JsFunction {
    session: Rc<Session>,
    id: u32,
}

impl Drop for JsFunction {
    fn drop(&mut self) {
        self.session.host.drop_function(self.id);
    }
}

/// The error behind an exception: one of ours comes back as it was, anything else is carried.
pub fn from_exception(session: &Session, exception: JsValue) -> Box<Error> {
    let ours = Reflect::get(&exception, &JsValue::from_str("engineRef")).ok();
    let stored = ours
        .and_then(|r| r.as_f64())
        .and_then(|id| session.error(id as u32));
    stored.unwrap_or_else(|| {
        let frames = session.env.frames.borrow();
        // On its way out through transforms within transforms it is seen several times; the first,
        // innermost time knows most.
        let seen = session.last_error().filter(|e| {
            let thrown = e.foreign.as_ref().and_then(|p| p.downcast_ref::<JsValue>());
            thrown == Some(&exception) && e.chain.starts_with(&frames)
        });
        seen.unwrap_or_else(|| {
            let mut e = Error::foreign(Rc::new(exception));
            e.chain = frames.clone();
            e
        })
    })
}

impl JsFunction {
    /// Takes over a registered function.
    pub fn new(session: &Rc<Session>, id: u32) -> Rc<JsFunction> {
        Rc::new(JsFunction {
            session: Rc::clone(session),
            id,
        })
    }

    fn call<T>(
        &self,
        cx: &Ctx,
        args: &[&[Value]],
        read: impl FnOnce(&mut Reader) -> Result<T>,
    ) -> Result<T> {
        let mut w = Writer::new(&self.session);
        for group in args {
            w.values(group.to_vec());
        }
        w.finish();
        let site = self.session.env.site.get();
        let out = self.session.under(cx, || {
            self.session
                .host
                .call_function(self.id)
                .map_err(|e| from_exception(&self.session, e))?;
            let len = self.session.tape.borrow().len();
            read(&mut Reader::new(&self.session, len))
        });
        self.session.env.site.set(site);
        out
    }

    /// As a function from values to values.
    pub fn fun(self: &Rc<JsFunction>) -> Fun {
        let this = Rc::clone(self);
        Rc::new(move |cx, args| this.call(cx, &[args], |r| r.values()))
    }

    /// With a name.
    pub fn named(self: &Rc<JsFunction>, name: &str) -> Named {
        Named::new(name, self.fun())
    }

    /// As a forward rule: it gives back results and residuals.
    pub fn fwd(self: &Rc<JsFunction>) -> Fwd {
        let this = Rc::clone(self);
        Rc::new(move |cx, args| this.call(cx, &[args], |r| Ok((r.values()?, r.values()?))))
    }

    /// As a backward rule: it takes residuals and cotangents, and gives a cotangent or nothing for
    /// every argument.
    pub fn bwd(self: &Rc<JsFunction>) -> Bwd {
        let this = Rc::clone(self);
        Rc::new(move |cx, residuals, cts| -> Result<Vec<Tangent>> {
            this.call(cx, &[residuals, cts], |r| r.optional_values())
        })
    }

    /// Names of its arguments' leaves.
    pub fn argument_names(&self) -> Vec<String> {
        let names = self.session.host.argument_names(self.id);
        names.lines().map(str::to_owned).collect()
    }
}

/// A JavaScript callback.
pub struct JsCallback {
    function: Rc<JsFunction>,
    kind: CallbackKind,
    name: String,
}

impl JsCallback {
    /// A callback of the given kind.
    pub fn new(function: Rc<JsFunction>, kind: CallbackKind, name: String) -> JsCallback {
        JsCallback {
            function,
            kind,
            name,
        }
    }

    /// Writes results in place through views of wasm memory.
    fn call_buffer(&self, args: &[Array], results: &mut [ArrayMut]) -> Result<()> {
        let session = &self.function.session;
        let mut w = Writer::new(session);
        let mut describe = |aval: &Aval, at: *const u8| {
            w.number(super::tape::dtype_code(aval.dtype));
            w.number(at as usize as f64);
            w.number(aval.shape.len() as f64);
            aval.shape.iter().for_each(|&n| w.number(n as f64));
        };
        for a in args {
            describe(a.aval(), a.as_ptr());
        }
        for r in results.iter_mut() {
            let at = r.as_mut_ptr().cast_const();
            describe(r.aval(), at);
        }
        w.finish();
        let cx = session.evaluating();
        session.under(&cx, || {
            crate::buffer::without_growth(|| {
                let called = session.host.call_buffer(self.function.id);
                called.map_err(|e| from_exception(session, e))
            })
        })
    }

    /// Calls with arrays and copies what comes back.
    fn call_arrays(&self, args: &[Array], results: &mut [ArrayMut]) -> Result<()> {
        let session = &self.function.session;
        let cx = session.evaluating();
        let values: Vec<Value> = args.iter().cloned().map(Value::Array).collect();
        let outs = self.function.call(&cx, &[&values], |r| r.values())?;
        if outs.len() != results.len() {
            return Err(wrong_result(format!(
                "Mismatched number of outputs from callback. Expected: {}, Actual: {}",
                results.len(),
                outs.len()
            )));
        }
        for (i, (out, result)) in outs.iter().zip(results).enumerate() {
            let want = result.aval().clone();
            let Value::Array(got) = out else {
                return Err(Error::internal("a callback returned a traced value"));
            };
            if got.shape() != want.shape.as_slice() {
                return Err(wrong_result(format!(
                    "Incorrect output shape for return value #{i}: Expected: {}, Actual: {}",
                    tuple(&want.shape),
                    tuple(got.shape())
                )));
            }
            // A weak number is a plain JavaScript one: it takes the dtype that was promised.
            let got = match got.dtype() == want.dtype {
                true => got.clone(),
                false if got.aval().weak => Array::full(got.number_at(0), want.clone())?,
                false => {
                    return Err(wrong_result(format!(
                        "Incorrect output dtype for return value #{i}: Expected: {}, Actual: {}",
                        want.dtype,
                        got.dtype()
                    )));
                }
            };
            result.bytes_mut().copy_from_slice(got.bytes());
        }
        Ok(())
    }
}

fn wrong_result(message: String) -> Box<Error> {
    Error::new(Class::RuntimeError, message)
}

impl HostCallback for JsCallback {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn call(&self, env: &Env, args: &[Array], results: &mut [ArrayMut]) -> Result<()> {
        let frames = env.frames.take();
        let out = match self.kind {
            CallbackKind::Buffer => self.call_buffer(args, results),
            _ => self.call_arrays(args, results),
        };
        env.frames.replace(frames);
        out
    }
}
