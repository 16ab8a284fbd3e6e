/** Invisible or reordering characters: controls, line separators and bidirectional marks. */
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Text from a cluster with invisible characters written out, such as U+202E. */
export function shownText(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // The pictures of the C0 controls: U+2400 stands for U+0000.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}
