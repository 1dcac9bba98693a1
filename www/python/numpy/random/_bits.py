"""Sources of random bits: SeedSequence, MT19937 and PCG64, whose streams are NumPy's own.

MT19937: Matsumoto and Nishimura, "Mersenne Twister", 1998; its words come from CPython's own twister.
PCG64: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014 (XSL-RR 128/64).
SeedSequence: after O'Neill's randutils seed_seq_fe, as NumPy's documentation describes it.
"""

from __future__ import annotations

import random as _python
import secrets
from typing import Any, Callable, Iterable

from .. import _array as _a
from .. import _convert, _kernels
from .. import _dtypes as _d

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF
M128 = (1 << 128) - 1
_INIT_A, _MULT_A, _INIT_B, _MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_L, _MIX_R = 0xCA01F9DD, 0x4973F715
_PCG_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


def _words(value: Any) -> list[int]:
    """An integer, or a sequence of them, as 32-bit words, the low ones first."""
    if isinstance(value, str):
        value = int(value, 0)
    if hasattr(value, "__index__") and not getattr(value, "shape", ()):
        number = value.__index__()
        if number < 0:
            raise ValueError("expected non-negative integer")
        words = [number & M32]
        while number >> 32:
            number >>= 32
            words.append(number & M32)
        return words
    return [word for each in value for word in _words(each)]


class SeedSequence:
    """Spreads the entropy of a seed over as many words as asked for; spawns independent children."""

    def __init__(self, entropy: Any = None, *, spawn_key: Iterable[int] = (), pool_size: int = 4,
                 n_children_spawned: int = 0) -> None:
        if pool_size < 4:
            raise ValueError("The size of the entropy pool should be at least 4")
        if entropy is None:
            entropy = secrets.randbits(pool_size * 32)
        if not isinstance(entropy, (int, list, tuple, str)):
            made = _convert.asarray(entropy)
            if made._dtype.kind not in "iub":
                raise TypeError("SeedSequence expects int or sequence of ints for entropy not "
                                f"{entropy!r}")
            entropy = made.tolist()
        self.entropy, self.spawn_key = entropy, tuple(spawn_key)
        self.pool_size, self.n_children_spawned = pool_size, n_children_spawned
        words = _words(entropy)
        spawn = _words(self.spawn_key) if self.spawn_key else []
        if spawn and len(words) < pool_size:
            words += [0] * (pool_size - len(words))
        self._pool = self._mixed(words + spawn)

    def _mixed(self, words: list[int]) -> list[int]:
        constant = _INIT_A

        def hashed(value: int) -> int:
            nonlocal constant
            value ^= constant
            constant = constant * _MULT_A & M32
            value = value * constant & M32
            return value ^ value >> 16

        def mix(one: int, two: int) -> int:
            value = (_MIX_L * one - _MIX_R * two) & M32
            return value ^ value >> 16

        size = self.pool_size
        pool = [hashed(words[at] if at < len(words) else 0) for at in range(size)]
        for source in range(size):
            for target in range(size):
                if source != target:
                    pool[target] = mix(pool[target], hashed(pool[source]))
        for word in words[size:]:
            for target in range(size):
                pool[target] = mix(pool[target], hashed(word))
        return pool

    @property
    def pool(self) -> Any:
        """The mixed entropy."""
        return _a.from_values(list(self._pool), (self.pool_size,), _d.uint32)

    @property
    def state(self) -> dict[str, Any]:
        """What the sequence was made of."""
        return {name: getattr(self, name) for name in ("entropy", "spawn_key", "pool_size", "n_children_spawned")}

    def words(self, count: int) -> list[int]:
        """`count` 32-bit words."""
        constant = _INIT_B
        found = []
        for at in range(count):
            value = self._pool[at % self.pool_size] ^ constant
            constant = constant * _MULT_B & M32
            value = value * constant & M32
            found.append(value ^ value >> 16)
        return found

    def generate_state(self, n_words: int, dtype: Any = _d.uint32) -> Any:
        """An array of words to seed a generator with."""
        held = _d.as_dtype(dtype)
        if held is _d.uint32:
            return _a.from_values(self.words(n_words), (n_words,), held)
        if held is _d.uint64:
            low = self.words(2 * n_words)
            return _a.from_values([low[at] | low[at + 1] << 32 for at in range(0, len(low), 2)], (n_words,), held)
        raise ValueError("only support uint32 or uint64")

    def spawn(self, n_children: int) -> list[SeedSequence]:
        """New sequences, each independent of the others."""
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, at), pool_size=self.pool_size)
                for at in range(first, first + n_children)]

    def __repr__(self) -> str:
        lines = [f"    entropy={self.entropy},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key},")
        if self.pool_size != 4:
            lines.append(f"    pool_size={self.pool_size},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned},")
        return "SeedSequence(\n" + "\n".join(lines) + "\n)"


