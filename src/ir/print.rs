//! Printing jaxprs as JAX 0.10 does, together with the range of text of every equation.

use super::{Atom, ClosedJaxpr, Eqn, Jaxpr, Var};
use crate::array::Array;
use crate::decimal::{Decimal, plain, shortest};
use crate::dtype::DType;
use crate::prim::rule::Param;
use crate::span::Site;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec, vec::Vec};

/// JAX's line width.
const WIDTH: usize = 80;

/// A nested jaxpr of more equations than this is pulled out in front.
const INLINE_EQNS: usize = 10;

/// A printed jaxpr.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// The equations in order of appearance, inner ones included.
    pub eqns: Vec<PrintedEqn>,
}

/// Where an equation stands in the text.
#[derive(Clone, Debug)]
pub struct PrintedEqn {
    /// Byte offset of its first character.
    pub from: usize,
    /// Byte offset behind its last.
    pub to: usize,
    /// The primitive's name.
    pub primitive: &'static str,
    /// The call that made it.
    pub site: Site,
    /// Path of equation indices from the outermost jaxpr to here.
    pub path: Vec<usize>,
}

/// Prints a closed jaxpr. Nested jaxprs that occur twice, or are long, stand in front as
/// `let NAME = {…} in`.
pub fn print(closed: &ClosedJaxpr) -> Printed {
    let mut programs = Programs::default();
    let mut printer = Printer {
        shared: shared_jaxprs(&closed.jaxpr, &mut programs),
        programs,
        ..Printer::default()
    };
    let mut out = Layout::default();
    for i in 0..printer.shared.len() {
        let Shared {
            name, jaxpr, path, ..
        } = printer.shared[i].clone();
        let scope = Scope::nested();
        let mut path = path;
        let doc = printer.jaxpr(&jaxpr, &scope, &mut path);
        out.put(&format!("let {name} = "));
        out.render(&doc, 0, false);
        out.put(" in");
        out.new_line(0);
    }
    let scope = Scope::outermost(&closed.jaxpr);
    let doc = printer.jaxpr(&closed.jaxpr, &scope, &mut Vec::new());
    out.render(&doc, 0, false);
    let mut eqns = out.eqns;
    // Those of inner programs come before the one that holds them: only that has to move.
    crate::shape::sort_few(&mut eqns, |e| e.from);
    Printed {
        text: out.text,
        eqns,
    }
}

/// A nested jaxpr printed in front.
#[derive(Clone)]
struct Shared {
    name: String,
    /// Tells equal jaxprs apart from others: the name asked for and the number of the program.
    key: (String, usize),
    jaxpr: Rc<Jaxpr>,
    path: Vec<usize>,
}

/// The nested jaxprs to pull out, breadth first in order of first occurrence.
fn shared_jaxprs(jaxpr: &Rc<Jaxpr>, programs: &mut Programs) -> Vec<Shared> {
    let mut found: Vec<(Shared, usize)> = Vec::new();
    let mut level = vec![(Rc::clone(jaxpr), Vec::new())];
    while !level.is_empty() {
        let mut next = Vec::new();
        for (outer, path) in level {
            for (i, eqn) in outer.eqns.iter().enumerate() {
                for inner in nested(eqn) {
                    let mut path: Vec<usize> = path.clone();
                    path.push(i);
                    let key = share_key(eqn, &inner, programs);
                    match found.iter_mut().find(|(s, _)| s.key == key) {
                        Some((_, count)) => *count += 1,
                        None => {
                            let jaxpr = Rc::clone(&inner);
                            next.push((Rc::clone(&inner), path.clone()));
                            found.push((
                                Shared {
                                    name: String::new(),
                                    key,
                                    jaxpr,
                                    path,
                                },
                                1,
                            ));
                        }
                    }
                }
            }
        }
        level = next;
    }
    let mut out: Vec<Shared> = Vec::new();
    for (mut shared, count) in found {
        if count < 2 && shared.jaxpr.eqns.len() <= INLINE_EQNS {
            continue;
        }
        let base = shared.key.0.clone();
        let taken = |n: &str| out.iter().any(|s| s.name == n);
        let numbered = (1..).map(|n| format!("{base}{n}")).find(|n| !taken(n));
        shared.name = if taken(&base) {
            numbered.unwrap_or_default()
        } else {
            base
        };
        out.push(shared);
    }
    out
}

