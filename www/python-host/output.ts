/** The JavaScript module `_cotangent_output`: how what Python draws reaches the output. */
import type { FigureItem } from "../lib/figure.ts";
import type { OutputItem } from "../lib/report.ts";

/** The part of Pyodide that is used here. */
interface Registering {
  registerJsModule(name: string, module: object): void;
}

/** Characters of the JSON text of one figure; a larger one is refused in words. */
export const MOST_FIGURE_CHARS = 4_000_000;

/**
 * Registers the module. Gives a function that says where the figures of the programs from then on go;
 * a figure of an interpreter to which nobody listens is dropped.
 */
export function registerOutput(
  pyodide: Registering,
): (onOutput: (item: OutputItem) => void) => void {
  let put: (item: OutputItem) => void = () => undefined;
  pyodide.registerJsModule("_cotangent_output", {
    most_characters: MOST_FIGURE_CHARS,
    /** Shows a figure, the JSON text of a `FigureItem`. */
    figure(json: string): void {
      if (json.length > MOST_FIGURE_CHARS) throw new RangeError("the figure is too large");
      const item = JSON.parse(json) as FigureItem;
      if (item.kind === "figure") put(item);
    },
  });
  return (onOutput) => {
    put = onOutput;
  };
}
