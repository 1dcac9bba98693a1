/**
 * Fixes for a callback that stopped a derivative: a rule of its own for it, or no derivative at all.
 */

import type { AnyNode, CallExpression, Expression, Node } from "acorn";
import { isFunction } from "../instrument/scope.ts";
import type { Edit, Fix } from "../report.ts";
import { type AvalInfo, type Failure, isFloat } from "./failure.ts";
import { inside, makeFix, Source } from "./program.ts";
import {
  type Callback,
  canPassThrough,
  customJvpLines,
  customVjpLines,
  LOCAL_NAMES,
  type VjpVariant,
} from "./rules.ts";

const CALLBACKS = ["pureCallback", "ioCallback"];

/** What takes a function and gives one of the same arguments. */
const TRANSFORMS = ["grad", "valueAndGrad", "vmap", "jit", "jacfwd", "jacrev", "hessian"];

/** The transforms that use a `bwd`. */
const REVERSE = new Set(["grad", "valueandgrad", "vjp", "jacrev", "checkgrads"]);

/** More inputs than this, and a rule written out would be no help. */
const MOST_INPUTS = 12;

/** How a callback is written in the program. */
interface Site {
  readonly source: Source;
  /** The failing call. */
  readonly call: CallExpression;
  /** The arguments that are arrays. */
  readonly args: readonly Node[];
  /** The whole callback is a function with a name, declared by this. */
  readonly named: { id: Node; statement: AnyNode } | null;
  /** The callee that the rules call, as text, given the names of the inputs. */
  readonly callee: { text: string; free: Node } | null;
  /** `pureCallback(fn, result, …)` or `bufferCallback(fn, result)`. */
  readonly maker: CallExpression | null;
  /** The callback itself was handed to a transform, as in `grad(callback)(x)`: no call of it is written. */
  readonly direct?: boolean;
}

/** All fixes for the callback that a failure is about; [] where the program is not understood. */
export function callbackFixes(text: string, failure: Failure): Fix[] {
  const fixes: (Fix | null)[] = [];
  const transform = failure.transform.replace(/_/g, "").toLowerCase();
  if (failure.kind === "callback-jvp") {
    const variants: readonly [VjpVariant, string, string][] = [
      [
        "finite-differences",
        "Give it a derivative: finite differences",
        "Works for any smooth callback. Costs two calls for each element of its input, and is as exact as differences are: about three digits in float32.",
      ],
      [
        "pass-through",
        "Give it a derivative: pass it through",
        "Treats the callback as the identity when differentiating. Right only if that is what you mean.",
      ],
      [
        "zeros",
        "Give it a derivative: zero",
        "Says that the result does not depend on the input. Right for a callback that only observes.",
      ],
    ];
    if (REVERSE.has(transform)) {
      for (const about of variants) fixes.push(attempt(() => ruleFix(text, failure, about)));
    }
    // Under jacfwd and hessian the rule's own calls of the callback would be batched or differentiated.
    if (transform === "jvp") fixes.push(attempt(() => jvpFix(text, failure)));
    fixes.push(attempt(() => stopGradientFix(text, failure)));
    fixes.push(attempt(() => observeFix(text, failure)));
  }
  if (failure.kind === "callback-transpose" && transform === "lineartranspose") {
    fixes.push(attempt(() => transposeFix(text, failure)));
  }
  if (failure.kind === "callback-vmap") fixes.push(attempt(() => vmapFix(text, failure)));
  return fixes.filter((fix) => fix !== null);
}

/** A program that is stranger than the code for a fix expects gets no fix, never an exception. */
function attempt(make: () => Fix | null): Fix | null {
  try {
    return make();
  } catch {
    return null;
  }
}

function ruleFix(
  text: string,
  failure: Failure,
  [variant, title, summary]: readonly [VjpVariant, string, string],
): Fix | null {
  const edits: Edit[] = [];
  const site = findSite(new Source(text), failure);
  const cb =
    site && describeCallback(site, failure, edits, "customVjp", variant === "finite-differences");
  if (!cb || (variant === "pass-through" && !canPassThrough(cb))) return null;
  install(site, cb, customVjpLines(cb, variant), edits);
  return makeFix(site.source, { id: "custom_vjp", variant, title, summary }, edits);
}

