/** Puts the page together: sandbox, editor, controller, views. */
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/controls.css";
import "./styles/views.css";
import "./styles/figure.css";
import { assets } from "virtual:cotangent-assets";
import { render } from "preact";
import { App } from "./app";
import { createEditor } from "./editor/editor";
import { installKeys } from "./keys";
import { createController } from "./run/controller";
import { fetchPython, PYTHON_SIZE } from "./run/python";
import { createSandbox } from "./run/sandbox";
import { changed, connect, initialText } from "./state/documents";
import { engineReady, language, python } from "./state/state";
import { applyTheme } from "./state/theme";
import { ToolsContext } from "./ui/context";

applyTheme();

const bytes = async (path: string): Promise<ArrayBuffer> => {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
};
// The sandbox starts first: it warms up while the editor is built.
const sandbox = createSandbox({
  url: new URL(assets.sandbox, document.baseURI).href,
  bytes: Promise.all([bytes(assets.worker), bytes(assets.engine)]).then(([worker, engine]) => ({
    worker,
    engine,
  })),
  parent: document.body,
  python: async () => {
    const total = PYTHON_SIZE;
    python.value = { kind: "loading", received: 0, total };
    try {
      const bytes = await fetchPython((received) => {
        python.value = { kind: "loading", received, total };
      });
      python.value = { kind: "starting" };
      return bytes;
    } catch (error) {
      python.value = { kind: "failed", detail: String(error) };
      throw error;
    }
  },
  onReady: (which) => {
    if (which === "py") python.value = { kind: "ready" };
    else engineReady.value = true;
  },
});

const editorHost = document.createElement("div");
editorHost.className = "editor";
const editor = createEditor(editorHost, initialText(), language.value, {
  onText: changed,
  onPoint: (position, by) => {
    // The pointer's leaving gives the word back to the cursor, at its next move.
    if (position !== null || by === "pointer") controller.pointFromSource(position);
  },
});
const controller = createController(sandbox, editor);
connect(editor, controller.reset);
installKeys(editor, controller);

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(
    <ToolsContext.Provider value={{ editor, controller }}>
      <App editorHost={editorHost} />
    </ToolsContext.Provider>,
    root,
  );
}
