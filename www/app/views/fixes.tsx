/** The fixes of a diagnosis: what each does, its edit, and the buttons to check and apply it. */
import { useState } from "preact/hooks";
import type { Fix } from "../../lib/report";
import { fixKey } from "../run/controller";
import { run, running, stale, tried } from "../state/state";
import { useTools } from "../ui/context";
import { CheckLine } from "./check";
import { diffLines } from "./diff";
import { Prose } from "./prose";

export function Fixes({ fixes }: { readonly fixes: readonly Fix[] }) {
  if (fixes.length === 0) return null;
  const groups = new Map<string, Fix[]>();
  for (const fix of fixes) groups.set(fix.id, [...(groups.get(fix.id) ?? []), fix]);
  return (
    <section aria-label="Fixes">
      <h3 class="section-title">Ways to mend it</h3>
      {stale.value && (
        <p class="hint">The text has changed since this run. Run again to apply a fix.</p>
      )}
      {[...groups].map(([id, variants]) => (
        <FixCard key={id} variants={variants} />
      ))}
    </section>
  );
}

function FixCard({ variants }: { readonly variants: readonly Fix[] }) {
  const { controller } = useTools();
  const [chosen, setChosen] = useState(0);
  const fix = variants[chosen] ?? variants[0];
  if (!fix) return null;
  const attempt = tried.value.get(fixKey(fix));
  const blocked = running.value || stale.value;
  const { title, labels } = name(variants);
  return (
    <article class="card fix" aria-label={title}>
      <h4 class="fix-title">{title}</h4>
      {variants.length > 1 && (
        <fieldset class="variants">
          <legend class="sr-only">Variant of: {title}</legend>
          {labels.map((label, index) => (
            <label key={label} class="variant">
              <input
                type="radio"
                name={`variant-${fix.id}`}
                checked={index === chosen}
                onChange={() => setChosen(index)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="fix-summary">
        <Prose text={fix.summary} />
      </p>
      <Diff fix={fix} />
      {attempt === "running" && <p class="hint">Comparing its gradient with finite differences…</p>}
      {attempt !== undefined && attempt !== "running" && <CheckLine check={attempt} />}
      {attempt === undefined && fix.check && <CheckLine check={fix.check} />}
      <div class="fix-actions">
        <button
          type="button"
          class="button button-primary"
          disabled={blocked}
          onClick={() => void controller.applyFix(fix)}
        >
          Apply and run
        </button>
        <button
          type="button"
          class="button"
          disabled={running.value || attempt === "running"}
          onClick={() => void controller.tryFix(fix)}
        >
          Check again
        </button>
      </div>
    </article>
  );
}

/** "Give it a derivative: zero" and its sisters have one title, and a label each. */
function name(variants: readonly Fix[]): { title: string; labels: string[] } {
  const titles = variants.map(({ title }) => title);
  const [first = ""] = titles;
  const prefix = first.slice(0, first.indexOf(": ") + 2);
  if (titles.length > 1 && prefix !== "" && titles.every((title) => title.startsWith(prefix))) {
    return {
      title: prefix.slice(0, -2),
      labels: titles.map((title) => title.slice(prefix.length)),
    };
  }
  return { title: first, labels: variants.map(({ variant, title }) => variant ?? title) };
}

const signs = { same: " ", added: "+", removed: "−" } as const;

function Diff({ fix }: { readonly fix: Fix }) {
  const source = run.value.kind === "done" ? run.value.source : "";
  const lines = diffLines(source, fix.source);
  return (
    <div class="diff" role="region" aria-label={`Edit of ${fix.title}`} tabIndex={0}>
      {lines.map(({ kind, text }, index) =>
        kind === "gap" ? (
          <div key={index} class="diff-gap" aria-hidden="true">
            ⋯
          </div>
        ) : (
          <div key={index} class={`diff-line diff-${kind}`}>
            <span class="diff-sign">{signs[kind]}</span>
            {kind !== "same" && <span class="sr-only">{kind}: </span>}
            <code>{text === "" ? " " : text}</code>
          </div>
        ),
      )}
    </div>
  );
}
