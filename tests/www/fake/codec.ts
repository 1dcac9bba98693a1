/** Stands in for the link codec: plain base64url of JSON. For the tests of the page alone. */
import type { DecodedLink, Program } from "../../../www/share/codec";

export function encodeLink(program: Program): string {
  const bytes = new TextEncoder().encode(JSON.stringify(program));
  return `0${btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "")}`;
}

export function decodeLink(fragment: string): DecodedLink {
  try {
    if (!fragment.startsWith("0")) throw new Error("not ours");
    const binary = atob(fragment.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return { ok: true, program: JSON.parse(new TextDecoder().decode(bytes)) as Program };
  } catch {
    return { ok: false, reason: "it is damaged.", kind: "damaged" };
  }
}
