/** Markers as path data around a point. */

const round = (value: number) => Math.round(value * 100) / 100;

/** Corners of a star-shaped polygon around the origin: `radii` in turn, from the top, clockwise. */
function corners(count: number, radii: readonly number[], turned = 0): number[][] {
  return Array.from({ length: count }, (_, index) => {
    const angle = turned + (2 * Math.PI * index) / count;
    const radius = radii[index % radii.length] ?? 1;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
}

const SQUARE = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];
const TRIANGLE = [
  [0, -1],
  [1, 1],
  [-1, 1],
];
const turned = (points: number[][], quarters: number) =>
  points.map(([x = 0, y = 0]) => {
    if (quarters === 1) return [-y, x];
    return quarters === 2 ? [-x, -y] : [y, -x];
  });
const PLUS = [
  [-1 / 3, -1],
  [1 / 3, -1],
  [1 / 3, -1 / 3],
  [1, -1 / 3],
  [1, 1 / 3],
  [1 / 3, 1 / 3],
  [1 / 3, 1],
  [-1 / 3, 1],
  [-1 / 3, 1 / 3],
  [-1, 1 / 3],
  [-1, -1 / 3],
  [-1 / 3, -1 / 3],
];
const half = Math.SQRT1_2;

/** Filled markers in a square of side 2. */
const FILLED: Readonly<Record<string, number[][]>> = {
  s: SQUARE,
  ",": SQUARE,
  "^": TRIANGLE,
  ">": turned(TRIANGLE, 1),
  v: turned(TRIANGLE, 2),
  "<": turned(TRIANGLE, 3),
  D: corners(4, [Math.SQRT2]),
  d: corners(4, [Math.SQRT2, Math.SQRT2 * 0.6]),
  p: corners(5, [1]),
  "*": corners(10, [1, 0.381966]),
  h: corners(6, [1]),
  H: corners(6, [1], Math.PI / 6),
  "8": corners(8, [1], Math.PI / 8),
  P: PLUS,
  X: PLUS.map(([x = 0, y = 0]) => [half * (x - y), half * (x + y)]),
};

/** Markers that are strokes only: lines from point to point. */
const STROKED: Readonly<Record<string, number[][]>> = {
  "+": [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ],
  x: [
    [-1, -1],
    [1, 1],
    [-1, 1],
    [1, -1],
  ],
  "|": [
    [0, -1],
    [0, 1],
  ],
  _: [
    [-1, 0],
    [1, 0],
  ],
  "1": [0, 120, 240].flatMap((angle) => [[0, 0], spoke(angle + 180)]),
  "2": [0, 120, 240].flatMap((angle) => [[0, 0], spoke(angle)]),
  "3": [0, 120, 240].flatMap((angle) => [[0, 0], spoke(angle + 270)]),
  "4": [0, 120, 240].flatMap((angle) => [[0, 0], spoke(angle + 90)]),
};

function spoke(degrees: number): number[] {
  const angle = (degrees * Math.PI) / 180;
  return [Math.sin(angle), -Math.cos(angle)];
}

/** Whether a marker has no inside. */
export function isStroked(marker: string): boolean {
  return Object.hasOwn(STROKED, marker);
}

/** The path of a marker of `size` (its diameter) around (x, y); an unknown one is a disc. */
export function markPath(marker: string, x: number, y: number, size: number): string {
  const radius = size / 2;
  const at = ([dx = 0, dy = 0]: number[]) => `${round(x + dx * radius)} ${round(y + dy * radius)}`;
  const lines = Object.hasOwn(STROKED, marker) ? STROKED[marker] : undefined;
  if (lines) return lines.map((point, index) => `${index % 2 ? "L" : "M"}${at(point)}`).join("");
  const outline = Object.hasOwn(FILLED, marker) ? FILLED[marker] : undefined;
  if (outline) return `M${outline.map(at).join("L")}Z`;
  const r = round(radius);
  return `M${round(x - radius)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}
