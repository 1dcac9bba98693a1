"""What axes can draw as lines, and as areas between lines."""

from __future__ import annotations

from typing import Any

from ._artist import Transform
from ._base import AxesBase
from ._data import columns, depth, floats, plain, same_length, spread
from .collections import PolyCollection, areas_between
from .container import ErrorbarContainer, StemContainer
from .lines import Line2D, LineCollection, own_options, parse_format
from .patches import Polygon


class LinePlots(AxesBase):
    """The methods that draw lines and areas between lines."""

    def plot(self, *args: Any, scalex: bool = True, scaley: bool = True, data: Any = None, **given: Any) -> list[Line2D]:
        """Lines through points: y, or x and y, each pair with a format string as "r--o" where wanted; one Line2D each."""
        made: list[Line2D] = []
        rest = [data[arg] if data is not None and isinstance(arg, str) and arg in data else arg for arg in args]
        if "x" in given or "y" in given:
            raise TypeError("plot() got an unexpected keyword argument; x and y are given by position")
        while rest:
            group, rest = rest[:2], rest[2:]
            if len(group) == 2 and isinstance(group[1], str):
                form = group.pop()
            else:
                form = rest.pop(0) if rest and isinstance(rest[0], str) else ""
            made += self._plot_group(group, parse_format(form), given)
        return made

    def _plot_group(self, group: list[Any], form: dict[str, Any], given: dict[str, Any]) -> list[Line2D]:
        ys = columns(group[-1])
        if len(group) == 2:
            xs = columns(group[0])
        else:
            xs = [[float(at) for at in range(len(ys[0]))]] if ys else []
        if not ys or not xs:
            return []
        same_length(xs[0], ys[0])
        if len(xs) > 1 and len(ys) > 1 and len(xs) != len(ys):
            raise ValueError(f"x has {len(xs)} columns but y has {len(ys)} columns")
        count = max(len(xs), len(ys))
        label = given.get("label")
        labels = list(label) if isinstance(label, (list, tuple)) and len(label) == count else [label] * count
        made = []
        for index in range(count):
            look = {**form, **given, "label": labels[index]}
            if look.get("color", look.get("c")) is None:
                look["color"] = self.cycled()
                look.pop("c", None)
            x, y = self.xaxis.numbers(xs[index % len(xs)]), self.yaxis.numbers(ys[index % len(ys)])
            made.append(self.add_artist(Line2D(x, y, **look)))
        return made

    def semilogx(self, *args: Any, base: float = 10, **given: Any) -> list[Line2D]:
        """As `plot`, with a logarithmic x axis."""
        self.set_xscale("log")
        return self.plot(*args, **given)

    def semilogy(self, *args: Any, base: float = 10, **given: Any) -> list[Line2D]:
        """As `plot`, with a logarithmic y axis."""
        self.set_yscale("log")
        return self.plot(*args, **given)

    def loglog(self, *args: Any, base: float = 10, **given: Any) -> list[Line2D]:
        """As `plot`, with two logarithmic axes."""
        self.set_xscale("log")
        self.set_yscale("log")
        return self.plot(*args, **given)

    def step(self, x: Any, y: Any, *args: Any, where: str = "pre", **given: Any) -> list[Line2D]:
        """A line that goes in steps; each value holds before ("pre"), after ("post") or around ("mid") its x."""
        if where not in ("pre", "post", "mid"):
            raise ValueError(f"{where!r} is not a valid value for where; supported values are 'pre', 'post', 'mid'")
        return self.plot(x, y, *args, drawstyle=f"steps-{where}", **given)

    def stairs(self, values: Any, edges: Any = None, *, fill: bool = False, baseline: float = 0, **given: Any) -> Any:
        """A line in steps over the edges of bins."""
        heights = floats(values)
        places = floats(edges) if edges is not None else [float(at) for at in range(len(heights) + 1)]
        x = [edge for edge in places for _ in range(2)]
        y = [float(baseline), *(height for height in heights for _ in range(2)), float(baseline)]
        if fill:
            return self.fill_between(x, y, baseline, **given)
        return self.plot(x, y, **given)[0]

    def axhline(self, y: float = 0, xmin: float = 0, xmax: float = 1, **given: Any) -> Line2D:
        """A level line across the axes."""
        line = Line2D([xmin, xmax], [self.yaxis.numbers(y)[0]] * 2, transform=Transform("yaxis"), **given)
        return self.add_artist(_Across(line, "y"))

    def axvline(self, x: float = 0, ymin: float = 0, ymax: float = 1, **given: Any) -> Line2D:
        """An upright line across the axes."""
        line = Line2D([self.xaxis.numbers(x)[0]] * 2, [ymin, ymax], transform=Transform("xaxis"), **given)
        return self.add_artist(_Across(line, "x"))

    def axline(self, xy1: Any, xy2: Any = None, *, slope: float | None = None, **given: Any) -> Line2D:
        """A line without ends, through a point with a slope or through two points."""
        x, y = floats(xy1)
        if (xy2 is None) == (slope is None):
            raise TypeError("Exactly one of 'xy2' and 'slope' must be given")
        dx, dy = (1.0, float(slope)) if slope is not None else (floats(xy2)[0] - x, floats(xy2)[1] - y)
        line = Line2D([x - 1e3 * dx, x + 1e3 * dx], [y - 1e3 * dy, y + 1e3 * dy], **{"color": "C0", **given})
        line.spans = ()
        return self.add_artist(line)

    def hlines(
        self, y: Any, xmin: Any, xmax: Any, colors: Any = None, linestyles: Any = "solid", label: Any = "", **given: Any
    ) -> LineCollection:
        """Level lines from xmin to xmax."""
        ys = self.yaxis.numbers(y)
        lows, highs = spread(xmin, len(ys), "xmin"), spread(xmax, len(ys), "xmax")
        segments = [[(low, at), (high, at)] for at, low, high in zip(ys, lows, highs)]
        return self.add_artist(LineCollection(segments, colors=colors, linestyle=linestyles, label=label, **given))

    def vlines(
        self, x: Any, ymin: Any, ymax: Any, colors: Any = None, linestyles: Any = "solid", label: Any = "", **given: Any
    ) -> LineCollection:
        """Upright lines from ymin to ymax."""
        xs = self.xaxis.numbers(x)
        lows, highs = spread(ymin, len(xs), "ymin"), spread(ymax, len(xs), "ymax")
        segments = [[(at, low), (at, high)] for at, low, high in zip(xs, lows, highs)]
        return self.add_artist(LineCollection(segments, colors=colors, linestyle=linestyles, label=label, **given))

    def axhspan(self, ymin: float, ymax: float, xmin: float = 0, xmax: float = 1, **given: Any) -> Polygon:
        """A level band across the axes."""
        corners = [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)]
        return self.add_artist(_Band(corners, "y", **given))

    def axvspan(self, xmin: float, xmax: float, ymin: float = 0, ymax: float = 1, **given: Any) -> Polygon:
        """An upright band across the axes."""
        corners = [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)]
        return self.add_artist(_Band(corners, "x", **given))

    def fill_between(
        self,
        x: Any,
        y1: Any,
        y2: Any = 0,
        where: Any = None,
        interpolate: bool = False,
        step: str | None = None,
        **given: Any,
    ) -> PolyCollection:
        """The area between two lines over x, where `where` holds."""
        return self._fill(self.xaxis.numbers(x), y1, y2, where, step, False, given)

    def fill_betweenx(
        self,
        y: Any,
        x1: Any,
        x2: Any = 0,
        where: Any = None,
        step: str | None = None,
        interpolate: bool = False,
        **given: Any,
    ) -> PolyCollection:
        """The area between two lines over y, where `where` holds."""
        return self._fill(self.yaxis.numbers(y), x1, x2, where, step, True, given)

    def _fill(
        self,
        along: list[float],
        first: Any,
        second: Any,
        where: Any,
        step: str | None,
        upright: bool,
        given: dict[str, Any],
    ) -> PolyCollection:
        count = len(along)
        lines = [spread(first, count, "the first line"), spread(second, count, "the second line")]
        if step is not None:
            from .lines import stepped

            pairs = [stepped(list(zip(along, line)), step) for line in lines]
            along, lines = [x for x, _ in pairs[0]], [[y for _, y in pair] for pair in pairs]
            where = None
        if not any(name in given for name in ("color", "facecolor", "facecolors", "fc", "c")):
            given = {**given, "facecolor": self.cycled()}
        return self.add_artist(PolyCollection(areas_between(along, lines[0], lines[1], where, upright), **given))

    def fill(self, *args: Any, **given: Any) -> list[Polygon]:
        """Filled polygons by x and y, each pair with a colour where wanted."""
        made = []
        rest = list(args)
        while len(rest) >= 2:
            x, y, rest = rest[0], rest[1], rest[2:]
            look = dict(given)
            if rest and isinstance(rest[0], str):
                look.setdefault("color", parse_format(rest.pop(0)).get("color"))
            if not any(name in look for name in ("color", "facecolor", "fc")):
                look["facecolor"] = self.cycled()
            made.append(self.add_artist(Polygon([[a, b] for a, b in zip(floats(x), floats(y))], **look)))
        return made

    def stackplot(
        self, x: Any, *args: Any, labels: Any = (), colors: Any = None, baseline: str = "zero", **given: Any
    ) -> list[PolyCollection]:
        """Areas on top of each other."""
        rows = [floats(row) for arg in args for row in (plain(arg) if depth(plain(arg)) == 2 else [arg])]
        under = [0.0] * len(floats(x))
        made = []
        for index, row in enumerate(rows):
            over = [a + b for a, b in zip(under, row)]
            color = colors[index % len(colors)] if colors else self.cycled()
            label = labels[index] if index < len(labels) else ""
            made.append(self.fill_between(x, under, over, facecolor=color, label=label, **given))
            under = over
        return made

    def arrow(self, x: float, y: float, dx: float, dy: float, **given: Any) -> Polygon:
        """An arrow from (x, y) to (x + dx, y + dy), whose width and head are lengths of the data."""
        names = ("width", "head_width", "head_length", "length_includes_head", "shape", "overhang", "head_starts_at_zero")
        look = {name: given.pop(name) for name in names if name in given}
        width = float(look.get("width", 0.001))
        wide = float(look.get("head_width") or 3 * width)
        long = float(look.get("head_length") or 1.5 * wide)
        size = (dx * dx + dy * dy) ** 0.5
        ux, uy = (dx / size, dy / size) if size else (1.0, 0.0)
        shaft = size - long if look.get("length_includes_head") else size
        outline = [(0, width / 2), (shaft, width / 2), (shaft, wide / 2), (shaft + long, 0)]
        outline += [(along, -off) for along, off in reversed(outline[:3])]
        corners = [[x + along * ux - off * uy, y + along * uy + off * ux] for along, off in outline]
        if not any(name in given for name in ("color", "facecolor", "fc", "ec", "edgecolor")):
            given["color"] = self.cycled()
        return self.add_artist(Polygon(corners, **given))

    def errorbar(
        self,
        x: Any,
        y: Any,
        yerr: Any = None,
        xerr: Any = None,
        fmt: str = "",
        ecolor: Any = None,
        elinewidth: float | None = None,
        capsize: float | None = None,
        barsabove: bool = False,
        capthick: float | None = None,
        errorevery: int = 1,
        **given: Any,
    ) -> ErrorbarContainer:
        """Points or a line with error bars; an error is one number, one for each point, or a row below and a row above."""
        label = given.pop("label", "")
        xs, ys = self.xaxis.numbers(x), self.yaxis.numbers(y)
        line = None
        color = given.get("color", given.get("c", parse_format(fmt if fmt.lower() != "none" else "").get("color")))
        if fmt.lower() != "none":
            [line] = self.plot(xs, ys, fmt, **given)
            color = line.color
        elif color is None:
            color = self.cycled()
        ecolor = color if ecolor is None else ecolor
        width = elinewidth if elinewidth is not None else given.get("linewidth", given.get("lw", 1.5))
        order = {"zorder": given["zorder"]} if "zorder" in given else {}
        look = {"color": ecolor, "linewidth": width, "alpha": given.get("alpha"), **order}
        bars, caps = [], []
        for errors, upright in ((xerr, False), (yerr, True)):
            if errors is None:
                continue
            lows, highs = _error_ends(errors, ys if upright else xs)
            every = range(0, len(xs), errorevery)
            ends = [(xs[at], ys[at], lows[at], highs[at]) for at in every]
            segments = [[(x0, low), (x0, high)] if upright else [(low, y0), (high, y0)] for x0, y0, low, high in ends]
            bars.append(self.add_artist(LineCollection(segments, **look)))
            if capsize:
                places = [place for segment in segments for place in segment]
                cap = Line2D(
                    [a for a, _ in places],
                    [b for _, b in places],
                    linestyle="None",
                    marker="_" if upright else "|",
                    color=ecolor,
                    markersize=2 * capsize,
                    alpha=given.get("alpha"),
                    markeredgewidth=capthick or width,
                    **order,
                )
                caps.append(self.add_artist(cap))
        made = ErrorbarContainer((line, tuple(caps), tuple(bars)), label, sample=_WithBar(line, bars))
        self.containers.append(made)
        return made

    def stem(
        self,
        *args: Any,
        linefmt: str | None = None,
        markerfmt: str | None = None,
        basefmt: str | None = None,
        bottom: float = 0,
        label: Any = None,
        orientation: str = "vertical",
    ) -> StemContainer:
        """Stems from a base to markers, at x or at 0, 1, 2 …"""
        heights = floats(args[-1] if len(args) < 3 or not isinstance(args[-1], str) else args[1])
        places = self.xaxis.numbers(args[0]) if len(args) >= 2 else [float(at) for at in range(len(heights))]
        line = {"color": "C0", **parse_format(linefmt or "")}
        head = {"marker": "o", "color": line["color"], **parse_format(markerfmt or ""), "linestyle": "None"}
        base = {"color": "C3", **parse_format(basefmt if basefmt and basefmt.strip() else "")}
        upright = orientation == "vertical"

        def turned(x: float, y: float) -> tuple[float, float]:
            return (x, y) if upright else (y, x)

        segments = [[turned(x, bottom), turned(x, y)] for x, y in zip(places, heights)]
        style = line.get("linestyle", "-")
        stems = self.add_artist(LineCollection(segments, color=line["color"], linestyle=style))
        heads = self.add_artist(Line2D(*zip(*(turned(x, y) for x, y in zip(places, heights))), **head))
        span = [turned(min(places), bottom), turned(max(places), bottom)]
        if basefmt is not None and not basefmt.strip():
            base["linestyle"] = "None"
        ground = self.add_artist(Line2D([x for x, _ in span], [y for _, y in span], **base))
        made = StemContainer((heads, stems, ground), label, sample=_WithBar(heads, [stems]))
        self.containers.append(made)
        return made


