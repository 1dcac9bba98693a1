"""Draws axes: ground, grid, what is in them, frame, ticks, texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._artist import dashes
from ._layout import GAP, TICK, axis_depth, label_size, ticks_depth
from ._words import lines, width
from .colors import paint
from .legend import crowd
from .text import is_bold, write

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes
    from .axis import Axis, Ticks

_HALF_TURN = 180.0


def draw_axes(scene: Scene, axes: Axes, bar: Any = None) -> None:
    """Everything of one axes; `bar` is the colour bar that they are."""
    box = axes.box
    scene.cut_to(None)
    scene.exact = False
    if axes.face is not None and axes.framed and axes._twin_of is None:
        scene.area(
            [[(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]], paint(axes.face)[0]
        )
    ticks = (axes.xaxis.ticks(box.width), axes.yaxis.ticks(box.height))
    covered = axes.covered()
    if axes.framed and not covered:
        _draw_grid(scene, axes, ticks)
    if bar is not None:
        bar.draw(scene)
    scene.cut_to(box)
    scene.exact = covered
    ordered = sorted((artist for artist in axes.artists if artist.visible), key=lambda artist: artist.zorder)
    below = [artist for artist in ordered if artist.order <= 0.5] if covered else []
    for artist in below:
        artist.draw(scene, axes)
    if axes.framed and covered:
        _draw_grid(scene, axes, ticks)
    for artist in ordered:
        if artist not in below:
            artist.draw(scene, axes)
    scene.cut_to(None)
    scene.exact = False
    if axes.framed:
        _draw_spines(scene, axes)
        _draw_axis(scene, axes, axes.xaxis, ticks[0])
        _draw_axis(scene, axes, axes.yaxis, ticks[1])
    _draw_titles(scene, axes)
    if axes.legend_ is not None and axes.legend_.visible and axes.legend_.entries:
        axes.legend_.draw(scene, axes.legend_.box(box, crowd(axes)))


def _draw_grid(scene: Scene, axes: Axes, ticks: tuple[Ticks, Ticks]) -> None:
    box = axes.box
    kept = scene.clip
    scene.cut_to(box)
    for axis, made in zip((axes.xaxis, axes.yaxis), ticks):
        look = axis.grid_look
        if look is None:
            continue
        color, opacity = paint(look.get("color", look.get("c")), look.get("alpha"))
        style = look.get("linestyle", look.get("ls", "-"))
        thick = float(look.get("linewidth", look.get("lw", 0.8)))
        first = axis.which == "x"
        place = axis.placing(box.x, box.width) if first else axis.placing(box.bottom, -box.height)
        for values, share in ((made.places, 1.0), (made.minor if look["which"] != "major" else [], 0.5)):
            points: list[Point] = []
            for at in map(place, values):
                points += [(at, box.y), (at, box.bottom)] if first else [(box.x, at), (box.right, at)]
                points.append((float("nan"), float("nan")))
            shade = opacity if look.get("alpha") is not None else 1.0
            scene.line(points, color or "grid", thick * share, dashes(style, thick) or (), shade)
    scene.clip = kept


def _spine_place(axes: Axes, name: str) -> float:
    """Where a side of the frame stands, across it."""
    box = axes.box
    usual = {"left": box.x, "right": box.right, "top": box.y, "bottom": box.bottom}[name]
    position = axes.spines[name].position
    if position is None:
        return usual
    kind, value = position
    upright = name in ("left", "right")
    if kind == "data":
        [(x, y)] = axes.points([float(value)], [float(value)])
        at = x if upright else y
        return min(max(at, box.x), box.right) if upright else min(max(at, box.y), box.bottom)
    if kind == "axes":
        return box.x + value * box.width if upright else box.bottom - value * box.height
    return usual + (-value if name in ("left", "top") else value)


def _draw_spines(scene: Scene, axes: Axes) -> None:
    box = axes.box
    for name, spine in axes.spines.items():
        if not spine.visible or axes._twin_of is not None and name not in (axes.xaxis.side, axes.yaxis.side):
            continue
        at = _spine_place(axes, name)
        line = [(at, box.y), (at, box.bottom)] if name in ("left", "right") else [(box.x, at), (box.right, at)]
        scene.line(line, paint(spine.color)[0] or "frame", spine.linewidth)


def _draw_axis(scene: Scene, axes: Axes, axis: Axis, made: Ticks) -> None:
    box, first = axes.box, axis.which == "x"
    base = _spine_place(axes, axis.side)
    out = 1.0 if axis.side in ("bottom", "right") else -1.0
    color = paint(axis.color)[0] or "muted"
    place = axis.placing(box.x, box.width) if first else axis.placing(box.bottom, -box.height)
    spots = [place(value) for value in made.places]
    if axis.shows_ticks:
        tick = -TICK if axis.inward else TICK
        for values, length in ((spots, tick), ([place(value) for value in made.minor], tick * 0.6)):
            points: list[Point] = []
            for at in values:
                points += [(at, base), (at, base + out * length)] if first else [(base, at), (base + out * length, at)]
                points.append((float("nan"), float("nan")))
            scene.line(points, paint(axis.color)[0] or "frame", 0.8)
    if axis.shows_labels:
        gap = out * ((TICK if axis.shows_ticks and not axis.inward else 0.0) + GAP)
        for at, label in zip(spots, made.labels):
            _draw_tick_label(scene, axis, at, base + gap, label, color)
        if made.offset:
            if first:
                scene.text(box.right + 4, base + gap, made.offset, 9.0, color, "start", "top")
            else:
                anchor = "start" if axis.side == "left" else "end"
                scene.text(box.x if axis.side == "left" else box.right, box.y - 4, made.offset, 9.0, color, anchor)
    if axis.label.strip():
        _draw_label(scene, axes, axis)


def _draw_tick_label(scene: Scene, axis: Axis, at: float, across: float, label: str, color: str) -> None:
    angle = axis.rotation % 360
    if axis.which == "x":
        baseline = "top" if axis.side == "bottom" else "bottom"
        if angle % _HALF_TURN == 0:
            write(scene, at, across, label, axis.size, color, "middle", baseline)
        elif angle == 90 or axis.label_align is None and 60 <= angle % _HALF_TURN <= 120:
            write(scene, at, across, label, axis.size, color, "end" if angle < 180 else "start", "middle", angle)
        else:
            # A slanted label ends (or begins) under its tick.
            anchor = "end" if angle < 180 else "start"
            write(scene, at + 2, across + axis.size * 0.4, label, axis.size, color, anchor, "middle", angle)
    else:
        anchor = "end" if axis.side == "left" else "start"
        write(scene, across, at, label, axis.size, color, "middle" if angle == 90 else anchor, "middle", angle)


def _draw_label(scene: Scene, axes: Axes, axis: Axis) -> None:
    """The text along an axis, in its middle (or at an end by `loc`)."""
    box, look, size = axes.box, axis.label_look, label_size(axis)
    color = (
        paint(look.get("color", look.get("c")))[0]
        or (paint(axis.color)[0] if axis.color and axes._twin_of else None)
        or "text"
    )
    more = {"bold": is_bold(look.get("fontweight", look.get("weight"))), "italic": look.get("style", "") == "italic"}
    loc = look.get("loc", "center")
    if axis.which == "x":
        depth = ticks_depth(axis, box.width) + GAP + 1.5
        x, anchor = {"left": (box.x, "start"), "right": (box.right, "end")}.get(loc, (box.x + box.width / 2, "middle"))
        if axis.side == "bottom":
            write(scene, x, box.bottom + depth, axis.label, size, color, anchor, "top", **more)
        else:
            write(scene, x, box.y - depth, axis.label, size, color, anchor, "bottom", **more)
        return
    depth = ticks_depth(axis, box.height) + GAP + 1.5
    y, anchor = {"bottom": (box.bottom, "start"), "top": (box.y, "end")}.get(loc, (box.y + box.height / 2, "middle"))
    at = box.x - depth if axis.side == "left" else box.right + depth
    rotation = look.get("rotation")
    if rotation in (0, "horizontal"):
        anchor = "end" if axis.side == "left" else "start"
        write(scene, at, box.y + box.height / 2, axis.label, size, color, anchor, "middle", **more)
    elif axis.side == "left":
        write(scene, at, y, axis.label, size, color, anchor, "bottom", 90.0, **more)
    else:
        down = rotation in (270, -90)
        write(scene, at, y, axis.label, size, color, anchor, "bottom" if down else "top", -90.0 if down else 90.0, **more)


def _draw_titles(scene: Scene, axes: Axes) -> None:
    box = axes.box
    above = 7.0
    if axes.framed and axes.xaxis.side == "top":
        above += axis_depth(axes.xaxis, box.width)
    elif axes.framed and axes.yaxis.shows_labels and axes.yaxis.ticks(box.height).offset:
        above += 6.0
    places = {"left": (box.x, "start"), "center": (box.x + box.width / 2, "middle"), "right": (box.right, "end")}
    for loc, title in axes.titles.items():
        x, anchor = places[loc]
        color, opacity = title.drawn(title.look["color"])
        write(
            scene,
            x,
            box.y - above,
            title.text,
            _fitting(title.text, title.size, scene, x, anchor),
            color,
            anchor,
            "bottom",
            bold=is_bold(title.look["fontweight"]),
            italic=title.look["style"] == "italic",
            opacity=opacity,
        )


def _fitting(text: str, size: float, scene: Scene, x: float, anchor: str) -> float:
    """A font size at which a title stays in the figure."""
    room = {"start": scene.width - x, "end": x, "middle": 2 * min(x, scene.width - x)}[anchor] - 4
    wide = max(width(line, size) for line in lines(text)) * 0.92
    return max(size * min(1.0, room / wide), 6.0) if wide > 0 and room > 0 else size


def describe(axes: Axes) -> str:
    """What axes show, in words."""
    inside = {id(part) for container in axes.containers for part in container}
    shown = [artist for artist in axes.artists if artist.visible and id(artist) not in inside] + axes.containers
    parts = [artist.words() for artist in shown[:12] if hasattr(artist, "words")]
    if len(shown) > 12:
        parts.append(f"{len(shown) - 12} more")
    said = "; ".join(parts) or "nothing drawn"
    ends = []
    if axes.framed:
        for axis in (axes.xaxis, axes.yaxis):
            name = lines(axis.label)[0] if axis.label.strip() else axis.which
            if axis.span.categories:
                ends.append(f"{name}: {', '.join(list(axis.span.categories)[:12])}")
            else:
                low, high = axis.span.view()
                ends.append(f"{name} from {low:.4g} to {high:.4g}")
    title = lines(axes.get_title())[0] if axes.get_title() else ""
    return f"{title + ': ' if title else ''}{said}{'. ' + ', '.join(ends) if ends else ''}"
