# %% lists and nested lists
np.array([1, 2, 3])
np.array([[1, 2], [3, 4.5]])
np.array([True, False])
np.array([1, 2.0, 3j])
np.array([])
np.array([[], []])
np.array(5)
np.array("text")
np.array(["a", "bcd"])
np.array((1, (2)))
np.array([[[1]]])
# %% dtype of mixed leaves
np.array([1, True]).dtype
np.array([1, 2.5]).dtype
np.array([np.float32(1), 2]).dtype
np.array([np.float32(1), np.float32(2)]).dtype
np.array([np.int8(1), np.int16(1)]).dtype
np.array([2**63]).dtype
np.array([1, "a"])
# %% ragged lists are refused
np.array([[1, 2], [3]])
# %% ragged deeper
np.array([[[1], [2]], [[3], [4, 5]]])
# %% lists of arrays
np.array([np.ones(2), np.zeros(2)])
np.array([np.float32(1.5), 2])
np.asarray([np.arange(3), [4, 5, 6]])
# %% integers out of range
np.array([300], dtype=np.uint8)
# %% floats into integers
np.array([1.7, -1.7], dtype=int)
np.array([1, 0, 2], dtype=bool)
np.array([1.5], dtype=np.complex64)
np.array(["1.5", "2"]).astype(float)
# %% zeros ones full empty
np.zeros(3)
np.zeros((2, 3), dtype=np.int32)
np.ones((2, 2))
np.ones(2, dtype=bool)
np.full((2, 2), 7)
np.full(3, 2.5)
np.full(2, [1, 2])
np.full((2,), np.float32(1))
np.zeros((0, 3))
np.empty((2, 0)).shape
np.zeros_like([1, 2])
np.ones_like(np.float32([1, 2]))
np.full_like(np.array([1, 2]), 2.7)
np.zeros(-1)
# %% arange
np.arange(5)
np.arange(2, 8, 2)
np.arange(5, 0, -1)
np.arange(0, 1, 0.25)
np.arange(3.0)
np.arange(3, dtype=np.float32)
np.arange(0.1, 0.5, 0.1)
np.arange(5, 1)
np.arange(np.int8(3)).dtype
np.arange(0, 1, 0.1, dtype=np.float32)
# %% linspace logspace geomspace
np.linspace(0, 1, 5)
np.linspace(0, 1, 4, endpoint=False)
np.linspace(0, 10, 3, retstep=True)
np.linspace(1, 2, 1)
np.linspace(0, 10, 5, dtype=int)
np.linspace([0, 1], [1, 3], 3)
np.linspace([0, 1], [1, 3], 3, axis=1)
np.logspace(0, 3, 4)
np.logspace(0, 3, 4, base=2)
np.geomspace(1, 1000, 4)
# %% eye diag tri
np.eye(3)
np.eye(2, 3, k=1)
np.eye(3, k=-1, dtype=int)
np.identity(2)
np.diag([1, 2, 3])
np.diag([1, 2], k=1)
np.diag(np.arange(9).reshape(3, 3))
np.diag(np.arange(9).reshape(3, 3), -1)
np.tri(3)
np.tril(np.arange(9).reshape(3, 3))
np.triu(np.arange(9).reshape(3, 3), 1)
np.diagflat([[1, 2], [3, 4]])
np.vander([1, 2, 3])
# %% meshgrid indices
np.meshgrid([1, 2, 3], [4, 5])
np.meshgrid([1, 2], [3, 4], indexing="ij")
np.meshgrid([1, 2], [3, 4], sparse=True)
np.indices((2, 3))
np.fromfunction(lambda i, j: i + j, (2, 3))
np.fromfunction(lambda i, j: i == j, (2, 2), dtype=int)
np.mgrid[0:2, 0:3]
np.ogrid[0:2, 0:3]
np.mgrid[0:1:3j]
np.r_[1, 2, 3:5]
np.c_[[1, 2], [3, 4]]
np.s_[1:2, ...]
# %% from iterators and buffers
np.fromiter((i * i for i in range(4)), dtype=float)
np.frombuffer(b"\x01\x02\x03\x04", dtype=np.uint8)
np.frombuffer(b"\x01\x00\x02\x00", dtype=np.int16)
np.frombuffer(b"\x00\x00\x80?", dtype="<f4")
np.fromstring("1 2 3", sep=" ")
np.asarray(memoryview(b"abc"))
np.asarray(bytearray(b"abc"))
# %% a buffer is shared, not copied
b = bytearray(8)
a = np.frombuffer(b, dtype=np.float32)
a[...] = 1
b
m = memoryview(bytearray(12)).cast("f")
np.asarray(m)[1:] = 5
m.tolist()
np.asarray(m).flags.writeable
# %% a read-only buffer cannot be written
a = np.frombuffer(b"abcd", dtype=np.uint8)
a[0] = 1
# %% a frombuffer of the wrong size
np.frombuffer(b"abc", dtype=np.int16)
# %% memoryview of an array
a = np.arange(6, dtype=np.float32).reshape(2, 3)
m = memoryview(a)
m.shape, m.format, m.itemsize, m.tolist()
memoryview(np.arange(6)[::2]).tolist()
bytes(np.array([1, 2], dtype=np.uint8))
# %% copies and views
a = np.arange(4)
b = np.array(a)
b[0] = 9
a
c = np.asarray(a)
c is a
np.array(a, copy=False) is a
np.array([1, 2], copy=False)
# %% ndmin and order
np.array([1, 2], ndmin=2)
np.array([[1, 2], [3, 4]], order="F").flags.f_contiguous
np.asfortranarray([[1, 2], [3, 4]]).strides
np.ascontiguousarray(5)
# %% objects that know __array__
class Thing:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)
np.asarray(Thing())
np.asarray(Thing(), dtype=int)
np.sin(Thing())
np.array([Thing(), Thing()])
np.arange(3) + Thing()
# %% triangular indices
np.tril_indices(3)
np.triu_indices(2)
np.diag_indices(2)
a = np.zeros((3, 3))
np.fill_diagonal(a, 5)
a
