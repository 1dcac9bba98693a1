/** Fixes for the failures that are not about callbacks. */

import type { AnyNode, CallExpression, Expression, Node } from "acorn";
import { isFunction } from "../instrument/scope.ts";
import type { Edit, Fix } from "../report.ts";
import type { Failure } from "./failure.ts";
import { inside, makeFix, Source } from "./program.ts";

const GRADS = ["grad", "valueAndGrad"];

/** A choice made by the value of a tracer, under `jit`: choose element by element, or fix the value. */
export function concretizationFixes(text: string, failure: Failure): (Fix | null)[] {
  return [whereFix(text, failure), staticFix(text, failure)];
}

function whereFix(text: string, { span }: Failure): Fix | null {
  const source = new Source(text);
  const choice =
    span &&
    source.smallest(
      span,
      (node) => node.type === "IfStatement" || node.type === "ConditionalExpression",
    );
  if (!choice || (choice.type !== "IfStatement" && choice.type !== "ConditionalExpression"))
    return null;
  if (!span || !inside(source.smallest(span, () => true) ?? choice, choice.test)) return null;
  const edits: Edit[] = [];
  const np = source.library("np", edits);
  const where = (a: Node, b: Node) =>
    `${np}.where(${source.slice(choice.test)}, ${source.slice(a)}, ${source.slice(b)})`;
  if (choice.type === "ConditionalExpression") {
    edits.push({
      from: choice.start,
      to: choice.end,
      insert: where(choice.consequent, choice.alternate),
    });
  } else {
    const then = onlyStatement(choice.consequent);
    const next = choice.alternate ? onlyStatement(choice.alternate) : nextStatement(source, choice);
    const end = choice.alternate ? choice.end : (next?.end ?? choice.end);
    if (then?.type === "ReturnStatement" && next?.type === "ReturnStatement") {
      if (!then.argument || !next.argument) return null;
      const insert = `return ${where(then.argument, next.argument)};`;
      edits.push({ from: choice.start, to: end, insert });
    } else {
      const [a, b] = [assigned(then), choice.alternate ? assigned(next) : null];
      if (!a || (choice.alternate && (!b || source.slice(a.left) !== source.slice(b.left))))
        return null;
      const insert = `${source.slice(a.left)} = ${where(a.right, b ? b.right : a.left)};`;
      edits.push({ from: choice.start, to: choice.end, insert });
    }
  }
  return makeFix(
    source,
    {
      id: "where",
      title: "Choose with np.where",
      summary:
        "Computes both sides and takes from each where the condition says so; this can be traced and differentiated.",
    },
    edits,
  );
}

function onlyStatement(node: AnyNode): AnyNode | null {
  if (node.type !== "BlockStatement") return node;
  return node.body.length === 1 ? (node.body[0] ?? null) : null;
}

function nextStatement(source: Source, node: AnyNode): AnyNode | null {
  const parent = source.parent(node);
  if (parent?.type !== "BlockStatement") return null;
  return parent.body[parent.body.indexOf(node as (typeof parent.body)[number]) + 1] ?? null;
}

function assigned(node: AnyNode | null): { left: Node; right: Node } | null {
  if (node?.type !== "ExpressionStatement") return null;
  const { expression } = node;
  if (expression.type !== "AssignmentExpression" || expression.operator !== "=") return null;
  return expression.left.type === "Identifier" ? expression : null;
}

/** Marks the parameter that decides as static, where the program passes plain numbers for it. */
function staticFix(text: string, { span }: Failure): Fix | null {
  const source = new Source(text);
  const at = span && source.smallest(span, () => true);
  if (!at) return null;
  for (let fn = source.functionOf(at); fn; fn = source.functionOf(fn)) {
    if (!isFunction(fn) || !("params" in fn)) return null;
    const index = fn.params.findIndex((param) => {
      const binding = param.type === "Identifier" ? source.names.bindingOf(param) : undefined;
      return binding?.uses.some((use) => inside(use.node, at));
    });
    const jit = index < 0 ? null : jitOf(source, fn);
    if (jit?.arguments.length !== 1) continue;
    if (!callsOf(source, jit).every((call) => isNumber(call.arguments[index]))) return null;
    const end = jit.arguments[0]?.end ?? jit.end;
    const edits = [{ from: end, to: end, insert: `, { staticArgnums: [${index}] }` }];
    const name = source.slice(fn.params[index] as Node);
    return makeFix(
      source,
      {
        id: "static_argnums",
        title: `Make \`${name}\` static`,
        summary: `The function is compiled anew for each value of \`${name}\`, which is then an ordinary number in it.`,
      },
      edits,
    );
  }
  return null;
}

