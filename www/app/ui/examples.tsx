/** The list of examples and of the reader's own drafts. */
import { useState } from "preact/hooks";
import { openDraft, openExample } from "../state/documents";
import { examples } from "../state/examples";
import { language } from "../state/state";
import { deleteDraft, listDrafts } from "../state/storage";
import { Menu } from "./menu";

export function ExamplesMenu() {
  return (
    <Menu label="Examples" panelLabel="Examples and drafts">
      {(close) => <ExampleList close={close} />}
    </Menu>
  );
}

function ExampleList({ close }: { readonly close: () => void }) {
  const [wanted, setWanted] = useState("");
  const [drafts, setDrafts] = useState(() => listDrafts().slice(0, 12));
  const words = wanted.toLowerCase().split(/\s+/);
  const found = examples[language.value].value.filter(({ title, shows, source }) => {
    const haystack = `${title} ${shows} ${source}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const pick = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <>
      <input
        class="menu-search"
        type="search"
        placeholder="Search examples"
        aria-label="Search examples"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <ul class="menu-list">
        {found.map(({ id, title, shows }) => (
          <li key={id}>
            <button type="button" class="menu-item" data-item onClick={pick(() => openExample(id))}>
              <span class="menu-title">{title}</span>
              <span class="menu-note">{shows}</span>
            </button>
          </li>
        ))}
        {wanted === "" && (
          <li>
            <button
              type="button"
              class="menu-item"
              data-item
              onClick={pick(() => openDraft(language.value, "", null))}
            >
              <span class="menu-title">Start empty</span>
              <span class="menu-note">What you have now is kept among your drafts.</span>
            </button>
          </li>
        )}
        {found.length === 0 && <li class="menu-empty">No example has these words.</li>}
      </ul>
      {drafts.length > 0 && (
        <>
          <h2 class="menu-heading">Your drafts in this browser</h2>
          <ul class="menu-list">
            {drafts.map(({ key, language: of, source, example, savedAt }) => (
              <li key={key} class="menu-row">
                <button
                  type="button"
                  class="menu-item"
                  data-item
                  onClick={pick(() => openDraft(of, source, example))}
                >
                  <span class="menu-title">{draftTitle(source)}</span>
                  <span class="menu-note">
                    {of === "py" ? "Python, " : ""}
                    {new Date(savedAt).toLocaleString()}
                  </span>
                </button>
                <button
                  type="button"
                  class="menu-delete"
                  aria-label={`Delete the draft ${draftTitle(source)}`}
                  onClick={() => {
                    deleteDraft(key);
                    setDrafts(drafts.filter((draft) => draft.key !== key));
                  }}
                >
                  Delete
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The first line with something to say: a comment's words, or code that is not an import. */
function draftTitle(source: string): string {
  const lines = source.split("\n", 40).map((line) => line.replace(/^\s*(\/\/|#)\s*/, "").trim());
  const line = lines.find((text) => text !== "" && !/^(import|from) /.test(text));
  return line ? line.slice(0, 60) : "Empty";
}