function jvpFix(text: string, failure: Failure): Fix | null {
  const edits: Edit[] = [];
  const site = findSite(new Source(text), failure);
  const cb = site && describeCallback(site, failure, edits, "customJvp", true);
  if (!cb) return null;
  install(site, cb, customJvpLines(cb), edits);
  const title = "Give it a derivative for forward mode: finite differences";
  const summary =
    "Two calls for each derivative along a tangent. Good for `jvp`; for `grad` the callback would have to be transposed, so take custom_vjp there.";
  return makeFix(
    site.source,
    { id: "custom_jvp", variant: "finite-differences", title, summary },
    edits,
  );
}

/**
 * `linearTranspose` wants the transpose of every operation, and there is no rule for that alone. But the
 * pullback of a linear function is its transpose, and `vjp` takes the callback's own rule.
 */
function transposeFix(text: string, failure: Failure): Fix | null {
  const edits: Edit[] = [];
  const source = new Source(text);
  const asked = failure.transformSpan && source.callAt(failure.transformSpan);
  const [fn, ...args] = asked?.arguments ?? [];
  const spread = [fn, ...args].some((arg) => arg?.type === "SpreadElement");
  if (!asked || !fn || spread || source.importedName(asked.callee) !== "linearTranspose")
    return null;
  const site = findSite(source, failure);
  const described = site && describeCallback(site, failure, edits, "customVjp", true);
  if (!described) return null;
  const cb = { ...described, linear: true };
  install(site, cb, customVjpLines(cb, "finite-differences"), edits);
  const vjp = source.library("vjp", edits);
  edits.push({ from: asked.callee.start, to: asked.callee.end, insert: vjp });
  // Shapes are enough to transpose; a pullback is taken at values, and for a linear function any will do.
  for (const arg of args.filter((arg) => isStruct(source, arg))) {
    const struct = source.slice(arg);
    const inline = (arg as AnyNode).type === "CallExpression" ? (arg as CallExpression) : null;
    const [shape, dtype] = inline?.arguments.map((part) => source.slice(part)) ?? [
      `${struct}.shape`,
      `${struct}.dtype`,
    ];
    if (!shape || !dtype) return null;
    const zeros = `${source.library("np", edits)}.zeros(${shape}, { dtype: ${dtype} })`;
    edits.push({ from: arg.start, to: arg.end, insert: zeros });
  }
  edits.push({ from: asked.end, to: asked.end, insert: "[1]" });
  const title = "Give it a transpose: a rule, and vjp";
  const summary =
    "The transpose of a linear function is what `vjp` gives for it, and `vjp` uses the callback's rule. The rule differences the callback, which for a linear one is exact; it costs two calls for each element of its input.";
  return makeFix(
    source,
    { id: "custom_vjp", variant: "finite-differences", title, summary },
    edits,
  );
}

function isStruct(source: Source, arg: Node): boolean {
  const made = source.valueOf(arg);
  return made?.type === "CallExpression" && source.importedName(made.callee) === "ShapeDtypeStruct";
}

function stopGradientFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const site = findSite(source, failure);
  if (!site || site.direct || site.args.length === 0) return null;
  const edits: Edit[] = [];
  const stop = source.library("stopGradient", edits);
  const { inputs } = failure;
  site.args.forEach((arg, k) => {
    const aval = inputs?.length === site.args.length ? inputs[k] : undefined;
    if (aval && !isFloat(aval)) return;
    edits.push({ from: arg.start, to: arg.start, insert: `${stop}(` });
    edits.push({ from: arg.end, to: arg.end, insert: ")" });
  });
  const title = "Stop the gradient before the callback";
  const summary =
    "The result of the callback counts as a constant: its part of the derivative is left out.";
  return makeFix(source, { id: "stop_gradient", title, summary }, edits);
}

/** A callback says how it is to be called for a batch: one element after the other is always right. */
function vmapFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const maker = findSite(source, failure)?.maker;
  // ioCallback has no such option: it fails only where it is ordered.
  if (!maker || source.importedName(maker.callee) === "ioCallback") return null;
  const option = 'vmapMethod: "sequential"';
  const last = maker.arguments.at(-1);
  if (!last || last.type === "SpreadElement") return null;
  const property =
    last.type === "ObjectExpression" && maker.arguments.length > 2
      ? last.properties.at(-1)
      : undefined;
  const edit = property
    ? { from: property.end, to: property.end, insert: `, ${option}` }
    : { from: last.end, to: last.end, insert: `, { ${option} }` };
  const title = "Call it for one element of the batch after the other";
  const summary =
    'With `vmapMethod: "sequential"` the callback is called once for each element, as it was written.';
  return makeFix(source, { id: "vmap_method", title, summary }, [edit]);
}

