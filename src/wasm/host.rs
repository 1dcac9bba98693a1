//! What the JavaScript side provides.

use alloc::string::String;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The object handed to `start`.
    pub type Host;

    /// Calls the JavaScript function `id` with the values on the tape; its results come back on
    /// the tape.
    #[wasm_bindgen(method, catch, js_name = callFunction)]
    pub fn call_function(this: &Host, id: u32) -> Result<(), JsValue>;

    /// Calls the buffer callback `id`; the tape describes operands and results in memory.
    #[wasm_bindgen(method, catch, js_name = callBuffer)]
    pub fn call_buffer(this: &Host, id: u32) -> Result<(), JsValue>;

    /// The function `id` is no longer needed.
    #[wasm_bindgen(method, js_name = dropFunction)]
    pub fn drop_function(this: &Host, id: u32);

    /// Names of the leaves of the arguments of function `id`, one per line.
    #[wasm_bindgen(method, js_name = argumentNames)]
    pub fn argument_names(this: &Host, id: u32) -> String;

    /// The text behind a STR entry on the tape.
    #[wasm_bindgen(method, js_name = takeString)]
    pub fn take_string(this: &Host, index: u32) -> String;

    /// Stores a text for a STR entry on the tape.
    #[wasm_bindgen(method, js_name = putString)]
    pub fn put_string(this: &Host, text: &str) -> u32;
}
