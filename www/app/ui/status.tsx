/** The bar at the bottom: the state of the run as a live region, saving, and how to leave the editor. */
import { useEffect } from "preact/hooks";
import { engineReady, language, python, report, run, saved, toast } from "../state/state";

export function StatusBar() {
  return (
    <footer class="status">
      <p class="status-run" role="status" aria-live="polite">
        {runWords()}
      </p>
      <Toast />
      <p class="status-note wide-only">Esc, then Tab leaves the editor</p>
      <p class={saved.value === "failed" ? "status-note status-bad" : "status-note wide-only"}>
        {SAVED[saved.value]}
      </p>
      <p class="status-note wide-only">Your code stays in this tab</p>
      <p class="status-note wide-only">v{__ENGINE_VERSION__}</p>
    </footer>
  );
}

const SAVED = {
  saved: "Saved in this browser",
  unsaved: "Saving…",
  failed: "Not saved: the browser's storage refused",
} as const;

function runWords(): string {
  const state = run.value;
  switch (state.kind) {
    case "none":
      return starting() || "Ready";
    case "running":
      return starting("then running…") || "Running…";
    case "stopped":
      return `Stopped after ${duration(state.afterMs)}; output kept`;
    case "crashed":
      if (language.value === "py" && python.value.kind === "failed")
        return "Python could not be loaded; the next run tries again";
      return "The engine failed; the next run gets a fresh one";
    case "done": {
      const { ms } = state.report;
      const error = report.value?.error;
      if (!error) return `Ran in ${duration(ms)}`;
      return `${error.class}${error.span ? ` at line ${error.span.line}` : ""}, after ${duration(ms)}`;
    }
  }
}

/** What a run would have to wait for, and what comes after that. */
function starting(next = ""): string {
  const then = next === "" ? "…" : `, ${next}`;
  if (language.value === "js") return engineReady.value ? "" : `Starting the engine${then}`;
  const { kind } = python.value;
  if (kind === "loading") return `Loading Python${then}`;
  return kind === "starting" ? `Starting Python${then}` : "";
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function Toast() {
  const shown = toast.value;
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => {
      toast.value = null;
    }, 4_000);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <p class={shown ? `toast toast-${shown.tone}` : "toast toast-none"} role="status">
      {shown?.text ?? ""}
    </p>
  );
}
