/** The examples, from www/examples: their first comment line is the title, the second what they show. */
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

export const examples: readonly Example[] = Object.entries(files)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([path, source]) => {
    const header = source.split("\n", 2).map((line) => line.replace(/^\/\/\s*(Shows:\s*)?/, ""));
    const [title = "", shows = ""] = header;
    const id = path.replace(/^.*\/\d*-?/, "").replace(/\.js$/, "");
    return { id, title, shows, source };
  });

export function findExample(id: string | null): Example | null {
  return examples.find((example) => example.id === id) ?? null;
}
