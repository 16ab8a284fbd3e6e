import { describe, expect, it } from "vitest";
import type { Completeness } from "../../../src/explain/answer-document.ts";
import type { Fact, GapRecorded } from "../../../src/job/model/fact.ts";
import { addGaps } from "../../../src/query/clusters/known-gaps.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { storesWithFacts, tell } from "../../support/stores/stores-with-facts.ts";
import { clusterOf, listedJob } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

/** Seconds of the story: its Job lives from 0 to 20. */
function gapFact(story: Story, from: number, to: number, resources = ["pods"]): GapRecorded {
  const [first] = story.facts;
  if (first === undefined) throw new Error("The story has facts.");
  const { epoch, resourceVersion } = first;
  const interval = { from: story.second(from), to: story.second(to) };
  const gapId = `gap-${from}-${to}`;
  return {
    epoch,
    resourceVersion,
    at: interval.to,
    kind: "GapRecorded",
    gapId,
    ...interval,
    resources,
    reason: "restart",
  };
}

function begins(isTracked: boolean): Story {
  const story = new Story("report");
  story.jobCreated();
  story.jobReported({});
  if (isTracked) story.jobTracked();
  else story.jobUntracked();
  story.podCreated("a");
  if (isTracked) story.podTracked("a");
  story.podStarted("a");
  return story;
}

function running(): Story {
  const story = begins(true);
  story.after(20);
  story.podObserved("a", { restarts: 0 });
  return story;
}

/** A healthy Job, complete at second 20. */
function complete(isTracked = true): Story {
  const story = begins(isTracked);
  story.after(20);
  story.containerEnded("a", 0, 20);
  story.podTerminated("a", "Succeeded", { tracked: isTracked });
  if (isTracked) story.podUntracked("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, completionTime: story.now });
  return story;
}

interface Levels {
  readonly listed: Completeness | undefined;
  readonly answered: Completeness | undefined;
}

/** What a list and the answer say, if the gaps are recorded after the Job. */
async function levelsOf(story: Story, gaps: readonly Fact[]): Promise<Levels> {
  const { meta, log, projections } = await storesWithFacts(story.facts);
  await tell({ meta, log, projections }, gaps);
  const ports: QueryPorts = { jobs: projections.open("A"), meta, log };
  const { now } = story;
  const list = await listJobs(ports, "everything", { filter: {}, limit: 5, now });
  const wanted = { cluster: clusterOf("east"), namespace: "default", name: "report" };
  const found = await getJob(ports, { scope: "everything", wanted }, { now });
  return {
    listed: list.outcome === "listed" ? list.items[0]?.completeness : undefined,
    answered: found.outcome === "answered" ? found.answer.completeness : undefined,
  };
}

describe("the row of a Job around a gap", () => {
  it.each<[string, Story, readonly [number, number], string]>([
    ["a tracked Job that ended after it", complete(), [5, 8], "reconciled"],
    ["a tracked Job that ended within it", complete(), [15, 30], "reconciled"],
    ["a Job whose counters prove nothing", complete(false), [5, 8], "gaps"],
    ["a Job that runs", running(), [5, 8], "reconciled"],
    ["a Job that ended before it", complete(), [21, 30], "complete"],
  ])("has what the answer has: %s", async (_, story, [from, to], level) => {
    const { listed, answered } = await levelsOf(story, [gapFact(story, from, to)]);
    expect(listed).toEqual(answered);
    expect(listed?.level).toBe(level);
  });

  it("has all of them, in their order", async () => {
    const story = complete();
    const { listed, answered } = await levelsOf(story, [gapFact(story, 10, 12), gapFact(story, 5, 8)]);
    expect(listed).toEqual(answered);
    expect(listed?.gaps).toHaveLength(2);
  });

  it("is not concerned by a gap of the Nodes", async () => {
    const story = complete();
    const { listed } = await levelsOf(story, [gapFact(story, 5, 8, ["nodes"])]);
    expect(listed).toEqual({ level: "complete", gaps: [] });
  });
});

describe("the gaps of a page", () => {
  it("are read once for many clusters", async () => {
    const meta = new MemoryMetaStore();
    const lists: unknown[] = [];
    const counted = {
      read: meta.read.bind(meta),
      write: meta.write.bind(meta),
      list: (...args: Parameters<MemoryMetaStore["list"]>) => (lists.push(args), meta.list(...args)),
    };
    const answers = Array.from({ length: 11 }, (_, index) => listedJob({ cluster: `c${index}` }));
    expect(await addGaps(counted, answers)).toEqual(answers);
    expect(lists).toHaveLength(1);
  });

  it("stay as they are where the row has them", async () => {
    const story = complete();
    const { meta } = await storesWithFacts([...story.facts, gapFact(story, 5, 8)]);
    const answer = listedJob({ createdAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:20Z" });
    const [marked] = await addGaps(meta, [answer]);
    expect(marked?.completeness.level).toBe("gaps");
    expect(await addGaps(meta, marked === undefined ? [] : [marked])).toEqual([marked]);
  });
});
