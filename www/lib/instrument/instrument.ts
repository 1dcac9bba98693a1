/**
 * From a user's module to code that the runtime can run.
 *
 * `instrument` parses a program with acorn, checks its imports, and rewrites calls, operators,
 * conditions and indexing so that arrays work in them and every one of them knows its place in the
 * source. The result is the body of an async function of one parameter: the runtime `$`.
 */

import type { AnyNode, ImportDeclaration } from "acorn";
import type { Span } from "../report.ts";
import { Ownership } from "./owned.ts";
import { Plainness } from "./plain.ts";
import { Rewriter, type SiteKind } from "./rewrite.ts";
import { analyse, type Names } from "./scope.ts";
import { Positions, parseProgram, Refusal, type SourceError, tooDeep } from "./source.ts";

/** The module that programs import from. */
export const MODULE_NAME = "cotangent";

/** How many lines the engine of JavaScript puts before the body of a function made from text. */
export const LINES_BEFORE_BODY = 2;

/** The name under which stack traces show the program. */
export const PROGRAM_FILE = "program.js";

/** A place in the program where a call, an operator, a condition or an index is. */
export interface Site {
  kind: SiteKind;
  span: Span;
  /** Offsets of the span in the source. */
  from: number;
  to: number;
  /** The source text of the span, shortened. */
  text: string;
  /** Bit k: argument (or operand) k contains a number written as a float. */
  floatArgs: number;
}

/** A function of the program. */
export interface FunctionInfo {
  /** Its name, or that of the variable it is assigned to; "" if it has none. */
  name: string;
  span: Span;
  /** Source text of each parameter. */
  params: string[];
}

/** A program made ready to run. When `error` is set the code is empty. */
export interface Instrumented {
  /** Body of an async function with the one parameter `parameter`. */
  code: string;
  /** "$", or a name the program does not use itself. */
  parameter: string;
  /** Site k (1-based) is `sites[k - 1]`. */
  sites: Site[];
  functions: FunctionInfo[];
  error: SourceError | null;
}

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** What can be imported from "cotangent"; without it any name is let through. */
  exports?: ReadonlySet<string>;
}

/** Longest `text` of a site. */
const MAX_TEXT = 120;

/** Prepares a program. Never throws: what is wrong with the source is in `error`. */
export function instrument(source: string, options: InstrumentOptions = {}): Instrumented {
  const positions = new Positions(source);
  try {
    return rewriteProgram(source, positions, options);
  } catch (thrown) {
    const error = thrown instanceof RangeError ? tooDeep(source) : thrown;
    if (!(error instanceof Refusal)) throw error;
    const span = positions.span(error.from, error.to);
    const refused = { message: error.message, span };
    return { code: "", parameter: "$", sites: [], functions: [], error: refused };
  }
}

function rewriteProgram(source: string, at: Positions, options: InstrumentOptions): Instrumented {
  const program = parseProgram(source);
  const names = analyse(program, source);
  refuseModuleForms(names);
  const plain = new Plainness(names);
  const parameter = unusedName(names);
  const rewriter = new Rewriter(source, names, plain, new Ownership(names, plain), parameter);

  const imports: string[] = [];
  let body = "";
  let end = 0;
  for (const statement of program.body) {
    body += source.slice(end, statement.start);
    end = statement.end;
    if (statement.type === "ImportDeclaration") {
      imports.push(importText(statement, parameter, options));
      body += blank(source, statement.start, statement.end);
    } else if (statement.type.startsWith("Export")) {
      body += exportText(statement as AnyNode, source, rewriter);
    } else if (statement === program.body.at(-1)) body += rewriter.lastStatement(statement);
    else body += rewriter.text(statement);
  }
  body += source.slice(end);
  if (body.startsWith("#!")) body = `//${body.slice(2)}`;

  const sites = rewriter.sites.map((site) => ({
    ...site,
    span: at.span(site.from, site.to),
    text: shorten(source.slice(site.from, site.to)),
  }));
  const code = `"use strict"; ${imports.join(" ")} ${body}\n//# sourceURL=${PROGRAM_FILE}`;
  return { code, parameter, sites, functions: functionsOf(names, source, at), error: null };
}

