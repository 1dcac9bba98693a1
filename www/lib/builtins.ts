/**
 * The language's own objects, as they were before any program ran.
 *
 * A program may replace `Array.prototype.map` or give all objects a property `then`. While it runs it
 * has to live with that; when it has ended everything is put back, so that the report is made, and the
 * next program begins, on sound ground, and the report can say what had been changed.
 */

interface Saved {
  readonly owner: object;
  readonly name: string;
  readonly key: PropertyKey;
  readonly descriptor: PropertyDescriptor;
}

const CLASSES = [
  "Object",
  "Function",
  "Array",
  "String",
  "Number",
  "Boolean",
  "Symbol",
  "BigInt",
  "Error",
  "Promise",
  "Map",
  "Set",
  "WeakMap",
  "WeakRef",
  "FinalizationRegistry",
  "RegExp",
  "Date",
  "ArrayBuffer",
  "DataView",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
  "MessageChannel",
] as const;
const NAMESPACES = ["JSON", "Math", "Reflect", "WebAssembly"] as const;

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys, deleteProperty } = Reflect;
/** Prototypes that are asked about everything: what a program adds to them is taken away again. */
const SHARED: readonly [object, string][] = [
  [Object.prototype, "Object.prototype"],
  [Array.prototype, "Array.prototype"],
  [Function.prototype, "Function.prototype"],
  [Error, "Error"],
];

function textOf(key: PropertyKey): string {
  return typeof key === "symbol" ? `[${key.description ?? "symbol"}]` : `.${key}`;
}

/** A descriptor that inherits nothing, such as a `get` that a program gives to all objects. */
const detached = (descriptor: PropertyDescriptor): PropertyDescriptor =>
  Object.assign(Object.create(null), descriptor);

/** Remembers how everything is now. */
function remember(): Saved[] {
  const saved: Saved[] = [];
  const all = (owner: object, name: string): void => {
    for (const key of ownKeys(owner)) {
      const descriptor = getOwnPropertyDescriptor(owner, key);
      if (!descriptor?.configurable) continue;
      saved.push({ owner, name: `${name}${textOf(key)}`, key, descriptor: detached(descriptor) });
    }
  };
  const world = globalThis as unknown as Readonly<Record<string, object>>;
  for (const name of [...CLASSES, ...NAMESPACES]) {
    const found = world[name];
    const descriptor = getOwnPropertyDescriptor(globalThis, name);
    if (!found || !descriptor?.configurable) continue;
    saved.push({ owner: globalThis, name, key: name, descriptor: detached(descriptor) });
    all(found, name);
    const { prototype } = found as { prototype?: object };
    if (prototype) all(prototype, `${name}.prototype`);
  }
  // Typed arrays and iterators have parents without names.
  all(getPrototypeOf(Int8Array) as object, "TypedArray");
  all(getPrototypeOf(Int8Array.prototype) as object, "TypedArray.prototype");
  const iterator = getPrototypeOf([][Symbol.iterator]()) as object;
  all(iterator, "ArrayIterator.prototype");
  all(getPrototypeOf(iterator) as object, "Iterator.prototype");
  return saved;
}

const SAVED = remember();
const KNOWN = new Map(SHARED.map(([owner]) => [owner, new Set(ownKeys(owner))]));

function isSame(a: PropertyDescriptor, b: PropertyDescriptor | undefined): boolean {
  return b !== undefined && a.value === b.value && a.get === b.get && a.set === b.set;
}

/** Puts everything back as it was; gives the names of what had been changed, separated by commas. */
export function restoreBuiltins(): string {
  let changed = "";
  const note = (name: string): void => {
    changed += changed === "" ? name : `, ${name}`;
  };
  // No iterator and no method is used until all are back: any of them may be what was changed.
  for (let i = 0; i < SAVED.length; i++) {
    const { owner, name, key, descriptor } = SAVED[i] as Saved;
    if (isSame(descriptor, getOwnPropertyDescriptor(owner, key))) continue;
    try {
      defineProperty(owner, key, descriptor);
      note(name);
    } catch {
      // Frozen by the program: it stays as it is.
    }
  }
  for (let i = 0; i < SHARED.length; i++) {
    const [owner, name] = SHARED[i] as [object, string];
    for (const key of ownKeys(owner)) {
      if (!KNOWN.get(owner)?.has(key) && deleteProperty(owner, key)) note(`${name}${textOf(key)}`);
    }
  }
  return changed;
}