class _WithBar:
    """The key of points with bars: the bar, then the point."""

    def __init__(self, line: Line2D | None, bars: list[LineCollection]) -> None:
        self.line, self.bars = line, bars

    def key(self, scene: Any, box: Any) -> None:
        middle = box.x + box.width / 2
        for bar in self.bars[-1:]:
            color, opacity = bar.drawn(bar.color)
            scene.line([(middle, box.y - 2), (middle, box.bottom + 2)], color, bar.widths[0], (), opacity)
        if self.line is not None:
            self.line.key(scene, box)


def _error_ends(errors: Any, values: list[float]) -> tuple[list[float], list[float]]:
    """Where the bars begin and end."""
    given = plain(errors)
    if depth(given) == 2:
        below, above = (spread(row, len(values), "an error") for row in given)
    else:
        below = above = spread(given, len(values), "an error")
    if any(value < 0 for value in [*below, *above]):
        raise ValueError("errors must not contain negative values")
    return [v - b for v, b in zip(values, below)], [v + a for v, a in zip(values, above)]


def _Across(line: Line2D, which: str) -> Line2D:
    """A line whose other coordinate is of the axes: only `which` is data."""
    line.extent = lambda: (line.x[:1], []) if which == "x" else ([], line.y[:1])  # type: ignore[method-assign]
    return line


class _Band(Polygon):
    """A band across the axes: only `which` of its coordinates is data."""

    def __init__(self, corners: list[tuple[float, float]], which: str, **given: Any) -> None:
        kind = Transform("xaxis" if which == "x" else "yaxis")
        look = {"linewidth": 0 if "edgecolor" not in given and "ec" not in given else 1, **given}
        super().__init__([list(corner) for corner in corners], transform=kind, **look)
        self.which = which

    def extent(self) -> tuple[list[float], list[float]]:
        """Its two edges."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return (xs, []) if self.which == "x" else ([], ys)

    def words(self) -> str:
        """That it is a band."""
        return "band"


__all__ = ["LinePlots", "own_options"]
