/** What a value is, in a message. */

/** The name of an object's class. Objects of programs may be hostile: a getter or a proxy may throw. */
function nameOfClass(v: object): string | null {
  try {
    const name: unknown = v.constructor?.name;
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}

/** What a value is, in a message. */
export function describe(v: unknown): string {
  if (v === null || v === undefined) return String(v);
  if (typeof v === "function") return "a function";
  if (typeof v !== "object") return `a ${typeof v}`;
  if (v instanceof Promise)
    return "a Promise (what async functions give; the functions here must not be async)";
  if (Object.prototype.toString.call(v) === "[object Generator]")
    return "a generator (what `function*` gives)";
  const name = nameOfClass(v);
  return name && name !== "Object" ? `an object of class ${name}` : "an object";
}
