/**
 * The program's editor: CodeMirror in a shadow root, where its styles need no inline permission.
 * Positions of a run stay right while the text is edited: they are mapped through every change
 * since the run began.
 */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  undo,
} from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import {
  type Diagnostic,
  lintGutter,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from "@codemirror/lint";
import {
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
} from "@codemirror/search";
import {
  type ChangeDesc,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  Text,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Fix, Span } from "../../lib/report";
import type { Language } from "../../sandbox/protocol";
import { assist } from "./assist";
import { theme } from "./theme";

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface EditorEvents {
  /** The text changed, by typing or otherwise. */
  readonly onText: (text: string) => void;
  /** The cursor or the pointer is at this position; null when the pointer left. */
  readonly onPoint: (position: number | null, by: "cursor" | "pointer") => void;
}

export interface Problem {
  readonly span: Span;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly actions: readonly { readonly name: string; readonly run: () => void }[];
}

export interface Editor {
  text(): string;
  /** Goes on with the text and the history of another language. */
  setLanguage(language: Language): void;
  /** Puts another text in place of the whole; one undo step. */
  replace(text: string): void;
  /** Applies a fix's edits to the text they were made for; one undo step. */
  apply(edits: Fix["edits"]): void;
  /** From here on spans are positions in the text as it now is. */
  beginRun(): void;
  /** Where a span of the last run is in the present text. */
  locate(span: Span): Range | null;
  showProblems(problems: readonly Problem[]): void;
  /** Marks a range as belonging to what is pointed at elsewhere; null takes the mark away. */
  mark(range: Range | null, reveal: boolean): void;
  select(range: Range): void;
  nextProblem(direction: 1 | -1): void;
  focus(): void;
  undo(): void;
  find(): void;
}

const setMark = StateEffect.define<Range | null>({
  map: (range, changes) =>
    range && { from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) },
});
const linked = Decoration.mark({ class: "cm-linked" });
const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMark)) continue;
      const range = effect.value;
      next =
        range && range.from < range.to
          ? Decoration.set(linked.range(range.from, range.to))
          : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const javascriptSupport: Extension = [javascript(), indentUnit.of("  ")];

/** Characters that can make a program read otherwise than it runs: shown as red dots. */
const deceptive = /[\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffc]/gu;

export function createEditor(
  host: HTMLElement,
  initial: string,
  first: Language,
  events: EditorEvents,
): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let runText = Text.of(initial.split("\n"));
  let sinceRun: ChangeDesc | null = null;

  const watch = EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      sinceRun = sinceRun ? sinceRun.composeDesc(update.changes.desc) : update.changes.desc;
      events.onText(update.state.doc.toString());
    }
    if (update.docChanged || update.selectionSet)
      events.onPoint(update.state.selection.main.head, "cursor");
  });
  const pointer = EditorView.domEventHandlers({
    mousemove: (event, view) =>
      events.onPoint(view.posAtCoords({ x: event.clientX, y: event.clientY }), "pointer"),
    mouseleave: () => events.onPoint(null, "pointer"),
  });

  const grammar = new Compartment();
  let language = first;
  /** The text and history of the language that is not shown. */
  const others = new Map<Language, EditorState>();
  /** Python's part of the editor comes when it is first shown; until then it is plain text. */
  let python: Extension | null = null;
  const support = (of: Language) => (of === "js" ? javascriptSupport : (python ?? []));

  const stateFor = (of: Language, doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars({ addSpecialChars: deceptive }),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        grammar.of(support(of)),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": "Program. Escape, then Tab, leaves the editor.",
          // The editable text takes the focus by itself, but not every tool knows.
          tabindex: "0",
          autocapitalize: "off",
          autocorrect: "off",
          spellcheck: "false",
        }),
        assist,
        markField,
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          indentWithTab,
          // After Escape the next Tab moves the focus, however long one waits.
          { key: "Escape", run: letTabLeave },
        ]),
        theme,
        watch,
        pointer,
      ],
    });
  const view = new EditorView({ root, parent: root, state: stateFor(first, initial) });

  const fetchSupport = async () => {
    python ??= (await import("./python")).pythonSupport;
    if (language === "py") view.dispatch({ effects: grammar.reconfigure(python) });
  };
  if (first === "py") void fetchSupport().catch(() => undefined);

  const locate = (span: Span): Range | null => {
    const from = offset(runText, span.line, span.column);
    const to = offset(runText, span.endLine, span.endColumn);
    if (from === null || to === null || from > to) return null;
    if (!sinceRun) return { from, to };
    const mapped = { from: sinceRun.mapPos(from, 1), to: sinceRun.mapPos(to, -1) };
    return mapped.from < mapped.to ? mapped : null;
  };

  return {
    text: () => view.state.doc.toString(),
    setLanguage(to) {
      if (to === language) return;
      others.set(language, view.state);
      language = to;
      view.setState(others.get(to) ?? stateFor(to, ""));
      runText = view.state.doc;
      sinceRun = null;
      // A state of earlier may lack the grammar that has come since.
      if (to === "py") void fetchSupport().catch(() => undefined);
    },
    replace(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        annotations: isolateHistory.of("full"),
        effects: EditorView.scrollIntoView(0),
      });
    },
    apply(edits) {
      view.dispatch({
        changes: edits.map(({ from, to, insert }) => ({ from, to, insert })),
        annotations: isolateHistory.of("full"),
        userEvent: "input.fix",
      });
    },
    beginRun() {
      runText = view.state.doc;
      sinceRun = null;
    },
    locate,
    showProblems(problems) {
      const diagnostics = problems.flatMap(({ span, severity, message, actions }): Diagnostic[] => {
        const range = locate(span);
        if (!range) return [];
        return [
          {
            ...range,
            severity,
            message,
            actions: actions.map(({ name, run }) => ({ name, apply: run })),
          },
        ];
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    mark(range, reveal) {
      const effects: StateEffect<unknown>[] = [setMark.of(range)];
      if (range && reveal)
        effects.push(EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 60 }));
      view.dispatch({ effects });
    },
    select(range) {
      view.dispatch({
        selection: { anchor: range.from, head: range.to },
        effects: EditorView.scrollIntoView(range.from, { y: "center" }),
      });
      view.focus();
    },
    nextProblem(direction) {
      if (direction === 1) nextDiagnostic(view);
      else previousDiagnostic(view);
      view.focus();
    },
    focus: () => view.focus(),
    undo: () => void undo(view),
    find: () => void openSearchPanel(view),
  };
}

function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(3_600_000);
  return true;
}

/** The offset of a 1-based line and column, or null outside the text. */
function offset(text: Text, line: number, column: number): number | null {
  if (line < 1 || line > text.lines || column < 1) return null;
  const { from, length } = text.line(line);
  return from + Math.min(column - 1, length);
}
