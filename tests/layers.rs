//! The rules of the source tree that no compiler checks: which layer may use which, how long a file may
//! be, and what may not stand in it. Each failure names the file and the line.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The engine's modules, lowest first: a module uses only its own line and those above it.
const LAYERS: &[&[&str]] = &[
    &[
        "local", "decimal", "error", "span", "dtype", "shape", "aval", "buffer", "array", "expr",
        "value",
    ],
    &["kernel"],
    &["runtime"],
    &["ir", "prim"],
    &["pass"],
    &["interp"],
    &["transform"],
    &["api"],
    &["diagnose"],
    &["wasm"],
];

/// Longest file, doc comments included. A longer one holds more than one idea.
const MAX_LINES: usize = 600;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

#[test]
fn modules_use_only_the_layers_below_them() {
    let mut faults = Faults::default();
    for file in engine_files() {
        let Some(here) = layer_of(top_module(&file.name)) else {
            if file.name != "src/lib.rs" {
                faults.add(&file, 1, "is in no layer: add its module to LAYERS");
            }
            continue;
        };
        for (line, module) in used_modules(&file) {
            if layer_of(&module).is_some_and(|there| there > here) {
                let fault = format!(
                    "uses `{module}`, which is above `{}`",
                    top_module(&file.name)
                );
                faults.add(&file, line, &fault);
            }
        }
    }
    faults.report("Modules may use only their own layer and those below it");
}

#[test]
fn only_the_wasm_module_knows_javascript() {
    let mut faults = Faults::default();
    for file in engine_files()
        .iter()
        .filter(|file| top_module(&file.name) != "wasm")
    {
        for (line, text) in numbered(&file.code) {
            for name in ["wasm_bindgen", "js_sys", "web_sys"] {
                if text.contains(name) {
                    faults.add(file, line, &format!("uses `{name}`"));
                }
            }
        }
    }
    faults.report("Only src/wasm may touch JavaScript");
}

#[test]
fn no_file_is_longer_than_six_hundred_lines() {
    let mut faults = Faults::default();
    for file in sources(&["src", "www", "scripts", "bench"]) {
        let lines = file.text.lines().count();
        let exempt = LONG_FILES.iter().any(|(name, _)| *name == file.name);
        if lines > MAX_LINES && !exempt && !is_test_file(&file.name) {
            faults.add(
                &file,
                lines,
                &format!("has {lines} lines: split it by meaning"),
            );
        }
    }
    faults.report("Files are at most 600 lines");
}

#[test]
fn nothing_is_left_to_be_done_later() {
    // Spelled in halves, so that this file does not find itself.
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
    ];
    let mut faults = Faults::default();
    for file in sources(&["src", "www", "scripts", "bench", "tests"]) {
        for (line, text) in numbered(&file.text) {
            for mark in marks.iter().filter(|mark| contains_word(text, mark)) {
                faults.add(&file, line, &format!("has {mark}"));
            }
        }
    }
    faults.report("Unfinished work is an issue, not a mark in the code");
}

#[test]
fn every_unwrap_states_its_invariant() {
    let mut faults = Faults::default();
    for file in engine_files() {
        let text: Vec<&str> = file.text.lines().collect();
        for (line, code) in numbered(&file.code) {
            let reason = |line: usize| {
                text[..line]
                    .last()
                    .is_some_and(|l| l.contains("// invariant:"))
            };
            if code.contains(".unwrap()") && !reason(line) && !reason(line - 1) {
                faults.add(&file, line, "unwraps without an `// invariant:` comment");
            }
        }
    }
    faults.report("An unwrap says, on its line or the one before, why it cannot fail");
}

#[test]
fn typescript_keeps_its_types() {
    let mut faults = Faults::default();
    for file in sources(&["www", "tests", "bench"]) {
        if !(file.name.ends_with(".ts") || file.name.ends_with(".tsx")) {
            continue;
        }
        for (line, text) in numbered(&file.text) {
            if has_any_type(text) {
                faults.add(&file, line, "uses the type `any`");
            }
            for mark in [concat!("@ts-", "ignore"), concat!("@ts-", "nocheck")] {
                if text.contains(mark) {
                    faults.add(&file, line, &format!("has {mark}"));
                }
            }
        }
    }
    faults.report("TypeScript is checked everywhere");
}

