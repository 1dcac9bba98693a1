/** Completion, hover and signature help, for each language from its table of names. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { syntaxTree } from "@codemirror/language";
import {
  type EditorState,
  type Extension,
  Facet,
  Prec,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { describe, type Entry, entries, members } from "./docs";

/** The names that a language's programs can say something about. */
export interface Names {
  /** The entry of a dotted name as the program writes it. */
  find(name: string, state: EditorState): Entry | null;
  /** The entries directly under a module as the program names it, or at top level (""). */
  under(module: string, state: EditorState): readonly Entry[];
}

const javascriptNames: Names = {
  find: (name) => entries.get(name) ?? null,
  under: (module) => members(module),
};

/** The names of the editor's language; JavaScript's when nothing else was said. */
export const lookup = Facet.define<Names, Names>({
  combine: ([names]) => names ?? javascriptNames,
});

export function completer(names: Names): CompletionSource {
  return (context) => complete(context, names);
}

function complete(context: CompletionContext, names: Names): CompletionResult | null {
  const path = context.matchBefore(/(?:[A-Za-z_]\w*\.)*[A-Za-z_]?\w*$/);
  if (!path || (path.from === path.to && !context.explicit)) return null;
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (/String|Comment|Template|RegExp/.test(node.name)) return null;
  const dot = path.text.lastIndexOf(".");
  const found = names.under(dot < 0 ? "" : path.text.slice(0, dot), context.state);
  if (found.length === 0) return null;
  const options = found.map((entry): Completion => {
    const label = entry.name.slice(entry.name.lastIndexOf(".") + 1);
    const detail = entry.signature.slice(entry.signature.indexOf("("));
    const detailed = entry.signature.includes("(");
    return {
      label,
      info: () => describe(entry),
      ...(detailed ? { detail, type: "function" } : { type: "namespace" }),
    };
  });
  return { from: path.from + dot + 1, options, validFor: /^\w*$/ };
}

/** The dotted name around a position, if the table has it. */
function entryAt(
  state: EditorState,
  pos: number,
): { entry: Entry; from: number; to: number } | null {
  const line = state.doc.lineAt(pos);
  for (const match of line.text.matchAll(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g)) {
    const from = line.from + match.index;
    let to = from + match[0].length;
    if (pos < from || pos > to) continue;
    // On the module in "np.sum" the module is meant, on the rest the function.
    const firstDot = match[0].indexOf(".");
    const name = firstDot >= 0 && pos <= from + firstDot ? match[0].slice(0, firstDot) : match[0];
    to = from + name.length;
    const entry = state.facet(lookup).find(name, state);
    return entry ? { entry, from, to } : null;
  }
  return null;
}

const hover = hoverTooltip((view, pos) => {
  const at = entryAt(view.state, pos);
  if (!at) return null;
  return { pos: at.from, end: at.to, above: true, create: () => ({ dom: describe(at.entry) }) };
});

const showSignature = StateEffect.define<boolean>();

/** The call whose parentheses hold the cursor, if the table knows the function. */
function signatureAt(state: EditorState): Tooltip | null {
  const head = state.selection.main.head;
  let node = syntaxTree(state).resolveInner(head, -1);
  while (node.parent && !(node.name === "ArgList" && node.from < head)) node = node.parent;
  const callee = node.name === "ArgList" ? node.prevSibling : null;
  if (!callee) return null;
  const name = state.sliceDoc(callee.from, callee.to);
  const entry = state.facet(lookup).find(name, state);
  if (!entry) return null;
  return { pos: callee.from, above: true, create: () => ({ dom: describe(entry) }) };
}

/** Appears on "(" and ",", stays while the cursor is in the call, goes with Escape. */
const signature = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(showSignature)) return effect.value ? signatureAt(transaction.state) : null;
    }
    let typed = false;
    if (transaction.isUserEvent("input.type")) {
      transaction.changes.iterChanges((_a, _b, _c, _d, inserted) => {
        typed ||= /[(,]/.test(inserted.toString());
      });
    }
    if (!typed && !shown) return null;
    if (!transaction.docChanged && !transaction.selection) return shown;
    const next = signatureAt(transaction.state);
    return next && shown && next.pos === shown.pos ? shown : next;
  },
  provide: (field) => showTooltip.from(field),
});

// Before completion's own Escape, which also ends a query still under way.
const signatureKeys = Prec.highest(
  keymap.of([
    {
      key: "Mod-Shift-Space",
      run: (view) => {
        view.dispatch({ effects: showSignature.of(true) });
        return view.state.field(signature) !== null;
      },
    },
    {
      key: "Escape",
      run: (view) => {
        if (view.state.field(signature) === null) return false;
        view.dispatch({ effects: showSignature.of(false) });
        return true;
      },
    },
  ]),
);

export const assist: Extension = [
  signatureKeys,
  autocompletion({ icons: false, activateOnTypingDelay: 60 }),
  javascriptLanguage.data.of({ autocomplete: completer(javascriptNames) }),
  hover,
  signature,
];
