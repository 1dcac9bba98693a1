//! The state of one engine: handles, contexts, errors, the tape.

use super::host::Host;
use crate::error::{Class, Error, Result};
use crate::interp::eval::eval_ctx;
use crate::prim::rule::{Ctx, Env};
use crate::span::Site;
use crate::value::Value;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::{boxed::Box, vec, vec::Vec};
use core::cell::{Cell, RefCell};

/// Handles are index + generation * 2^24, so that one that was freed is never taken for another.
const INDEX_BITS: u32 = 24;
/// Errors kept for JavaScript to come back with.
const KEPT_ERRORS: usize = 64;
/// Initial length of the tape in numbers.
const TAPE: usize = 4096;

struct Slot {
    value: Option<Value>,
    generation: u32,
}

/// One engine.
pub struct Session {
    pub host: Host,
    pub env: Rc<Env>,
    pub tape: RefCell<Vec<f64>>,
    base: Ctx,
    contexts: RefCell<Vec<Ctx>>,
    slots: RefCell<Vec<Slot>>,
    free: RefCell<Vec<u32>>,
    /// Handles of tracers made while transforms run: all are dead when the outermost has ended.
    tracers: RefCell<Vec<u32>>,
    errors: RefCell<VecDeque<(u32, Box<Error>)>>,
    next_error: Cell<u32>,
    /// How many leading results of the function being differentiated are not auxiliary.
    pub main_results: Cell<usize>,
}

local! {
    static SESSION: RefCell<Option<Rc<Session>>> = RefCell::new(None);
}

impl Session {
    /// Replaces the running session.
    pub fn start(host: Host) {
        let env = Rc::new(Env::default());
        let session = Session {
            host,
            env: Rc::clone(&env),
            tape: RefCell::new(vec![0.0; TAPE]),
            base: eval_ctx(env),
            contexts: RefCell::default(),
            slots: RefCell::default(),
            free: RefCell::default(),
            tracers: RefCell::default(),
            errors: RefCell::default(),
            next_error: Cell::new(1),
            main_results: Cell::new(usize::MAX),
        };
        SESSION.set(Some(Rc::new(session)));
    }

    /// The running session.
    ///
    /// # Panics
    /// Before `start`; the JavaScript side calls that first.
    pub fn get_current() -> Rc<Session> {
        // invariant: `start` is the first call of the boundary
        SESSION.with_borrow(|s| Rc::clone(s.as_ref().expect("the engine has been started")))
    }

    /// The context that calls are made in.
    pub fn current(&self) -> Ctx {
        self.contexts.borrow().last().unwrap_or(&self.base).clone()
    }

    /// A context that evaluates, whatever transform is running: callbacks run there.
    pub fn evaluating(&self) -> Ctx {
        self.base.clone()
    }

    /// Runs `body` (which calls into JavaScript) with another current context.
    pub fn under<T>(&self, cx: &Ctx, body: impl FnOnce() -> T) -> T {
        self.contexts.borrow_mut().push(cx.clone());
        let out = body();
        self.contexts.borrow_mut().pop();
        if self.contexts.borrow().is_empty() {
            self.sweep_tracers();
        }
        out
    }

    fn sweep_tracers(&self) {
        for index in self.tracers.take() {
            let dead = match self.slots.borrow().get(index as usize) {
                Some(Slot {
                    value: Some(Value::Tracer(t)),
                    ..
                }) => !t.0.trace.is_alive(),
                _ => false,
            };
            if dead {
                self.release(index);
            } else {
                self.tracers.borrow_mut().push(index);
            }
        }
    }

    /// A handle for a value.
    pub fn put(&self, value: Value) -> f64 {
        // What comes out while a function is being traced may be a scalar on its way through.
        let outside = self.contexts.borrow().is_empty();
        let (value, traced) = match value {
            Value::Array(a) if outside => (Value::Array(a.into_held()), false),
            Value::Array(a) => (Value::Array(a), false),
            tracer => (tracer, true),
        };
        let mut slots = self.slots.borrow_mut();
        let index = match self.free.borrow_mut().pop() {
            Some(i) => i,
            None => {
                slots.push(Slot {
                    value: None,
                    generation: 0,
                });
                slots.len() as u32 - 1
            }
        };
        let slot = &mut slots[index as usize];
        slot.value = Some(value);
        if traced {
            self.tracers.borrow_mut().push(index);
        }
        f64::from(index) + f64::from(slot.generation) * f64::from(1u32 << INDEX_BITS)
    }

    fn locate(&self, handle: f64) -> Option<u32> {
        let id = handle as u64;
        let (index, generation) = ((id & ((1 << INDEX_BITS) - 1)) as u32, id >> INDEX_BITS);
        let slots = self.slots.borrow();
        let slot = slots.get(index as usize)?;
        (u64::from(slot.generation) == generation && slot.value.is_some()).then_some(index)
    }

    /// The value behind a handle.
    pub fn get(&self, handle: Option<f64>) -> Result<Value> {
        let index = handle.and_then(|h| self.locate(h));
        let slots = self.slots.borrow();
        index.and_then(|i| slots[i as usize].value.clone()).ok_or_else(|| {
            Error::new(
                Class::UnexpectedTracerError,
                "a value was used after it had been freed: it belonged to a transformation that \
                 has ended",
            )
        })
    }

    /// Frees a handle; nothing happens to one already freed.
    pub fn free(&self, handle: f64) {
        if let Some(index) = self.locate(handle) {
            self.release(index);
        }
    }

    fn release(&self, index: u32) {
        let value = {
            let mut slots = self.slots.borrow_mut();
            let slot = &mut slots[index as usize];
            slot.generation = slot.generation.wrapping_add(1) & 0x0fff_ffff;
            slot.value.take()
        };
        self.free.borrow_mut().push(index);
        drop(value);
    }

    /// The number of live handles.
    pub fn handles(&self) -> usize {
        self.slots.borrow().len() - self.free.borrow().len()
    }

    /// Keeps an error until JavaScript has read it; gives its number.
    pub fn keep_error(&self, error: Box<Error>) -> u32 {
        let id = self.next_error.get();
        self.next_error.set(id.wrapping_add(1).max(1));
        let mut errors = self.errors.borrow_mut();
        if errors.len() == KEPT_ERRORS {
            errors.pop_front();
        }
        errors.push_back((id, error));
        id
    }

    /// The error kept last.
    pub fn last_error(&self) -> Option<Box<Error>> {
        self.errors.borrow().back().map(|(_, e)| e.clone())
    }

    /// A kept error.
    pub fn error(&self, id: u32) -> Option<Box<Error>> {
        let errors = self.errors.borrow();
        errors
            .iter()
            .rev()
            .find(|(i, _)| *i == id)
            .map(|(_, e)| e.clone())
    }
}

/// Runs an exported function at a call site; a failure is kept and its number returned, 0 means
/// success.
pub fn guarded(site: u32, body: impl FnOnce(&Rc<Session>, &Ctx) -> Result<()>) -> u32 {
    let session = Session::get_current();
    let cx = session.current();
    let outer = session.env.site.replace(Site(site));
    let result = body(&session, &cx);
    session.env.site.set(outer);
    match result {
        Ok(()) => 0,
        Err(mut e) => {
            if !e.site.is_known() {
                e.site = Site(site);
            }
            if e.chain.is_empty() {
                e.chain = session.env.frames.borrow().clone();
            }
            session.keep_error(e)
        }
    }
}
