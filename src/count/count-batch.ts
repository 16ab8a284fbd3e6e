import * as v from "valibot";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { packedJson, readPackedJson } from "../ports/sums/packed-text.ts";
import type { JobKey } from "../ports/jobs.ts";
import type { Amount } from "../ports/metric-store.ts";
import { recordCodec } from "../ports/records/record-codec.ts";
import { type UsageDifference, UsageTable } from "./usage/usage-table.ts";
import type { SeriesRun } from "../projection/series/series-runs.ts";
import { CountTable } from "./count-table.ts";
import { packTable } from "./table-text.ts";
import { tableIn } from "./sums.ts";
import { SumsUnreadableError } from "./metrics/sums/sums-errors.ts";

/** What writes change in the counts of one hour of a cluster. */
export interface HourDifference {
  readonly cluster: ClusterName;
  readonly hour: Instant;
  readonly table: CountTable;
}

/** What the writes of a shard that were delivered together change in counts and metrics. */
export interface CountBatch {
  readonly writes: number;
  readonly oldestAt: Instant;
  readonly newestAt: Instant;
  /** Includes hours in which later writes undid every change. */
  readonly hours: readonly HourDifference[];
  readonly usage: readonly UsageDifference[];
  /** The runs of series that changed, in the order of their writes. */
  readonly runs: readonly SeriesRun[];
  readonly metrics: ReadonlyMap<ClusterName, readonly Amount[]>;
  /** The current contribution of each Job and run to the metrics. Only for a projection whose metrics are not shown. */
  readonly jobs: readonly ContributingJob[];
}

export interface ContributingJob {
  readonly key: JobKey;
  readonly isRun?: true | undefined;
  readonly at: Instant;
  /** Absent where the Job was deleted, or has no row. */
  readonly createdAt?: Instant | undefined;
  readonly amounts: readonly Amount[];
}

/** Kind `countBatch`, keyed by the position of its first write. Written once, and expires long after it is counted. */
export interface StoredBatch {
  /** The position of its last write. */
  readonly to: string;
  readonly writes: number;
  readonly oldestAt: Instant;
  readonly newestAt: Instant;
  /** The counts of all hours as one table, whose namespaces begin with the cluster and the hour. */
  readonly table: string;
  readonly rest: string;
}

export const storedBatch = recordCodec<StoredBatch>(
  "countBatch",
  v.looseObject({
    to: v.string(),
    writes: v.number(),
    oldestAt: v.number(),
    newestAt: v.number(),
    table: v.string(),
    rest: v.string(),
  }),
);

const amount = v.tuple([
  v.number(),
  v.picklist(["gauge", "counter", "latest"]),
  v.record(v.string(), v.string()),
  v.number(),
  v.number(),
]);
const contributing = v.tuple([v.string(), v.string(), v.number(), v.nullable(v.number()), v.array(amount)]);
const seriesRun = v.object({
  key: v.string(),
  id: v.number(),
  run: v.exactOptional(
    v.object({
      id: v.number(),
      createdAt: v.number(),
      endedAt: v.number(),
      millis: v.number(),
      template: v.number(),
    }),
  ),
});
const rest = v.object({
  hours: v.array(v.tuple([v.string(), v.number()])),
  metrics: v.array(v.tuple([v.string(), v.array(amount)])),
  jobs: v.array(contributing),
  runs: v.exactOptional(v.array(contributing), []),
  usage: v.exactOptional(v.array(v.tuple([v.string(), v.string(), v.string()])), []),
  series: v.exactOptional(v.array(seriesRun), []),
});
type Rest = v.InferOutput<typeof rest>;

export function packBatch({ hours, usage, runs, metrics, jobs, ...numbers }: CountBatch, to: string): StoredBatch {
  const table = new CountTable();
  for (const { cluster, hour, table: own } of hours) {
    table.addTable(own.renamed((cell) => ({ ...cell, namespace: `${cluster}#${hour}#${cell.namespace}` })));
  }
  const packed: Rest = {
    hours: hours.map(({ cluster, hour }) => [cluster, hour]),
    metrics: [...metrics].map(([cluster, amounts]) => [cluster, amounts.map(packAmount)]),
    jobs: jobs.filter(({ isRun }) => isRun !== true).map(packContributing),
    runs: jobs.filter(({ isRun }) => isRun === true).map(packContributing),
    usage: usage.map(({ cluster, day, table: own }) => [cluster, day, own.pack()]),
    series: [...runs],
  };
  return { ...numbers, to, table: packTable(table), rest: packedJson(packed) };
}

function packContributing({ key, at, createdAt, amounts }: ContributingJob): Rest["jobs"][0] {
  return [key.cluster, key.jobUid, at, createdAt ?? null, amounts.map(packAmount)];
}

function packAmount({ series: { family, kind, labels }, part, amount: number }: Amount): Rest["metrics"][0][1][0] {
  return [family, kind, labels, part, number];
}

function unpackAmount([family, kind, labels, part, number]: Rest["metrics"][0][1][0]): Amount {
  return { series: { family, kind, labels }, part, amount: number };
}

/** The inverse of {@link packBatch}. Throws {@link SumsUnreadableError}. */
export function unpackBatch(key: string, stored: StoredBatch): CountBatch {
  const { writes, oldestAt, newestAt } = stored;
  const read = v.safeParse(rest, readPackedJson(stored.rest));
  if (!read.success) throw new SumsUnreadableError(key);
  const cells = Map.groupBy(tableIn(key, stored.table).cells(), ({ namespace }) => hourIdIn(namespace));
  const hours = read.output.hours.map(([cluster, hour]): HourDifference => {
    const own = cells.get(`${cluster}#${hour}`) ?? [];
    const table = CountTable.of(own).renamed(({ group, namespace }) => ({
      group,
      namespace: namespace.slice(hourIdIn(namespace).length + 1),
    }));
    return { cluster: clusterIn(key, cluster), hour, table };
  });
  const metrics = new Map(
    read.output.metrics.map(([cluster, amounts]) => [clusterIn(key, cluster), amounts.map(unpackAmount)]),
  );
  const jobs = read.output.jobs.map((packed) => unpackContributing(key, packed));
  const runs = read.output.runs.map((packed) => ({ ...unpackContributing(key, packed), isRun: true as const }));
  const usage = read.output.usage.map((packed) => unpackUsage(key, packed));
  const { series } = read.output;
  return { writes, oldestAt, newestAt, hours, usage, runs: series, metrics, jobs: [...jobs, ...runs] };
}

function unpackContributing(key: string, [cluster, uid, at, createdAt, amounts]: Rest["jobs"][0]): ContributingJob {
  const jobUid = decodeJobUid(uid);
  if (jobUid === undefined) throw new SumsUnreadableError(key);
  const known = createdAt === null ? {} : { createdAt };
  return { key: { cluster: clusterIn(key, cluster), jobUid }, at, ...known, amounts: amounts.map(unpackAmount) };
}

function unpackUsage(key: string, [cluster, day, text]: Rest["usage"][0]): UsageDifference {
  const table = UsageTable.unpack(text);
  if (table === undefined) throw new SumsUnreadableError(key);
  return { cluster: clusterIn(key, cluster), day, table };
}

/** The cluster and the hour at the beginning of a packed namespace. */
function hourIdIn(namespace: string): string {
  return namespace.slice(0, namespace.indexOf("#", namespace.indexOf("#") + 1));
}

function clusterIn(key: string, text: string): ClusterName {
  const cluster = decodeClusterName(text);
  if (cluster === undefined) throw new SumsUnreadableError(key);
  return cluster;
}
