import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { answerRecord } from "../../src/explain/present-job.ts";
import { emptyJob, joinFacts } from "../../src/job/model/job-record.ts";
import { fieldsOf, itemsOf, textOf } from "../../src/kubernetes/json/json-field.ts";
import type { TrueEvent } from "../fault-run/etcd-oracle.ts";
import { factsOfTruth } from "../fault-run/judge-delivery.ts";

/** What was true of a Job from an instant on. */
export interface Step {
  /** When etcd's history showed it. */
  readonly at: number;
  readonly counts: Counts;
}

/** The counts of an answer that must never exceed the truth. */
export interface Counts {
  readonly seen: number;
  readonly succeeded: number;
  readonly failed: number;
  /** `status.succeeded` and `status.failed`. */
  readonly statusSucceeded: number;
  readonly statusFailed: number;
}

/** A Job as etcd's history has it. */
export interface TrueJob {
  readonly uid: string;
  readonly name: string;
  readonly steps: readonly Step[];
  /** Its reported end. */
  readonly ended?: { readonly state: "Complete" | "Failed"; readonly at: number } | undefined;
  readonly isGone: boolean;
  /** The answer of a tracker that observed everything. */
  readonly answer: JobAnswer;
}

interface Growing {
  readonly uid: string;
  name: string;
  record: ReturnType<typeof emptyJob>;
  readonly seen: Set<string>;
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
  readonly steps: Step[];
  ended?: TrueJob["ended"];
  isGone: boolean;
  answer?: JobAnswer;
}

/** The Jobs of etcd's history by uid. Pods are counted here on their own, without Outlive's rules. */
export function truthOf(events: readonly TrueEvent[]): ReadonlyMap<string, TrueJob> {
  const jobs = new Map<string, Growing>();
  const facts = Map.groupBy(factsOfTruth(events), ({ event }) => event);
  for (const event of [...events].sort((a, b) => a.at - b.at || a.revision - b.revision)) {
    const job = jobOf(jobs, event);
    if (job === undefined) continue;
    if (event.resource === "jobs") observeJob(job, event);
    else observePod(job, event);
    const about = (facts.get(event) ?? []).flatMap(({ fact }) => (fact.jobUid === job.uid ? [fact] : []));
    job.record = joinFacts(job.record, about);
    job.answer = answerRecord(job.record, { cluster: "truth", clusterContext: NOTHING_AROUND, now: event.at });
    job.steps.push({ at: event.at, counts: grown(job, job.answer) });
  }
  return new Map(
    [...jobs].flatMap(([uid, job]) => (job.answer === undefined ? [] : [[uid, { ...job, answer: job.answer }]])),
  );
}

const NOTHING_AROUND = { nodes: new Map(), cronJobs: new Map(), hints: new Map(), gaps: [] };

function jobOf(jobs: Map<string, Growing>, { resource, object }: TrueEvent): Growing | undefined {
  const metadata = fieldsOf(fieldsOf(object)["metadata"]);
  const owner = itemsOf(metadata["ownerReferences"])
    .map(fieldsOf)
    .find(({ kind }) => kind === "Job");
  const uid = textOf(resource === "jobs" ? metadata["uid"] : owner?.["uid"]);
  if (uid === undefined) return undefined;
  const known = jobs.get(uid);
  if (known !== undefined) return known;
  const [seen, succeeded, failed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const record = emptyJob(uid as Parameters<typeof emptyJob>[0]);
  const job: Growing = { uid, name: "", record, seen, succeeded, failed, steps: [], isGone: false };
  jobs.set(uid, job);
  return job;
}

function observeJob(job: Growing, { type, object, at }: TrueEvent): void {
  const { metadata, status } = fieldsOf(object);
  job.name = textOf(fieldsOf(metadata)["name"]) ?? "";
  if (type === "DELETED") job.isGone = true;
  for (const condition of itemsOf(fieldsOf(status)["conditions"]).map(fieldsOf)) {
    const state = condition["type"];
    if (condition["status"] === "True" && (state === "Complete" || state === "Failed")) job.ended ??= { state, at };
  }
}

function observePod(job: Growing, { object }: TrueEvent): void {
  const { metadata, status } = fieldsOf(object);
  const uid = textOf(fieldsOf(metadata)["uid"]) ?? "";
  const { phase } = fieldsOf(status);
  job.seen.add(uid);
  if (phase === "Succeeded") job.succeeded.add(uid);
  if (phase === "Failed") job.failed.add(uid);
}

/** The highest counts so far: an answer may be behind, but never ahead. */
function grown({ seen, succeeded, failed, steps }: Growing, { status }: JobAnswer): Counts {
  const before = steps.at(-1)?.counts;
  return {
    seen: seen.size,
    succeeded: succeeded.size,
    failed: failed.size,
    statusSucceeded: Math.max(before?.statusSucceeded ?? 0, status.succeeded ?? 0),
    statusFailed: Math.max(before?.statusFailed ?? 0, status.failed ?? 0),
  };
}

/** The highest true counts up to an instant. */
export function countsAt({ steps }: TrueJob, at: number): Counts {
  return steps.findLast((step) => step.at <= at)?.counts ?? NO_COUNTS;
}

const NO_COUNTS: Counts = { seen: 0, succeeded: 0, failed: 0, statusSucceeded: 0, statusFailed: 0 };
