# %% views share memory
a = np.arange(10)
v = a[2:5]
v[0] = 99
a
v.base is a
b = a[::-2]
b
b[...] = 0
a
# %% two axes
a = np.arange(12).reshape(3, 4)
a[1], a[1, 2], a[-1, -1], a[:, 1], a[1:, ::2], a[..., 0], a[None].shape, a[:, np.newaxis].shape
a[1, 2] = 50
a[0] = [9, 8, 7, 6]
a[:, 0] = 1
a
# %% out of bounds
np.arange(3)[5]
# %% out of bounds on an axis
np.zeros((2, 3))[0, 3]
# %% too many indices
np.zeros((2, 3))[0, 0, 0]
# %% a float is no index
np.arange(3)[1.0]
# %% a string is no index
np.arange(3)["a"]
# %% integer arrays
a = np.arange(10) * 10
a[[1, 3, -1]]
a[np.array([[0, 1], [2, 3]])]
a[[]]
m = np.arange(12).reshape(3, 4)
m[[0, 2]]
m[[0, 2], [1, 3]]
m[:, [1, 1, 0]]
m[[0, 1], :][:, [0, 2]]
m[np.ix_([0, 2], [1, 3])]
m[1, [0, 2]]
m[[[0], [2]], [1, 3]]
# %% integer arrays out of bounds
np.arange(3)[[0, 7]]
# %% index arrays that do not broadcast
np.zeros((3, 3))[[0, 1], [0, 1, 2]]
# %% mixed indexing places axes
t = np.arange(24).reshape(2, 3, 4)
t[:, [0, 1], [2, 3]].shape
t[[0, 1], :, [2, 3]].shape
t[0, :, [1, 2]].shape
t[..., [0, 1]].shape
t[[0, 1], :, 0].shape
t[:, None, [0, 2], 1].shape
t[0, [0, 1]]
# %% boolean arrays
a = np.arange(6)
a[a > 2]
a[a % 2 == 0] = -1
a
m = np.arange(6).reshape(2, 3)
m[m > 2]
m[[True, False]]
m[:, [True, False, True]]
m[np.array([[True, False, True], [False, False, True]])]
m[m > 100]
np.array(5)[True], np.array(5)[False]
# %% boolean index of the wrong length
np.arange(3)[[True, False]]
# %% writing through fancy indices
a = np.zeros(5)
a[[0, 2]] = [1, 2]
a[[1, 1]] += 5
a
m = np.zeros((3, 3), int)
m[[0, 1], [1, 2]] = 7
m[:, [0]] = [[1], [2], [3]]
m[m == 0] = -1
m
m[[True, False, True], 1] = 100
m
m[1, :] += 10
m
# %% broadcasting into an assignment that does not fit
a = np.zeros((2, 3))
a[:] = [1, 2]
# %% assigning a value that does not fit the mask
a = np.arange(4)
a[[0, 1, 2]] = [1, 2]
# %% integers too large for the dtype
a = np.zeros(2, dtype=np.int8)
a[0] = 200
# %% floats into integers, nan into integers
a = np.zeros(2, int)
a[0] = 3.9
a
a[1] = np.nan
# %% in place operators
a = np.arange(4.0)
b = a
a += 1
a *= 2
a -= 0.5
a /= 2
a **= 2
b
b is a
c = np.arange(4)
c //= 2
c %= 2
c <<= 2
c |= 1
c
c += 1.5
# %% iteration and membership
for row in np.arange(4).reshape(2, 2):
    print(row)
