import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { FindingKind } from "../../../src/explain/findings/finding-kinds.ts";
import { presentAttempts } from "../../../src/explain/present-attempt.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeClusterName } from "../../../src/job/model/ids.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { answerAndWhy } from "../../../src/explain/why-record.ts";
import { explainJob } from "../../../src/query/job/explain-job.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { listJobPods } from "../../../src/query/job/job-pods.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { Story } from "../../support/story/story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

/** More Pods than a state item holds, in more than two pages. */
const PODS = 300;

/** Pod GC takes each success before it is counted, as the audit log has it. */
function eaten(): Story {
  const story = new Story("eaten");
  story.jobCreated();
  story.jobReported({});
  story.jobUntracked();
  for (let run = 0; run < PODS; run += 1) {
    const pod = named(run);
    story.podSucceeds(pod, 2);
    story.after(20);
    story.podDeletionRequested(pod, "Succeeded");
    if (run % 7 !== 0) story.requested({ pod }, "system:serviceaccount:kube-system:pod-garbage-collector");
    story.podDeleted(pod);
  }
  return story;
}

/** Every index runs twice, some at the same time. One success is lost. In the end, the Job fails and is deleted. */
function runTwice(): Story {
  const story = new Story("twice");
  const indexes = PODS / 2;
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated({ completionMode: "Indexed", completions: indexes, parallelism: 10, ttlSecondsAfterFinished: 60 });
  story.jobReported({});
  story.jobTracked();
  for (let run = 0; run < PODS; run += 1) {
    const [pod, index] = [named(run), run % indexes];
    story.podCreated(pod, { index });
    story.podTracked(pod);
    story.podStarted(pod, run % 3 === 0 ? "node-a" : "node-b");
    story.after(2);
    const exitCode = run % 5 === 0 ? 137 : 0;
    story.containerEnded(pod, exitCode, 2);
    story.podTerminated(pod, exitCode === 0 ? "Succeeded" : "Failed", { tracked: true });
    story.podUntracked(pod);
  }
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 60, completedIndexes: `1-${indexes - 1}` });
  story.after(61);
  story.jobDeletionRequested();
  for (let run = 0; run < PODS; run += 1) {
    story.podDeletionRequested(named(run), "Succeeded");
    story.podDeleted(named(run));
  }
  story.jobDeleted();
  return story;
}

/** A few of many Pods never end: containers gone, node silent, sidecar, no change. */
function neverEnds(): Story {
  const story = new Story("stuck");
  for (const node of ["node-a", "node-b"]) story.node(node, "True", "KubeletReady");
  story.jobCreated({ completions: PODS, parallelism: 40 });
  story.jobReported({});
  story.jobTracked();
  for (let run = 0; run < PODS - 40; run += 1) story.podSucceeds(named(run), 1, { tracked: true });
  for (let run = PODS - 40; run < PODS; run += 1) {
    story.podCreated(named(run), { containers: ["work", "proxy"] });
    story.podTracked(named(run));
    story.podStarted(named(run), run % 2 === 0 ? "node-a" : "node-b");
  }
  story.after(10);
  story.containerEnded(named(PODS - 1), 0, 10);
  story.podObserved(named(PODS - 1), { ready: false, running: ["proxy"] });
  story.containerEnded(named(PODS - 3), 0, 10);
  story.containerEnded(named(PODS - 3), 0, 10, { container: "proxy" });
  story.podObserved(named(PODS - 3), { ready: false, running: [] });
  story.node("node-a", "Unknown");
  story.after(700);
  return story;
}

function named(run: number): string {
  return String(run).padStart(3, "0");
}

/** A story as a tracker is told it: facts of the Job, and of what is around it. */
async function portsTold(story: Story): Promise<QueryPorts> {
  const { nodes, hints } = story.clusterContext;
  const around: readonly Fact[] = [
    ...[...nodes.values()].flatMap(({ stands, deleted }) => [...stands, ...deleted]),
    ...[...hints.values()].flat(),
  ];
  const { projections, meta, log } = await storesWithFacts([...story.facts, ...around, heartbeat(story)], 200);
  return { jobs: projections.open("A"), meta, log };
}

/** The cluster is heard of until the story ends. */
function heartbeat({ now, facts }: Story): Fact {
  const [first] = facts;
  if (first === undefined) throw new Error("The story has facts.");
  const { epoch, resourceVersion } = first;
  return { kind: "ClusterObserved", epoch, resourceVersion, at: now };
}

function clusterEast() {
  const cluster = decodeClusterName("east");
  if (cluster === undefined) throw new Error("east is a cluster's name.");
  return cluster;
}

describe.each<[string, Story, finding: FindingKind]>([
  ["whose successes were eaten", eaten(), "ReRunAfterSuccess"],
  ["whose indexes were run twice", runTwice(), "DuplicateExecution"],
  ["that never ends", neverEnds(), "PhantomRunning"],
])("a Job with more Pods than a state item holds, %s", (_, story, finding) => {
  const { record, clusterContext, now } = story;
  const wanted = { cluster: clusterEast(), namespace: "default", name: record.job.created?.name ?? "" };
  const told = portsTold(story);
  const phantomAfter = 600_000;

  it("is answered from its pages as from all its Pods at once", async () => {
    const found = await getJob(await told, { scope: "everything", wanted }, { now });
    expect(found).toEqual({
      outcome: "answered",
      answer: answerRecord(record, { cluster: "east", clusterContext, now }),
    });
    expect(found.outcome === "answered" && found.answer.findings.map(({ kind }) => kind)).toContain(finding);
  });

  it("is explained from its pages as from all its Pods at once", async () => {
    const explained = await explainJob(await told, { scope: "everything", wanted }, { now, phantomAfter });
    const { why } = answerAndWhy(record, { cluster: "east", clusterContext, now, phantomAfter });
    expect(explained).toMatchObject({ outcome: "explained", why });
  });

  it("is answered as of its end from the log as from all its Pods at once", async () => {
    const found = await getJob(await told, { scope: "everything", wanted }, { now: now + 1, asOf: now });
    const answer = answerRecord(record, { cluster: "east", clusterContext, now });
    expect(found).toEqual({ outcome: "answered", answer: { ...answer, asOf: { ...answer.asOf, bound: "lower" } } });
  });

  it("has its attempts paged through without losing or repeating any", async () => {
    const attempts: Attempt[] = [];
    let cursor: string | undefined;
    do {
      const page = await listJobPods(await told, { scope: "everything", wanted }, { limit: 70, cursor });
      if (page.outcome !== "listed") throw new Error(page.outcome);
      attempts.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const { job, pods } = record;
    const rules = recordRules(record, clusterContext);
    expect(attempts).toEqual(presentAttempts(pods.values(), { job, clusterContext, rules }));
  });
});
