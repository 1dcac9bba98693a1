# %% counts of a histogram are those of numpy
x = np.sin(np.arange(200.0))
counts, edges, bars = plt.hist(x, bins=8)
show(counts, edges)
show([bar.get_height() for bar in bars], len(bars))
# %% density, range, weights, cumulative
x = np.sin(np.arange(50.0))
show(plt.hist(x, bins=4, density=True)[0])
show(plt.hist(x, bins=4, range=(0, 1))[:2])
show(plt.hist(x, bins=[-1, 0, 0.5, 1], weights=np.arange(50.0))[0])
show(plt.hist(x, bins=5, cumulative=True)[0])
show(plt.hist([x, x / 2], bins=3)[0])
show(plt.hist([x, x / 2], bins=3, stacked=True)[0])
# %% a histogram in two dimensions
x = np.sin(np.arange(50.0))
h, xe, ye, image = plt.hist2d(x, np.cos(np.arange(50.0)), bins=3)
show(h, xe, ye)
# %% bars
bars = plt.bar([0, 1], [3, 4], width=0.5, bottom=1)
show([(bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()) for bar in bars])
bars = plt.barh(["a", "b"], [3, 4], left=1)
show([(bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()) for bar in bars])
# %% levels of contours
z = np.sin(np.arange(6.0))[:, None] * np.cos(np.arange(7.0))
show(plt.contour(z).levels, plt.contourf(z).levels, plt.contour(z, 3).levels, plt.contour(z, levels=[0, 0.5]).levels)
show(plt.contourf(z, levels=4).get_clim(), plt.contour(z).get_clim())
# %% lines
a, b = plt.plot([1, 2, 3], [1, 4, 9], "r--", [1, 2], [3, 4], "go")
show(a.get_color(), a.get_linestyle(), a.get_marker(), b.get_color(), b.get_marker(), b.get_linestyle())
show(a.get_xdata(), a.get_ydata())
lines = plt.plot(np.arange(6.0).reshape(3, 2))
show(len(lines), [line.get_ydata().tolist() for line in lines])
# %% colours of the cycle
from matplotlib.colors import to_hex
show([to_hex(plt.plot([0, 1])[0].get_color()) for _ in range(12)], to_hex(plt.plot([0, 1], "C3")[0].get_color()))
# %% format strings that are none
plt.plot([1], [1], "rx!")
# %% x and y of different length
plt.plot([1, 2], [1, 2, 3])
# %% scatter with wrong sizes
plt.scatter([1, 2], [1, 2, 3])
# %% colours
from matplotlib.colors import to_hex, to_rgba, is_color_like
show([to_hex(color) for color in ("r", "C1", "tab:green", "0.5", "#abc", "navy", (1, 0.5, 0), "rebeccapurple")])
show(to_rgba("C0", 0.5), to_rgba("none"), to_rgba("#11223344"))
show([is_color_like(color) for color in ("r", "nonsense", "C10", "1.5", None, (0, 1, 2))])
# %% norms
from matplotlib.colors import LogNorm, Normalize, TwoSlopeNorm
show(Normalize(2, 4)(3), Normalize(0, 10)([0, 5, 20]), LogNorm(1, 100)(10), TwoSlopeNorm(0, -1, 4)([-1, 0, 2, 4]))
# %% about: colour maps at their ends and in the middle
close([plt.get_cmap(name)(place)[:3] for name in ("viridis", "plasma", "magma", "gray", "coolwarm", "RdBu", "jet", "Blues") for place in (0.0, 0.25, 0.5, 0.75, 1.0)])
close([plt.get_cmap("viridis_r")(0.0)[:3], plt.cm.tab10(3)[:3], plt.cm.Set1(0.99)[:3]])
# %% the state of pyplot
fig = plt.figure(figsize=(5, 3))
show(plt.gcf() is fig, len(fig.axes), fig.get_size_inches())
a = plt.subplot(1, 2, 1)
b = plt.subplot(1, 2, 2)
show(plt.gca() is b, plt.subplot(1, 2, 1) is a, len(fig.axes))
plt.title("t"), plt.xlabel("x"), plt.ylabel("y")
show(a.get_title(), a.get_xlabel(), a.get_ylabel(), b.get_title() == "")
plt.close()
show(plt.get_fignums())
# %% arrays of axes
fig, axs = plt.subplots(2, 3)
show(axs.shape, len(axs), axs[0, 1] is axs[0][1], axs.flat[4] is axs[1, 1], axs[:, 0].shape, axs.ravel().shape, axs.T.shape)
fig, axs = plt.subplots(3)
show(axs.shape)
fig, axs = plt.subplots(1, 2, squeeze=False)
show(axs.shape)
# %% labels of a legend
plt.plot([0, 1], label="first")
plt.plot([1, 0])
plt.bar([0], [1], label="bars")
plt.errorbar([0, 1], [0, 1], yerr=0.1, label="errors")
handles, labels = plt.gca().get_legend_handles_labels()
show(sorted(labels))
show([text.get_text() for text in plt.legend(["a", "b"]).get_texts()])
# %% texts that are no location of a legend
plt.plot([0, 1], label="a")
plt.legend(loc="upper middle").get_texts()[0].get_text()
# %% format strings
from matplotlib.colors import to_hex
for form in ("r", "C2", "--", "k:", "-.g", "o", "C1s-", "grey", "tab:red", "#00ff00", "x-", "^k:"):
    line = plt.figure().gca().plot([0, 1], form)[0]
    show(to_hex(line.get_color()), line.get_marker(), line.get_linestyle())
# %% a cell of a grid, and axes by name
fig = plt.figure()
grid = fig.add_gridspec(2, 3)
a = fig.add_subplot(grid[0, :])
b = fig.add_subplot(grid[1, 1:])
show(len(fig.axes), fig.gca() is b)
named = fig.subplot_mosaic("AB;CC")
show(sorted(named), len(fig.axes))
# %% errors that programs meet
for action in (lambda: plt.subplot(2, 2, 5), lambda: plt.contour([1, 2, 3]), lambda: plt.bar([1, 2], [1, 2, 3]), lambda: plt.legend(loc="nowhere"), lambda: plt.imshow([1, 2]), lambda: plt.xscale("nonsense"), lambda: plt.hist([1, 2], bins=[3, 2, 1]), lambda: plt.plot([1], marker="?"), lambda: plt.style.use("no-such-style"), lambda: plt.colorbar(), lambda: plt.errorbar([1], [1], yerr=-1), lambda: plt.rcParams.__setitem__("nonsense.x", 1)):
    try:
        action()
        print("nothing")
    except Exception as error:
        print(type(error).__name__)
