import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Hold } from "../../ports/expiry/holds.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import type { Projections } from "../../ports/projections.ts";
import { liveJobs } from "../../projection/live-projection.ts";
import { viewJob } from "../../projection/job-state/read-job.ts";
import type { RetentionRules } from "./retention-rules.ts";

export interface HeldStores {
  readonly meta: MetaStore;
  readonly projections: Projections;
}

/**
 * The partitions of the log that have facts about Jobs of a cluster that were created before an instant and are still
 * stored: they run for long, or ended not long ago. A rebuild needs their facts. A Job that was created after now has
 * the time of a wrong clock, so its facts may be of any day.
 */
export async function daysOfOldJobs(
  stores: HeldStores,
  cluster: ClusterName,
  { before, now }: { readonly before: Instant; readonly now: Instant },
): Promise<ReadonlySet<string>> {
  const jobs = await liveJobs(stores.projections, stores.meta);
  const days = new Set<string>();
  for (const namespace of await namespacesOf(stores.meta, cluster)) {
    const place = { cluster, namespace, name: undefined };
    for (const [order, isOf] of [
      ["oldest", (createdAt: Instant) => createdAt < before],
      ["newest", (createdAt: Instant) => createdAt > now],
    ] as const) {
      for await (const { jobUid, stored, createdAt } of rowsOf(jobs, place, order)) {
        if (!isOf(createdAt)) break;
        for await (const { pk } of viewJob(jobs, { cluster, jobUid }, stored).logKeys()) days.add(pk);
      }
    }
  }
  return days;
}

/** The partitions of the log (`cluster#yyyymmdd`) that have facts about Jobs under a legal hold. */
export async function heldDays(stores: HeldStores, { holds }: RetentionRules): Promise<ReadonlySet<string>> {
  const days = new Set<string>();
  if (holds.length === 0) return days;
  const jobs = await liveJobs(stores.projections, stores.meta);
  for (const hold of holds) for await (const pk of daysOf({ jobs, meta: stores.meta }, hold)) days.add(pk);
  return days;
}

interface JobStores {
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

async function* daysOf(stores: JobStores, { held }: Hold): AsyncGenerator<string> {
  const cluster = decodeClusterName(held.cluster);
  if (cluster === undefined) return;
  const namespaces = held.namespace === undefined ? await namespacesOf(stores.meta, cluster) : [held.namespace];
  for (const namespace of namespaces) {
    for await (const row of rowsOf(stores.jobs, { cluster, namespace, name: held.name })) {
      for await (const { pk } of viewJob(stores.jobs, { cluster, jobUid: row.jobUid }, row.stored).logKeys()) yield pk;
    }
  }
}

interface HeldPlace {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly name: string | undefined;
}

/** Jobs in a page, with their states. */
const PAGE = 100;

async function* rowsOf(jobs: JobStore, { cluster, namespace, name }: HeldPlace, order: "newest" | "oldest" = "oldest") {
  let page: Awaited<ReturnType<JobStore["list"]>> | undefined;
  do {
    const options = {
      limit: PAGE,
      withStates: true,
      order,
      ...(page?.next && { after: page.next }),
    };
    page =
      name === undefined
        ? await jobs.list({ cluster, namespace }, options)
        : await jobs.listByName({ cluster, namespace, name }, options);
    for (const { jobUid, stored, createdAt } of page.rows) {
      if (stored !== undefined) yield { jobUid, stored, createdAt };
    }
  } while (page.next !== undefined);
}

async function namespacesOf(meta: MetaStore, cluster: ClusterName): Promise<readonly string[]> {
  const prefix = namespaceKey(cluster, "");
  const found: string[] = [];
  for await (const { key } of listRecords(meta, "namespace", { prefix })) found.push(key.slice(prefix.length));
  return found;
}
