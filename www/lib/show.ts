/** How values print. Arrays as JAX prints them, containers as Python prints tuples and dicts. */

import { NdArray } from "./array.ts";
import { python as pythonNumber } from "./numbers.ts";

/** What `print` shows for one value. */
export function show(v: unknown): string {
  return typeof v === "string" ? v : inside(v, false, new Set());
}

const MOST_ITEMS = 1000;

/** `nested`: arrays show as `Array(…)`, texts in quotes. */
function inside(v: unknown, nested: boolean, open: Set<object>): string {
  if (v instanceof NdArray) return nested ? v.repr() : v.toString();
  switch (typeof v) {
    case "number":
      return pythonNumber(v);
    case "boolean":
      return v ? "True" : "False";
    case "string":
      return nested
        ? `'${v.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\n/g, "\\n")}'`
        : v;
    case "undefined":
      return "None";
    case "function":
      return `<function ${v.name || "<lambda>"}>`;
    case "object":
      return v === null ? "None" : object(v, open);
    default:
      return String(v);
  }
}

function object(v: object, open: Set<object>): string {
  if (open.has(v)) return "…";
  open.add(v);
  try {
    if (Array.isArray(v)) {
      const items = v.slice(0, MOST_ITEMS).map((item) => inside(item, true, open));
      if (v.length > MOST_ITEMS) items.push(`… ${v.length - MOST_ITEMS} more`);
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
    }
    if (ArrayBuffer.isView(v) && "length" in v) {
      const some = Array.from(v as unknown as ArrayLike<number>, (x) => pythonNumber(Number(x)));
      const cut = some.length > MOST_ITEMS ? [...some.slice(0, 3), "...", ...some.slice(-3)] : some;
      return `[${cut.join(", ")}]`;
    }
    const prototype = Object.getPrototypeOf(v);
    if (prototype === Object.prototype || prototype === null) {
      const entries = Object.entries(v).slice(0, MOST_ITEMS);
      return `{${entries.map(([key, item]) => `'${key}': ${inside(item, true, open)}`).join(", ")}}`;
    }
    if (v instanceof Error) return `${v.name}: ${v.message}`;
    return String(v);
  } finally {
    open.delete(v);
  }
}
