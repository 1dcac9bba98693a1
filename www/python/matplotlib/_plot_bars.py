"""What axes can draw as bars: bars, histograms, boxes, pies."""

from __future__ import annotations

import math
from typing import Any

from ._base import AxesBase
from ._data import as_array, columns, depth, finite, floats, plain, spread
from .container import BarContainer
from .lines import Line2D
from .patches import Polygon, Rectangle, Wedge
from .text import Text


class BarPlots(AxesBase):
    """The methods that draw bars."""

    def bar(
        self, x: Any, height: Any, width: Any = 0.8, bottom: Any = None, *, align: str = "center", **given: Any
    ) -> BarContainer:
        """Upright bars at x, which may be texts."""
        return self._bars(self.xaxis.numbers(x), height, width, bottom, align, True, given, x)

    def barh(
        self, y: Any, width: Any, height: Any = 0.8, left: Any = None, *, align: str = "center", **given: Any
    ) -> BarContainer:
        """Level bars at y, which may be texts."""
        return self._bars(self.yaxis.numbers(y), width, height, left, align, False, given, y)

    def _bars(
        self,
        places: list[float],
        lengths: Any,
        widths: Any,
        starts: Any,
        align: str,
        upright: bool,
        given: dict[str, Any],
        names: Any,
    ) -> BarContainer:
        if align not in ("center", "edge"):
            raise ValueError(f"{align!r} is not a valid value for align; supported values are 'center', 'edge'")
        count = max(len(places), len(floats(lengths)))
        places = spread(places, count, "x")
        long, wide = spread(lengths, count, "height"), spread(widths, count, "width")
        base = spread(0.0 if starts is None else starts, count, "bottom")
        look = dict(given)
        label = look.pop("label", "")
        errors = {name: look.pop(name) for name in ("yerr", "xerr", "ecolor", "capsize", "error_kw") if name in look}
        labels = look.pop("tick_label", None)
        look.pop("log", None)
        if not any(name in look for name in ("color", "facecolor", "fc")):
            look["color"] = self.cycled()
        colors = _one_or_each(look.pop("color", None), count)
        edges = _one_or_each(look.pop("edgecolor", look.pop("ec", None)), count)
        bars = []
        for index in range(count):
            across = places[index] - wide[index] / 2 if align == "center" else places[index]
            corner = (across, base[index]) if upright else (base[index], across)
            size = (wide[index], long[index]) if upright else (long[index], wide[index])
            # A bar has an outline only where one is asked for.
            edge = edges[index] if edges[index] is not None else "none"
            own = {"color": None, "facecolor": colors[index], "edgecolor": edge, **look}
            bar = self.add_artist(Rectangle(corner, *size, **own))
            sticky = (base[index],)
            bar.sticky_x, bar.sticky_y = ((), sticky) if upright else (sticky, ())
            bars.append(bar)
        listed = list(label) if isinstance(label, (list, tuple)) and len(label) == count else None
        made = BarContainer(bars, "" if listed else label, sample=bars[0] if bars else None)
        for bar, text in zip(bars, listed or ()):
            bar.label = str(text)
        self.containers.append(made)
        if labels is not None:
            (self.xaxis if upright else self.yaxis).set_ticks(places, labels)
        self._bar_errors(places, long, base, upright, errors)
        return made

    def _bar_errors(
        self, places: list[float], long: list[float], base: list[float], upright: bool, errors: dict[str, Any]
    ) -> None:
        ends = [a + b for a, b in zip(long, base)]
        given = {name: errors[name] for name in ("yerr", "xerr") if errors.get(name) is not None}
        if given:
            x, y = (places, ends) if upright else (ends, places)
            look = {
                "ecolor": errors.get("ecolor", "k"),
                "capsize": errors.get("capsize", 0),
                **(errors.get("error_kw") or {}),
            }
            self.errorbar(x, y, fmt="none", **given, **look)

    def bar_label(
        self,
        container: BarContainer,
        labels: Any = None,
        *,
        fmt: Any = "%g",
        label_type: str = "edge",
        padding: float = 0,
        **given: Any,
    ) -> list[Any]:
        """The height of each bar, written at its end or in its centre."""
        made = []
        bars = container.patches
        upright = all(bar.sticky_y for bar in bars)
        for index, bar in enumerate(bars):
            value = bar.height if upright else bar.width
            text = (
                str(list(labels)[index])
                if labels is not None
                else fmt(value)
                if callable(fmt)
                else fmt.format(value)
                if "{" in fmt
                else fmt % value
            )
            edge = label_type == "edge"
            along = (bar.y if upright else bar.x) + value * (1.0 if edge else 0.5)
            point = (bar.x + bar.width / 2, along) if upright else (along, bar.y + bar.height / 2)
            shift = (3 + padding) * (1 if value >= 0 else -1) if edge else 0
            ha = "center" if upright or not edge else "left" if value >= 0 else "right"
            va = "center" if not upright or not edge else "bottom" if value >= 0 else "top"
            offset = (0, shift) if upright else (shift, 0)
            made.append(self.annotate(text, point, offset, textcoords="offset points", ha=ha, va=va, **given))
        return made

    def hist(
        self,
        x: Any,
        bins: Any = None,
        *,
        range: Any = None,
        density: bool = False,
        weights: Any = None,
        cumulative: Any = False,
        bottom: Any = None,
        histtype: str = "bar",
        align: str = "mid",
        orientation: str = "vertical",
        rwidth: float | None = None,
        log: bool = False,
        color: Any = None,
        label: Any = None,
        stacked: bool = False,
        **given: Any,
    ) -> tuple[Any, Any, Any]:
        """A histogram; gives the counts, the edges of the bins, and the bars. Several data sets stand side by side or stacked."""
        import numpy

        from . import rcParams

        several = _data_sets(x)
        bins = rcParams["hist.bins"] if bins is None else bins
        everything = finite([value for values in several for value in values])
        edges = numpy.histogram_bin_edges(
            numpy.asarray(everything), plain(bins) if not isinstance(bins, str) else bins, range
        )
        each = _data_sets(weights) if weights is not None else [None] * len(several)
        counts = []
        for values, weight in zip(several, each):
            heights, _ = numpy.histogram(
                numpy.asarray(values),
                edges,
                density=density and not stacked,
                weights=None if weight is None else numpy.asarray(weight),
            )
            counts.append(heights.astype(float))
        if stacked:
            counts = _stacked(counts, edges, density)
        if cumulative:
            counts = [_summed(heights, edges, density, cumulative) for heights in counts]
        if log:
            (self.set_yscale if orientation == "vertical" else self.set_xscale)("log")
        colors = _one_or_each(color, len(several)) if color is not None else [self.cycled() for _ in several]
        labels = list(label) if isinstance(label, (list, tuple)) else [label] + [""] * (len(several) - 1)
        made: list[Any] = []
        under = [0.0] * (len(edges) - 1)
        places = edges.tolist()
        for index, heights in enumerate(counts):
            values = heights.tolist()
            low = under if stacked else [0.0] * len(values) if bottom is None else spread(bottom, len(values), "bottom")
            look = {**given, "color": colors[index], "label": labels[index] if index < len(labels) else ""}
            upright = orientation == "vertical"
            if histtype.startswith("step"):
                made.append(self._outline(places, values, histtype == "stepfilled", upright, look))
            else:
                tops = [value - base for value, base in zip(values, low)] if stacked else values
                part = 1 if stacked or histtype == "barstacked" else len(several)
                made.append(self._bins(places, tops, low, part, index, rwidth, align, upright, look))
            under = values if stacked else under
        result = counts[0] if len(counts) == 1 else numpy.asarray([heights.tolist() for heights in counts])
        return result, edges, made[0] if len(made) == 1 else made

    def _bins(
        self,
        edges: list[float],
        values: list[float],
        low: list[float],
        part: int,
        index: int,
        rwidth: float | None,
        align: str,
        upright: bool,
        look: dict[str, Any],
    ) -> BarContainer:
        sizes = [b - a for a, b in zip(edges, edges[1:])]
        share = (1.0 if rwidth is None else float(rwidth)) * (0.8 if part > 1 and rwidth is None else 1.0)
        shift = {"left": -0.5, "mid": 0.0, "right": 0.5}[align]
        middles = [
            start + size * (0.5 + shift) + size * share * ((index + 0.5) / part - 0.5) for start, size in zip(edges, sizes)
        ]
        widths = [size * share / part for size in sizes]
        if upright:
            return self.bar(middles, values, widths, low, **look)
        return self.barh(middles, values, widths, low, **look)

    def _outline(
        self, edges: list[float], values: list[float], filled: bool, upright: bool, look: dict[str, Any]
    ) -> list[Polygon]:
        along = [edge for edge in edges for _ in (0, 1)]
        heights = [0.0, *(value for value in values for _ in (0, 1)), 0.0]
        corners = list(zip(along, heights)) if upright else list(zip(heights, along))
        color = look.pop("color")
        own = {"facecolor": color, "edgecolor": "none"} if filled else {"fill": False, "edgecolor": color}
        outline = self.add_artist(Polygon([list(corner) for corner in corners], **{**own, **look}))
        outline.sticky_x, outline.sticky_y = ((), (0.0,)) if upright else ((0.0,), ())
        return [outline]

    def boxplot(
        self,
        x: Any,
        *,
        positions: Any = None,
        widths: Any = None,
        labels: Any = None,
        tick_labels: Any = None,
        vert: bool = True,
        showfliers: bool = True,
        patch_artist: bool = False,
        **more: Any,
    ) -> dict[str, list[Any]]:
        """Boxes from the first to the third quartile with the median, whiskers to the last value within 1.5 times that."""
        import numpy

        sets = [finite(values) for values in _data_sets(x)]
        places = floats(positions) if positions is not None else [float(at) for at in range(1, len(sets) + 1)]
        half = (
            spread(widths, len(sets), "widths")
            if widths is not None
            else [min(0.5, 0.15 * max(len(sets), 1) + 0.35)] * len(sets)
        )
        parts: dict[str, list[Any]] = {name: [] for name in ("boxes", "medians", "whiskers", "caps", "fliers", "means")}
        for place, values, width in zip(places, sets, half):
            first, median, third = (float(numpy.percentile(numpy.asarray(values), q)) for q in (25, 50, 75))
            reach = 1.5 * (third - first)
            inner = [value for value in values if first - reach <= value <= third + reach] or [median]
            low, high = min(*inner, first), max(*inner, third)

            def add(kind: str, xs: list[float], ys: list[float], **look: Any) -> None:
                pair = (xs, ys) if vert else (ys, xs)
                parts[kind].append(self.add_artist(Line2D(*pair, **{"color": "k", "linewidth": 1.0, **look})))

            left, right = place - width / 2, place + width / 2
            if patch_artist:
                corner = (left, first) if vert else (first, left)
                size = (width, third - first) if vert else (third - first, width)
                parts["boxes"].append(self.add_artist(Rectangle(corner, *size, facecolor="C0", edgecolor="k")))
            else:
                add("boxes", [left, right, right, left, left], [first, first, third, third, first])
            add("medians", [left, right], [median, median], color="C1", linewidth=1.5)
            for start, end in ((first, low), (third, high)):
                add("whiskers", [place, place], [start, end])
                add("caps", [place - width / 4, place + width / 4], [end, end])
            outside = [value for value in values if not low <= value <= high]
            if showfliers:
                add("fliers", [place] * len(outside), outside, linestyle="None", marker="o", markerfacecolor="none")
        names = tick_labels if tick_labels is not None else labels
        (self.xaxis if vert else self.yaxis).set_ticks(
            places, names if names is not None else [f"{place:g}" for place in places]
        )
        return parts

    def pie(
        self,
        x: Any,
        *,
        explode: Any = None,
        labels: Any = None,
        colors: Any = None,
        autopct: Any = None,
        pctdistance: float = 0.6,
        shadow: bool = False,
        labeldistance: float = 1.1,
        startangle: float = 0,
        radius: float = 1,
        counterclock: bool = True,
        wedgeprops: Any = None,
        textprops: Any = None,
        normalize: bool = True,
        **more: Any,
    ) -> Any:
        """Sectors of a disc, in proportion to the numbers."""
        values = floats(x)
        total = sum(values) if normalize else 1.0
        away = spread(explode if explode is not None else 0.0, len(values), "explode")
        wedges, texts, numbers = [], [], []
        start = float(startangle)
        for index, value in enumerate(values):
            size = 360 * value / total * (1 if counterclock else -1)
            middle = math.radians(start + size / 2)
            cx, cy = away[index] * math.cos(middle), away[index] * math.sin(middle)
            color = colors[index % len(colors)] if colors is not None else self.cycled()
            look = {"facecolor": color, "edgecolor": "w", **(wedgeprops or {})}
            wedges.append(self.add_artist(Wedge((cx, cy), radius, start, start + size, **look)))

            def at(distance: float, text: str, **look: Any) -> Text:
                x, y = cx + radius * distance * math.cos(middle), cy + radius * distance * math.sin(middle)
                return self.text(x, y, text, **{"va": "center", **look, **(textprops or {})})

            side = "left" if math.cos(middle) >= 0 else "right"
            if labels is not None:
                texts.append(at(labeldistance, str(labels[index]), ha=side))
            if autopct is not None:
                share = 100 * value / total
                numbers.append(at(pctdistance, autopct(share) if callable(autopct) else autopct % share, ha="center"))
            start += size
        self.set_aspect("equal")
        self.framed = False
        self.axis([-1.25, 1.25, -1.25, 1.25])
        return (wedges, texts, numbers) if autopct is not None else (wedges, texts)


