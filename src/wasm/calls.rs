//! Starting the engine, library calls, handles and errors.

use super::host::Host;
use super::session::{Session, guarded};
use super::tape::{Reader, Writer};
use crate::api::registry;
use crate::buffer;
use crate::diagnose::report;
use crate::error::{Class, Error, Kind};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use wasm_bindgen::prelude::*;

/// Starts a fresh engine; whatever an earlier one held is dropped. `budget` limits array storage
/// in bytes.
#[wasm_bindgen]
pub fn start(host: Host, budget: f64) {
    buffer::set_budget(budget as usize);
    Session::start(host);
}

/// 64-bit floats on or off.
#[wasm_bindgen(js_name = setX64)]
pub fn set_x64(on: bool) {
    Session::get_current().env.x64.set(on);
}

/// Whether 64-bit floats are on.
#[wasm_bindgen(js_name = isX64)]
pub fn is_x64() -> bool {
    Session::get_current().env.x64.get()
}

/// Whether observers (debug prints) are silent.
#[wasm_bindgen(js_name = setMuted)]
pub fn set_muted(on: bool) {
    Session::get_current().env.muted.set(on);
}

/// Address of a tape of at least `n` numbers.
#[wasm_bindgen(js_name = tapePointer)]
pub fn tape_pointer(n: usize) -> *const f64 {
    let session = Session::get_current();
    let mut tape = session.tape.borrow_mut();
    if tape.len() < n {
        tape.resize(n, 0.0);
    }
    tape.as_ptr()
}

/// The length of the tape in numbers.
#[wasm_bindgen(js_name = tapeLength)]
pub fn tape_length() -> usize {
    Session::get_current().tape.borrow().len()
}

/// The registry as lines of text (see `api::describe`).
#[wasm_bindgen]
pub fn describe() -> String {
    crate::api::describe::describe()
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Calls library function `id` with `n` arguments from the tape; its result is put on the tape.
#[wasm_bindgen]
pub fn call(id: usize, n: usize, len: usize, site: u32) -> u32 {
    guarded(site, |s, cx| {
        let args = Reader::new(s, len).args(n)?;
        let ret = registry::call(cx, id, &args)?;
        let mut w = Writer::new(s);
        w.ret(ret);
        w.finish();
        Ok(())
    })
}

/// Frees a handle.
#[wasm_bindgen]
pub fn free(handle: f64) {
    Session::get_current().free(handle);
}

/// Numbers on the tape: live bytes, peak bytes, idle bytes, budget, live handles.
#[wasm_bindgen(js_name = memoryUse)]
pub fn memory_use() {
    let session = Session::get_current();
    let m = buffer::memory_use();
    let mut w = Writer::new(&session);
    for n in [m.live, m.peak, m.idle, m.budget, session.handles()] {
        w.number(n as f64);
    }
    w.finish();
}

/// What user code threw, behind a kept error: a list of that one thing (it may be undefined itself),
/// or an empty list.
#[wasm_bindgen(js_name = foreignException)]
pub fn foreign_exception(error: u32) -> Vec<JsValue> {
    let stored = Session::get_current().error(error);
    let payload = stored.and_then(|e| e.foreign);
    payload
        .and_then(|p| p.downcast_ref::<JsValue>().cloned())
        .into_iter()
        .collect()
}

/// The class and message of a kept error, separated by a new line.
#[wasm_bindgen(js_name = errorHead)]
pub fn error_head(error: u32) -> String {
    match Session::get_current().error(error) {
        Some(e) => format!("{}\n{}", e.class.name(), e.message),
        None => "InternalError\nthe error is no longer known".to_owned(),
    }
}

/// The site of a kept error.
#[wasm_bindgen(js_name = errorSite)]
pub fn error_site(error: u32) -> u32 {
    Session::get_current().error(error).map_or(0, |e| e.site.0)
}

/// Everything known of a kept error, as JSON (see `diagnose`).
#[wasm_bindgen(js_name = errorReport)]
pub fn error_report(error: u32) -> String {
    match Session::get_current().error(error) {
        Some(e) => report(&e),
        None => "null".to_owned(),
    }
}

/// Keeps an error that a front-end found: class by name, message, and what kind it is. `table`
/// has four lines per leaf: path, expected, got, `1` if they agree. Gives the error's number.
#[wasm_bindgen(js_name = raise)]
pub fn raise(class: &str, message: &str, kind: &str, table: &str, site: u32) -> u32 {
    guarded(site, |_, _| {
        let class = Class::parse(class).unwrap_or(Class::ValueError);
        let lines: Vec<&str> = table.split('\n').collect();
        let rows = lines.chunks_exact(4);
        let kind = match kind {
            "nonScalarGrad" => Kind::NonScalarGrad,
            "customRule" => Kind::CustomRule {
                table: rows
                    .map(|r| (r[0].into(), r[1].into(), r[2].into(), r[3] == "1"))
                    .collect(),
            },
            "mismatch" => Kind::Mismatch,
            _ => Kind::Other,
        };
        Err(Error::new(class, message).with_kind(kind))
    })
}

/// Keeps the error for a tracer used after its transform had ended.
#[wasm_bindgen(js_name = raiseLeaked)]
pub fn raise_leaked(aval: &str, tracer: &str, made_at: u32, transform: &str, site: u32) -> u32 {
    guarded(site, |_, _| {
        let transform = crate::transform::known_name(transform);
        Err(crate::value::leaked_error(
            aval,
            tracer,
            crate::span::Site(made_at),
            transform,
        ))
    })
}
