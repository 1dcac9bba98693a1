"""Assertions about arrays, with messages that say where they differ."""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from .. import _array as _a
from .. import _convert, _format, _reductions, _shaping, _ufuncs
from .. import _dtypes as _d
from .._errors import errstate

__all__ = [
    "assert_", "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal",
    "assert_array_equal", "assert_array_less", "assert_equal", "assert_no_warnings", "assert_raises",
    "assert_raises_regex", "assert_string_equal", "assert_warns", "suppress_warnings",
]


def build_err_msg(arrays: Any, err_msg: str, header: str = "Items are not equal:", verbose: bool = True,
                  names: Any = ("ACTUAL", "DESIRED"), precision: int = 8) -> str:
    """The text of a failed comparison."""
    lines = ["\n" + header]
    text = str(err_msg)
    if text:
        if text.find("\n") == -1 and len(text) < 79 - len(header):
            lines = [lines[0] + " " + text]
        else:
            lines.append(text)
    if verbose:
        for name, each in zip(names, arrays):
            if isinstance(each, _a.ndarray):
                shown = _format.array_repr(each, precision=precision)
            else:
                shown = repr(each)
            rows = shown.splitlines()
            if len(rows) > 3:
                shown = "\n".join(rows[:3]) + "..."
            lines.append(f" {name}: {shown}")
    return "\n".join(lines)


def assert_(val: Any, msg: Any = "") -> None:
    """That `val` is true."""
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, *, strict: bool = False) -> None:
    """That two objects (scalars, lists, dicts, arrays) are equal."""
    if isinstance(desired, dict):
        if not isinstance(actual, dict):
            raise AssertionError(repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for key in desired:
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], desired[key], f"key={key!r}\n{err_msg}", verbose)
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for at, wanted in enumerate(desired):
            assert_equal(actual[at], wanted, f"item={at!r}\n{err_msg}", verbose)
        return
    if isinstance(actual, _a.ndarray) or isinstance(desired, _a.ndarray) or hasattr(actual, "__array__") and hasattr(
            desired, "__array__") and getattr(actual, "ndim", 0):
        assert_array_equal(actual, desired, err_msg, verbose, strict=strict)
        return
    message = build_err_msg([actual, desired], err_msg, verbose=verbose)
    try:
        if actual != actual and desired != desired:
            return
    except (TypeError, ValueError):
        pass
    if not bool(desired == actual):
        raise AssertionError(message)


def assert_array_compare(comparison: Callable[[Any, Any], Any], x: Any, y: Any, err_msg: str = "",
                         verbose: bool = True, header: str = "", precision: int = 6, equal_nan: bool = True,
                         equal_inf: bool = True, *, strict: bool = False, names: Any = ("ACTUAL", "DESIRED")) -> None:
    """That `comparison` holds everywhere; nan and infinities must stand in the same places."""
    x, y = _convert.asarray(x), _convert.asarray(y)
    given = (x, y)

    def fail(lines: str, arrays: Any = given) -> None:
        text = build_err_msg(arrays, f"{err_msg}\n{lines}", header, verbose, names, precision)
        raise AssertionError(text)

    if strict:
        fits = x._shape == y._shape and x._dtype == y._dtype
    else:
        fits = x._shape == () or y._shape == () or x._shape == y._shape
    if not fits:
        reason = f"\n(shapes {x._shape}, {y._shape} mismatch)" if x._shape != y._shape else (
            f"\n(dtypes {x._dtype}, {y._dtype} mismatch)")
        raise AssertionError(build_err_msg([x, y], err_msg + reason, header, verbose, names, precision))
    flagged = None
    if equal_nan and x._dtype.kind in "fcV" and y._dtype.kind in "fcV":
        flagged = _same_places(_ufuncs.isnan, x, y, "nan", err_msg, header, verbose, names, precision)
    if equal_inf and x._dtype.kind in "fc" and y._dtype.kind in "fc":
        for sign, value in (("+", float("inf")), ("-", -float("inf"))):
            places = _same_places(lambda each, v=value: each == v, x, y, f"{sign}inf", err_msg, header, verbose, names,
                                  precision)
            flagged = places if flagged is None else flagged | places
    if flagged is not None and _convert.asarray(flagged).any():
        keep = ~_convert.asarray(flagged)
        x = x[keep] if x.ndim else x.reshape(1)[keep.ravel()[:1]] if keep.size == 1 else x
        y = y[keep] if y.ndim else y
        if not x.size or not y.size:
            return
    with errstate(all="ignore"):
        result = comparison(x, y)
    good = _convert.asarray(result)
    if good._dtype is not _d.bool_:
        good = good.astype(_d.bool_)
    if good.all():
        return
    wrong = _convert.asarray(~good)
    count = int(_reductions.count_nonzero(wrong))
    share = 100.0 * count / wrong.size
    shape = wrong._shape if flagged is None or not _convert.asarray(flagged).any() else None
    lines = [f"Mismatched elements: {count} / {wrong.size} ({share:.3g}%)"]
    if shape is not None and shape != ():
        lines.extend(_where(wrong, x, y, names))
    with errstate(all="ignore"):
        try:
            lines.extend(_largest(x, y, wrong))
        except (TypeError, ValueError):
            pass
    fail("\n".join(lines))


