import { verifiedUntil } from "../../src/archive/verify/verify-progress.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { TableExpiry } from "../../src/ports/expiry/table-expiry.ts";
import {
  type ArchiveProgress,
  guardExpiry,
  type Guarded,
  type GuardedTable,
} from "../../src/retention/guard-expiry.ts";
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

/**
 * Lets the tables delete expired items while the archive has them, and suspends it while the archive is behind. Throws
 * ExpiryUnguardedError if a table could not be read or changed, after the others.
 */
export async function onRetain({ meta, expiries, clock, count, logger }: RetainDependencies): Promise<Guarded> {
  const now = clock.now();
  const until = await verifiedUntil(meta);
  const guarded = await guardExpiry(expiries, { now, verifiedUntil: until });
  const suspended = until !== undefined && !guarded.mayExpire;
  count("SuspendedExpiries", suspended ? expiries.length : 0);
  // The archive function reports it, too; but not if it does not run.
  if (until !== undefined) count("ArchiveLagSeconds", Math.round((now - until) / 1_000));
  if (suspended) logger.error(whySuspended(guarded.archive), { ...guarded });
  else logger.info("The expiry of the tables was checked.", { ...guarded });
  requireGuarded(guarded);
  return guarded;
}

function whySuspended(archive: ArchiveProgress): string {
  return archive === "ahead"
    ? "The archive was verified until an instant in the future: expired data is kept. Check its manifests and clocks."
    : "The archive is behind: expired data is kept.";
}

function requireGuarded({ tables }: Guarded): void {
  const unknown = tables.filter((one) => one.expiry === "unknown");
  if (unknown.length > 0) throw new ExpiryUnguardedError(unknown);
}

/** Tables could not be read or changed: they may delete expired data that is not archived. */
export class ExpiryUnguardedError extends Error {
  override readonly name = "ExpiryUnguardedError";

  constructor(tables: readonly (GuardedTable & { readonly expiry: "unknown" })[]) {
    const names = tables.map(({ table }) => table).join(", ");
    super(`Cannot check the expiry of ${names}. The next run tries again; if it fails, grant the function access.`, {
      cause: tables[0]?.cause,
    });
  }
}
