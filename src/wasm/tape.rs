//! The tape: how arguments and results are laid out as numbers.
//!
//! Every entry begins with a tag. NONE; VALUE id; NUMBER x; FLOAT x; BOOL b; STR index; LIST n then
//! n entries; SLICE start stop step (NaN for none); ELLIPSIS;
//! NEWAXIS; RECORD n then n keys (string index) and entries. Values going out carry their
//! type so that the other side need not ask: VALUE id dtype weak traced rank sizes….

use super::session::Session;
use crate::api::registry::{Arg, Ret};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::value::Value;
use alloc::{boxed::Box, vec::Vec};

pub const NONE: f64 = 0.0;
pub const VALUE: f64 = 1.0;
pub const NUMBER: f64 = 2.0;
pub const FLOAT: f64 = 3.0;
pub const BOOL: f64 = 4.0;
pub const STR: f64 = 5.0;
pub const LIST: f64 = 6.0;
pub const SLICE: f64 = 7.0;
pub const ELLIPSIS: f64 = 8.0;
pub const NEWAXIS: f64 = 9.0;
pub const RECORD: f64 = 10.0;
pub const AVAL: f64 = 11.0;

/// Nested lists deeper than this are refused.
const MAX_DEPTH: usize = 64;

/// The code of a dtype on the tape.
pub fn dtype_code(d: DType) -> f64 {
    match d {
        DType::Bool => 0.0,
        DType::I32 => 1.0,
        DType::U32 => 2.0,
        DType::F32 => 3.0,
        DType::F64 => 4.0,
        DType::Float0 => 5.0,
        DType::Key => 6.0,
    }
}

/// The dtype behind a code.
pub fn dtype_from(code: f64) -> Result<DType> {
    const DTYPES: [DType; 7] = [
        DType::Bool,
        DType::I32,
        DType::U32,
        DType::F32,
        DType::F64,
        DType::Float0,
        DType::Key,
    ];
    DTYPES.get(code as usize).copied().ok_or_else(malformed)
}

fn malformed() -> Box<Error> {
    Error::internal("the tape is malformed")
}

/// Reads a copy of the tape from its beginning.
pub struct Reader<'a> {
    session: &'a Session,
    tape: Vec<f64>,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Over the first `len` numbers; they are copied, since nested calls use the tape again.
    pub fn new(session: &'a Session, len: usize) -> Reader<'a> {
        let tape = session.tape.borrow();
        let tape = tape[..len.min(tape.len())].to_vec();
        Reader {
            session,
            tape,
            at: 0,
        }
    }

    /// The next bare number.
    pub fn next(&mut self) -> Result<f64> {
        let x = self.tape.get(self.at).copied().ok_or_else(malformed)?;
        self.at += 1;
        Ok(x)
    }

    /// The next bare number as a count or index.
    pub fn count(&mut self) -> Result<usize> {
        Ok(self.next()? as usize)
    }

    /// The next entry.
    pub fn arg(&mut self) -> Result<Arg> {
        self.arg_at(0)
    }

    fn arg_at(&mut self, depth: usize) -> Result<Arg> {
        let tag = self.next()?;
        Ok(match tag {
            NONE => Arg::None,
            VALUE => {
                let handle = self.next()?;
                Arg::Value(self.session.get(Some(handle))?)
            }
            NUMBER => Arg::Number {
                value: self.next()?,
                float: false,
            },
            FLOAT => Arg::Number {
                value: self.next()?,
                float: true,
            },
            BOOL => Arg::Bool(self.next()? != 0.0),
            STR => Arg::Str(self.session.host.take_string(self.next()? as u32)),
            ELLIPSIS => Arg::Ellipsis,
            NEWAXIS => Arg::NewAxis,
            SLICE => {
                let mut part = || -> Result<Option<i64>> {
                    let x = self.next()?;
                    Ok(if x.is_nan() { None } else { Some(x as i64) })
                };
                Arg::Slice {
                    start: part()?,
                    stop: part()?,
                    step: part()?,
                }
            }
            LIST if depth < MAX_DEPTH => {
                let n = self.count()?;
                let items = (0..n)
                    .map(|_| self.arg_at(depth + 1))
                    .collect::<Result<_>>()?;
                Arg::List(items)
            }
            LIST => return Err(Error::value_error("lists are nested too deeply")),
            _ => return Err(malformed()),
        })
    }

    /// `n` entries.
    pub fn args(&mut self, n: usize) -> Result<Vec<Arg>> {
        (0..n).map(|_| self.arg()).collect()
    }

    /// A counted run of array-like entries; numbers become weak scalars.
    pub fn values(&mut self) -> Result<Vec<Value>> {
        let n = self.count()?;
        let cx = self.session.current();
        (0..n)
            .map(|_| {
                let arg = self.arg()?;
                match arg {
                    Arg::Value(v) => Ok(v),
                    other => crate::api::convert::as_value(&cx, &other),
                }
            })
            .collect()
    }

    /// A counted run of values or nothing.
    pub fn optional_values(&mut self) -> Result<Vec<Option<Value>>> {
        let n = self.count()?;
        let cx = self.session.current();
        (0..n)
            .map(|_| match self.arg()? {
                Arg::None => Ok(None),
                Arg::Value(v) => Ok(Some(v)),
                other => crate::api::convert::as_value(&cx, &other).map(Some),
            })
            .collect()
    }

    /// A counted run of types: those of values and numbers, or spelled out as AVAL dtype weak rank
    /// sizes….
    pub fn avals(&mut self) -> Result<Vec<Aval>> {
        let n = self.count()?;
        let cx = self.session.current();
        (0..n)
            .map(|_| {
                if self.tape.get(self.at) != Some(&AVAL) {
                    let v = crate::api::convert::as_value(&cx, &self.arg()?)?;
                    return Ok(v.aval().clone());
                }
                self.at += 1;
                let dtype = dtype_from(self.next()?)?;
                let weak = self.next()? != 0.0;
                let rank = self.count()?;
                let shape = (0..rank)
                    .map(|_| self.count())
                    .collect::<Result<Vec<_>>>()?;
                Ok(Aval::new(&shape, dtype).with_weak(weak))
            })
            .collect()
    }

    /// A counted run of flags.
    pub fn flags(&mut self) -> Result<Vec<bool>> {
        let n = self.count()?;
        (0..n).map(|_| Ok(self.next()? != 0.0)).collect()
    }

    /// A counted run of axes; NaN for none.
    pub fn axes(&mut self) -> Result<Vec<Option<i64>>> {
        let n = self.count()?;
        (0..n)
            .map(|_| {
                let x = self.next()?;
                Ok(if x.is_nan() { None } else { Some(x as i64) })
            })
            .collect()
    }
}