def _one_or_each(value: Any, count: int) -> list[Any]:
    """One colour for all, or as many as there are."""
    given = plain(value) if not isinstance(value, (str, tuple)) and value is not None else value
    if isinstance(given, (list, tuple)) and len(given) and not isinstance(given[0], (int, float)):
        return [
            tuple(one) if isinstance(one, list) else one for one in (given[index % len(given)] for index in range(count))
        ]
    return [tuple(given) if isinstance(given, list) else given] * count


def _data_sets(x: Any) -> list[list[float]]:
    """One list of numbers, or several: the rows of a list of lists, the columns of an array."""
    values = plain(x)
    if depth(values) < 2:
        return [floats(values)]
    if isinstance(x, (list, tuple)):
        return [floats(row) for row in values]
    return [floats(column) for column in columns(values)]


def _stacked(counts: list[Any], edges: Any, density: bool) -> list[Any]:
    import numpy

    made, total = [], numpy.zeros(len(edges) - 1)
    for heights in counts:
        total = total + heights
        made.append(total)
    if density:
        whole = float(total.sum()) or 1.0
        made = [heights / whole / numpy.diff(edges) for heights in made]
    return made


def _summed(heights: Any, edges: Any, density: bool, cumulative: Any) -> Any:
    import numpy

    sizes = numpy.diff(edges) if density else numpy.ones(len(heights))
    if cumulative is not True and cumulative < 0:
        return as_array((heights * sizes)[::-1].cumsum()[::-1].tolist())
    return (heights * sizes).cumsum()
