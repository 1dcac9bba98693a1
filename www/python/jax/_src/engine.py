"""The boundary to the engine: the tape, call sites, errors.

Arguments and results cross as doubles (laid out as src/wasm/tape.rs says). A window of them lies in `_window`;
the JavaScript module `_cotangent` copies it to and from the engine.
"""

from __future__ import annotations

import itertools
import struct
import sys
from array import array
from types import CodeType
from typing import Any, Callable

from pyodide.ffi import create_proxy

from . import host as js

NONE, VALUE, NUMBER, FLOAT, BOOL, STR, LIST, SLICE, ELLIPSIS, NEWAXIS, RECORD, AVAL = map(float, range(12))
NAN = float("nan")

_WINDOW = 4096
#: This many doubles at the window's end are apart from tapes.
_APART = 48
_HEAD = 64
_storage = bytearray(8 * _WINDOW)
_window = memoryview(_storage).cast("d")

#: File names of the user's own code; a call site is looked for in these only.
USER_FILES: set[str] = {"<program>"}

#: Rises with every program: arrays of an earlier one are not of this engine.
session = 1
#: Rises when no transform is running any more: tracers of earlier epochs are dead.
epoch = 0
#: How many transforms are running, and the innermost one.
depth = 0
running = ""

#: The transformed function that the program itself called last, with its arguments.
last_call: tuple[Callable[..., Any], Any, Any] | None = None

_sites: list[tuple[CodeType, int]] = []
_site_numbers: dict[tuple[int, int], int] = {}


def site() -> int:
    """The number of the place in the user's code that is calling; 0 where there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename in USER_FILES:
            return _site_of(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return 0


def _site_of(code: CodeType, instruction: int) -> int:
    # Code objects compare by what is in them: their identity is quicker, and they are kept alive in `_sites`.
    key = (id(code), instruction)
    found = _site_numbers.get(key)
    if found is None:
        _sites.append((code, instruction))
        found = _site_numbers[key] = len(_sites)
    return found


def site_positions() -> list[tuple[str, tuple[int | None, ...]]]:
    """File and `(line, end line, column, end column)` of every call site, in the order of their numbers."""
    found = []
    for code, lasti in _sites:
        place = next(itertools.islice(code.co_positions(), lasti // 2, None), (None,) * 4)
        found.append((code.co_filename, place))
    return found


def reset(x64: bool = False) -> None:
    """A fresh engine for a new program."""
    global session, epoch, depth, running, last_call
    last_call = None
    session += 1
    epoch += 1
    depth = 0
    running = ""
    _sites.clear()
    _site_numbers.clear()
    _functions.clear()
    _pending.clear()
    dead.clear()
    js.reset(x64)


#: Handles that nothing uses any more: small arrays are freed several at once, since each crossing costs.
dead: list[float] = []


def free_dead() -> None:
    """Frees what nothing uses any more. May come at any time: it writes where no tape is ever written."""
    n = min(len(dead), _APART - 1)
    _packers[n](_storage, 8 * (_WINDOW - _APART), *dead[:n])
    del dead[:n]
    js.freeAll(n)


class Reader:
    """Reads the tape from its beginning; to be done with before the engine is called again."""

    __slots__ = ("at", "base", "end")

    def __init__(self) -> None:
        self.at = 0
        self.base = 0
        self.end = _HEAD

    def next(self) -> float:
        """The next number."""
        at = self.at
        if at >= self.end:
            js.fetch(at)
            self.base = at
            self.end = at + _WINDOW - _APART
        self.at = at + 1
        return _window[at - self.base]

    def count(self) -> int:
        """The next number as a count."""
        return int(self.next())

    def text(self) -> str:
        """The text behind a string entry."""
        return js.string(int(self.next()))


#: Functions that write tapes of a length, shortest first: most tapes are short.
_packers = [struct.Struct(f"{n}d").pack_into for n in range(48)]


def write(tape: list[float]) -> int:
    """Puts numbers where the engine will find them; gives how many."""
    n = len(tape)
    if n < 48:
        _packers[n](_storage, 0, *tape)
        return n
    if n <= _WINDOW - _APART:
        _window[:n] = memoryview(array("d", tape))
    else:
        _stage(tape, n)
    return n


def _stage(tape: list[float], n: int) -> None:
    """Puts a long tape where it belongs, part by part."""
    numbers = array("d", tape)
    most = _WINDOW - _APART
    for start in range(0, n, most):
        part = numbers[start : start + most]
        _window[: len(part)] = memoryview(part)
        js.stage(start, len(part), n)


#: The place of the call that is being made.
last_site = 0


def call(number: int, n: int, tape: list[float]) -> None:
    """Calls function `number` of the registry with `n` arguments; its result is on the tape then."""
    global last_site
    # As `site` does, from two frames up: whoever calls this is ours.
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename not in USER_FILES:
        frame = frame.f_back
    last_site = at = _site_of(frame.f_code, frame.f_lasti) if frame is not None else 0
    length = len(tape)
    if length < 44:
        _packers[length + 4](_storage, 0, number, n, length, at, *tape)
        status = _call_here()
    else:
        _stage(tape, length)
        status = js.call(number, n, length, at)
    if status:
        check(status)


_call_here = js.callHere


def invoke(name: str, tape: list[float], *args: Any) -> None:
    """Calls one of the engine's other functions, with the tape it takes."""
    global last_site, kept
    last_site = at = site()
    status = js.invoke(name, write(tape), at, *args)
    kept = None
    if status:
        check(status)


