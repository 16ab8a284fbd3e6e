// What does one Job with very many Pods cost: counted offline from segments, and projected? How large do its index sets
// become?
import type { JobFact } from "../src/job/model/fact.ts";
import type { PodRecord } from "../src/job/model/pod-record.ts";
import { byUsageClass, sumOfUsage, ungrouped } from "../src/job/usage/usage.ts";
import { usageByGroup } from "../src/explain/usage/record-usage.ts";
import { countingRulesOf } from "../src/job/accounting/counting-rules.ts";
import { JobFold, type JobObject } from "../src/job/model/job-record.ts";
import type { PodTally } from "../src/job/accounting/pod-tally.ts";
import { tallyPods } from "../src/job/accounting/tally.ts";
import { type ClusterName, decodeClusterName } from "../src/job/model/ids.ts";
import { decodeJobState, type JobState, emptyJobState } from "../src/projection/job-state/job-state.ts";
import { NO_CONTEXT, rowOf } from "../src/projection/job-state/derive-row.ts";
import { joinJobState } from "../src/projection/job-state/join-job-state.ts";
import { decodeRefs, type PageRef } from "../src/projection/pages/page-ref.ts";
import type { PageStore } from "../src/projection/pages/page-tree.ts";
import { decodeSegment } from "../src/segment/decode-segment.ts";
import { sealSegment } from "../src/segment/seal-segment.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../test/support/facts/large-job-facts.ts";
import { type Measure, median, report } from "./measuring/measure.ts";
import { shuffled } from "./measuring/shuffled.ts";

const PODS = 1_000_000;
/** Pods whose facts fill a segment. */
const PODS_IN_SEGMENT = 300;
/** Concurrent Pods: a segment has the starts of some Pods, and the ends of Pods that started this many earlier. */
const RUNNING = 1_000;
const INDEXES = 100_000;

const cluster = benchCluster();
const session = "0123456789abcdef";

/** Projects segments of Pod ends without a store. Measures time and memory of exact counts. */
export function countPodEnds(pods = PODS): readonly Measure[] {
  const segments: Uint8Array[] = [];
  for (let from = 0, sequence = 0; from < pods; from += 2_000, sequence += 1) {
    const facts: JobFact[] = from === 0 ? [...largeJobFacts({ indexed: false, completions: pods })] : [];
    const end = Math.min(pods, from + 2_000);
    for (let number = from; number < end; number += 1) facts.push(...podEndFacts(number).slice(2, 3));
    segments.push(sealSegment({ cluster, sealedAt: sequence, session, sequence, facts }).bytes);
  }
  globalThis.gc?.();
  const began = performance.now();
  const { outcomes } = countedFrom(segments);
  const seconds = (performance.now() - began) / 1_000;
  const failed = Math.floor(pods / 100);
  if (outcomes.Succeeded !== pods - failed || outcomes.Failed !== failed) {
    throw new Error("The counts of the large Job differ from those of its Pods.");
  }
  return [
    { name: "large job: Pod ends counted from segments", value: pods, unit: "Pods" },
    { name: "large job: time to count them", value: seconds, unit: "s", goal: "<= 10" },
    { name: "large job: memory at most", value: process.resourceUsage().maxRSS / 1_024, unit: "MB", goal: "<= 1024" },
  ];
}

/** Pods of which usage is summed up. A million take ten times as long. */
const PODS_OF_USAGE = 100_000;

/**
 * What the Pods of one Job reserved, read one after the other as from pages, twice: one success more than counts.
 * Without the time in which the Pods are made here.
 */
export async function usageOfPods(pods = PODS_OF_USAGE): Promise<readonly Measure[]> {
  const job = jobWith(pods - pods / 100 - 1);
  const ownPods = async function* () {
    for (let number = 0; number < pods; number += 1) yield podRecord(number);
  };
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const made = performance.now();
  for (const _ of [1, 2]) for await (const __ of ownPods());
  const began = performance.now();
  const moment = { clusterContext: NO_CONTEXT, now: Date.UTC(2026, 1, 1) };
  const usage = sumOfUsage(ungrouped(await usageByGroup({ job, podTracked: true, ownPods }, moment))?.values() ?? []);
  const seconds = (performance.now() - began - (began - made)) / 1_000;
  globalThis.gc?.();
  const held = process.memoryUsage().heapUsed - before;
  if (usage.pods !== pods || byUsageClass(usage.podTime).get("duplicate") === undefined) throw wrong("usage");
  return [
    { name: "large job: time to sum up what its Pods reserved", value: seconds, unit: `s, ${pods} Pods` },
    { name: "large job: memory that stays afterwards", value: held / 1_048_576, unit: "MB" },
  ];
}

function wrong(what: string): Error {
  return new Error(`The ${what} of the large Job differs from that of its Pods.`);
}

function jobWith(completions: number): JobObject {
  const fold = new JobFold();
  for (const fact of largeJobFacts({ indexed: false, completions })) fold.add(fact);
  const record = fold.records.get(largeJobUid);
  if (record === undefined) throw wrong("record");
  return record.job;
}

function podRecord(number: number): PodRecord {
  const fold = new JobFold();
  const facts = [...podBeginFacts(number), ...podEndFacts(number)];
  for (const fact of facts) fold.add(fact);
  const [first] = facts;
  if (first === undefined) throw new Error("A Pod has facts.");
  const { podUid } = first;
  fold.add({ ...first, kind: "PodReserved", requests: { cpu: "500m", memory: "1073741824" } });
  const pod = fold.records.get(largeJobUid)?.pods.get(podUid);
  if (pod === undefined) throw new Error("The Pod was not folded.");
  return pod;
}

