import type { Compared, DifferentJob } from "../../src/upkeep/replay/compare-projections.ts";
import { terminalText } from "../../src/job/text/terminal-text.ts";

/** The most Jobs that the text lists; JSON has all that were found. */
const MOST_SHOWN = 20;

/** Names the first Jobs about which two projections differ, with the fields. */
export function printDifferences({ different }: Pick<Compared, "different">): void {
  for (const job of different.slice(0, MOST_SHOWN)) process.stdout.write(linesOf(job));
}

const PROBLEMS: { readonly [Problem in DifferentJob["problem"]]: string } = {
  missing: "is missing from the other projection",
  additional: "is only in the other projection",
  answer: "has another answer",
  state: "has the same answer, from other stored facts",
  unreadable: "has an answer that cannot be read",
};

function linesOf({ cluster, namespace, name, uid, problem, fields }: DifferentJob): string {
  const job = terminalText(`${cluster}/${namespace}/${name}`);
  const lines = fields.map(({ path, live, other }) => `  ${path}: ${live} -> ${other}`);
  return [`${job} (${uid}) ${PROBLEMS[problem]}`, ...lines.map(terminalText), ""].join("\n");
}
