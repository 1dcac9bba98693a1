/**
 * Numbers written as floats.
 *
 * JavaScript has one kind of number, so `2.0` and `2` are the same value when a program runs. To give
 * `x * 2.0` JAX's meaning for an integer `x`, the rewrite notes where the source has a point or an
 * exponent.
 */

import type { AnyNode, Node } from "acorn";

/** Does an operand or argument contain a number written as a float (`1.0`, `.5`, `2e3`)? */
export function isFloatWritten(given: Node): boolean {
  const node = given as AnyNode;
  switch (node.type) {
    case "Literal":
      return typeof node.value === "number" && /^[\d_]*(?:\.|[\d_]e)/i.test(node.raw ?? "");
    case "UnaryExpression":
      return (node.operator === "-" || node.operator === "+") && isFloatWritten(node.argument);
    case "BinaryExpression":
      return (
        ["+", "-", "*", "/", "%", "**"].includes(node.operator) &&
        (isFloatWritten(node.left) || isFloatWritten(node.right))
      );
    case "ConditionalExpression":
      return isFloatWritten(node.consequent) || isFloatWritten(node.alternate);
    case "ArrayExpression":
      return node.elements.some((item) => item !== null && isFloatWritten(item));
    case "ObjectExpression":
      return node.properties.some((p) => p.type === "Property" && isFloatWritten(p.value));
    default:
      return false;
  }
}
