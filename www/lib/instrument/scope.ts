/**
 * Who is who: the bindings of a program, and every use of each.
 */

import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  Node,
  Pattern,
  Program,
} from "acorn";
import { childrenOf, MAX_NESTING, tooDeep } from "./source.ts";

/** How a name came to be. */
export type BindingKind =
  | "let"
  | "const"
  | "var"
  | "function"
  | "class"
  | "param"
  | "catch"
  | "import";

/** One mention of a binding in an expression or as the target of an assignment. */
export interface Use {
  readonly node: Identifier;
  /** Mentioned in another function than the one that declares it. */
  readonly captured: boolean;
  readonly write: boolean;
}

/** One declared name. */
export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: Scope;
  /** The declarator, function, class or import specifier. */
  readonly declaration: Node;
  readonly identifier: Identifier;
  readonly uses: Use[];
}

interface Scope {
  readonly node: Node;
  readonly parent: Scope | null;
  /** The function (or class, whose parts run as functions) that the scope belongs to. */
  readonly owner: Node;
  readonly names: Map<string, Binding>;
}

/** The result of `analyse`. */
export interface Names {
  /** The binding an identifier means; undefined for globals. */
  bindingOf(node: Identifier): Binding | undefined;
  parentOf(node: Node): Node | undefined;
  readonly bindings: readonly Binding[];
  /** Every function of the program, in source order. */
  readonly functions: readonly FunctionNode[];
  /** Every node, parents before children. */
  readonly nodes: readonly Node[];
  /** Every name that occurs, for choosing one that does not. */
  readonly all: ReadonlySet<string>;
  /** The program calls `eval`, so nothing is known about its variables. */
  readonly opaque: boolean;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Is the node a function of any form? */
export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type);
}

/** The name that something was imported under: `grad` for `import { grad as g }` and `g`. */
export function importedName(names: Names, expression: Node): string | undefined {
  const node = expression as AnyNode;
  if (node.type !== "Identifier") return undefined;
  const binding = names.bindingOf(node);
  if (binding?.kind !== "import") return undefined;
  const specifier = binding.declaration as AnyNode;
  if (specifier.type !== "ImportSpecifier") return undefined;
  const { imported } = specifier;
  return imported.type === "Identifier" ? imported.name : String(imported.value);
}

