# %% passing assertions say nothing
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
np.testing.assert_array_equal([1, np.nan], [1, np.nan])
np.testing.assert_equal({"a": [1, 2]}, {"a": [1, 2]})
np.testing.assert_almost_equal(1.0, 1.00000001)
np.testing.assert_array_less([1, 2], [2, 3])
with np.testing.assert_raises(ValueError):
    np.zeros(-1)
np.testing.assert_raises(ZeroDivisionError, lambda: 1 / 0)
# %% allclose fails
np.testing.assert_allclose([1.0, 2.0, 3.0], [1.0, 2.1, 3.0])
# %% allclose with tolerances
np.testing.assert_allclose(np.float32([1, 2]), np.float32([1.1, 2.2]), rtol=1e-3, atol=1e-4)
# %% allclose of scalars
np.testing.assert_allclose(1.0, 2.0)
# %% allclose shape mismatch
np.testing.assert_allclose([1.0, 2.0], [1.0, 2.0, 3.0])
# %% allclose nan mismatch
np.testing.assert_allclose([1.0, np.nan], [1.0, 2.0])
# %% allclose message
np.testing.assert_allclose([1.0], [2.0], err_msg="gradients differ")
# %% array equal fails
np.testing.assert_array_equal([[1, 2], [3, 4]], [[1, 2], [3, 5]])
# %% array equal of many
np.testing.assert_array_equal(np.arange(10), np.zeros(10))
# %% equal of scalars
np.testing.assert_equal(1, 2)
# %% equal of lists
np.testing.assert_equal([1, 2], [1, 3])
# %% almost equal
np.testing.assert_almost_equal(1.0, 1.1)
# %% array almost equal
np.testing.assert_array_almost_equal([1.0, 2.0], [1.0, 2.001], decimal=3)
# %% array less
np.testing.assert_array_less([1, 5], [2, 3])
# %% nothing raised
with np.testing.assert_raises(ValueError):
    pass
# %% strict
np.testing.assert_array_equal(np.float32([1]), np.float64([1]), strict=True)
