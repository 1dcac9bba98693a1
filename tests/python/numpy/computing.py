# %% promotion of arrays
def kinds(*pairs):
    return [str((np.ones(1, a) + np.ones(1, b)).dtype) for a, b in pairs]
kinds(("i1", "u1"), ("i4", "u4"), ("i8", "u8"), ("f4", "i4"), ("f4", "i2"), ("f2", "i1"), ("f2", "i2"), ("c8", "f8"))
kinds(("?", "i1"), ("?", "f4"), ("u1", "f2"), ("u2", "f2"), ("c8", "i8"), ("f2", "f4"), ("c8", "c16"), ("u1", "u8"))
# %% weak Python scalars
(np.float32([1]) + 1).dtype, (np.float32([1]) + 1.5).dtype, (np.int8([1]) + 1).dtype, (np.int8([1]) + 1.5).dtype
(np.float32(1) + 1.5).dtype, (np.float32([1]) + 1j).dtype, (np.bool_([1]) + 1).dtype, (np.int32(1) + True).dtype
(np.float16(1) + np.float64(1)).dtype, (np.float32([1]) + np.float64(1)).dtype, (np.arange(2) + np.float32(1)).dtype
type(1 + np.float32(1)), type(1.0 + np.float64(1)), type(np.int64(1) + 1), type(np.float64(2) ** 2)
# %% a Python integer out of bounds
np.uint8([1]) + 300
# %% a negative Python integer and unsigned
np.uint8([1]) + -1
# %% overflow wraps in arrays
np.array([127], dtype=np.int8) + np.int8(1)
np.array([250], dtype=np.uint8) + np.uint8(10)
np.array([2**62], dtype=np.int64) * 4
np.array([0], dtype=np.uint8) - np.uint8(1)
-np.array([1], dtype=np.uint8)
np.array([200], dtype=np.uint8) << 1
# %% overflow of scalars warns
np.int8(127) + np.int8(1)
# %% result_type can_cast promote_types
np.result_type(np.float32, 1), np.result_type("i4", "f4"), np.result_type(np.int8, 1.0), np.result_type(1, 2.0)
np.can_cast("i4", "f4"), np.can_cast("i4", "f8"), np.can_cast("f8", "f4", "same_kind"), np.can_cast("f4", "i4")
np.promote_types("i4", "f4"), np.promote_types(np.uint8, np.int8), np.min_scalar_type(300), np.min_scalar_type(-1)
np.issubdtype(np.float32, np.floating), np.issubdtype("i4", np.integer), np.issubdtype(float, np.integer)
np.isdtype(np.float32, "real floating"), np.iscomplexobj([1j]), np.isrealobj([1]), np.isscalar(3.0)
# %% division
np.array([7, -7]) / 2, np.array([7, -7]) // 2, np.array([7, -7]) % 3, np.array([7.5, -7.5]) // 2, np.fmod([-7, 7], 3)
np.divmod([7, -7], 3)
divmod(np.array([7.5]), 2)
1 / np.array([2.0, 4.0]), 2 // np.array([3, 1]), 7 % np.array([4])
np.int8([1]) / np.int8([2])
# %% division by zero warns
np.array([1.0, -1.0, 0.0]) / 0
np.array([1, 2]) // 0
np.float64(1) / 0
np.array([1]) % 0
# %% errstate
with np.errstate(divide="ignore", invalid="ignore"):
    print(np.array([1.0, 0.0]) / 0)
with np.errstate(all="raise"):
    np.log(np.array([0.0]))
