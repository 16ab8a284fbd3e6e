import { describe, expect, it } from "vitest";
import { emptyRun, MAX_RUN_JOBS } from "../../../src/explain/run/run-record.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { type HourlyUsage, newUsage } from "../../../src/job/usage/usage.ts";
import type { JobRow } from "../../../src/ports/job-row.ts";
import { emptyJobState, encodeJobState } from "../../../src/projection/job-state/job-state.ts";
import { joinJobState } from "../../../src/projection/job-state/join-job-state.ts";
import { packSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { getRun } from "../../../src/query/runs/get-run.ts";
import { withLiveUsage } from "../../../src/query/runs/live-usage.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf, listedJob } from "../../support/story/listed-job.ts";
import { restartedJobSet, second } from "../../support/story/run-story.ts";
import { heartbeat } from "../../support/story/watched-clusters.ts";

const cluster = clusterOf("east");
const wanted = { cluster, namespace: "ml", kind: "jobset", name: "train" };

const JOB = { uid: "a", name: "a", createdAt: second(1), state: "Running" as const };
const MEMBER = { namespace: "ml", owners: [], externalIds: {}, labels: {}, level: "complete" as const, job: JOB };

const isEnd = ({ kind }: Fact) => kind === "PodTerminated" || kind === "ContainerEnded" || kind === "JobFinished";

/** The second worker of the second attempt still runs. */
function stillRunning(): readonly Fact[] {
  return restartedJobSet().filter((fact) => !("jobUid" in fact && fact.jobUid === "train-worker-1-1" && isEnd(fact)));
}

async function usageAt(facts: readonly Fact[], now: number) {
  const found = await getRun(await runPortsWith(facts), { scope: "everything", wanted }, now);
  return found.outcome === "answered" ? found.answer : expect.fail();
}

const runOf = (jobs: number) => ({
  ...emptyRun("js-1"),
  jobs: new Map(Array.from({ length: jobs }, (_, n) => [`job-${n}`, MEMBER] as const)),
});

describe("the usage of a run", () => {
  it("has the time of Pods that still run, until the cluster was last heard of", async () => {
    const heard = heartbeat(second(100), "v1.36.3");
    expect(await usageAt([...stillRunning(), heard], second(120))).toMatchObject({
      usage: { pods: 4, podSeconds: { active: 80, kept: 30, failed: 10 }, resources: { cpu: { active: 80 } } },
      asOf: { time: "2026-01-01T00:01:40Z" },
    });
    expect((await usageAt([...stillRunning(), heard], second(90))).usage?.podSeconds.active).toBe(70);
  });

  it("is stored once all of its Jobs have ended", async () => {
    const ports = await runPortsWith(restartedJobSet());
    const deaf = { ...ports, jobs: { ...ports.jobs, read: () => expect.fail("A Job was read.") } };
    const found = await getRun(deaf, { scope: "everything", wanted }, second(120));
    expect(found).toMatchObject({ answer: { usage: { pods: 4, podSeconds: { kept: 60, failed: 10 } } } });
  });

  it("has that of a large Job from its row, once its Pods have ended and were read", async () => {
    const pods = Array.from({ length: 300 }, (_, pod) => [...podBeginFacts(pod), ...podEndFacts(pod)]).flat();
    const facts = [...largeJobFacts({ indexed: false, completions: 300 }), ...pods];
    const [{ jobUid } = expect.fail()] = facts;
    const state = (await joinJobState(emptyJobState(jobUid), { facts, segments: [] }, throwAwayPages()))?.state;
    const bytes = encodeJobState(state ?? expect.fail());
    const usageOf = async (usage?: HourlyUsage) => {
      const row = { summary: packSummary(listedJob(), usage) } as JobRow;
      const ports = await runPortsWith([]);
      const jobs = { ...ports.jobs, read: async () => ({ bytes, version: 1, row }) };
      const record = { ...emptyRun("js-1"), jobs: new Map([[jobUid as string, MEMBER]]) };
      return (await withLiveUsage({ ...ports, jobs }, { cluster, record }, second(9))).record.jobs.get(jobUid)?.usage;
    };
    const used = { ...newUsage(), pods: 300, podTime: new Map([["kept" as const, 5n]]) };
    expect(await usageOf(new Map([[0, used]]))).toMatchObject({ pods: 300, podTime: new Map([["kept", 5n]]) });
    expect(await usageOf()).toBeUndefined();
  });

  it("is not known where the state of a Job is gone, or too many Jobs have not ended", async () => {
    const ports = await runPortsWith([]);
    const one = await withLiveUsage(ports, { cluster, record: runOf(1) }, second(9));
    expect(one).toEqual({ record: runOf(1), asOf: second(1) });
    const deaf = { ...ports, jobs: { ...ports.jobs, read: () => expect.fail("A Job was read.") } };
    const many = await withLiveUsage(deaf, { cluster, record: runOf(MAX_RUN_JOBS) }, second(9));
    expect(many.record.jobs.get("job-0")?.usage).toBeUndefined();
  });
});
