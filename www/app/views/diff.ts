/** The difference of two programs by lines, with a little of what stands around each change. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

const CONTEXT = 1;
/** Above this many pairs of lines the middle is shown as replaced whole. */
const MOST_PAIRS = 400_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let tail = 0;
  while (
    tail < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  const middle = changes(a.slice(start, a.length - tail), b.slice(start, b.length - tail));
  return nearChanges([
    ...a.slice(0, start).map(same),
    ...middle,
    ...a.slice(a.length - tail).map(same),
  ]);
}

/** The longest common subsequence of the changed middle, by the usual table. */
function changes(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const best = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      best[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else {
      lines.push(added(right ?? ""));
      j += 1;
    }
  }
  return lines;
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const near = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some(({ kind }) => kind !== "same"),
  );
  const shown: DiffLine[] = [];
  lines.forEach((line, index) => {
    if (near[index]) shown.push(line);
    else if (shown.length > 0 && shown.at(-1)?.kind !== "gap")
      shown.push({ kind: "gap", text: "" });
  });
  if (shown.at(-1)?.kind === "gap") shown.pop();
  return shown;
}
