/** A button with a panel under it that closes on Escape, on a click elsewhere, and when focus leaves. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

export interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly panelLabel: string;
  readonly align?: "left" | "right";
  /** Called with a function that closes the panel. */
  readonly children: (close: () => void) => ComponentChildren;
  /** Opens the panel from outside, by a change of this number. */
  readonly openSignal?: number;
}

export function Menu({
  label,
  icon,
  panelLabel,
  align = "left",
  children,
  openSignal = 0,
}: MenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (openSignal > 0) setOpen(true);
  }, [openSignal]);

  useEffect(() => {
    if (!open) return;
    const first = box.current?.querySelector<HTMLElement>(
      ".menu-panel :is(button, input, textarea)",
    );
    first?.focus();
    const outside = (event: Event) => {
      if (!event.composedPath().includes(box.current as EventTarget)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) {
      event.stopPropagation();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      moveFocus(event, box.current);
    }
  };

  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="button"
        ref={button}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {icon && <Icon name={icon} />}
        <span class="button-text">{label}</span>
        <Icon name="down" />
      </button>
      {open && (
        <div class={`menu-panel menu-${align}`} id={id} role="group" aria-label={panelLabel}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent, box: HTMLElement | null): void {
  const items = [...(box?.querySelectorAll<HTMLElement>(".menu-panel [data-item]") ?? [])];
  if (items.length === 0) return;
  event.preventDefault();
  const at = items.indexOf(document.activeElement as HTMLElement);
  const step = event.key === "ArrowDown" ? 1 : -1;
  items[(at + step + items.length) % items.length]?.focus();
}
