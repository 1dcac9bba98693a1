"""Discrete Fourier transforms: mixed radix for lengths with small factors, Bluestein's method for the others."""

from __future__ import annotations

import cmath
from typing import Any

from .. import _array as _a
from .. import _convert, _creation, _rearranging, _shaping
from .. import _dtypes as _d

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]


def _roots(count: int, sign: int) -> list[complex]:
    return [cmath.rect(1.0, sign * 2 * cmath.pi * at / count) for at in range(count)]


def _transform(values: list[complex], sign: int) -> list[complex]:
    """The unscaled transform of a list."""
    count = len(values)
    if count <= 1:
        return list(values)
    factor = next((prime for prime in (2, 3, 5, 7) if count % prime == 0), 0)
    if not factor:
        return _direct(values, sign) if count <= 64 else _bluestein(values, sign)
    size = count // factor
    parts = [_transform(values[at::factor], sign) for at in range(factor)]
    roots = _roots(count, sign)
    if factor == 2:
        even, odd = parts
        turned = [root * value for root, value in zip(roots, odd)]
        return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]
    return [sum(parts[k][at % size] * roots[at * k % count] for k in range(factor)) for at in range(count)]


def _direct(values: list[complex], sign: int) -> list[complex]:
    count = len(values)
    roots = _roots(count, sign)
    return [sum(value * roots[at * k % count] for k, value in enumerate(values)) for at in range(count)]


def _bluestein(values: list[complex], sign: int) -> list[complex]:
    """A transform of any length as a convolution of a power of two (Bluestein, 1970)."""
    count = len(values)
    size = 1 << (2 * count - 1).bit_length()
    chirp = [cmath.rect(1.0, sign * cmath.pi * (at * at % (2 * count)) / count) for at in range(count)]
    left = [value * turn for value, turn in zip(values, chirp)] + [0j] * (size - count)
    right = [0j] * size
    for at, turn in enumerate(chirp):
        right[at] = right[-at] = turn.conjugate()
    product = [a * b for a, b in zip(_transform(left, -1), _transform(right, -1))]
    return [value / size * turn for value, turn in zip(_transform(product, 1), chirp)]


_NORMS = ("backward", "ortho", "forward")


def _scale(count: int, norm: Any, inverse: bool) -> float:
    norm = norm or "backward"
    if norm not in _NORMS:
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    if norm == "ortho":
        return count**-0.5
    return 1.0 / count if inverse == (norm == "backward") else 1.0


def _lines(a: Any, n: Any, axis: int) -> tuple[Any, int]:
    """`a` with `axis` last, cut or filled with zeros to `n`."""
    made = _shaping.moveaxis(_convert.asarray(a), axis, -1)
    count = made._shape[-1] if n is None else int(n)
    if count < 1:
        raise ValueError(f"Invalid number of FFT data points ({count}) specified.")
    if made._shape[-1] > count:
        made = made[..., :count]
    elif made._shape[-1] < count:
        made = _rearranging.pad(made, [(0, 0)] * (made.ndim - 1) + [(0, count - made._shape[-1])])
    return made, count


def _held(made: Any, real: bool = False) -> Any:
    single = made._dtype in (_d.float32, _d.complex64, _d.float16)
    return (_d.float32 if single else _d.float64) if real else (_d.complex64 if single else _d.complex128)


