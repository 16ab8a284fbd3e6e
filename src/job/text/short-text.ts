import { terminalText } from "./terminal-text.ts";

const MAX_LENGTH = 300;

/** Text from a cluster as messages and agents get it: one line without control characters, at most 300 long. */
export function shortText(long: string, most = MAX_LENGTH): string {
  const line = terminalText(long);
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
