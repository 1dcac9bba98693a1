/** Gathers what a run prints, a frame's worth at a time, within the caps of the sandbox protocol. */
import type { OutputItem } from "../../lib/report";
import { LIMITS } from "../../sandbox/protocol";
import { NO_OUTPUT, type OutputEntry, output } from "../state/state";

const BLOCK_CHARS = 8_000;
const SHOW_EVERY_MS = 30;

export interface Collector {
  put(item: OutputItem): void;
  /** Shows what is still held back. */
  flush(): void;
}

/** Empties the output and starts to gather anew. */
export function collect(): Collector {
  output.value = NO_OUTPUT;
  let pending: OutputItem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextId = 0;
  let lines = 0;
  let chars = 0;
  let figures = 0;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const entries: OutputEntry[] = [...output.value.entries];
    const dropped = new Map(output.value.dropped);
    const drop = (what: string, count: number) => {
      if (dropped.has(what) || dropped.size < 8)
        dropped.set(what, (dropped.get(what) ?? 0) + count);
    };
    for (const item of pending) {
      if (item.kind === "dropped") drop(item.what, item.count);
      else if (item.kind === "text") {
        if (lines >= LIMITS.lines || chars + item.text.length > LIMITS.textChars) {
          drop("line", 1);
          continue;
        }
        lines += 1;
        chars += item.text.length;
        const last = entries.at(-1);
        if (last?.kind === "text" && last.text.length < BLOCK_CHARS) {
          entries[entries.length - 1] = { ...last, text: `${last.text}\n${item.text}` };
        } else entries.push({ kind: "text", id: nextId++, text: item.text });
      } else if (figures >= LIMITS.images + LIMITS.plots + LIMITS.figures) drop(item.kind, 1);
      else {
        figures += 1;
        entries.push({ kind: "figure", id: nextId++, item });
      }
    }
    pending = [];
    output.value = { entries, dropped };
  };
  const put = (item: OutputItem) => {
    pending.push(item);
    timer ??= setTimeout(flush, SHOW_EVERY_MS);
  };
  return { put, flush };
}

/** All printed text, as it would stand in a terminal. */
export function printedText(): string {
  return output.value.entries
    .flatMap((entry) => (entry.kind === "text" ? [entry.text] : []))
    .join("\n");
}
