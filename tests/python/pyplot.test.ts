// Our pyplot against the real one: every cell under tests/python/pyplot prints what matplotlib printed when
// record.py ran it (answers.json); and the figures it hands over, checked by what they mean.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { PyodideAPI } from "pyodide";
import { readPacket } from "../../www/app/run/validate.ts";
import { itemText } from "../../www/cli/print.ts";
import type { FigureItem, FigureShape } from "../../www/lib/figure.ts";
import type { OutputItem } from "../../www/lib/report.ts";
import { copyPython, startInNode } from "../../www/python-host/node.ts";
import { createPythonProgram, type PythonProgram } from "../../www/python-host/program.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "pyplot");
const answers: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(join(folder, "answers.json"), "utf8"),
);

let pyodide: PyodideAPI;
let program: PythonProgram;
let runAll: (files: string) => string;

before(async () => {
  pyodide = await startInNode();
  program = createPythonProgram(pyodide);
  copyPython(pyodide, folder, "/cells");
  runAll = pyodide.runPython(`
import sys
sys.path.insert(0, "/cells")
import json, cells
lambda files: json.dumps(cells.run_all(json.loads(files)))
`);
});

/** Whether two printed lists have the same numbers to within a fiftieth: maps are drawn from few anchors. */
function near(got: string, expected: string): boolean {
  const numbers = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const [a, b] = [numbers(got), numbers(expected)];
  return (
    a.length === b.length && a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 0.02)
  );
}

describe("our pyplot answers as matplotlib does", () => {
  for (const [file, cells] of Object.entries(answers)) {
    test(file, () => {
      const source = readFileSync(join(folder, `${file}.py`), "utf8");
      const got = JSON.parse(runAll(JSON.stringify({ [file]: source })))[file];
      const wrong = Object.entries(cells)
        .filter(([title, expected]) =>
          title.startsWith("about: ") ? !near(got[title], expected) : got[title] !== expected,
        )
        .map(([title, expected]) => `${title}\n--- matplotlib\n${expected}--- ours\n${got[title]}`);
      assert.equal(wrong.length, 0, wrong.join("\n\n"));
    });
  }
});

/** Runs a program; gives its figures as the page would have them, and what it printed. */
function run(source: string): { figures: FigureItem[]; printed: string; error: string } {
  const items: OutputItem[] = [];
  const { error } = program.run(source, { onOutput: (item) => items.push(item) });
  const figures = items.flatMap((item) => {
    if (item.kind !== "figure") return [];
    const read = readPacket({ nonce: "n", json: JSON.stringify({ kind: "item", item }) }, "n");
    assert.ok(read?.kind === "item" && read.item.kind === "figure", "the page takes the figure");
    return [read.item];
  });
  const printed = items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
  return { figures, printed, error: error ? `${error.class}: ${error.message}` : "" };
}

/** The only figure of a program that draws in pyplot. */
function draw(lines: string): FigureItem {
  const source = `import numpy as np\nimport matplotlib.pyplot as plt\n${lines}\n`;
  const { figures, error } = run(source);
  assert.equal(error, "");
  assert.equal(figures.length, 1);
  return figures[0] as FigureItem;
}

type Kind = FigureShape["kind"];
const shapes = <K extends Kind>(figure: FigureItem, kind: K) =>
  figure.shapes.filter((shape) => shape.kind === kind) as Extract<FigureShape, { kind: K }>[];
const texts = (figure: FigureItem) => shapes(figure, "text").map(({ text }) => text);
/** What is drawn inside axes, cut to their box. */
const inside = <K extends Kind>(figure: FigureItem, kind: K) =>
  shapes(figure, kind).filter(({ clip }) => clip !== null);

test("data stands where the ticks say", () => {
  const figure = draw(
    "plt.plot([0, 10], [0, 4], 'k'); plt.xlim(0, 10); plt.ylim(0, 4); plt.show()",
  );
  const [line] = inside(figure, "line");
  const box = figure.clips[0];
  assert.ok(line && box);
  const corners = [box.x, box.y + box.height, box.x + box.width, box.y];
  line.points.forEach((value, index) => {
    assert.ok(Math.abs(value - (corners[index] ?? 0)) < 0.02, `${line.points} in ${corners}`);
  });
  const tick = shapes(figure, "text").find(
    ({ text, anchor }) => text === "4" && anchor === "middle",
  );
  assert.ok(tick && Math.abs(tick.x - (box.x + 0.4 * box.width)) < 0.02);
});

test("logarithmic axes put equal factors at equal lengths", () => {
  const figure = draw("plt.loglog([1, 10, 100], [1, 100, 10000], 'o-'); plt.show()");
  const [line] = inside(figure, "line");
  assert.ok(line);
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.points;
  assert.ok(Math.abs(x1 - x0 - (x2 - x1)) < 0.05 && Math.abs(y1 - y0 - (y2 - y1)) < 0.05);
  assert.ok(texts(figure).includes("10²"));
});

