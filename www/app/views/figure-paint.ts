/** The colours of a figure in both themes. */
import type { FigureColor } from "../../lib/figure";

/** The luminance of the dark theme's ground, and the contrast that is the least to be seen on it. */
const DARK_GROUND = 0.014;
const LEAST_CONTRAST = 3;

/** A colour as a value of `fill` or `stroke`. A role is a variable of the theme. */
export function paint(color: FigureColor | null, exact: boolean): string {
  if (color === null) return "none";
  if (!color.startsWith("#")) return `var(--figure-${color})`;
  if (exact) return color;
  const lifted = lift(color);
  return lifted === color ? color : `light-dark(${color}, ${lifted})`;
}

/** The same hue, light enough for the dark ground. */
function lift(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = channels.map((channel) => Math.round(channel + (255 - channel) * share));
    if ((luminance(mixed) + 0.05) / (DARK_GROUND + 0.05) >= LEAST_CONTRAST)
      return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  }
  return "#ffffff";
}

/** Relative luminance of an sRGB colour, as the contrast of WCAG has it. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
