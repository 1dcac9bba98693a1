"""Sums over named indices: `einsum`."""

from __future__ import annotations

from typing import Any

from . import _array as _a
from . import _convert, _products, _shaping, _ufuncs
from . import _dtypes as _d


def _parse(operands: tuple[Any, ...]) -> tuple[list[str], str | None, list[Any]]:
    """The labels of each operand, of the result (None: not given), and the operands."""
    if isinstance(operands[0], str):
        text, arrays = operands[0].replace(" ", ""), [_convert.asarray(each) for each in operands[1:]]
        inputs, arrow, output = text.partition("->")
        return inputs.split(","), output if arrow else None, arrays
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def word(numbers: Any) -> str:
        return "".join("..." if number is Ellipsis else letters[number] for number in numbers)

    arrays = [_convert.asarray(each) for each in operands[: len(operands) // 2 * 2 : 2]]
    inputs = [word(each) for each in operands[1::2]]
    return inputs, word(operands[-1]) if len(operands) % 2 else None, arrays


def einsum(*operands: Any, out: Any = None, dtype: Any = None, order: str = "K", casting: str = "safe",
           optimize: Any = False) -> Any:
    """The sum of products over the indices that `subscripts` names but does not keep."""
    inputs, output, arrays = _parse(operands)
    if len(inputs) != len(arrays):
        raise ValueError("more operands provided to einstein sum function than specified in the subscripts string"
                         if len(arrays) > len(inputs) else
                         "fewer operands provided to einstein sum function than specified in the subscripts string")
    spread = 0
    for labels, each in zip(inputs, arrays):
        bare = labels.replace("...", "")
        for label in bare:
            if not label.isalpha():
                raise ValueError(f"invalid subscript '{label}' in einstein sum subscripts string, subscripts must be "
                                 "letters")
        if "..." in labels:
            spread = max(spread, each.ndim - len(bare))
        elif len(bare) != each.ndim:
            raise ValueError(
                f"einstein sum subscripts string contains too many subscripts for operand {_number(arrays, each)}"
                if len(bare) > each.ndim else
                "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
                "broadcast the extra dimensions."
            )
    dots = "".join(chr(0x2460 + at) for at in range(spread))
    words = []
    for labels, each in zip(inputs, arrays):
        extra = each.ndim - len(labels.replace("...", ""))
        words.append(labels.replace("...", dots[spread - extra :]))
    if output is None:
        joined = "".join(words)
        output = dots + "".join(sorted(label for label in set(joined) if label not in dots
                                       and joined.count(label) == 1))
    else:
        output = output.replace("...", dots)
    for label in output:
        if output.count(label) > 1:
            raise ValueError(f"einstein sum subscripts string includes output subscript '{label}' multiple times")
        if not any(label in word for word in words):
            raise ValueError(
                f"einstein sum subscripts string included output subscript '{label}' which never appeared in an input")
    held = _d.as_dtype(dtype) if dtype is not None else arrays[0]._dtype
    if dtype is None:
        for each in arrays[1:]:
            held = _d.promote(held, each._dtype)
    result = _contract(words, output, [each.astype(held, copy=False) for each in arrays])
    if out is not None:
        out[...] = result
        return out
    return result if result.ndim else result[()]


def _number(arrays: list[Any], wanted: Any) -> int:
    """Which of the operands this is."""
    return next(at for at, each in enumerate(arrays) if each is wanted)


def _contract(words: list[str], output: str, arrays: list[Any]) -> Any:
    sizes: dict[str, int] = {}
    terms = []
    for word, each in zip(words, arrays):
        for label, length in zip(word, each._shape):
            if sizes.get(label, 1) == 1:
                sizes[label] = length
            elif length not in (1, sizes[label]):
                raise ValueError(
                    f"operands could not be broadcast together with remapped shapes [original->remapped]: "
                    f"{_a.shape_text(each._shape)}->({','.join(map(str, each._shape))}) "
                )
        terms.append(_diagonals(word, each))
    while len(terms) > 1:
        (word, one), (other, two) = terms[:2]
        later = output + "".join(word for word, _ in terms[2:])
        terms[:2] = [_pair(word, one, other, two, later)]
    word, made = terms[0]
    gone = tuple(at for at, label in enumerate(word) if label not in output)
    if gone:
        made = _convert.asarray(_ufuncs.add.reduce(made, gone, dtype=made._dtype))
        word = "".join(label for label in word if label in output)
    made = made.transpose([word.index(label) for label in output]) if output else made
    shape = tuple(sizes[label] for label in output)
    made = made if made._shape == shape else _shaping.broadcast_to(made, shape).copy()
    return made if made._base is None and made._is_contiguous() else made.copy()


def _diagonals(word: str, each: Any) -> tuple[str, Any]:
    """An operand with every label once: repeated labels take the diagonal."""
    for label in dict.fromkeys(word):
        while word.count(label) > 1:
            first = word.index(label)
            second = word.index(label, first + 1)
            if each._shape[first] != each._shape[second]:
                raise ValueError(
                    f"dimensions in single operand for collapsing index '{label}' don't match "
                    f"({each._shape[first]} != {each._shape[second]})"
                )
            strides = list(each._strides)
            strides[first] += strides.pop(second)
            shape = each._shape[:second] + each._shape[second + 1 :]
            each = _a.view_of(each._mem, each._offset, shape, tuple(strides), each._dtype, each)
            word = word[:second] + word[second + 1 :]
    return word, each


def _pair(word: str, one: Any, other: str, two: Any, later: str) -> tuple[str, Any]:
    """The product of two operands, summed over the labels that nothing later needs."""
    word, one = _dropped(word, one, other + later)
    other, two = _dropped(other, two, word + later)
    shared = [label for label in word if label in other]
    kept = [label for label in shared if label in later or one._shape[word.index(label)] != two._shape[other.index(
        label)]]
    summed = [label for label in shared if label not in kept]
    left = [label for label in word if label not in shared]
    right = [label for label in other if label not in shared]
    if not summed or one._dtype.kind == "b":
        return _broadcast_pair(word, one, other, two, later)
    if any(one._shape[word.index(label)] != two._shape[other.index(label)] for label in kept):
        return _broadcast_pair(word, one, other, two, later)
    one = one.transpose([word.index(label) for label in kept + left + summed])
    two = two.transpose([other.index(label) for label in kept + summed + right])
    batch = one._shape[: len(kept)]
    free, many = one._shape[len(kept) : len(kept) + len(left)], two._shape[len(kept) + len(summed) :]
    from math import prod

    inner = prod(one._shape[len(kept) + len(left) :])
    made = _products.matmul(one.reshape(batch + (prod(free), inner)), two.reshape(batch + (inner, prod(many))))
    return "".join(kept + left + right), made.reshape(batch + free + many)


def _dropped(word: str, each: Any, needed: str) -> tuple[str, Any]:
    """Sums over the labels that nobody else needs."""
    gone = tuple(at for at, label in enumerate(word) if label not in needed)
    if not gone:
        return word, each
    made = _convert.asarray(_ufuncs.add.reduce(each, gone, dtype=each._dtype))
    return "".join(label for label in word if label in needed), made


def _broadcast_pair(word: str, one: Any, other: str, two: Any, later: str) -> tuple[str, Any]:
    labels = list(dict.fromkeys(word + other))

    def spread(names: str, each: Any) -> Any:
        order = [names.index(label) for label in labels if label in names]
        lengths = iter(each.transpose(order)._shape if order else ())
        return (each.transpose(order) if order else each).reshape(
            tuple(next(lengths) if label in names else 1 for label in labels))

    made = _convert.asarray(_ufuncs.multiply(spread(word, one), spread(other, two)))
    return _dropped("".join(labels), made, later)


def einsum_path(subscripts: Any, *operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """The order in which operands are paired: from left to right here."""
    count = len(operands)
    path = ["einsum_path", *[(0, 1)] * max(count - 1, 1)]
    return path, f"  Complete contraction:  {subscripts}"
