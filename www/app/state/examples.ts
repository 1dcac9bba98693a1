/**
 * The examples, from www/examples, each in both languages: the first comment line is the title, the
 * second what it shows. Those in Python are a chunk of their own, fetched with the first of them.
 */
import { signal } from "@preact/signals";
import type { Language } from "../../sandbox/protocol";

export interface Example {
  /** The file's name without its number and ending. */
  readonly id: string;
  readonly title: string;
  readonly shows: string;
  readonly source: string;
}

const files = import.meta.glob<string>("../../examples/*.js", {
  eager: true,
  query: "?raw",
  import: "default",
});

/** The examples of a language; none of Python's before loadPythonExamples. */
export const examples = {
  js: signal(catalogue(files)),
  py: signal<readonly Example[]>([]),
} as const;

export async function loadPythonExamples(): Promise<void> {
  if (examples.py.value.length > 0) return;
  examples.py.value = catalogue((await import("./python-examples")).files);
}

function catalogue(files: Readonly<Record<string, string>>): readonly Example[] {
  return Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]) => {
      const header = source
        .split("\n", 2)
        .map((line) => line.replace(/^(\/\/|#)\s*(Shows:\s*)?/, ""));
      const [title = "", shows = ""] = header;
      const id = path.replace(/^.*\/\d*-?/, "").replace(/\.(js|py)$/, "");
      return { id, title, shows, source };
    });
}

export function findExample(language: Language, id: string | null): Example | null {
  return examples[language].value.find((example) => example.id === id) ?? null;
}
