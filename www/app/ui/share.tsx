/** The Share menu: the link, the Markdown issue, and what is recorded with them. */
import { useState } from "preact/hooks";
import {
  type Download,
  issueMarkdown,
  linkTo,
  MAX_LINK,
  notebookFile,
  programToShare,
  sourceFile,
  WARN_LINK,
} from "../state/share";
import { language, report, stale, toast } from "../state/state";
import { Menu } from "./menu";

export const shareRequests = { count: 0, listener: (_count: number): void => undefined };

/** Opens the Share menu from the keyboard. */
export function requestShare(): void {
  shareRequests.count += 1;
  shareRequests.listener(shareRequests.count);
}

export function ShareMenu() {
  const [requests, setRequests] = useState(0);
  shareRequests.listener = setRequests;
  return (
    <Menu label="Share" icon="link" panelLabel="Share this program" openSignal={requests}>
      {(close) => <SharePanel close={close} />}
    </Menu>
  );
}

function SharePanel({ close }: { readonly close: () => void }) {
  const recordable = report.value !== null && !stale.value;
  const [record, setRecord] = useState(true);
  const [failed, setFailed] = useState<string | null>(null);
  const link = linkTo(programToShare(record && recordable));

  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast.value = { text: `${what} copied`, tone: "info" };
      close();
    } catch {
      // No permission: the text is shown, ready to be copied by hand.
      setFailed(text);
    }
  };

  const keep = (file: Download) => {
    save(file);
    toast.value = { text: `${file.name} saved`, tone: "info" };
    close();
  };

  const length = link.length;
  const tooLong = length > MAX_LINK;
  return (
    <div class="share">
      <button
        type="button"
        class="button button-primary"
        data-item
        disabled={tooLong}
        onClick={() => void copy(link, "Link")}
      >
        Copy link
      </button>
      <button
        type="button"
        class="button"
        data-item
        onClick={() => void copy(issueMarkdown(tooLong ? null : link), "Markdown")}
      >
        Copy Markdown issue
      </button>
      <button
        type="button"
        class="button"
        data-item
        onClick={() => void copy(sourceFile().content, "Program")}
      >
        Copy as .{language.value}
      </button>
      <button type="button" class="button" data-item onClick={() => keep(sourceFile())}>
        Save as .{language.value}
      </button>
      {language.value === "py" && (
        <button
          type="button"
          class="button"
          data-item
          onClick={() => keep(notebookFile(tooLong ? null : link))}
        >
          Save as .ipynb
        </button>
      )}
      <label class="share-record">
        <input
          type="checkbox"
          checked={record && recordable}
          disabled={!recordable}
          onChange={(event) => setRecord(event.currentTarget.checked)}
        />
        <span>
          Record what I see
          <span class="menu-note">
            {recordable
              ? "Whoever opens the link is told whether it still reproduces."
              : "Run the program first, then its result can be recorded."}
          </span>
        </span>
      </label>
      <p class="share-length">
        <meter
          aria-label="Length of the link"
          min={0}
          max={MAX_LINK}
          low={WARN_LINK}
          high={MAX_LINK}
          optimum={0}
          value={length}
        />
        {lengthNote(length)}
      </p>
      <p class="menu-note">
        The link holds the program itself, after the #. Nothing is sent to a server.
      </p>
      {failed !== null && (
        <label class="share-manual">
          The browser would not copy. Copy this by hand:
          <textarea
            readOnly
            rows={4}
            value={failed}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
      )}
    </div>
  );
}

/** Has the browser save a file. */
function save({ name, type, content }: Download): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function lengthNote(length: number): string {
  const count = `${length.toLocaleString("en")} characters`;
  if (length > MAX_LINK) return `${count}: too long for a link. Share the program as text.`;
  if (length > WARN_LINK) return `${count}: some chat programs cut links of this length.`;
  return `${count}: short enough for any chat.`;
}
