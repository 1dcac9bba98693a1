/** The sheet of keyboard shortcuts, in the browser's own modal dialog. */
import { useEffect, useRef } from "preact/hooks";
import { dialog } from "../state/state";
import { Icon } from "./icons";
import { MOD } from "./toolbar";

const rows: readonly (readonly [string, string])[] = [
  [`${MOD} Enter`, "Run the program"],
  [`${MOD} .`, "Stop it"],
  [`${MOD} S`, "Share"],
  ["F8, Shift F8", "Next, previous problem"],
  ["F6, Shift F6", "Next, previous pane"],
  ["Esc, then Tab", "Leave the editor"],
  [`${MOD} Z`, "Undo, also an applied fix or an opened program"],
  [`${MOD} F`, "Find"],
  [`${MOD} Space`, "Complete"],
  [`${MOD} Shift Space`, "Show the signature of the call"],
  [`${MOD} /`, "Comment the line in or out"],
  ["Arrow keys, Enter", "In the jaxpr: move between equations, go to the source"],
];

export function ShortcutSheet() {
  const sheet = useRef<HTMLDialogElement>(null);
  const open = dialog.value === "shortcuts";
  useEffect(() => {
    if (open) sheet.current?.showModal();
    else sheet.current?.close();
  }, [open]);
  return (
    <dialog
      ref={sheet}
      class="sheet"
      aria-labelledby="sheet-title"
      onClose={() => (dialog.value = "none")}
    >
      <div class="sheet-head">
        <h2 id="sheet-title">Keyboard shortcuts</h2>
        <button type="button" class="button button-quiet" onClick={() => (dialog.value = "none")}>
          <Icon name="close" />
          <span class="sr-only">Close</span>
        </button>
      </div>
      <dl class="shortcuts">
        {rows.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