fn nested(eqn: &Eqn) -> Vec<Rc<Jaxpr>> {
    let params = eqn.op.params().into_iter();
    params
        .flat_map(|(_, p)| match p {
            Param::Jaxpr(inner) => vec![inner.jaxpr],
            Param::Jaxprs(all) => all,
            Param::Text(_) => Vec::new(),
        })
        .collect()
}

fn share_key(eqn: &Eqn, inner: &Rc<Jaxpr>, programs: &mut Programs) -> (String, usize) {
    // Only `jit` lends its name; a custom rule's program is just a jaxpr.
    let is_jit = eqn.op.name() == "jit";
    let name = eqn.op.params().into_iter().find_map(|(k, p)| match p {
        Param::Text(t) if k == "name" && is_jit => Some(t.trim_matches(['<', '>']).to_owned()),
        _ => None,
    });
    (
        name.unwrap_or_else(|| "jaxpr".into()),
        programs.number(inner),
    )
}

/// Numbers for programs: equal ones have the same. Each is looked at once, its nested programs
/// standing in it by their numbers, so that the work does not grow with the depth of nesting.
#[derive(Default)]
struct Programs {
    texts: Vec<String>,
    /// The programs are held, so that no address comes to stand for another one.
    seen: Vec<(Rc<Jaxpr>, usize)>,
}

impl Programs {
    fn number(&mut self, jaxpr: &Rc<Jaxpr>) -> usize {
        if let Some((_, number)) = self.seen.iter().find(|(p, _)| Rc::ptr_eq(p, jaxpr)) {
            return *number;
        }
        let mut printer = Printer {
            programs: core::mem::take(self),
            by_number: true,
            ..Printer::default()
        };
        let doc = printer.jaxpr(jaxpr, &Scope::outermost(jaxpr), &mut Vec::new());
        *self = printer.programs;
        let mut out = Layout::default();
        out.render(&doc, 0, true);
        let known = self.texts.iter().position(|t| *t == out.text);
        let number = known.unwrap_or(self.texts.len());
        if known.is_none() {
            self.texts.push(out.text);
        }
        self.seen.push((Rc::clone(jaxpr), number));
        number
    }
}

/// A document in the style of Wadler's "A prettier printer": groups lie flat if they fit.
enum Doc {
    Text(String),
    /// A space when flat, a new line when broken.
    Line,
    /// Nothing when flat, a new line when broken.
    SoftLine,
    /// Between equations: `; ` when flat, a new line when broken.
    Semicolon,
    Cat(Vec<Doc>),
    Group(Box<Doc>),
    Nest(usize, Box<Doc>),
    /// Marks the text of an equation.
    Eqn(Box<Doc>, &'static str, Site, Vec<usize>),
}

fn text(s: impl Into<String>) -> Doc {
    Doc::Text(s.into())
}

/// Names by variable.
#[derive(Default)]
struct Names(Vec<Option<String>>);

impl Names {
    fn get(&self, v: Var) -> Option<&String> {
        self.0.get(v.index())?.as_ref()
    }

    fn set(&mut self, v: Var, name: String) {
        if self.0.len() <= v.index() {
            self.0.resize(v.index() + 1, None);
        }
        self.0[v.index()] = Some(name);
    }
}

/// Names of one jaxpr's variables, given as they are first printed.
struct Scope {
    names: core::cell::RefCell<Names>,
    /// By variable; those beyond its end are used.
    unused: Vec<bool>,
}

impl Scope {
    /// In a nested jaxpr unused results have names like any other.
    fn nested() -> Scope {
        Scope {
            names: Default::default(),
            unused: Vec::new(),
        }
    }

