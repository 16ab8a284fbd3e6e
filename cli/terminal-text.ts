/**
 * Text from a cluster as a terminal may see it: control characters, which could move the cursor, retitle the window or hide what
 * follows, are replaced, and so are the marks that turn the direction of writing around.
 */
export function terminalText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    /[\t\n]/.test(character) ? " " : "\ufffd",
  );
}
