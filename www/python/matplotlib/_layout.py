"""Where the axes of a figure stand: margins are as wide as what stands in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ._scene import Box
from ._words import lines, width
from .gridspec import Cell
from .text import SPACING, Text, points_of

if TYPE_CHECKING:
    from ._colorbar import Colorbar
    from .axes import Axes
    from .axis import Axis
    from .figure import Figure

TICK = 3.5
GAP = 3.0
_EDGE = 6.0
_BETWEEN = 14.0
BAR = 10.0
BAR_GAP = 9.0


class Needs(NamedTuple):
    """How much room axes need around their box."""

    left: float
    right: float
    top: float
    bottom: float


def tall(text: str, size: float) -> float:
    """The height of a text."""
    return size * (1 + SPACING * (len(lines(text)) - 1))


def ticks_depth(axis: Axis, length: float) -> float:
    """How far ticks and their labels reach from the axis."""
    depth = TICK if axis.shows_ticks and not axis.inward else 0.0
    if not axis.shows_labels:
        return depth
    made = axis.ticks(length)
    labels = [label for label in made.labels if label.strip()]
    if not labels:
        return depth
    widest = max(width(line, axis.size) for label in labels for line in lines(label)) * 0.94
    high = max(tall(label, axis.size) for label in labels)
    turn = math.radians(abs(axis.rotation) % 180)
    along_x = widest * abs(math.cos(turn)) + high * abs(math.sin(turn))
    along_y = widest * abs(math.sin(turn)) + high * abs(math.cos(turn))
    return depth + GAP + (along_y if axis.which == "x" else along_x)


def label_size(axis: Axis) -> float:
    """The font size of the text along an axis."""
    from . import rcParams

    return points_of(
        axis.label_look.get("fontsize", axis.label_look.get("size")), points_of(rcParams["axes.labelsize"], 10.0)
    )


def axis_depth(axis: Axis, length: float) -> float:
    """How far everything along an axis reaches from it."""
    depth = ticks_depth(axis, length)
    if axis.label.strip():
        depth += GAP + 1.5 + tall(axis.label, label_size(axis))
    return depth


def title_depth(axes: Axes) -> float:
    """The room of the title above the axes."""
    titles: list[Text] = [title for title in axes.titles.values() if title.text.strip()]
    return max((tall(title.text, title.size) + 7.0 for title in titles), default=0.0)


def needs(axes: Axes) -> Needs:
    """The room axes need, with their box as it is now."""
    sides = {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0}
    if axes.framed:
        for axis, length in ((axes.xaxis, axes.box.width), (axes.yaxis, axes.box.height)):
            sides[axis.side] = max(sides[axis.side], axis_depth(axis, length))
        made = axes.xaxis.ticks(axes.box.width)
        if axes.xaxis.shows_labels and made.labels and not axes.xaxis.rotation:
            sides["right"] = max(sides["right"], width(made.labels[-1], axes.xaxis.size) / 2 - _EDGE)
        if axes.yaxis.shows_labels:
            offset = axes.yaxis.ticks(axes.box.height).offset
            sides["top"] = max(sides["top"], 12.0 if offset else axes.yaxis.size / 2 - _EDGE)
        if axes.xaxis.shows_labels and made.offset:
            sides["right"] = max(sides["right"], width(made.offset, 10.0) + 4)
    sides["top"] += title_depth(axes)
    for bar in axes.colorbars:
        sides["right" if bar.upright else "bottom"] += bar_depth(bar)
    if axes.legend_ is not None and axes.legend_.visible:
        box = axes.legend_.box(axes.box, [])
        if axes.legend_.look["bbox_to_anchor"] is not None:
            sides["right"] = max(sides["right"], min(box.right - axes.box.right, 0.5 * axes.figure.size[0]))
            sides["bottom"] = max(sides["bottom"], min(box.bottom - axes.box.bottom, 0.5 * axes.figure.size[1]))
            sides["top"] = max(sides["top"], min(axes.box.y - box.y, 0.5 * axes.figure.size[1]))
    return Needs(**sides)


def bar_depth(bar: Colorbar) -> float:
    """The room of a colour bar beside its axes."""
    axis = bar.ax.yaxis if bar.upright else bar.ax.xaxis
    length = bar.ax.box.height if bar.upright else bar.ax.box.width
    return BAR_GAP + BAR + axis_depth(axis, length)


def place_all(figure: Figure) -> None:
    """Gives every axes of the figure its box."""
    width_, height = figure.size
    gridded = [axes for axes in figure.axes_list if isinstance(axes.place, Cell) and axes.visible]
    # Ticks depend on the size of the boxes and the boxes on the room for ticks: twice is enough.
    for axes in gridded:
        cell = axes.place
        axes.box = Box(
            0,
            0,
            0.8 * width_ * (cell.right - cell.left) / cell.columns,
            0.75 * height * (cell.bottom - cell.top) / cell.rows,
        )
    for _ in range(3):
        if gridded:
            _place_cells(figure, gridded)
        for axes in figure.axes_list:
            if isinstance(axes.place, tuple) and not isinstance(axes.place, Cell):
                left, bottom, wide, high = axes.place
                axes.box = Box(left * width_, (1 - bottom - high) * height, wide * width_, high * height)
            if axes.place is not None:
                _shape(axes)
        for axes in figure.axes_list:
            _place_bars(axes)
        for bar in figure.colorbars:
            _place_common(figure, bar)


def _place_cells(figure: Figure, all_axes: list[Axes]) -> None:
    """Rows and columns, whose margins are the widest that one of their axes needs."""
    rows = _common([axes.place.rows for axes in all_axes])
    columns = _common([axes.place.columns for axes in all_axes])
    wide = [1.0] * columns
    high = [1.0] * rows
    left, right, top, bottom = [0.0] * columns, [0.0] * columns, [0.0] * rows, [0.0] * rows
    spans = []
    for axes in all_axes:
        cell = axes.place
        across, down = columns // cell.columns, rows // cell.rows
        span = (cell.left * across, cell.right * across, cell.top * down, cell.bottom * down)
        spans.append(span)
        if cell.widths and cell.columns == columns:
            wide = list(cell.widths)
        if cell.heights and cell.rows == rows:
            high = list(cell.heights)
        room = needs(axes)
        left[span[0]] = max(left[span[0]], room.left)
        right[span[1] - 1] = max(right[span[1] - 1], room.right)
        top[span[2]] = max(top[span[2]], room.top)
        bottom[span[3] - 1] = max(bottom[span[3] - 1], room.bottom)
    edge = figure.edges()
    starts, ends = _tracks(figure.size[0], edge[0] + _EDGE, edge[1] + _EDGE, left, right, wide)
    tops, bottoms = _tracks(figure.size[1], edge[2] + _EDGE, edge[3] + _EDGE, top, bottom, high)
    for axes, span in zip(all_axes, spans):
        x, y = starts[span[0]], tops[span[2]]
        axes.box = Box(x, y, max(ends[span[1] - 1] - x, 4.0), max(bottoms[span[3] - 1] - y, 4.0))


def _common(counts: list[int]) -> int:
    """The least common multiple, within reason."""
    found = math.lcm(*counts)
    return found if found <= 60 else max(counts)


def _tracks(
    length: float, before: float, after: float, first: list[float], last: list[float], ratios: list[float]
) -> tuple[list[float], list[float]]:
    """Where the inner part of each row or column begins and ends."""
    count = len(ratios)
    free = length - before - after - sum(first) - sum(last) - _BETWEEN * (count - 1)
    free = max(free, 4.0 * count)
    total = sum(ratios)
    starts, ends = [], []
    at = before
    for index in range(count):
        at += first[index]
        starts.append(at)
        at += free * ratios[index] / total
        ends.append(at)
        at += last[index] + _BETWEEN
    return starts, ends


def _shape(axes: Axes) -> None:
    """Keeps the aspect: by a smaller box, or by wider limits."""
    box = axes.box
    if axes.box_aspect is not None:
        axes.box = _within(box, float(axes.box_aspect))
        return
    if axes.aspect == "auto":
        return
    if axes.adjustable == "datalim":
        for axis in (axes.xaxis, axes.yaxis):
            axis.span.drawn = axis.span.wanted
    (x0, x1), (y0, y1) = axes.xaxis.span.view(), axes.yaxis.span.view()
    across, up = abs(x1 - x0) or 1.0, abs(y1 - y0) or 1.0
    if axes.adjustable == "datalim":
        unit = min(box.width / across, box.height / (up * axes.aspect))
        _widen(axes.xaxis, box.width / unit)
        _widen(axes.yaxis, box.height / unit / axes.aspect)
    else:
        axes.box = _within(box, up * axes.aspect / across)


def _within(box: Box, ratio: float) -> Box:
    """The largest box of a ratio (height over width) in the middle of another."""
    wide = min(box.width, box.height / ratio)
    high = wide * ratio
    return Box(box.x + (box.width - wide) / 2, box.y + (box.height - high) / 2, wide, high)


def _widen(axis: Axis, length: float) -> None:
    low, high = axis.span.view()
    middle, sign = (low + high) / 2, 1 if low <= high else -1
    if length > abs(high - low) * (1 + 1e-9):
        axis.span.drawn = (middle - sign * length / 2, middle + sign * length / 2)


def _place_bars(axes: Axes) -> None:
    """Colour bars stand beside the box of their axes, as long as it is."""
    right = axes.box.right + max(0.0, needs(axes).right - sum(bar_depth(bar) for bar in axes.colorbars if bar.upright))
    low = axes.box.bottom + max(0.0, needs(axes).bottom - sum(bar_depth(bar) for bar in axes.colorbars if not bar.upright))
    for bar in axes.colorbars:
        if bar.upright:
            bar.ax.box = _shrunk(Box(right + BAR_GAP, axes.box.y, BAR, axes.box.height), bar.shrink, True)
            right += bar_depth(bar)
        else:
            bar.ax.box = _shrunk(Box(axes.box.x, low + BAR_GAP, axes.box.width, BAR), bar.shrink, False)
            low += bar_depth(bar)


def _place_common(figure: Figure, bar: Colorbar) -> None:
    """A colour bar of several axes stands at the edge of the figure, as long as they are together."""
    boxes = [axes.box for axes in bar.parents]
    left, right = min(box.x for box in boxes), max(box.right for box in boxes)
    top, bottom = min(box.y for box in boxes), max(box.bottom for box in boxes)
    if bar.upright:
        x = figure.size[0] - _EDGE - bar_depth(bar) + BAR_GAP
        bar.ax.box = _shrunk(Box(x, top, BAR, bottom - top), bar.shrink, True)
    else:
        y = figure.size[1] - _EDGE - bar_depth(bar) + BAR_GAP
        bar.ax.box = _shrunk(Box(left, y, right - left, BAR), bar.shrink, False)


def _shrunk(box: Box, share: float, upright: bool) -> Box:
    if upright:
        return Box(box.x, box.y + box.height * (1 - share) / 2, box.width, box.height * share)
    return Box(box.x + box.width * (1 - share) / 2, box.y, box.width * share, box.height)