list(np.arange(3.0))
3 in np.arange(5), 9 in np.arange(5)
len(np.zeros((3, 2)))
[type(x).__name__ for x in np.array([1.5])]
# %% len of a scalar array
len(np.array(3))
# %% truth of an array
bool(np.array([1])), bool(np.array(0.0))
bool(np.array([1, 2]))
# %% truth of an empty array
bool(np.array([]))
# %% conversion to Python numbers
float(np.array(2.5)), int(np.array(3)), complex(np.array(1j)), np.array([7]).item(), np.arange(3).tolist()
float(np.array([1.0, 2.0]))
# %% item and index
np.arange(6).reshape(2, 3).item(4), np.arange(6).reshape(2, 3).item(1, 2)
[10, 20, 30][np.int64(1)], list(range(np.int32(3))), [1, 2, 3][np.array(2)]
np.zeros(3)[np.int32(1)]
# %% flat
a = np.arange(6).reshape(2, 3)
a.flat[4]
a.flat[1:3]
a.flat[[0, 5]] = 9
a.T.flat[1] = 100
a
list(a.flat)
# %% take put choose
a = np.arange(10) * 2
np.take(a, [1, 5, -1]), a.take([[0, 1]])
np.take(np.arange(6).reshape(2, 3), [0, 2], axis=1)
np.take(a, [100, -100], mode="clip"), np.take(a, [11], mode="wrap")
np.put(a, [0, 1], [-5, -6])
a
np.choose([0, 1, 0], [[1, 2, 3], [10, 20, 30]])
np.compress([True, False, True], [1, 2, 3]), np.extract([True, False], [5, 6])
np.take_along_axis(np.array([[3, 1, 2]]), np.array([[1, 2, 0]]), axis=1)
b = np.zeros((2, 2))
np.put_along_axis(b, np.array([[1], [0]]), 9, axis=1)
b
# %% where and select
np.where([True, False], [1, 2], [3, 4])
np.where([True, False], 1.5, 0)
np.where(np.arange(4) > 1)
np.select([np.arange(4) < 1, np.arange(4) < 3], [np.arange(4), np.arange(4) * 10], default=-1)
np.argwhere([[0, 1], [1, 0]]), np.flatnonzero([0, 3, 0, 4]), np.nonzero([[1, 0], [0, 2]])
np.piecewise([-1.0, 0.5, 2.0], [np.array([True, False, False]), np.array([False, True, True])], [lambda x: -x, 7])
np.clip([1, 5, 9], 2, 6), np.clip(np.float32([1.5]), 0, 1), np.clip([1, 2], None, 1)
a = np.arange(4)
np.copyto(a, [9, 9, 9, 9], where=[True, False, True, False])
a
np.place(a, a > 5, [1, 2])
a
np.putmask(a, a == 1, [50])
a
# %% unravel and ravel indices
np.unravel_index([5, 7], (3, 4)), np.ravel_multi_index(([1, 2], [1, 3]), (3, 4)), np.unravel_index(5, (2, 3))
# %% read-only arrays
a = np.arange(3)
a.flags.writeable = False
a[0] = 1
# %% broadcast views cannot be written
b = np.broadcast_to([1, 2], (2, 2))
b[0, 0] = 1
# %% sliding windows and strides
np.lib.stride_tricks.sliding_window_view(np.arange(5), 3)
np.lib.stride_tricks.as_strided(np.arange(4), (3, 2), (8, 8))
# %% nditer ndindex ndenumerate
list(np.ndindex(2, 2)), [(i, int(x)) for i, x in np.ndenumerate([5, 6])]
[int(x) for x in np.nditer(np.arange(4).reshape(2, 2))]
a = np.arange(3)
with np.nditer(a, op_flags=["readwrite"]) as it:
    for x in it:
        x[...] = x * 2
a
# %% shares memory
a = np.arange(6)
np.shares_memory(a, a[2:]), np.shares_memory(a, a.copy()), np.may_share_memory(a[:2], a[3:])
# %% an array without axes copies what it chooses
a = np.arange(6).reshape(2, 3)
v = a[np.array(1)]
v[0] = 99
a, a[np.int32(1)].base is not None
# %% in place shapes that do not fit
a = np.ones((2, 3))
a += [1, 2]
# %% a list into one element
a = np.ones(2, int)
a[0] = [1, 2]
# %% a mask that does not fit its values
a = np.arange(4)
a[[True, False, False, False]] = [1, 2]
# %% many elements by index
a = np.arange(1000).reshape(100, 10)
a[a % 7 == 0].sum(), a[np.arange(50) * 2, 3].sum(), a[:, [1, 2]].sum(), a[np.array([[5], [6]]), np.arange(10)].shape
a[a > 500] = 0
a[np.arange(30)] += 1
a.sum(), np.nonzero(a)[0].sum(), np.sort(a, axis=None)[::100], a[::3, ::2].T.copy().sum(axis=1)
