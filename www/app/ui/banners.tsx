/** What the page has to say above the editor: links, safe mode, long runs. One line each. */
import type { ComponentChildren } from "preact";
import { describeExpectation } from "../../share/expect";
import { dropFragment, openDraft, openExample, resettable } from "../state/documents";
import { verify } from "../state/share";
import { brokenLink, linked, longRun, origin, python, safeMode, text } from "../state/state";
import { listDrafts } from "../state/storage";
import { useTools } from "./context";
import { Icon } from "./icons";
import { RunButton } from "./toolbar";

export function Banners() {
  return (
    <>
      {safeMode && <SafeBanner />}
      <BrokenLinkBanner />
      <LinkBanner />
      <PythonBanner />
      <LongRunBanner />
    </>
  );
}

interface BannerProps {
  readonly tone: "info" | "warn" | "error" | "good";
  readonly label: string;
  readonly children: ComponentChildren;
}

function Banner({ tone, label, children }: BannerProps) {
  return (
    <section class={`banner banner-${tone}`} aria-label={label}>
      {children}
    </section>
  );
}

function SafeBanner() {
  return (
    <Banner tone="warn" label="Safe mode">
      <p>Safe mode: programs are shown but not run.</p>
      <a class="button button-small" href={location.pathname + location.hash}>
        Leave safe mode
      </a>
    </Banner>
  );
}

function BrokenLinkBanner() {
  if (brokenLink.value === null) return null;
  return (
    <Banner tone="error" label="Broken link">
      <Icon name="fail" />
      <p>{brokenLink.value} Your own text is unchanged.</p>
      <button type="button" class="button button-small" onClick={dropFragment}>
        Dismiss
      </button>
    </Banner>
  );
}

function LinkBanner() {
  const link = linked.value;
  if (!link) return null;
  const verdict = verify();
  const expected = link.program.expect;
  const own = listDrafts()[0];
  const longest = Math.max(...link.program.source.split("\n").map((line: string) => line.length));
  return (
    <Banner tone={verdict ? (verdict.holds ? "good" : "warn") : "info"} label="Program from a link">
      <div class="banner-words">
        {!link.run && (
          <p>
            <strong>From a link, not run yet.</strong> Somebody else may have written it.
          </p>
        )}
        {verdict === null && link.run && <p>From a link. Somebody else may have written it.</p>}
        {verdict?.holds === true && (
          <p>
            <Icon name="pass" /> <strong>Still reproduces</strong> what the link's author saw.
          </p>
        )}
        {verdict?.holds === false && (
          <p>
            <Icon name="fail" /> <strong>No longer reproduces:</strong> got{" "}
            <code>{short(verdict.got)}</code>
          </p>
        )}
        {expected && verdict?.holds !== true && (
          <p class="banner-note">
            Its author saw <code>{short(describeExpectation(expected))}</code>
            {link.program.engine !== __ENGINE_VERSION__ && ` with version ${link.program.engine}`}
          </p>
        )}
        {longest > 400 && (
          <p class="banner-note">
            One of its lines is {longest.toLocaleString("en")} characters long.
          </p>
        )}
      </div>
      {!link.run && <RunButton large />}
      {own && own.source !== link.program.source && (
        <button
          type="button"
          class="button button-small"
          onClick={() => openDraft(own.language, own.source, own.example)}
        >
          Back to my draft
        </button>
      )}
    </Banner>
  );
}

/** How far the download of Python has come. It is a matter of seconds on most lines, once. */
function PythonBanner() {
  const { controller } = useTools();
  const state = python.value;
  if (state.kind === "failed") {
    return (
      <Banner tone="error" label="Python">
        <Icon name="fail" />
        <p>Python could not be loaded. Is the network there?</p>
        <button
          type="button"
          class="button button-small"
          onClick={() => controller.preparePython()}
        >
          Try again
        </button>
      </Banner>
    );
  }
  if (state.kind !== "loading") return null;
  return (
    <Banner tone="info" label="Python">
      <label class="loading">
        <span>
          Loading Python, once: {megabytes(state.received)} of {megabytes(state.total)} MB
        </span>
        <progress max={state.total} value={state.received} />
      </label>
    </Banner>
  );
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function LongRunBanner() {
  const { controller } = useTools();
  if (!longRun.value) return null;
  return (
    <Banner tone="warn" label="Long run">
      <p>The program has been running for a while. What it printed so far stays.</p>
      <button type="button" class="button button-small" onClick={() => controller.stop()}>
        Stop
      </button>
      <button type="button" class="button button-small" onClick={() => controller.keepGoing()}>
        Keep going
      </button>
    </Banner>
  );
}

/** The reset button stands with the editor's title. */
export function ResetButton() {
  const example = resettable();
  if (text.value === "" && origin.value.kind !== "draft") return null;
  if (example === null) return null;
  return (
    <button type="button" class="jump" onClick={() => openExample(example)}>
      Reset to the example
    </button>
  );
}

function short(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
