# %% ticks are 1, 2, 2.5 or 5 times a power of ten
fig, ax = plt.subplots()
for low, high in [(0, 1), (0, 10), (-1, 1), (0, 7), (-3.3, 12.7), (0, 100), (0.001, 0.0042), (-1e6, 1e6), (1000, 1001), (2, 2.0001), (0, 360), (-273, 41), (5, -5)]:
    ax.set_xlim(low, high)
    inside(ax.get_xticks(), low, high)
# %% a locator with a number of bins
from matplotlib.ticker import MaxNLocator
for bins in (1, 2, 3, 4, 5, 7, 12):
    show(MaxNLocator(bins).tick_values(-1.3, 8.9), MaxNLocator(bins, integer=True).tick_values(0, 5.5))
# %% multiples
from matplotlib.ticker import MultipleLocator
fig, ax = plt.subplots()
ax.xaxis.set_major_locator(MultipleLocator(0.25))
ax.set_xlim(0, 1)
inside(ax.get_xticks(), 0, 1)
# %% powers of ten
fig, ax = plt.subplots()
ax.set_yscale("log")
for low, high in [(1, 1000), (0.01, 10), (3, 40000), (1e-12, 1e12)]:
    ax.set_ylim(low, high)
    inside(ax.get_yticks(), low, high)
# %% ticks that were set
fig, ax = plt.subplots()
ax.plot([0, 4], [0, 4])
ax.set_xticks([0, 2, 4], ["a", "b", "c"])
show(ax.get_xticks(), [text.get_text() for text in ax.get_xticklabels()])
ax.set_yticks([1, 3])
show(ax.get_yticks())
ax.set_xticks([])
show(len(ax.get_xticks()))
# %% ticks beyond the limits widen them
fig, ax = plt.subplots()
ax.plot([0, 4], [0, 4])
ax.set_xticks(range(8))
show(ax.get_xlim())
# %% texts of numbers
from matplotlib.ticker import FormatStrFormatter, FuncFormatter, StrMethodFormatter
show(FormatStrFormatter("%.2f")(1.5), StrMethodFormatter("{x:.1f} m")(2))
show(FuncFormatter(lambda x, pos: f"<{x}>")(3))
# %% categories
fig, ax = plt.subplots()
ax.bar(["x", "y", "z"], [1, 2, 3])
show(ax.get_xticks())
# %% xticks of pyplot
plt.plot([0, 1], [0, 1])
_, texts = plt.xticks([0, 0.5, 1], ["low", "mid", "high"])
show(plt.gca().get_xticks(), [text.get_text() for text in texts])