/// A source file: its path from the project's folder, its text, and for Rust its `code`, the same lines
/// without comments, the contents of strings, and test modules.
struct Source {
    name: String,
    text: String,
    code: String,
}

#[derive(Default)]
struct Faults(String);

impl Faults {
    fn add(&mut self, file: &Source, line: usize, fault: &str) {
        let _ = writeln!(self.0, "  {}:{line} {fault}", file.name);
    }

    fn report(self, rule: &str) {
        assert!(self.0.is_empty(), "{rule}:\n{}", self.0);
    }
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

/// The engine's files other than those that hold only tests.
fn engine_files() -> Vec<Source> {
    let mut files = sources(&["src"]);
    files.retain(|file| file.name.ends_with(".rs") && !is_test_file(&file.name));
    files
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            let relative = path.strip_prefix(root).expect("it was found under root");
            let name = relative.to_string_lossy().replace('\\', "/");
            let code = if name.ends_with(".rs") {
                without_tests(&without_comments_and_strings(&text))
            } else {
                String::new()
            };
            Source { name, text, code }
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a folder of the project is readable").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| {
            ["rs", "ts", "tsx", "mjs", "css", "html", "py"]
                .iter()
                .any(|known| extension == *known)
        }) {
            paths.push(path);
        }
    }
}

fn is_test_file(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.contains("/tests/") || file.starts_with("tests.") || file.contains("test.ts")
}

/// The first module name of an engine file: `ir` for `src/ir/build.rs`, `shape` for `src/shape.rs`.
fn top_module(name: &str) -> &str {
    let inner = name.strip_prefix("src/").unwrap_or(name);
    let first = inner.split('/').next().unwrap_or(inner);
    first.strip_suffix(".rs").unwrap_or(first)
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The crate's modules that a file names, with lines: by `crate::name`, by `crate::{name, …}` over any
/// number of lines, and by `super::` often enough to reach the crate.
fn used_modules(file: &Source) -> Vec<(usize, String)> {
    let code = &file.code;
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].chars().next_back().is_none_or(|c| !is_name(c)) {
            note_names(code, at + "crate::".len(), &mut found);
        }
    }
    // `src/ir/build.rs` is `crate::ir::build`: two steps up is the crate.
    let inner = file
        .name
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .trim_end_matches("/mod");
    let up = "super::".repeat(inner.split('/').count());
    for (at, _) in code.match_indices(&up) {
        if code[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !is_name(c) && c != ':')
        {
            note_names(code, at + up.len(), &mut found);
        }
    }
    found
}

/// Adds the names at `start`: one, or the first of each path in a group in braces.
fn note_names(code: &str, start: usize, found: &mut Vec<(usize, String)>) {
    let mut add = |at: usize| {
        let name: String = code[at..].chars().take_while(|c| is_name(*c)).collect();
        if !name.is_empty() {
            found.push((code[..at].matches('\n').count() + 1, name));
        }
    };
    if !code[start..].starts_with('{') {
        return add(start);
    }
    let mut depth = 0;
    let mut expecting = false;
    for (offset, c) in code[start..].char_indices() {
        match c {
            '{' => {
                depth += 1;
                expecting = depth == 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            ',' if depth == 1 => expecting = true,
            c if expecting && is_name(c) => {
                expecting = false;
                add(start + offset);
            }
            _ => {}
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        before.is_none_or(|c| !is_name(c))
            && after.is_none_or(|c| !is_name(c) || word.ends_with('('))
    })
}

/// Whether a line of TypeScript has `any` where a type stands.
fn has_any_type(line: &str) -> bool {
    line.match_indices("any").any(|(at, word)| {
        let before = line[..at].trim_end();
        let opens = before.ends_with([':', '<', '|', '&']) || before.ends_with(" as");
        let after = line[at + word.len()..].trim_start();
        opens
            && (after.is_empty()
                || after.starts_with([';', ',', ')', '>', '=', '[', ']', '|', '&', '{', '}']))
    })
}

/// Rust source with comments and the contents of literals blanked out; lines stay where they are.
fn without_comments_and_strings(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_blank(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
            continue;
        }
        out.extend(
            chars[at..end]
                .iter()
                .map(|c| if *c == '\n' { '\n' } else { ' ' }),
        );
        at = end;
    }
    out
}

