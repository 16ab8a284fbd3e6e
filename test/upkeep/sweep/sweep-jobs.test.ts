import { describe, expect, it } from "vitest";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import type { EventHinted } from "../../../src/job/model/fact.ts";
import type { MessageDetails } from "../../../src/job/model/message-details.ts";
import { hintsKey, nodeKey } from "../../../src/ports/meta-key.ts";
import { projectClusterFacts } from "../../../src/projection/project-cluster.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import { joinSeriesRuns, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { type SweepRun, sweepJobs } from "../../../src/upkeep/sweep/sweep-jobs.ts";
import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sumOfUsage } from "../../../src/job/usage/usage.ts";
import { unpackWithUsage } from "../../../src/projection/job-state/summary-bytes.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const cluster = clusterNamed("east");
const retry = { attempts: 3, pause: async () => undefined };

function stores() {
  const meta = new MemoryMetaStore();
  return { log: new MemoryLog(), meta, jobs: new MemoryJobStore(), days: new LogDayRegistry(meta) };
}
type Stores = ReturnType<typeof stores>;

/** Sends what the story told of its Job, in one segment sealed at its end, and of its Nodes. */
async function send(all: Stores, story: Story): Promise<void> {
  const session = story.jobUid.replaceAll("-", "").padEnd(16, "0");
  const { bytes } = sealSegment({ cluster, sealedAt: story.now, session, sequence: 0, facts: story.facts });
  const ingested = await ingestSegment(all, bytes, { now: story.now, recorded: true });
  if (ingested.outcome !== "appended") throw new Error(ingested.outcome);
  expect((await projectSegments(all, [ingested.item], retry)).refold).toEqual([]);
  await tellNodes(all, story);
}

async function tellNodes({ meta }: Stores, { clusterContext }: Story): Promise<void> {
  for (const { node, stands } of clusterContext.nodes.values()) {
    await projectClusterFacts(meta, { record: { kind: "node", key: nodeKey(cluster, node) }, facts: stands }, retry);
  }
}

/** Sends an Event about Pod `a` of the story. */
async function tellEvent({ meta }: Stores, story: Story, reason: string, details?: MessageDetails): Promise<void> {
  const { uid, created } = story.pod("a");
  const [stamp] = story.facts;
  if (stamp === undefined) throw new Error("The story has facts.");
  const target = { kind: "Pod", namespace: "default", name: created?.name ?? "", uid } as const;
  const times = { at: story.now, firstAt: story.now, lastAt: story.now, count: 1 };
  const fact: EventHinted = {
    kind: "EventHinted",
    hintId: reason,
    target,
    reason,
    epoch: stamp.epoch,
    resourceVersion: stamp.resourceVersion,
    ...times,
    ...(details && { details }),
  };
  await projectClusterFacts(meta, { record: { kind: "hints", key: hintsKey(cluster, target) }, facts: [fact] }, retry);
}

async function causes(all: Stores) {
  const list = await listJobs(all, "everything", { filter: {}, limit: 10 });
  return list.outcome === "listed" ? list.items.map(({ cause }) => cause?.category) : list.outcome;
}

async function responsible(all: Stores) {
  const list = await listJobs(all, "everything", { filter: {}, limit: 10 });
  return list.outcome === "listed" ? list.items.map(({ cause }) => cause?.responsible) : list.outcome;
}

/** Sends the requests about the Pods of the story. */
async function tellRequests({ meta }: Stores, { clusterContext }: Story): Promise<void> {
  for (const facts of clusterContext.hints.values()) {
    const target = facts[0]?.target;
    if (target === undefined) continue;
    await projectClusterFacts(meta, { record: { kind: "hints", key: hintsKey(cluster, target) }, facts }, retry);
  }
}

/** A Job with one Pod that runs on a Node that is ready. */
function running(name = "render", spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = new Story(name);
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated(spec);
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  story.podCreated("a", { containers: ["work"] });
  story.podTracked("a");
  story.podStarted("a");
  return story;
}

