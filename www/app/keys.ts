/** The shortcuts that work everywhere on the page, also inside the editor. */
import type { Editor } from "./editor/editor";
import type { Controller } from "./run/controller";
import { dialog, pane, view } from "./state/state";
import { requestShare } from "./ui/share";

export function installKeys(editor: Editor, controller: Controller): void {
  const act = (event: KeyboardEvent): boolean => {
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === "Enter") void controller.run();
    else if (mod && event.key === ".") controller.stop();
    else if (mod && !event.shiftKey && event.key.toLowerCase() === "s") requestShare();
    else if (event.key === "F8") editor.nextProblem(event.shiftKey ? -1 : 1);
    else if (event.key === "F6") nextPane(editor, event.shiftKey ? -1 : 1);
    else return false;
    return true;
  };
  // While it captures: the editor has its own idea of some of these keys.
  window.addEventListener(
    "keydown",
    (event) => {
      if (dialog.value === "shortcuts" || !act(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

/** Toolbar, editor, tabs, view, in a ring. */
function nextPane(editor: Editor, step: 1 | -1): void {
  const code = document.querySelector("#pane-code");
  const stops: { readonly holds: Element | null; readonly focus: () => void }[] = [
    stop(".toolbar", ".toolbar button"),
    {
      holds: code,
      focus: () => {
        pane.value = "code";
        soon(() => editor.focus());
      },
    },
    stop(".views .tabs", ".views .tab[aria-selected=true]"),
    { holds: document.querySelector(`#pane-${view.value}`), focus: () => focusView() },
  ];
  const at = stops.findIndex(({ holds }) => holds?.contains(document.activeElement));
  stops[(at + step + stops.length) % stops.length]?.focus();
}

function stop(region: string, target: string) {
  return {
    holds: document.querySelector(region),
    focus: () => document.querySelector<HTMLElement>(target)?.focus(),
  };
}

function focusView(): void {
  pane.value = view.value;
  const name = view.value;
  soon(() => {
    const panel = document.querySelector<HTMLElement>(`#pane-${name}`);
    (panel?.querySelector<HTMLElement>('[data-equation][tabindex="0"]') ?? panel)?.focus();
  });
}

/** At once, and again when a phone's pane has come into view: what is hidden takes no focus. */
function soon(focus: () => void): void {
  focus();
  requestAnimationFrame(focus);
}