/// The end of the comment or literal that starts at `at`, or `at` when none does.
fn end_of_blank(chars: &[char], at: usize) -> usize {
    let from = |offset: usize| chars.get(at + offset).copied().unwrap_or('\0');
    let find = |start: usize, wanted: &[char]| {
        (start..chars.len())
            .find(|i| chars[*i..].starts_with(wanted))
            .map_or(chars.len(), |i| i + wanted.len())
    };
    let inside_name = at > 0 && is_name(chars[at - 1]);
    match (from(0), from(1)) {
        ('/', '/') => find(at, &['\n']) - 1,
        ('/', '*') => find(at + 2, &['*', '/']),
        ('r', '"' | '#') if !inside_name => {
            let hashes = (1..).take_while(|i| from(*i) == '#').count();
            if from(hashes + 1) != '"' {
                return at;
            }
            let mut closing = vec!['"'];
            closing.extend(std::iter::repeat_n('#', hashes));
            find(at + hashes + 2, &closing)
        }
        ('"', _) => skip_escaped(chars, at + 1, '"'),
        // A character, unless it is a lifetime.
        ('\'', '\\') => skip_escaped(chars, at + 1, '\''),
        ('\'', _) if from(2) == '\'' => at + 3,
        _ => at,
    }
}

fn skip_escaped(chars: &[char], mut at: usize, closing: char) -> usize {
    while at < chars.len() && chars[at] != closing {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// Blanks out what stands under `#[cfg(test)]`: tests may use any layer.
fn without_tests(code: &str) -> String {
    let mut out = code.to_string();
    while let Some(start) = out.find("#[cfg(test)]") {
        let rest = &out[start..];
        let open = rest.find('{').unwrap_or(rest.len());
        let mut end = rest.find(';').map_or(rest.len(), |at| at + 1);
        if open < end {
            let mut depth = 0;
            end = rest.len();
            for (offset, c) in rest.char_indices().skip_while(|(offset, _)| *offset < open) {
                depth += i32::from(c == '{') - i32::from(c == '}');
                if depth == 0 {
                    end = offset + c.len_utf8();
                    break;
                }
            }
        }
        let blank: String = rest[..end]
            .chars()
            .map(|c| if c == '\n' { '\n' } else { ' ' })
            .collect();
        out.replace_range(start..start + end, &blank);
    }
    out
}

#[test]
fn the_checks_themselves_see_through_comments_strings_and_tests() {
    let source = |text: &str| Source {
        name: "src/ir/build.rs".into(),
        text: text.into(),
        code: without_tests(&without_comments_and_strings(text)),
    };
    let names = |text: &str| {
        used_modules(&source(text))
            .into_iter()
            .map(|(line, name)| format!("{line}:{name}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names("// crate::wasm\nuse crate::pass::dce;"), "2:pass");
    assert_eq!(
        names("let s = \"crate::wasm\"; let c = '\"'; crate::api::f()"),
        "1:api"
    );
    assert_eq!(names("use crate::{\n  a::{b, c},\n  d,\n};"), "2:a 3:d");
    assert_eq!(
        names("#[cfg(test)]\nmod tests { use crate::wasm::X; }\nuse crate::e;"),
        "3:e"
    );
    assert_eq!(names("use super::super::pass::run;"), "1:pass");
    assert_eq!(
        names("fn f<'a>(x: &'a str) { r#\"crate::x \"# ; crate::y }"),
        "1:y"
    );
    assert!(has_any_type("const x: any = 1") && has_any_type("x as any;"));
    assert!(!has_any_type("// as any other") && !has_any_type("type: anyThing"));
}
