/** Reads single fields of what comes out of the sandbox; each throws Unfit for what is not as it must be. */

export type Fields = Readonly<Record<string, unknown>>;

/** Thrown for a field that is not what it must be; caught where the packet is read. */
export class Unfit extends Error {}

export function record(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unfit();
  return value as Fields;
}

export function optional<T>(value: unknown, read: (fields: Fields) => T): T | null {
  return value === null || value === undefined ? null : read(record(value));
}

export function list<T>(value: unknown, limit: number, read: (fields: Fields) => T): T[] {
  if (!Array.isArray(value) || value.length > limit) throw new Unfit();
  return value.map((entry) => read(record(entry)));
}

/** Numbers of a series; JSON has no NaN or infinity and writes null for them. */
export function numbers(value: unknown, limit: number): number[] {
  if (!Array.isArray(value) || value.length > limit) throw new Unfit();
  return value.map((entry) => (entry === null ? Number.NaN : number(entry)));
}

export function text(value: unknown, limit: number): string {
  if (typeof value !== "string") throw new Unfit();
  return value.length <= limit ? value : `${value.slice(0, limit)}… (cut)`;
}

export function number(value: unknown): number {
  if (typeof value !== "number") throw new Unfit();
  return value;
}

export function natural(value: unknown, limit: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > limit)
    throw new Unfit();
  return value;
}

export function flag(value: unknown): boolean {
  if (typeof value !== "boolean") throw new Unfit();
  return value;
}
