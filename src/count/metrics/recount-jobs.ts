import { TimeSlice } from "../../ports/concurrency/time-slice.ts";
import { decodeClusterName } from "../../job/model/ids.ts";
import type { ListedJob, ListPosition } from "../../ports/job-row.ts";
import type { JobPage, JobStore, ListOptions, NamespaceOfJobs, RunStore } from "../../ports/jobs.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { MetricStore } from "../../ports/metric-store.ts";
import { deriveRow } from "../../projection/job-state/derive-row.ts";
import { decodeJobState } from "../../projection/job-state/job-state.ts";
import { unpackWithUsage } from "../../projection/job-state/summary-bytes.ts";
import { countRuns } from "./count-rows.ts";
import { countedJob } from "./counted-job.ts";
import { jobContribution } from "./job-contribution.ts";

export interface RecountPorts {
  /** The live projection. */
  readonly jobs: Pick<JobStore, "list">;
  /** Its runs. */
  readonly runs: Pick<RunStore, "list">;
  readonly meta: MetaStore;
  readonly metrics: MetricStore;
  /** Runs `work` in one transaction: flushing each Job to disk would take most of the time. */
  readonly atOnce: (work: () => Promise<void>) => Promise<void>;
  /**
   * Leaves out Jobs that a sweep will count next, because only the sweep knows all their findings. @default includes
   * them
   */
  readonly isSweptNext?: boolean;
}

/** Jobs that are read together. */
const PAGE = 100;

/**
 * Adds every stored Job and run to the metrics again: after a replay, and once for Jobs that were stored before metrics
 * existed. It replaces earlier contributions, so nothing counts twice. Returns the number of Jobs.
 */
export async function recountJobs(ports: RecountPorts): Promise<number> {
  let jobs = 0;
  for await (const { key } of listRecords(ports.meta, "namespace", { prefix: "" })) {
    const [name, ...rest] = key.split("#");
    const cluster = decodeClusterName(name);
    if (cluster === undefined) continue;
    const namespace = { cluster, namespace: rest.join("#") };
    jobs += await recountPages(
      ports,
      (page) => ports.jobs.list(namespace, { ...page, withStates: true }),
      (listed) => recount(ports, namespace, listed),
    );
    const observer = countRuns(ports.metrics);
    await recountPages(
      ports,
      (page) => ports.runs.list(namespace, page),
      ({ jobUid, ...row }) => observer({ key: { cluster, jobUid }, row }),
    );
  }
  await ports.metrics.caughtUp();
  return jobs;
}

/** Returns the number of listed rows. */
async function recountPages(
  { atOnce }: RecountPorts,
  list: (page: ListOptions) => Promise<JobPage>,
  count: (listed: ListedJob) => Promise<void>,
): Promise<number> {
  const slice = new TimeSlice();
  let jobs = 0;
  let after: ListPosition | undefined;
  do {
    const page = await list({ limit: PAGE, ...(after && { after }) });
    await atOnce(async () => {
      for (const listed of page.rows) await count(listed);
    });
    await slice.next();
    jobs += page.rows.length;
    after = page.next;
  } while (after !== undefined);
  return jobs;
}

async function recount(
  { metrics, isSweptNext = false }: RecountPorts,
  { cluster }: NamespaceOfJobs,
  listed: ListedJob,
): Promise<void> {
  const { jobUid, phase, stored, summary } = listed;
  if (stored === undefined || (isSweptNext && phase === "A")) return;
  const state = decodeJobState(jobUid, stored.bytes);
  const derived = deriveRow(cluster, state);
  if (derived === undefined) return;
  const counted = countedJob(state, derived);
  // The findings of a row that is no longer swept come from a sweep.
  const { answer, usage } = unpackWithUsage(summary);
  const swept = { isSwept: true, answer: { ...counted.answer, findings: answer.findings }, usage };
  await metrics.contribute(
    { cluster, id: jobUid },
    jobContribution(phase === "F" ? { ...counted, ...swept, isOpen: false } : counted),
  );
}
