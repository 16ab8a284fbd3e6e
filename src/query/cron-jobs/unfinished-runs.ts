import type { Instant } from "../../job/model/instant.ts";
import { cronJobOf } from "../../parents/cron-job/cron-lineage.ts";
import type { JobRow, ListPosition } from "../../ports/job-row.ts";
import type { JobStore, NamespaceOfJobs } from "../../ports/jobs.ts";
import { LONG_LIVED_MS, type WideLists, type WidePosition } from "../../ports/wide-lists.ts";
import { clusterNames, namespacesOf } from "../clusters/clusters.ts";
import type { RowPorts } from "../list/list-jobs.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { CronJobAnswer } from "./cron-jobs.ts";

const PAGE = 500;
/**
 * A sweep begins every five minutes. If none has ended for this long, Jobs may be missing from the lists of long-lived
 * Jobs.
 */
const LATE_SWEEP_MS = 30 * 60_000;

/**
 * The CronJobs whose run has been in progress for some minutes: it may be slow, or overlap a later run that succeeded.
 */
export class UnfinishedRuns {
  /** `undefined`: they are unknown. */
  readonly #cronJobs: ReadonlySet<string> | undefined;

  private constructor(cronJobs: ReadonlySet<string> | undefined) {
    this.#cronJobs = cronJobs;
  }

  static async read(ports: RowPorts, now: Instant): Promise<UnfinishedRuns> {
    const { wide } = ports.jobs;
    if (wide === undefined) return new UnfinishedRuns(await collect(rowsOfNamespaces(ports, now)));
    return new UnfinishedRuns((await hasLongLived(wide, now)) ? await collect(longLivedRows(wide)) : undefined);
  }

  /** Whether the CronJob may have one. */
  has({ cluster, namespace, name }: Pick<CronJobAnswer, "cluster" | "namespace" | "name">): boolean {
    return this.#cronJobs?.has(idOf(cluster, namespace, name)) ?? true;
  }
}

type ClusterRow = JobRow & { readonly cluster: string };

async function collect(rows: AsyncIterable<ClusterRow>): Promise<ReadonlySet<string>> {
  const cronJobs = new Set<string>();
  for await (const row of rows) {
    const { owner, finishedAt, deletedAt } = readSummary(row);
    const cronJob = cronJobOf(owner);
    if (cronJob === undefined || finishedAt !== undefined || deletedAt !== undefined) continue;
    cronJobs.add(idOf(row.cluster, row.namespace, cronJob.name));
  }
  return cronJobs;
}

/** Whether every long-lived Job is in the lists of long-lived Jobs. */
async function hasLongLived(wide: WideLists, now: Instant): Promise<boolean> {
  const coverage = await wide.readCoverage();
  return coverage?.isConverted === true && coverage.sweptTo >= now - LATE_SWEEP_MS;
}

async function* longLivedRows(wide: WideLists): AsyncGenerator<ClusterRow> {
  const partitions = wide.partitions(["A", "B"]);
  let after: WidePosition | undefined;
  do {
    const page = await wide.list(partitions, { after, limit: PAGE });
    yield* page.rows;
    after = page.next;
  } while (after !== undefined);
}

async function* rowsOfNamespaces({ jobs, meta }: RowPorts, now: Instant): AsyncGenerator<ClusterRow> {
  for (const cluster of await clusterNames(meta, "everything")) {
    for (const namespace of await namespacesOf(meta, "everything", cluster)) {
      for await (const row of liveRows(jobs, { cluster, namespace })) {
        if (row.createdAt > now - LONG_LIVED_MS) break;
        yield { ...row, cluster };
      }
    }
  }
}

async function* liveRows(jobs: JobStore, namespace: NamespaceOfJobs): AsyncGenerator<JobRow> {
  let after: ListPosition | undefined;
  do {
    const page = await jobs.listLive(namespace, { limit: PAGE, order: "oldest", ...(after && { after }) });
    yield* page.rows;
    after = page.next;
  } while (after !== undefined);
}

function idOf(cluster: string, namespace: string, name: string): string {
  return `${cluster}#${namespace}#${name}`;
}
