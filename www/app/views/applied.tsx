/** After a fix was applied: what became of it, its check, and the way back. */
import { applied } from "../state/state";
import { useTools } from "../ui/context";
import { Icon } from "../ui/icons";
import { CheckLine } from "./check";

export function AppliedCard() {
  const { controller } = useTools();
  const fix = applied.value;
  if (!fix) return null;
  return (
    <section class="card applied" aria-label="Applied fix">
      <p class="applied-title">
        Applied: <strong>{fix.title}</strong>
      </p>
      {fix.state === "running" && <p class="hint">Running the fixed program…</p>}
      {fix.state === "failed" && (
        <p class="check check-fail">
          <Icon name="fail" />
          The fixed program did not run to its end; see Diagnosis.
        </p>
      )}
      {fix.state === "checking" && (
        <p class="hint">Comparing its gradient with finite differences…</p>
      )}
      {fix.state === "checked" && fix.check && <CheckLine check={fix.check} />}
      <p>
        <button type="button" class="button button-small" onClick={() => controller.undoFix()}>
          <Icon name="back" />
          Undo the fix
        </button>
      </p>
    </section>
  );
}