/** A callback whose result nobody uses only observes, and that is what debugCallback is for. */
function observeFix(text: string, failure: Failure): Fix | null {
  const source = new Source(text);
  const site = findSite(source, failure);
  if (!site || site.direct || !isUnused(source, site.call)) return null;
  const { call, maker, args } = site;
  const fn = maker === call ? call.arguments[0] : undefined;
  if (!fn || fn.type === "SpreadElement") return null;
  const edits: Edit[] = [];
  const debug = source.library("debugCallback", edits);
  const list = [source.slice(fn), ...args.map((arg) => source.slice(arg))].join(", ");
  edits.push({ from: call.start, to: call.end, insert: `${debug}(${list})` });
  const title = "Take it out of the derivative: observe with debugCallback";
  const summary =
    "Nothing uses what this callback returns, so it only observes. `debugCallback` calls the same function with the same values, and derivatives pass it by.";
  return makeFix(source, { id: "move-out", title, summary }, edits);
}

function isUnused(source: Source, call: CallExpression): boolean {
  const parent = source.parent(call);
  if (parent?.type === "ExpressionStatement") return true;
  if (parent?.type !== "VariableDeclarator" || parent.id.type !== "Identifier") return false;
  return source.names.bindingOf(parent.id)?.uses.length === 0;
}

/** Finds the call of a callback and how it came to be. */
function findSite(source: Source, failure: Failure): Site | null {
  const call = failure.span && source.callAt(failure.span);
  if (!call || call.optional || call.arguments.some((arg) => arg.type === "SpreadElement"))
    return null;
  const name = source.importedName(call.callee);
  if (name !== null && CALLBACKS.includes(name)) {
    const args = withoutOptions(call.arguments.slice(2));
    return { source, call, args, maker: call, named: wrapperOf(source, call, args), callee: null };
  }
  const { callee } = call;
  if (callee.type === "Super") return null;
  const handed = handedToTransform(source, call);
  if (handed) {
    const maker = makerOf(source, handed.callback);
    const named = maker && declaratorOf(source, maker);
    return named && { source, call, args: handed.args, maker, named, callee: null, direct: true };
  }
  const maker = makerOf(source, callee);
  const site = { source, call, args: call.arguments, maker };
  const named = callee.type === "Identifier" && maker ? declaratorOf(source, maker) : null;
  return named
    ? { ...site, named, callee: null }
    : { ...site, named: null, callee: { text: source.slice(callee), free: callee } };
}

/** The `bufferCallback(…)` that a name or an expression stands for. */
function makerOf(source: Source, node: Node): CallExpression | null {
  const made = source.valueOf(node);
  return made?.type === "CallExpression" && source.importedName(made.callee) === "bufferCallback"
    ? made
    : null;
}

/** The declaration `const name = bufferCallback(…)` that a maker stands in. */
function declaratorOf(source: Source, maker: CallExpression): Site["named"] {
  const declarator = source.parent(maker);
  const statement = declarator && source.parent(declarator);
  if (statement?.type !== "VariableDeclaration" || statement.declarations.length !== 1) return null;
  return declarator?.type === "VariableDeclarator" && inBlock(source, statement)
    ? { id: declarator.id, statement: exported(source, statement) }
    : null;
}

/** What is handed over in `grad(callback)(x)`, `g(x)` with `const g = vmap(callback)`, `jvp(callback, [x], [t])`. */
function handedToTransform(
  source: Source,
  call: CallExpression,
): { callback: Node; args: readonly Node[] } | null {
  const own = source.importedName(call.callee);
  const [first, second] = call.arguments;
  if (own === "jvp" && first && second?.type === "ArrayExpression") {
    return { callback: first, args: second.elements.filter((e): e is Expression => e !== null) };
  }
  if (first && own !== null && ["vjp", "linearize", "linearTranspose"].includes(own)) {
    return { callback: first, args: withoutOptions(call.arguments.slice(1)) };
  }
  const made = call.callee.type === "Super" ? null : source.valueOf(call.callee);
  if (made?.type !== "CallExpression") return null;
  const transform = source.importedName(made.callee);
  const callback = made.arguments[0];
  return transform !== null && TRANSFORMS.includes(transform) && callback
    ? { callback, args: call.arguments }
    : null;
}

function exported(source: Source, statement: AnyNode): AnyNode {
  const parent = source.parent(statement);
  return parent?.type === "ExportNamedDeclaration" ? parent : statement;
}

function inBlock(source: Source, statement: AnyNode): boolean {
  const parent = source.parent(exported(source, statement));
  return parent === undefined || parent.type === "Program" || parent.type === "BlockStatement";
}

