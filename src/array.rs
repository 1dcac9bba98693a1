//! Concrete arrays: row-major, contiguous, immutable once made, shared by reference counting.

use crate::aval::Aval;
use crate::buffer::Buffer;
use crate::dtype::DType;
use crate::error::Result;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A concrete array. One word: values are moved about all the time, and cloning is counting.
#[derive(Clone, Debug)]
pub struct Array(Rc<Node>);

#[derive(Debug)]
struct Node {
    aval: Aval,
    /// Whether the program has it in hand.
    held: bool,
    storage: Storage,
    /// Where the storage begins.
    at: *const u8,
}

#[derive(Debug)]
enum Storage {
    /// Its own.
    Own {
        /// Kept for as long as the array.
        buffer: Buffer,
    },
    /// That of another array, which has its own.
    Of(Array),
}

/// Where in its block a number as it was written stands, behind its element.
const WRITTEN_AT: usize = 8;

/// The Rust types that elements are stored as.
pub trait Element: Copy + 'static {
    /// The dtype stored as this type. Booleans are stored as `u8` 0 or 1.
    const DTYPE: DType;
}

impl Element for u8 {
    const DTYPE: DType = DType::Bool;
}
impl Element for i32 {
    const DTYPE: DType = DType::I32;
}
impl Element for u32 {
    const DTYPE: DType = DType::U32;
}
impl Element for f32 {
    const DTYPE: DType = DType::F32;
}
impl Element for f64 {
    const DTYPE: DType = DType::F64;
}

impl Array {
    /// Wraps storage; the buffer must hold exactly the aval's bytes.
    pub fn from_buffer(aval: Aval, data: Buffer) -> Array {
        debug_assert_eq!(aval.bytes(), data.len());
        Array::with_storage(aval, data)
    }

    fn with_storage(aval: Aval, buffer: Buffer) -> Array {
        Array(Rc::new(Node {
            aval,
            held: false,
            at: buffer.as_ptr(),
            storage: Storage::Own { buffer },
        }))
    }

    /// The same storage under another aval of equally many bytes.
    fn over(&self, aval: Aval, held: bool) -> Array {
        debug_assert_eq!(aval.bytes(), self.0.aval.bytes());
        Array(Rc::new(Node {
            aval,
            held,
            at: self.0.at,
            storage: Storage::Of(self.root().clone()),
        }))
    }

    /// The array whose own the storage is.
    fn root(&self) -> &Array {
        match &self.0.storage {
            Storage::Own { .. } => self,
            Storage::Of(root) => root,
        }
    }

    /// A copy of `data` with the given shape.
    ///
    /// # Panics
    /// In debug builds, if the element count differs from the shape's.
    pub fn from_slice<T: Element>(data: &[T], shape: &[usize]) -> Result<Array> {
        let mut out = ArrayMut::uninit(Aval::new(shape, T::DTYPE))?;
        out.slice_mut::<T>().copy_from_slice(data);
        Ok(out.freeze())
    }

    /// Zeros of the given aval.
    pub fn zeros(aval: Aval) -> Result<Array> {
        let data = Buffer::zeroed(aval.bytes())?;
        Ok(Array::from_buffer(aval, data))
    }

    /// A scalar of any dtype; the number is converted as JAX converts a Python scalar.
    ///
    /// A weak float keeps the number as it was written: jaxprs show `0.1`, not the float32 next to it.
    pub fn scalar(value: f64, dtype: DType, weak: bool) -> Result<Array> {
        let aval = Aval::new(&[], dtype).with_weak(weak);
        let rounded = value as f32;
        if !weak || dtype != DType::F32 || f64::from(rounded) == value || value.is_nan() {
            return Array::full(value, aval);
        }
        let data = Buffer::uninit(WRITTEN_AT + size_of::<f64>())?;
        // SAFETY: the block is that long, aligned, and not shared yet.
        unsafe {
            data.as_ptr().cast::<f32>().write(rounded);
            data.as_ptr().add(WRITTEN_AT).cast::<f64>().write(value);
        }
        Ok(Array::with_storage(aval, data))
    }

    /// The number of a scalar as it was written in the program, where it still is that number.
    pub fn written(&self) -> f64 {
        match &self.root().0.storage {
            Storage::Own { buffer } if buffer.len() > self.0.aval.bytes() => {
                // SAFETY: only `scalar` makes longer blocks, with the number there.
                unsafe { buffer.as_ptr().add(WRITTEN_AT).cast::<f64>().read() }
            }
            _ => self.number_at(0),
        }
    }

    /// An array filled with one number.
    pub fn full(value: f64, aval: Aval) -> Result<Array> {
        let mut out = ArrayMut::uninit(aval)?;
        match out.aval().dtype {
            DType::Bool => out.slice_mut::<u8>().fill((value != 0.0) as u8),
            DType::I32 => out.slice_mut::<i32>().fill(wrap_i32(value)),
            DType::U32 => out.slice_mut::<u32>().fill(wrap_i32(value) as u32),
            DType::F32 => out.slice_mut::<f32>().fill(value as f32),
            DType::F64 => out.slice_mut::<f64>().fill(value),
            DType::Float0 | DType::Key => out.bytes_mut().fill(0),
        }
        Ok(out.freeze())
    }

    /// What is known of it abstractly.
    pub fn aval(&self) -> &Aval {
        &self.0.aval
    }

