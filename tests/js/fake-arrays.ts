/** Arrays of one number that know whether they were freed: enough to test the rewrite without an engine. */

import { instrument } from "../../www/lib/instrument/instrument.ts";
import {
  type ArrayOps,
  createRuntime,
  LEFT_FLOAT,
  RIGHT_FLOAT,
  type SiteCell,
} from "../../www/lib/instrument/runtime.ts";

export class Fake {
  freed = false;
  constructor(
    private readonly held: number,
    readonly weak = "",
  ) {}
  get value(): number {
    if (this.freed) throw new Error("used after it was freed");
    return this.held;
  }
  get shape(): number[] {
    return this.value === undefined ? [] : [1];
  }
  item(): number {
    return this.value;
  }
  toString(): string {
    return `Fake(${this.value})`;
  }
}

const OPS: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
  "<": (a, b) => Number(a < b),
  ">": (a, b) => Number(a > b),
  "==": (a, b) => Number(a === b),
};

const numberOf = (v: unknown) => (v instanceof Fake ? v.value : Number(v));

export interface FakeRun {
  out: string[];
  result: unknown;
  error: unknown;
  /** Text of the site that was current at the end: the failing one after an error. */
  at: string;
  live: number;
  made: number;
  log: string[];
}

/** Runs a program on fake arrays; `freeing: false` makes every release a no-op. */
export async function runFake(source: string, freeing = true): Promise<FakeRun> {
  const cell: SiteCell = { site: 0, floats: 0 };
  const out: string[] = [];
  const log: string[] = [];
  const all: Fake[] = [];
  const make = (v: number, weak = "") => {
    const fake = new Fake(v, weak);
    all.push(fake);
    return fake;
  };
  const program = instrument(source);
  if (program.error) throw new Error(`does not parse: ${program.error.message}`);
  const textOf = (site: number) => program.sites[site - 1]?.text ?? "";
  const ops: ArrayOps = {
    cell,
    isArray: (v) => v instanceof Fake,
    binary(op, a, b, site, flags) {
      log.push(
        `${textOf(site)}${flags & LEFT_FLOAT ? " L" : ""}${flags & RIGHT_FLOAT ? " R" : ""}`,
      );
      const f = OPS[op];
      if (!f) throw new Error(`no ${op}`);
      return make(f(numberOf(a), numberOf(b)));
    },
    unary: (op, a) => make(op === "-" ? -numberOf(a) : numberOf(a)),
    truth: (v) => numberOf(v) !== 0,
    value: (v) => numberOf(v),
    position: (v) => numberOf(v),
    index: (v, i) => make(numberOf(v) + Number(i)),
    free(v) {
      if (freeing && v instanceof Fake) v.freed = true;
    },
    due: () => true,
    tick: async () => {},
  };
  const floats =
    (f: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      log.push(`${f.name} ${cell.floats}`);
      cell.floats = 0;
      return f(...args);
    };
  const module = {
    np: {
      sin: floats(function sin(x) {
        return make(Math.sin(numberOf(x)));
      }),
      add: floats(function add(a, b) {
        return make(numberOf(a) + numberOf(b));
      }),
      full: floats(function full(_, v) {
        return make(numberOf(v));
      }),
      zeros: () => make(0),
      asarray: (x: unknown) => (x instanceof Fake ? x : make(numberOf(x))),
      array: floats(function array(x) {
        return make(numberOf(x));
      }),
    },
    grad: (f: (x: unknown) => unknown) => (x: unknown) => {
      f(make(numberOf(x)));
      return make(2 * numberOf(x));
    },
    valueAndGrad: (f: (x: unknown) => unknown) => (x: unknown) => [
      make(numberOf(f(make(numberOf(x))))),
      make(2 * numberOf(x)),
    ],
    jit:
      (f: (...x: unknown[]) => unknown) =>
      (...xs: unknown[]) =>
        make(numberOf(f(...xs.map((x) => make(numberOf(x)))))),
    print: (...args: unknown[]) => {
      out.push(args.map(String).join(" "));
    },
    site: () => textOf(cell.site),
  };
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (runtime: unknown) => Promise<unknown>;
  const $ = createRuntime(ops, module, textOf);
  let result: unknown;
  let error: unknown = null;
  try {
    result = await new AsyncFunction(program.parameter, program.code)($);
  } catch (thrown) {
    error = thrown;
  }
  const live = all.filter((fake) => !fake.freed).length;
  return { out, result, error, at: textOf(cell.site), live, made: all.length, log };
}
