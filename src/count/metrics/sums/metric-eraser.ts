import type { ClusterName } from "../../../job/model/ids.ts";
import { boundedForms } from "../../../ports/bounded-labels.ts";
import type { MetricEraser } from "../../../ports/erasing/eraser.ts";
import type { ListPosition } from "../../../ports/job-row.ts";
import type { JobStore, NamespaceOfJobs, RunStore } from "../../../ports/jobs.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Amount, Labels } from "../../../ports/metric-store.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import { clusterNames, namespacesOf } from "../../../query/clusters/clusters.ts";
import { type TablesByDay, usageOfJobs } from "../../usage/usage-of-jobs.ts";
import { renameInUsage } from "../../usage/usage-sums.ts";
import { persist, relabelSchedules } from "../schedules/relabel-schedules.ts";
import { dividing } from "./divide-series.ts";
import { type MetricsOf, readParts, writePart } from "./metric-parts.ts";
import { MetricTable } from "./metric-table.ts";
import { contributionOf } from "./stored-contribution.ts";

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

export interface MetricEraserPorts {
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Waits until the sums have all writes of Jobs until now. */
  readonly settle: () => Promise<void>;
}

/**
 * Erases names from the metrics, and from the sums of usage, that the count function stores. The function subtracts the
 * gauges of removed Jobs itself. Jobs that are not erased keep what they contributed. They are read before the function
 * has counted what was written until then, so that all of it is in the sums. Gaps contribute to each scrape anew, so
 * nothing is stored for them.
 */
export function createMetricEraser({ meta, projections, settle }: MetricEraserPorts): MetricEraser {
  return {
    subjects: async () => [],
    forget: async () => undefined,
    relabel: async (change) => {
      const all: Relabelled[] = [];
      for (const cluster of await clusterNames(meta, "everything")) {
        for (const projection of PROJECTIONS) {
          const stores = { meta, jobs: projections.open(projection), runs: projections.runs(projection), cluster };
          const namespaces = await namespacesToChange(stores, change);
          const kept = await contributions(stores, namespaces);
          all.push({ of: { meta, projection, cluster }, kept, usage: await usageOfJobs(stores.jobs, namespaces) });
        }
      }
      await settle();
      for (const { of, kept, usage } of all) {
        await persist(() => relabelParts(of, kept, change));
        const nameOf = (namespace: string) => change({ cluster: of.cluster, namespace })?.["namespace"];
        await persist(() => renameInUsage(of, { nameOf, kept: usage }));
      }
      await relabelSchedules(meta, change);
    },
  };
}

interface Relabelled {
  readonly of: MetricsOf;
  /** What Jobs in the namespaces contribute that get another label. */
  readonly kept: MetricTable;
  readonly usage: TablesByDay;
}

interface StoredOfCluster {
  readonly meta: MetaStore;
  readonly jobs: Pick<JobStore, "list">;
  readonly runs: Pick<RunStore, "list">;
  readonly cluster: ClusterName;
}

/** Jobs that are read together. */
const PAGE = 100;

async function namespacesToChange(
  { meta, cluster }: StoredOfCluster,
  change: Change,
): Promise<readonly NamespaceOfJobs[]> {
  const namespaces = await namespacesOf(meta, "everything", cluster);
  return namespaces.map((namespace) => ({ cluster, namespace })).filter((of) => change(of) !== undefined);
}

async function contributions(stores: StoredOfCluster, namespaces: readonly NamespaceOfJobs[]): Promise<MetricTable> {
  const all = new MetricTable();
  for (const namespace of namespaces) {
    for await (const { series, part, amount } of amountsIn(stores, namespace)) {
      all.add({ series, parts: new Map([[part, amount]]) });
    }
  }
  return all;
}

async function* amountsIn({ jobs, runs }: StoredOfCluster, namespace: NamespaceOfJobs): AsyncGenerator<Amount> {
  const { cluster } = namespace;
  for (const isRun of [undefined, true] as const) {
    const store = isRun === true ? runs : jobs;
    let after: ListPosition | undefined;
    do {
      const page = await store.list(namespace, { limit: PAGE, withStates: true, ...(after && { after }) });
      for (const { jobUid, stored, ...row } of page.rows) {
        if (stored === undefined) continue;
        yield* contributionOf({ key: { cluster, jobUid }, isRun }, { row, bytes: stored.bytes })?.amounts ?? [];
      }
      after = page.next;
    } while (after !== undefined);
  }
}

type Change = (labels: Labels) => Labels | undefined;

/** Each part has its own sums: a process that is killed between two parts has counted nothing twice. */
async function relabelParts(of: MetricsOf, kept: MetricTable, change: Change): Promise<void> {
  for (const [index, part] of (await readParts(of)).entries()) {
    const divide = dividing(boundedAs(part.table, kept));
    const table = part.table.relabelled((labels) => inPart(change(labels), index), divide);
    if (table !== undefined) await writePart(of.meta, { ...part, table });
  }
}

/** The numbers under the labels under which another table has them. */
function boundedAs(table: MetricTable, contributed: MetricTable): MetricTable {
  const bounded = new MetricTable();
  for (const { series, numbers } of contributed.stored()) {
    const labels = boundedForms(series.labels).find((form) => table.has({ ...series, labels: form }));
    bounded.merge({ numbers, series: { ...series, labels: labels ?? series.labels } });
  }
  return bounded;
}

/** A series is in one part only. */
function inPart(labels: Labels | undefined, part: number): Labels | undefined {
  return labels === undefined || part === 0 ? labels : { ...labels, namespace: `${labels["namespace"] ?? ""}.${part}` };
}
