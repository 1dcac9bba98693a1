/** The border between editor and views: dragged, or moved with the arrow keys. */
import { useState } from "preact/hooks";
import { readSetting, writeSetting } from "../state/storage";

const LEAST = 25;
const MOST = 75;

export function Splitter() {
  const [share, setShare] = useState(() => clamp(Number(readSetting("split") ?? 52)));
  document.documentElement.style.setProperty("--split", `${share}%`);

  const move = (to: number) => {
    setShare(clamp(to));
    writeSetting("split", String(clamp(to)));
  };
  const onPointerMove = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      move((100 * event.clientX) / innerWidth);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -4, ArrowRight: 4 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(share + step);
  };
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the editor"
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(MOST, Math.max(LEAST, share)) : 52;
}