    /// Axis sizes.
    pub fn shape(&self) -> &[usize] {
        &self.0.aval.shape
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.0.aval.dtype
    }

    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.0.aval.numel()
    }

    /// The elements, row-major.
    ///
    /// # Panics
    /// In debug builds, if `T` does not store this dtype. The caller has matched on the dtype.
    pub fn as_slice<T: Element>(&self) -> &[T] {
        debug_assert_eq!(T::DTYPE, self.0.aval.dtype);
        // SAFETY: the buffer holds numel elements of T, aligned to 64 bytes, and is never written
        // while shared.
        unsafe { core::slice::from_raw_parts(self.0.at.cast(), self.numel()) }
    }

    /// The raw bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the buffer is that long and initialised.
        unsafe { core::slice::from_raw_parts(self.0.at, self.0.aval.bytes()) }
    }

    /// The address of the first element.
    pub fn as_ptr(&self) -> *const u8 {
        self.0.at
    }

    /// The same storage seen with another shape of equally many elements.
    pub fn reshaped(&self, shape: &[usize]) -> Array {
        let aval = Aval::new(shape, self.dtype()).with_weak(self.0.aval.weak);
        self.over(aval, false)
    }

    /// The same storage of keys seen as the two words of each, along a new last axis.
    pub fn key_words(&self) -> Array {
        let mut aval = Aval::new(self.shape(), DType::U32);
        aval.shape.push(2);
        self.over(aval, false)
    }

    /// The other way round: pairs of words along the last axis seen as keys.
    pub fn as_keys(&self) -> Array {
        let mut aval = Aval::new(self.shape(), DType::Key);
        aval.shape.pop();
        self.over(aval, false)
    }

    /// The same storage with another weakness.
    pub fn with_weak(&self, weak: bool) -> Array {
        self.over(self.0.aval.clone().with_weak(weak), false)
    }

    /// The same array as one that the program has in hand. Closed over by a traced function it is a
    /// constant of the jaxpr even if it has no axes; other scalars are written in as literals.
    pub fn into_held(mut self) -> Array {
        if !self.0.held {
            match Rc::get_mut(&mut self.0) {
                Some(node) => node.held = true,
                None => return self.over(self.0.aval.clone(), true),
            }
        }
        self
    }

    /// Whether the program has it in hand.
    pub fn is_held(&self) -> bool {
        self.0.held
    }

    /// Whether both share their storage.
    pub fn same_storage(&self, other: &Array) -> bool {
        Rc::ptr_eq(&self.root().0, &other.root().0)
    }

    /// How many hold the storage.
    pub fn holders(&self) -> usize {
        let here = Rc::strong_count(&self.0);
        match &self.0.storage {
            Storage::Own { .. } => here,
            // One of the root's is this array itself, however often that is held.
            Storage::Of(root) => here + Rc::strong_count(&root.0) - 1,
        }
    }

    /// The element at a flat index as a number (booleans as 0 and 1).
    pub fn number_at(&self, index: usize) -> f64 {
        match self.0.aval.dtype {
            DType::Bool => self.as_slice::<u8>()[index].into(),
            DType::I32 => self.as_slice::<i32>()[index].into(),
            DType::U32 => self.as_slice::<u32>()[index].into(),
            DType::F32 => self.as_slice::<f32>()[index].into(),
            DType::F64 => self.as_slice::<f64>()[index],
            DType::Float0 | DType::Key => 0.0,
        }
    }

    /// All elements as numbers, row-major.
    pub fn to_f64(&self) -> Vec<f64> {
        (0..self.numel()).map(|i| self.number_at(i)).collect()
    }
}

/// An array being written: not shared yet.
#[derive(Debug)]
pub struct ArrayMut {
    aval: Aval,
    data: Buffer,
}

impl ArrayMut {
    /// Storage whose every element the caller writes.
    pub fn uninit(aval: Aval) -> Result<ArrayMut> {
        let data = Buffer::uninit(aval.bytes())?;
        Ok(ArrayMut { aval, data })
    }

    /// Storage of zeros.
    pub fn zeroed(aval: Aval) -> Result<ArrayMut> {
        let data = Buffer::zeroed(aval.bytes())?;
        Ok(ArrayMut { aval, data })
    }

    /// A writable copy of an array.
    pub fn copy_of(array: &Array) -> Result<ArrayMut> {
        let mut out = ArrayMut::uninit(array.aval().clone())?;
        out.bytes_mut().copy_from_slice(array.bytes());
        Ok(out)
    }

    /// What it will be.
    pub fn aval(&self) -> &Aval {
        &self.aval
    }

    /// The elements to write.
    ///
    /// # Panics
    /// In debug builds, if `T` does not store this dtype.
    pub fn slice_mut<T: Element>(&mut self) -> &mut [T] {
        debug_assert_eq!(T::DTYPE, self.aval.dtype);
        // SAFETY: uniquely owned, aligned, and numel elements long.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_ptr().cast(), self.aval.numel()) }
    }

    /// The bytes to write.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: uniquely owned and that long.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_ptr(), self.aval.bytes()) }
    }

    /// The address of the first element.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.data.as_ptr()
    }

    /// Done writing.
    pub fn freeze(self) -> Array {
        Array::from_buffer(self.aval, self.data)
    }
}

/// Wraps like a C cast through 64 bits: what NumPy does with an out-of-range Python integer.
fn wrap_i32(value: f64) -> i32 {
    value as i64 as i32
}