/// Builds the tape of results.
pub struct Writer<'a> {
    session: &'a Session,
    out: Vec<f64>,
}

impl<'a> Writer<'a> {
    /// An empty tape.
    pub fn new(session: &'a Session) -> Writer<'a> {
        Writer {
            session,
            out: Vec::with_capacity(16),
        }
    }

    /// A bare number.
    pub fn number(&mut self, x: f64) {
        self.out.push(x);
    }

    /// A value under a new handle, with its type.
    pub fn value(&mut self, v: Value) {
        let aval = v.aval().clone();
        let traced = matches!(v, Value::Tracer(_));
        let id = self.session.put(v);
        let head = [
            VALUE,
            id,
            dtype_code(aval.dtype),
            f64::from(aval.weak),
            f64::from(traced),
        ];
        self.out.extend(head);
        self.out.push(aval.shape.len() as f64);
        self.out.extend(aval.shape.iter().map(|&n| n as f64));
    }

    /// A counted run of values.
    pub fn values(&mut self, values: Vec<Value>) {
        self.number(values.len() as f64);
        values.into_iter().for_each(|v| self.value(v));
    }

    /// A result of a library function.
    pub fn ret(&mut self, ret: Ret) {
        match ret {
            Ret::None => self.number(NONE),
            Ret::Value(v) => self.value(v),
            Ret::Int(i) => self.out.extend([NUMBER, i as f64]),
            Ret::Float(x) => self.out.extend([FLOAT, x]),
            Ret::Bool(b) => self.out.extend([BOOL, f64::from(b)]),
            Ret::Str(s) => {
                let index = self.session.host.put_string(&s);
                self.out.extend([STR, index.into()]);
            }
            Ret::Record(fields) => {
                self.out.extend([RECORD, fields.len() as f64]);
                for (key, value) in fields {
                    let index = self.session.host.put_string(key);
                    self.number(index.into());
                    self.ret(value);
                }
            }
            Ret::List(items) => {
                self.out.extend([LIST, items.len() as f64]);
                items.into_iter().for_each(|r| self.ret(r));
            }
        }
    }

    /// Puts everything on the session's tape.
    pub fn finish(self) {
        let mut tape = self.session.tape.borrow_mut();
        if tape.len() < self.out.len() {
            tape.resize(self.out.len(), 0.0);
        }
        tape[..self.out.len()].copy_from_slice(&self.out);
    }
}
