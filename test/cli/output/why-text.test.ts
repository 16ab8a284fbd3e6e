import { describe, expect, it } from "vitest";
import { paintFor } from "../../../cli/output/paint.ts";
import { formatWhy } from "../../../cli/output/why-text.ts";
import { answerAndWhy } from "../../../src/explain/why-record.ts";
import { Story } from "../../support/story/story.ts";

const time = "2026-01-01T00:00:00Z";

function printed(asOf: { readonly time: string; readonly bound?: "lower" }): string {
  const story = new Story();
  story.jobCreated();
  const { clusterContext, now } = story;
  const { answer, why } = answerAndWhy(story.record, { cluster: "small", clusterContext, now });
  return formatWhy({ ...answer, ...why, asOf }, paintFor("never", process.stdout));
}

describe("the answer of why as of an earlier time", () => {
  it("says before the evidence that the state may have become true later", () => {
    const [, , sentence, rest] = printed({ time, bound: "lower" }).split(/\n\n?/);
    expect(sentence).toBe(
      `The arrival times of some facts are unknown: this state may have become true later than ${time}.`,
    );
    expect(rest).toBeDefined();
  });

  it("says nothing of it where every arrival time is known", () => {
    expect(printed({ time })).not.toContain("may have become true later");
  });
});