/** The trailing options of `pureCallback(f, result, x, { vmapMethod: … })` are no array. */
function withoutOptions(args: readonly Node[]): readonly Node[] {
  return args.at(-1)?.type === "ObjectExpression" ? args.slice(0, -1) : args;
}

/** `const f = (x, y) => pureCallback(g, s, x, y)`: then f itself is the callback. */
function wrapperOf(source: Source, call: CallExpression, args: readonly Node[]): Site["named"] {
  let at: AnyNode = call;
  let up = source.parent(at);
  if (up?.type === "ReturnStatement") {
    at = up;
    up = source.parent(at);
    if (up?.type !== "BlockStatement" || up.body.length !== 1) return null;
    at = up;
    up = source.parent(at);
  }
  if (!up || !("params" in up) || up.body !== at || up.async || up.generator) return null;
  const { params } = up;
  const same =
    params.length === args.length &&
    params.every((param, k) => {
      const arg = args[k] as AnyNode | undefined;
      return param.type === "Identifier" && arg?.type === "Identifier" && arg.name === param.name;
    });
  if (!same) return null;
  if (up.type === "FunctionDeclaration") {
    return up.id && inBlock(source, up) ? { id: up.id, statement: exported(source, up) } : null;
  }
  const declarator = source.parent(up);
  const statement = declarator && source.parent(declarator);
  if (declarator?.type !== "VariableDeclarator" || declarator.id.type !== "Identifier") return null;
  if (statement?.type !== "VariableDeclaration" || statement.declarations.length !== 1) return null;
  if (source.names.bindingOf(declarator.id)?.uses.some((use) => use.write)) return null;
  return inBlock(source, statement)
    ? { id: declarator.id, statement: exported(source, statement) }
    : null;
}

/** Chooses the names for the rules. Null where a rule cannot be written. */
function describeCallback(
  site: Site,
  failure: Failure,
  edits: Edit[],
  wrapper: "customVjp" | "customJvp",
  numeric: boolean,
): Callback | null {
  const { source, named, maker } = site;
  const { inputs = [], outputs = [] } = failure;
  if (inputs.length !== site.args.length || inputs.length > MOST_INPUTS) return null;
  if (!inputs.some(isFloat) || outputs.length === 0) return null;
  const result = maker?.arguments[1] ? source.valueOf(maker.arguments[1]) : null;
  const tuple = result?.type === "ArrayExpression" || outputs.length > 1;
  if (numeric && outputs.length > 1 && result?.type !== "ArrayExpression") return null;
  if (numeric && !outputs.every(isFloat)) return null;

  const own = named && source.slice(named.id);
  const base = own ?? baseName(site, failure);
  const simple = named === null && isSimpleCallee(site);
  const call = simple
    ? source.slice(site.call.callee)
    : source.fresh(base === "callback" ? base : `${base}Callback`);
  const name = own ?? source.fresh(`${base}WithGradient`);
  const host = numeric && wrapper === "customVjp" ? hostOf(site) : null;
  const library = (wanted: string) => source.library(wanted, edits);
  const lib: Record<keyof Callback["lib"], string> = {
    np: "np",
    customVjp: "",
    customJvp: "",
    bufferCallback: "",
    ShapeDtypeStruct: "",
  };
  lib[wrapper] = library(wrapper);
  if (host !== null) {
    lib.bufferCallback = library("bufferCallback");
    lib.ShapeDtypeStruct = library("ShapeDtypeStruct");
  } else lib.np = library("np");
  const outer = [call, host ?? "", ...Object.values(lib)].map((path) => path.split(".")[0] ?? "");
  if (numeric && outer.some((word) => LOCAL_NAMES.has(word))) return null;
  const ct = ["ct", "g", "cotangent"].find((word) => !outer.includes(word)) ?? "ct";
  const taken = new Set([name, ct, ...outer, ...outputs.map((_, k) => `${ct}${k}`)]);
  return {
    call,
    name,
    fwd: source.fresh(`${base}Fwd`),
    bwd: source.fresh(`${base}Bwd`),
    inputs: nameInputs(site, inputs, taken),
    outputs,
    tuple,
    linear: false,
    host,
    batched:
      failure.transform === "jacrev" || (maker !== null && /vmapMethod/.test(source.slice(maker))),
    ct,
    lib,
  };
}

