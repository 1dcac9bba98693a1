/**
 * Assignments: `x += y` on arrays, elements that must not be arrays', and variables that own their
 * value (see `owned.ts`).
 */

import type { AnyNode, AssignmentExpression } from "acorn";
import { BINARY_METHODS } from "./owned.ts";
import { flagText, type Rewriter } from "./rewrite.ts";
import { LEFT_TEMP, RIGHT_FLOAT } from "./runtime.ts";

/** An assignment with any operator; places are evaluated once and in the language's order. */
export function assignmentText(rw: Rewriter, node: AssignmentExpression): string {
  const target = node.left as AnyNode;
  const operator = node.operator.slice(0, -1);
  const method = BINARY_METHODS[operator];
  const lines = rw.lines(node.left.end, node.right.start);
  if (node.operator === "=" || method === undefined) {
    if (node.operator === "=" && rw.ownership.owns(target)) {
      const name = rw.verbatim(target);
      return `${name} = ${rw.$}.replace(${name},${lines} ${rw.arg(node.right)})`;
    }
    return rw.gaps(node, (child) => (child === node.left ? rw.target(child) : rw.text(child)));
  }
  const plain = rw.plain.is(target) && rw.plain.is(node.right);
  const isSuper = target.type === "MemberExpression" && target.object.type === "Super";
  if (plain || isSuper) {
    return rw.gaps(node, (child) => (child === node.left ? rw.target(child) : rw.text(child)));
  }
  const flags = rw.flags(node.left, node.right) & ~LEFT_TEMP;
  const site = rw.site("binary", node, flags & RIGHT_FLOAT);
  const right = () => `${lines} ${rw.arg(node.right)}${flagText(flags)}`;
  const update = (place: string, value: string) =>
    `${place} = ${rw.$}.${method}(${site}, ${value},${right()})`;
  if (target.type === "Identifier") {
    const name = rw.verbatim(target);
    if (!rw.ownership.owns(target)) return update(name, name);
    return `${name} = ${rw.$}.replace(${name}, ${rw.$}.${method}(${site}, ${name},${right()}))`;
  }
  if (target.type !== "MemberExpression") return rw.verbatim(node);
  const { object, property } = target;
  const simpleObject = rw.isSimple(object);
  if (!target.computed && simpleObject) {
    const place = `${rw.verbatim(object)}.${rw.verbatim(property)}`;
    return update(place, place);
  }
  if (property.type === "PrivateIdentifier") {
    return rw.gaps(node, (child) => (child === node.left ? rw.target(child) : rw.text(child)));
  }
  if (target.computed && simpleObject && rw.isSimpleKey(property)) {
    const element = `${rw.verbatim(object)}[${rw.verbatim(property)}]`;
    return update(rw.target(target), element);
  }
  const key = target.computed ? rw.arg(property) : JSON.stringify(rw.verbatim(property));
  const place = `${rw.$}.place(${site}, ${rw.arg(object)}, ${key})`;
  return `${rw.$}.update(${site}, "${operator}", ${place},${right()})`;
}
