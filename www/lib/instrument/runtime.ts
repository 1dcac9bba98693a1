/**
 * The object `$` that a rewritten program talks to.
 *
 * The rewrite (see `instrument.ts`) turns every call, operator, condition and index of a user's program
 * into a call of one of the methods below. Each passes its *site*: a 1-based index into the table of
 * source spans that the rewrite returns. The language-neutral half lives here: numbers, strings and
 * plain objects never leave this file. Everything about arrays is asked of an `ArrayOps`.
 *
 * The invariant of sites: while a call or operator runs, `cell.site` is its site; when it returns, the
 * site of the surrounding one is back. When it throws, the site stays, so a handler at the top finds
 * in `cell.site` the innermost call or operator that failed.
 */

/** The binary operators that can reach arrays, as spelled in the source. */
export type BinaryOp =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!="
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>";

/** The unary operators that can reach arrays. */
export type UnaryOp = "-" | "+" | "~";

/** In `flags`: the left (or only) operand was written as a float literal (`2.0`, `1e3`). */
export const LEFT_FLOAT = 1;
/** In `flags`: the right operand was written as a float literal. */
export const RIGHT_FLOAT = 2;
/** In `flags`: the left (or only) operand is a temporary that nothing else can see. */
export const LEFT_TEMP = 4;
/** In `flags`: the right operand is a temporary that nothing else can see. */
export const RIGHT_TEMP = 8;

/**
 * Where the program is. Owned by the array layer (which reads `site` when it makes an equation) and
 * written by the runtime.
 */
export interface SiteCell {
  /** Site of the innermost running call or operator; 0 when there is none. */
  site: number;
  /**
   * Bit k: argument k of the call being made contains a number written as a float. A library
   * function reads it on entry and sets it to 0, so that its own inner calls do not see it.
   */
  floats: number;
  /**
   * The value of the last `return` whose expression contains a number written as a float (`return 1.0`,
   * `return [x, 0.0]`). A transform compares it with what a function gave back.
   */
  written?: unknown;
}

/**
 * What the runtime needs to know about arrays. Two promises make freeing by scope sound:
 *
 * - `binary`, `unary` and `index` return a *new handle* whenever they return an array: an object of
 *   its own, whose release no other handle notices, even when it holds the very same value. The same
 *   is promised by every function listed in `fresh.ts` and by what `grad`, `valueAndGrad` and `jit`
 *   return.
 * - `free` releases a handle, not a buffer: whatever else holds the value (a trace, a jaxpr, another
 *   handle) keeps it. Freeing twice is harmless; using a freed handle is a clear error.
 */
export interface ArrayOps {
  readonly cell: SiteCell;
  /** Is `v` an array or a tracer? Must be quick: it is asked for every operand. */
  isArray(v: unknown): boolean;
  /** An operator with at least one array operand. `flags` holds LEFT_FLOAT and RIGHT_FLOAT only. */
  binary(op: BinaryOp, a: unknown, b: unknown, site: number, flags: number): unknown;
  /** An operator on an array. */
  unary(op: UnaryOp, a: unknown, site: number, flags: number): unknown;
  /** The truth value of an array; throws the concretization error for a tracer. */
  truth(v: unknown, site: number): boolean;
  /** The number or boolean in an array of one element; throws for a tracer without a value. */
  value(v: unknown, site: number): number | boolean;
  /** The number an array stands for as the index of a list; throws for a tracer. */
  position(v: unknown, site: number): number;
  /** `v[i]` where `v` is an array; `i` is a number, an array, or a string such as "shape". */
  index(v: unknown, i: unknown, site: number): unknown;
  /** Releases a handle. */
  free(v: unknown): void;
  /** Is it time to let the page and the collector breathe? Asked once per iteration of a loop. */
  due?(): boolean;
  /** Gives way to the event loop once. */
  tick?(): Promise<void>;
}

/** A method looked up on its object, before its arguments are evaluated. */
export interface MethodRef {
  readonly object: unknown;
  readonly method: unknown;
}

/** An element about to be assigned with `op=`: its place and the value it had. */
export interface PlaceRef {
  readonly object: Record<PropertyKey, unknown>;
  readonly key: PropertyKey;
  readonly old: unknown;
}

/** What a site says about itself in an error ("f" in "f is not a function"). */
export type SiteText = (site: number) => string;

/** Everything rewritten code may use. The names are short because programs are full of them. */
export interface Runtime {
  /** What `import … from "cotangent"` finds. */
  readonly module: Readonly<Record<string, unknown>>;

