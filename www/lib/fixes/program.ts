/**
 * A program as the fixes see it: its tree, who is who in it, and ways to change it.
 */

import type { AnyNode, CallExpression, Node, Program } from "acorn";
import { MODULE_NAME } from "../instrument/instrument.ts";
import { analyse, type Binding, isFunction, type Names } from "../instrument/scope.ts";
import { Positions, parseProgram } from "../instrument/source.ts";
import type { Edit, Fix, Span } from "../report.ts";

/** A parsed program. */
export class Source {
  readonly tree: Program;
  readonly names: Names;
  readonly positions: Positions;
  readonly #taken: Set<string>;

  /** Throws if the program does not parse. */
  constructor(readonly text: string) {
    this.tree = parseProgram(text);
    this.names = analyse(this.tree, text);
    this.positions = new Positions(text);
    this.#taken = new Set(this.names.all);
  }

  /** The source text of a node. */
  slice(node: Node): string {
    return this.text.slice(node.start, node.end);
  }

  /** The call that a span is of, or the smallest one around it. */
  callAt(span: Span): CallExpression | null {
    const found = this.smallest(span, (node) => node.type === "CallExpression");
    return found?.type === "CallExpression" ? found : null;
  }

  /** The smallest node around a span that passes a test. */
  smallest(span: Span, test: (node: AnyNode) => boolean): AnyNode | null {
    const from = this.positions.offset(span.line, span.column);
    const to = this.positions.offset(span.endLine, span.endColumn);
    let best: AnyNode | null = null;
    for (const node of this.names.nodes) {
      if (node.start > from || node.end < to || !test(node as AnyNode)) continue;
      if (!best || node.end - node.start <= best.end - best.start) best = node as AnyNode;
    }
    return best;
  }

  /** The name that something was imported under: `grad` for `import { grad as g }` and `g`. */
  importedName(node: Node): string | null {
    const id = node as AnyNode;
    if (id.type === "MemberExpression" && !id.computed && id.property.type === "Identifier") {
      const root = id.object.type === "Identifier" ? this.names.bindingOf(id.object) : undefined;
      const all = (root?.declaration as AnyNode | undefined)?.type === "ImportNamespaceSpecifier";
      return all ? id.property.name : null;
    }
    if (id.type !== "Identifier") return null;
    const specifier = this.names.bindingOf(id)?.declaration as AnyNode | undefined;
    if (specifier?.type !== "ImportSpecifier") return null;
    const { imported } = specifier;
    return imported.type === "Identifier" ? imported.name : String(imported.value);
  }

  /** What a name stands for, if it is set once where it is declared. */
  valueOf(node: Node): AnyNode | null {
    const id = node as AnyNode;
    if (id.type !== "Identifier") return id;
    const binding = this.names.bindingOf(id);
    if (!binding || binding.uses.some((use) => use.write)) return null;
    const declaration = binding.declaration as AnyNode;
    if (declaration.type === "FunctionDeclaration") return declaration;
    if (declaration.type !== "VariableDeclarator" || declaration.id !== binding.identifier)
      return null;
    return (declaration.init as AnyNode | null | undefined) ?? null;
  }

  parent(node: Node): AnyNode | undefined {
    return this.names.parentOf(node) as AnyNode | undefined;
  }

  /** The statement a node is in, within the innermost function. */
  statementOf(node: Node): AnyNode {
    let at = node as AnyNode;
    for (;;) {
      const up = this.parent(at);
      if (!up || isList(up)) return at;
      if (isFunction(up)) return at;
      at = up;
    }
  }

  /** The innermost function around a node. */
  functionOf(node: Node): AnyNode | null {
    for (let at = this.parent(node); at; at = this.parent(at)) if (isFunction(at)) return at;
    return null;
  }

  /** The bindings of variables that a piece of the program mentions but does not declare. */
  freeVariables(within: Node): Binding[] {
    return this.names.bindings.filter(
      (binding) =>
        !inside(binding.identifier, within) && binding.uses.some((use) => inside(use.node, within)),
    );
  }

  /** A name that the program does not use yet, which it is then taken to use. */
  fresh(...wanted: readonly string[]): string {
    for (let n = 0; ; n++) {
      for (const name of wanted) {
        const candidate = n === 0 ? name : `${name}${n + 1}`;
        if (this.#taken.has(candidate) || RESERVED.has(candidate)) continue;
        this.#taken.add(candidate);
        return candidate;
      }
    }
  }

  /** The white space that a line begins with. */
  indentAt(offset: number): string {
    const start = this.text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(start))?.[0] ?? "";
  }

  /** How the program calls something of the library, adding it to the import if need be. */
  library(name: string, edits: Edit[]): string {
    for (const statement of this.tree.body) {
      if (statement.type !== "ImportDeclaration") continue;
      for (const specifier of statement.specifiers) {
        if (specifier.type === "ImportNamespaceSpecifier") return `${specifier.local.name}.${name}`;
        if (this.importedName(specifier.local) === name) return specifier.local.name;
      }
    }
    const pending = edits.find((edit) =>
      edit.insert.match(new RegExp(`^(?:, |import \\{ )${name}\\b`)),
    );
    if (pending) return name;
    const local = this.names.all.has(name) ? this.fresh(`${name}Of`) : name;
    const spec = local === name ? name : `${name} as ${local}`;
    const known = edits.find((edit) => edit.insert.startsWith("import {"));
    for (const statement of this.tree.body) {
      if (statement.type !== "ImportDeclaration") continue;
      const last = statement.specifiers.at(-1);
      if (statement.source.value !== MODULE_NAME || last?.type !== "ImportSpecifier") continue;
      edits.push({ from: last.end, to: last.end, insert: `, ${spec}` });
      return local;
    }
    if (known) known.insert = known.insert.replace(" }", `, ${spec} }`);
    else edits.push({ from: 0, to: 0, insert: `import { ${spec} } from "${MODULE_NAME}";\n` });
    return local;
  }
}

const RESERVED = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends " +
    "false finally for function if implements import in instanceof interface let new null package " +
    "private protected public return static super switch this throw true try typeof var void while " +
    "with yield arguments eval undefined NaN Infinity Math Object Array ct h i j up at out ctx"
  ).split(" "),
);

function isList(node: AnyNode): boolean {
  return ["Program", "BlockStatement", "StaticBlock", "SwitchCase"].includes(node.type);
}

/** Is `node` a part of `whole`? */
export function inside(node: Node, whole: Node): boolean {
  return node.start >= whole.start && node.end <= whole.end;
}

/** The program with edits applied. Edits at the same place are applied in the order given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits
    .map((edit, i) => ({ edit, i }))
    .sort((a, b) => a.edit.from - b.edit.from || a.i - b.i);
  let out = "";
  let at = 0;
  for (const { edit } of sorted) {
    if (edit.from < at) throw new RangeError("edits overlap");
    out += text.slice(at, edit.from) + edit.insert;
    at = edit.to;
  }
  return out + text.slice(at);
}

/** What a fix says about itself. */
export type FixText = Pick<Fix, "id" | "title" | "summary" | "variant">;

/** A fix of these edits, unless the outcome does not parse. */
export function makeFix(source: Source, about: FixText, edits: Edit[]): Fix | null {
  try {
    const text = applyEdits(source.text, edits);
    parseProgram(text);
    const sorted = [...edits].sort((a, b) => a.from - b.from);
    return { ...about, edits: sorted, source: text, check: null };
  } catch {
    return null;
  }
}
