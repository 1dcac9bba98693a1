/** `plot`: lines and images as data; the page draws them. */

import { cell, describe, type Elements, NdArray } from "./array.ts";
import { raise } from "./errors.ts";
import { isOptions, pickOptions } from "./options.ts";
import type { OutputItem } from "./report.ts";

/** Options of `plot`. */
export interface PlotOptions {
  title?: string;
  xlabel?: string;
  ylabel?: string;
  label?: string;
}

type Item = Extract<OutputItem, { kind: "plot" | "image" }>;
type Series = Extract<OutputItem, { kind: "plot" }>["series"][number];

/** Points of a line beyond this are thinned out. */
const MOST_POINTS = 20_000;
/** Pixels of an image beyond this are refused. */
const MOST_PIXELS = 4_000_000;
const MOST_SERIES = 64;

function numbers(v: unknown, what: string): number[] {
  if (v instanceof NdArray) return Array.from(v.data() as ArrayLike<number>);
  if (ArrayBuffer.isView(v)) return Array.from(v as unknown as ArrayLike<number>, Number);
  if (Array.isArray(v))
    return v.flat(8).map((x) => (x instanceof NdArray ? Number(x.item()) : Number(x)));
  throw raise(
    "TypeError",
    `plot: ${what} must be an array or a list of numbers, got ${describe(v)}`,
    cell.site,
  );
}

function series(label: string, y: unknown, x?: unknown): Series {
  let ys = numbers(y, "y");
  let xs = x === undefined || x === null ? ys.map((_, i) => i) : numbers(x, "x");
  if (xs.length !== ys.length) {
    throw raise(
      "ValueError",
      `plot: x has ${xs.length} points, y has ${ys.length}`,
      cell.site,
      "mismatch",
    );
  }
  if (ys.length > MOST_POINTS) {
    const every = Math.ceil(ys.length / MOST_POINTS);
    const kept = (_: number, i: number) => i % every === 0;
    [xs, ys] = [xs.filter(kept), ys.filter(kept)];
  }
  return { label, x: xs, y: ys };
}

/** Anchors of a dark-to-light scale of even steps in lightness, from deep blue over green to yellow. */
const SCALE = [
  [38, 29, 86],
  [52, 85, 139],
  [33, 143, 140],
  [94, 201, 98],
  [253, 231, 60],
] as const;

function colour(t: number): readonly [number, number, number] {
  const at = Math.min(Math.max(t, 0), 1) * (SCALE.length - 1);
  const i = Math.min(Math.floor(at), SCALE.length - 2);
  const [a, b] = [SCALE[i] as (typeof SCALE)[number], SCALE[i + 1] as (typeof SCALE)[number]];
  const mix = (k: 0 | 1 | 2) => a[k] + (b[k] - a[k]) * (at - i);
  return [mix(0), mix(1), mix(2)];
}

function image(pixels: NdArray, title: string): Item {
  const [height = 0, width = 0, channels = 1] = pixels.shape;
  if (height * width > MOST_PIXELS || height * width === 0) {
    throw raise(
      "ValueError",
      `plot: an image of ${height} by ${width} pixels cannot be shown`,
      cell.site,
    );
  }
  const data = pixels.data();
  const rgba = new Uint8ClampedArray(height * width * 4);
  if (channels === 1) {
    const [low, high] = range(data);
    for (let i = 0; i < height * width; i++) {
      const t = high > low ? ((data[i] as number) - low) / (high - low) : 0.5;
      rgba.set([...colour(Number.isNaN(t) ? 0 : t), 255], i * 4);
    }
  } else {
    // Floats are in 0..1, integers in 0..255.
    const scale = pixels.dtype.startsWith("float") ? 255 : 1;
    for (let i = 0; i < height * width; i++) {
      for (let k = 0; k < 4; k++) {
        rgba[i * 4 + k] = k < channels ? (data[i * channels + k] as number) * scale : 255;
      }
    }
  }
  return { kind: "image", width, height, rgba, title };
}

function range(data: Elements): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of data) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return [low, high];
}

/**
 * `plot(y)`, `plot(x, y)`, `plot([{ label, x, y }, …])` draw lines; `plot(matrix)` shows an image. A last
 * argument holds the title and the names of the axes.
 */
export function plotItem(...given: unknown[]): Item {
  const last = given[given.length - 1];
  const hasOptions = given.length > 1 && isOptions(last);
  const args = hasOptions ? given.slice(0, -1) : given;
  const known = ["title", "xlabel", "ylabel", "label"];
  const options = pickOptions("plot", hasOptions ? last : {}, known) as PlotOptions;
  const { title = "", xlabel = "", ylabel = "", label = "" } = options;
  const [first, second] = args;
  if (first instanceof NdArray && first.ndim >= 2 && args.length === 1) {
    if (first.ndim === 2 || (first.ndim === 3 && [1, 3, 4].includes(first.shape[2] as number))) {
      return image(first, String(title));
    }
    throw raise(
      "ValueError",
      `plot: an array of shape (${first.shape.join(", ")}) is neither a line nor an image`,
      cell.site,
    );
  }
  const listed =
    Array.isArray(first) && first.length > 0 && first.every(isOptions)
      ? first
      : isOptions(first)
        ? [first]
        : null;
  const lines = listed
    ? listed.slice(0, MOST_SERIES).map(({ label: name = "", x, y }) => series(String(name), y, x))
    : [args.length > 1 ? series(label, second, first) : series(label, first)];
  return {
    kind: "plot",
    title: String(title),
    xlabel: String(xlabel),
    ylabel: String(ylabel),
    series: lines,
  };
}