#: Values that a function of Python has just returned to the engine, which has yet to read them.
kept: Any = None

_functions: dict[int, tuple[Callable[[], list[float]], Callable[[], list[str]] | None]] = {}
_keys = itertools.count(1)
#: Exceptions on their way through the engine, by number.
_pending: dict[int, BaseException] = {}
_numbers = itertools.count(1)


def register(
    call: Callable[[], list[float]], names: Callable[[], list[str]] | None = None, keep: bool = False
) -> int:
    """Makes a function callable by the engine: it reads its arguments from the tape and returns its results' tape.

    The engine lets go of it when nothing needs it any more; with `keep` it stays until the next program.
    """
    key = next(_keys)
    _functions[key] = (call, names)
    return js.register(key, keep)


def _dispatch(key: int) -> int:
    try:
        return write(_functions[key][0]())
    except BaseException as error:
        number = next(_numbers)
        _pending[number] = error
        js.raisedAs(getattr(error, "_cotangent_ref", 0))
        return -number


def _argument_names(key: int) -> str:
    found = _functions.get(key)
    names = found[1] if found else None
    return "\n".join(names()) if names else ""


def _dropped(key: int) -> None:
    _functions.pop(key, None)


js.attach(_storage, create_proxy(_dispatch), create_proxy(_argument_names), create_proxy(_dropped))


def check(status: int) -> None:
    """Raises what a call's status stands for."""
    if status == 0:
        return
    if status < 0:
        error = _pending.pop(-status)
        error._cotangent_number = -status  # type: ignore[attr-defined]
        raise error
    raise error_of(status)


def error_of(ref: int) -> Exception:
    """The exception for an error of the engine."""
    from .errors import class_named

    name, _, message = js.errorHead(ref).partition("\n")
    error = class_named(name)(message)
    error._cotangent_ref = ref  # type: ignore[attr-defined]
    return error


def failure(name: str, message: str, kind: str = "", table: tuple[tuple[str, str, str, bool], ...] = ()) -> Exception:
    """An exception with the call site and the chain of transforms; `table` holds path, expected, got, fits."""
    rows = "\n".join("\n".join((path, expected, got, "1" if ok else "0")) for path, expected, got, ok in table)
    return error_of(js.makeError(name, message, kind, rows, site()))


class in_transform:
    """While user code runs under a transform: tracers made in it die with the outermost one."""

    __slots__ = ("name", "outer")

    def __init__(self, name: str | None) -> None:
        self.name = name

    def __enter__(self) -> None:
        global depth, running
        self.outer = running
        if self.name is not None:
            running = self.name
        depth += 1

    def __exit__(self, *_: Any) -> None:
        global depth, running, epoch
        depth -= 1
        running = self.outer
        if depth == 0:
            epoch += 1
