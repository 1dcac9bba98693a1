//! Raw storage of arrays: 64-byte aligned blocks, recycled by size class, under a byte budget.
//!
//! The budget is what refuses a 40 GB array with a message instead of a crash: sizes are checked
//! before anything is allocated.

use alloc::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use alloc::{vec, vec::Vec};
use core::cell::RefCell;
use core::ptr::NonNull;

const ALIGN: usize = 64;
/// Blocks of at least this size have few classes, and are all kept for reuse.
const POOLED_FROM: usize = 1 << 12;
/// Blocks up to this size are kept too, on shelves of their own: operations on a few numbers would
/// otherwise spend their time in the general allocator, which is slow at aligned blocks.
const SMALL: usize = 512;
/// A shelf of small blocks holds at most this many.
const SHELF: usize = 256;
/// At most this share of the budget is kept idle.
const IDLE_SHARE: usize = 4;

/// What the engine may allocate while a callback holds views of its memory: this much is known to
/// be there, so that memory does not grow and no view is detached.
const HEADROOM: usize = 16 << 20;

struct Pool {
    budget: usize,
    /// While views are held: bytes that may still be allocated.
    allowance: Option<usize>,
    live: usize,
    peak: usize,
    idle: usize,
    /// Idle small blocks, a shelf for each multiple of the alignment.
    small: [Vec<NonNull<u8>>; SMALL / ALIGN],
    /// Idle large blocks by size class.
    free: Vec<(usize, Vec<NonNull<u8>>)>,
}

local! {
    static POOL: RefCell<Pool> =
        RefCell::new(Pool {
            budget: 1 << 31,
            allowance: None,
            live: 0,
            peak: 0,
            idle: 0,
            small: [const { Vec::new() }; SMALL / ALIGN],
            free: Vec::new(),
        });
}

/// An allocation was refused.
#[derive(Debug, Clone, Copy)]
pub struct OutOfBudget {
    /// Bytes asked for.
    pub requested: usize,
    /// Bytes in use.
    pub live: usize,
    /// The limit.
    pub budget: usize,
    /// Refused because memory must not grow while a callback holds views of it.
    pub while_viewed: bool,
}

/// Runs `body` while the host holds views of memory: allocations stay within a reserve made
/// before, so that memory does not grow under the views.
pub fn without_growth<T>(body: impl FnOnce() -> T) -> T {
    // Freed at once, so that the allocator has it at hand; half again for what is not array storage.
    drop(core::hint::black_box(Vec::<u8>::with_capacity(
        HEADROOM + HEADROOM / 2,
    )));
    let outer = POOL.with_borrow_mut(|p| p.allowance.replace(HEADROOM));
    let out = body();
    POOL.with_borrow_mut(|p| p.allowance = outer);
    out
}

/// Bytes of array storage: now, at the highest, idle in the pool, and the limit.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct MemoryUse {
    pub live: usize,
    pub peak: usize,
    pub idle: usize,
    pub budget: usize,
}

/// The present use of memory.
pub fn memory_use() -> MemoryUse {
    POOL.with_borrow(|p| MemoryUse {
        live: p.live,
        peak: p.peak,
        idle: p.idle,
        budget: p.budget,
    })
}

/// Sets the limit for live array storage in bytes.
pub fn set_budget(bytes: usize) {
    POOL.with_borrow_mut(|p| p.budget = bytes);
}

/// Forgets the highest use seen so far.
pub fn reset_peak() {
    POOL.with_borrow_mut(|p| p.peak = p.live);
}

/// Rounds up to a size class: multiples of an eighth of the enclosing power of two, so that a block
/// wastes at most an eighth.
fn class_of(bytes: usize) -> usize {
    if bytes < POOLED_FROM {
        return bytes.max(ALIGN).next_multiple_of(ALIGN);
    }
    let step = (bytes.next_power_of_two() / 16).max(ALIGN);
    bytes.next_multiple_of(step)
}

fn layout(class: usize) -> Layout {
    Layout::from_size_align(class, ALIGN).unwrap_or(Layout::new::<u64>())
}

impl Pool {
    fn take(&mut self, bytes: usize, zeroed: bool) -> Result<(NonNull<u8>, usize), OutOfBudget> {
        let refused = OutOfBudget {
            requested: bytes,
            live: self.live,
            budget: self.budget,
            while_viewed: false,
        };
        if bytes > self.budget || self.live + bytes > self.budget {
            return Err(refused);
        }
        let class = class_of(bytes);
        if let Some(left) = &mut self.allowance {
            *left = left.checked_sub(class).ok_or(OutOfBudget {
                while_viewed: true,
                ..refused
            })?;
        }
        let recycled = if class <= SMALL {
            self.small[class / ALIGN - 1].pop()
        } else {
            let shelf = self.free.iter_mut().find(|(c, _)| *c == class);
            shelf.and_then(|(_, v)| v.pop())
        };
        let ptr = match recycled {
            Some(ptr) => {
                self.idle -= class;
                if zeroed {
                    // SAFETY: the block is `class` bytes long and no longer referenced.
                    unsafe { ptr.write_bytes(0, class) };
                }
                ptr
            }
            None => {
                // SAFETY: the layout has a non-zero size.
                let raw = unsafe {
                    if zeroed {
                        alloc_zeroed(layout(class))
                    } else {
                        alloc(layout(class))
                    }
                };
                NonNull::new(raw).ok_or(refused)?
            }
        };
        self.live += class;
        self.peak = self.peak.max(self.live);
        Ok((ptr, class))
    }

    fn give(&mut self, ptr: NonNull<u8>, class: usize) {
        self.live -= class;
        let room = self.idle + class <= self.budget / IDLE_SHARE;
        if class <= SMALL && room && self.small[class / ALIGN - 1].len() < SHELF {
            self.idle += class;
            self.small[class / ALIGN - 1].push(ptr);
        } else if class >= POOLED_FROM && room {
            self.idle += class;
            match self.free.iter_mut().find(|(c, _)| *c == class) {
                Some((_, blocks)) => blocks.push(ptr),
                None => self.free.push((class, vec![ptr])),
            }
        } else {
            // SAFETY: allocated in `take` with the same layout.
            unsafe { dealloc(ptr.as_ptr(), layout(class)) };
        }
    }
}

/// An owned block of bytes.
#[derive(Debug)]
pub struct Buffer {
    ptr: NonNull<u8>,
    class: usize,
    len: usize,
}

impl Buffer {
    /// A block whose contents the caller overwrites whole. Recycled blocks hold old numbers.
    pub fn uninit(len: usize) -> Result<Buffer, OutOfBudget> {
        Self::make(len, false)
    }

    /// A block of zeros.
    pub fn zeroed(len: usize) -> Result<Buffer, OutOfBudget> {
        Self::make(len, true)
    }

    fn make(len: usize, zeroed: bool) -> Result<Buffer, OutOfBudget> {
        // `alloc` gives undefined bytes; small blocks are cheap to clear, and large ones are always
        // written by the kernel that asked for them.
        let (ptr, class) = POOL.with_borrow_mut(|p| p.take(len, zeroed))?;
        Ok(Buffer { ptr, class, len })
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address, 64-byte aligned.
    pub fn as_ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // During thread teardown the pool may be gone; then the process ends anyway.
        let _ = POOL.try_with(|p| p.borrow_mut().give(self.ptr, self.class));
    }
}