# %% warnings of mathematics
np.log(0.0)
np.log([-1.0])
np.sqrt(-1.0)
np.arcsin(2.0)
np.exp(1000.0)
np.sqrt(np.array([-1.0, 4.0]))
# %% powers
np.array([2, 3]) ** 2, 2 ** np.array([1, 2, 3]), np.array([2.0]) ** -1, np.array([4.0]) ** 0.5, np.power(2, 0.5)
np.float_power(2, 3), np.array([-8.0]) ** 3, np.int64(2) ** 10
np.array([2]) ** -1
# %% mathematics
np.sin([0, 1, 2]), np.cos(1.0), np.tan(0.5), np.arctan2([1, -1], [-1, 1]), np.hypot(3, 4)
np.exp([0, 1]), np.expm1(1e-10), np.log1p(1e-10), np.log2(8), np.log10(1000), np.exp2(3), np.cbrt(27).round(12)
np.sinh(1.0), np.cosh(1.0), np.tanh([0.5, 100]), np.arcsinh(1.0), np.arccosh(2.0), np.arctanh(0.5)
np.logaddexp(1, 2), np.logaddexp2(1, 2), np.deg2rad(180), np.rad2deg(np.pi), np.radians(90), np.degrees(1)
np.floor([-1.5, 1.5]), np.ceil([-1.5, 1.5]), np.trunc([-1.5, 1.5]), np.rint([0.5, 1.5, 2.5]), np.fix(-2.7)
np.sign([-2, 0, 3]), np.sign(-0.0), np.abs([-1, 2]), np.absolute(-3.5), np.fabs([-1]), np.square(3), np.reciprocal(4.0)
np.sqrt([4, 9]), np.copysign(1, -2.0), np.nextafter(1.0, 2.0), np.spacing(1.0), np.heaviside([-1, 0, 1], 0.5)
np.modf([1.5, -2.25]), np.frexp([8.0, 0.3]), np.ldexp(0.5, 3), np.signbit([-1.0, 1.0, -0.0])
np.sin(np.float32(0.5)), np.exp(np.float16(1)), np.sin(np.int8(1)).dtype, np.sqrt(np.int32(2)).dtype
np.isnan([np.nan, 1]), np.isinf([np.inf, 1]), np.isfinite([np.nan, np.inf, 1]), np.isposinf([np.inf, -np.inf])
np.gcd(12, 18), np.lcm(4, 6), np.sinc([0, 0.5]), np.nan_to_num([np.nan, np.inf, 1.0]), np.i0(1.0)
# %% complex mathematics
z = np.array([1 + 2j, -1j])
z.real, z.imag, z.conj(), np.abs(z), np.angle(z), z * z, z / (1 + 1j)
np.exp(1j * np.pi), np.sqrt(-1 + 0j), np.log(1j), np.real(1 + 2j), np.imag([1j]), np.conj(1j), np.iscomplex([1, 1j])
z.real = [5, 6]
z
np.array([3 + 4j]).astype(float)
# %% comparisons and logic
np.array([1, 2, 3]) > 2, np.array([1, 2]) == [1, 3], np.array([1.0]) != 1, np.less([1, 2], 2), np.array([1, 2]) == None
np.logical_and([True, False], [True, True]), np.logical_or(0, 3), np.logical_not([0, 1]), np.logical_xor(True, True)
~np.array([True, False]), np.array([True]) & np.array([False]), np.array([5]) | 2, np.array([6]) ^ 3, ~np.array([5])
np.left_shift(1, [1, 2]), np.right_shift([8], 1), np.invert(np.uint8(5)), np.bitwise_count(7)
np.array_equal([1, 2], [1, 2]), np.array_equiv([1, 1], [[1, 1], [1, 1]]), np.allclose([1.0], [1.0 + 1e-9])
np.isclose([1.0, 2.0, np.nan], [1.0, 2.1, np.nan]), np.isclose(np.nan, np.nan, equal_nan=True)
np.array([1, 2]) == "a"
# %% boolean arithmetic
np.array([True]) + np.array([True]), np.array([True]) * 2, np.array([True, True]).sum()
np.array([True]) - np.array([True])
# %% negative of a boolean
-np.array([True])
# %% bit operators on floats
np.array([1.0]) & 1
# %% shapes that do not broadcast
np.ones((2, 3)) + np.ones((2, 2))
# %% maximum and minimum
np.maximum([1, 5], [3, 2]), np.minimum(1, [0, 2]), np.fmax([np.nan, 1], 0), np.maximum([np.nan, 1], 0)
np.maximum.reduce([3, 1, 2]), np.minimum.accumulate([3, 1, 2])
# %% out and where
a = np.zeros(3)
np.add([1, 2, 3], 1, out=a)
a
np.multiply(a, 2, a)
np.sqrt([4, 9, 16], out=a, where=[True, False, True])
np.add(1, 2, out=np.zeros(2))
np.negative(np.array([1, 2]), out=(b := np.zeros(2, int),))
b
# %% out of the wrong type
np.add([1.5], [1], out=np.zeros(1, int))
# %% out of the wrong shape
np.add([1, 2], [1, 2], out=np.zeros(3))
# %% dtype argument
np.add(1, 2, dtype=np.float32), np.sin(0.5, dtype=np.float32), np.multiply([1, 2], 2, dtype=float)
# %% ufunc methods
np.add.reduce([1, 2, 3]), np.multiply.reduce([[1, 2], [3, 4]], axis=1), np.add.accumulate([1, 2, 3])
np.multiply.outer([1, 2], [3, 4]), np.subtract.outer([1], [1, 2])
a = np.zeros(4)
np.add.at(a, [0, 0, 2], [1, 2, 3])
a
np.negative.at(a, [0])
a
np.add.reduceat(np.arange(8), [0, 4, 1, 5])
np.add.reduce(np.ones((2, 3)), axis=(0, 1)), np.add.reduce(np.ones((2, 3)), axis=None, keepdims=True)
np.logical_and.reduce([1, 1, 0]), np.add.identity, np.multiply.identity, np.add.nin, np.sin.nout, np.maximum
np.subtract.reduce([10, 1, 2]), np.add.reduce([1, 2], initial=10), np.add.reduce([1, 2, 3], where=[True, False, True])
# %% rounding
np.round([1.234, 5.678], 1), np.round(2.5), np.round(-1.5), np.array([15, 25]).round(-1), np.around(1.005, 2)
round(np.float64(2.675), 2), np.float32(1.25).round(1), round(np.float64(2.5))
# %% scalars compute as arrays do
np.float32(1) + np.float32(2), np.float32(3) * 2, np.int32(7) // 2, np.int32(7) / 2, -np.float32(1), abs(np.int8(-5))
np.float64(3) % 2, np.int64(5) & 3, np.float32(2) ** 0.5, 2 ** np.int64(3), np.bool_(True) | False, ~np.bool_(True)
np.float32(1) < 2, np.int64(3) == 3.0, np.float64(1) == np.float32(1), hash(np.int64(5)) == hash(5)
np.float32(1.5).item(), np.float32(1.5).astype(int), np.int64(3).dtype, np.float32(2).shape, np.float64(2.5).is_integer()
np.float32([1, 2]), np.int8(5).T, np.float32(3).reshape(1), np.int64(5).sum(), {np.int64(1): "x"}[1]
isinstance(np.float64(1), float), isinstance(np.int64(1), int), isinstance(np.float32(1), np.floating)
np.int64("12"), np.float32("1.5"), np.int32(3.9), np.uint8(255), np.bool_("x"), int(np.float32(3.7))
# %% a scalar out of range
np.uint8(256)
# %% a string is no number
np.array([1]) + "a"
# %% None is no number
np.array([1]) + None
# %% casting
np.array([1.9, -1.9]).astype(int), np.array([0, 2]).astype(bool), np.array([300]).astype(np.uint8), np.array([1]).astype(str)
np.array([1.5]).astype(np.float32).dtype, np.array([-1]).astype(np.uint32), np.arange(3).astype("f4")
np.array([1.0]).astype(int, casting="safe")
# %% vectorize and apply
np.vectorize(lambda x, y: x + y)([1, 2], 10)
np.vectorize(lambda x: x > 1)(np.arange(3))
np.vectorize(lambda a: a.sum(), signature="(n)->()")([[1, 2], [3, 4]])
np.vectorize(lambda x: (x, x * 2))([1, 2])
np.vectorize(float, otypes=[np.float32])([1, 2])
np.apply_along_axis(sum, 0, [[1, 2], [3, 4]]), np.apply_along_axis(lambda r: r * 2, 1, [[1, 2], [3, 4]])
@np.vectorize
def f(x):
    return x * 2
