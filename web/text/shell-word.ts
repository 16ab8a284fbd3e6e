/**
 * A word of a shell, in quotes if necessary. Control characters are escaped ($'...' of bash, zsh and POSIX 2024).
 * Pasted as they are, they can end the quotes of a terminal's paste, and what follows them runs as a command.
 */
export function shellWord(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  if (!UNPRINTABLE.test(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${Array.from(word, escaped).join("")}'`;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A character as its UTF-8 bytes in three octal digits, so that following digits do not belong to it. */
function escaped(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  if (!UNPRINTABLE.test(character)) return character;
  return Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
