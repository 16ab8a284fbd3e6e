import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { presentLineage } from "../../../src/explain/present-lineage.ts";
import { type ClusterName, decodeClusterName, decodeJobUid, type JobUid } from "../../../src/job/model/ids.ts";
import { formatInstant, parseInstant } from "../../../src/job/model/instant.ts";
import type { JobRow } from "../../../src/ports/job-row.ts";
import type { QueryPorts } from "../../../src/query/ports.ts";
import type { HourlyUsage } from "../../../src/job/usage/usage.ts";
import { namespaceKey } from "../../../src/ports/meta-key.ts";
import { packSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { MemoryJobStore } from "../stores/memory-job-store.ts";
import { MemoryLog } from "../stores/memory-log.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";

/** A healthy, complete Job of one Pod, with the changes of a test. */
export function listedJob(said: Partial<JobAnswer> = {}): JobAnswer {
  const { namespace = "batch", name = "report", uid = "uid-1", labels = {}, owner, scheduledAt } = said;
  return {
    cluster: "east",
    namespace,
    name,
    uid,
    ...presentLineage({
      namespace,
      name,
      uid,
      labels,
      createdAt: 0,
      ...(owner !== undefined && { owner }),
      ...(scheduledAt === undefined ? { manual: true } : { scheduledAt: parseInstant(scheduledAt) ?? 0 }),
    }),
    labels,
    createdAt: "2026-01-01T00:00:00Z",
    startedAt: "2026-01-01T00:00:01Z",
    finishedAt: "2026-01-01T00:00:11Z",
    spec: {
      completions: 1,
      parallelism: 1,
      completionMode: "NonIndexed",
      backoffLimit: 6,
      suspend: false,
      template: { spec: { restartPolicy: "Never" } },
    },
    status: { succeeded: 1 },
    verdict: { state: "Complete", final: true, basis: "both" },
    tracking: "tracked",
    pods: { seen: 1, succeeded: 1, failed: 0, active: 0, terminating: 0, unknown: 0 },
    findings: [],
    completeness: { level: "complete", gaps: [] },
    asOf: { time: "2026-01-01T01:00:00Z" },
    ...said,
  };
}

/** The instant `seconds` after the start of the tests, as text. */
export function second(seconds: number): string {
  return formatInstant(Date.parse("2026-01-01T00:00:00Z") + seconds * 1_000);
}

/** The row that the projection would write; with what the Pods of the Job reserved, if it is over. */
export function rowOf(job: JobAnswer, usage?: HourlyUsage): JobRow {
  return {
    namespace: job.namespace,
    name: job.name,
    createdAt: parseInstant(job.createdAt) ?? 0,
    phase: job.verdict.final ? "F" : "A",
    attention: job.findings.length > 0,
    summary: packSummary(job, usage),
  };
}

/** Stores in memory whose lists have `jobs`. */
export async function storesWith(jobs: readonly JobAnswer[]): Promise<QueryPorts & { readonly jobs: MemoryJobStore }> {
  const ports = { jobs: new MemoryJobStore(), meta: new MemoryMetaStore(), log: new MemoryLog() };
  for (const job of jobs) {
    const cluster = clusterOf(job.cluster);
    await ports.meta.write("cluster", cluster, { value: "{}", expected: 0 });
    await ports.meta.write("namespace", namespaceKey(cluster, job.namespace), { value: "{}", expected: 0 });
    await ports.jobs.write({ cluster, jobUid: uidOf(job.uid) }, { bytes: new Uint8Array(), row: rowOf(job) }, 0);
  }
  return ports;
}

export function clusterOf(name: string): ClusterName {
  const cluster = decodeClusterName(name);
  if (cluster === undefined) throw new Error(`${name} is no cluster's name`);
  return cluster;
}

function uidOf(text: string): JobUid {
  const uid = decodeJobUid(text);
  if (uid === undefined) throw new Error(`${text} is no uid`);
  return uid;
}
