# %% sums
a = np.arange(6).reshape(2, 3)
a.sum(), a.sum(0), a.sum(axis=1), a.sum(axis=1, keepdims=True), np.sum(a, axis=(0, 1)), a.sum(dtype=float)
np.sum([True, True]), np.sum(np.int8([100, 100])), np.sum(np.uint8([1])).dtype, np.sum([]), np.sum(np.float32([1, 2])).dtype
np.sum([1, 2], initial=5), np.sum([1, 2, 3], where=[True, False, True]), np.sum(a, out=np.zeros((), int))
np.prod([1, 2, 3]), np.prod([]), a.prod(0), np.sum([[1], [2]], axis=-1)
# %% sums add in blocks, as NumPy does
x = np.random.RandomState(0).rand(10000)
x.sum(), x[:1000].sum(), x[:7].sum(), x[:100].sum(), x[:129].sum(), x[::3].sum(), x.mean(), x.var(), x.std()
x.reshape(100, 100).sum(0)[:3], x.reshape(100, 100).sum(1)[:3], x.reshape(10, 10, 100).sum(axis=(0, 2))[:3]
y = x.astype(np.float32)
y.sum(), y[:1000].sum(), y.mean(), y.var(), y.std(), y.reshape(100, 100).sum(0)[:3], y.reshape(100, 100).sum(1)[:3]
z = x.astype(np.float16)
z[:1000].sum(), z.mean()
(x + 1j * x[::-1]).sum()
y.sum(dtype=float), x.cumsum()[-1], y.cumsum()[-1], x.prod(), np.add.reduce(x.reshape(100, 100), axis=None)
x.reshape(100, 100).T.sum(0)[:2], x.reshape(100, 100)[:, :50].sum(), x.reshape(10, 10, 100).sum(axis=(0, 1))[:2]
# %% extremes
a = np.array([[3, 1, 2], [9, 7, 8]])
a.max(), a.min(0), np.max(a, axis=1), np.amin(a), a.argmax(), a.argmin(1), np.ptp(a), np.ptp(a, axis=0)
np.max([1, np.nan]), np.nanmax([1, np.nan]), np.argmax([1, np.nan, 3]), np.argmax([True, True]), np.argmin([2, 1, 1])
a.argmax(axis=0, keepdims=True), np.max(a, initial=100), np.min([5], initial=3)
# %% the extreme of nothing
np.max([])
# %% argmax of nothing
np.argmax([])
# %% axis out of range
np.sum(np.zeros((2, 2)), axis=2)
# %% duplicate axes
np.sum(np.zeros((2, 2)), axis=(0, 0))
# %% means and variances
a = np.array([[1.0, 2.0], [3.0, 5.0]])
a.mean(), a.mean(0), np.mean([1, 2, 4]), a.var(), a.var(ddof=1), a.std(axis=1), np.std([1, 2, 3], ddof=1)
np.mean(np.float32([1, 2])).dtype, np.mean(np.float16([1, 2])).dtype, np.mean([True, False]), np.var([1 + 1j, 2])
np.average([1, 2, 3], weights=[3, 2, 1]), np.average(a, axis=0), np.average([1.0, 2.0], weights=[1, 3], returned=True)
np.mean(a, keepdims=True), np.mean(a, where=[[True, False], [True, True]])
# %% the mean of nothing
np.mean([])
# %% any all count
np.any([0, 1]), np.all([[1, 0], [1, 1]], axis=1), np.count_nonzero([1, 0, 2]), np.count_nonzero([[1, 0], [2, 3]], axis=0)
np.array([]).any(), np.array([]).all(), np.any(np.zeros((2, 2)), axis=0)
# %% cumulative
np.cumsum([1, 2, 3]), np.cumsum([[1, 2], [3, 4]]), np.cumsum([[1, 2], [3, 4]], axis=0), np.cumprod([1, 2, 3])
np.cumsum(np.float32([1.5, 2])), np.cumsum([True, True]), np.cumsum(np.int8([100, 100])), np.cumulative_sum([1, 2])
np.maximum.accumulate([1, 3, 2]), np.nancumsum([1, np.nan, 2])
# %% nan functions
a = np.array([[1.0, np.nan], [3.0, 4.0]])
np.nansum(a), np.nanmean(a, axis=0), np.nanmin(a), np.nanstd(a), np.nanvar(a, axis=1), np.nanprod(a), np.nanargmax(a)
np.nanmedian(a), np.nanpercentile(a, 50), np.nanmax(a, axis=1)
np.nanmean([np.nan])
# %% medians and percentiles
np.median([3, 1, 2]), np.median([4, 1, 2, 3]), np.median([[1, 2], [3, 4]], axis=0), np.median([1, np.nan])
np.percentile([1, 2, 3, 4], 25), np.percentile([1, 2, 3, 4], [0, 50, 100]), np.quantile([1.0, 2.0], 0.3)
np.percentile([[1, 2], [3, 4]], 50, axis=1), np.quantile(np.float32([1, 2, 4]), 0.5), np.percentile([1, 2, 3], 40, method="lower")
np.quantile([1, 2], 1.5)
# %% histograms and bins
np.histogram([1, 2, 1, 4], bins=3), np.histogram([0.1, 0.5], bins=2, range=(0, 1)), np.histogram([1, 2, 3], [0, 2, 4])
np.histogram([1, 2, 2], bins=2, density=True), np.bincount([0, 1, 1, 3]), np.bincount([1, 1], weights=[0.5, 1], minlength=4)
np.digitize([0.5, 2.5], [0, 1, 2]), np.digitize([1], [0, 1, 2], right=True), np.histogram_bin_edges([1, 2, 5], 4)
np.histogram2d([0, 1], [0, 1], bins=2)
# %% sorting
np.sort([3, 1, 2]), np.sort([[3, 1], [2, 0]]), np.sort([[3, 1], [2, 0]], axis=0), np.sort([1.0, np.nan, 0.5])
np.argsort([3, 1, 2]), np.argsort([[3, 1], [2, 0]], axis=0), np.argsort([1, 1, 0], kind="stable"), np.sort(["b", "a"])
a = np.array([3, 1, 2])
a.sort()
a
np.sort([[3, 1], [2, 0]], axis=None), np.lexsort(([1, 2, 1], [2, 1, 1])), np.searchsorted([1, 3, 5], [0, 3, 6])
np.searchsorted([1, 3, 5], 3, side="right"), np.partition([3, 1, 2], 1)[1], np.sort([True, False]), np.sort([2 + 1j, 1 + 2j])
# %% sets
np.unique([3, 1, 1]), np.unique([3, 1, 1], return_index=True, return_inverse=True, return_counts=True)
np.unique([[1, 2], [1, 2], [0, 1]], axis=0), np.union1d([1, 2], [2, 3]), np.intersect1d([1, 2, 3], [2, 3, 4])
np.setdiff1d([1, 2, 3], [2]), np.setxor1d([1, 2], [2, 3]), np.isin([1, 2, 3], [1, 3]), np.isin([1], [2], invert=True)
np.unique(["b", "a", "b"]), np.unique([np.nan, np.nan, 1.0]), np.unique_counts([1, 1, 2])
# %% differences
np.diff([1, 4, 9]), np.diff([[1, 3], [6, 10]], axis=0), np.diff([1, 4, 9, 16], n=2), np.diff([True, False])
np.ediff1d([1, 2, 4]), np.gradient([1.0, 4.0, 9.0, 16.0]), np.gradient([[1.0, 2.0], [3.0, 5.0]]), np.gradient([1.0, 4.0, 9.0], 2.0)
np.diff([1, 2], prepend=0), np.trapezoid([1, 2, 3]), np.trapezoid([1, 2], x=[0, 2]), np.interp([0.5, 3], [0, 1, 2], [0, 10, 20])
np.gradient([1.0, 4.0, 9.0], [0.0, 1.0, 3.0]), np.unwrap([0, 3, 6.5]), np.diff([1])
# %% covariance and correlation
np.cov([1, 2, 3], [1, 2, 4]), np.corrcoef([1, 2, 3], [1, 2, 4]), np.cov([[1.0, 2, 3], [3, 2, 1]]), np.cov([1, 2, 3], ddof=0)
# %% polynomials
np.polyval([1, 2, 3], 2), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(10), np.polyadd([1, 2], [3]), np.polymul([1, 2], [1, 3])
np.polyder([1, 2, 3]), np.polyint([2, 2]), np.convolve([1, 2, 3], [0, 1, 0.5]), np.convolve([1, 2, 3], [0, 1], "same")
np.correlate([1, 2, 3], [0, 1, 0.5], "full"), np.correlate([1, 2, 3], [0, 1, 0.5]), np.convolve([1, 2, 3], [1, 1], "valid")
np.sort(np.roots([1, -3, 2])).round(10), np.poly([1, 2])
