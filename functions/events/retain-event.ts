import { verifiedUntil } from "../../src/archive/verify/verify-progress.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { TableExpiry } from "../../src/ports/expiry/table-expiry.ts";
import { guardExpiry, type Guarded } from "../../src/retention/guard-expiry.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Journal } from "../../src/runtime/journal.ts";

export interface RetainDependencies {
  readonly meta: MetaStore;
  /** The tables whose items expire. */
  readonly expiries: readonly TableExpiry[];
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** Lets the tables delete expired items while the archive has them, and suspends it while the archive is behind. */
export async function onRetain({ meta, expiries, clock, count, logger }: RetainDependencies): Promise<Guarded> {
  const now = clock.now();
  const until = await verifiedUntil(meta);
  const guarded = await guardExpiry(expiries, { now, verifiedUntil: until });
  const suspended = until !== undefined && !guarded.mayExpire;
  count("SuspendedExpiries", suspended ? expiries.length : 0);
  // The archive function reports it, too; but not if it does not run.
  if (until !== undefined) count("ArchiveLagSeconds", Math.round((now - until) / 1_000));
  if (suspended) logger.error("The archive is behind: expired data is kept.", { ...guarded });
  else logger.info("The expiry of the tables was checked.", { ...guarded });
  return guarded;
}
