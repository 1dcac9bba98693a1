//! The wasm-bindgen surface: the only place that knows JavaScript.
//!
//! Arguments and results cross on a *tape*: a stretch of `f64` in wasm memory that both sides read
//! and write, so that no call builds objects (see `tape`). Every exported function that can fail
//! returns whether it succeeded; the error of a failure is fetched with `last_error`.

mod arrays;
mod calls;
mod control;
mod functions;
mod host;
mod rules;
mod session;
mod tape;
mod transforms;
