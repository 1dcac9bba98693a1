/** The bar at the top: run and stop, examples, share, theme, shortcuts. */
import type { Language } from "../../sandbox/protocol";
import { PYTHON_SIZE } from "../run/python";
import { switchLanguage } from "../state/documents";
import { dialog, engineReady, language, running, safeMode } from "../state/state";
import { cycleTheme, THEME_WORDS, theme } from "../state/theme";
import { useTools } from "./context";
import { ExamplesMenu } from "./examples";
import { Icon } from "./icons";
import { ShareMenu } from "./share";

export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

export function Toolbar() {
  return (
    <header class="toolbar">
      <h1 class="brand">
        <svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path class="brand-forward" d="M3 18C8 18 8 6 14 6h6" />
          <path class="brand-back" d="M21 18h-5c-6 0-6-12-13-12" />
        </svg>
        <span class="brand-name">Cotangent</span>
      </h1>
      <LanguageSwitch />
      <RunButton />
      <ExamplesMenu />
      <ShareMenu />
      <span class="toolbar-gap" />
      <button
        type="button"
        class="button button-quiet"
        onClick={cycleTheme}
        title="Theme: system, light, dark"
      >
        <Icon name="theme" />
        <span class="button-text wide-only">{THEME_WORDS[theme.value]}</span>
        <span class="sr-only">theme; change it</span>
      </button>
      <button
        type="button"
        class="button button-quiet wide-only"
        onClick={() => (dialog.value = "shortcuts")}
      >
        <Icon name="keys" />
        <span class="button-text">Keys</span>
      </button>
    </header>
  );
}

/** JavaScript or Python; Python is fetched when it is first chosen. */
function LanguageSwitch() {
  const { controller } = useTools();
  const choose = (to: Language) => {
    void switchLanguage(to);
    if (to === "py" && !safeMode) controller.preparePython();
  };
  if (PYTHON_SIZE === 0) return null;
  return (
    <fieldset class="switch">
      <legend class="sr-only">Language</legend>
      {LANGUAGES.map(({ id, name, short, title }) => (
        <label key={id} class="switch-choice" title={title}>
          <input
            type="radio"
            class="sr-only"
            name="language"
            value={id}
            checked={language.value === id}
            onChange={() => choose(id)}
          />
          <span class="wide-only">{name}</span>
          <span class="phone-only" aria-hidden="true">
            {short}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const LANGUAGES = [
  { id: "js", name: "JavaScript", short: "JS", title: "Programs in JavaScript" },
  {
    id: "py",
    name: "Python",
    short: "Py",
    title: `Programs in Python (${Math.ceil(PYTHON_SIZE / 1_000_000)} MB, loaded once)`,
  },
] as const;

export function RunButton({ large = false }: { readonly large?: boolean }) {
  const { controller } = useTools();
  const size = large ? " button-large" : "";
  if (running.value) {
    return (
      <button type="button" class={`button button-stop${size}`} onClick={() => controller.stop()}>
        <Icon name="stop" />
        <span class="button-text">Stop</span>
      </button>
    );
  }
  return (
    <button
      type="button"
      class={`button button-run${size}`}
      disabled={safeMode}
      title={
        engineReady.value
          ? `Run (${MOD} Enter)`
          : "The engine is starting; the run begins when it has"
      }
      onClick={() => void controller.run()}
    >
      <Icon name="run" />
      <span class="button-text">Run</span>
    </button>
  );
}