function unusedName(names: Names): string {
  let name = "$";
  for (let i = 1; names.all.has(name); i++) name = `$${i}`;
  return name;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

/** Spaces and line breaks in place of a stretch of source. */
function blank(source: string, from: number, to: number): string {
  return source.slice(from, to).replace(/[^\r\n]+/g, " ");
}

/** An import declaration as a destructuring of the module. */
function importText(node: ImportDeclaration, $: string, options: InstrumentOptions): string {
  if (node.source.value !== MODULE_NAME) {
    throw new Refusal(
      `Programs can import only from "${MODULE_NAME}", not from ${node.source.raw}`,
      node.source.start,
      node.source.end,
    );
  }
  let out = "";
  const parts: string[] = [];
  for (const specifier of node.specifiers) {
    const local = specifier.local.name;
    if (specifier.type === "ImportNamespaceSpecifier") out += `const ${local} = ${$}.module; `;
    else if (specifier.type === "ImportDefaultSpecifier") {
      throw new Refusal(
        `"${MODULE_NAME}" has no default export; write \`import * as ${local} from "${MODULE_NAME}"\``,
        specifier.start,
        specifier.end,
      );
    } else {
      const { imported } = specifier;
      const name = imported.type === "Identifier" ? imported.name : String(imported.value);
      if (options.exports && !options.exports.has(name)) {
        throw new Refusal(noSuchExport(name, options.exports), imported.start, imported.end);
      }
      parts.push(name === local ? name : `${JSON.stringify(name)}: ${local}`);
    }
  }
  return parts.length > 0 ? `${out}const { ${parts.join(", ")} } = ${$}.module;` : out;
}

function noSuchExport(name: string, exports: ReadonlySet<string>): string {
  const known = [...exports].find(
    (other) => other.toLowerCase() === name.replace(/_/g, "").toLowerCase(),
  );
  const hint = known ? `; did you mean \`${known}\`?` : "";
  return `"${MODULE_NAME}" does not export \`${name}\`${hint}`;
}

/** `export` says nothing in a program that nobody imports: the declaration stays, the word goes. */
function exportText(node: AnyNode, source: string, rewriter: Rewriter): string {
  if (
    node.type === "ExportAllDeclaration" ||
    (node.type === "ExportNamedDeclaration" && node.source)
  ) {
    throw new Refusal("A program cannot re-export another module", node.start, node.end);
  }
  const inner =
    node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration"
      ? node.declaration
      : null;
  if (!inner) return `;${blank(source, node.start, node.end)}`;
  const before = blank(source, node.start, inner.start);
  const text = rewriter.text(inner);
  const named = "id" in inner && inner.id;
  const declares =
    inner.type.endsWith("Declaration") && (named || inner.type === "VariableDeclaration");
  return declares ? before + text : `;${before}(${text});`;
}

/** What exists only in real modules. */
function refuseModuleForms(names: Names): void {
  for (const node of names.nodes as readonly AnyNode[]) {
    if (node.type === "MetaProperty" && node.meta.name === "import") {
      throw new Refusal("`import.meta` is not available in a program", node.start, node.end);
    }
    if (node.type === "ImportExpression") {
      const instead = `write \`import { … } from "${MODULE_NAME}"\` at the top`;
      throw new Refusal(
        `A program cannot import() while it runs; ${instead}`,
        node.start,
        node.end,
      );
    }
  }
}

function functionsOf(names: Names, source: string, at: Positions): FunctionInfo[] {
  const found: FunctionInfo[] = [];
  for (const node of names.functions) {
    const { id, params, start, end } = node;
    const parent = names.parentOf(node) as AnyNode | undefined;
    let name = id?.name ?? "";
    if (name === "" && parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") {
      name = parent.id.name;
    } else if (name === "" && parent && "key" in parent && parent.key.type === "Identifier") {
      name = parent.key.name;
    } else if (name === "" && parent?.type === "AssignmentExpression") {
      name = source.slice(parent.left.start, parent.left.end);
    }
    const texts = params.map((param) => source.slice(param.start, param.end));
    found.push({ name, span: at.span(start, end), params: texts });
  }
  return found;
}