    fn is_unused(&self, v: Var) -> bool {
        self.unused.get(v.index()).copied().unwrap_or(false)
    }

    fn outermost(jaxpr: &Jaxpr) -> Scope {
        let mut unused = vec![false; jaxpr.avals.len()];
        for v in jaxpr.eqns.iter().flat_map(|e| &e.outputs) {
            unused[v.index()] = true;
        }
        let inputs = jaxpr.eqns.iter().flat_map(|e| &e.inputs);
        for v in inputs.chain(&jaxpr.outvars).filter_map(Atom::var) {
            unused[v.index()] = false;
        }
        Scope {
            names: Default::default(),
            unused,
        }
    }
}

/// Hands out names: `a` … `z`, `ba`, `bb` …, one sequence for the whole print, without the names
/// of jaxprs that stand in front.
#[derive(Default)]
struct Printer {
    next: usize,
    shared: Vec<Shared>,
    programs: Programs,
    /// Nested programs are printed as their numbers.
    by_number: bool,
}

impl Printer {
    fn fresh(&mut self) -> String {
        loop {
            let name = letters(self.next);
            self.next += 1;
            if self.shared.iter().all(|s| s.name != name) {
                return name;
            }
        }
    }

    fn var(&mut self, v: Var, scope: &Scope) -> String {
        if scope.is_unused(v) && scope.names.borrow().get(v).is_none() {
            return "_".into();
        }
        if let Some(name) = scope.names.borrow().get(v) {
            return name.clone();
        }
        let name = self.fresh();
        scope.names.borrow_mut().set(v, name.clone());
        name
    }

    fn atom(&mut self, a: &Atom, scope: &Scope) -> String {
        match a {
            Atom::Var(v) => self.var(*v, scope),
            Atom::Lit(lit) => format!("{}:{}", literal(lit), lit.aval()),
        }
    }

    fn binders(&mut self, vars: &[Var], jaxpr: &Jaxpr, scope: &Scope) -> Doc {
        let typed = |v: &Var| format!("{}:{}", self.var(*v, scope), jaxpr.avals[v.index()]);
        filled(vars.iter().map(typed), "")
    }

    fn atoms(&mut self, atoms: &[Atom], scope: &Scope, separator: &str) -> Doc {
        filled(atoms.iter().map(|a| self.atom(a, scope)), separator)
    }

    fn jaxpr(&mut self, jaxpr: &Jaxpr, scope: &Scope, path: &mut Vec<usize>) -> Doc {
        let mut head = vec![text("{ lambda ")];
        head.push(self.binders(&jaxpr.constvars, jaxpr, scope));
        head.push(text("; "));
        head.push(self.binders(&jaxpr.invars, jaxpr, scope));
        head.push(text(". let"));
        let mut body = vec![Doc::Line];
        for (i, eqn) in jaxpr.eqns.iter().enumerate() {
            path.push(i);
            if i > 0 {
                body.push(Doc::Semicolon);
            }
            body.push(self.eqn(jaxpr, eqn, scope, path));
            path.pop();
        }
        let end = if jaxpr.outvars.len() == 1 {
            ",) }"
        } else {
            ") }"
        };
        let outs = self.atoms(&jaxpr.outvars, scope, ",");
        let parts = vec![
            Doc::Cat(head),
            nest(2, Doc::Cat(body)),
            Doc::Line,
            text("in ("),
            outs,
            text(end),
        ];
        Doc::Group(Box::new(nest(2, Doc::Cat(parts))))
    }

