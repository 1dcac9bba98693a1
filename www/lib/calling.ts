/** What all transforms share: marks of floats, names, what is held in the engine. */

import { cell, outsideTransforms } from "./array.ts";
import { glue } from "./engine.ts";
import type { UserFunction } from "./functions.ts";

/** Takes the marks of float literals that the call left, for the arguments of a transformed function. */
export function takeFloats(): number {
  const { floats } = cell;
  cell.floats = 0;
  return floats;
}

/** `f` under a name of its own, noted when the program itself calls it. */
export function renamed<F extends UserFunction>(f: F, name: string): F {
  const noted = ((...args: unknown[]) => {
    if (outsideTransforms()) lastCall = { f: noted, args, floats: cell.floats };
    return f(...args);
  }) as F;
  Object.defineProperty(noted, "name", { value: name });
  return noted;
}

/** A call of a transformed function, with the marks of the floats written in it. */
export interface TransformCall {
  readonly f: UserFunction;
  readonly args: readonly unknown[];
  readonly floats: number;
}

let lastCall: TransformCall | null = null;

/** The last transformed function that the program itself called. */
export const lastCalled = (): TransformCall | null => lastCall;

/** Forgets the last call: the engine has been reset. */
export function forgetCalls(): void {
  lastCall = null;
}

/** A held linear map of the engine, dropped with the function that uses it. */
const heldObjects = new FinalizationRegistry<number>((id) => glue.dropHeld(id));

/** Ties an object of the engine to the life of a function. */
export function holding<F extends UserFunction>(f: F, id: number): F {
  heldObjects.register(f, id);
  return f;
}
