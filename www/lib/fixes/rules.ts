/**
 * The text of derivative rules for a callback.
 *
 * A callback cannot be looked into, so a rule that is right for every smooth one differentiates
 * numerically: with `s` the sum of the outputs weighed by their cotangents, the cotangent of input
 * element i is ∂s/∂x[i], here by central differences.
 */

import { type AvalInfo, isFloat } from "./failure.ts";

/** A callback to write rules for, with names chosen so that nothing clashes. */
export interface Callback {
  /** The function as it is called in the rules: takes the inputs, gives the output or outputs. */
  readonly call: string;
  /** What the program calls it after the fix. */
  readonly name: string;
  readonly fwd: string;
  readonly bwd: string;
  readonly inputs: readonly (AvalInfo & { readonly name: string })[];
  readonly outputs: readonly AvalInfo[];
  /** Are the outputs an array of arrays, even if there is but one? */
  readonly tuple: boolean;
  /** Is it known to be linear? Then differences are exact, whatever the step. */
  readonly linear: boolean;
  /** The function of a buffer callback that fills `out`, if it can be called by name. */
  readonly host: string | null;
  /** Must the rule go over batches of cotangents, as under `jacrev` and `vmap`? */
  readonly batched: boolean;
  /** What the rules call the cotangent. */
  readonly ct: string;
  /** How the program spells what it imports. */
  readonly lib: Readonly<
    Record<"np" | "customVjp" | "customJvp" | "bufferCallback" | "ShapeDtypeStruct", string>
  >;
}

/** Names that the numeric rules use for themselves, which nothing they mention may have. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set(
  "differences weighed derivative parts size length out sum up down at d i h j c x f ctx _".split(
    " ",
  ),
);

/** What `bwd` does. */
export type VjpVariant = "finite-differences" | "pass-through" | "zeros";

/**
 * The step of central differences as a factor of max(1, |x|): the cube root of the precision. For a linear
 * function a large step is best, for nothing but rounding is lost.
 */
function stepOf({ linear, inputs }: Callback): string {
  if (linear) return "";
  const single = inputs.some((input) => isFloat(input) && input.dtype !== "float64");
  return single ? "0.005 * " : "6e-6 * ";
}

/** `const f = customVjp(…); … f.defvjp(…);` as lines. */
export function customVjpLines(cb: Callback, variant: VjpVariant): string[] {
  const params = cb.inputs.map(({ name }) => name);
  const list = params.join(", ");
  // Everything `bwd` needs, and nothing else.
  const kept =
    variant === "finite-differences" ? params : zeroed(cb, variant).map(({ name }) => name);
  return [
    `const ${cb.name} = ${cb.lib.customVjp}((${list}) => ${cb.call}(${list}));`,
    `const ${cb.fwd} = (${list}) => [${cb.call}(${list}), ${kept.length > 0 ? `[${kept.join(", ")}]` : "null"}];`,
    ...bwdLines(cb, variant, kept),
    `${cb.name}.defvjp(${cb.fwd}, ${cb.bwd});`,
  ];
}

/** The inputs whose cotangent is zero under a variant that is not numerical. */
function zeroed(cb: Callback, variant: VjpVariant): Callback["inputs"] {
  return cb.inputs.filter(
    (input) => isFloat(input) && !(variant === "pass-through" && takesPass(cb, input)),
  );
}

/** Does the cotangent of the output fit this input? */
function takesPass(cb: Callback, input: AvalInfo): boolean {
  const out = cb.outputs[0];
  return (
    cb.outputs.length === 1 &&
    out !== undefined &&
    isFloat(input) &&
    out.dtype === input.dtype &&
    out.shape.join() === input.shape.join()
  );
}

/** Is there an input that could be given the cotangent of the output as it is? */
export function canPassThrough(cb: Callback): boolean {
  return cb.inputs.some((input) => takesPass(cb, input));
}

function bwdLines(cb: Callback, variant: VjpVariant, kept: readonly string[]): string[] {
  if (variant !== "finite-differences") {
    const cotangents = cb.inputs.map((input) => {
      if (!isFloat(input)) return "null";
      if (variant === "pass-through" && takesPass(cb, input))
        return cb.tuple ? `${cb.ct}[0]` : cb.ct;
      return `${cb.lib.np}.zerosLike(${input.name})`;
    });
    const residuals = kept.length > 0 ? `[${kept.join(", ")}]` : "_";
    return [`const ${cb.bwd} = (${residuals}, ${cb.ct}) => [${cotangents.join(", ")}];`];
  }
  return cb.host === null ? arrayDifferences(cb) : hostDifferences(cb, cb.host);
}

const d = (name: string) => `d_${name}`;

function describe(cb: Callback, calls: string): string {
  const floats = cb.inputs.filter(isFloat).map(({ name }) => name);
  const exact = cb.linear ? ", exact for a linear function" : "";
  return `// Central differences${exact}: two calls of ${calls} for each element of ${floats.join(" and ")}.`;
}