async function listed(all: Stores, filter: Parameters<typeof listJobs>[2]["filter"] = {}) {
  const list = await listJobs(all, "everything", { filter, limit: 10 });
  if (list.outcome !== "listed") throw new Error(list.outcome);
  return list.items.map(({ name, status, findings }) => ({
    name,
    conditions: (status.conditions ?? []).map(({ type, reason }) => `${type}:${reason ?? ""}`),
    findings: findings.map(({ kind }) => kind),
  }));
}

function sweep(all: Stores, story: Story, seconds: number, run: Partial<SweepRun> = {}) {
  return sweepJobs(all, { now: story.now + seconds * 1_000, ...run });
}

describe("a sweep", () => {
  it("updates lists when a Pod becomes phantom-running, with one write", async () => {
    const all = stores();
    const story = running();
    story.after(10);
    story.containerEnded("a", 0, 10);
    story.podObserved("a", { ready: false, running: [] });
    await send(all, story);
    expect(await listed(all, { attention: true })).toEqual([]);
    expect(await sweep(all, story, 120)).toMatchObject({ rows: 1, rewritten: 1, isBehind: false });
    expect(await listed(all, { attention: true })).toMatchObject([{ name: "render", findings: ["PhantomRunning"] }]);
    expect(await sweep(all, story, 600)).toMatchObject({ rows: 1, rewritten: 0 });
  });

  it("updates lists when a Node falls silent, and when it returns", async () => {
    const all = stores();
    const story = running();
    await send(all, story);
    story.after(60);
    story.node("node-a", "Unknown");
    await tellNodes(all, story);
    expect(await sweep(all, story, 120)).toMatchObject({ rewritten: 1 });
    expect(await listed(all, { attention: true })).toMatchObject([{ findings: ["NodeUnreachable"] }]);
    story.after(300);
    story.node("node-a", "True", "KubeletReady");
    await tellNodes(all, story);
    expect(await sweep(all, story, 120)).toMatchObject({ rewritten: 1 });
    expect(await listed(all, { attention: true })).toEqual([]);
  });

  it("updates lists when a deadline has passed", async () => {
    const all = stores();
    const story = running("slow", { activeDeadlineSeconds: 600 });
    await send(all, story);
    expect(await sweep(all, story, 599)).toMatchObject({ rewritten: 0 });
    expect(await sweep(all, story, 600)).toMatchObject({ rewritten: 1 });
    expect((await listed(all))[0]?.conditions).toContain("FailureTarget:DeadlineExceeded");
  });

  it("does not change the state, as a verification shows", async () => {
    const all = stores();
    const story = running("slow", { activeDeadlineSeconds: 600 });
    await send(all, story);
    const bytes = [...all.jobs.states.values()].map((state) => state.bytes);
    await sweep(all, story, 600);
    expect([...all.jobs.states.values()].map((state) => state.bytes)).toEqual(bytes);
    expect((await verifyProjection(all)).mismatches).toEqual([]);
  });

  it("skips Jobs with facts in the last minute, and finished ones", async () => {
    const all = stores();
    const fresh = running("fresh", { activeDeadlineSeconds: 1 });
    const ended = running("ended", { activeDeadlineSeconds: 1 });
    ended.podTerminated("a", "Succeeded");
    ended.podUntracked("a");
    ended.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    await send(all, fresh);
    await send(all, ended);
    expect(await sweep(all, fresh, 59)).toMatchObject({ rows: 1, rewritten: 0, isBehind: false });
  });

  it("finds the finalizer that stays on a Pod of a finished Job, and then leaves the Job", async () => {
    const all = stores();
    const story = running();
    story.podTerminated("a", "Succeeded");
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    await send(all, story);
    expect(await sweep(all, story, 540)).toMatchObject({ rows: 1, rewritten: 0 });
    expect(await sweep(all, story, 660)).toMatchObject({ rows: 1, rewritten: 1 });
    expect(await listed(all, { attention: true })).toMatchObject([{ name: "render", findings: ["FinalizerStuck"] }]);
    expect(await sweep(all, story, 86_400 + 60)).toMatchObject({ rows: 1, rewritten: 1 });
    expect(await sweep(all, story, 86_400 + 120)).toMatchObject({ rows: 0 });
    expect(await listed(all, { attention: true })).toMatchObject([{ findings: ["FinalizerStuck"] }]);
    expect((await verifyProjection(all)).mismatches).toEqual([]);
  });

  it("finds the finalizer that holds the deletion of a finished Job", async () => {
    const all = stores();
    const story = running();
    story.podTerminated("a", "Succeeded");
    story.podUntracked("a");
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    story.jobDeletionRequested(["example.com/guard"]);
    await send(all, story);
    expect(await sweep(all, story, 660)).toMatchObject({ rows: 1, rewritten: 1 });
    expect(await listed(all, { attention: true })).toMatchObject([{ findings: ["FinalizerStuck"] }]);
  });

  it("leaves a finished Job whose foreground deletion is in progress", async () => {
    const all = stores();
    const story = running();
    story.podTerminated("a", "Succeeded");
    story.podUntracked("a");
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    story.jobDeletionRequested(["foregroundDeletion"]);
    await send(all, story);
    expect(await sweep(all, story, 120)).toMatchObject({ rows: 0 });
  });

  it("derives a Job that ended with trouble once more, with the Events about its Pods", async () => {
    const all = stores();
    const story = running();
    story.containerEnded("a", 137, 5);
    story.podTerminated("a", "Failed");
    story.podUntracked("a");
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
    await send(all, story);
    expect(await causes(all)).toEqual(["application"]);
    await tellEvent(all, story, "Killing", { about: "probe", probe: "liveness", container: "work" });
    expect(await sweep(all, story, 120)).toMatchObject({ rows: 1, rewritten: 1 });
    expect(await causes(all)).toEqual(["probe"]);
    expect(await sweep(all, story, 240)).toMatchObject({ rows: 0 });
  });

  it("updates lists when the audit log shows who deleted a Pod", async () => {
    const all = stores();
    const story = running();
    story.after(10);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.containerEnded("a", 143, 10);
    story.podTerminated("a", "Failed", { tracked: true });
    story.podsRunning("b");
    await send(all, story);
    expect(await responsible(all)).toEqual(["unknown"]);
    story.requested({ pod: "a" }, "alice");
    await tellRequests(all, story);
    expect(await sweep(all, story, 120)).toMatchObject({ rewritten: 1 });
    expect(await responsible(all)).toEqual(["person"]);
    expect(await sweep(all, story, 240)).toMatchObject({ rewritten: 0 });
  });

  it("lists a Job as waiting for what only an Event about its Pod shows", async () => {
    const all = stores();
    const story = new Story("mount");
    story.jobCreated();
    story.jobReported({ active: 1, startTime: story.now });
    story.podCreated("a", { containers: ["work"] });
    await send(all, story);
    await tellEvent(all, story, "FailedCreatePodSandBox");
    expect(await listed(all, { waiting: true })).toEqual([]);
    await sweep(all, story, 120);
    expect(await listed(all, { waiting: true })).toMatchObject([{ name: "mount" }]);
  });

  it("continues where it stopped, through all namespaces", async () => {
    const all = stores();
    const stories = Array.from({ length: 250 }, (_, number) => running(`job-${number}`, { activeDeadlineSeconds: 60 }));
    for (const story of stories) await send(all, story);
    const [story] = stories;
    if (story === undefined) throw new Error("There is a story.");
    const runs = [];
    for (let count = 0; count < 3; count += 1) runs.push(await sweep(all, story, 600, { rows: 100 }));
    expect(runs).toMatchObject([
      { rows: 100, rewritten: 100, isBehind: true },
      { rows: 100, rewritten: 100, isBehind: true },
      { rows: 50, rewritten: 50, isBehind: false },
    ]);
    expect(await sweep(all, story, 600)).toMatchObject({ rows: 250, rewritten: 0 });
    expect(await sweep(all, story, 600, { hasTime: () => false })).toMatchObject({ rows: 0, isBehind: true });
  });

  it("reports since when every live Job was visited, over rounds of several runs", async () => {
    const all = stores();
    const stories = Array.from({ length: 120 }, (_, number) => running(`job-${number}`));
    for (const story of stories) await send(all, story);
    const now = (stories[0]?.now ?? 0) + 600_000;
    const since = async (minute: number, rows: number) => {
      const at = now + minute * 60_000;
      const { sweptSince, isBehind } = await sweepJobs(all, { now: at, rows });
      return [(sweptSince - now) / 60_000, isBehind];
    };
    expect(await since(0, 1_000)).toEqual([0, false]);
    // The rows that this round has not reached were visited in the round before.
    expect(await since(5, 100)).toEqual([0, true]);
    expect(await since(10, 100)).toEqual([5, false]);
    expect(await since(15, 1_000)).toEqual([15, false]);
  });
});

