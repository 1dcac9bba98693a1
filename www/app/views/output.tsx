/** What the program printed and drew, as it comes. */
import { useEffect, useRef } from "preact/hooks";
import { type OutputEntry, output, run, running, safeMode, stale } from "../state/state";
import { MOD } from "../ui/toolbar";
import { AppliedCard } from "./applied";
import { DrawnFigure } from "./figure";
import { ImageFigure } from "./image";
import { PlotFigure } from "./plot";

export function OutputView() {
  const { entries, dropped } = output.value;
  const list = useRef<HTMLDivElement>(null);
  useFollowing(list, entries);
  const state = run.value;
  const empty = entries.length === 0 && dropped.size === 0;
  return (
    <div class="view-scroll" ref={list}>
      <AppliedCard />
      {stale.value && !running.value && <p class="stale">From an earlier text of the program.</p>}
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
      {[...dropped].map(([what, count]) => (
        <p key={what} class="dropped">
          {count.toLocaleString("en")} more {what}
          {count === 1 ? "" : "s"} dropped
        </p>
      ))}
      {state.kind === "done" && state.report.result !== null && (
        <pre class="result">{state.report.result}</pre>
      )}
      {empty && <Empty />}
    </div>
  );
}

function Entry({ entry }: { readonly entry: OutputEntry }) {
  if (entry.kind === "text") return <pre class="printed">{entry.text}</pre>;
  const { item } = entry;
  switch (item.kind) {
    case "image":
      return <ImageFigure image={item} />;
    case "plot":
      return <PlotFigure plot={item} />;
    case "figure":
      return <DrawnFigure figure={item} />;
  }
}

function Empty() {
  const state = run.value;
  if (state.kind === "running") return <p class="hint">Running…</p>;
  if (state.kind === "done" && state.report.result === null) {
    return (
      <p class="hint">
        {state.report.ok
          ? "The program ran and printed nothing."
          : "Nothing was printed before the error."}
      </p>
    );
  }
  if (state.kind === "stopped") return <p class="hint">Stopped before anything was printed.</p>;
  if (state.kind !== "none") return null;
  if (safeMode) return null;
  return <p class="hint">Run the program ({MOD} Enter) to see what it prints here.</p>;
}

/** Keeps the end in view while output comes, unless the reader has scrolled up. */
function useFollowing(
  list: { readonly current: HTMLElement | null },
  entries: readonly unknown[],
): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, [list]);
  useEffect(() => {
    const element = list.current;
    if (element && atEnd.current && running.value) element.scrollTop = element.scrollHeight;
  }, [list, entries]);
}
