//! Writing JSON.

use alloc::string::String;
use core::fmt::Write;

/// Appends a JSON string literal.
pub fn string(out: &mut String, s: &str) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A JSON array of what `item` appends for each element.
pub fn array<T>(out: &mut String, items: &[T], mut item: impl FnMut(&mut String, &T)) {
    out.push('[');
    for (i, x) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        item(out, x);
    }
    out.push(']');
}

/// A JSON object under construction.
pub struct Object<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> Object<'a> {
    /// Opens it.
    pub fn open(out: &'a mut String) -> Object<'a> {
        out.push('{');
        Object { out, first: true }
    }

    /// The place to append the value of a new key.
    pub fn key(&mut self, name: &str) -> &mut String {
        if !core::mem::replace(&mut self.first, false) {
            self.out.push(',');
        }
        string(self.out, name);
        self.out.push(':');
        self.out
    }

    /// A text.
    pub fn text(&mut self, name: &str, value: &str) {
        let out = self.key(name);
        string(out, value);
    }

    /// A text or null.
    pub fn optional_text(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(v) => self.text(name, v),
            None => self.key(name).push_str("null"),
        }
    }

    /// A number.
    pub fn number(&mut self, name: &str, value: usize) {
        let out = self.key(name);
        let _ = write!(out, "{value}");
    }

    /// Closes it.
    pub fn close(self) {
        self.out.push('}');
    }
}
