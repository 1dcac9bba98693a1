/** The fixes of a diagnosis: what each does, its edit, and the buttons to check and apply it. */
import { useState } from "preact/hooks";
import type { Fix } from "../../lib/report";
import { run, running, stale, tried } from "../state/state";
import { useTools } from "../ui/context";
import { CheckLine } from "./check";
import { diffLines } from "./diff";

export function Fixes({ fixes }: { readonly fixes: readonly Fix[] }) {
  if (fixes.length === 0) return null;
  const groups = new Map<string, Fix[]>();
  for (const fix of fixes) groups.set(fix.title, [...(groups.get(fix.title) ?? []), fix]);
  return (
    <section aria-label="Fixes">
      <h3 class="section-title">Ways to mend it</h3>
      {stale.value && (
        <p class="hint">The text has changed since this run. Run again to apply a fix.</p>
      )}
      {[...groups].map(([title, variants]) => (
        <FixCard key={title} title={title} variants={variants} />
      ))}
    </section>
  );
}

function FixCard({
  title,
  variants,
}: {
  readonly title: string;
  readonly variants: readonly Fix[];
}) {
  const { controller } = useTools();
  const [chosen, setChosen] = useState(0);
  const fix = variants[chosen] ?? variants[0];
  if (!fix) return null;
  const attempt = tried.value.get(fix.id);
  const blocked = running.value || stale.value;
  return (
    <article class="card fix" aria-label={title}>
      <h4 class="fix-title">{title}</h4>
      {variants.length > 1 && (
        <fieldset class="variants">
          <legend class="sr-only">Variant of {title}</legend>
          {variants.map(({ id, variant }, index) => (
            <label key={id} class="variant">
              <input
                type="radio"
                name={`variant-${variants[0]?.id}`}
                checked={index === chosen}
                onChange={() => setChosen(index)}
              />
              <span>{variant ?? id}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="fix-summary">{fix.summary}</p>
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
          Check without applying
        </button>
      </div>
    </article>
  );
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