test("titles, labels, legends and mathematics are written, the accessible words too", () => {
  const figure = draw(`
plt.plot([1, 2], label=r"$\\alpha^2$")
plt.plot([2, 1], "--", label="second")
plt.plot([2, 2], label="_hidden")
plt.title("A title"); plt.xlabel("time [s]"); plt.ylabel(r"$\\frac{x_1}{\\sigma}$")
plt.legend()
plt.show()`);
  const written = texts(figure);
  for (const text of ["A title", "time [s]", "x₁/σ", "α²", "second"])
    assert.ok(written.includes(text), `${text} in ${written}`);
  assert.ok(!written.includes("_hidden"));
  assert.equal(figure.title, "A title");
  assert.match(figure.description, /line “α²”; line “second”.*time \[s\] from -0\.05 to 1\.05/);
});

test("colours are roles where a theme has to choose, and exact on images", () => {
  const lines = draw(
    "plt.plot([0, 1]); plt.plot([1, 2], 'k'); plt.plot([1, 3], color='navy'); plt.show()",
  );
  assert.deepEqual(
    inside(lines, "line").map(({ color }) => color),
    ["c0", "text", "#000080"],
  );
  const image = draw("plt.imshow([[0, 1]]); plt.text(0, 0, 'n', color='white'); plt.show()");
  const label = shapes(image, "text").find(({ text }) => text === "n");
  assert.ok(label?.exact && label.color === "#ffffff");
});

test("images are pixels of the map, the first row on top or below", () => {
  const pixels = (figure: FigureItem) => {
    const [image] = shapes(figure, "image");
    assert.ok(image);
    return [...Buffer.from(image.rgba, "base64")];
  };
  const matrix = "np.array([[0.0, 1.0], [2.0, np.nan]])";
  const upper = pixels(draw(`plt.imshow(${matrix}, cmap="gray"); plt.show()`));
  assert.deepEqual(upper.slice(0, 4), [0, 0, 0, 255]);
  assert.deepEqual(upper.slice(8, 12), [255, 255, 255, 255]);
  assert.deepEqual(upper.slice(12, 16), [0, 0, 0, 0]);
  const lower = pixels(draw(`plt.imshow(${matrix}, cmap="gray", origin="lower"); plt.show()`));
  assert.deepEqual(lower.slice(8, 12), [0, 0, 0, 255]);
  const colors = pixels(draw("plt.imshow([[[255, 0, 10]]]); plt.show()"));
  assert.deepEqual(colors, [255, 0, 10, 255]);
});

test("a contour runs where the field has its level", () => {
  const figure = draw(`
x = np.linspace(-2, 2, 41)
X, Y = np.meshgrid(x, x)
plt.contour(X, Y, X**2 + Y**2, levels=[1.0])
plt.show()`);
  const [circle] = inside(figure, "line");
  const box = figure.clips[0];
  assert.ok(circle && box && circle.points.length > 100);
  for (let at = 0; at < circle.points.length; at += 2) {
    const x = (((circle.points[at] ?? 0) - box.x) / box.width) * 4 - 2;
    const y = 2 - (((circle.points[at + 1] ?? 0) - box.y) / box.height) * 4;
    assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.01, `${x}, ${y}`);
  }
  assert.deepEqual(circle.points.slice(0, 2), circle.points.slice(-2), "it is closed");
});

test("filled contours cover the field, each point by the colour of its band", () => {
  const figure = draw(
    "plt.contourf([[0, 1], [0, 1]], levels=[0, 0.5, 1], colors=['r', 'b']); plt.show()",
  );
  const box = figure.clips[0];
  const areas = inside(figure, "area");
  assert.ok(box && areas.length === 2);
  const spans = areas.map(({ rings }) => {
    const xs = rings.flat().filter((_, index) => index % 2 === 0);
    return [Math.min(...xs), Math.max(...xs)].map((x) =>
      Math.round((100 * (x - box.x)) / box.width),
    );
  });
  assert.deepEqual(spans, [
    [0, 100],
    [50, 100],
  ]);
});

test("marks have sizes and colours of their own", () => {
  const figure = draw(
    "plt.scatter([1, 2, 3], [1, 2, 3], s=[16, 36, 64], c=[0, 5, 10], cmap='gray', marker='s'); plt.show()",
  );
  const [marks] = inside(figure, "marks");
  assert.deepEqual(marks?.sizes, [4, 6, 8]);
  assert.equal(marks?.fills[0], "#000000");
  assert.equal(marks?.fills[2], "#ffffff");
  assert.equal(marks?.marker, "s");
});

