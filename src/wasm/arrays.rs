//! Arrays in and out: data, conversion to JavaScript numbers, printing.

use super::session::{Session, guarded};
use super::tape::{Reader, Writer, dtype_from};
use crate::api::convert::concretization;
use crate::api::format;
use crate::array::ArrayMut;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::value::Value;
use wasm_bindgen::prelude::*;

/// Makes an array from the tape: dtype, rank, sizes. Its handle and the address of its elements,
/// which the caller writes, are put on the tape.
#[wasm_bindgen(js_name = newArray)]
pub fn new_array(len: usize, site: u32) -> u32 {
    guarded(site, |s, _| {
        let mut r = Reader::new(s, len);
        let dtype = dtype_from(r.next()?)?;
        let rank = r.count()?;
        let shape = (0..rank).map(|_| r.count()).collect::<Result<Vec<_>>>()?;
        let mut array = ArrayMut::uninit(Aval::new(&shape, dtype))?;
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

/// The one element of an array as a number, put on the tape. `integer` asks for a whole number,
/// as an index would.
#[wasm_bindgen(js_name = toNumber)]
pub fn to_number(handle: f64, integer: bool, site: u32) -> u32 {
    guarded(site, |s, _| {
        let v = s.get(Some(handle))?;
        let class = if integer {
            Class::TracerIntegerConversionError
        } else {
            Class::ConcretizationTypeError
        };
        let x = one_number(&v, class)?;
        let mut w = Writer::new(s);
        w.number(x);
        w.finish();
        Ok(())
    })
}

fn one_number(v: &Value, class: Class) -> Result<f64> {
    let Some(a) = v.concrete() else {
        return Err(concretization(v, class));
    };
    if a.numel() == 1 {
        return Ok(a.number_at(0));
    }
    Err(match class {
        Class::TracerBoolConversionError => Error::value_error(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or \
             a.all()",
        ),
        _ => Error::type_error(format!(
            "Only scalar arrays can be converted to Python scalars; got arr.ndim={}",
            a.shape().len()
        )),
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