/** A Job of more Pods than are stored in one item, one of which succeeded in addition. */
function large(): Story {
  const story = new Story();
  story.jobCreated({ completions: 300, parallelism: 301 });
  for (let n = 0; n <= 300; n += 1) {
    story.podSucceeds(`pod-${n}`, 10);
    story.podReserved(`pod-${n}`);
    story.podDeleted(`pod-${n}`);
  }
  story.jobFinished("Complete", undefined, { succeeded: 300 });
  return story;
}

describe("the sweep of a large Job that is over", () => {
  it("reads once what its Pods reserved", async () => {
    const all = stores();
    const story = large();
    await send(all, story);
    const usageIn = async () => {
      const stored = await all.jobs.read({ cluster, jobUid: story.jobUid });
      const row = stored?.row;
      return { phase: row?.phase, usage: row && unpackWithUsage(row.summary).usage };
    };
    expect(await usageIn()).toEqual({ phase: "A", usage: undefined });
    await sweep(all, story, 120);
    const { phase, usage } = await usageIn();
    expect(phase).toBe("F");
    expect(sumOfUsage(usage?.values() ?? [])).toMatchObject({
      pods: 301,
      podTime: new Map([
        ["kept", 3_000_000n],
        ["duplicate", 10_000n],
      ]),
    });
    expect(await sweep(all, story, 240)).toMatchObject({ rows: 0 });
    expect(await verifyProjection(all)).toMatchObject({ mismatches: [] });
  });
});