  /** `f(…)` with 0 to 4 arguments and no `this`. */
  c0(site: number, f: unknown): unknown;
  c1(site: number, f: unknown, a: unknown): unknown;
  c2(site: number, f: unknown, a: unknown, b: unknown): unknown;
  c3(site: number, f: unknown, a: unknown, b: unknown, c: unknown): unknown;
  c4(site: number, f: unknown, a: unknown, b: unknown, c: unknown, d: unknown): unknown;
  /** `f(…)` with any number of arguments, spread ones included. */
  cn(site: number, f: unknown, args: unknown[]): unknown;
  /** `f(…)` where bit k of `floats`/`temps` says that argument k is a written float/a temporary. */
  ck(site: number, f: unknown, floats: number, temps: number, args: unknown[]): unknown;

  /** `o.name(…)` where the rewrite could look the method up in place (`o` is a plain name). */
  m0(site: number, o: unknown, f: unknown): unknown;
  m1(site: number, o: unknown, f: unknown, a: unknown): unknown;
  m2(site: number, o: unknown, f: unknown, a: unknown, b: unknown): unknown;
  mn(site: number, o: unknown, f: unknown, floats: number, args: unknown[]): unknown;
  /** Looks a method up on a computed object: evaluated once, before the arguments. */
  ref(site: number, o: unknown, name: PropertyKey): MethodRef;
  /** Calls what `ref` found. */
  mr(site: number, ref: MethodRef, floats: number, args: unknown[]): unknown;
  /** An argument of a `Math` function: remembers the site if it is not a number. */
  n<T>(site: number, v: T): T;

  /** `a op b`. */
  add(site: number, a: unknown, b: unknown, flags?: number): unknown;
  sub(site: number, a: unknown, b: unknown, flags?: number): unknown;
  mul(site: number, a: unknown, b: unknown, flags?: number): unknown;
  div(site: number, a: unknown, b: unknown, flags?: number): unknown;
  mod(site: number, a: unknown, b: unknown, flags?: number): unknown;
  pow(site: number, a: unknown, b: unknown, flags?: number): unknown;
  lt(site: number, a: unknown, b: unknown, flags?: number): unknown;
  le(site: number, a: unknown, b: unknown, flags?: number): unknown;
  gt(site: number, a: unknown, b: unknown, flags?: number): unknown;
  ge(site: number, a: unknown, b: unknown, flags?: number): unknown;
  eq(site: number, a: unknown, b: unknown, flags?: number): unknown;
  ne(site: number, a: unknown, b: unknown, flags?: number): unknown;
  and(site: number, a: unknown, b: unknown, flags?: number): unknown;
  or(site: number, a: unknown, b: unknown, flags?: number): unknown;
  xor(site: number, a: unknown, b: unknown, flags?: number): unknown;
  shl(site: number, a: unknown, b: unknown, flags?: number): unknown;
  shr(site: number, a: unknown, b: unknown, flags?: number): unknown;
  ushr(site: number, a: unknown, b: unknown, flags?: number): unknown;
  /** `-a`, `+a`, `~a`. */
  neg(site: number, a: unknown, flags?: number): unknown;
  pos(site: number, a: unknown, flags?: number): unknown;
  inv(site: number, a: unknown, flags?: number): unknown;

  /**
   * A value used as a condition: arrays become booleans, everything else stays what it is. `temp` is 1
   * when `v` is a temporary, to be freed.
   */
  cond(site: number, v: unknown, temp?: number): unknown;
  /** What a `switch` compares: of an array the number or boolean in it. */
  value(site: number, v: unknown): unknown;
  /** `a || b` and `a && b` outside conditions: the truth of `v`, which is kept in `kept`. */
  keep(site: number, v: unknown): boolean;
  kept: unknown;

  /** A result that contains a number written as a float. */
  r<T>(v: T): T;

  /** Is it an array? For code that chooses in place (`$.a(x) ? $.index(…) : x[i]`). */
  a(v: unknown): boolean;
  /** `x[i]`. */
  index(site: number, x: unknown, i: PropertyKey | unknown): unknown;
  /** The object of an assignment `o[i] = v`: itself, or an error if it is an array. */
  w<T>(site: number, o: T): T;
  /** The key of an assignment `o[i] = v`: an array stands for the number in it, as it does in `o[i]`. */
  k(site: number, key: unknown): unknown;
  /** The element of `o[k] op= v` for computed `o` or `k`, evaluated once. */
  place(site: number, o: unknown, k: unknown): PlaceRef;
  /** Stores `old op v` into what `place` found; gives the value stored. */
  update(site: number, op: BinaryOp, place: PlaceRef, v: unknown, flags?: number): unknown;

  /** The new value of an owned variable; frees the old one. */
  replace(old: unknown, now: unknown): unknown;
  /** Frees the value of an owned variable whose block has ended. */
  free(v: unknown): void;

  /** Asked at the top of every loop that may wait. */
  due(): boolean;
  tick(): Promise<void>;
}

type Anything = (...args: unknown[]) => unknown;