/** Resolves every identifier of a program. Throws a `Refusal` if it nests too deeply. */
export function analyse(program: Program, source: string): Names {
  const parents = new Map<Node, Node>();
  const resolved = new Map<Node, Binding>();
  const bindings: Binding[] = [];
  const functions: FunctionNode[] = [];
  const all = new Set<string>();
  const mentions: { node: Identifier; scope: Scope; write: boolean }[] = [];
  let opaque = false;
  let depth = 0;

  const open = (node: Node, parent: Scope | null, owner?: Node): Scope => ({
    node,
    parent,
    owner: owner ?? parent?.owner ?? node,
    names: new Map(),
  });

  function declare(id: Identifier, kind: BindingKind, declaration: Node, inner: Scope): void {
    let scope = inner;
    if (kind === "var") {
      while (scope.parent && !isVarScope(scope)) scope = scope.parent;
      // `var x` in a function with a parameter `x` is that parameter.
      const param = scope.parent?.names.get(id.name);
      if (param?.kind === "param" && scope.parent?.node === scope.owner) {
        mentions.push({ node: id, scope, write: true });
        return;
      }
    }
    const known = scope.names.get(id.name);
    if (known) {
      // A repeated `var` or function: one more write of the same name.
      mentions.push({ node: id, scope, write: true });
      return;
    }
    const binding: Binding = { name: id.name, kind, scope, declaration, identifier: id, uses: [] };
    scope.names.set(id.name, binding);
    bindings.push(binding);
    resolved.set(id, binding);
  }

  function isVarScope(scope: Scope): boolean {
    const parent = scope.node.type === "BlockStatement" ? parents.get(scope.node) : undefined;
    return (
      (parent !== undefined && isFunction(parent)) ||
      scope.node.type === "StaticBlock" ||
      isFunction(scope.node)
    );
  }

  /** A pattern: declares its names if `kind` is given, else assigns to them. */
  function pattern(node: Pattern, scope: Scope, kind: BindingKind | null, declaration: Node): void {
    switch (node.type) {
      case "Identifier":
        all.add(node.name);
        if (kind) declare(node, kind, declaration, scope);
        else mentions.push({ node, scope, write: true });
        return;
      case "ObjectPattern":
        for (const property of node.properties) {
          parents.set(property, node);
          if (property.type === "RestElement") {
            sub(property.argument, property, scope, kind, declaration);
          } else {
            if (property.computed) visit(property.key, property, scope);
            sub(property.value, property, scope, kind, declaration);
          }
        }
        return;
      case "ArrayPattern":
        for (const item of node.elements) if (item) sub(item, node, scope, kind, declaration);
        return;
      case "RestElement":
        sub(node.argument, node, scope, kind, declaration);
        return;
      case "AssignmentPattern":
        sub(node.left, node, scope, kind, declaration);
        visit(node.right, node, scope);
        return;
      case "MemberExpression":
        enter(node, scope);
    }
  }

  function sub(
    node: Pattern,
    parent: Node,
    scope: Scope,
    kind: BindingKind | null,
    declaration: Node,
  ): void {
    parents.set(node, parent);
    pattern(node, scope, kind, declaration);
  }

  function descend(node: Node, scope: Scope): void {
    for (const child of childrenOf(node)) visit(child, node, scope);
  }

  function visit(node: Node, parent: Node, scope: Scope): void {
    if (++depth > MAX_NESTING) throw tooDeep(source);
    parents.set(node, parent);
    enter(node as AnyNode, scope);
    depth--;
  }

  function enter(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case "Identifier":
        all.add(node.name);
        mentions.push({ node, scope, write: false });
        return;
      case "MemberExpression":
        visit(node.object, node, scope);
        if (node.computed) visit(node.property, node, scope);
        return;
      case "Property":
        if (node.computed) visit(node.key, node, scope);
        visit(node.value, node, scope);
        return;
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) visit(node.key, node, scope);
        if (node.value) visit(node.value, node, open(node, scope, node));
        return;
      case "StaticBlock":
        descend(node, open(node, scope, node));
        return;
      case "LabeledStatement":
        visit(node.body, node, scope);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
        return;
      case "ImportDeclaration":
        for (const specifier of node.specifiers) {
          parents.set(specifier, node);
          all.add(specifier.local.name);
          declare(specifier.local, "import", specifier, scope);
        }
        return;
      case "ExportNamedDeclaration":
        if (node.declaration) visit(node.declaration, node, scope);
        if (!node.source) {
          for (const { local } of node.specifiers) {
            if (local.type === "Identifier") visit(local, node, scope);
          }
        }
        return;
      case "VariableDeclaration":
        for (const declarator of node.declarations) {
          parents.set(declarator, node);
          sub(declarator.id, declarator, scope, node.kind as BindingKind, declarator);
          if (declarator.init) visit(declarator.init, declarator, scope);
        }
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        functionNode(node, scope);
        return;
      case "ClassDeclaration":
      case "ClassExpression": {
        const inner = open(node, scope, node);
        if (node.id) {
          all.add(node.id.name);
          declare(node.id, "class", node, node.type === "ClassDeclaration" ? scope : inner);
        }
        if (node.superClass) visit(node.superClass, node, scope);
        visit(node.body, node, inner);
        return;
      }
      case "CatchClause": {
        const inner = open(node, scope);
        if (node.param) sub(node.param, node, inner, "catch", node);
        visit(node.body, node, inner);
        return;
      }
      case "BlockStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "SwitchStatement": {
        const inner = open(node, scope);
        if (node.type === "ForInStatement" || node.type === "ForOfStatement") {
          if (node.left.type === "VariableDeclaration") visit(node.left, node, inner);
          else sub(node.left, node, inner, null, node);
          visit(node.right, node, inner);
          visit(node.body, node, inner);
        } else descend(node, inner);
        return;
      }
      case "AssignmentExpression":
        if (node.operator === "=") sub(node.left, node, scope, null, node);
        else {
          visit(node.left, node, scope);
          if (node.left.type === "Identifier") {
            mentions.push({ node: node.left, scope, write: true });
          }
        }
        visit(node.right, node, scope);
        return;
      case "UpdateExpression":
        visit(node.argument, node, scope);
        if (node.argument.type === "Identifier") {
          mentions.push({ node: node.argument, scope, write: true });
        }
        return;
      case "CallExpression":
        if (node.callee.type === "Identifier" && node.callee.name === "eval") opaque = true;
        descend(node, scope);
        return;
      default:
        descend(node, scope);
    }
  }

  function functionNode(node: FunctionNode, outer: Scope): void {
    let scope = outer;
    functions.push(node);
    if (node.type === "FunctionDeclaration" && node.id) {
      all.add(node.id.name);
      declare(node.id, "function", node, outer);
    } else if (node.type === "FunctionExpression" && node.id) {
      all.add(node.id.name);
      scope = open(node, outer, node);
      declare(node.id, "function", node, scope);
    }
    const params = open(node, scope, node);
    for (const param of node.params) sub(param, node, params, "param", node);
    visit(node.body, node, params);
  }

  const top = open(program, null, program);
  descend(program, top);

  for (const { node, scope, write } of mentions) {
    let at: Scope | null = scope;
    while (at && !at.names.has(node.name)) at = at.parent;
    const binding = at?.names.get(node.name);
    if (!binding) continue;
    resolved.set(node, binding);
    binding.uses.push({ node, write, captured: scope.owner !== binding.scope.owner });
  }

  return {
    bindingOf: (node) => resolved.get(node),
    parentOf: (node) => parents.get(node),
    bindings,
    functions,
    get nodes() {
      return [...parents.keys()];
    },
    all,
    opaque,
  };
}

/** A function of any form. */
export type FunctionNode =
  | FunctionDeclaration
  | FunctionExpression
  | ArrowFunctionExpression
  | AnonymousFunctionDeclaration;