f([1, 2])
# %% views of other types
np.array([1.0], dtype=np.float32).view(np.int32), np.arange(4, dtype=np.uint8).view(np.uint16)
np.array([1 + 2j]).view(float), np.float32(1).view(np.int32)
np.array([1, 256], dtype=np.int16).byteswap(), np.array([1, 2], dtype="i2").tobytes()
# %% names that are not there
np.float_
# %% neighbours of narrow floats
np.nextafter(np.float32(1), np.float32(2)), np.spacing(np.float32(1)), np.nextafter(np.float16(1), np.float16(0)), np.spacing(np.float16(2))
np.nextafter(np.float32([0, -1, 3]), np.float32(5)), np.spacing([1.0, 1e10])
# %% bits of bytes
np.packbits([1, 0, 1]), np.packbits([[1, 0], [0, 1]], axis=1), np.unpackbits(np.uint8([5])), np.unpackbits(np.uint8([[5], [1]]), axis=1, count=3)
np.binary_repr(5), np.binary_repr(-3, 5), np.base_repr(255, 16), np.binary_repr(5, 8)
# %% ranges of narrow floats
np.linspace(np.float32(1), np.float32(2), 3), np.linspace(np.float16(0), 1, 3), np.arange(np.float32(3)), np.linspace(1j, 1, 3)
# %% classes say where they are from
np.dtype, np.errstate, np.vectorize, np.finfo, np.generic, np.ufunc, np.linalg.LinAlgError
