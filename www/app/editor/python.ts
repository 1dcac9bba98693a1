/** What the editor needs for Python; fetched when the first Python program is shown. */
import { python, pythonLanguage } from "@codemirror/lang-python";
import { indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { completer, lookup, type Names } from "./assist";
import { pythonEntries, pythonMembers, resolve } from "./python-docs";

const names: Names = {
  find: (name, state) => pythonEntries.get(resolve(name, state)) ?? null,
  under: (module, state) => pythonMembers(module, state),
};

export const pythonSupport: Extension = [
  python(),
  indentUnit.of("    "),
  EditorState.tabSize.of(4),
  pythonLanguage.data.of({ autocomplete: completer(names) }),
  lookup.of(names),
];
