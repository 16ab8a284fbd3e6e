import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { ReadingTally } from "../../src/host/embedded/recorded-facts.ts";
import { count } from "../../src/job/text/sentence.ts";

/** Throws CommandFailure for recordings that may lack events. All other events were read. */
export function failForGaps({ gaps = 0 }: ReadingTally): void {
  if (gaps === 0) return;
  throw new CommandFailure(
    3,
    `The recordings have ${count(gaps, "gap")}: events may be missing there, and answers say so. Everything else was ` +
      "read. Record again if you need the rest.",
  );
}