test("NaN breaks a line, and what is far outside is still a straight line", () => {
  const figure = draw(
    "plt.plot([0, 1, 2, 3, 4], [0, 1, np.nan, 3, 4]); plt.plot([0, 4], [0, 1e300]); plt.ylim(0, 4); plt.show()",
  );
  const [broken] = inside(figure, "line");
  assert.equal(broken?.points.filter(Number.isNaN).length, 2);
});

test("figures left open are shown at the end, shown ones are not shown again, settings are forgotten", () => {
  const { figures } = run(`
import matplotlib.pyplot as plt
plt.rcParams["lines.linewidth"] = 9
plt.plot([1, 2])
plt.show()
plt.figure()
plt.plot([2, 1])
plt.figure()
`);
  assert.equal(figures.length, 2);
  assert.equal(figures[0] && inside(figures[0], "line")[0]?.width, 9);
  const again = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n");
  assert.equal(again.figures[0] && inside(again.figures[0], "line")[0]?.width, 1.5);
});

test("figures of a program that fails are shown", () => {
  const { figures, error } = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n1 / 0\n");
  assert.equal(figures.length, 1);
  assert.match(error, /^ZeroDivisionError/);
});

test("savefig says where the figure is, and shows it", () => {
  const { figures, printed } = run(
    'import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig("a.png")\n',
  );
  assert.equal(figures.length, 1);
  assert.match(printed, /'a\.png' was not written.*Output view/);
});

test("what is not there says so, and what is near it", () => {
  const wanted: [string, RegExp][] = [
    ["plt.polar([1], [1])", /`matplotlib\.pyplot\.polar` is not in Cotangent's matplotlib/],
    ["plt.scater([1], [1])", /Near it there is: .*scatter/],
    ["plt.gca().plot_surface([1], [1])", /`Axes\.plot_surface` is not in Cotangent's matplotlib/],
    ["plt.subplot(projection='3d')", /^NotImplementedError: the projection '3d'/],
    ["from matplotlib import animation", /^ImportError|still pictures/],
    ["plt.plot([1], colour='r')", /unexpected keyword argument 'colour'.*color/],
    ["plt.imshow([1], cmap='nonsense')", /'nonsense' is not a known colormap.*viridis/],
  ];
  for (const [line, message] of wanted) {
    const { error } = run(`import matplotlib.pyplot as plt\n${line}\n`);
    assert.match(error, message, line);
  }
});

test("numbers are taken from lists, arrays, ranges and whatever has __array__", () => {
  const figure = draw(`
class Own:
    def __array__(self, dtype=None, copy=None):
        return np.array([1.0, 2.0, 3.0])
for y in ([1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3]), Own(), [np.float32(1), 2, 3.0], [np.array(1), np.array(2), np.array(3)]):
    plt.plot(y)
plt.show()`);
  const drawn = inside(figure, "line").map(({ points }) => points.join());
  assert.equal(drawn.length, 7);
  assert.equal(new Set(drawn).size, 1);
});

test("a great many points are thinned, and too many are refused in words", () => {
  const figure = draw(
    "plt.plot(np.sin(np.arange(100000.0))); plt.scatter(np.sin(np.arange(50000.0)), np.cos(np.arange(50000.0) * 2)); plt.show()",
  );
  assert.ok(JSON.stringify(figure).length < 1_500_000);
  const { error } = run(`
import numpy as np
import matplotlib.pyplot as plt
for _ in range(400):
    plt.plot(np.random.rand(4000), np.random.rand(4000))
plt.show()
`);
  assert.match(error, /^ValueError: the figure has too many points/);
});

test("many large images share the pixels of a figure", () => {
  const figure = draw(`
fig, axs = plt.subplots(3, 3, figsize=(10, 10))
for ax in axs.flat:
    ax.imshow(np.zeros((600, 500)))
fig.show()
plt.close()`);
  const images = shapes(figure, "image");
  assert.equal(images.length, 9);
  assert.ok(images.every(({ columns, rows }) => columns >= 150 && rows >= 150));
  const digits = draw(`
fig, axs = plt.subplots(10, 10, figsize=(8, 8))
for ax in axs.flat:
    ax.imshow(np.zeros((28, 28)))
    ax.axis("off")`);
  assert.ok(shapes(digits, "image").every(({ columns, rows }) => columns === 28 && rows === 28));
});

test("on the command line a figure is one line", () => {
  const figure = draw(
    "fig, axs = plt.subplots(1, 2); axs[0].plot([1, 2]); fig.suptitle('Two'); plt.show()",
  );
  assert.equal(itemText(figure), "[figure: Two, 2 axes]");
});
