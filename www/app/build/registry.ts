/** The registry of the engine's functions, as the editor of each language wants it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * The registry of functions, which is written beside the engine when that is built: names, signatures and
 * words for the editor. An engine without it (in tests of the page alone) describes nothing.
 */
export function describeRegistry(engine: string): Registry {
  const file = resolve(dirname(engine), "registry.json");
  if (!existsSync(file)) return { javascript: [], python: [] };
  const { functions = [], constants = [] } = JSON.parse(readFileSync(file, "utf8")) as {
    functions?: DescribedFunction[];
    constants?: DescribedConstant[];
  };
  return {
    javascript: [
      ...functions.map(({ name, signature, doc }) => ({ name, signature, doc })),
      ...constants.map(({ name, type, doc }) => ({ name, signature: `${name}: ${type}`, doc })),
    ],
    python: [
      ...functions.flatMap((described) => pythonEntry(described) ?? []),
      ...constants.flatMap(({ name, doc }) => {
        const full = pythonName(name);
        return full ? { name: full, signature: `${full}: float`, doc } : [];
      }),
    ],
  };
}

export interface Entry {
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
}

export interface Registry {
  readonly javascript: readonly Entry[];
  readonly python: readonly Entry[];
}

interface DescribedConstant {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

interface DescribedFunction extends Entry {
  readonly python: string;
  readonly params: readonly {
    readonly name: string;
    readonly default: string | null;
    readonly keywordOnly: boolean;
  }[];
  readonly variadic: boolean;
}

/** The modules of the registry as Python has them. */
const PYTHON_MODULES: Readonly<Record<string, string>> = {
  np: "jax.numpy",
  lax: "jax.lax",
  nn: "jax.nn",
  random: "jax.random",
};

function pythonName(name: string): string | null {
  const dot = name.indexOf(".");
  const module = PYTHON_MODULES[name.slice(0, Math.max(dot, 0))];
  return module ? module + name.slice(dot) : null;
}

function pythonEntry({ name, python, params, variadic, doc }: DescribedFunction): Entry | null {
  const full = pythonName(name.slice(0, name.lastIndexOf(".") + 1) + python);
  if (!full) return null;
  const words: string[] = [];
  params.forEach(({ name: param, default: value, keywordOnly }, index) => {
    const starred = variadic && index === 0;
    const first = keywordOnly && !params[index - 1]?.keywordOnly && !variadic;
    if (first) words.push("*");
    const shown = value === null ? snake(param) : `${snake(param)}=${pythonValue(value)}`;
    words.push(starred ? `*${snake(param)}` : shown);
  });
  return { name: full, signature: `${full}(${words.join(", ")})`, doc: pythonWords(doc) };
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const PYTHON_VALUES: Readonly<Record<string, string>> = {
  null: "None",
  true: "True",
  false: "False",
};
const pythonValue = (value: string) => PYTHON_VALUES[value] ?? value;

/** The table's words are written for both languages; only its literals are JavaScript's. */
function pythonWords(doc: string): string {
  return doc
    .replace(
      /`(np|lax|nn)\.([A-Za-z]+)/g,
      (_all, module: string, name: string) =>
        `\`${module === "np" ? "jnp" : module}.${snake(name)}`,
    )
    .replace(
      /\b(null|true|false)\b(?= *[`,.);:]|$)/g,
      (literal) => PYTHON_VALUES[literal] ?? literal,
    );
}