def _where(wrong: Any, x: Any, y: Any, names: Any) -> list[str]:
    """Up to five of the places that differ, with both values."""
    from .._choosing import argwhere

    places = argwhere(wrong).tolist()
    shown = places[:5]
    first, second = _shaping.broadcast_to(x, wrong._shape), _shaping.broadcast_to(y, wrong._shape)
    head = "Mismatch at index:" if len(places) == 1 else (
        f"First {len(shown)} mismatches are at indices:" if len(places) > 5 else "Mismatch at indices:")
    return [head, *[f" {_index(place)}: {first[tuple(place)].item()} ({names[0]}), {second[tuple(place)].item()} ({names[1]})"
                    for place in shown]]


def _index(place: list[int]) -> str:
    return f"[{', '.join(map(str, place))}]"


def _same_places(test: Any, x: Any, y: Any, word: str, err_msg: str, header: str, verbose: bool, names: Any,
                 precision: int) -> Any:
    one, two = _convert.asarray(test(x)), _convert.asarray(test(y))
    if not bool(_reductions.all(one == two)):
        raise AssertionError(build_err_msg([x, y], f"{err_msg}\n{word} location mismatch:", header, verbose, names,
                                           precision))
    return one | two


def _largest(x: Any, y: Any, wrong: Any) -> list[str]:
    if x._dtype.kind == "b" and y._dtype.kind == "b":
        return []
    if x._dtype.kind == "u" and y._dtype.kind == "u":
        error = _convert.asarray(_ufuncs.maximum(x, y) - _ufuncs.minimum(x, y))
    else:
        error = _convert.asarray(_ufuncs.absolute(x - y))
    top = error.max()
    lines = [f"Max absolute difference among violations: {_brief(error[wrong].max() if error.ndim else top)}"]
    bounded = _shaping.broadcast_to(y, error._shape)
    chosen = error[wrong] if error.ndim else error.reshape(1)
    against = bounded[wrong] if error.ndim else bounded.reshape(1)
    nonzero = _convert.asarray(against != 0)
    if not nonzero.any():
        relative: Any = _convert.asarray(float("inf"))[()]
    else:
        relative = _convert.asarray(chosen[nonzero] / _ufuncs.absolute(against[nonzero])).max()
    lines.append(f"Max relative difference among violations: {_brief(relative)}")
    return lines


def _brief(value: Any) -> str:
    return _format.array2string(_convert.asarray(value))


def assert_array_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, *,
                       strict: bool = False) -> None:
    """That two arrays have the same shape and elements; nan equals nan."""
    assert_array_compare(lambda x, y: x == y, actual, desired, err_msg, verbose, "Arrays are not equal", strict=strict)


def assert_allclose(actual: Any, desired: Any, rtol: float = 1e-07, atol: float = 0, equal_nan: bool = True,
                    err_msg: str = "", verbose: bool = True, *, strict: bool = False) -> None:
    """That |actual - desired| <= atol + rtol |desired| everywhere."""
    def close(x: Any, y: Any) -> Any:
        return _reductions.isclose(x, y, rtol, atol, equal_nan)

    header = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
    assert_array_compare(close, actual, desired, str(err_msg), verbose, header, equal_nan=equal_nan, strict=strict)


def assert_array_almost_equal(actual: Any, desired: Any, decimal: int = 6, err_msg: str = "",
                              verbose: bool = True) -> None:
    """That |actual - desired| < 1.5 * 10 ** -decimal everywhere."""
    def close(x: Any, y: Any) -> Any:
        return _ufuncs.absolute(x - y) < 1.5 * 10.0**-decimal

    assert_array_compare(close, actual, desired, err_msg, verbose,
                         f"Arrays are not almost equal to {decimal} decimals", decimal)


