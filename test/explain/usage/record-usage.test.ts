import { describe, expect, it } from "vitest";
import { usageByGroup, usageOfRecord } from "../../../src/explain/usage/record-usage.ts";
import { sumOfUsage, ungrouped } from "../../../src/job/usage/usage.ts";
import { NO_CONTEXT } from "../../../src/projection/job-state/derive-row.ts";
import { Story } from "../../support/story/story.ts";

/** Two Pods succeeded of which one counts, and a third one runs. */
function surplus(): Story {
  const story = new Story();
  story.jobCreated({ completions: 1 });
  for (const pod of ["a", "b"]) {
    story.podSucceeds(pod, 10);
    story.podReserved(pod);
  }
  story.podCreated("c");
  story.podStarted("c");
  story.podReserved("c");
  return story;
}

describe("what the Pods of a Job that is over reserved", () => {
  const story = surplus();
  const moment = { clusterContext: NO_CONTEXT, now: story.now };
  const paged = {
    job: story.record.job,
    podTracked: false,
    ownPods: async function* () {
      yield* story.record.pods.values();
    },
  };

  it("leaves out a Pod that has not ended", () => {
    const usage = sumOfUsage(usageOfRecord(story.record, moment)?.values() ?? []);
    expect(usage).toMatchObject({
      pods: 2,
      podTime: new Map([
        ["kept", 10_000n],
        ["duplicate", 10_000n],
      ]),
    });
  });

  it("is the same where Pods are read page by page", async () => {
    expect(ungrouped(await usageByGroup(paged, moment))).toEqual(usageOfRecord(story.record, moment));
  });

  it("is divided by the group of each Pod", async () => {
    const groups = await usageByGroup(paged, {
      ...moment,
      groupOf: ({ uid }) => (uid === story.pod("a").uid ? "a" : "b"),
    });
    const classes = [...(groups ?? [])].map(([group, hours]) => {
      const times = [...sumOfUsage(hours.values()).podTime].filter(([, millis]) => millis > 0n);
      return [group, times.map(([of]) => of)];
    });
    expect(classes).toEqual([
      ["a", ["kept"]],
      ["b", ["duplicate"]],
    ]);
  });

  it("is not known if a Pod does not say it", () => {
    const silent = new Story();
    silent.jobCreated();
    silent.podSucceeds("a", 10);
    expect(usageOfRecord(silent.record, { clusterContext: NO_CONTEXT, now: silent.now })).toBeUndefined();
    expect(ungrouped(undefined)).toBeUndefined();
  });
});