    fn eqn(&mut self, jaxpr: &Jaxpr, eqn: &Eqn, scope: &Scope, path: &mut Vec<usize>) -> Doc {
        let inner_scope = self.inner_scope(eqn, scope);
        let lhs = self.binders(&eqn.outputs, jaxpr, scope);
        let equals = if eqn.outputs.is_empty() { "" } else { " = " };
        let mut parts = vec![lhs, text(format!("{equals}{}", eqn.op.name()))];
        let params = eqn.op.params();
        if !params.is_empty() {
            let mut items = Vec::new();
            for (i, (key, param)) in params.iter().enumerate() {
                items.push(if i == 0 { Doc::SoftLine } else { Doc::Line });
                items.push(text(format!("{key}=")));
                items.push(match param {
                    Param::Text(t) => text(t.clone()),
                    Param::Jaxpr(inner) if eqn.op.name() == "jit" => {
                        self.inner(eqn, &inner.jaxpr, &inner_scope, path)
                    }
                    Param::Jaxpr(inner) => self.inner(eqn, &inner.jaxpr, &Scope::nested(), path),
                    Param::Jaxprs(all) => {
                        let mut docs = vec![text("("), Doc::SoftLine];
                        for (i, inner) in all.iter().enumerate() {
                            if i > 0 {
                                docs.push(Doc::Line);
                            }
                            docs.push(self.inner(eqn, inner, &Scope::nested(), path));
                        }
                        let list = vec![nest(2, Doc::Cat(docs)), Doc::SoftLine, text(")")];
                        Doc::Group(Box::new(Doc::Cat(list)))
                    }
                });
            }
            let items = nest(2, Doc::Cat(items));
            let list = Doc::Cat(vec![text("["), items, Doc::SoftLine, text("]")]);
            parts.push(Doc::Group(Box::new(list)));
        }
        if !eqn.inputs.is_empty() {
            parts.extend([text(" "), self.atoms(&eqn.inputs, scope, "")]);
        }
        Doc::Eqn(
            Box::new(Doc::Cat(parts)),
            eqn.op.name(),
            eqn.site,
            path.clone(),
        )
    }

    /// A nested jaxpr: its name if it stands in front, else itself.
    fn inner(&mut self, eqn: &Eqn, inner: &Rc<Jaxpr>, scope: &Scope, path: &mut Vec<usize>) -> Doc {
        if self.by_number {
            return text(format!("#{}", self.programs.number(inner)));
        }
        match self.in_front(eqn, inner) {
            Some(name) => text(name),
            None => self.jaxpr(inner, scope, path),
        }
    }

    /// The name of a jaxpr that stands in front of the text.
    fn in_front(&mut self, eqn: &Eqn, inner: &Rc<Jaxpr>) -> Option<String> {
        if self.shared.is_empty() {
            return None;
        }
        let key = share_key(eqn, inner, &mut self.programs);
        let shared = self.shared.iter().find(|s| s.key == key)?;
        Some(shared.name.clone())
    }

    /// Names for the jaxpr of an equation. Inside a `jit` arguments and results have the names they
    /// have outside; results get theirs here, before what the equation binds is printed.
    fn inner_scope(&mut self, eqn: &Eqn, outer: &Scope) -> Scope {
        let scope = Scope::nested();
        if eqn.op.name() != "jit" || self.by_number {
            return scope;
        }
        let inner = nested(eqn).pop();
        let Some(inner) = inner.filter(|inner| self.in_front(eqn, inner).is_none()) else {
            return scope;
        };
        let outer_inputs = eqn.inputs.iter().map(Atom::var);
        self.share_names(
            &scope,
            inner.invars.iter().copied().map(Some),
            outer,
            outer_inputs,
        );
        let results = inner.outvars.iter().map(Atom::var);
        self.share_names(
            &scope,
            results,
            outer,
            eqn.outputs.iter().copied().map(Some),
        );
        scope
    }

