/**
 * The worker's side of the output caps. Each item is posted as it is printed, because a program in
 * an endless loop never returns to the event loop and a batch kept back would be lost by Stop. What
 * is over a cap is counted, and the counts are posted a few times a second.
 */
import type { OutputItem } from "../lib/report";
import { LIMITS, type WireItem } from "./protocol";

const REPORT_EVERY_MS = 100;

export interface Outbox {
  put(item: OutputItem): void;
  /** Posts the last counts of dropped items. */
  close(): void;
}

export function createOutbox(post: (item: WireItem, pixels?: ArrayBuffer) => void): Outbox {
  const now = performance.now.bind(performance);
  const dropped = new Map<string, number>();
  let lines = 0;
  let chars = 0;
  let images = 0;
  let pixels = 0;
  let plots = 0;
  let figures = 0;
  let reported = 0;

  const drop = (what: string, count: number) => {
    dropped.set(what, (dropped.get(what) ?? 0) + count);
    if (now() - reported > REPORT_EVERY_MS) flush();
  };
  const flush = () => {
    reported = now();
    for (const [what, count] of dropped) post({ kind: "dropped", what, count });
    dropped.clear();
  };

  const putText = (text: string) => {
    const count = countLines(text, LIMITS.lines + 1);
    if (lines >= LIMITS.lines || chars >= LIMITS.textChars) return drop("line", count);
    const room = Math.min(LIMITS.textChars - chars, LIMITS.lineChars * count);
    let kept = text.length > room ? text.slice(0, room) : text;
    if (count > LIMITS.lines - lines) {
      kept = kept.split("\n", LIMITS.lines - lines).join("\n");
      drop("line", count - (LIMITS.lines - lines));
    }
    if (kept.length < text.length) drop("character", text.length - kept.length);
    lines += count;
    chars += kept.length;
    post({ kind: "text", text: kept });
  };

  const put = (item: OutputItem) => {
    if (item.kind === "text") return putText(item.text);
    if (item.kind === "dropped") return drop(item.what, item.count);
    if (item.kind === "image") {
      const size = item.width * item.height;
      const tooMuch = images >= LIMITS.images || pixels + size > LIMITS.totalPixels;
      if (tooMuch || size > LIMITS.imagePixels) return drop("image", 1);
      images += 1;
      pixels += size;
      const { width, height, title } = item;
      return post({ kind: "image", width, height, title }, item.rgba.slice().buffer);
    }
    if (item.kind === "figure") {
      if (figures >= LIMITS.figures) return drop("figure", 1);
      figures += 1;
      return post(item);
    }
    const points = item.series.reduce((sum, series) => sum + series.x.length, 0);
    const tooMuch = points > LIMITS.plotPoints || item.series.length > LIMITS.plotSeries;
    if (plots >= LIMITS.plots || tooMuch) return drop("plot", 1);
    plots += 1;
    post(item);
  };
  return { put, close: flush };
}

/** The number of lines in `text`, counting no further than `limit`. */
function countLines(text: string, limit: number): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0 && count < limit; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}