function countedFrom(segments: readonly Uint8Array[]): PodTally {
  const fold = new JobFold();
  for (const bytes of segments) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    for (const fact of decoded.segment.facts) fold.add(fact);
  }
  const record = fold.records.get(largeJobUid);
  if (record === undefined) throw new Error("The large Job is missing from the projection.");
  return tallyPods(record.pods.values(), countingRulesOf(record.job, { podTracked: true }));
}

/** Projects whole lives of Pods segment by segment. Compares the cost of a late segment with that of the hundredth. */
export async function projectPods(pods = PODS): Promise<readonly Measure[]> {
  const job = new ProjectedJob();
  const written: number[] = [];
  const millis: number[] = [];
  for (let from = 0; from < pods + RUNNING; from += PODS_IN_SEGMENT) {
    const facts: JobFact[] = from === 0 ? [...largeJobFacts({ indexed: false, completions: pods })] : [];
    for (let number = from; number < from + PODS_IN_SEGMENT; number += 1) {
      if (number < pods) facts.push(...podBeginFacts(number));
      if (number >= RUNNING && number < pods + RUNNING) facts.push(...podEndFacts(number - RUNNING));
    }
    const began = performance.now();
    written.push(await job.join(facts));
    millis.push(performance.now() - began);
  }
  const early = mean(written.slice(80, 120));
  const late = mean(written.slice(-140, -100));
  return [
    { name: "large job: Pods projected", value: pods, unit: "Pods" },
    { name: "large job: bytes written by a segment, about the 100th", value: early, unit: "B" },
    { name: "large job: bytes written by a segment, late", value: late, unit: "B" },
    { name: "large job: late segment against the 100th, in bytes", value: late / early, unit: "x", goal: "<= 1.2" },
    { name: "large job: time of a segment, about the 100th", value: median(millis.slice(80, 121)), unit: "ms" },
    { name: "large job: time of a segment, late", value: median(millis.slice(-141, -100)), unit: "ms" },
    { name: "large job: state item at most", value: job.largestState, unit: "B", goal: "<= 40000" },
    { name: "large job: pages that the state refers to", value: job.sweep() / 1e6, unit: "MB" },
    { name: "large job: pages written in all, those replaced since too", value: job.pageBytes / 1e6, unit: "MB" },
  ];
}

/** An Indexed Job whose indexes succeed in random order: its sets are largest in the middle. */
export async function completeIndexes(indexes = INDEXES): Promise<readonly Measure[]> {
  const order = shuffled(indexes);
  const job = new ProjectedJob();
  for (let from = 0; from < indexes; from += 500) {
    const facts: JobFact[] = from === 0 ? [...largeJobFacts({ indexed: true, completions: indexes })] : [];
    for (let number = from; number < from + 500; number += 1) {
      facts.push(...podBeginFacts(number, order[number] ?? 0), ...podEndFacts(number));
    }
    await job.join(facts);
  }
  return [
    {
      name: `large job: state item at most, ${indexes} indexes in random order`,
      value: job.largestState,
      unit: "B",
      goal: "<= 40000",
    },
  ];
}

/** One Job in a projection that only measures. */
class ProjectedJob {
  largestState = 0;
  pageBytes = 0;
  #state: JobState = emptyJobState(largeJobUid);
  #sequence = 0;
  readonly #pages = new Map<string, Uint8Array>();

  /** Bytes written. */
  async join(facts: readonly JobFact[]): Promise<number> {
    let written = 0;
    const store: PageStore = {
      read: async (hash) => this.#pages.get(hash),
      write: async (hash, bytes) => {
        this.#pages.set(hash, bytes);
        written += bytes.length;
      },
    };
    const sequence = this.#sequence;
    this.#sequence += 1;
    const joined = await joinJobState(
      this.#state,
      { facts, segments: [{ sealedAt: sequence * 1_000, session, sequence }] },
      store,
    );
    if (joined === undefined) return 0;
    const state = joined.bytes.length + (rowOf(cluster, joined.state)?.summary.length ?? 0);
    this.#state = decodeJobState(largeJobUid, joined.bytes);
    this.largestState = Math.max(this.largestState, state);
    this.pageBytes += written;
    if (sequence % 250 === 249) this.sweep();
    return written + state;
  }

  /** Deletes replaced pages, which a store keeps. Returns the bytes of the others. */
  sweep(): number {
    const named = new Set<string>();
    const name = (refs: readonly PageRef[], level: number) => {
      for (const { hash } of refs) {
        named.add(hash);
        const bytes = this.#pages.get(hash);
        if (level > 0 && bytes !== undefined) name(decodeRefs(bytes), level - 1);
      }
    };
    if (this.#state.layout === "large") name(this.#state.pods.top, this.#state.pods.level);
    if (this.#state.segments.kind === "many") name(this.#state.segments.tree.top, this.#state.segments.tree.level);
    for (const hash of this.#pages.keys()) if (!named.has(hash)) this.#pages.delete(hash);
    return [...this.#pages.values()].reduce((sum, { length }) => sum + length, 0);
  }
}

function benchCluster(): ClusterName {
  const name = decodeClusterName("bench");
  if (name === undefined) throw new Error("bench is a cluster's name.");
  return name;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

if (import.meta.main) {
  report([...countPodEnds(), ...(await usageOfPods()), ...(await completeIndexes()), ...(await projectPods())]);
}