class BitGenerator:
    """What gives random words: `next32`, `next64` and `next_double`."""

    seed_seq: SeedSequence | None = None
    next32: Callable[[], int]
    next64: Callable[[], int]
    next_double: Callable[[], float]

    def doubles(self, count: int) -> list[float]:
        """`count` numbers in [0, 1)."""
        draw = self.next_double
        return [draw() for _ in range(count)]

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Raw words of the generator."""
        if size is None:
            return self.next64()
        shape = _a.as_shape(size)
        count = 1
        for length in shape:
            count *= length
        return _a.from_values([self.raw() for _ in range(count)], shape, _d.uint64)

    def raw(self) -> int:
        """One word as the generator makes it."""
        return self.next64()

    def spawn(self, n_children: int) -> list[Any]:
        """New generators of the same kind, each independent."""
        if self.seed_seq is None:
            raise TypeError("The underlying SeedSequence does not implement spawning.")
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]  # type: ignore[call-arg]


class MT19937(BitGenerator):
    """The Mersenne Twister with 624 words of state."""

    def __init__(self, seed: Any = None) -> None:
        self._twister = _python.Random()
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        key = self.seed_seq.words(624)
        key[0] = 0x80000000
        self._set(key, 623)
        self.next_double = self._twister.random
        self.next32 = lambda bits=self._twister.getrandbits: bits(32)
        self.raw = self.next32  # type: ignore[method-assign]

    def _set(self, key: list[int], pos: int) -> None:
        self._twister.setstate((3, (*key, pos), None))

    def next64(self) -> int:  # type: ignore[override]
        """Two words, the first the high one."""
        bits = self._twister.getrandbits
        return bits(32) << 32 | bits(32)

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Raw words of the generator."""
        return self.next32() if size is None else super().random_raw(size)

    def _legacy_seeding(self, seed: Any) -> None:
        """Seeds as `RandomState(seed)` does."""
        if seed is None:
            self.__init__(None)  # type: ignore[misc]
            return
        if hasattr(seed, "__index__") and not getattr(seed, "shape", ()):
            number = seed.__index__()
            if not 0 <= number <= M32:
                raise ValueError("Seed must be between 0 and 2**32 - 1")
            self._set(_simple_key(number), 624)
            return
        made = _convert.asarray(seed)
        if made._dtype.kind not in "iub":
            raise TypeError(f"Cannot cast array data from {made._dtype!r} to dtype('int64') according to the rule "
                            "'safe'")
        if made.ndim != 1:
            raise ValueError("Seed array must be 1-d")
        if not made.size:
            raise ValueError("Seed must be non-empty")
        words = made._values()
        if min(words) < 0 or max(words) > M32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        self._set(_array_key(words), 624)

    @property
    def state(self) -> dict[str, Any]:
        """The 624 words and the position among them."""
        _, inner, _ = self._twister.getstate()
        key = _a.from_values(list(inner[:624]), (624,), _d.uint32)
        return {"bit_generator": "MT19937", "state": {"key": key, "pos": inner[624]}}

    @state.setter
    def state(self, value: Any) -> None:
        if isinstance(value, tuple):
            value = {"bit_generator": value[0], "state": {"key": value[1], "pos": value[2]}}
        if value.get("bit_generator", "") != "MT19937":
            raise ValueError("state must be for a MT19937 PRNG")
        self._set(_convert.asarray(value["state"]["key"]).tolist(), int(value["state"]["pos"]))


