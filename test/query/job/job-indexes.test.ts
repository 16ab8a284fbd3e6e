import { describe, expect, it } from "vitest";
import { listJobIndexes } from "../../../src/query/job/job-indexes.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const INDEXES = 5;
/** More Pods than a state item holds. */
const PODS = 300;

/** Every index runs many times. The first one never succeeds, and the last one has no Pods. */
async function portsWithIndexes() {
  const story = new Story("shards");
  story.jobCreated({ completionMode: "Indexed", completions: INDEXES, parallelism: 10 });
  story.jobTracked();
  for (let run = 0; run < PODS; run += 1) {
    const [pod, index] = [String(run).padStart(3, "0"), run % (INDEXES - 1)];
    if (index === 0) {
      story.podCreated(pod, { index });
      story.podTracked(pod);
      story.podStarted(pod);
      story.containerEnded(pod, 137, 1);
      story.podTerminated(pod, "Failed", { tracked: true });
    } else story.podSucceeds(pod, 1, { index, tracked: true });
  }
  story.podCreated("young", { index: 0 });
  story.jobReported({ completedIndexes: "1-3", succeeded: 3, active: 1, startTime: story.second(0) });
  const { projections, meta, log } = await storesWithFacts(story.facts, 200);
  return { ports: { jobs: projections.open("A"), meta, log }, now: story.now };
}

describe("the indexes of a Job with many Pods", () => {
  const scoped = {
    scope: "everything",
    wanted: { cluster: clusterNamed("east"), namespace: "default", name: "shards" },
  } as const;

  it("have the attempts of each, from any index on, with or without Pods", async () => {
    const { ports, now } = await portsWithIndexes();
    const first = await listJobIndexes(ports, scoped, { limit: 2, now });
    expect(first).toMatchObject({
      items: [
        { index: 0, state: "Active", attempts: 76, succeeded: 0, failed: 75, lastPod: "shards-young" },
        {
          index: 1,
          state: "Succeeded",
          attempts: 75,
          succeeded: 75,
          failed: 0,
          lastPod: "shards-297",
          lastExitCode: 0,
        },
      ],
    });
    const cursor = first.outcome === "listed" ? first.nextCursor : undefined;
    const second = await listJobIndexes(ports, scoped, { limit: 3, now, cursor });
    expect(second).toMatchObject({
      outcome: "listed",
      items: [{ index: 2 }, { index: 3 }, { index: 4, state: "Pending", attempts: 0 }],
    });
    expect(second).not.toHaveProperty("nextCursor");
  });

  it("refuse a cursor that was not given out for them", async () => {
    const { ports, now } = await portsWithIndexes();
    expect(await listJobIndexes(ports, scoped, { limit: 1, now, cursor: "nonsense" })).toMatchObject({
      outcome: "badCursor",
    });
  });
});
