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
  // The detail may begin with the very words that stand in bold before it.
  const detail = check.detail.replace(/^(dis)?agrees with finite differences:?\s*/i, "");
  return (
    <div class={`check check-${check.status}`}>
      <Icon name={icons[check.status]} />
      <div>
        <strong>{words[check.status]}</strong>
        {worst !== null && (
          <span class="check-number">, largest relative error {worst.toExponential(1)}</span>
        )}
        {detail !== "" && <span class="check-detail">{detail}</span>}
      </div>
    </div>
  );
}
