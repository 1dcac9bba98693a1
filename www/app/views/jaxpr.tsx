/**
 * The jaxpr. Every equation can be focused; pointing at one, with the pointer or by keyboard, marks
 * its source, and pointing at the source marks its equations.
 */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JaxprView as Jaxpr } from "../../lib/report";
import { pointed, report, run, stale } from "../state/state";
import { useTools } from "../ui/context";
import { Icon } from "../ui/icons";
import { type Piece, pieces, tokens } from "./jaxpr-text";

export function JaxprView() {
  const jaxpr = report.value?.jaxpr ?? null;
  if (!jaxpr || jaxpr.text === "") {
    const ran = run.value.kind === "done";
    return (
      <div class="view-scroll">
        <p class="hint">
          {ran
            ? "This run traced no function, so there is no jaxpr. Transforms such as grad and jit make one."
            : "Run a program that uses grad, jit or another transform to see its jaxpr here."}
        </p>
      </div>
    );
  }
  return <JaxprText jaxpr={jaxpr} failing={report.value?.error?.equation ?? null} />;
}

function JaxprText({ jaxpr, failing }: { readonly jaxpr: Jaxpr; readonly failing: number | null }) {
  const { controller } = useTools();
  const all = useMemo(() => pieces(jaxpr), [jaxpr]);
  const list = useRef<HTMLDivElement>(null);
  const ids = all.flatMap(({ equation }) => (equation === null ? [] : [equation]));
  const [active, setActive] = useState(failing ?? ids[0] ?? -1);
  const spanOf = (id: number) =>
    jaxpr.equations.find((equation) => equation.id === id)?.span ?? null;

  useEffect(() => {
    list.current?.querySelector(".equation-failing")?.scrollIntoView({ block: "center" });
  }, [jaxpr]);

  const onKeyDown = (event: KeyboardEvent) => {
    const at = ids.indexOf(active);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: ids.length - 1,
    };
    const to = moves[event.key];
    const span = spanOf(active);
    if (to !== undefined) {
      event.preventDefault();
      const next = ids[Math.max(0, Math.min(ids.length - 1, to))];
      list.current?.querySelector<HTMLElement>(`[data-equation="${next}"]`)?.focus();
    } else if ((event.key === "Enter" || event.key === " ") && span) {
      event.preventDefault();
      controller.goTo(span);
    }
  };

  const equation = (piece: Piece, id: number): JSX.Element => {
    const span = spanOf(id);
    const failed = id === failing;
    const classes = [
      "equation",
      failed && "equation-failing",
      pointed.value.has(id) && "equation-pointed",
    ];
    return (
      <span
        key={piece.from}
        class={classes.filter(Boolean).join(" ")}
        data-equation={id}
        role="button"
        tabIndex={id === active ? 0 : -1}
        onFocus={() => {
          setActive(id);
          controller.point(span, true);
        }}
        onBlur={() => controller.point(null)}
        onMouseEnter={() => controller.point(span)}
        onMouseLeave={() => controller.point(null)}
        onClick={() => span && controller.goTo(span)}
      >
        {failed && (
          <span class="equation-flag">
            <Icon name="fail" />
            failed here
          </span>
        )}
        <Tokens text={piece.text} />
        {span && <span class="equation-line">line {span.line}</span>}
      </span>
    );
  };

  return (
    <div class="view-scroll">
      {stale.value && <p class="stale">From an earlier text of the program.</p>}
      <div
        class="jaxpr"
        ref={list}
        role="group"
        aria-label="Jaxpr, arrow keys move between equations"
        onKeyDown={onKeyDown}
      >
        {all.map((piece) =>
          piece.equation === null ? (
            <Tokens key={piece.from} text={piece.text} />
          ) : (
            equation(piece, piece.equation)
          ),
        )}
      </div>
      <p class="hint jaxpr-hint">
        Point at an equation to see its source; Enter or a click goes there.
      </p>
    </div>
  );
}

function Tokens({ text }: { readonly text: string }) {
  return (
    <>
      {tokens(text).map(({ kind, text: part }, index) =>
        kind === null ? (
          part
        ) : (
          <span key={index} class={`token-${kind}`}>
            {part}
          </span>
        ),
      )}
    </>
  );
}