/** For buffer callbacks: the whole loop is a buffer callback itself, on typed arrays. */
function hostDifferences(cb: Callback, host: string): string[] {
  const { bufferCallback, ShapeDtypeStruct } = cb.lib;
  const names = cb.inputs.map(({ name }) => name);
  const floats = cb.inputs.filter(isFloat).map(({ name }) => name);
  const cts = cb.outputs.map((_, k) => (cb.outputs.length === 1 ? cb.ct : `${cb.ct}${k}`));
  const ct = cb.tuple ? `[${cts.join(", ")}]` : cb.ct;
  const zeros = cts.map((c) => `${c}.map(() => 0)`);
  const weighed = (c: string, out: string) => `${c}.reduce((sum, c, j) => sum + c * ${out}[j], 0)`;
  const sum = cb.tuple
    ? cts.map((c, k) => weighed(c, `out[${k}]`)).join(" + ")
    : weighed(cb.ct, "out");
  const at = (name: string) => (floats.includes(name) ? `${name}At` : name);
  const results = floats.map((name) => `${ShapeDtypeStruct}(${name}.shape, ${name}.dtype)`);
  const one = floats.length === 1;
  const derivatives = one ? d(floats[0] ?? "") : `[${floats.map(d).join(", ")}]`;
  const args = [...names, ...cts].join(", ");
  const struct = one ? results[0] : `[${results.join(", ")}]`;
  const loop = (x: string, out: string, indent: string) => [
    `${indent}for (let i = 0; i < ${x}.length; i++) {`,
    `${indent}  const x = ${x}[i];`,
    `${indent}  const h = ${stepOf(cb)}Math.max(1, Math.abs(x));`,
    `${indent}  ${x}[i] = x + h;`,
    `${indent}  const up = weighed();`,
    `${indent}  ${x}[i] = x - h;`,
    `${indent}  ${out}[i] = (up - weighed()) / (2 * h);`,
    `${indent}  ${x}[i] = x;`,
    `${indent}}`,
  ];
  const loops = one
    ? loop(at(floats[0] ?? ""), derivatives, "    ")
    : [
        `    for (const [at, d] of [${floats.map((name) => `[${at(name)}, ${d(name)}]`).join(", ")}]) {`,
        ...loop("at", "d", "      "),
        "    }",
      ];
  const options = cb.batched ? ', { vmapMethod: "sequential" }' : "";
  const call = `${bufferCallback}(differences, ${struct}${options})(${args})`;
  const cotangents = cb.inputs.map((input) => (isFloat(input) ? d(input.name) : "null"));
  const result =
    one && cb.inputs.length === 1
      ? [`  return [${call}];`]
      : [`  const ${derivatives} = ${call};`, `  return [${cotangents.join(", ")}];`];
  return [
    describe(cb, host),
    `const ${cb.bwd} = ([${names.join(", ")}], ${ct}) => {`,
    `  const differences = (ctx, ${derivatives}, ${args}) => {`,
    ...floats.map((name) => `    const ${at(name)} = ${name}.slice();`),
    "    const weighed = () => {",
    `      const out = ${cb.tuple ? `[${zeros.join(", ")}]` : zeros[0]};`,
    `      ${host}(ctx, out, ${names.map(at).join(", ")});`,
    `      return ${sum};`,
    "    };",
    ...loops,
    "  };",
    ...result,
    "};",
  ];
}

/** For the other callbacks: the loop is over the elements of arrays. */
function arrayDifferences(cb: Callback): string[] {
  const { np } = cb.lib;
  const names = cb.inputs.map(({ name }) => name);
  const terms = cb.outputs.map((_, k) => `${np}.sum(${cb.ct}[${k}] * (up[${k}] - down[${k}]))`);
  const change = cb.tuple ? `(${terms.join(" + ")})` : `${np}.sum(${cb.ct} * (up - down))`;
  const cotangents = cb.inputs.map((input) =>
    isFloat(input)
      ? `derivative(${input.name}, (${input.name}) => ${cb.call}(${names.join(", ")}))`
      : "null",
  );
  return [
    describe(cb, cb.call),
    `const ${cb.bwd} = ([${names.join(", ")}], ${cb.ct}) => {`,
    "  const derivative = (x, f) => {",
    `    const size = ${stepOf(cb)}${np}.maximum(1, ${np}.abs(x));`,
    "    const parts = [];",
    "    for (let i = 0; i < x.size; i++) {",
    `      const h = size * ${np}.reshape(${np}.arange(x.size) == i, x.shape);`,
    "      const [up, down] = [f(x + h), f(x - h)];",
    `      parts.push(${change} / (2 * ${np}.sum(h)));`,
    "    }",
    `    return ${np}.reshape(${np}.stack(parts), x.shape);`,
    "  };",
    `  return [${cotangents.join(", ")}];`,
    "};",
  ];
}

/** `const f = customJvp(…); f.defjvp(…);`: the derivative along the tangent, for forward mode. */
export function customJvpLines(cb: Callback): string[] {
  const { np } = cb.lib;
  const names = cb.inputs.map(({ name }) => name);
  const list = names.join(", ");
  const floats = cb.inputs.filter(isFloat).map(({ name }) => name);
  const tangents = cb.inputs.map((input) => d(input.name)).join(", ");
  const largest = (of: readonly string[]) =>
    of.map((name) => `${np}.max(${np}.abs(${name}))`).reduce((a, b) => `${np}.maximum(${a}, ${b})`);
  const moved = (sign: string) =>
    names
      .map((name) => (floats.includes(name) ? `${name} ${sign} h * ${d(name)}` : name))
      .join(", ");
  const step = `${stepOf(cb)}${np}.maximum(1, ${largest(floats)})`;
  const slope = cb.tuple
    ? `[${cb.outputs.map((_, k) => `(up[${k}] - down[${k}]) / (2 * h)`).join(", ")}]`
    : "(up - down) / (2 * h)";
  return [
    `const ${cb.name} = ${cb.lib.customJvp}((${list}) => ${cb.call}(${list}));`,
    `// The derivative along the tangent by central differences: two calls of ${cb.call}.`,
    `${cb.name}.defjvp(([${list}], [${tangents}]) => {`,
    `  const length = ${largest(floats.map(d))};`,
    `  const h = ${step} / ${np}.where(length > 0, length, 1);`,
    `  const [up, down] = [${cb.call}(${moved("+")}), ${cb.call}(${moved("-")})];`,
    `  return [${cb.call}(${list}), ${slope}];`,
    "});",
  ];
}
