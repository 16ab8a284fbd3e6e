import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { comparisonSchema } from "../../../src/explain/compare/comparison-document.ts";
import { noLastGoodOf } from "../../../src/explain/compare/last-good-text.ts";
import {
  jobSubject,
  presentComparison,
  presentWithoutLastGood,
} from "../../../src/explain/compare/present-comparison.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { nightlyRun, type NightlyRun, sideOf } from "../../support/story/compared-story.ts";

function comparedWith(before: NightlyRun, after: NightlyRun) {
  const [good, bad] = [nightlyRun(0, before), nightlyRun(1, after)].map((story) => ({
    subject: jobSubject(answerOf(story)),
    side: sideOf(story),
  }));
  if (good === undefined || bad === undefined) throw new Error("There are two.");
  return presentComparison(good, bad, { chosen: "lastGood" });
}

describe("the answer about two runs", () => {
  it("names the settings that differ first", () => {
    const { answer } = comparedWith(
      {},
      { ended: "Failed", requests: { cpu: "500m", memory: "268435456" }, spec: { parallelism: 2 } },
    );
    expect(answer).toBe(
      "nightly-1 is Failed; nightly-0 of 2026-01-01T00:00:00Z is Complete. " +
        "Settings that differ: Request memory 256Mi (before: 512Mi) and spec.parallelism 2 (before: 1). " +
        "Whether images differ is unknown.",
    );
  });

  it("says that no recorded setting differs, and whether images are known", () => {
    expect(comparedWith({}, { ended: "Failed" }).answer).toContain(
      "No recorded setting differs. Whether images differ is unknown.",
    );
  });

  it("has each field once: as a difference, as equal or as unknown", () => {
    const comparison = comparedWith({}, { ended: "Failed" });
    expect(comparison.differences.map(({ title }) => title)).toEqual([
      "State",
      "Reason",
      "Cause",
      "Exit code",
      "Category of failures",
      "Finding LimitReached",
    ]);
    expect(comparison.differences[3]).toMatchObject({
      group: "outcome",
      before: { value: ["0"], text: "0" },
      after: { value: ["137 (OOMKilled)"] },
    });
    expect(comparison.unknown.find(({ kind }) => kind === "image")?.before).toEqual({
      text: "not recorded",
      unknown: "notRecorded",
    });
    expect(v.is(comparisonSchema, comparison)).toBe(true);
  });

  it("without a last good run says why", () => {
    const noLastGood = noLastGoodOf("noneCompleted", "of CronJob nightly");
    const answer = presentWithoutLastGood(jobSubject(answerOf(nightlyRun(0))), noLastGood);
    expect(answer).toMatchObject({
      answer: "No earlier run of CronJob nightly is known to be complete.",
      noLastGood: { reason: "noneCompleted" },
      differences: [],
    });
    expect(v.is(comparisonSchema, answer)).toBe(true);
  });
});
