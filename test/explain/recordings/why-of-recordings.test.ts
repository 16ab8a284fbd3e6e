import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_HEADLINE_WORDS } from "../../../src/explain/headline/line-of.ts";
import { recordingsFolder, sharedRecording, skipWithoutShared } from "../../support/recordings/real-recordings.ts";
import { groupAlike, type LikeTexts, whyTextsOf } from "../../support/recordings/why-texts.ts";

const isAbsent = skipWithoutShared(["mixed-2000.ndjson.gz", "pod-gc-ate-success.ndjson.gz"]);

/** The recordings of control planes without their audit logs. The capture of a raw watch protocol is not one. */
const files = readdirSync(recordingsFolder)
  .filter((file) => /^[a-z0-9-]+\.ndjson(\.gz)?$/.test(file) && !file.startsWith("watch-protocol"))
  .toSorted();

/** The most Jobs of a group that its heading names. */
const MAX_NAMES = 4;

function headingOf(file: string, { jobs }: LikeTexts): string {
  const more = jobs.length > MAX_NAMES ? [`${jobs.length - MAX_NAMES} more`] : [];
  const names = [...jobs.slice(0, MAX_NAMES), ...more].join(", ");
  return `# ${file}: ${jobs.length === 1 ? "" : `${jobs.length} Jobs: `}${names}`;
}

// One file that a reviewer reads as a person on call would: are the cause, the evidence and the remedy clear? It has
// the first Job of each group with similar answers.
describe.skipIf(isAbsent)("why, for every Job of the recordings of control planes", () => {
  it("is what was reviewed", { timeout: 240_000 }, async () => {
    const sections: string[] = [];
    for (const file of files) {
      const texts = await whyTextsOf(sharedRecording(file));
      for (const { headline } of texts) {
        expect(headline.split(" ").length, headline).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
      }
      sections.push(...groupAlike(texts).map((group) => `${headingOf(file, group)}\n\n${group.first.text}`));
    }
    await expect(sections.join("\n\n")).toMatchFileSnapshot("why-of-recordings.golden.md");
  });
});
