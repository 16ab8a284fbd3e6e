import { verifiedUntil } from "../../src/archive/verify/verify-progress.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import type { Instant } from "../../src/job/model/instant.ts";
import type { TableExpiry } from "../../src/ports/expiry/table-expiry.ts";
import {
  type ArchiveProgress,
  guardExpiry,
  type Guarded,
  type GuardedTable,
} from "../../src/upkeep/retention/guard-expiry.ts";
import { type RenewalStores, renewExpiries } from "../../src/upkeep/retention/renew-expiries.ts";
import { readRetainRequest, type RetainResponse } from "../../src/upkeep/retention/retain-request.ts";
import {
  ALL_ROUNDS,
  readRetentionChanges,
  type RetentionChange,
  roundsOf,
} from "../../src/upkeep/retention/retention-changes.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import type { RemainingTime } from "../lambda/retry-until.ts";

export interface RetainDependencies extends RenewalStores {
  /** The tables whose items expire. */
  readonly tables: readonly TableExpiry[];
  /** The retention of clusters and namespaces without a rule of their own. */
  readonly standardDays: number;
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** More than a page of Jobs takes, large ones included: no page starts that Lambda would interrupt. */
const PAGE_MILLIS = 60_000;

/**
 * Allows the tables to delete expired items while the archive has them, and applies changed rules and holds to stored
 * Jobs. Suspends expiry while the archive is behind, and while a change has not been applied to all Jobs. If a table
 * cannot be read or changed, handles the others and then throws ExpiryUnguardedError.
 */
export async function onRetain(
  dependencies: RetainDependencies,
  received: unknown,
  context: RemainingTime,
): Promise<RetainResponse> {
  const { meta, tables, clock } = dependencies;
  const verified = await verifiedUntil(meta);
  const guard = (isPending: boolean) => guardExpiry(tables, { now: clock.now(), verifiedUntil: verified, isPending });
  const before = await readRetentionChanges(dependencies);
  const wasPending = before.some((change) => isBegun(change) && isUnvisited(change));
  let guarded = await guard(wasPending);
  reportArchive(dependencies, verified, guarded);
  let changes = before;
  try {
    changes = await renew(dependencies, received, context);
  } finally {
    const isPending = changes.some(isUnvisited);
    if (isPending !== wasPending) guarded = await guard(isPending);
    reportChanges(dependencies, changes);
  }
  requireGuarded(guarded);
  return { ...guarded, pending: changes.filter(isUnvisited).length };
}

function isBegun({ version, progress }: RetentionChange): boolean {
  return progress?.value.version === version;
}

function isUnvisited(change: RetentionChange): boolean {
  return roundsOf(change) === 0;
}

function reportArchive(
  { tables, clock, count, logger }: RetainDependencies,
  verified: Instant | undefined,
  guarded: Guarded,
): void {
  const suspended = verified !== undefined && guarded.archive !== "current";
  count("SuspendedExpiries", suspended ? tables.length : 0);
  // The archive function reports it, too; but not if it does not run.
  if (verified !== undefined) count("ArchiveLagSeconds", Math.round((clock.now() - verified) / 1_000));
  if (suspended) logger.error(whySuspended(guarded.archive), { ...guarded });
  else logger.info("The expiry of the tables was checked.", { ...guarded });
}

async function renew(
  { meta, holds, expiries, standardDays, clock }: RetainDependencies,
  received: unknown,
  context: RemainingTime,
): Promise<readonly RetentionChange[]> {
  const { seconds = Infinity } = readRetainRequest(received);
  const until = clock.now() + seconds * 1_000;
  const hasTime = () => clock.now() < until && context.getRemainingTimeInMillis() > PAGE_MILLIS;
  return renewExpiries({ meta, holds, expiries }, { now: () => clock.now(), standardDays, hasTime });
}

function reportChanges({ clock, count, logger }: RetainDependencies, changes: readonly RetentionChange[]): void {
  const now = clock.now();
  const unfinished = changes.filter((change) => roundsOf(change) < ALL_ROUNDS);
  const oldest = Math.min(
    now,
    ...unfinished.map((change) => (isBegun(change) ? change.progress?.value.seenAt : now) ?? now),
  );
  count("RetentionLagSeconds", Math.round((now - oldest) / 1_000));
  for (const { kind, place, progress } of unfinished) {
    logger.info("Stored Jobs begin to follow a rule or hold.", { kind, ...place, ...progress?.value });
  }
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
