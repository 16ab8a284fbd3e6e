/** Bounds of a JSON text, checked before it is parsed. */
export interface JsonBounds {
  /** Nested objects and arrays. */
  readonly depth: number;
  /** Objects and arrays in total: each needs far more memory than its two characters. */
  readonly containers: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Whether a JSON text is within the bounds. Needs one pass and no memory. JSON.parse of 10 MB of `[` takes seconds, and
 * of 16 MB all memory.
 */
export function isWithinBounds(bytes: Uint8Array, { depth, containers }: JsonBounds): boolean {
  let open = 0;
  let total = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open += 1;
      total += 1;
      if (open > depth || total > containers) return false;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open -= 1;
  }
  return true;
}

/** The position of the closing quote of the text that begins at `from`. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
