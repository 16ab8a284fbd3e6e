import { createHash } from "node:crypto";

/** The same seed gives the same history. */
const SEED = "outlive demo 1";

/** A number in [0, 1) for a name: the same one, in whatever order numbers are drawn. */
export function drawn(name: string): number {
  return hash(name).readUInt32BE() / 2 ** 32;
}

/** A number between two others. */
export function drawnBetween(low: number, high: number, name: string): number {
  return low + (high - low) * drawn(name);
}

export function drawnUid(name: string): string {
  const hex = hash(`uid ${name}`).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function hash(text: string): Buffer {
  return createHash("sha256").update(`${SEED} ${text}`).digest();
}
