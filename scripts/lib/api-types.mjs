// TypeScript's view of the registry: from what the engine says of its functions to declarations with their
// doc comments. Made with the engine, so that they cannot fall behind it.

/** The text of a declaration file for `np`, `lax`, `nn` and the methods of arrays. */
export function apiTypes({ functions, constants, methods }) {
  const byName = new Map(functions.map((f) => [f.name, f]));
  const out = [
    "// Made from the engine's registry (scripts/lib/api-types.mjs) when the engine is built.",
    'import type { IndexUpdate } from "../www/lib/api.ts";',
    'import type { DType, NdArray, Slice } from "../www/lib/array.ts";',
    "",
    "/** What functions take for an array: one, or what becomes one. */",
    "export type ArrayLike = NdArray | number | boolean | ArrayBufferView;",
    "/** Nested lists of numbers and arrays, where a function makes an array of them. */",
    "export type NestedArrayLike = ArrayLike | readonly NestedArrayLike[];",
    "/** One part of an index: a position, positions, a mask, a range, a new axis, or the rest. */",
    'export type Index = number | boolean | NdArray | Slice | readonly unknown[] | null | "...";',
    "",
  ];
  const modules = new Map();
  for (const { name, module } of [...functions, ...constants.map(withModule)]) {
    if (!/^(np|lax|nn|random)\b/.test(module)) continue;
    modules.set(module, [...(modules.get(module) ?? []), name]);
  }
  const constantOf = new Map(constants.map((c) => [c.name, c]));
  for (const [module, names] of modules) {
    out.push(`/** The functions of \`${module}\`. */`, `export interface ${typeName(module)} {`);
    for (const name of names) {
      const short = name.slice(module.length + 1);
      const f = byName.get(name);
      if (f) out.push(...declare(f, short, f.params));
      else out.push(...constantLines(constantOf.get(name), short));
    }
    for (const inner of modules.keys()) {
      if (!inner.startsWith(`${module}.`)) continue;
      const short = inner.slice(module.length + 1);
      out.push(
        `  /** The functions of \`${inner}\`. */`,
        `  readonly ${short}: ${typeName(inner)};`,
      );
    }
    out.push("}", "");
  }
  out.push("/** The methods of arrays. */", "export interface ArrayMethods {");
  for (const { name, function: target } of methods) {
    const f = byName.get(target);
    if (!f) throw new Error(`the registry has a method ${name} but no function ${target}`);
    // Sizes and permutations may be given one by one.
    if (name === "reshape") out.push(...comment(f), "  reshape(...sizes: number[]): NdArray;");
    if (name === "transpose") out.push(...comment(f), "  transpose(...axes: number[]): NdArray;");
    out.push(...declare(f, name, f.params.slice(1)));
  }
  out.push(
    "  /** The axes in reverse order. */",
    "  readonly T: NdArray;",
    '  /** Elements at an index: `x.get(0, slice(2))`; null is a new axis, "..." all axes between. */',
    "  get(...index: Index[]): NdArray;",
    "  /** A place in the array, to read or to make an updated copy: `x.at(0).set(1)`. */",
    "  at(...index: Index[]): IndexUpdate;",
    "}",
    "",
  );
  return out.join("\n");
}

const withModule = (constant) => ({
  ...constant,
  module: constant.name.slice(0, constant.name.lastIndexOf(".")),
});

/** `np.linalg` as the name of an interface: `NpLinalg`. */
const typeName = (module) =>
  module
    .split(".")
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join("");

const typed = (type) => type.replace(/\bArray\b(?!Like)/g, "NdArray");

function constantLines({ type, value, doc }, short) {
  const shown = type === "DType" ? value : type;
  return [`  /** ${doc} */`, `  readonly ${short}: ${shown};`];
}

function comment({ doc, signature }) {
  const lines = [...doc.split("\n"), "", `\`${signature}\``];
  return [
    "  /**",
    ...lines.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`.trimEnd()),
    "   */",
  ];
}

/**
 * The overloads of one function. Whatever has a default may also be given by name in an object that comes last,
 * so for every number of arguments given by place there is one that takes the rest by name.
 */
function declare(f, name, params) {
  const returns = typed(f.returns);
  const byPlace = params.filter((p) => !p.keywordOnly);
  const byName = params.filter((p) => p.keywordOnly);
  const required = byPlace.filter((p) => p.default === null);
  const optional = byPlace.filter((p) => p.default !== null);
  const place = (p, mark) => `${p.name}${mark}: ${typed(p.type)}`;
  const line = (parts) => `  ${name}(${parts.join(", ")}): ${returns};`;
  const lines = comment(f);
  if (f.variadic) {
    const last = required.at(-1) ?? optional.at(-1);
    // The lists that are taken in place of a run of arrays have no place in it.
    const list =
      /^readonly (.*\[\])(?: \|.*)?$/.exec(typed(last.type))?.[1] ?? `${typed(last.type)}[]`;
    const rest = `...${last.name}: ${list}`;
    lines.push(line([...byPlace.filter((p) => p !== last).map((p) => place(p, "")), rest]));
    return lines;
  }
  const fixed = required.map((p) => place(p, ""));
  const options = (some, mark) => {
    const fields = some.map((p) => place(p, p.default === null ? "" : "?"));
    const must = some.some((p) => p.default === null);
    return `options${must ? "" : mark}: { ${fields.join("; ")} }`;
  };
  const all = [...fixed, ...optional.map((p) => place(p, "?"))];
  const needsName = byName.some((p) => p.default === null);
  if (!needsName || optional.length === 0) {
    lines.push(line(byName.length === 0 ? all : [...all, options(byName, "?")]));
  }
  for (let n = 0; n < optional.length; n++) {
    const placed = optional.slice(0, n).map((p) => place(p, ""));
    lines.push(line([...fixed, ...placed, options([...optional.slice(n), ...byName], "")]));
  }
  return lines;
}
