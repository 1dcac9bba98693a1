# %% dot and matmul
a = np.arange(4).reshape(2, 2)
a @ a, a.dot(a), np.dot([1, 2], [3, 4]), a @ [1, 2], [1, 2] @ a, np.matmul(np.ones((2, 1, 3)), np.ones((3, 2))).shape, np.dot(2, 3)
np.dot(np.ones((2, 3, 4)), np.ones((5, 4, 6))).shape, np.inner([1, 2], [3, 4]), np.outer([1, 2], [3, 4]), np.vdot([1j, 2], [1, 1]), np.kron([1, 2], [1, 1])
np.float32([[1, 2]]) @ np.float32([[3], [4]]), np.ones((2, 2), bool) @ np.eye(2, dtype=bool), np.cross([1, 0, 0], [0, 1, 0]), np.trace(a)
# %% matmul mismatch
np.ones((2, 3)) @ np.ones((2, 3))
# %% matmul of a scalar
np.matmul(1, [1, 2])
# %% dot mismatch
np.dot([1, 2], [1, 2, 3])
# %% tensordot
np.tensordot(np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2), 1), np.tensordot(np.ones((2, 3)), np.ones((2, 3))), np.tensordot(np.ones((2, 3, 4)), np.ones((4, 3)), axes=([1, 2], [1, 0]))
# %% einsum
a = np.arange(6).reshape(2, 3)
np.einsum("ij->ji", a), np.einsum("ij->", a), np.einsum("ii", np.eye(3)), np.einsum("ij,kj->ik", a, a), np.einsum("i,i", [1, 2], [3, 4]), np.einsum("i,j->ij", [1, 2], [3, 4]), np.einsum("...j->...", a), np.einsum("bij,bjk->bik", np.ones((2, 2, 3)), np.ones((2, 3, 1))).shape, np.einsum("ij,j", a, [1, 0, 1]), np.einsum("ii->i", np.eye(2)), np.einsum("ij,ij->i", a, a), np.einsum("i,i,i->", [1, 2], [1, 2], [1, 2]), np.einsum(a, [0, 1], [1, 0])
# %% einsum with a label too many
np.einsum("ijk->", np.ones((2, 2)))
# %% solving
a = np.array([[3.0, 1.0], [1.0, 2.0]])
np.linalg.solve(a, [9, 8]), np.linalg.inv(a).round(12), np.linalg.det(a).round(12), np.linalg.slogdet(a), np.linalg.solve(a, np.eye(2)).round(12)
np.linalg.solve(np.stack([a, a]), np.ones((2, 2, 1))).shape, np.linalg.inv(np.float32(a)).dtype, np.linalg.matrix_power(a, 3), np.linalg.matrix_power(a, 0)
# %% a singular matrix
np.linalg.inv([[1, 2], [2, 4]])
# %% not square
np.linalg.inv(np.ones((2, 3)))
# %% not a matrix
np.linalg.det([1, 2])
# %% factorisations
a = np.array([[4.0, 2.0], [2.0, 3.0]])
np.linalg.cholesky(a), np.linalg.qr(a), np.linalg.qr(np.arange(6.0).reshape(3, 2)).R.round(12), np.linalg.qr(np.arange(6.0).reshape(3, 2), mode="complete").Q.shape
l = np.linalg.cholesky([[2, 1j], [-1j, 2]])
np.allclose(l @ l.conj().T, [[2, 1j], [-1j, 2]])
# %% not positive definite
np.linalg.cholesky([[1, 2], [2, 1]])
# %% eigenvalues
a = np.array([[2.0, 1.0], [1.0, 3.0]])
np.linalg.eigvalsh(a).round(12), np.abs(np.linalg.eigh(a).eigenvectors).round(12), np.sort(np.linalg.eigvals([[1, 2], [3, 4]])).round(12)
w, v = np.linalg.eigh(np.array([[2, 1j], [-1j, 5]]))
np.allclose(np.array([[2, 1j], [-1j, 5]]) @ v, v * w), w.round(10)
w, v = np.linalg.eig([[0.0, -1.0], [1.0, 0.0]])
np.sort_complex(w), np.allclose(np.array([[0.0, -1.0], [1.0, 0.0]]) @ v, v * w)
m = np.random.RandomState(0).rand(6, 6)
w, v = np.linalg.eig(m)
np.allclose(m @ v, v * w), np.allclose(w.sum(), np.trace(m))
# %% singular values
a = np.arange(6.0).reshape(2, 3)
u, s, vh = np.linalg.svd(a)
u.shape, s.round(10), vh.shape, np.allclose((u * s) @ vh[:2], a), np.allclose(u @ u.T, np.eye(2)), np.allclose(vh @ vh.T, np.eye(3))
u, s, vh = np.linalg.svd(a.T, full_matrices=False)
np.allclose((u * s) @ vh, a.T), np.linalg.svd(a, compute_uv=False).round(10), np.linalg.matrix_rank(a), np.linalg.matrix_rank([[1, 2], [2, 4]]), np.linalg.pinv(a).round(10), np.linalg.cond([[1.0, 0], [0, 2.0]])
# %% least squares
x, r, k, s = np.linalg.lstsq([[1.0, 0], [1, 1], [1, 2]], [1.0, 2, 4], rcond=None)
x.round(10), r.round(10), k, s.round(10)
# %% norms
np.linalg.norm([3, 4]), np.linalg.norm([[1, 2], [3, 4]]), np.linalg.norm([1, -2, 3], 1), np.linalg.norm([1, -2, 3], np.inf), np.linalg.norm([[1, 2], [3, 4]], axis=1), np.linalg.norm([[1, 2], [3, 4]], 1), np.linalg.norm([[1, 2], [3, 4]], 2).round(10), np.linalg.norm([[1, 2], [3, 4]], "nuc").round(10), np.linalg.norm(np.float32([3, 4])), np.linalg.norm([1, 2, 2], 3), np.linalg.norm([3, 4], keepdims=True), np.linalg.vector_norm([3, 4]), np.linalg.norm([1j, 1])
# %% larger products agree closely
r = np.random.RandomState(1)
a, b = r.rand(20, 30), r.rand(30, 10)
np.allclose((a @ b).sum(), a.sum(0) @ b.sum(1)), (a @ b).shape, np.allclose(np.linalg.solve(a[:, :20], a[:, :20] @ np.ones(20)), 1)
m = a[:, :20]
np.allclose(np.linalg.inv(m) @ m, np.eye(20)), np.allclose(np.linalg.det(m[:3, :3]), np.dot(m[0, :3], np.cross(m[1, :3], m[2, :3])))
s = m @ m.T
w, v = np.linalg.eigh(s)
np.allclose(s @ v, v * w), np.allclose(v.T @ v, np.eye(20)), np.allclose(np.linalg.svd(m, compute_uv=False) ** 2, w[::-1])
