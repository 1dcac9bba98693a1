/** A JavaScript number as Python would print it where the two differ: `inf`, `nan`, `1e-07`, `1e+16`. */
export function python(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Object.is(x, -0)) return "-0.0";
  const magnitude = Math.abs(x);
  // Whole numbers are Python ints here, however large.
  if (Number.isInteger(x) && magnitude < 1e21) return BigInt(x).toString();
  if (magnitude < 1e-4 || magnitude >= 1e16) {
    return x.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return String(x);
}