def _simple_key(seed: int) -> list[int]:
    key = []
    for at in range(624):
        key.append(seed)
        seed = (1812433253 * (seed ^ seed >> 30) + at + 1) & M32
    return key


def _array_key(words: list[int]) -> list[int]:
    key = _simple_key(19650218)
    i, j = 1, 0
    for _ in range(max(624, len(words))):
        key[i] = ((key[i] ^ (key[i - 1] ^ key[i - 1] >> 30) * 1664525) + words[j] + j) & M32
        i, j = i + 1, (j + 1) % len(words)
        if i >= 624:
            key[0], i = key[623], 1
    for _ in range(623):
        key[i] = ((key[i] ^ (key[i - 1] ^ key[i - 1] >> 30) * 1566083941) - i) & M32
        i += 1
        if i >= 624:
            key[0], i = key[623], 1
    key[0] = 0x80000000
    return key


class PCG64(BitGenerator):
    """A permuted congruential generator with 128 bits of state."""

    def __init__(self, seed: Any = None) -> None:
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        low = self.seed_seq.words(8)
        parts = [low[at] | low[at + 1] << 32 for at in range(0, 8, 2)]
        self._inc = ((parts[2] << 64 | parts[3]) << 1 | 1) & M128
        start = parts[0] << 64 | parts[1]
        self._state = ((self._inc + start) * _PCG_MULTIPLIER + self._inc) & M128
        self._half: int | None = None

    def next64(self) -> int:  # type: ignore[override]
        """Sixty-four bits."""
        state = self._state = (self._state * _PCG_MULTIPLIER + self._inc) & M128
        value = (state >> 64 ^ state) & M64
        turn = state >> 122
        return (value >> turn | value << (64 - turn)) & M64

    def next32(self) -> int:  # type: ignore[override]
        """Thirty-two bits: the low half of a word, then the high one."""
        half = self._half
        if half is not None:
            self._half = None
            return half
        word = self.next64()
        self._half = word >> 32
        return word & M32

    def next_double(self) -> float:  # type: ignore[override]
        """A number in [0, 1) of 53 bits."""
        return (self.next64() >> 11) * 1.1102230246251565e-16

    def doubles(self, count: int) -> list[float]:
        """`count` numbers in [0, 1)."""
        if _kernels.ready and count >= 32:
            made = _a.empty((count,), _d.float64)
            self._state = _kernels.pcg(self._state, self._inc, made)
            return made._values()
        state, inc = self._state, self._inc
        found = []
        for _ in range(count):
            state = (state * _PCG_MULTIPLIER + inc) & M128
            value = (state >> 64 ^ state) & M64
            turn = state >> 122
            found.append((((value >> turn | value << (64 - turn)) & M64) >> 11) * 1.1102230246251565e-16)
        self._state = state
        return found

    @property
    def state(self) -> dict[str, Any]:
        """The state, the increment, and the half word that waits."""
        return {
            "bit_generator": "PCG64", "state": {"state": self._state, "inc": self._inc},
            "has_uint32": int(self._half is not None), "uinteger": self._half or 0,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if value.get("bit_generator", "") != "PCG64":
            raise ValueError("state must be for a PCG64 RNG")
        self._state, self._inc = value["state"]["state"], value["state"]["inc"]
        self._half = value["uinteger"] if value["has_uint32"] else None

    def advance(self, delta: int) -> PCG64:
        """Moves on as if `delta` words had been drawn."""
        multiplier, plus = _PCG_MULTIPLIER, self._inc
        total, shift = 1, 0
        delta &= M128
        while delta:
            if delta & 1:
                total = total * multiplier & M128
                shift = (shift * multiplier + plus) & M128
            plus = (multiplier + 1) * plus & M128
            multiplier = multiplier * multiplier & M128
            delta >>= 1
        self._state = (total * self._state + shift) & M128
        self._half = None
        return self

    def jumped(self, jumps: int = 1) -> PCG64:
        """A copy moved on by `jumps` long strides."""
        made = PCG64(self.seed_seq)
        made.state = self.state
        return made.advance(jumps * 0x9E3779B97F4A7C15F39CC0605CEDC835 & M128)
