/** A figure drawn by a program, as SVG of elements made here from its checked data. */
import { useId, useMemo } from "preact/hooks";
import type {
  FigureArea,
  FigureImage,
  FigureItem,
  FigureLine,
  FigureMarks,
  FigureShape,
  FigureText,
} from "../../lib/figure";
import { isStroked, markPath } from "./figure-marks";
import { paint } from "./figure-paint";

/** A figure's unit on a screen with room, and the least, below which a wide figure is scrolled. */
const PIXELS = 1.3;
const LEAST_PIXELS = 0.7;
/** Marks beyond this number share an element where they look the same. */
const SINGLE_MARKS = 3_000;

export function DrawnFigure({ figure }: { readonly figure: FigureItem }) {
  const name = useId();
  const { width, height, clips, title, description } = figure;
  const shapes = useMemo(
    () => figure.shapes.map((shape, index) => <Shape key={index} shape={shape} clips={name} />),
    [figure, name],
  );
  const label = ["Figure", title, description].filter(Boolean).join(". ");
  const wide = width > 480;
  return (
    <figure class="figure">
      <div class="drawing-box" tabIndex={wide ? 0 : undefined}>
        <svg
          class="drawing"
          viewBox={`0 0 ${width} ${height}`}
          style={{ width: `${width * PIXELS}px`, minWidth: `${wide ? width * LEAST_PIXELS : 0}px` }}
          role="img"
          aria-label={label}
        >
          <defs>
            {clips.map((box, index) => (
              <clipPath key={index} id={`${name}-${index}`}>
                <rect {...box} />
              </clipPath>
            ))}
          </defs>
          {shapes}
        </svg>
      </div>
    </figure>
  );
}

function Shape({ shape, clips }: { readonly shape: FigureShape; readonly clips: string }) {
  const around = {
    "clip-path": shape.clip === null ? undefined : `url(#${clips}-${shape.clip})`,
    opacity: shape.opacity < 1 ? shape.opacity : undefined,
  };
  switch (shape.kind) {
    case "line":
      return <path {...around} {...line(shape)} />;
    case "area":
      return <path {...around} {...area(shape)} />;
    case "marks": {
      const { opacity, ...cut } = around;
      return <g {...cut}>{marks(shape, opacity)}</g>;
    }
    case "text":
      return <Label {...shape} />;
    case "image":
      return <Pixels image={shape} {...around} />;
  }
}

function line({ points, color, exact, width, dash }: FigureLine) {
  return {
    d: path(points, false),
    fill: "none",
    stroke: paint(color, exact),
    "stroke-width": width,
    "stroke-linejoin": "round" as const,
    "stroke-linecap": dash.length > 0 ? ("butt" as const) : ("round" as const),
    "stroke-dasharray": dash.length > 0 ? dash.join(" ") : undefined,
  };
}

function area({ rings, fill, stroke, exact, width, dash }: FigureArea) {
  return {
    d: rings.map((ring) => path(ring, true)).join(""),
    fill: paint(fill, exact),
    "fill-rule": "evenodd" as const,
    stroke: paint(stroke, exact),
    "stroke-width": stroke === null ? undefined : width,
    "stroke-linejoin": "miter" as const,
    "stroke-dasharray": dash.length > 0 ? dash.join(" ") : undefined,
  };
}

/** Path data of points; a pair of NaN begins a new line. */
function path(points: readonly number[], closed: boolean): string {
  let data = "";
  let begins = true;
  for (let at = 0; at + 1 < points.length; at += 2) {
    const x = points[at] ?? 0;
    const y = points[at + 1] ?? 0;
    if (Number.isNaN(x) || Number.isNaN(y)) begins = true;
    else {
      // A line of no length is a dot, where its caps are round.
      data += `${begins ? "M" : "L"}${x} ${y}`;
      begins = false;
    }
  }
  return closed && data ? `${data}Z` : data;
}

/** Marks of one look as one path; where looks differ, or marks shine through, each its own. */
function marks(shape: FigureMarks, opacity: number | undefined) {
  const { marker, points, sizes, fills, strokes, exact, width } = shape;
  const count = points.length / 2;
  const each = <T,>(list: readonly T[], index: number) => list[list.length > 1 ? index : 0];
  const alone = count <= SINGLE_MARKS && (opacity !== undefined || fills.length > 1);
  const groups: { look: string; fill: string; stroke: string; data: string[] }[] = [];
  const known = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const fill = paint(isStroked(marker) ? null : (each(fills, index) ?? null), exact);
    const stroke = paint(each(strokes, index) ?? null, exact);
    const look = `${fill} ${stroke}`;
    const data = markPath(
      marker,
      points[2 * index] ?? 0,
      points[2 * index + 1] ?? 0,
      each(sizes, index) ?? 0,
    );
    const group = alone ? undefined : groups[known.get(look) ?? -1];
    if (group) group.data.push(data);
    else {
      known.set(look, groups.length);
      groups.push({ look, fill, stroke, data: [data] });
    }
  }
  return groups.map(({ fill, stroke, data }, index) => (
    <path
      key={index}
      d={data.join("")}
      fill={fill}
      stroke={stroke}
      stroke-width={stroke === "none" ? undefined : width}
      opacity={opacity}
    />
  ));
}

/** How far below the anchor a text's baseline is, in its size: engines differ in `dominant-baseline`. */
const BASELINES = { top: 0.76, middle: 0.35, bottom: -0.22, alphabetic: 0 };

function Label(text: FigureText) {
  const { x, y, size, angle, color, exact } = text;
  return (
    <text
      x={x}
      y={y}
      dy={BASELINES[text.baseline] * size}
      transform={angle === 0 ? undefined : `rotate(${-angle} ${x} ${y})`}
      text-anchor={text.anchor}
      font-size={size}
      font-weight={text.bold ? 600 : undefined}
      font-style={text.italic ? "italic" : undefined}
      fill={paint(color, exact)}
      opacity={text.opacity < 1 ? text.opacity : undefined}
      class={text.halo ? "drawing-halo" : undefined}
    >
      {text.text}
    </text>
  );
}

type Around = { readonly "clip-path": string | undefined; readonly opacity: number | undefined };

function Pixels({ image, ...around }: { readonly image: FigureImage } & Around) {
  const href = useMemo(() => dataUrl(image), [image]);
  const { x, y, width, height, smooth } = image;
  return (
    <image
      {...around}
      class={smooth ? undefined : "drawing-pixels"}
      href={href}
      x={x}
      y={y}
      width={width}
      height={height}
      preserveAspectRatio="none"
    />
  );
}

function dataUrl({ rgba, columns, rows }: FigureImage): string {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const bytes = Uint8ClampedArray.from(atob(rgba), (letter) => letter.charCodeAt(0));
  canvas.getContext("2d")?.putImageData(new ImageData(bytes, columns, rows), 0, 0);
  return canvas.toDataURL();
}
