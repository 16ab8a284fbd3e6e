import type { Fact, JobFact } from "../../../src/job/model/fact.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { archiveLog, type Archived } from "../../../src/archive/write/archive-log.ts";
import type { TableName } from "../../../src/archive/layout/archive-keys.ts";
import type { TableRow } from "../../../src/archive/parquet/column.ts";
import { readRows } from "../../../src/archive/parquet/read-part.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { clusterNamed, jobUid } from "../facts/names.ts";
import { MemoryObjects } from "../stores/memory-objects.ts";
import { SmallTracker } from "../stores/small-tracker.ts";

/** 2026-11-21T08:00:00Z: the first hour of the scenes. */
export const EIGHT = Date.UTC(2026, 10, 21, 8);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A log that is archived hour by hour. */
export class ArchiveScene {
  readonly cluster = clusterNamed("east");
  readonly tracker = new SmallTracker();
  readonly store = new MemoryObjects();

  archive(now: Instant, store: ObjectStore = this.store): Promise<Archived> {
    return archiveLog({ ...this.tracker.ports, store }, { now, newId: () => "archive-1" });
  }

  /** Archives the current hour, too. */
  archiveUntilNow(now: Instant): Promise<Archived> {
    return archiveLog({ ...this.tracker.ports, store: this.store }, { now, newId: () => "archive-1", untilNow: true });
  }
}

export interface JobStory {
  readonly name: string;
  readonly createdAt: Instant;
  readonly succeeds?: boolean;
  readonly namespace?: string;
}

export function podUidOf(name: string) {
  const uid = decodePodUid(`pod-of-${name}`);
  if (uid === undefined) throw new Error(`${name} gives no uid.`);
  return uid;
}

/** The facts of a Job with one Pod that runs from the first to the third minute after the Job's creation. */
export function endedJob(story: JobStory): readonly JobFact[] {
  return [...startedJob(story), ...jobEnd(story)];
}

export function startedJob({ name, createdAt, namespace = "shop" }: JobStory): readonly JobFact[] {
  const base = { ...stampAt(createdAt, 0), jobUid: jobUid(name) };
  const pod = { ...stampAt(createdAt + MINUTE, 1), jobUid: base.jobUid, podUid: podUidOf(name) };
  const spec = {
    parallelism: 1,
    completions: 1,
    completionMode: "NonIndexed",
    backoffLimit: 0,
    suspend: false,
    restartPolicy: "Never",
  };
  return [
    { ...base, kind: "JobCreated", namespace, name, createdAt, labels: { team: "billing" } },
    { ...base, kind: "JobSpecified", generation: 1, spec },
    { ...base, kind: "JobTracked" },
    { ...pod, kind: "PodCreated", namespace, name: `${name}-x`, createdAt, containers: ["work"] },
    { ...pod, kind: "PodTracked" },
    { ...pod, kind: "PodScheduled", node: "node-1", scheduledAt: createdAt + MINUTE },
    { ...pod, kind: "PodStarted", startedAt: createdAt + MINUTE },
  ];
}

/** The facts of its end. */
export function jobEnd({ name, createdAt, succeeds = true }: JobStory): readonly JobFact[] {
  const endAt = createdAt + 3 * MINUTE;
  const base = { ...stampAt(endAt, 3), jobUid: jobUid(name) };
  const pod = { ...stampAt(endAt, 2), jobUid: base.jobUid, podUid: podUidOf(name) };
  const phase = succeeds ? "Succeeded" : "Failed";
  const type = succeeds ? "Complete" : "Failed";
  const reason = succeeds ? "CompletionsReached" : "BackoffLimitExceeded";
  const condition = { type, status: "True", reason, lastTransitionAt: endAt } as const;
  const mutable = { parallelism: 1, completions: 1, suspend: false };
  const counted = succeeds ? { succeeded: 1, completionTime: endAt } : { failed: 1 };
  const status = {
    active: 0,
    conditions: [condition],
    startTime: createdAt,
    uncounted: { succeeded: [], failed: [] },
    ...counted,
  };
  return [
    {
      ...pod,
      kind: "ContainerEnded",
      container: "work",
      restartCount: 0,
      exitCode: succeeds ? 0 : 1,
      reason: succeeds ? "Completed" : "Error",
      startedAt: createdAt + MINUTE,
      finishedAt: endAt,
    },
    { ...pod, kind: "PodTerminated", phase, conditions: [], tracked: true },
    { ...base, kind: "JobReported", generation: 1, status, mutable },
    { ...base, kind: "JobFinished", condition },
  ];
}

/** The fact that the controller released the Job's Pod: nothing about the Job can change any more. */
export function podReleased({ name }: Pick<JobStory, "name">, at: Instant): JobFact {
  return { ...stampAt(at, 4), kind: "PodUntracked", jobUid: jobUid(name), podUid: podUidOf(name) };
}

/** The fact that a user deleted the Job. */
export function jobDeleted({ name }: Pick<JobStory, "name">, at: Instant): Fact {
  return { ...stampAt(at, 4), kind: "JobDeleted", jobUid: jobUid(name) };
}

export function stampAt(at: Instant, step: number) {
  const resourceVersion = decodeResourceVersion(String(Math.floor(at / 1000) * 10 + step));
  if (resourceVersion === undefined) throw new Error(`${at} gives no resourceVersion.`);
  return { epoch: 0, resourceVersion, at };
}

/** All rows of a table, part by part. */
export async function tableRows(store: ObjectStore, table: TableName): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for await (const { key, bytes } of store.list(`${table}/`)) {
    for await (const some of readRows({ store, key, bytes })) rows.push(...some);
  }
  return rows;
}
