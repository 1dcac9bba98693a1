// The race itself, the same in Node and in a page: check the answers, then take turns.

import { type Case, cases } from "./cases.ts";
import type { Contestant, Mode, Tensor } from "./contestant.ts";
import type { Entry } from "./contestants/all.ts";
import { heldBy, setOwner, watchMemories } from "./memory.ts";

/** How one library did in one case. */
export interface Time {
  readonly library: string;
  readonly mode: Mode;
  /** Median in the unit of the case. */
  readonly median: number;
  readonly samples: readonly number[];
  /** Largest error against the exact answer, relative to its size. */
  readonly error: number;
  readonly agrees: boolean;
}

export interface CaseResult {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly times: readonly Time[];
  /** Libraries that could not run the case, with what they said. */
  readonly refused: readonly { library: string; mode: Mode; reason: string }[];
}

/** A training loop: its time, and the WebAssembly memory held after a tenth of the steps and after all. */
export interface Training {
  readonly library: string;
  readonly steps: number;
  readonly millisecondsPerStep: number;
  readonly bytesAfterTenth: number;
  readonly bytesAfter: number;
  readonly agrees: boolean;
}

export interface Race {
  readonly cases: readonly CaseResult[];
  readonly training: readonly Training[];
}

export interface Options {
  readonly assets: string;
  readonly samples: number;
  readonly steps: number;
  /** Keys of the cases to run; all when empty. */
  readonly only: readonly string[];
  say(text: string): void;
}

type Library = Contestant<unknown>;

/** Runs the whole table. */
export async function race(entries: readonly Entry[], options: Options): Promise<Race> {
  watchMemories();
  const libraries: Library[] = [];
  for (const entry of entries) {
    setOwner(entry.name);
    const library = await entry.import();
    await library.load(options.assets);
    libraries.push(library);
  }
  // Before all else, while the memories hold nothing but the loop's own arrays.
  const training: Training[] = [];
  if (options.only.length === 0 || options.only.includes("training")) {
    options.say(`training loop, ${options.steps} steps`);
    for (const library of libraries) training.push(await train(library, options.steps));
  }
  const chosen = cases.filter(({ key }) => options.only.length === 0 || options.only.includes(key));
  const results: CaseResult[] = [];
  for (const item of chosen) {
    options.say(item.title);
    results.push(await raceCase(libraries, item, options));
  }
  return { cases: results, training };
}

interface Runner {
  readonly library: Library;
  readonly mode: Mode;
  readonly run: () => unknown;
  readonly samples: number[];
  error: number;
}

async function raceCase(
  libraries: readonly Library[],
  item: Case,
  options: Options,
): Promise<CaseResult> {
  const tensors = item.inputs();
  const answer = item.answer(mapValues(tensors, ({ data }) => data));
  const runners: Runner[] = [];
  const refused: { library: string; mode: Mode; reason: string }[] = [];
  const held: (() => void)[] = [];
  for (const library of libraries) {
    setOwner(library.name);
    const inputs = mapValues(tensors, (tensor) => library.put(tensor));
    held.push(() => {
      for (const value of Object.values(inputs)) library.drop(value);
    });
    for (const mode of entered(item, library)) {
      try {
        const run = library.program(item.id, mode, inputs);
        if (!run) continue;
        const result = run();
        await library.finish?.(result);
        const error = worstError(await library.read(result), answer);
        library.drop(result);
        runners.push({ library, mode, run, samples: [], error });
      } catch (error) {
        refused.push({ library: library.name, mode, reason: String(error) });
      }
    }
  }
  const warmUps = 2;
  for (let turn = 0; turn < options.samples + warmUps; turn++) {
    for (const runner of runners) {
      setOwner(runner.library.name);
      const time = await sample(runner, item);
      if (turn >= warmUps) runner.samples.push(time);
      // A turn of the event loop, as between two frames of a page: collectors and finalizers may run.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  for (const drop of held) drop();
  return {
    key: item.key,
    title: item.title,
    unit: item.unit,
    times: runners.map(({ library, mode, samples, error }) => ({
      library: library.name,
      mode,
      median: median(samples),
      samples,
      error,
      agrees: error <= item.tolerance,
    })),
    refused,
  };
}

/** A library without the modes of a case enters with those it has. */
function entered(item: Case, library: Library): readonly Mode[] {
  const common = item.modes.filter((mode) => library.modes.includes(mode));
  return common.length > 0 ? common : library.modes;
}

async function sample({ library, run }: Runner, item: Case): Promise<number> {
  const results: unknown[] = [];
  const began = performance.now();
  for (let i = 0; i < item.repeat; i++) {
    const result = run();
    if (library.finish) await library.finish(result);
    results.push(result);
  }
  const milliseconds = performance.now() - began;
  for (const result of results) library.drop(result);
  return (milliseconds * (item.unit === "µs" ? 1000 : 1)) / item.per;
}

async function train(library: Library, steps: number): Promise<Training> {
  setOwner(library.name);
  const weights: Tensor = {
    shape: [1_000_000],
    data: new Float32Array(1_000_000).map((_, i) => i % 7),
  };
  const early = Math.max(1, Math.floor(steps / 10));
  await library.train(weights, early);
  const bytesAfterTenth = heldBy(library.name);
  const began = performance.now();
  const result = await library.train(weights, steps);
  const milliseconds = performance.now() - began;
  const expected = weights.data[5] * 0.99 ** steps;
  return {
    library: library.name,
    steps,
    millisecondsPerStep: milliseconds / steps,
    bytesAfterTenth,
    bytesAfter: heldBy(library.name),
    agrees: Math.abs(result[5] - expected) <= 1e-3 * Math.abs(expected),
  };
}

/** Largest difference, relative to the largest size among the exact values: small entries may cancel. */
function worstError(values: Float32Array, answer: Map<number, number>): number {
  const scale = Math.max(...[...answer.values()].map(Math.abs), 1e-30);
  return Math.max(
    ...[...answer].map(([index, exact]) => {
      const difference = Math.abs(values[index] - exact) / scale;
      return Number.isFinite(difference) ? difference : Number.POSITIVE_INFINITY;
    }),
  );
}

/** The middle of the samples. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
