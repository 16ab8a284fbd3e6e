import { type Held, holdKey } from "../../ports/meta-key.ts";
import { type Hold, type HoldStores, readHolds } from "../../ports/expiry/holds.ts";
import type { JobRetention } from "../../ports/expiry/job-expiry.ts";
import { retentionRecord } from "../../ports/expiry/retention-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";

/** For how long Jobs are kept, and which are held. */
export interface RetentionRules extends JobRetention {
  /** Whether any Job expires at all. */
  readonly isLimited: boolean;
  /** The shortest retention of all clusters and namespaces; `undefined` if no Job expires. */
  readonly shortest: number | undefined;
  holdOn(job: Required<Held>): Hold | undefined;
  /** Holds in force, in order of their keys. */
  readonly holds: readonly Hold[];
}

/** Reads the rules. `standardDays` is the setting for clusters without a rule of their own. */
export async function readRetentionRules(
  stores: HoldStores,
  standardDays: number | undefined,
): Promise<RetentionRules> {
  const days = new Map<string, number>();
  for await (const { key, value } of listDecoded(stores.meta, retentionRecord, "")) {
    if (value.days !== undefined) days.set(key, value.days);
  }
  const holds = await readHolds(stores);
  const byKey = new Map(holds.map((hold) => [holdKey(hold.held), hold]));
  const ofCluster = (cluster: string): number | undefined => days.get(`${cluster}#`) ?? standardDays;
  return {
    isLimited: standardDays !== undefined || days.size > 0,
    shortest: shortestOf(standardDays === undefined ? [...days.values()] : [standardDays, ...days.values()]),
    daysOf: (cluster, namespace) => days.get(`${cluster}#${namespace}`) ?? ofCluster(cluster),
    longestOf: (cluster) => {
      const standard = ofCluster(cluster);
      if (standard === undefined) return undefined;
      const own = [...days].filter(([key]) => key.startsWith(`${cluster}#`)).map(([, ownDays]) => ownDays);
      return Math.max(standard, ...own);
    },
    holdOn: ({ cluster, namespace, name }) =>
      byKey.get(holdKey({ cluster })) ??
      byKey.get(holdKey({ cluster, namespace })) ??
      byKey.get(holdKey({ cluster, namespace, name })),
    holds,
  };
}

function shortestOf(days: readonly number[]): number | undefined {
  return days.length === 0 ? undefined : Math.min(...days);
}
