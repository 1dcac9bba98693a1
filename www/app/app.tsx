/** The page's layout: toolbar, editor, views, status. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findExample } from "./state/examples";
import { language, type Origin, origin, type Pane, pane, type View, view } from "./state/state";
import { Banners, ResetButton } from "./ui/banners";
import { ShortcutSheet } from "./ui/shortcuts";
import { Splitter } from "./ui/splitter";
import { StatusBar } from "./ui/status";
import { Tabs } from "./ui/tabs";
import { Toolbar } from "./ui/toolbar";
import { DiagnosisView } from "./views/diagnosis";
import { JaxprView } from "./views/jaxpr";
import { OutputView } from "./views/output";

export function App({ editorHost }: { readonly editorHost: HTMLElement }) {
  return (
    <div class="page" data-pane={pane.value} data-language={language.value}>
      <Toolbar />
      <Banners />
      <nav class="phone-only" aria-label="Panes">
        <Tabs panes={["code", "output", "jaxpr", "diagnosis"]} label="Panes" />
      </nav>
      <main class="panes">
        <EditorPane host={editorHost} />
        <Splitter />
        <section class="views" aria-label="Results">
          <div class="wide-only">
            <Tabs panes={["output", "jaxpr", "diagnosis"]} label="Results" />
          </div>
          <Panel name="output">
            <OutputView />
          </Panel>
          <Panel name="jaxpr">
            <JaxprView />
          </Panel>
          <Panel name="diagnosis">
            <DiagnosisView />
          </Panel>
        </section>
      </main>
      <StatusBar />
      <ShortcutSheet />
    </div>
  );
}

function EditorPane({ host }: { readonly host: HTMLElement }) {
  const slot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    slot.current?.append(host);
  }, [host]);
  return (
    <section class="code" id="pane-code" aria-label="Program">
      <div class="code-head">
        <h2 class="code-title">{title(origin.value)}</h2>
        <ResetButton />
      </div>
      <div class="code-slot" ref={slot} />
    </section>
  );
}

function Panel({ name, children }: { readonly name: View; readonly children: ComponentChildren }) {
  const shown = view.value === name;
  return (
    <div
      class="panel"
      id={`pane-${name}`}
      role="tabpanel"
      aria-label={LABELS[name]}
      hidden={!shown}
      tabIndex={0}
    >
      {shown && children}
    </div>
  );
}

const LABELS: Readonly<Record<Exclude<Pane, "code">, string>> = {
  output: "Output",
  jaxpr: "Jaxpr",
  diagnosis: "Diagnosis",
};

function title(from: Origin): string {
  if (from.kind === "link") return "From a link";
  const example = findExample(language.value, from.kind === "example" ? from.id : from.example);
  if (!example) return "Your program";
  return from.kind === "example" ? example.title : `${example.title}, changed`;
}
