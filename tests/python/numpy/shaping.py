# %% reshape
a = np.arange(6)
a.reshape(2, 3), a.reshape((3, -1)), a.reshape(2, 3, order="F"), np.reshape([[1, 2], [3, 4]], -1), a.reshape(2, 3).ravel("F")
a.reshape(2, 3).base is a, a.reshape(2, 3).T.reshape(6), np.arange(4).reshape(2, 2)[:, ::-1].reshape(4)
a.shape = (2, 3)
a
a.reshape(4, 2)
# %% two unknown lengths
np.arange(6).reshape(-1, -1)
# %% transposes
a = np.arange(6).reshape(1, 2, 3)
a.T.shape, a.transpose(1, 0, 2).shape, np.transpose(a, (2, 0, 1)).shape, np.swapaxes(a, 0, 2).shape, np.moveaxis(a, 0, -1).shape
np.rollaxis(a, 2).shape, np.moveaxis(a, [0, 1], [-1, -2]).shape, np.matrix_transpose(a).shape, a.mT.shape
a.transpose(0, 0, 1)
# %% axes that are not there
np.moveaxis(np.zeros((2, 2)), 5, 0)
# %% adding and dropping axes
np.expand_dims([1, 2], 0), np.expand_dims([1, 2], (0, 2)).shape, np.squeeze([[[1], [2]]]), np.squeeze(np.zeros((1, 2, 1)), axis=0).shape
np.atleast_1d(5), np.atleast_2d([1, 2]), np.atleast_3d([1, 2]).shape
np.squeeze(np.zeros((2, 1)), axis=0)
# %% broadcasting
np.broadcast_to([1, 2], (2, 2)), np.broadcast_shapes((2, 1), (1, 3)), np.broadcast_arrays([1, 2], [[1], [2]])
np.broadcast_to([1, 2, 3], (2, 2))
# %% shapes that do not broadcast together
np.broadcast_shapes((2,), (3,))
# %% joining
np.concatenate([[1, 2], [3]]), np.concatenate([[[1]], [[2]]], axis=1), np.concatenate([[1], [2.5]]), np.concatenate(([[1, 2]], [[3, 4]]), axis=None)
np.stack([[1, 2], [3, 4]]), np.stack([[1, 2], [3, 4]], axis=1), np.vstack([[1, 2], [3, 4]]), np.hstack([[1], [2, 3]]), np.dstack([[1, 2], [3, 4]])
np.column_stack([[1, 2], [3, 4]]), np.block([[np.ones((2, 2)), np.zeros((2, 1))], [np.zeros((1, 2)), 5]]), np.append([1], [2, 3]), np.append([[1]], [[2]], axis=0)
np.hstack([[[1], [2]], [[3], [4]]])
# %% joining what does not fit
np.concatenate([np.zeros((2, 2)), np.zeros((2, 3))])
# %% joining nothing
np.concatenate([])
# %% joining different ranks
np.concatenate([[1], [[2]]])
# %% stacking different shapes
np.stack([[1], [1, 2]])
# %% splitting
np.split(np.arange(6), 3), np.split(np.arange(6), [2, 4]), np.array_split(np.arange(5), 2), np.hsplit(np.arange(4).reshape(2, 2), 2), np.vsplit(np.eye(2), 2)
np.split(np.arange(5), 2)
# %% repeating
np.repeat([1, 2], 2), np.repeat([1, 2], [1, 3]), np.repeat([[1, 2]], 2, axis=0), np.tile([1, 2], 2), np.tile([[1, 2]], (2, 2)), np.resize([1, 2, 3], (2, 2))
# %% turning
np.flip([1, 2, 3]), np.flip([[1, 2], [3, 4]], 1), np.flipud([[1], [2]]), np.fliplr([[1, 2]]), np.rot90([[1, 2], [3, 4]]), np.roll([1, 2, 3], 1), np.roll([[1, 2], [3, 4]], 1, axis=1), np.roll([[1, 2], [3, 4]], 1), np.rot90([[1, 2], [3, 4]], 2)
# %% inserting and deleting
np.insert([1, 2, 3], 1, 9), np.insert([[1, 2], [3, 4]], 1, 9, axis=1), np.delete([1, 2, 3], 1), np.delete([[1, 2], [3, 4]], 0, axis=0), np.insert([1, 2], [0, 2], [7, 8]), np.delete([1, 2, 3, 4], [0, -1]), np.trim_zeros([0, 1, 0, 2, 0])
# %% padding
np.pad([1, 2], 1), np.pad([1, 2], (1, 2), constant_values=9), np.pad([[1, 2], [3, 4]], ((1, 0), (0, 1))), np.pad([1, 2, 3], 2, mode="edge"), np.pad([1, 2, 3], 2, mode="reflect"), np.pad([1, 2, 3], 2, mode="wrap"), np.pad([1, 2, 3], 2, mode="symmetric"), np.pad([1, 3], 1, mode="mean"), np.pad([1, 3], 2, mode="linear_ramp", end_values=0)
# %% copies by method
a = np.arange(3)
a.copy() is a, a.flatten(), a.tolist(), a.astype(int) is a, a.astype(int, copy=False) is a, a.squeeze() is a
a.fill(7)
a
# %% strings of shapes
np.zeros((2, 3)).shape, np.zeros(()).shape, np.zeros(()).ndim, np.zeros((2, 0)).size
np.shape([[1, 2]]), np.ndim([1]), np.size([[1, 2]]), np.size([[1, 2]], 1)