    /// Gives variables without a name that of their counterpart outside, each only once.
    fn share_names(
        &mut self,
        scope: &Scope,
        vars: impl Iterator<Item = Option<Var>>,
        outer: &Scope,
        like: impl Iterator<Item = Option<Var>>,
    ) {
        let mut given = Vec::new();
        for (v, o) in vars.zip(like) {
            let (Some(v), Some(o)) = (v, o) else { continue };
            if given.contains(&o) || scope.names.borrow().get(v).is_some() {
                continue;
            }
            given.push(o);
            let name = self.var(o, outer);
            scope.names.borrow_mut().set(v, name);
        }
    }
}

/// Items with breaks between them where a line is full.
fn filled(items: impl Iterator<Item = String>, separator: &str) -> Doc {
    let mut parts = Vec::new();
    for (i, item) in items.enumerate() {
        if i > 0 {
            parts.extend([text(separator), Doc::Group(Box::new(Doc::Line))]);
        }
        parts.push(text(item));
    }
    Doc::Group(Box::new(nest(2, Doc::Cat(parts))))
}

fn nest(indent: usize, doc: Doc) -> Doc {
    Doc::Nest(indent, Box::new(doc))
}

/// The number `n` in letters: `a` is 0, `ba` is 26.
fn letters(mut n: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push((b'a' + (n % 26) as u8) as char);
        n /= 26;
        if n == 0 {
            break;
        }
    }
    letters.iter().rev().collect()
}

/// A scalar as JAX writes it into a jaxpr: floats of any width with a float64's digits.
fn literal(a: &Array) -> String {
    if a.numel() != 1 {
        return "…".into();
    }
    let x = a.written();
    match a.dtype() {
        DType::Bool => if x != 0.0 { "True" } else { "False" }.into(),
        DType::I32 | DType::U32 => plain(x, true),
        DType::F32 | DType::F64 => python_float(x),
        DType::Float0 | DType::Key => "(b'',)".into(),
    }
}

/// Python's spelling of a float: `1e-06`, `inf`, `nan`, `1e+16`.
pub fn python_float(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    // Python switches to an exponent at 1e16 and below 1e-4.
    let magnitude = x.abs();
    if x == 0.0 || (1e-4..1e16).contains(&magnitude) {
        return plain(x, false);
    }
    let Decimal { digits, exponent } = shortest(x, false);
    let minus = if x < 0.0 { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{minus}{first}{point}{rest}e{sign}{:02}", exponent.abs())
}

#[derive(Default)]
struct Layout {
    text: String,
    column: usize,
    eqns: Vec<PrintedEqn>,
}

impl Layout {
    fn put(&mut self, s: &str) {
        self.text.push_str(s);
        self.column += s.chars().count();
    }

    fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(core::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    fn render(&mut self, doc: &Doc, indent: usize, flat: bool) {
        match doc {
            Doc::Text(s) => self.put(s),
            Doc::Line if flat => self.put(" "),
            Doc::Semicolon if flat => self.put("; "),
            Doc::SoftLine if flat => {}
            Doc::Line | Doc::SoftLine | Doc::Semicolon => self.new_line(indent),
            Doc::Cat(parts) => parts.iter().for_each(|p| self.render(p, indent, flat)),
            Doc::Nest(n, inner) => self.render(inner, indent + n, flat),
            Doc::Group(inner) => {
                // As in JAX, what follows the group on its line is not looked at.
                let room = WIDTH.checked_sub(self.column);
                let fits = flat || room.is_some_and(|room| width(inner, room).is_some());
                self.render(inner, indent, fits);
            }
            Doc::Eqn(inner, primitive, site, path) => {
                let from = self.text.len();
                self.render(inner, indent, flat);
                let to = self.text.len();
                let path = path.clone();
                self.eqns.push(PrintedEqn {
                    from,
                    to,
                    primitive,
                    site: *site,
                    path,
                });
            }
        }
    }
}

/// The flat width, or `None` if it exceeds `room`.
fn width(doc: &Doc, room: usize) -> Option<usize> {
    let used = match doc {
        Doc::Text(s) => s.chars().count(),
        Doc::Line => 1,
        Doc::SoftLine => 0,
        Doc::Semicolon => 2,
        Doc::Cat(parts) => {
            let mut total = 0;
            for p in parts {
                total += width(p, room.checked_sub(total)?)?;
            }
            total
        }
        Doc::Group(inner) | Doc::Nest(_, inner) | Doc::Eqn(inner, ..) => width(inner, room)?,
    };
    (used <= room).then_some(used)
}
