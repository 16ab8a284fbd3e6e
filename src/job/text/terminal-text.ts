/**
 * Characters that a terminal interprets or does not show: control characters, line separators, marks for the direction
 * of writing, zero-width characters, and tag characters. Two names that look the same may differ in them.
 */
const CONTROLS = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/** Text from a cluster on one line. Nothing in it can move the cursor, set the window title or hide text. */
export function terminalText(text: string): string {
  return replaceControls(text.replaceAll(/[\t\n]/g, " "));
}

/** Text of several lines. Keeps tabs and line breaks. */
export function replaceControls(text: string): string {
  return text.replaceAll(CONTROLS, (character) => (/[\t\n]/.test(character) ? character : "\ufffd"));
}

/** JSON text with control characters escaped, which does not change its meaning. Keeps its line breaks. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) =>
    character === "\n" ? character : character.split("").map(escapeUnit).join(""),
  );
}

/** The JSON escape of one UTF-16 code unit. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
