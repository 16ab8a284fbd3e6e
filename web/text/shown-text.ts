/** What is not seen, or makes what follows be seen in another order: controls, line separators and the marks that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** Text from a cluster with what cannot be seen made visible, as U+202E. */
export function shownText(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // The pictures of the C0 controls: U+2400 stands for U+0000.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}
