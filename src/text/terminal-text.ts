/**
 * What a terminal may obey: control characters, line separators, and the marks that turn the direction of writing
 * around.
 */
const CONTROLS = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text from a cluster on one line of a terminal: nothing in it can move the cursor, retitle the window or hide what
 * follows.
 */
export function terminalText(text: string): string {
  return replaceControls(text.replaceAll(/[\t\n]/g, " "));
}

/** Text of several lines: tabs and line breaks stay. */
export function replaceControls(text: string): string {
  return text.replaceAll(CONTROLS, (character) => (/[\t\n]/.test(character) ? character : "\ufffd"));
}

/** JSON text says the same with escapes; its own line breaks stay. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
