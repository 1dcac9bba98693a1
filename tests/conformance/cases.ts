// The cases of `cases/*.md` and the answers recorded for them: read, joined, and nothing else.

import { readdirSync, readFileSync } from "node:fs";
import type { Comparison } from "./compare.ts";

/** What JAX did with the Python program of a case. */
export interface Answer {
  readonly stdout: string;
  readonly error?: {
    readonly class: string;
    /** The part of the message that must be found in ours. */
    readonly key: string;
    readonly message: string;
  };
}

/** One case: the program in JavaScript, how to compare, and the answer. */
export interface Case {
  /** `file: name`, unique. */
  readonly name: string;
  readonly javascript: string;
  readonly python: string;
  readonly x64: boolean;
  readonly compare: Comparison;
  readonly answer: Answer | undefined;
}

interface Draft {
  name: string;
  options: Map<string, string>;
  blocks: Map<string, string[]>;
}

/** Reads the cases out of the text of one file; `stem` is its name without `.md`. */
export function parseCases(stem: string, text: string, answers: Record<string, Answer>): Case[] {
  const defaults = new Map<string, string>();
  const drafts: Draft[] = [];
  let fence: string[] | null = null;
  for (const line of text.split("\n")) {
    const draft = drafts.at(-1);
    if (fence !== null) {
      if (line === "```") fence = null;
      else fence.push(line);
    } else if (line.startsWith("## ")) {
      const name = `${stem}: ${line.slice(3).trim()}`;
      drafts.push({ name, options: new Map(defaults), blocks: new Map() });
    } else if (line.startsWith("```") && draft !== undefined) {
      fence = [];
      draft.blocks.set(line.slice(3).trim(), fence);
    } else {
      const option = /^(\w+): (.*)$/.exec(line);
      if (option) (draft?.options ?? defaults).set(option[1] ?? "", (option[2] ?? "").trim());
    }
  }
  return drafts.map(({ name, options, blocks }) => ({
    name,
    javascript: `${(blocks.get("js") ?? []).join("\n")}\n`,
    python: `${(blocks.get("py") ?? []).join("\n")}\n`,
    x64: options.get("x64") === "on",
    compare: comparison(name, options),
    answer: answers[name],
  }));
}

function comparison(name: string, options: Map<string, string>): Comparison {
  const kind = options.get("compare") ?? "values";
  if (kind === "jaxpr" || kind === "exact") return { kind };
  if (kind !== "values") throw new Error(`${name}: unknown comparison "${kind}"`);
  return {
    kind,
    rtol: Number(options.get("rtol") ?? 1e-5),
    atol: Number(options.get("atol") ?? 1e-6),
  };
}

/** All cases, in the order of the files. */
export function loadCases(): Case[] {
  const folder = new URL("cases/", import.meta.url);
  const recorded: { answers: Record<string, Answer> } = JSON.parse(
    readFileSync(new URL("answers.json", import.meta.url), "utf8"),
  );
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .sort()
    .flatMap((file) =>
      parseCases(file.slice(0, -3), readFileSync(new URL(file, folder), "utf8"), recorded.answers),
    );
}

/** Cases known to differ from JAX, with the reason for each. */
export function loadKnownDifferences(): Record<string, string> {
  return JSON.parse(readFileSync(new URL("known-differences.json", import.meta.url), "utf8"));
}