/** The findings of Jobs that need attention. */
async function attention(all: Stores) {
  const list = await listJobs(all, "everything", { filter: { attention: true }, limit: 10 });
  return list.outcome === "listed" ? list.items.flatMap(({ findings }) => findings.map(({ kind }) => kind)) : [];
}

describe("a Job that is slower than the runs before it", () => {
  const owner = { kind: "CronJob", name: "nightly", uid: "c-1" };

  /** Twelve runs of a minute, and one that has begun. */
  async function withRun(): Promise<{ readonly all: Stores; readonly story: Story }> {
    const all = stores();
    const story = new Story("late");
    story.jobCreated({}, { owner });
    story.jobReported({ startTime: story.now, active: 1 });
    const past = Array.from({ length: 12 }, (_, at) => {
      const run = new Story(`past-${at}`);
      run.jobCreated({}, { owner });
      run.after(60);
      run.jobFinished("Complete");
      return seriesRunsOf(cluster, run.record.job);
    });
    await joinSeriesRuns(all.meta, past.flat(), retry);
    await send(all, story);
    return { all, story };
  }

  it("needs attention once it takes longer than usual, and no more once it has ended", async () => {
    const { all, story } = await withRun();
    await sweepJobs(all, { now: story.second(290), freshMillis: 0 });
    expect(await attention(all)).toEqual([]);
    await sweepJobs(all, { now: story.second(310), freshMillis: 0 });
    expect(await attention(all)).toEqual(["SlowerThanUsual"]);
    story.after(320);
    story.jobFinished("Complete");
    await send(all, story);
    expect(await attention(all)).toEqual([]);
  });

  it("still needs attention after a fact about it", async () => {
    const { all, story } = await withRun();
    await sweepJobs(all, { now: story.second(310), freshMillis: 0 });
    story.after(320);
    story.jobReported({ startTime: story.second(0), active: 1, ready: 1 });
    await send(all, story);
    expect(await attention(all)).toEqual(["SlowerThanUsual"]);
  });

  it("is listed without what is expected, which every run of its series changes", async () => {
    const { all, story } = await withRun();
    await sweepJobs(all, { now: story.second(310), freshMillis: 0 });
    const list = await listJobs(all, "everything", { filter: {}, limit: 10 });
    expect(list.outcome === "listed" && list.items[0]).not.toHaveProperty("expected");
  });
});
