/** The outcome of a comparison with finite differences: icon, word and number. */
import type { Check } from "../../lib/report";
import { Icon } from "../ui/icons";

const words = {
  pass: "Agrees with finite differences",
  fail: "Disagrees with finite differences",
  skipped: "Not compared with finite differences",
} as const;
const icons = { pass: "pass", fail: "fail", skipped: "skip" } as const;

export function CheckLine({ check }: { readonly check: Check }) {
  const worst = check.maxRelativeError;
  return (
    <div class={`check check-${check.status}`}>
      <Icon name={icons[check.status]} />
      <div>
        <strong>{words[check.status]}</strong>
        {worst !== null && (
          <span class="check-number">, largest relative error {worst.toExponential(1)}</span>
        )}
        {check.detail !== "" && <span class="check-detail">{check.detail}</span>}
      </div>
    </div>
  );
}
