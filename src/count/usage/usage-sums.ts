import pLimit from "p-limit";
import * as v from "valibot";
import type { ClusterName } from "../../job/model/ids.ts";
import { dayCountsKey } from "../../ports/meta-key.ts";
import { listDecoded, readRecord, recordCodec, writeRecord } from "../../ports/records/record-codec.ts";
import { ALL_NAMESPACES } from "../../ports/sums/job-sums.ts";
import type { CountedProjection } from "../apply-differences.ts";
import { listRange } from "../list-sums.ts";
import { SumsConflictError, SumsUnreadableError } from "../metrics/sums/sums-errors.ts";
import type { TablesByDay } from "./usage-of-jobs.ts";
import { type UsageDifference, UsageTable } from "./usage-table.ts";

/** Kind `counts`, key `CLUSTER#A#day#usage#DAY`: what the Jobs of a cluster reserved on a UTC day, by namespace. */
interface UsageSumRecord {
  /** The last round whose differences are in it. */
  readonly round: number;
  /** A {@link UsageTable}. */
  readonly usage: string;
  /** It would be too large by namespace: all namespaces are one, {@link ALL_NAMESPACES}. */
  readonly coarse?: true;
}

const usageSum = recordCodec<UsageSumRecord>(
  "counts",
  v.looseObject({ round: v.number(), usage: v.string(), coarse: v.exactOptional(v.literal(true)) }),
);

/** A record has at most 300 KB: some 10,000 namespaces with four resources. */
const MOST_CHARACTERS = 280_000;
const AT_ONCE = 16;

/**
 * Adds the differences of a round to the sums of their days. A sum that already contains the round is not changed, so
 * that an interrupted round can be applied again.
 */
export async function applyUsage(
  counted: CountedProjection,
  round: number,
  differences: readonly UsageDifference[],
): Promise<void> {
  await pLimit(AT_ONCE).map(differences, async ({ cluster, day, table }) => {
    const key = keyOf({ ...counted, cluster })(day);
    const stored = await readRecord(counted.meta, usageSum, key);
    if (stored !== undefined && stored.value.round >= round) return;
    const sum = stored === undefined ? new UsageTable() : tableIn(key, stored.value);
    sum.addTable(table);
    const value = { round, ...packed(sum, stored?.value.coarse) };
    const { outcome } = await writeRecord(counted.meta, usageSum, { key, value, expected: stored?.version ?? 0 });
    if (outcome === "conflict") throw new SumsConflictError(key);
  });
}

/** How an erasure changes the names of namespaces in sums. */
export interface UsageNames {
  /** `undefined` where a name stays. */
  readonly nameOf: (namespace: string) => string | undefined;
  /** What Jobs that are not erased reserved, by day. It keeps its name, so that it can be subtracted. */
  readonly kept: TablesByDay;
}

/** Replaces names in the sums of all days. Throws SumsConflictError if they change meanwhile. Safe to repeat. */
export async function renameInUsage(of: UsageOf, { nameOf, kept }: UsageNames): Promise<void> {
  const prefix = keyOf(of)("");
  for await (const { key, value: stored, version } of listDecoded(of.meta, usageSum, prefix)) {
    const renamed = tableIn(key, stored).renamed(nameOf, kept.get(key.slice(prefix.length)));
    const value = { ...stored, ...packed(renamed, stored.coarse) };
    if (value.usage === stored.usage) continue;
    const { outcome } = await writeRecord(of.meta, usageSum, { key, value, expected: version });
    if (outcome === "conflict") throw new SumsConflictError(key);
  }
}

export interface UsageOf extends CountedProjection {
  readonly cluster: ClusterName;
}

function keyOf({ cluster, projection }: UsageOf): (day: string) => string {
  return dayCountsKey(cluster, projection, "usage");
}

function tableIn(key: string, { usage }: UsageSumRecord): UsageTable {
  const table = UsageTable.unpack(usage);
  if (table === undefined) throw new SumsUnreadableError(key);
  return table;
}

function packed(table: UsageTable, coarse?: true): Pick<UsageSumRecord, "usage" | "coarse"> {
  const usage = table.pack();
  if (coarse === undefined && usage.length <= MOST_CHARACTERS) return { usage };
  return { usage: table.merged(ALL_NAMESPACES).pack(), coarse: true };
}

export interface UsageOfDay {
  readonly day: string;
  readonly table: UsageTable;
}

/** The sums of the days from `from` until before `to`, by time. */
export async function* listUsage(
  of: UsageOf,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<UsageOfDay> {
  const key = keyOf(of);
  for await (const record of listRange(of, key(""), { from: key(from), to: key(to) })) {
    yield { day: record.key.slice(key("").length), table: tableIn(record.key, usageSum.decode(record)) };
  }
}
