/** A line plot by uPlot, with its series in words beside it. */
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { OutputItem } from "../../lib/report";
import { theme } from "../state/theme";

type PlotItem = OutputItem & { kind: "plot" };

const HEIGHT = 260;
const STROKES = [
  "--series-1",
  "--series-2",
  "--series-3",
  "--series-4",
  "--series-5",
  "--series-6",
];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export function PlotFigure({ plot }: { readonly plot: PlotItem }) {
  const box = useRef<HTMLDivElement>(null);
  const shade = theme.value;
  const { title, series } = plot;

  useEffect(() => {
    const host = box.current;
    if (!host) return;
    let gone = false;
    let dispose: (() => void) | null = null;
    // uPlot is fetched with the first plot: most programs draw none.
    void import("uplot").then(({ default: Plot }) => {
      if (!gone) dispose = show(Plot, plot, host);
    });
    return () => {
      gone = true;
      dispose?.();
    };
  }, [plot, shade]);

  return (
    <figure class="figure">
      {title && <figcaption>{title}</figcaption>}
      <div class="plot" ref={box} role="img" aria-label={summary(plot)} />
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ label }, index) => (
            <li key={index}>
              <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
                <path
                  d="M0 4h24"
                  class={`series-${(index % STROKES.length) + 1}`}
                  stroke-dasharray={dash(index).join(" ")}
                />
              </svg>
              {label || `series ${index + 1}`}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** Draws the plot and keeps it fitted to its box; gives what takes it away again. */
function show(Plot: typeof uPlot, plot: PlotItem, host: HTMLElement): () => void {
  const data = align(Plot, plot);
  const draw = () => new Plot(options(plot, host), data, host);
  let chart = draw();
  const resized = new ResizeObserver(() => {
    chart.setSize({ width: host.clientWidth, height: HEIGHT });
  });
  resized.observe(host);
  // A canvas does not follow CSS variables, so it is drawn again when the system's theme changes.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => {
    chart.destroy();
    chart = draw();
  };
  system.addEventListener("change", redraw);
  return () => {
    system.removeEventListener("change", redraw);
    resized.disconnect();
    chart.destroy();
  };
}

function dash(index: number): number[] {
  return DASHES[Math.floor(index / STROKES.length) % DASHES.length] ?? [];
}

function options(plot: PlotItem, host: HTMLElement): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = (label: string): uPlot.Axis => ({
    stroke: colour("--muted"),
    grid: { stroke: colour("--border"), width: 1 },
    ticks: { stroke: colour("--border"), width: 1, size: 5 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 22,
    ...(label ? { label } : {}),
  });
  return {
    width: host.clientWidth || 400,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false } },
    axes: [
      { ...axis(plot.xlabel), size: 32 },
      { ...axis(plot.ylabel), size: 58 },
    ],
    series: [
      {},
      ...plot.series.map(({ label, x }, index) => ({
        label,
        stroke: colour(STROKES[index % STROKES.length] ?? "--text"),
        width: 2,
        dash: dash(index),
        spanGaps: true,
        points: { show: x.length <= 40 },
      })),
    ],
  };
}

/** uPlot wants one sorted x for all series; where a series has no value there stands undefined. */
function align(Plot: typeof uPlot, { series }: PlotItem): uPlot.AlignedData {
  const sorted = series.map(({ x, y }): uPlot.AlignedData => {
    const order = x.map((_, index) => index).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0));
    const finite = (value: number | undefined) =>
      value !== undefined && Number.isFinite(value) ? value : null;
    return [order.map((index) => x[index] ?? 0), order.map((index) => finite(y[index]))];
  });
  if (sorted.length === 0) return [[]];
  return Plot.join(
    sorted,
    sorted.map((data) => data.slice(1).map(() => 2)),
  );
}

function summary({ title, xlabel, ylabel, series }: PlotItem): string {
  const parts = series.map(({ label, y }, index) => {
    const values = y.filter(Number.isFinite);
    const name = label || `series ${index + 1}`;
    const [first, last] = [values[0], values.at(-1)];
    if (first === undefined || last === undefined) return `${name}: no values`;
    return `${name}: ${values.length} points, from ${first.toPrecision(4)} to ${last.toPrecision(4)}`;
  });
  const axes = [ylabel, xlabel].filter(Boolean).join(" over ");
  return ["Line plot", title, axes, ...parts].filter(Boolean).join(". ");
}
