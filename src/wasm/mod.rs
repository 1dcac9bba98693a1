//! The wasm-bindgen surface: the only place that knows JavaScript.
//!
//! Arguments and results cross on a *tape*: a stretch of `f64` in wasm memory that both sides read
//! and write, so that no call builds objects (see `tape`). Every exported function that can fail
//! returns whether it succeeded; the error of a failure is fetched with `last_error`.

use core::panic::PanicInfo;

/// A panic is a trap and no more: what JavaScript says of it has the place, by number of function, and the
/// thousand messages that could be said of bounds and the like need not be downloaded by everyone.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

mod arrays;
mod calls;
mod control;
mod functions;
mod host;
mod rules;
mod session;
mod tape;
mod transforms;
