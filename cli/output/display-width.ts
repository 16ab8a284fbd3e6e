/** Columns of a text in a terminal: East Asian wide characters and emoji take two, combining marks none (UAX #11). */
export function displayWidth(text: string): number {
  // A fast path: most text is ASCII, and a table measures every cell.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...GRAPHEMES.segment(text)].reduce(
    (width, { segment }) => width + (WIDE.test(segment) ? 2 : ZERO.test(segment) ? 0 : 1),
    0,
  );
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE_RANGES = [
  "\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf\\uac00-\\ud7a3",
  "\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}",
].join("");
const WIDE = new RegExp(`[${WIDE_RANGES}]|\\p{Emoji_Presentation}`, "u");
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
