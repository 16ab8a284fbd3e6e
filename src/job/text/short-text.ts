import { terminalText } from "./terminal-text.ts";

const MAX_LENGTH = 300;

/**
 * Text from a cluster as messages and agents get it: one line without control characters, at most 300 long. It has no
 * half of a surrogate pair: strict parsers of JSON would refuse the whole answer.
 */
export function shortText(long: string, most = MAX_LENGTH): string {
  const line = terminalText(long).toWellFormed();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .replace(HALF_PAIR, "")
        .trimEnd()}…`;
}

const HALF_PAIR = /[\uD800-\uDBFF]$/;
