/**
 * Calls: how each form of them is spelled for the runtime.
 *
 * The cheapest correct form is chosen: the callee is looked up where it stands, so JavaScript's own
 * caches work, and `this` and the order of evaluation stay what they were.
 */

import type {
  AnyNode,
  CallExpression,
  Expression,
  MemberExpression,
  Node,
  SpreadElement,
} from "acorn";
import { isFloatWritten } from "./floats.ts";
import type { Rewriter } from "./rewrite.ts";

/** Argument masks have room for this many. */
const MASK_BITS = 30;

/** `f(…)`, `o.f(…)`, `np.f(…)`. */
export function callText(rw: Rewriter, node: CallExpression): string {
  const callee = node.callee as AnyNode;
  if (callee.type === "Super" || (callee.type === "Identifier" && callee.name === "eval")) {
    return rw.gaps(node, (child) => rw.text(child));
  }
  const floats = maskOf(node.arguments, (arg) => isFloatWritten(arg));
  if (callee.type !== "MemberExpression") {
    return plainCall(rw, node, rw.arg(callee), floats);
  }
  const { object, property } = callee;
  if (object.type === "Super") return rw.gaps(node, (child) => keepCallee(rw, node, child));
  if (!callee.computed && rw.plain.isGlobal(object, "Math")) return mathCall(rw, node, callee);
  if (isImported(rw, callee)) return plainCall(rw, node, rw.verbatim(callee), floats);

  const simple = rw.isSimple(object) && !callee.computed;
  if (property.type === "PrivateIdentifier" && !simple) {
    return rw.gaps(node, (child) => keepCallee(rw, node, child));
  }
  const site = rw.site("call", node, floats);
  const args = argumentsText(rw, node, callee.end);
  if (simple) {
    const target = `${rw.verbatim(object)}, ${rw.verbatim(object)}.${rw.verbatim(property)}`;
    const short = node.arguments.length <= 2 && floats === 0 && !hasSpread(node.arguments);
    if (short) return `${rw.$}.m${node.arguments.length}(${site}, ${target}${comma(args)})`;
    return `${rw.$}.mn(${site}, ${target}, ${floats}, [${args}])`;
  }
  const key = callee.computed ? rw.arg(property) : JSON.stringify(rw.verbatim(property));
  const ref = `${rw.$}.ref(${site}, ${rw.arg(object)}, ${key})`;
  return `${rw.$}.mr(${site}, ${ref}, ${floats}, [${args}])`;
}

/** A call without `this`. */
function plainCall(rw: Rewriter, node: CallExpression, callee: string, floats: number): string {
  const site = rw.site("call", node, floats);
  const args = argumentsText(rw, node, node.callee.end);
  const kept = rw.ownership.keepsNothing(node);
  const temps =
    kept === "no"
      ? 0
      : maskOf(
          node.arguments,
          (arg, k) => (kept === "all" || k === 0) && rw.ownership.isFresh(arg) && !rw.plain.is(arg),
        );
  if (floats !== 0 || temps !== 0) {
    return `${rw.$}.ck(${site}, ${callee}, ${floats}, ${temps}, [${args}])`;
  }
  if (hasSpread(node.arguments) || node.arguments.length > 4) {
    return `${rw.$}.cn(${site}, ${callee}, [${args}])`;
  }
  return `${rw.$}.c${node.arguments.length}(${site}, ${callee}${comma(args)})`;
}

/** `Math.f(…)` stays as it is; only what may be an array is watched. */
function mathCall(rw: Rewriter, node: CallExpression, callee: MemberExpression): string {
  let site = 0;
  return rw.gaps(node, (child) => {
    if (child === callee) return rw.verbatim(child);
    const out = rw.text(child);
    if (child.type === "SpreadElement" || rw.plain.is(child)) return out;
    site ||= rw.site("call", node);
    return `${rw.$}.n(${site}, ${out})`;
  });
}

function keepCallee(rw: Rewriter, node: CallExpression, child: Node): string {
  return child === node.callee ? rw.target(child) : rw.text(child);
}

/** Is it `np.sum`, `np.linalg.norm` or `ct.np.sum` on something imported, which needs no `this`? */
function isImported(rw: Rewriter, node: MemberExpression): boolean {
  let at: Node = node;
  while (at.type === "MemberExpression") {
    const member = at as MemberExpression;
    if (member.computed || member.optional) return false;
    at = member.object;
  }
  const root = at as AnyNode;
  return root.type === "Identifier" && rw.names.bindingOf(root)?.kind === "import";
}

function argumentsText(rw: Rewriter, node: CallExpression, from: number): string {
  let at = from;
  const parts = node.arguments.map((arg) => {
    const lines = rw.lines(at, arg.start);
    at = arg.end;
    return lines + rw.arg(arg);
  });
  return parts.join(", ") + rw.lines(at, node.end);
}

function maskOf(
  args: readonly (Expression | SpreadElement)[],
  test: (arg: Node, k: number) => boolean,
): number {
  let bits = 0;
  for (const [k, arg] of args.entries()) {
    // After a spread argument nobody knows the positions.
    if (arg.type === "SpreadElement" || k >= MASK_BITS) break;
    if (test(arg, k)) bits |= 1 << k;
  }
  return bits;
}

/** `a?.b(c).d`: left to the language, which alone can skip the rest of a chain. */
export function chainText(rw: Rewriter, given: Node): string {
  const node = given as AnyNode;
  if ((node.type !== "MemberExpression" && node.type !== "CallExpression") || !isOptional(node)) {
    return rw.text(node);
  }
  const head = node.type === "CallExpression" ? node.callee : node.object;
  return rw.gaps(node, (child) => {
    if (child === head)
      return isOptional(head as AnyNode) ? chainText(rw, head) : chainHead(rw, node, head);
    if (node.type === "MemberExpression" && !node.computed) return rw.verbatim(child);
    return rw.text(child);
  });
}

/** What comes before the first `?.`; as a callee it must stay a reference, for its `this`. */
function chainHead(rw: Rewriter, node: AnyNode, head: Node): string {
  return node.type === "CallExpression" ? rw.target(head) : rw.operand(head);
}

function isOptional(given: AnyNode): boolean {
  let node = given;
  while (node.type === "MemberExpression" || node.type === "CallExpression") {
    if (node.optional) return true;
    node = (node.type === "CallExpression" ? node.callee : node.object) as AnyNode;
  }
  return false;
}

function hasSpread(args: readonly Node[]): boolean {
  return args.some((arg) => arg.type === "SpreadElement");
}

const comma = (args: string) => (args === "" ? "" : `, ${args}`);
