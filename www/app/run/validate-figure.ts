/** Reads a figure that comes out of the sandbox: every number finite and bounded, every string of a known form. */
import {
  base64Length,
  type FigureBox,
  type FigureColor,
  type FigureItem,
  type FigureShape,
} from "../../lib/figure";
import { LIMITS } from "../../sandbox/protocol";
import { type Fields, flag, list, natural, number, text, Unfit } from "./fields";

const MOST_SIDE = 4_000;
const COORDINATE = 1e6;
const COLOR = /^(#[0-9a-f]{6}|text|muted|grid|frame|ground|c[0-9])$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const ANCHORS = ["start", "middle", "end"] as const;
const BASELINES = ["top", "middle", "bottom", "alphabetic"] as const;

/** What all shapes of a figure may still use. */
interface Budget {
  numbers: number;
  pixels: number;
  readonly clips: number;
}

/** Throws Unfit for a figure with anything wrong in it. */
export function readFigure(item: Fields): FigureItem {
  const clips = list(item.clips, 2_000, readBox);
  const budget: Budget = {
    numbers: LIMITS.figureNumbers,
    pixels: LIMITS.figurePixels,
    clips: clips.length,
  };
  return {
    kind: "figure",
    title: text(item.title, 300),
    description: text(item.description, 4_000),
    axes: natural(item.axes, 1_000),
    width: within(item.width, 1, MOST_SIDE),
    height: within(item.height, 1, MOST_SIDE),
    clips,
    shapes: list(item.shapes, LIMITS.figureShapes, (shape) => readShape(shape, budget)),
  };
}

function readBox({ x, y, width, height }: Fields): FigureBox {
  return {
    x: within(x, -COORDINATE, COORDINATE),
    y: within(y, -COORDINATE, COORDINATE),
    width: within(width, 0, COORDINATE),
    height: within(height, 0, COORDINATE),
  };
}

function readShape(shape: Fields, budget: Budget): FigureShape {
  const drawn = {
    clip: shape.clip === null ? null : natural(shape.clip, budget.clips - 1),
    opacity: within(shape.opacity, 0, 1),
    exact: flag(shape.exact),
  };
  switch (shape.kind) {
    case "line":
      return {
        kind: "line",
        ...drawn,
        points: coordinates(shape.points, budget, true),
        color: color(shape.color),
        width: within(shape.width, 0, 1_000),
        dash: dashes(shape.dash),
      };
    case "area": {
      if (!Array.isArray(shape.rings) || shape.rings.length > LIMITS.figureShapes)
        throw new Unfit();
      budget.numbers -= shape.rings.length;
      return {
        kind: "area",
        ...drawn,
        rings: shape.rings.map((ring) => coordinates(ring, budget, false)),
        fill: maybeColor(shape.fill),
        stroke: maybeColor(shape.stroke),
        width: within(shape.width, 0, 1_000),
        dash: dashes(shape.dash),
      };
    }
    case "marks": {
      const points = coordinates(shape.points, budget, false);
      const count = points.length / 2;
      return {
        kind: "marks",
        ...drawn,
        marker: text(shape.marker, 2),
        points,
        sizes: oneOrEach(shape.sizes, count, budget, (size) => within(size, 0, 10_000)),
        fills: oneOrEach(shape.fills, count, budget, maybeColor),
        strokes: oneOrEach(shape.strokes, count, budget, maybeColor),
        width: within(shape.width, 0, 1_000),
      };
    }
    case "text": {
      budget.numbers -= 50;
      if (budget.numbers < 0) throw new Unfit();
      return {
        kind: "text",
        ...drawn,
        x: within(shape.x, -COORDINATE, COORDINATE),
        y: within(shape.y, -COORDINATE, COORDINATE),
        text: text(shape.text, 400),
        size: within(shape.size, 0, 400),
        anchor: among(ANCHORS, shape.anchor),
        baseline: among(BASELINES, shape.baseline),
        angle: within(shape.angle, -360, 360),
        color: color(shape.color),
        bold: flag(shape.bold),
        italic: flag(shape.italic),
        halo: flag(shape.halo),
      };
    }
    case "image": {
      const columns = natural(shape.columns, 4_096);
      const rows = natural(shape.rows, 4_096);
      budget.pixels -= columns * rows;
      if (columns * rows < 1 || budget.pixels < 0) throw new Unfit();
      const rgba = bytes(shape.rgba, columns * rows * 4);
      const smooth = flag(shape.smooth);
      return { kind: "image", ...drawn, ...readBox(shape), columns, rows, rgba, smooth };
    }
    default:
      throw new Unfit();
  }
}

/** Pairs of coordinates; where lines may be broken, null stands for NaN. */
function coordinates(value: unknown, budget: Budget, broken: boolean): number[] {
  if (!Array.isArray(value) || value.length % 2 !== 0) throw new Unfit();
  budget.numbers -= value.length;
  if (budget.numbers < 0) throw new Unfit();
  return value.map((entry) =>
    entry === null && broken ? Number.NaN : within(entry, -COORDINATE, COORDINATE),
  );
}

function oneOrEach<T>(
  value: unknown,
  count: number,
  budget: Budget,
  read: (entry: unknown) => T,
): T[] {
  if (!Array.isArray(value) || (value.length !== 1 && value.length !== count)) throw new Unfit();
  budget.numbers -= value.length;
  if (budget.numbers < 0) throw new Unfit();
  return value.map(read);
}

/** Base64 of just so many bytes. */
function bytes(value: unknown, count: number): string {
  if (typeof value !== "string" || value.length !== base64Length(count)) throw new Unfit();
  const padding = "=".repeat((3 - (count % 3)) % 3);
  if (!BASE64.test(value) || !value.endsWith(padding)) throw new Unfit();
  if (value.endsWith(`${padding}=`)) throw new Unfit();
  return value;
}

function dashes(value: unknown): number[] {
  if (!Array.isArray(value) || value.length > 12) throw new Unfit();
  return value.map((length) => within(length, 0, 1_000));
}

function color(value: unknown): FigureColor {
  if (typeof value !== "string" || !COLOR.test(value)) throw new Unfit();
  return value;
}

function maybeColor(value: unknown): FigureColor | null {
  return value === null ? null : color(value);
}

function within(value: unknown, low: number, high: number): number {
  const read = number(value);
  if (!(read >= low && read <= high)) throw new Unfit();
  return read;
}

function among<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((entry) => entry === value);
  if (found === undefined) throw new Unfit();
  return found;
}
