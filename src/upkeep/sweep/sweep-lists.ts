import { decodeClusterName, type ClusterName } from "../../job/model/ids.ts";
import type { ListedJob } from "../../ports/job-row.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { namespaceKey } from "../../ports/meta-key.ts";
import type { SweepPosition, WideSweepPosition } from "../../ports/records/sweep-checkpoint.ts";
import type { SweepRound } from "../../ports/records/sweep-round.ts";
import type { WideLists } from "../../ports/wide-lists.ts";
import { afterInstant } from "../../query/list/merged-rows.ts";

/** The stores that a sweep reads. */
export interface SweptStores {
  /** The projection that answers. */
  readonly jobs: JobStore;
  readonly meta: MetaStore;
}

/** A Job to visit. */
export interface SweptJob {
  readonly cluster: ClusterName;
  readonly row: ListedJob;
  /** The Job belongs to another list, and moves there when it is written. */
  readonly isMisplaced: boolean;
}

/** Some Jobs of a list, and where it continues. */
export interface SweptPage {
  readonly jobs: readonly SweptJob[];
  readonly next: SweepPosition | undefined;
}

/** A part of the lists that is visited independently of the others, in parallel. */
export interface SweepShard {
  readonly index: number;
  readonly of: number;
}
/** The only shard of a sweep that is not divided. */
export const ALL_LISTS: SweepShard = { index: 0, of: 1 };

/** The lists that a shard visits in a round. */
export interface ListsOfShard {
  readonly shard: SweepShard;
  readonly begin: SweepPosition | undefined;
  /** Whether Jobs are listed by namespace as well. */
  readonly hasNamespaces: boolean;
}

/**
 * The lists of one round from a position on. A store with wide lists has the long-lived Jobs together, and the sweep
 * finds those that have just become long-lived among all Jobs of their time. Otherwise, each namespace has a list.
 * These lists are distributed over the shards. The first shard visits all lists of namespaces.
 */
export async function* sweptLists(
  { jobs: { wide }, meta }: SweptStores,
  { shard, begin, hasNamespaces }: ListsOfShard,
): AsyncGenerator<SweepPosition> {
  const lists = wide === undefined ? [] : widePositions(wide).filter((_, n) => n % shard.of === shard.index);
  if (begin?.list !== "namespace") {
    const from = begin === undefined ? 0 : lists.findIndex((list) => isSameList(list, begin));
    if (begin !== undefined && from >= 0) yield begin;
    yield* begin === undefined ? lists : lists.slice(from + 1);
  }
  if (hasNamespaces && shard.index === 0) yield* namespacesFrom(meta, begin);
}

function isSameList(a: WideSweepPosition, b: WideSweepPosition): boolean {
  return a.list === b.list && a.partition === b.partition;
}

function widePositions(wide: WideLists): readonly WideSweepPosition[] {
  return [
    ...wide.partitions(["A", "B"]).map((partition) => ({ list: "longLived", partition }) as const),
    ...wide.partitions(["O", "T"]).map((partition) => ({ list: "new", partition }) as const),
  ];
}

async function* namespacesFrom(meta: MetaStore, begin: SweepPosition | undefined): AsyncGenerator<SweepPosition> {
  const from = begin?.list === "namespace" ? begin : undefined;
  if (from !== undefined) yield from;
  const after = from && namespaceKey(from.cluster, from.namespace);
  for await (const { key } of listRecords(meta, "namespace", { prefix: "", after })) {
    const [name, ...rest] = key.split("#");
    const cluster = decodeClusterName(name);
    if (cluster !== undefined) yield { list: "namespace", cluster, namespace: rest.join("#") };
  }
}

/** One page of a list. */
export async function readSweptPage(
  jobs: JobStore,
  position: SweepPosition,
  { round, limit }: { readonly round: SweepRound; readonly limit: number },
): Promise<SweptPage> {
  if (position.list !== "namespace") return widePage(jobs, position, { round, limit });
  const { cluster, namespace, after } = position;
  const page = await jobs.listLive({ cluster, namespace }, { limit, ...(after && { after }) });
  const isMisplaced = jobs.wide !== undefined;
  return {
    jobs: page.rows.map((row) => ({ cluster, row, isMisplaced })),
    next: page.next && { ...position, after: page.next },
  };
}

async function widePage(
  { wide }: JobStore,
  position: WideSweepPosition,
  { round: { newFrom, newTo }, limit }: { readonly round: SweepRound; readonly limit: number },
): Promise<SweptPage> {
  const { list, partition } = position;
  if (wide === undefined) return { jobs: [], next: undefined };
  if (list === "longLived") {
    const { rows, next } = await wide.list([partition], { after: position.after, limit });
    return {
      jobs: rows.map((row) => ({ cluster: row.cluster, row, isMisplaced: false })),
      next: next && { list, partition, after: next },
    };
  }
  if (newFrom === undefined || newTo === undefined) return { jobs: [], next: undefined };
  const { after = afterInstant(newFrom, "oldest") } = position;
  const { rows, next } = await wide.list([partition], { after, limit, order: "oldest" });
  const due = rows.filter(({ createdAt }) => createdAt <= newTo);
  return {
    // A Job that is listed as long-lived by now has been written since its index entry was read.
    jobs: due.flatMap((row) => {
      const isMisplaced = row.wideClass === "O" || row.wideClass === "T";
      return row.phase === "A" ? [{ cluster: row.cluster, row, isMisplaced }] : [];
    }),
    next: next !== undefined && due.length === rows.length ? { list, partition, after: next } : undefined,
  };
}
