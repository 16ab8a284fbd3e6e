import type { JobName } from "../shell/route.ts";

/** The commands that show the same as the Job's page. */
export function jobCommands({ cluster, namespace, name, uid }: JobName, server: string): readonly string[] {
  const job = `${quoted(`job/${name}`)} -n ${quoted(namespace)} --cluster ${quoted(cluster)}`;
  const at = ` --server ${quoted(server)}`;
  return [
    `outlive get ${job}${uid === undefined ? "" : ` --uid ${quoted(uid)}`} -o yaml${at}`,
    `outlive why ${job}${at}`,
    `outlive pods ${job}${at}`,
    `outlive history ${job}${at}`,
    `outlive wait ${job} --for=finished${at}`,
  ];
}

/**
 * A word of a shell, in quotes if necessary. Control characters are escaped ($'...' of bash, zsh and POSIX 2024).
 * Pasted as they are, they can end the quotes of a terminal's paste, and what follows them runs as a command.
 */
function quoted(word: string): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word;
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
