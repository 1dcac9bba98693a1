/** Tabs: the three views beside the editor, and on a phone the editor as a fourth. */
import type { ComponentChildren } from "preact";
import { output, type Pane, pane, report, view } from "../state/state";
import { Icon } from "./icons";

const NAMES: Readonly<Record<Pane, string>> = {
  code: "Code",
  output: "Output",
  jaxpr: "Jaxpr",
  diagnosis: "Diagnosis",
};

export function Tabs({
  panes,
  label,
}: {
  readonly panes: readonly Pane[];
  readonly label: string;
}) {
  const shown = panes.includes("code") ? pane.value : view.value;
  const select = (name: Pane) => {
    pane.value = name;
    if (name !== "code") view.value = name;
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const at = panes.indexOf(shown);
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const to = moves[event.key];
    const next = to === undefined ? undefined : panes.at(to % panes.length);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {panes.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          class="tab"
          data-tab={name}
          aria-selected={name === shown}
          aria-controls={`pane-${name}`}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => select(name)}
        >
          {NAMES[name]}
          <Badge name={name} />
        </button>
      ))}
    </div>
  );
}

function Badge({ name }: { readonly name: Pane }): ComponentChildren {
  const seen = report.value;
  if (name === "diagnosis") {
    const wrong = (seen?.ruleChecks ?? []).filter(({ check }) => check.status === "fail").length;
    const count = (seen?.error ? 1 : 0) + wrong;
    if (count === 0) return null;
    return (
      <span class="badge badge-error">
        <Icon name="fail" />
        {count}
        <span class="sr-only">{count === 1 ? " problem" : " problems"}</span>
      </span>
    );
  }
  if (name === "jaxpr" && seen?.jaxpr)
    return <span class="badge">{seen.jaxpr.equations.length}</span>;
  if (name === "output" && output.value.dropped.size > 0) return <span class="badge">capped</span>;
  return null;
}
