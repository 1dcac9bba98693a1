/**
 * What is in the editor: drafts, examples, linked programs, in one language or the other. Whatever is
 * opened, the text that was there before is kept, and can be had back by Undo and from the list of
 * drafts; a switch of the language brings back what was there in that language.
 */

import type { Language } from "../../sandbox/protocol";
import type { Program } from "../../share/codec";
import { decodeLink } from "../../share/codec";
import type { Editor } from "../editor/editor";
import { examples, findExample, loadPythonExamples } from "./examples";
import { brokenLink, language, type Origin, origin, saved, text } from "./state";
import {
  keepAside,
  lastLanguage,
  loadDraft,
  openStorage,
  prune,
  rememberLanguage,
  saveDraft,
} from "./storage";

const SAVE_AFTER_MS = 300;

interface Document {
  readonly source: string;
  readonly origin: Origin;
}

let editor: Editor | null = null;
let saving: ReturnType<typeof setTimeout> | undefined;
let opened: () => void = () => undefined;
/** What was in the editor in the language that is not there now. */
const left = new Map<Language, Document>();

/** The text to begin with: the latest draft, or the first example. */
export function initialText(): string {
  openStorage();
  prune();
  const wanted = lastLanguage();
  // The examples in Python are not there yet, so without a draft there is nothing to begin with.
  language.value = wanted === "py" && loadDraft("py") ? "py" : "js";
  const first = stored(language.value);
  origin.value = first.origin;
  text.value = first.source;
  return text.value;
}

/** The latest draft in a language, else its first example. */
function stored(wanted: Language): Document {
  const draft = loadDraft(wanted);
  if (draft) return { source: draft.source, origin: { kind: "draft", example: draft.example } };
  const example = examples[wanted].value[0];
  if (example) return { source: example.source, origin: { kind: "example", id: example.id } };
  return { source: "", origin: { kind: "draft", example: null } };
}

/** Connects the editor, and opens the link in the address, now and whenever it changes. */
export function connect(to: Editor, onOpen: () => void): void {
  editor = to;
  opened = onOpen;
  if (language.value === "py") void loadPythonExamples();
  openFromAddress();
  addEventListener("hashchange", openFromAddress);
  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", saveNow);
}

/** Called for every change of the text. */
export function changed(now: string): void {
  if (now === text.value) return;
  text.value = now;
  const from = origin.value;
  if (from.kind === "link" && now !== from.program.source) {
    // From here on it is the reader's own text; a reload must bring it back, not the link.
    origin.value = { kind: "draft", example: null };
    dropFragment();
  } else if (from.kind === "example" && now !== findExample(language.value, from.id)?.source) {
    origin.value = { kind: "draft", example: from.id };
  }
  saved.value = "unsaved";
  clearTimeout(saving);
  saving = setTimeout(saveNow, SAVE_AFTER_MS);
}

function saveNow(): void {
  clearTimeout(saving);
  if (saved.value !== "unsaved") return;
  const from = origin.value;
  const example = from.kind === "draft" ? from.example : from.kind === "example" ? from.id : null;
  saved.value = saveDraft(language.value, text.value, example) ? "saved" : "failed";
}

/** Goes on in the other language, with what was there in it. */
export async function switchLanguage(to: Language): Promise<void> {
  if (to === language.value) return;
  if (to === "py") await loadPythonExamples().catch(() => undefined);
  if (to === language.value) return;
  saveNow();
  const document = left.get(to) ?? stored(to);
  enter(to);
  show(document.source, document.origin);
  dropFragment();
}

/** Makes `to` the language of the editor, and remembers the text it had. */
function enter(to: Language): void {
  if (to === language.value) return;
  left.set(language.value, { source: text.value, origin: origin.value });
  language.value = to;
  editor?.setLanguage(to);
  rememberLanguage(to);
  // What the editor has in that language may lie behind; it must not count as typed.
  text.value = editor?.text() ?? "";
}

export function openExample(id: string): void {
  const example = findExample(language.value, id);
  if (example) open(language.value, example.source, { kind: "example", id });
  dropFragment();
}

export function openDraft(of: Language, source: string, example: string | null): void {
  open(of, source, { kind: "draft", example });
  dropFragment();
}

/** The example this text began as, if it has been changed since. */
export function resettable(): string | null {
  const from = origin.value;
  if (from.kind !== "draft" || from.example === null) return null;
  const example = findExample(language.value, from.example);
  return example && example.source !== text.value ? example.id : null;
}

function openProgram(program: Program): void {
  open(program.language, program.source, { kind: "link", program, run: false });
}

function open(of: Language, source: string, from: Origin): void {
  if (of === language.value) setAside();
  else {
    saveNow();
    if (of === "py") void loadPythonExamples();
    const before = left.get(of);
    enter(of);
    if (before) setAside(before);
  }
  show(source, from);
}

function show(source: string, from: Origin): void {
  if (source !== editor?.text()) {
    // The origin is set after the change, which would otherwise count as an edit of the old one.
    editor?.replace(source);
  }
  text.value = source;
  origin.value = from;
  clearTimeout(saving);
  // A link alone is not worth a draft; it becomes one when it is edited.
  if (from.kind !== "link") {
    saved.value = "unsaved";
    saveNow();
  }
  opened();
}

/** Keeps a text, unless it is one that can be had again anyway. */
function setAside({ source, origin: from } = { source: text.value, origin: origin.value }): void {
  if (source.trim() === "" || from.kind === "link") return;
  if (examples[language.value].value.some((example) => example.source === source)) return;
  keepAside(language.value, source, from.kind === "draft" ? from.example : from.id);
}

function openFromAddress(): void {
  const fragment = location.hash.replace(/^#/, "");
  if (fragment === "") return;
  const read = decodeLink(fragment);
  if (!read.ok) brokenLink.value = read.reason;
  else {
    brokenLink.value = null;
    openProgram(read.program);
  }
}

/** Takes the link out of the address without adding to the history. */
export function dropFragment(): void {
  brokenLink.value = null;
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
}