def assert_almost_equal(actual: Any, desired: Any, decimal: int = 7, err_msg: str = "", verbose: bool = True) -> None:
    """That |actual - desired| < 1.5 * 10 ** -decimal."""
    if isinstance(actual, (_a.ndarray, tuple, list)) or isinstance(desired, (_a.ndarray, tuple, list)) or getattr(
            actual, "ndim", 0):
        assert_array_almost_equal(actual, desired, decimal, err_msg)
        return
    message = build_err_msg([actual, desired], err_msg, f"Arrays are not almost equal to {decimal} decimals", verbose)
    one, two = complex(actual), complex(desired)
    for first, second in ((one.real, two.real), (one.imag, two.imag)):
        if first != first and second != second or first == second:
            continue
        if not abs(second - first) < 1.5 * 10.0**-decimal:
            raise AssertionError(message)


def assert_approx_equal(actual: Any, desired: Any, significant: int = 7, err_msg: str = "",
                        verbose: bool = True) -> None:
    """That two numbers agree in their first `significant` digits."""
    from math import floor, log10

    one, two = float(actual), float(desired)
    if one == two or one != one and two != two:
        return
    size = 0.5 * (abs(one) + abs(two))
    scale = 10.0 ** floor(log10(size)) if size else 1.0
    if not abs(two / scale - one / scale) < 10.0 ** -(significant - 1):
        raise AssertionError(build_err_msg([actual, desired], err_msg,
                                           f"Items are not equal to {significant} significant digits:", verbose))


def assert_array_less(x: Any, y: Any, err_msg: str = "", verbose: bool = True, *, strict: bool = False) -> None:
    """That x < y everywhere."""
    assert_array_compare(lambda a, b: a < b, x, y, err_msg, verbose, "Arrays are not strictly ordered `x < y`",
                         equal_inf=False, strict=strict, names=("x", "y"))


def assert_string_equal(actual: str, desired: str) -> None:
    """That two texts are equal."""
    if actual != desired:
        raise AssertionError(f"Differences in strings:\n- {desired}+ {actual}")


class _Raises:
    def __init__(self, expected: Any, pattern: str | None = None) -> None:
        self.expected, self.pattern = expected, pattern
        self.exception: BaseException | None = None

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if kind is None:
            raise AssertionError(f"{getattr(self.expected, '__name__', self.expected)} not raised")
        if not issubclass(kind, self.expected):
            return False
        if self.pattern is not None and not re.search(self.pattern, str(error)):
            raise AssertionError(f'"{self.pattern}" does not match "{error}"')
        self.exception = error
        return True


def assert_raises(exception_class: Any, *args: Any, **kwargs: Any) -> Any:
    """That a call (or the block of a `with`) raises."""
    if not args:
        return _Raises(exception_class)
    with _Raises(exception_class):
        args[0](*args[1:], **kwargs)
    return None


def assert_raises_regex(exception_class: Any, expected_regexp: str, *args: Any, **kwargs: Any) -> Any:
    """That a call (or block) raises with a message that the pattern is found in."""
    if not args:
        return _Raises(exception_class, expected_regexp)
    with _Raises(exception_class, expected_regexp):
        args[0](*args[1:], **kwargs)
    return None


@contextmanager
def _warns(expected: Any) -> Iterator[Any]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    if not any(issubclass(each.category, expected) for each in caught):
        raise AssertionError("No warning raised")


def assert_warns(warning_class: Any, *args: Any, **kwargs: Any) -> Any:
    """That a call (or block) warns."""
    if not args:
        return _warns(warning_class)
    with _warns(warning_class):
        return args[0](*args[1:], **kwargs)


@contextmanager
def _silent() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if caught:
        raise AssertionError(f"Got warnings: {[str(each.message) for each in caught]}")


def assert_no_warnings(*args: Any, **kwargs: Any) -> Any:
    """That a call (or block) does not warn."""
    if not args:
        return _silent()
    with _silent():
        return args[0](*args[1:], **kwargs)


class suppress_warnings(warnings.catch_warnings):
    """A block without warnings."""

    def filter(self, category: Any = Warning, message: str = "", module: Any = None) -> None:
        """Silences one kind of warning."""
        warnings.filterwarnings("ignore", message, category)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy.testing' has no attribute '{name}'")
    raise AttributeError(f"`numpy.testing.{name}` is not in Cotangent's NumPy")