/** The call `jit(f)` of a function. */
function jitOf(source: Source, fn: AnyNode): CallExpression | null {
  const isJit = (node: AnyNode | undefined): node is CallExpression =>
    node?.type === "CallExpression" && source.importedName(node.callee) === "jit";
  const parent = source.parent(fn);
  if (isJit(parent)) return parent;
  const id =
    fn.type === "FunctionDeclaration"
      ? fn.id
      : parent?.type === "VariableDeclarator"
        ? parent.id
        : null;
  const binding = id?.type === "Identifier" ? source.names.bindingOf(id) : undefined;
  for (const use of binding?.uses ?? []) {
    const call = source.parent(use.node);
    if (isJit(call) && call.arguments[0] === use.node) return call;
  }
  return null;
}

/** The calls of what a call returns: `jit(f)(x)`, or `g(x)` where `const g = jit(f)`. */
function callsOf(source: Source, made: CallExpression): CallExpression[] {
  const parent = source.parent(made);
  if (parent?.type === "CallExpression" && parent.callee === made) return [parent];
  const id = parent?.type === "VariableDeclarator" ? parent.id : null;
  const binding = id?.type === "Identifier" ? source.names.bindingOf(id) : undefined;
  return (binding?.uses ?? []).flatMap((use) => {
    const call = source.parent(use.node);
    return call?.type === "CallExpression" && call.callee === use.node ? [call] : [];
  });
}

function isNumber(node: Node | undefined): boolean {
  const arg = node as AnyNode | undefined;
  if (arg?.type === "UnaryExpression") return isNumber(arg.argument);
  return arg?.type === "Literal" && ["number", "boolean"].includes(typeof arg.value);
}

/** The call `grad(f)` behind a failing call `grad(f)(x)` or `g(x)`. */
function gradAt(source: Source, { span, transformSpan }: Failure): CallExpression | null {
  const call =
    (transformSpan ?? span) && source.callAt(transformSpan ?? (span as NonNullable<typeof span>));
  if (!call) return null;
  for (const node of [call, call.callee.type === "Super" ? null : source.valueOf(call.callee)]) {
    if (node?.type !== "CallExpression") continue;
    if (GRADS.includes(source.importedName(node.callee) ?? "")) return node;
  }
  return null;
}

/** `grad` wants a number: sum the result, or ask for the whole Jacobian. */
export function nonScalarFixes(text: string, failure: Failure): (Fix | null)[] {
  return [sumFix(text, failure), jacobianFix(text, failure)];
}

function sumFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const [fn] = gradAt(source, failure)?.arguments ?? [];
  if (!fn || fn.type === "SpreadElement") return null;
  const edits: Edit[] = [];
  const sum = `${source.library("np", edits)}.sum`;
  if (fn.type === "ArrowFunctionExpression" && fn.body.type !== "BlockStatement") {
    wrap(edits, fn.body, `${sum}(`, ")");
  } else {
    const known = source.valueOf(fn);
    const params = known && isFunction(known) && "params" in known ? known.params : [];
    const names = params.map((param) => (param.type === "Identifier" ? source.slice(param) : ""));
    const list = names.length > 0 && !names.includes("") ? names.join(", ") : "...args";
    const callee = fn.type === "Identifier" ? source.slice(fn) : `(${source.slice(fn)})`;
    edits.push({ from: fn.start, to: fn.end, insert: `(${list}) => ${sum}(${callee}(${list}))` });
  }
  const title = "Sum the result";
  const summary =
    "The gradient of the sum of all outputs. Each entry then adds up the effects on every output.";
  return makeFix(source, { id: "sum", title, summary }, edits);
}

function jacobianFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const grad = gradAt(source, failure);
  if (!grad || source.importedName(grad.callee) !== "grad") return null;
  const edits: Edit[] = [];
  const jacrev = source.library("jacrev", edits);
  edits.push({ from: grad.callee.start, to: grad.callee.end, insert: jacrev });
  const title = "Take the whole Jacobian with jacrev";
  const summary = "The derivative of every output by every input.";
  return makeFix(source, { id: "jacrev", title, summary }, edits);
}

/** Derivatives are by real numbers: make the argument one. */
export function intInputFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const call =
    (failure.transformSpan ?? failure.span) &&
    source.callAt(failure.transformSpan ?? (failure.span as NonNullable<Failure["span"]>));
  const arg = call?.arguments[failure.argument ?? 0];
  if (!call || !arg || arg.type === "SpreadElement") return null;
  if (GRADS.includes(source.importedName(call.callee) ?? "")) return null;
  const edits: Edit[] = [];
  const made = arg.type === "CallExpression" && arg.callee.type === "MemberExpression" ? arg : null;
  const maker = made?.callee.type === "MemberExpression" ? source.slice(made.callee.property) : "";
  const last = made?.arguments.at(-1);
  if (
    last &&
    ["array", "arange", "ones", "zeros", "full"].includes(maker) &&
    last.type !== "ObjectExpression"
  ) {
    edits.push({ from: last.end, to: last.end, insert: ', { dtype: "float32" }' });
  } else {
    const np = source.library("np", edits);
    wrap(edits, arg, `${np}.asarray(`, ', { dtype: "float32" })');
  }
  const title = "Make the argument a float";
  const summary =
    "Derivatives are defined for real numbers; float32 holds these integers exactly up to 16,777,216.";
  return makeFix(source, { id: "float", title, summary }, edits);
}

/** `bwd` returns one cotangent for each argument, in an array, also when there is just one. */
export function bwdFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const bwd = bwdOf(source, failure);
  if (!bwd || !("params" in bwd)) return null;
  const edits: Edit[] = [];
  const { body } = bwd;
  if (body.type !== "BlockStatement") wrapCotangent(source, edits, body);
  else {
    for (const node of source.names.nodes) {
      const statement = node as AnyNode;
      if (statement.type !== "ReturnStatement" || source.functionOf(statement) !== bwd) continue;
      if (statement.argument) wrapCotangent(source, edits, statement.argument);
    }
  }
  if (edits.length === 0) return null;
  const title = "Return the cotangent in an array";
  const summary =
    "A bwd function returns an array with one cotangent for each argument, also when there is only one.";
  return makeFix(source, { id: "bwd_array", title, summary }, edits);
}

function wrapCotangent(source: Source, edits: Edit[], node: Expression): void {
  if (node.type === "ArrayExpression") return;
  // An arrow's body in parentheses, as `({ … })` or `(a, b)`, keeps them.
  const sequence = node.type === "SequenceExpression";
  const open = source.text[node.start - 1] === "(" && source.text[node.end] === ")" && !sequence;
  wrap(edits, open ? { start: node.start - 1, end: node.end + 1 } : node, "[", "]");
}

function bwdOf(source: Source, failure: Failure): AnyNode | null {
  const found: AnyNode[] = [];
  for (const node of source.names.nodes) {
    const call = node as AnyNode;
    if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression") continue;
    const { object, property } = call.callee;
    if (property.type !== "Identifier" || property.name !== "defvjp") continue;
    const [, bwd] = call.arguments;
    const value = bwd && bwd.type !== "SpreadElement" ? source.valueOf(bwd) : null;
    if (!value || !isFunction(value)) continue;
    if (failure.name && object.type === "Identifier" && object.name === failure.name) return value;
    found.push(value);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function wrap(
  edits: Edit[],
  node: { start: number; end: number },
  before: string,
  after: string,
): void {
  edits.push({ from: node.start, to: node.start, insert: before });
  edits.push({ from: node.end, to: node.end, insert: after });
}
