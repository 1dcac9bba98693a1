/** The editor's looks. All colours are the page's variables, so both themes need only this one. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

const chrome = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    fontSize: "var(--code-size)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { padding: "10px 0 40vh", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 14px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    {
      backgroundColor: "var(--selection)",
    },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.4em", padding: "0 8px 0 4px" },
  ".cm-gutter-lint": { width: "1.1em" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-line)", color: "var(--muted)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--match)",
    outline: "1px solid var(--border-strong)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--error-soft)" },
  ".cm-specialChar": { color: "var(--error)", backgroundColor: "var(--error-soft)" },
  ".cm-linked": {
    backgroundColor: "var(--link-soft)",
    boxShadow: "inset 0 -2px 0 var(--link)",
    borderRadius: "2px",
  },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": {
    textDecoration: "underline wavy var(--error) 1.5px",
    textUnderlineOffset: "4px",
    textDecorationSkipInk: "none",
    backgroundColor: "var(--error-soft)",
  },
  ".cm-lintRange-warning": {
    textDecoration: "underline wavy var(--warn) 1.5px",
    textUnderlineOffset: "4px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-active": { backgroundColor: "var(--error-soft)" },
  ".cm-lint-marker": { width: "0.9em", height: "0.9em" },
  ".cm-searchMatch": { backgroundColor: "var(--match)", outline: "1px solid var(--border-strong)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--link-soft)" },
  ".cm-panels": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    borderColor: "var(--border)",
  },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 10px", fontFamily: "var(--sans)" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-textfield": {
    backgroundColor: "var(--surface)",
    border: "1px solid var(--border-strong)",
    borderRadius: "4px",
    color: "var(--text)",
    fontSize: "13px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--border-strong)",
    borderRadius: "4px",
    color: "var(--text)",
    fontSize: "13px",
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--muted)", fontSize: "18px", right: "8px" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": {
    backgroundColor: "var(--link-soft)",
    color: "var(--text)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
    maxWidth: "min(34rem, 92vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "13px",
    maxHeight: "16em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
  ".cm-tooltip.cm-completionInfo": { padding: "8px 10px", maxWidth: "26rem" },
  ".cm-diagnostic": {
    padding: "6px 10px",
    borderLeft: "3px solid transparent",
    fontFamily: "var(--sans)",
    fontSize: "13px",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "4px",
    padding: "2px 8px",
    margin: "6px 8px 0 0",
  },
  ".cm-doc": {
    padding: "8px 10px",
    fontFamily: "var(--sans)",
    fontSize: "13px",
    lineHeight: "1.45",
  },
  ".cm-doc-signature": {
    fontFamily: "var(--mono)",
    fontSize: "12.5px",
    color: "var(--text)",
    fontWeight: "600",
  },
  ".cm-doc-text code": { fontFamily: "var(--mono)", fontSize: "12.5px", color: "var(--text)" },
  ".cm-doc-text": { marginTop: "4px", color: "var(--muted)", whiteSpace: "pre-line" },
});

const colours = HighlightStyle.define([
  { tag: [t.keyword, t.modifier, t.controlKeyword, t.moduleKeyword], color: "var(--code-keyword)" },
  { tag: [t.string, t.special(t.string), t.regexp], color: "var(--code-string)" },
  { tag: [t.number, t.bool, t.null], color: "var(--code-number)" },
  { tag: [t.lineComment, t.blockComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [t.function(t.variableName), t.function(t.propertyName)], color: "var(--code-call)" },
  { tag: t.definition(t.variableName), color: "var(--code-name)" },
  { tag: [t.operator, t.punctuation, t.bracket], color: "var(--code-operator)" },
  { tag: t.invalid, color: "var(--error)" },
]);

export const theme = [chrome, syntaxHighlighting(colours)];
