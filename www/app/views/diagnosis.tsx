/** What went wrong, where, why, and what to do; and the checks of every custom rule. */
import type { Diagnosis, JaxprView, LeafRow, Span } from "../../lib/report";
import { pane, report, run, stale, text, view } from "../state/state";
import { useTools } from "../ui/context";
import { Icon } from "../ui/icons";
import { AppliedCard } from "./applied";
import { Fixes } from "./fixes";
import { Prose } from "./prose";
import { RuleChecks } from "./rules";

export function DiagnosisView() {
  const seen = report.value;
  return (
    <div class="view-scroll">
      <AppliedCard />
      {stale.value && seen && <p class="stale">From an earlier text of the program.</p>}
      {!seen && <NoReport />}
      {seen?.error && <Failure error={seen.error} jaxpr={seen.jaxpr} />}
      {seen?.ok && (
        <p class="check check-pass">
          <Icon name="pass" />
          The program ran without an error.
        </p>
      )}
      {seen && <RuleChecks checks={seen.ruleChecks} />}
    </div>
  );
}

function NoReport() {
  const state = run.value;
  if (state.kind === "crashed") {
    return (
      <section class="card card-error" aria-label="Engine failure">
        <h2 class="diagnosis-title">
          <Icon name="fail" />
          The engine failed. This is a fault of ours, not of your program.
        </h2>
        <p>
          Your text is safe. The next run starts on a fresh engine. If it happens again, please
          report it with Share, Copy Markdown issue.
        </p>
        <pre class="message">{state.detail}</pre>
      </section>
    );
  }
  return <p class="hint">When a run fails, this says what happened, where, and how to mend it.</p>;
}

function Failure({
  error,
  jaxpr,
}: {
  readonly error: Diagnosis;
  readonly jaxpr: JaxprView | null;
}) {
  return (
    <>
      <section class="card card-error" aria-label="Error">
        <h2 class="diagnosis-title">
          <Icon name="fail" />
          {error.class}
          {error.primitive && <code class="chip">{error.primitive}</code>}
        </h2>
        <pre class="message">{error.message}</pre>
        {error.span && <Place span={error.span} />}
      </section>
      {error.explanation !== "" && (
        <div class="explanation">
          {error.explanation.split(/\n\n+/).map((paragraph, index) => (
            <p key={index}>
              <Prose text={paragraph} />
            </p>
          ))}
        </div>
      )}
      <Chain error={error} />
      <FailingEquation error={error} jaxpr={jaxpr} />
      {error.table.length > 0 && <LeafTable rows={error.table} caption="Leaf by leaf" />}
      <Fixes fixes={error.fixes} />
    </>
  );
}

/** The failing line with the call underlined; it leads to the source. */
function Place({ span }: { readonly span: Span }) {
  const { controller } = useTools();
  const source = run.value.kind === "done" ? run.value.source : text.value;
  const line = source.split("\n")[span.line - 1] ?? "";
  const indent = line.length - line.trimStart().length;
  const from = Math.max(indent, span.column - 1);
  const to = span.endLine === span.line ? span.endColumn - 1 : line.length;
  return (
    <button type="button" class="place" onClick={() => controller.goTo(span)}>
      <span class="place-where">
        line {span.line}, column {span.column}
      </span>
      <code>
        {line.slice(indent, from)}
        <mark>{line.slice(from, to)}</mark>
        {line.slice(to)}
      </code>
    </button>
  );
}

function Chain({ error }: { readonly error: Diagnosis }) {
  const { controller } = useTools();
  if (error.chain.length === 0) return null;
  return (
    <section aria-label="Chain of transforms">
      <h3 class="section-title">On the way</h3>
      <ol class="chain">
        {error.chain.map(({ transform, span, line, text: words }, index) => (
          <li key={index}>
            {!words.startsWith(`\`${transform}\``) && <code class="chip">{transform}</code>}
            <span class="chain-text">
              <Prose text={words.replace(/ at line \d+$/, "")} />
            </span>
            {span ? (
              <button type="button" class="jump" onClick={() => controller.goTo(span)}>
                line {span.line}
              </button>
            ) : (
              line !== null && <span class="chain-line">line {line}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function FailingEquation({
  error,
  jaxpr,
}: {
  readonly error: Diagnosis;
  readonly jaxpr: JaxprView | null;
}) {
  const equation = jaxpr?.equations.find(({ id }) => id === error.equation);
  if (!jaxpr || !equation) return null;
  const show = () => {
    view.value = "jaxpr";
    pane.value = "jaxpr";
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".equation-failing")?.focus());
  };
  return (
    <section aria-label="Failing equation">
      <h3 class="section-title">The equation</h3>
      <button type="button" class="place" onClick={show}>
        <span class="place-where">in the jaxpr</span>
        <code>{oneLine(jaxpr.text.slice(equation.from, equation.to))}</code>
      </button>
    </section>
  );
}

/** An equation on one line: what it holds inside is for the jaxpr view. */
function oneLine(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}

export function LeafTable({
  rows,
  caption,
}: {
  readonly rows: readonly LeafRow[];
  readonly caption: string;
}) {
  return (
    <div class="table-box" role="region" aria-label={caption} tabIndex={0}>
      <table class="leaves">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Leaf</th>
            <th scope="col">Expected</th>
            <th scope="col">Got</th>
            <th scope="col">Same</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, expected, got, ok }, index) => (
            <tr key={index} class={ok ? "" : "leaf-wrong"}>
              <th scope="row">
                <code>{path === "" ? "(whole)" : path}</code>
              </th>
              <td>
                <code>{expected}</code>
              </td>
              <td>
                <code>{got}</code>
              </td>
              <td class={ok ? "check-pass" : "check-fail"}>
                <Icon name={ok ? "pass" : "fail"} />
                {ok ? "yes" : "no"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
