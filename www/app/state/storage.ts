import type { Language } from "../../sandbox/protocol";

/**
 * Drafts in localStorage. Every tab writes its own records, one for each language, so two tabs never
 * overwrite each other; a new tab begins with the latest record of any. Storage that is full, off, or holds nonsense is
 * a reason to say "not saved", never to fail or to lose the text on screen.
 */
export interface Draft {
  readonly language: Language;
  readonly source: string;
  /** The example it began as; null for anything else. */
  readonly example: string | null;
  readonly savedAt: number;
}

export interface StoredDraft extends Draft {
  readonly key: string;
}

const PREFIX = "cotangent:draft:";
const TAB = "cotangent:tab";
const LANGUAGE = "cotangent:tab-language";
const KEPT = 30;
const LONGEST = 1_000_000;

let tab = "";

/** Works out this tab's own record, and takes a new one when another tab turns out to write it too. */
export function openStorage(): void {
  tab = attempt(() => sessionStorage.getItem(TAB)) ?? newTab();
  addEventListener("storage", (event) => {
    if (isOwn(event.key ?? "")) tab = newTab();
  });
}

function newTab(): string {
  const name = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join(
    "",
  );
  attempt(() => sessionStorage.setItem(TAB, name));
  return name;
}

const ownKey = (language: Language) => PREFIX + tab + (language === "py" ? ":py" : "");
const isOwn = (key: string) => key === ownKey("js") || key === ownKey("py");

/** Saves this tab's draft in a language; false where the browser would not. */
export function saveDraft(language: Language, source: string, example: string | null): boolean {
  if (source.length > LONGEST) return false;
  const record = JSON.stringify({ language, source, example, savedAt: Date.now() });
  if (store(ownKey(language), record)) return true;
  // Full: the oldest drafts of other tabs make room.
  prune(5);
  return store(ownKey(language), record);
}

/** Sets a text aside as a draft of its own, so that opening something else cannot lose it. */
export function keepAside(language: Language, source: string, example: string | null): boolean {
  const known = listDrafts().some(({ source: other, key }) => other === source && !isOwn(key));
  if (known) return true;
  const record = JSON.stringify({ language, source, example, savedAt: Date.now() });
  const key = `${PREFIX}kept-${Date.now().toString(36)}-${Math.floor(performance.now())}`;
  return store(key, record);
}

/** This tab's draft in a language, else the latest of any tab. */
export function loadDraft(language: Language): Draft | null {
  const drafts = listDrafts().filter((draft) => draft.language === language);
  return drafts.find(({ key }) => isOwn(key)) ?? drafts[0] ?? null;
}

/** The language this tab was left in, else that of the latest change in any. */
export function lastLanguage(): Language {
  const stored = attempt(() => sessionStorage.getItem(LANGUAGE)) ?? readSetting("language");
  return stored === "py" ? "py" : "js";
}

export function rememberLanguage(language: Language): void {
  attempt(() => sessionStorage.setItem(LANGUAGE, language));
  writeSetting("language", language);
}

/** Every readable draft, latest first. */
export function listDrafts(): StoredDraft[] {
  const keys = attempt(() => Object.keys(localStorage)) ?? [];
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .flatMap((key) => readDraft(key) ?? [])
    .sort((a, b) => b.savedAt - a.savedAt);
}

export function deleteDraft(key: string): void {
  if (key.startsWith(PREFIX)) attempt(() => localStorage.removeItem(key));
}

/** Forgets all but the latest drafts. */
export function prune(kept = KEPT): void {
  for (const { key } of listDrafts().slice(kept)) if (!isOwn(key)) deleteDraft(key);
}

function readDraft(key: string): StoredDraft | null {
  const text = attempt(() => localStorage.getItem(key));
  const record = text ? attempt(() => JSON.parse(text) as unknown) : null;
  if (typeof record !== "object" || record === null) return null;
  const { language, source, example, savedAt } = record as Record<string, unknown>;
  if (typeof source !== "string" || source.length > LONGEST || typeof savedAt !== "number")
    return null;
  return {
    key,
    language: language === "py" ? "py" : "js",
    source,
    example: typeof example === "string" ? example : null,
    savedAt,
  };
}

function store(key: string, value: string): boolean {
  const stored = attempt(() => {
    localStorage.setItem(key, value);
    return true;
  });
  return stored ?? false;
}

/** A small setting, such as the theme. */
export function readSetting(name: string): string | null {
  return attempt(() => localStorage.getItem(`cotangent:${name}`));
}

export function writeSetting(name: string, value: string): void {
  attempt(() => localStorage.setItem(`cotangent:${name}`, value));
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
