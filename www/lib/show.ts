/** How values print. Arrays as JAX prints them, containers as Python prints tuples and dicts. */

import { NdArray } from "./array.ts";
import { python as pythonNumber } from "./numbers.ts";

/** What `print` shows for one value. */
export function show(v: unknown): string {
  if (typeof v === "string") return v;
  return inside(v, false, { open: new Set(), left: MOST_VALUES });
}

/** As `show`, for messages: whatever a program hands over has a text, also an object that throws when asked. */
export function showSafely(v: unknown): string {
  try {
    const text = show(v);
    return text.length > MOST_IN_MESSAGE ? `${text.slice(0, MOST_IN_MESSAGE)}…` : text;
  } catch {
    return "an object that cannot be shown";
  }
}

/** Of one container. */
const MOST_ITEMS = 1000;
/** Of everything that is shown at once: containers may share parts, and be endless when written out. */
const MOST_VALUES = 20_000;
/** Containers in containers. */
const MOST_LEVELS = 200;
const MOST_IN_MESSAGE = 300;

/** Where a print stands. */
interface Progress {
  /** The containers being shown. */
  readonly open: Set<object>;
  /** How many values may still be shown. */
  left: number;
}

/** `nested`: arrays show as `Array(…)`, texts in quotes. */
function inside(v: unknown, nested: boolean, at: Progress): string {
  at.left--;
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
      return v === null ? "None" : object(v, at);
    default:
      return String(v);
  }
}

/** Up to so many of `length` items, each shown by `item`, and how many there are beyond. */
function some(length: number, at: Progress, item: (i: number) => string): string[] {
  const shown: string[] = [];
  for (let i = 0; i < length; i++) {
    if (i === MOST_ITEMS || at.left <= 0) {
      shown.push(`… ${length - i} more`);
      break;
    }
    shown.push(item(i));
  }
  return shown;
}

function object(v: object, at: Progress): string {
  const { open } = at;
  if (open.has(v) || open.size >= MOST_LEVELS) return "…";
  open.add(v);
  try {
    if (Array.isArray(v)) {
      const items = some(v.length, at, (i) => inside(v[i], true, at));
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
    }
    if (ArrayBuffer.isView(v) && "length" in v) return typed(v as unknown as ArrayLike<number>);
    if (v instanceof Map) return `${v.constructor.name}${dict([...v], at)}`;
    if (v instanceof Set) {
      const members = [...v];
      const items = some(members.length, at, (i) => inside(members[i], true, at));
      return `${v.constructor.name}{${items.join(", ")}}`;
    }
    if (v instanceof Error) return `${v.name}: ${v.message}`;
    const prototype: unknown = Object.getPrototypeOf(v);
    if (prototype === Object.prototype || prototype === null) return dict(Object.entries(v), at);
    // A class that does not say how its instances print.
    const plain = (v as { toString: unknown }).toString === Object.prototype.toString;
    return plain && Object.prototype.toString.call(v) === "[object Object]"
      ? `${v.constructor?.name ?? ""}${dict(Object.entries(v), at)}`
      : String(v);
  } finally {
    open.delete(v);
  }
}

function dict(entries: readonly (readonly [unknown, unknown])[], at: Progress): string {
  const items = some(entries.length, at, (i) => {
    const [key, item] = entries[i] as readonly [unknown, unknown];
    return `${inside(key, true, at)}: ${inside(item, true, at)}`;
  });
  return `{${items.join(", ")}}`;
}

function typed(v: ArrayLike<number>): string {
  const digits = (i: number) => pythonNumber(Number(v[i]));
  const from = (start: number, count: number) =>
    Array.from({ length: count }, (_, i) => digits(start + i));
  const shown =
    v.length > MOST_ITEMS ? [...from(0, 3), "...", ...from(v.length - 3, 3)] : from(0, v.length);
  return `[${shown.join(", ")}]`;
}
