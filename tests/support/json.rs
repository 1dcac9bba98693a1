//! Enough of JSON to read recorded answers. Numbers are doubles; `NaN` and `Infinity`, which Python
//! writes, are numbers too.
#![allow(dead_code)]

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut p = Parser {
            bytes: text.as_bytes(),
            at: 0,
        };
        let value = p.value();
        p.blanks();
        assert_eq!(p.at, p.bytes.len(), "text after the value");
        value
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.get(key).filter(|v| **v != Json::Null),
            _ => None,
        }
    }

    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => panic!("not a list: {self:?}"),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(s) => s,
            _ => panic!("not a text: {self:?}"),
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Json::Number(n) => *n,
            Json::Bool(b) => f64::from(u8::from(*b)),
            _ => panic!("not a number: {self:?}"),
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }

    pub fn numbers(&self) -> Vec<f64> {
        self.list().iter().map(Json::number).collect()
    }

    pub fn sizes(&self) -> Vec<usize> {
        self.numbers().into_iter().map(|n| n as usize).collect()
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let there = self.bytes[self.at..].starts_with(token.as_bytes());
        if there {
            self.at += token.len();
        }
        there
    }

    fn next_is(&mut self, c: u8) -> bool {
        self.blanks();
        let there = self.bytes.get(self.at) == Some(&c);
        if there {
            self.at += 1;
        }
        there
    }

    fn value(&mut self) -> Json {
        self.blanks();
        for (token, value) in [
            ("null", Json::Null),
            ("true", Json::Bool(true)),
            ("false", Json::Bool(false)),
            ("NaN", Json::Number(f64::NAN)),
            ("Infinity", Json::Number(f64::INFINITY)),
            ("-Infinity", Json::Number(f64::NEG_INFINITY)),
        ] {
            if self.eat(token) {
                return value;
            }
        }
        match self.bytes[self.at] {
            b'"' => Json::Text(self.string()),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.next_is(b']') {
                    items.push(self.value());
                    self.next_is(b',');
                }
                Json::List(items)
            }
            b'{' => {
                self.at += 1;
                let mut fields = BTreeMap::new();
                while !self.next_is(b'}') {
                    self.blanks();
                    let key = self.string();
                    assert!(self.next_is(b':'), "a colon after {key}");
                    fields.insert(key, self.value());
                    self.next_is(b',');
                }
                Json::Object(fields)
            }
            _ => {
                let start = self.at;
                while self
                    .bytes
                    .get(self.at)
                    .is_some_and(|c| c.is_ascii_digit() || b"+-.eE".contains(c))
                {
                    self.at += 1;
                }
                let text = std::str::from_utf8(&self.bytes[start..self.at]).expect("ascii");
                Json::Number(
                    text.parse()
                        .unwrap_or_else(|_| panic!("not JSON: {text:?}")),
                )
            }
        }
    }

    fn string(&mut self) -> String {
        assert_eq!(self.bytes[self.at], b'"', "a string at {}", self.at);
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let c = self.bytes[self.at];
            self.at += 1;
            match c {
                b'"' => return String::from_utf8(out).expect("UTF-8"),
                b'\\' => {
                    let c = self.bytes[self.at];
                    self.at += 1;
                    let decoded = match c {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => {
                            let hex = std::str::from_utf8(&self.bytes[self.at..self.at + 4]);
                            self.at += 4;
                            let code = u32::from_str_radix(hex.expect("ascii"), 16);
                            char::from_u32(code.expect("hex")).unwrap_or('\u{fffd}')
                        }
                        c => c as char,
                    };
                    out.extend(decoded.to_string().bytes());
                }
                c => out.push(c),
            }
        }
    }
}
