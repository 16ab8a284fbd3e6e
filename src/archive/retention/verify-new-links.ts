import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { type ArchiveHour, hourOf } from "../layout/archive-hour.ts";
import { verifiedUntil, verifyProgress } from "../verify/verify-progress.ts";

export interface VerifiedStores {
  readonly meta: MetaStore;
  readonly store: ObjectStore;
}

/**
 * Verifies the manifests and objects that were written since the last call. Returns the last hour that the archive
 * provably has; `undefined` while it is empty. Throws ArchiveNotVerifiedError.
 */
export async function verifyNewLinks({ meta, store }: VerifiedStores): Promise<ArchiveHour | undefined> {
  const { problems } = await verifyProgress({ meta, store });
  const [first] = problems;
  if (first !== undefined) throw new ArchiveNotVerifiedError(store, `${first.key}: ${first.problem}. ${first.reason}`);
  const until = await verifiedUntil(meta);
  return until === undefined ? undefined : hourOf(until) - 1;
}

/** The archive has a problem. Nothing may be deleted, because the archive would have the only copy. */
class ArchiveNotVerifiedError extends Error {
  override readonly name = "ArchiveNotVerifiedError";

  constructor(store: ObjectStore, problem: string) {
    super(
      `Cannot verify archive ${store.name}, so no Job and no part of the log is deleted. ${problem} ` +
        "Find all problems with `outlive archive verify`.",
    );
  }
}