/** What to call a callback that has no name of its own in the program. */
function baseName(site: Site, failure: Failure): string {
  const fn = site.maker?.arguments[0];
  const { callee } = site.call;
  const names = [
    failure.name ?? "",
    fn?.type === "Identifier" ? fn.name : "",
    callee.type === "Identifier" && site.maker !== site.call ? callee.name : "",
  ];
  return names.find((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) ?? "callback";
}

/** Can the callee be called from a function beside the call just as it stands? */
function isSimpleCallee(site: Site): boolean {
  return site.callee !== null && site.call.callee.type === "Identifier";
}

/** The function that fills `out`, if the rules can call it by name on arrays of their own. */
function hostOf(site: Site): string | null {
  const { maker, source } = site;
  const [fn, , options] = maker?.arguments ?? [];
  if (maker === null || maker === site.call || fn?.type !== "Identifier") return null;
  // With aliased buffers the function may find its input in `out`.
  if (options && /alias/i.test(source.slice(options))) return null;
  return fn.name;
}

/** Names for the inputs: those of the host function's parameters, else of the arguments. */
function nameInputs(
  site: Site,
  inputs: readonly AvalInfo[],
  taken: Set<string>,
): Callback["inputs"] {
  const { source, maker } = site;
  const fn = maker?.arguments[0] ? source.valueOf(maker.arguments[0]) : null;
  const params = fn && isFunction(fn) && "params" in fn ? fn.params : [];
  const skipped = maker === site.call ? 0 : 2;
  return inputs.map((input, k) => {
    const param = params[k + skipped] as AnyNode | undefined;
    const arg = site.args[k] as AnyNode | undefined;
    const wanted = [param, arg].flatMap((node) => (node?.type === "Identifier" ? [node.name] : []));
    const choices = [...wanted, ["x", "y", "z"][k] ?? "", `input${k}`, `input${k}Of`];
    const free = choices.find(
      (c) => c !== "" && !taken.has(c) && (c === "x" || !LOCAL_NAMES.has(c)),
    );
    const name = free ?? source.fresh(`input${k}`);
    taken.add(name);
    return { ...input, name };
  });
}

/** Puts the rules where everything they mention is known, and makes the program use them. */
function install(site: Site, cb: Callback, lines: readonly string[], edits: Edit[]): void {
  const { source, named, call } = site;
  if (named) {
    edits.push({ from: named.id.start, to: named.id.end, insert: cb.call });
    const indent = source.indentAt(named.statement.start);
    const text = lines.map((line) => `\n${indent}${line}`).join("");
    edits.push({ from: named.statement.end, to: named.statement.end, insert: text });
    return;
  }
  const params = cb.inputs.map(({ name }) => name);
  const helper = [...lines];
  if (site.maker === call) {
    const [fn, result, ...rest] = call.arguments.map((arg) => source.slice(arg));
    const options = rest.slice(site.args.length);
    const inner = [fn, result, ...params, ...options].join(", ");
    helper.unshift(
      `const ${cb.call} = (${params.join(", ")}) => ${source.slice(call.callee)}(${inner});`,
    );
  } else if (site.callee && !isSimpleCallee(site)) {
    helper.unshift(`const ${cb.call} = ${site.callee.text};`);
  }
  const args = site.args.map((arg) => source.slice(arg)).join(", ");
  placeHelper(site, helper, edits);
  edits.push({ from: call.start, to: call.end, insert: `${cb.name}(${args})` });
}

/** Writes the helper before the outermost statement that still knows its free variables. */
function placeHelper(site: Site, helper: readonly string[], edits: Edit[]): void {
  const { source, call } = site;
  const parts: Node[] =
    site.maker === call
      ? [...call.arguments].filter((arg) => !site.args.includes(arg))
      : [call.callee];
  const free = parts.flatMap((part) => source.freeVariables(part));
  let anchor: AnyNode = source.statementOf(call);
  for (let fn = source.functionOf(anchor); fn; fn = source.functionOf(anchor)) {
    const inner = fn;
    if (free.some((binding) => inside(binding.identifier, inner))) break;
    anchor = source.statementOf(fn);
  }
  const parent = source.parent(anchor);
  if (parent?.type === "ArrowFunctionExpression" && parent.body === anchor) {
    const indent = source.indentAt(parent.start);
    const arrow = source.text.indexOf("=>", parent.params.at(-1)?.end ?? parent.start) + 2;
    const body = helper.map((line) => `\n${indent}  ${line}`).join("");
    edits.push({ from: arrow, to: arrow, insert: ` {${body}\n${indent}  return` });
    edits.push({ from: parent.end, to: parent.end, insert: `;\n${indent}}` });
    return;
  }
  const indent = source.indentAt(anchor.start);
  const text = helper.map((line) => `${line}\n${indent}`).join("");
  edits.push({ from: anchor.start, to: anchor.start, insert: text });
}
