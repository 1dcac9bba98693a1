# %% transforms and their inverses
x = np.array([1.0, 2.0, 0.5, -1.0])
np.fft.fft(x).round(10), np.fft.ifft(np.fft.fft(x)).real.round(10), np.fft.rfft(x).round(10), np.fft.irfft(np.fft.rfft(x)).round(10)
# %% lengths of every kind
r = np.random.RandomState(0)
for n in (1, 2, 3, 5, 6, 7, 12, 15, 31, 67, 97, 128, 210):
    v = r.randn(n) + 1j * r.randn(n)
    k = np.arange(n)
    print(n, np.allclose(np.fft.fft(v), np.exp(-2j * np.pi * np.outer(k, k) / n) @ v), np.allclose(np.fft.ifft(np.fft.fft(v)), v))
    w = r.randn(n)
    print(np.allclose(np.fft.rfft(w), np.fft.fft(w)[: n // 2 + 1]), np.allclose(np.fft.irfft(np.fft.rfft(w), n), w))
# %% more axes
a = np.arange(12.0).reshape(3, 4)
np.fft.fft2(a).round(8)
np.fft.fft(a, axis=0).round(8), np.fft.fft(a, n=2).round(8), np.fft.fft(a, 6, norm="ortho").shape
np.allclose(np.fft.ifft2(np.fft.fft2(a)), a), np.allclose(np.fft.irfft2(np.fft.rfft2(a)), a), np.fft.rfftn(a).shape
# %% frequencies and shifts
np.fft.fftfreq(5, 0.1), np.fft.rfftfreq(4), np.fft.fftshift(np.arange(5)), np.fft.ifftshift(np.arange(5)), np.fft.fftfreq(4)
# %% single precision and wrong arguments
np.fft.fft(np.float32([1, 2])).dtype
np.fft.fft([1, 2], norm="strange")
