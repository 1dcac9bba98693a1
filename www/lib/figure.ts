/**
 * A drawn figure as data: shapes in the figure's own units (the origin is the top left corner), which the
 * page draws as SVG. What it means (axes, ticks, legends) has been laid out by who made it.
 */

/**
 * "#rrggbb", or a role that each theme fills: "text", "muted", "grid", "frame", "ground", and the cycle
 * of series "c0" to "c9".
 */
export type FigureColor = string;

export interface FigureBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Drawn {
  /** The number of the box in `clips` that the shape is cut to. */
  clip: number | null;
  opacity: number;
  /** Colours are shown as they are in both themes, as they stand for numbers or on top of such. */
  exact: boolean;
}

/** Polylines: x and y in turn, and a pair of NaN between two lines. */
export interface FigureLine extends Drawn {
  kind: "line";
  points: number[];
  color: FigureColor;
  width: number;
  dash: number[];
}

/** An area whose rings are filled by the even-odd rule; each ring is x and y in turn. */
export interface FigureArea extends Drawn {
  kind: "area";
  rings: number[][];
  fill: FigureColor | null;
  stroke: FigureColor | null;
  width: number;
  dash: number[];
}

/** Markers around points; sizes (diameters) and colours are one for all or one for each. */
export interface FigureMarks extends Drawn {
  kind: "marks";
  /** matplotlib's name of the marker: "o", "s", "^" … */
  marker: string;
  points: number[];
  sizes: number[];
  fills: (FigureColor | null)[];
  strokes: (FigureColor | null)[];
  width: number;
}

/** One line of text; the angle is in degrees, anticlockwise, around its anchor. */
export interface FigureText extends Drawn {
  kind: "text";
  x: number;
  y: number;
  text: string;
  size: number;
  anchor: "start" | "middle" | "end";
  baseline: "top" | "middle" | "bottom" | "alphabetic";
  angle: number;
  color: FigureColor;
  bold: boolean;
  italic: boolean;
  /** Stands on a border of the ground's colour, so that it can be read on lines. */
  halo: boolean;
}

/** Pixels, row by row from the top, as base64 of RGBA bytes. */
export interface FigureImage extends Drawn, FigureBox {
  kind: "image";
  columns: number;
  rows: number;
  rgba: string;
  smooth: boolean;
}

export type FigureShape = FigureLine | FigureArea | FigureMarks | FigureText | FigureImage;

export interface FigureItem {
  kind: "figure";
  title: string;
  /** What is to be seen, in words. */
  description: string;
  /** How many axes it has. */
  axes: number;
  width: number;
  height: number;
  clips: FigureBox[];
  /** In the order they are painted. */
  shapes: FigureShape[];
}

/** The number of characters of base64 for `bytes` bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