/** JavaScript's own operators, for operands that are not arrays. */
const PLAIN: { readonly [op in BinaryOp]: (a: never, b: never) => unknown } = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
  "%": (a: number, b: number) => a % b,
  "**": (a: number, b: number) => a ** b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
  // The user's own `==` on things that are not arrays keeps its meaning.
  // biome-ignore lint/suspicious/noDoubleEquals: the user's own operator
  "==": (a: unknown, b: unknown) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: the user's own operator
  "!=": (a: unknown, b: unknown) => a != b,
  "&": (a: number, b: number) => a & b,
  "|": (a: number, b: number) => a | b,
  "^": (a: number, b: number) => a ^ b,
  "<<": (a: number, b: number) => a << b,
  ">>": (a: number, b: number) => a >> b,
  ">>>": (a: number, b: number) => a >>> b,
};

/**
 * Makes the runtime of one run.
 *
 * `module` is what the program imports; `siteText` names a site in the errors raised here (a call of
 * something that is not a function).
 */
export function createRuntime(
  ops: ArrayOps,
  module: Readonly<Record<string, unknown>>,
  siteText: SiteText = () => "this",
): Runtime {
  const { cell } = ops;

  function callable(f: unknown, site: number): asserts f is Anything {
    if (typeof f !== "function") notFunction(f, site);
  }

  function notFunction(f: unknown, site: number): never {
    cell.site = site;
    throw new TypeError(`${siteText(site)} is not a function (it is ${describe(f, ops)})`);
  }

  /** The slow half of every binary operator: at least one operand is not a number. */
  function binary(op: BinaryOp, site: number, a: unknown, b: unknown, flags: number): unknown {
    const left = ops.isArray(a);
    const right = ops.isArray(b);
    if (!left && !right) return PLAIN[op](a as never, b as never);
    const before = cell.site;
    cell.site = site;
    const text = op === "+" && (typeof a === "string" || typeof b === "string");
    const out = text ? `${a}${b}` : ops.binary(op, a, b, site, flags & (LEFT_FLOAT | RIGHT_FLOAT));
    cell.site = before;
    if ((flags & LEFT_TEMP) !== 0 && left && a !== out) ops.free(a);
    if ((flags & RIGHT_TEMP) !== 0 && right && b !== out && b !== a) ops.free(b);
    return out;
  }

  function unary(op: UnaryOp, site: number, a: unknown, flags: number): unknown {
    const before = cell.site;
    cell.site = site;
    const out = ops.unary(op, a, site, flags & LEFT_FLOAT);
    cell.site = before;
    if ((flags & LEFT_TEMP) !== 0 && a !== out) ops.free(a);
    return out;
  }

  function truth(site: number, v: unknown): boolean {
    const before = cell.site;
    cell.site = site;
    const out = ops.truth(v, site);
    cell.site = before;
    return out;
  }

  function position(site: number, i: unknown): number {
    const before = cell.site;
    cell.site = site;
    const out = ops.position(i, site);
    cell.site = before;
    return out;
  }

  function keyOf(site: number, key: unknown): unknown {
    return ops.isArray(key) ? position(site, key) : key;
  }

  function objectOf(
    site: number,
    o: unknown,
    key: unknown,
    verb: string,
  ): Record<PropertyKey, unknown> {
    if (o === null || o === undefined) {
      cell.site = site;
      throw new TypeError(`Cannot ${verb} properties of ${o} (${verb}ing '${String(key)}')`);
    }
    return o as Record<PropertyKey, unknown>;
  }

  return {
    module,
    kept: undefined,

    c0(site, f) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f();
      cell.site = before;
      return out;
    },
    c1(site, f, a) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f(a);
      cell.site = before;
      return out;
    },
    c2(site, f, a, b) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f(a, b);
      cell.site = before;
      return out;
    },
    c3(site, f, a, b, c) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f(a, b, c);
      cell.site = before;
      return out;
    },
    c4(site, f, a, b, c, d) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f(a, b, c, d);
      cell.site = before;
      return out;
    },
    cn(site, f, args) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f(...args);
      cell.site = before;
      return out;
    },
    ck(site, f, floats, temps, args) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = floats;
      const out = f(...args);
      cell.site = before;
      // A function that gives back one of its arguments, or something holding them, keeps them.
      if (temps !== 0 && ops.isArray(out)) {
        for (let k = 0; k < args.length; k++) {
          const arg = args[k];
          if ((temps & (1 << k)) !== 0 && arg !== out && ops.isArray(arg)) ops.free(arg);
        }
      }
      return out;
    },

    m0(site, o, f) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f.call(o);
      cell.site = before;
      return out;
    },
    m1(site, o, f, a) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f.call(o, a);
      cell.site = before;
      return out;
    },
    m2(site, o, f, a, b) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = 0;
      const out = f.call(o, a, b);
      cell.site = before;
      return out;
    },
    mn(site, o, f, floats, args) {
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = floats;
      const out = Reflect.apply(f, o, args);
      cell.site = before;
      return out;
    },
    ref(site, o, name) {
      return {
        object: o,
        method: objectOf(site, o, name, "read")[keyOf(site, name) as PropertyKey],
      };
    },
    mr(site, ref, floats, args) {
      const f = ref.method;
      callable(f, site);
      const before = cell.site;
      cell.site = site;
      cell.floats = floats;
      const out = Reflect.apply(f, ref.object, args);
      cell.site = before;
      return out;
    },
    n(site, v) {
      if (typeof v !== "number") cell.site = site;
      return v;
    },

    add: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a + b : binary("+", site, a, b, flags),
    sub: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a - b : binary("-", site, a, b, flags),
    mul: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a * b : binary("*", site, a, b, flags),
    div: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a / b : binary("/", site, a, b, flags),
    mod: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a % b : binary("%", site, a, b, flags),
    pow: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a ** b : binary("**", site, a, b, flags),
    lt: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a < b : binary("<", site, a, b, flags),
    le: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a <= b : binary("<=", site, a, b, flags),
    gt: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a > b : binary(">", site, a, b, flags),
    ge: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a >= b : binary(">=", site, a, b, flags),
    eq: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a === b : binary("==", site, a, b, flags),
    ne: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a !== b : binary("!=", site, a, b, flags),
    and: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a & b : binary("&", site, a, b, flags),
    or: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a | b : binary("|", site, a, b, flags),
    xor: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a ^ b : binary("^", site, a, b, flags),
    shl: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a << b : binary("<<", site, a, b, flags),
    shr: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a >> b : binary(">>", site, a, b, flags),
    ushr: (site, a, b, flags = 0) =>
      typeof a === "number" && typeof b === "number" ? a >>> b : binary(">>>", site, a, b, flags),
    neg: (site, a, flags = 0) =>
      typeof a === "number" || !ops.isArray(a) ? -(a as number) : unary("-", site, a, flags),
    pos: (site, a, flags = 0) =>
      typeof a === "number" || !ops.isArray(a) ? +(a as number) : unary("+", site, a, flags),
    inv: (site, a, flags = 0) =>
      typeof a === "number" || !ops.isArray(a) ? ~(a as number) : unary("~", site, a, flags),

    cond(site, v, temp = 0) {
      if (typeof v === "boolean" || !ops.isArray(v)) return v;
      const yes = truth(site, v);
      if (temp !== 0) ops.free(v);
      return yes;
    },
    value(site, v) {
      if (!ops.isArray(v)) return v;
      const before = cell.site;
      cell.site = site;
      const out = ops.value(v, site);
      cell.site = before;
      return out;
    },
    keep(site, v) {
      const yes = ops.isArray(v) ? truth(site, v) : Boolean(v);
      this.kept = v;
      return yes;
    },

    r(v) {
      cell.written = v;
      return v;
    },

    a: (v) => ops.isArray(v),
    index(site, x, i) {
      if (!ops.isArray(x)) {
        const object = objectOf(site, x, i, "read");
        return object[keyOf(site, i) as PropertyKey];
      }
      const before = cell.site;
      cell.site = site;
      const out = ops.index(x, i, site);
      cell.site = before;
      return out;
    },
    w(site, o) {
      if (ops.isArray(o)) refuseAssignment(site);
      return o;
    },
    k: keyOf,
    place(site, o, k) {
      if (ops.isArray(o)) refuseAssignment(site);
      const object = objectOf(site, o, k, "read");
      const given = keyOf(site, k);
      // As in the language itself, the key is turned into a property key once.
      const key = typeof given === "symbol" ? given : String(given);
      return { object, key, old: object[key] };
    },
    update(site, op, place, v, flags = 0) {
      const { old } = place;
      const now =
        typeof old === "number" && typeof v === "number"
          ? PLAIN[op](old as never, v as never)
          : binary(op, site, old, v, flags);
      place.object[place.key] = now;
      return now;
    },

    replace(old, now) {
      if (old !== now && ops.isArray(old)) ops.free(old);
      return now;
    },
    free(v) {
      if (ops.isArray(v)) ops.free(v);
    },

    due: () => ops.due?.() ?? false,
    tick: async () => ops.tick?.(),
  };

  function refuseAssignment(site: number): never {
    cell.site = site;
    throw new TypeError(
      "JAX arrays are immutable and do not support in-place item assignment. " +
        "Instead of `x[i] = v` write `x = x.at(i).set(v)`",
    );
  }
}

function describe(v: unknown, ops: ArrayOps): string {
  if (v === null || v === undefined) return String(v);
  if (ops.isArray(v)) return "an array";
  if (typeof v === "object") return "an object";
  return `a ${typeof v}`;
}
