//! Random keys and the bits they stand for: Threefry-2x32, JAX's generator, with counters that do not
//! depend on how many numbers are drawn (`jax_threefry_partitionable`).
//!
//! A key is an element of its own dtype, `key<fry>`: the two words of a raw key seen as one element of
//! eight bytes, so that whatever moves elements moves keys.

use super::elementwise::nonlinear;
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{mismatch, operands};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::shape::{Shape, numel, tuple};
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

/// What is done with keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Integers to keys.
    Seed,
    /// Pairs of uint32 along the last axis to keys.
    Wrap,
    /// Keys to pairs of uint32 along a new last axis.
    Unwrap,
    /// Each key to new keys of the shape.
    Split,
    /// Each key and its uint32 to one new key.
    FoldIn,
    /// Each key to uint32 of the shape.
    Bits,
    /// Each key to float64 of the shape, uniform in [1, 2): 64 bits of which the upper 52 are kept.
    Doubles,
}

/// A primitive on keys. Operands may have any shape: it is applied to each element.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Random {
    /// What is done.
    pub step: Step,
    /// The shape drawn from each key, where the step has one.
    pub shape: Shape,
}

impl Random {
    fn result(&self, x: &Aval) -> Aval {
        let mut shape = x.shape.clone();
        let dtype = match self.step {
            Step::Seed | Step::FoldIn => DType::Key,
            Step::Wrap => {
                shape.pop();
                DType::Key
            }
            Step::Unwrap => {
                shape.push(2);
                DType::U32
            }
            step => {
                shape.extend_from_slice(&self.shape);
                match step {
                    Step::Split => DType::Key,
                    Step::Bits => DType::U32,
                    _ => DType::F64,
                }
            }
        };
        Aval::new(&shape, dtype)
    }
}

impl Primitive for Random {
    fn name(&self) -> &'static str {
        match self.step {
            Step::Seed => "random_seed",
            Step::Wrap => "random_wrap",
            Step::Unwrap => "random_unwrap",
            Step::Split => "random_split",
            Step::FoldIn => "random_fold_in",
            Step::Bits | Step::Doubles => "random_bits",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let text = |t: &str| Param::Text(t.into());
        let shape = ("shape", Param::Text(tuple(&self.shape)));
        match self.step {
            Step::Seed | Step::Wrap => vec![("impl", text("fry"))],
            Step::Unwrap | Step::FoldIn => vec![],
            Step::Split => vec![shape],
            Step::Bits => vec![("bit_width", text("32")), shape],
            Step::Doubles => vec![("bit_width", text("64")), shape],
        }
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let (x, fits) = match self.step {
            Step::FoldIn => {
                let [x, data] = operands(self.name(), avals)?;
                let fits =
                    x.dtype == DType::Key && data.dtype == DType::U32 && x.shape == data.shape;
                (x, fits)
            }
            step => {
                let [x] = operands(self.name(), avals)?;
                let fits = match step {
                    Step::Seed => x.dtype.is_int(),
                    Step::Wrap => x.dtype == DType::U32 && x.shape.last() == Some(&2),
                    _ => x.dtype == DType::Key,
                };
                (x, fits)
            }
        };
        if !fits {
            let message = format!("{} does not take {}", self.name(), x.long());
            return Err(mismatch(Class::TypeError, message, avals));
        }
        Ok(vec![self.result(x)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        match self.step {
            Step::Wrap => return Ok(vec![x.as_keys()]),
            Step::Unwrap => return Ok(vec![x.key_words()]),
            _ => {}
        }
        let mut out = ArrayMut::uninit(self.result(x.aval()))?;
        let count = numel(&self.shape);
        let bytes = out.bytes_mut();
        match self.step {
            Step::Seed => {
                for (to, seed) in bytes.chunks_exact_mut(8).zip(x.bytes().chunks_exact(4)) {
                    to[..4].fill(0);
                    to[4..].copy_from_slice(seed);
                }
            }
            Step::FoldIn => {
                let keys = x.bytes().chunks_exact(8).map(pair);
                let data = args[1].bytes().chunks_exact(4).map(word);
                for (to, (key, data)) in bytes.chunks_exact_mut(8).zip(keys.zip(data)) {
                    put(to, threefry(key, [0, data]));
                }
            }
            step => {
                if count >> 31 > 1 {
                    return Err(Error::internal("too many random numbers from one key"));
                }
                let width = if step == Step::Bits { 4 } else { 8 };
                let places = bytes.chunks_exact_mut(width);
                let keys = x.bytes().chunks_exact(8).map(pair);
                let draws =
                    keys.flat_map(|key| (0..count as u32).map(move |i| threefry(key, [0, i])));
                for (to, [high, low]) in places.zip(draws) {
                    match step {
                        Step::Split => put(to, [high, low]),
                        Step::Bits => to.copy_from_slice(&(high ^ low).to_le_bytes()),
                        _ => {
                            let bits = (u64::from(high) << 32 | u64::from(low)) >> 12;
                            to.copy_from_slice(&(bits | 1.0f64.to_bits()).to_le_bytes());
                        }
                    }
                }
            }
        }
        Ok(vec![out.freeze()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear(self.name()))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let mut lanes = args.to_vec();
        for (v, _) in lanes.iter_mut().zip(batched).filter(|(_, b)| !**b) {
            *v = cx.with_leading_axis(v, size)?;
        }
        Ok((cx.bind(self, &lanes)?, vec![true]))
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |w, b| w << 8 | u32::from(*b))
}

fn pair(bytes: &[u8]) -> [u32; 2] {
    [word(&bytes[..4]), word(&bytes[4..])]
}

fn put(to: &mut [u8], [first, second]: [u32; 2]) {
    to[..4].copy_from_slice(&first.to_le_bytes());
    to[4..].copy_from_slice(&second.to_le_bytes());
}

/// Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"): the
/// block that a key gives for a counter.
pub fn threefry(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    const TURNS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1bd1_1bda];
    let mut x = counter[0].wrapping_add(keys[0]);
    let mut y = counter[1].wrapping_add(keys[1]);
    for group in 0..5 {
        for turn in TURNS[group % 2] {
            x = x.wrapping_add(y);
            y = y.rotate_left(turn) ^ x;
        }
        x = x.wrapping_add(keys[(group + 1) % 3]);
        y = y
            .wrapping_add(keys[(group + 2) % 3])
            .wrapping_add(group as u32 + 1);
    }
    [x, y]
}

impl Ctx {
    /// A primitive on keys with one operand.
    pub fn random(&self, step: Step, x: &Value, shape: &[usize]) -> Result<Value> {
        let shape = Shape::from_slice(shape);
        self.bind1(&Random { step, shape }, core::slice::from_ref(x))
    }

    /// A new key from a key and a uint32.
    pub fn fold_in(&self, key: &Value, data: &Value) -> Result<Value> {
        let op = Random {
            step: Step::FoldIn,
            shape: Shape::new(),
        };
        self.bind1(&op, &[key.clone(), data.clone()])
    }
}
