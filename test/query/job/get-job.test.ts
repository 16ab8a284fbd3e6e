import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { explainJob } from "../../../src/query/job/explain-job.ts";
import { getJob } from "../../../src/query/job/get-job.ts";
import { listJobs } from "../../../src/query/list/list-jobs.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

/** Pods of one node; one of them is killed by the kubelet's restart, and the Job fails. */
function failing(): Story {
  const story = new Story("report");
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated({ completions: 3, parallelism: 3, backoffLimit: 0 });
  story.jobReported({});
  story.jobTracked();
  for (const pod of ["a", "b"]) {
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod, "node-a");
  }
  story.podFails("c", 1, 5, { tracked: true });
  story.podSucceeds("d", 5, { tracked: true });
  story.podTerminated("d", "Failed");
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  return story;
}

interface Counted {
  readonly ports: QueryPorts;
  /** How often each item was read, by its key. */
  readonly reads: ReadonlyMap<string, number>;
}

async function countedPorts(story: Story): Promise<Counted> {
  const { nodes, hints } = story.clusterContext;
  const around: readonly Fact[] = [
    ...[...nodes.values()].flatMap(({ stands, deleted }) => [...stands, ...deleted]),
    ...[...hints.values()].flat(),
  ];
  const { projections, meta, log } = await storesWithFacts([...story.facts, ...around]);
  const reads = new Map<string, number>();
  const count = (key: string): void => {
    reads.set(key, (reads.get(key) ?? 0) + 1);
  };
  return { ports: { jobs: countedJobs(projections.open("A"), count), meta: countedMeta(meta, count), log }, reads };
}

/** A list reads the rows that it returns. */
function countedJobs(jobs: JobStore, count: (key: string) => void): JobStore {
  return {
    ...boundTo(jobs),
    read: (key) => {
      count(`job ${key.jobUid}`);
      return jobs.read(key);
    },
    listByName: async (name, options) => {
      const page = await jobs.listByName(name, options);
      for (const { jobUid } of page.rows) count(`job ${jobUid}`);
      return page;
    },
  };
}

function boundTo(jobs: JobStore): JobStore {
  return {
    read: (key) => jobs.read(key),
    write: (key, state, expected) => jobs.write(key, state, expected),
    list: (partition, options) => jobs.list(partition, options),
    listLive: (partition, options) => jobs.listLive(partition, options),
    listByName: (name, options) => jobs.listByName(name, options),
    sampleNames: (namespace, limit) => jobs.sampleNames(namespace, limit),
    listAttention: (partition, options) => jobs.listAttention(partition, options),
    writePage: (key, hash, bytes) => jobs.writePage(key, hash, bytes),
    readPage: (key, hash) => jobs.readPage(key, hash),
  };
}

function countedMeta(meta: MetaStore, count: (key: string) => void): MetaStore {
  return {
    read: (kind, key) => {
      count(`${kind} ${key}`);
      return meta.read(kind, key);
    },
    write: (kind, key, record) => meta.write(kind, key, record),
    list: (kind, options) => {
      count(`list of ${kind} ${options.prefix} after ${options.after ?? ""}`);
      return meta.list(kind, options);
    },
  };
}

const wanted = { cluster: clusterOf("east"), namespace: "default", name: "report" };

describe("the answer about one Job", () => {
  it("is made from one read of each item", async () => {
    const story = failing();
    const { ports, reads } = await countedPorts(story);
    const found = await getJob(ports, { scope: "everything", wanted }, { now: story.now });
    expect(found.outcome).toBe("answered");
    expect([...reads].filter(([, times]) => times > 1)).toEqual([]);
    expect(reads.get(`job ${story.jobUid}`)).toBe(1);
  });

  it("is made from one read of each item when a uid is given", async () => {
    const story = failing();
    const { ports, reads } = await countedPorts(story);
    const found = await getJob(
      ports,
      { scope: "everything", wanted: { ...wanted, uid: story.jobUid } },
      { now: story.now },
    );
    expect(found.outcome).toBe("answered");
    expect([...reads].filter(([, times]) => times > 1)).toEqual([]);
  });

  it("has the findings that lists and the explanation have", async () => {
    const story = failing();
    const { ports } = await countedPorts(story);
    const found = await getJob(ports, { scope: "everything", wanted }, { now: story.now });
    const listed = await listJobs(ports, "everything", { filter: {}, limit: 10 });
    const explained = await explainJob(ports, { scope: "everything", wanted }, { now: story.now });
    if (found.outcome !== "answered" || listed.outcome !== "listed" || explained.outcome !== "explained") {
      throw new Error("The Job is known to every query.");
    }
    const { findings } = found.answer;
    expect(findings.map(({ kind }) => kind)).toEqual(["CompletionLost", "SuccessFlipped", "LimitReached"]);
    const short = findings.map(({ kind, message, since, podCount }) => ({ kind, message, since, podCount }));
    expect(listed.items[0]?.findings).toMatchObject(short.map(({ kind, message }) => ({ kind, message })));
    expect(listed.items[0]?.verdict).toEqual(found.answer.verdict);
    expect(explained.why.verdict).toEqual(found.answer.verdict);
    const explainedFacts = explained.why.chain.map(({ kind, object }) => `${kind} ${object}`);
    for (const { evidence } of findings) {
      for (const { kind, object } of evidence) expect(explainedFacts).toContain(`${kind} ${object}`);
    }
  });
});
