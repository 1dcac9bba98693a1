/**
 * What is in the editor: drafts, examples, linked programs. Whatever is opened, the text that was
 * there before is kept, and can be had back by Undo and from the list of drafts.
 */
import type { Program } from "../../share/codec";
import { decodeLink } from "../../share/codec";
import type { Editor } from "../editor/editor";
import { examples, findExample } from "./examples";
import { brokenLink, type Origin, origin, saved, text } from "./state";
import { keepAside, loadDraft, openStorage, prune, saveDraft } from "./storage";

const SAVE_AFTER_MS = 300;
const NOT_JAVASCRIPT =
  "This link holds a Python program, and this version of the page runs JavaScript only.";

let editor: Editor | null = null;
let saving: ReturnType<typeof setTimeout> | undefined;
let opened: () => void = () => undefined;

/** The text to begin with: the latest draft, or the first example. */
export function initialText(): string {
  openStorage();
  prune();
  const draft = loadDraft();
  const example = examples[0];
  if (draft) origin.value = { kind: "draft", example: draft.example };
  else if (example) origin.value = { kind: "example", id: example.id };
  text.value = draft?.source ?? example?.source ?? "";
  return text.value;
}

/** Connects the editor, and opens the link in the address, now and whenever it changes. */
export function connect(to: Editor, onOpen: () => void): void {
  editor = to;
  opened = onOpen;
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
  } else if (from.kind === "example" && now !== findExample(from.id)?.source) {
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
  saved.value = saveDraft(text.value, example) ? "saved" : "failed";
}

export function openExample(id: string): void {
  const example = findExample(id);
  if (example) open(example.source, { kind: "example", id });
  dropFragment();
}

export function openDraft(source: string, example: string | null): void {
  open(source, { kind: "draft", example });
  dropFragment();
}

/** The example this text began as, if it has been changed since. */
export function resettable(): string | null {
  const from = origin.value;
  if (from.kind !== "draft" || from.example === null) return null;
  const example = findExample(from.example);
  return example && example.source !== text.value ? example.id : null;
}

function openProgram(program: Program): void {
  open(program.source, { kind: "link", program, run: false });
}

function open(source: string, from: Origin): void {
  setAside();
  if (source !== text.value) {
    // The origin is set after the change, which would otherwise count as an edit of the old one.
    editor?.replace(source);
    text.value = source;
  }
  origin.value = from;
  clearTimeout(saving);
  // A link alone is not worth a draft; it becomes one when it is edited.
  if (from.kind !== "link") {
    saved.value = "unsaved";
    saveNow();
  }
  opened();
}

/** Keeps the present text, unless it is one that can be had again anyway. */
function setAside(): void {
  const now = text.value;
  const from = origin.value;
  if (now.trim() === "" || from.kind === "link") return;
  if (examples.some(({ source }) => source === now)) return;
  keepAside(now, from.kind === "draft" ? from.example : from.id);
}

function openFromAddress(): void {
  const fragment = location.hash.replace(/^#/, "");
  if (fragment === "") return;
  const read = decodeLink(fragment);
  if (!read.ok) brokenLink.value = read.reason;
  else if (read.program.language !== "js") brokenLink.value = NOT_JAVASCRIPT;
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
