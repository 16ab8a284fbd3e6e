import { describe, expect, it } from "vitest";
import { countingRulesOf } from "../../../src/job/accounting/counting-rules.ts";
import { deriveTally } from "../../../src/explain/derived-job.ts";
import type { JobFact, JobObjectFact, PodFact } from "../../../src/job/model/fact.ts";
import { answerRecord, presentJob } from "../../../src/explain/present-job.ts";
import { emptyJob, joinFacts } from "../../../src/job/model/job-record.ts";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { type JobView, readJob } from "../../../src/projection/job-state/read-job.ts";
import { collect } from "../../support/running/collect.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";

const cluster = clusterNamed("east");
const NOON = Date.UTC(2026, 0, 1, 12);
const retry = { attempts: 5, pause: async () => undefined };
const clusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };

/** The story of an Indexed Job: Pods begin in order and end some time after, with the spec cut down in the middle. */
function story(pods: number): readonly JobFact[] {
  const facts: JobFact[] = [...largeJobFacts({ indexed: true, completions: pods })];
  for (let number = 0; number < pods + 30; number += 1) {
    if (number < pods) facts.push(...podBeginFacts(number, (number * 7) % pods));
    if (number >= 30) facts.push(...podEndFacts(number - 30));
  }
  return facts;
}

const [{ resourceVersion: laterVersion }] = podEndFacts(5_000) as readonly [PodFact, ...PodFact[]];

/** The Job made smaller: its counts are cut, so that every Pod must be counted by other rules than before. */
function madeSmaller(completions: number): readonly JobObjectFact[] {
  return largeJobFacts({ indexed: true, completions }).flatMap((fact): readonly JobObjectFact[] => {
    const stamp = { ...fact, resourceVersion: laterVersion };
    if (fact.kind === "JobSpecified") return [{ ...fact, ...stamp, kind: "JobSpecified", generation: 2 }];
    return fact.kind === "JobReported" ? [{ ...fact, ...stamp, kind: "JobReported", generation: 2 }] : [];
  });
}

async function viewAfter(items: readonly LogItem[], jobs = new MemoryJobStore()): Promise<JobView> {
  for (const item of items) {
    expect((await projectSegments({ jobs, meta: new MemoryMetaStore() }, [item], retry)).refold).toEqual([]);
  }
  const view = await readJob(jobs, { cluster, jobUid: largeJobUid });
  if (view === undefined) throw new Error("The Job is missing.");
  return view;
}

/** The answer from a view: its tally, not its Pods. */
async function answerOf(view: JobView) {
  const rules = countingRulesOf(view.job, { podTracked: view.podTracked });
  const tally = await view.tally(rules);
  return presentJob(deriveTally({ job: view.job, tally, clusterContext, now: NOON }), { cluster });
}

function answerFrom(facts: readonly JobFact[]) {
  const record = joinFacts(emptyJob(largeJobUid), facts);
  // What follows from the Pods one by one is not derived from a tally.
  const { cause: _, waiting: __, ...answer } = answerRecord(record, { cluster, clusterContext, now: NOON });
  return { ...answer, findings: [] };
}

describe("the answer about a Job with many Pods", () => {
  it.each([[255], [256], [257], [700]])("of %i is the same from its tally as from all its Pods", async (pods) => {
    const facts = story(pods);
    const view = await viewAfter(sealInSegments(facts, 200, NOON));
    expect(view.podCount).toBe(pods);
    expect(await answerOf(view)).toEqual(answerFrom(facts));
  });

  it("is the same before and after the Job outgrows its state item", async () => {
    const facts = story(300);
    for (const end of [1_200, 1_500, 1_560, facts.length]) {
      const view = await viewAfter(sealInSegments(facts.slice(0, end), 90, NOON));
      expect(await answerOf(view)).toEqual(answerFrom(facts.slice(0, end)));
    }
  });

  it("follows a change of the rules by which its Pods are counted", async () => {
    const facts = [...story(600), ...madeSmaller(200)];
    const view = await viewAfter(sealInSegments(facts, 500, NOON));
    const answer = await answerOf(view);
    expect(answer).toEqual(answerFrom(facts));
    expect(answer.status.succeeded).toBeLessThanOrEqual(200);
  });

  it("counts every Pod again for rules that only the reader knows", async () => {
    const facts = story(400);
    const view = await viewAfter(sealInSegments(facts, 500, NOON));
    const rules = { ...countingRulesOf(view.job, { podTracked: true }), completions: 10 };
    const { pods } = joinFacts(emptyJob(largeJobUid), facts);
    expect(await view.tally(rules)).toEqual(tallyPods(pods.values(), rules));
  });
});

describe("a view of a Job with many Pods", () => {
  it("gives the Pods by creation from any sortKey on", async () => {
    const view = await viewAfter(sealInSegments(story(500), 500, NOON));
    const pods = await collect(view.pods());
    expect(pods.map(({ created }) => created?.createdAt)).toEqual(
      pods.map(({ created }) => created?.createdAt ?? 0).toSorted((a, b) => a - b),
    );
    for (const from of [0, 129, 498, 499]) {
      const pod = pods[from];
      if (pod?.created === undefined) throw new Error("A Pod is missing.");
      const rest = await collect(view.pods({ createdAt: pod.created.createdAt, podUid: pod.uid }));
      expect(rest).toEqual(pods.slice(from + 1));
    }
  });

  it("names a thousand segments without listing them in the state item", async () => {
    const facts = Array.from({ length: 1_000 }, (_, number) => podBeginFacts(number % 10)[1]).filter(
      (fact) => fact !== undefined,
    );
    const items = sealInSegments(facts, 1, NOON);
    const jobs = new MemoryJobStore();
    const view = await viewAfter(items, jobs);
    expect(await collect(view.logKeys())).toEqual(items.map(({ key }) => key));
    expect([...jobs.states.values()][0]?.bytes.length).toBeLessThan(2_000);
  });
});
