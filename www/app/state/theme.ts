/** Light, dark, or as the system is. */
import { signal } from "@preact/signals";
import { readSetting, writeSetting } from "./storage";

export type Theme = "system" | "light" | "dark";

const order: readonly Theme[] = ["system", "light", "dark"];
export const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};

const stored = readSetting("theme");
export const theme = signal<Theme>(order.find((name) => name === stored) ?? "system");

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset.theme;
  else dataset.theme = theme.value;
}

export function cycleTheme(): void {
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
  writeSetting("theme", theme.value);
  applyTheme();
}