def _along(a: Any, n: Any, axis: int, norm: Any, inverse: bool, keep: int | None = None) -> Any:
    made, count = _lines(a, n, axis)
    scale = _scale(count, norm, inverse)
    values = list(map(complex, made._values()))
    done: list[complex] = []
    for at in range(0, len(values), count):
        row = _transform(values[at : at + count], 1 if inverse else -1)
        if scale != 1.0:
            row = [value * scale for value in row]
        done.extend(row[:keep])
    shape = made._shape[:-1] + (count if keep is None else keep,)
    return _shaping.moveaxis(_a.from_values(done, shape, _held(made)), -1, axis)


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The transform along `axis`."""
    return _along(a, n, axis, norm, False)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The inverse transform along `axis`."""
    return _along(a, n, axis, norm, True)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The transform of real numbers: the frequencies that are not negative."""
    made = _convert.asarray(a)
    if made._dtype.kind == "c":
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types "
                        f"({made._dtype!r}, <class 'numpy.dtypes.Float64DType'>) -> None")
    count = made._shape[axis] if n is None else n
    return _along(made, n, axis, norm, False, count // 2 + 1)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The real numbers whose `rfft` this is."""
    made = _convert.asarray(a)
    count = 2 * (made._shape[axis] - 1) if n is None else n
    half, _ = _lines(made, count // 2 + 1, axis)
    half = half.astype(_held(half))
    tail = half[..., 1 : (count + 1) // 2][..., ::-1].conj()
    first = half.copy()
    first[..., 0] = first[..., 0].real
    if count % 2 == 0:
        first[..., -1] = first[..., -1].real
    whole = _shaping.concatenate([first, tail], -1)
    return _shaping.moveaxis(_along(whole, None, -1, norm, True).real.copy(), -1, axis)


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The transform of numbers that are symmetric in time."""
    made = _convert.asarray(a)
    count = 2 * (made._shape[axis] - 1) if n is None else n
    swap = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
    return irfft(made.conj(), n, axis, swap[norm]) if count else irfft(made, n, axis)


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `hfft`."""
    swap = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}
    return rfft(a, n, axis, swap[norm]).conj()


def _axes(a: Any, s: Any, axes: Any) -> list[tuple[int, Any]]:
    rank = _convert.asarray(a).ndim
    if axes is None:
        axes = range(rank) if s is None else range(-len(s), 0)
    axes = list(axes)
    return list(zip(axes, [None] * len(axes) if s is None else s))


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """The transform along several axes."""
    for axis, length in reversed(_axes(a, s, axes)):
        a = fft(a, length, axis, norm)
    return a


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """The inverse transform along several axes."""
    for axis, length in reversed(_axes(a, s, axes)):
        a = ifft(a, length, axis, norm)
    return a


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """The transform of real numbers along several axes."""
    places = _axes(a, s, axes)
    a = rfft(a, places[-1][1], places[-1][0], norm)
    for axis, length in reversed(places[:-1]):
        a = fft(a, length, axis, norm)
    return a


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `rfftn`."""
    places = _axes(a, s, axes)
    for axis, length in places[:-1]:
        a = ifft(a, length, axis, norm)
    return irfft(a, places[-1][1], places[-1][0], norm)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """The transform along two axes."""
    return fftn(a, s, axes, norm)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """The inverse transform along two axes."""
    return ifftn(a, s, axes, norm)


def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """The transform of real numbers along two axes."""
    return rfftn(a, s, axes, norm)


def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `rfft2`."""
    return irfftn(a, s, axes, norm)


def fftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    """The frequencies that `fft` answers for, with samples `d` apart."""
    half = (n - 1) // 2 + 1
    numbers = _shaping.concatenate([_creation.arange(half), _creation.arange(-(n // 2), 0)])
    return numbers * (1.0 / (n * d))


def rfftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    """The frequencies that `rfft` answers for."""
    return _creation.arange(n // 2 + 1) * (1.0 / (n * d))


def fftshift(x: Any, axes: Any = None) -> Any:
    """The frequency zero in the middle."""
    return _shifted(x, axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of `fftshift`."""
    return _shifted(x, axes, -1)


def _shifted(x: Any, axes: Any, sign: int) -> Any:
    made = _convert.asarray(x)
    places = range(made.ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    shifts = [made._shape[axis] // 2 if sign > 0 else -(made._shape[axis] // 2) for axis in places]
    return _rearranging.roll(made, tuple(shifts), tuple(places))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy.fft' has no attribute '{name}'")
    raise AttributeError(f"`numpy.fft.{name}` is not in Cotangent's NumPy")
