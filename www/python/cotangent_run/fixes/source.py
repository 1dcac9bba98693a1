"""A program's text with what is known of it: its tree, what its names stand for, where things are."""

from __future__ import annotations

import ast
import builtins
import keyword
from typing import Any, Callable, TypeVar

#: What is known of a failure: www/lib/fixes/failure.ts's Failure, read from JSON.
Failure = dict[str, Any]
#: A fix as www/lib/report.ts has it.
Fix = dict[str, Any]
#: From a program to a fix of it, or None.
Attempt = Callable[["Source"], "Fix | None"]

Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_N = TypeVar("_N", bound=ast.AST)


class Source:
    """One program. Positions are offsets in characters of Python's text; edits are made in order at the end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.edits: list[tuple[int, int, str]] = []
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._lines = text.split("\n")
        self._parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
        self.imports: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    self.imports[name] = alias.name if alias.asname else name
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        self.taken = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        self.taken |= {node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)}
        self.taken |= {
            node.name for node in ast.walk(self.tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        } | set(self.imports) | set(dir(builtins)) | set(keyword.kwlist)

    # -- places ---------------------------------------------------------------------------------------------------

    def _offset(self, line: int, column: int) -> int:
        """From a line from 1 and a column in UTF-8 bytes."""
        text = self._lines[line - 1]
        return self._starts[line - 1] + len(text.encode()[:column].decode(errors="replace"))

    def start(self, node: Any) -> int:
        """Where a node begins; a decorated function begins at its first decorator."""
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            return self._starts[decorators[0].lineno - 1] + self.indent_of(decorators[0].lineno)
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:
        """Where a node ends, exclusive."""
        return self._offset(node.end_lineno, node.end_col_offset)

    def slice(self, node: Any) -> str:
        """The text of a node."""
        return self.text[self._offset(node.lineno, node.col_offset) : self.end(node)]

    def indent_of(self, line: int) -> int:
        """How far a line is indented."""
        text = self._lines[line - 1]
        return len(text) - len(text.lstrip())

    def _span(self, span: dict[str, int]) -> tuple[int, int]:
        """Offsets of a span, whose columns are from 1 in UTF-16."""
        def offset(line: int, column: int) -> int:
            text = self._lines[line - 1]
            units = text.encode("utf-16-le")[: 2 * (column - 1)]
            return self._starts[line - 1] + len(units.decode("utf-16-le", errors="replace"))

        return offset(span["line"], span["column"]), offset(span["endLine"], span["endColumn"])

    # -- nodes ----------------------------------------------------------------------------------------------------

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that a node stands in."""
        return self._parents.get(node)

    def above(self, node: ast.AST, *kinds: Any) -> Any:
        """The nearest node of a kind that a node stands in."""
        up = self.parent(node)
        while up is not None and not isinstance(up, kinds):
            up = self.parent(up)
        return up

    def statement(self, node: ast.AST) -> Any:
        """The statement that a node stands in, or is."""
        return node if isinstance(node, ast.stmt) else self.above(node, ast.stmt)

    def at(self, span: dict[str, int] | None, *kinds: Any) -> Any:
        """The smallest node of a kind that covers a span; None where there is none."""
        if span is None:
            return None
        low, high = self._span(span)
        best: Any = None
        for node in ast.walk(self.tree):
            if isinstance(node, kinds) and hasattr(node, "lineno"):
                start, end = self._offset(node.lineno, node.col_offset), self.end(node)
                if start <= low and high <= end and (best is None or end - start < best[0]):
                    best = (end - start, node)
        return best and best[1]

    def calls(self) -> list[ast.Call]:
        """All calls of the program."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    # -- names ----------------------------------------------------------------------------------------------------

    def path(self, node: ast.AST | None) -> str:
        """What a name or attribute stands for, as `jax.numpy.sum`; empty where it is not known."""
        if isinstance(node, ast.Name):
            return self.imports.get(node.id, "")
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return f"{base}.{node.attr}" if base else ""
        return ""

    def library(self, path: str) -> str:
        """How the program spells a name of a library, with an import where it has none."""
        for name, known in self.imports.items():
            if known == path:
                return name
        module, _, last = path.rpartition(".")
        for name, known in self.imports.items():
            if known == module or (known == "jax" and path.startswith("jax.") and module == "jax"):
                return f"{name}.{last}"
        if path.startswith("jax.lax.") and "jax" in self.imports:
            return path
        if path == "jax.numpy":
            return self._import("import jax.numpy as jnp", "jnp", path)
        if module == "jax.numpy":
            return f"{self.library('jax.numpy')}.{last}"
        self._import("import jax", "jax", "jax")
        return path

    def _import(self, line: str, name: str, path: str) -> str:
        self.imports[name] = path
        first = next((node for node in self.tree.body if not _is_docstring(node)), None)
        at = self.start(first) if first is not None else len(self.text)
        self.edits.append((at, at, line + "\n"))
        return name

    def fresh(self, wanted: str) -> str:
        """A name that nothing in the program has."""
        name, n = wanted, 2
        while name in self.taken:
            name, n = f"{wanted}_{n}", n + 1
        self.taken.add(name)
        return name

    def definition(self, node: ast.AST | None, near: ast.AST | None = None) -> Any:
        """The function that a name stands for, or the value that is assigned to it, if that happens once."""
        if not isinstance(node, ast.Name):
            return node
        found: list[Any] = []
        for other in ast.walk(self.tree):
            if isinstance(other, (ast.FunctionDef, ast.ClassDef)) and other.name == node.id:
                found.append(other)
            elif isinstance(other, ast.Assign):
                for target in other.targets:
                    if isinstance(target, ast.Name) and target.id == node.id:
                        found.append(other.value)
        return found[0] if len(found) == 1 else None

    def local_names(self, function: Any) -> set[str]:
        """Names that a function binds: its parameters and what is assigned in it."""
        args = function.args
        names = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg) if a}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.FunctionDef) and node is not function:
                names.add(node.name)
        return names

    # -- edits ----------------------------------------------------------------------------------------------------

    def replace(self, node: Any, text: str) -> None:
        """Puts text in the place of a node."""
        self.edits.append((self._offset(node.lineno, node.col_offset), self.end(node), text))

    def wrap(self, node: Any, before: str, after: str) -> None:
        """Puts text around a node."""
        at, end = self._offset(node.lineno, node.col_offset), self.end(node)
        self.edits += [(at, at, before), (end, end, after)]

    def before(self, statement: Any, lines: list[str]) -> None:
        """Puts lines before a statement, as far indented as it is."""
        at = self.start(statement)
        indent = " " * (at - self.text.rfind("\n", 0, at) - 1)
        self.edits.append((at, at, "".join((line + "\n" + indent) if line else "\n" + indent for line in lines)))

    def after(self, statement: Any, lines: list[str]) -> None:
        """Puts lines after a statement, as far indented as it is."""
        at = self.end(statement)
        indent = " " * self.indent_of(statement.lineno)
        self.edits.append((at, at, "".join(f"\n{indent}{line}" if line else "\n" for line in lines)))

    def fix(self, id: str, title: str, summary: str, variant: str | None = None) -> Fix | None:  # noqa: A002
        """The fix of all edits so far; None where the result is no program."""
        order = sorted(range(len(self.edits)), key=lambda i: (self.edits[i][0], i))
        parts, at = [], 0
        for i in order:
            start, end, insert = self.edits[i]
            parts += [self.text[at:start], insert]
            at = max(at, end)
        source = "".join(parts) + self.text[at:]
        try:
            ast.parse(source)
        except SyntaxError:
            return None
        units = lambda offset: len(self.text[:offset].encode("utf-16-le")) // 2  # noqa: E731
        edits = [
            {"from": units(start), "to": units(end), "insert": insert} for start, end, insert in
            (self.edits[i] for i in order)
        ]
        made: Fix = {"id": id, "title": title, "summary": summary, "edits": edits, "source": source, "check": None}
        if variant is not None:
            made["variant"] = variant
        return made


def _is_docstring(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return True
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_float(aval: dict[str, Any]) -> bool:
    """May values of this type be differentiated?"""
    return aval["dtype"] in ("float32", "float64", "float16", "bfloat16")
