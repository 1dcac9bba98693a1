# %% floats align at the point
np.array([1.0, 2.5, 100.25])
np.array([0.1, 0.22, 0.333])
np.array([-1.5, 2.0])
np.array([1e-5, 1.0])
np.array([1e-4, 1.0])
np.array([1e8, 1.0])
np.array([123456789.0])
np.array([12345678.0])
np.array([1e16, 1e-16])
np.array([1e100, 1.0])
np.array([1.0, np.nan, np.inf, -np.inf])
np.array([np.nan, np.nan])
np.array([np.inf])
np.array([-0.0, 0.0])
np.array([0.1 + 0.2, 1 / 3])
np.array([1 / 3, 1000.0])
np.array([1 / 3, 1001.0])
np.array([1234.5678, 0.001])
# %% float32 and float16
np.array([0.1, 0.2, 1 / 3], dtype=np.float32)
np.array([1e10, 1e-10], dtype=np.float32)
np.array([0.1, 1 / 3, 65504], dtype=np.float16)
np.float32([16777217, 3.4e38])
np.float32(1) / np.float32(3)
np.array([1e-45, 1], dtype=np.float32)
np.array([6e-8], dtype=np.float16)
# %% where exponents begin
np.float32(999999), np.float32(1e6), np.float32(1234567), np.float16(999), np.float16(1000), np.float32(1e-4)
np.array([1234567, 0.5], dtype=np.float32), np.array([2000], dtype=np.float16), np.array([99999999.0])
np.complex64(999999 + 1j), np.complex64(1e6), np.complex128(1e16)
# %% integers and booleans
np.array([1, -10, 100])
np.array([[True, False], [False, True]])
np.array([1, 2], dtype=np.int8)
np.array([2**63], dtype=np.uint64)
np.array([], dtype=int)
np.zeros((2, 0))
np.array([[]], dtype=np.float32)
print(np.array([[1, 20], [300, 4]]))
# %% complex
np.array([1 + 2j, 3.5 - 1j])
np.array([1e-10 + 1j, 1])
np.array([1 + 2j], dtype=np.complex64)
np.complex64(1 + 2j), np.complex128(-0.5j), np.complex128(1.5)
np.array([complex(np.nan, 1), complex(np.inf, -np.inf)])
print(np.complex64(0.1 + 0.2j), np.complex128(1j))
# %% scalars
np.float64(0.1), np.float32(0.1), np.float16(0.1)
np.int32(5), np.uint8(200), np.bool_(True), np.False_
np.float64(1e16), np.float64(1e15), np.float64(1e-5), np.float64(0.0001)
np.float32(1e8), np.float32(123456789), np.float32(1e16), np.float32(1e-5)
np.float64("nan"), np.float64("inf"), np.float32("-inf")
np.str_("abc")
print(np.float32(0.1), np.float64(1e22), np.int64(7), np.bool_(False))
f"{np.float32(0.1):.3f} {np.int64(3):d} {np.float64(2.5)} {np.int64(3):>5}"
"%d %s %.2f" % (np.int64(3), np.float32(0.5), np.float32(0.25))
str(np.array(3.5)), repr(np.array(3)), repr(np.array(2.0, dtype=np.float32))
f"{np.array(3.14159):.2f}"
# %% long lines wrap at 75
np.arange(40)
np.linspace(0, 1, 20)
np.arange(30, dtype=np.float32) / 7
print(np.arange(40))
np.arange(60).reshape(2, 30)
np.random.RandomState(0).rand(3, 9)
np.arange(26) * 1j
# %% three and more axes
np.arange(8).reshape(2, 2, 2)
np.zeros((1, 2, 1, 2))
print(np.ones((2, 2, 2)))
# %% summarised above a thousand
np.arange(1001)
np.arange(1000).sum()
print(np.arange(2000.0))
np.zeros((100, 100))
print(np.arange(3000).reshape(3, 1000))
np.arange(1200).reshape(2, 6, 100)
np.ones(1001, dtype=np.float32)
# %% print options
np.set_printoptions(precision=3)
np.array([1 / 3, 2 / 3])
np.set_printoptions(suppress=True)
np.array([1e-10, 1.0])
np.set_printoptions(precision=8, suppress=False, threshold=5)
np.arange(10)
np.set_printoptions(threshold=1000, linewidth=40)
np.arange(30)
np.set_printoptions(linewidth=75, formatter={"float": lambda x: f"<{x:.1f}>"})
np.array([1.0, 2.0])
np.set_printoptions()
np.array([1.0, 2.0])
with np.printoptions(precision=2, floatmode="fixed"):
    print(np.array([1.0, 0.5, 1 / 3]))
with np.printoptions(sign="+"):
    print(np.array([1.0, -2.0]))
with np.printoptions(sign=" "):
    print(np.array([1.0, 2.0]), np.array([1, 2]))
with np.printoptions(nanstr="NA", infstr="INF"):
    print(np.array([np.nan, np.inf, 1]))
with np.printoptions(floatmode="unique"):
    print(np.array([1 / 3, 0.1]))
with np.printoptions(floatmode="maxprec_equal"):
    print(np.array([0.5, 0.125]))
with np.printoptions(edgeitems=1, threshold=3):
    print(np.arange(16).reshape(4, 4))
# %% array2string
np.array2string(np.array([1.0, 2.0]), separator=", ")
np.array2string(np.arange(3), prefix="x = ")
np.array2string(np.array([0.123456789]), precision=3)
np.array2string(np.array([1.5, 2.5]), formatter={"float_kind": lambda x: "%.2f" % x})
np.array_str(np.arange(3)), np.array_repr(np.arange(3))
np.format_float_positional(0.1), np.format_float_scientific(12345.678)
np.format_float_positional(np.float32(1 / 3)), np.format_float_positional(3.14159, precision=2)
# %% text
np.array(["a", "bb"])
print(np.array(["a", "bb"]))
np.array([["x"], ["yy"]])
# %% dtype objects
np.dtype("float32"), np.dtype(int), np.dtype("bool"), np.dtype(np.complex64), np.dtype("U3")
str(np.dtype("float32")), np.dtype("f4").name, np.dtype("i8").str, np.dtype("?").kind
np.dtype("float32") == np.float32, np.dtype("float32") == "float32", np.dtype(float) == float
np.dtype("int8").itemsize, np.dtype("complex64").char, np.dtype("f4").type
np.float32, np.int64, np.bool_, np.ndarray
np.dtype("nonsense")
# %% finfo and iinfo
np.finfo(np.float32)
np.finfo(float).eps, np.finfo(np.float32).max, np.finfo(np.float16).tiny, np.finfo("f4").bits
np.iinfo(np.int8)
np.iinfo(np.int32).max, np.iinfo(np.uint64).max, np.iinfo(int).min
# %% flags and strides
a = np.arange(6).reshape(2, 3)
a.flags
a.strides, a.T.strides, a[:, ::2].strides, a.itemsize, a.nbytes, a.size, a.ndim
