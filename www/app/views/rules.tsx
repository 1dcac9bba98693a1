/** Every custom rule of the program beside finite differences. */
import type { RuleCheck } from "../../lib/report";
import { useTools } from "../ui/context";
import { CheckLine } from "./check";
import { LeafTable } from "./diagnosis";

export function RuleChecks({ checks }: { readonly checks: readonly RuleCheck[] }) {
  const { controller } = useTools();
  if (checks.length === 0) return null;
  return (
    <section aria-label="Checks of custom rules">
      <h3 class="section-title">Custom rules, checked</h3>
      {checks.map(({ name, kind, span, check, rows }, index) => (
        <div class="card" key={index}>
          <h4 class="rule-title">
            <code class="chip">{kind}</code>
            <code>{name}</code>
            {span && (
              <button type="button" class="jump" onClick={() => controller.goTo(span)}>
                line {span.line}
              </button>
            )}
          </h4>
          <CheckLine check={check} />
          {rows.length > 0 && (
            <LeafTable rows={rows} caption={`${name}: finite differences and the rule`} />
          )}
        </div>
      ))}
    </section>
  );
}
