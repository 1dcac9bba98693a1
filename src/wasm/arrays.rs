//! Arrays in and out: data, conversion to JavaScript numbers, printing.

use super::session::{Session, guarded};
use super::tape::{Reader, Writer, dtype_from};
use crate::api::convert::{concretization, concretization_for};
use crate::api::format;
use crate::array::ArrayMut;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::value::Value;
use alloc::{format, vec::Vec};
use wasm_bindgen::prelude::*;

/// Makes an array from the tape: dtype, 1 if weakly typed, rank, sizes. Its handle and the address of its elements,
/// which the caller writes, are put on the tape.
#[wasm_bindgen(js_name = newArray)]
pub fn new_array(len: usize, site: u32) -> u32 {
    guarded(site, |s, _| {
        let mut r = Reader::new(s, len);
        let dtype = dtype_from(r.next()?)?;
        let weak = r.next()? != 0.0;
        let rank = r.count()?;
        let shape = (0..rank).map(|_| r.count()).collect::<Result<Vec<_>>>()?;
        let mut array = ArrayMut::uninit(Aval::new(&shape, dtype).with_weak(weak))?;
        let at = array.as_mut_ptr() as usize;
        let mut w = Writer::new(s);
        w.value(Value::Array(array.freeze()));
        w.number(at as f64);
        w.finish();
        Ok(())
    })
}

/// The address of the elements of a concrete array, for reading, put on the tape; then the byte
/// length, and whether nothing else holds the storage.
#[wasm_bindgen(js_name = arrayData)]
pub fn array_data(handle: f64, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let a = match v.concrete() {
            Some(a) => a.clone(),
            None => return Err(concretization(&v, Class::TracerArrayConversionError)),
        };
        drop(v);
        let mut w = Writer::new(s);
        w.number(a.as_ptr() as usize as f64);
        w.number(a.bytes().len() as f64);
        // One reference is the table's, one ours.
        w.number(f64::from(a.holders() <= 2));
        w.finish();
        Ok(())
    })
}

/// The truth of an array of one element, put on the tape.
#[wasm_bindgen]
pub fn truth(handle: f64, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let x = one_number(&v, Class::TracerBoolConversionError)?;
        let mut w = Writer::new(s);
        w.number(f64::from(x != 0.0));
        w.finish();
        Ok(())
    })
}

/// The one element of an array as a number, put on the tape. What it is to be: an "index" of a
/// list, an "item", or a "number" of the language, which forgets derivatives and so is refused to
/// tracers that carry one.
#[wasm_bindgen(js_name = toNumber)]
pub fn to_number(handle: f64, purpose: &str, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let class = match purpose {
            "index" => Class::TracerIntegerConversionError,
            _ => Class::ConcretizationTypeError,
        };
        let x = one_number(&v, class)?;
        if purpose == "index" && v.dtype().is_float() {
            return Err(Error::type_error(format!(
                "only integer scalar arrays can be used as an index of a list, got {}",
                v.aval().long()
            )));
        }
        if purpose == "number" && v.dtype().is_float() && matches!(v, Value::Tracer(_)) {
            let hint = "The problem arose with the `Number` function or JavaScript's own arithmetic. \
                        Use functions of `np` on arrays, or `x.astype(dtype)`.";
            return Err(concretization_for(&v, hint));
        }
        let mut w = Writer::new(s);
        w.number(x);
        w.finish();
        Ok(())
    })
}

fn one_number(v: &Value, class: Class) -> Result<f64> {
    let message = match (class, v.aval().numel()) {
        (_, 1) => {
            return match v.concrete() {
                Some(a) => Ok(a.number_at(0)),
                None => Err(concretization(v, class)),
            };
        }
        (Class::TracerBoolConversionError, 0) => {
            "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an \
             array is not empty."
        }
        (Class::TracerBoolConversionError, _) => {
            "The truth value of an array with more than one element is ambiguous. Use a.any() or \
             a.all()"
        }
        _ => {
            return Err(Error::type_error(format!(
                "Only scalar arrays can be converted to Python scalars; got arr.ndim={}",
                v.rank()
            )));
        }
    };
    Err(Error::value_error(message))
}

/// Fails because `method` needs concrete values.
#[wasm_bindgen(js_name = refuseTracer)]
pub fn refuse_tracer(handle: f64, method: &str, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let aval = v.aval().long();
        let hint = format!("The {method} method was called on traced array with shape {aval}.");
        Err(concretization_for(&v, &hint))
    })
}

/// `str` of a value (or `repr`), as a STR entry on the tape.
#[wasm_bindgen(js_name = formatValue)]
pub fn format_value(handle: f64, repr: bool, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let text = if repr {
            format::repr(&v)
        } else {
            format::str(&v)
        };
        let index = s.host.put_string(&text);
        let mut w = Writer::new(s);
        w.number(index.into());
        w.finish();
        Ok(())
    })
}

/// A second handle for the same value, on the tape.
#[wasm_bindgen(js_name = cloneHandle)]
pub fn clone_handle(handle: f64, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let mut w = Writer::new(s);
        w.value(v);
        w.finish();
        Ok(())
    })
}

/// Concrete values behind tracers that carry them, on the tape: what prints and plots show.
#[wasm_bindgen(js_name = concreteOf)]
pub fn concrete_of(handle: f64) -> bool {
    let session = Session::get_current();
    let found = session
        .get(Some(handle))
        .ok()
        .and_then(|v| v.concrete().cloned());
    match found {
        None => false,
        Some(a) => {
            let mut w = Writer::new(&session);
            w.value(Value::Array(a));
            w.finish();
            true
        }
    }
}
