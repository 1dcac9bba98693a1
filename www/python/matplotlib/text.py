"""Text in axes and figures, with or without an arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import COMMON, Artist, options
from ._words import lines, plain_math, width

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes

TEXT: dict[str, Any] = {
    **COMMON,
    "color": "k",
    "fontsize": None,
    "fontweight": "normal",
    "style": "normal",
    "horizontalalignment": "left",
    "verticalalignment": "baseline",
    "rotation": 0,
    "bbox": None,
    "backgroundcolor": None,
    "rotation_mode": None,
    "linewidth": None,
    "fontdict": None,
    "loc": None,
    "pad": None,
    "y": None,
    "labelpad": None,
    "x": None,
}
_SIZES = {
    "xx-small": 0.58,
    "x-small": 0.69,
    "small": 0.83,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.44,
    "xx-large": 1.73,
    "smaller": 0.83,
    "larger": 1.2,
}
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_BASELINES = {"top": "top", "center": "middle", "bottom": "bottom", "baseline": "alphabetic", "center_baseline": "middle"}
SPACING = 1.25


def points_of(size: Any, default: float) -> float:
    """A font size in units, from a number or a word as "large"."""
    if size is None:
        return default
    if isinstance(size, str):
        if size not in _SIZES:
            raise ValueError(f"{size!r} is not a valid font size; there are {', '.join(_SIZES)}")
        return 10.0 * _SIZES[size]
    return float(size)


def is_bold(weight: Any) -> bool:
    """Whether a font weight is a bold one."""
    return (
        weight in ("bold", "semibold", "demibold", "heavy", "extra bold", "black")
        or isinstance(weight, int)
        and weight >= 600
    )


def angle_of(rotation: Any) -> float:
    """Degrees, from a number or "vertical" or "horizontal"."""
    return (
        {"vertical": 90.0, "horizontal": 0.0, None: 0.0}[rotation]
        if rotation is None or isinstance(rotation, str)
        else float(rotation)
    )


def write(
    scene: Scene,
    x: float,
    y: float,
    text: str,
    size: float,
    color: str | None = "text",
    anchor: str = "start",
    baseline: str = "alphabetic",
    angle: float = 0.0,
    **more: Any,
) -> None:
    """Text of one or more lines around its anchor, turned by the angle."""
    import math

    rows = lines(text)
    step = size * SPACING
    shift = {"top": 0.0, "middle": -(len(rows) - 1) / 2}.get(baseline, -(len(rows) - 1))
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    for index, row in enumerate(rows):
        down = (index + shift) * step
        scene.text(x + down * sine, y + down * cosine, row, size, color, anchor, baseline, angle, **more)


class Text(Artist):
    """Text at a point."""

    kind = "text"
    order = 3.0

    def __init__(self, x: Any, y: Any, text: Any, **given: Any) -> None:
        given = {**(given.pop("fontdict", None) or {}), **given}
        taken = options("Text.set()", given, TEXT)
        super().__init__(taken)
        self.x, self.y, self.text = x, y, str(text)
        self.look = taken
        for name, known in (("horizontalalignment", _ANCHORS), ("verticalalignment", _BASELINES)):
            if taken[name] not in known:
                raise ValueError(
                    f"{taken[name]!r} is not a valid value for {name}; supported values are {', '.join(map(repr, known))}"
                )

    @property
    def size(self) -> float:
        """The font size."""
        return points_of(self.look["fontsize"], 10.0)

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The text where its point is."""
        [point] = axes.points([float(self.x)], [float(self.y)], self.transform)
        box, exact = axes.box, scene.exact
        scene.exact = exact and box.x <= point[0] <= box.right and box.y <= point[1] <= box.bottom
        self.place(scene, point)
        scene.exact = exact

    def place(self, scene: Scene, point: Point) -> None:
        """Draws the text at a point of the figure, on its box where it has one. Text is not cut to the axes."""
        look = self.look
        color, opacity = self.drawn(look["color"])
        anchor, baseline = _ANCHORS[look["horizontalalignment"]], _BASELINES[look["verticalalignment"]]
        kept, scene.clip = scene.clip, None
        if (look["bbox"] is not None or look["backgroundcolor"] is not None) and self.text.strip():
            self._background(scene, point, anchor, baseline)
        write(
            scene,
            *point,
            self.text,
            self.size,
            color,
            anchor,
            baseline,
            angle_of(look["rotation"]),
            bold=is_bold(look["fontweight"]),
            italic=look["style"] in ("italic", "oblique"),
            opacity=opacity,
        )
        scene.clip = kept

    def _background(self, scene: Scene, point: Point, anchor: str, baseline: str) -> None:
        from .patches import Patch, corners_of

        given = dict(self.look["bbox"] or {"facecolor": self.look["backgroundcolor"], "edgecolor": "none"})
        style, pad = str(given.pop("boxstyle", "square")), given.pop("pad", None)
        for part in style.split(",")[1:]:
            if part.strip().startswith("pad="):
                pad = float(part.strip()[4:]) * self.size
        room = 4.0 if pad is None else float(pad)
        rows = lines(self.text)
        wide = max(width(row, self.size) for row in rows) * 0.94
        high = self.size * (1 + SPACING * (len(rows) - 1))
        left = point[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        top = point[1] - {"top": 0.0, "middle": high / 2, "bottom": high, "alphabetic": high - 0.2 * self.size}[baseline]
        box = Patch(**{"edgecolor": "k", "facecolor": "w", "linewidth": 0.8, **given})
        box.fill_shape(scene, corners_of(left - room, top - room, wide + 2 * room, high + 2 * room))

    def get_text(self) -> str:
        """The text."""
        return self.text

    def set_text(self, s: Any) -> None:
        """Another text."""
        self.text = str(s)

    def set_position(self, xy: Any) -> None:
        """Another point."""
        self.x, self.y = xy

    def get_position(self) -> tuple[Any, Any]:
        """The point."""
        return self.x, self.y

    def set_color(self, color: Any) -> None:
        """The colour."""
        self.look["color"] = color

    def set_fontsize(self, fontsize: Any) -> None:
        """The font size."""
        self.look["fontsize"] = fontsize

    set_size = set_fontsize

    def set_rotation(self, s: Any) -> None:
        """The angle."""
        self.look["rotation"] = s

    def set_fontweight(self, weight: Any) -> None:
        """The weight."""
        self.look["fontweight"] = weight

    set_weight = set_fontweight

    def set_ha(self, align: str) -> None:
        """What the point is to the text: its left, center or right."""
        self.look["horizontalalignment"] = align

    set_horizontalalignment = set_ha

    def set_va(self, align: str) -> None:
        """What the point is to the text: its top, center, baseline or bottom."""
        self.look["verticalalignment"] = align

    set_verticalalignment = set_va

    def words(self) -> str:
        """What is written."""
        return f"text “{plain_math(self.text)}”"


class Annotation(Text):
    """Text about a point: at `xytext` where that is given, with an arrow where `arrowprops` is given."""

    def __init__(
        self,
        text: Any,
        xy: Any,
        xytext: Any = None,
        xycoords: Any = "data",
        textcoords: Any = None,
        arrowprops: Any = None,
        annotation_clip: Any = None,
        **given: Any,
    ) -> None:
        at = xy if xytext is None else xytext
        super().__init__(at[0], at[1], text, **given)
        self.point = xy
        self.coordinates = xycoords
        self.text_coordinates = textcoords or xycoords
        self.arrow = arrowprops

    def _place_of(self, axes: Axes, xy: Any, coordinates: Any) -> Point:
        if coordinates in ("offset points", "offset pixels"):
            x, y = self._place_of(axes, self.point, self.coordinates)
            return x + float(xy[0]), y - float(xy[1])
        from ._artist import Transform

        names = {"data": "data", "axes fraction": "axes", "figure fraction": "figure"}
        transform = coordinates if isinstance(coordinates, Transform) else Transform(names.get(coordinates, "data"))
        [point] = axes.points([float(xy[0])], [float(xy[1])], transform)
        return point

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The arrow from the text to the point, then the text."""
        end = self._place_of(axes, self.point, self.coordinates)
        start = self._place_of(axes, (self.x, self.y), self.text_coordinates)
        if self.arrow is not None:
            self._draw_arrow(scene, start, end)
        self.place(scene, start)

    def _draw_arrow(self, scene: Scene, start: Point, end: Point) -> None:
        import math

        from .patches import draw_arrow

        look = dict(self.arrow)
        color = look.get("color", look.get("facecolor", look.get("fc", look.get("edgecolor", look.get("ec", "k")))))
        paint, opacity = self.drawn(color)
        wide, high = max(width(row, self.size) for row in lines(self.text)) * 0.94, self.size
        anchor, baseline = self.look["horizontalalignment"], self.look["verticalalignment"]
        middle = (
            start[0] + {"left": wide / 2, "center": 0.0, "right": -wide / 2}[anchor],
            start[1] + {"top": high / 2, "center": 0.0}.get(baseline, -high / 2 + 0.1 * high),
        )
        # The shaft leaves the text at its outline, and ends a little before the point.
        dx, dy = end[0] - middle[0], end[1] - middle[1]
        length = math.hypot(dx, dy)
        if length < 4:
            return
        room = 3.0
        part = min((wide / 2 + room) / abs(dx) if dx else 9.0, (high / 2 + room) / abs(dy) if dy else 9.0, 1.0)
        begin = (middle[0] + dx * part, middle[1] + dy * part) if self.text.strip() else start
        gap = float(look.get("shrinkB", 2.0)) if "shrink" not in look else float(look["shrink"]) * length
        tip = (end[0] - dx / length * gap, end[1] - dy / length * gap)
        if "arrowstyle" in look:
            style, thick, scale = (
                str(look["arrowstyle"]).split(",")[0],
                float(look.get("lw", look.get("linewidth", 1.2))),
                10.0,
            )
        else:
            style, thick = "-|>", float(look.get("width", 4.0)) * 0.5
            scale = float(look.get("headwidth", 12.0))
        kept, scene.clip = scene.clip, None
        draw_arrow(scene, begin, tip, paint, thick, style, opacity, scale)
        scene.clip = kept


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.text", name, globals())
