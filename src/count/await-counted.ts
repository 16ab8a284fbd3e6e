import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { SETTLE_MS } from "./count-jobs.ts";
import { countPosition } from "./count-records.ts";
import { gatherBatches } from "./gather-batches.ts";

export interface CountsToAwait {
  readonly meta: MetaStore;
  readonly now: () => Instant;
  /** Lets the counts advance, and waits. */
  readonly pause: () => Promise<unknown>;
}

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];
/**
 * Sums are written at the latest five minutes after a change, and a function that was killed holds them for six
 * (count-jobs.ts).
 */
const LONGEST_MS = 15 * 60_000;

/**
 * Resolves when the sums of both projections contain every write made until `since`, or at once if nothing is counted.
 * A write is recorded within {@link SETTLE_MS}, unless the alarm WorkLags is raised. Throws {@link CountsBehindError}.
 */
export async function awaitCounted({ meta, now, pause }: CountsToAwait, since: Instant): Promise<void> {
  const begin = now();
  for (const projection of PROJECTIONS) {
    while (!(await isCounted({ meta, projection }, { since, now: now() }))) {
      if (now() - begin > LONGEST_MS) throw new CountsBehindError();
      await pause();
    }
  }
}

async function isCounted(
  counted: CountedProjection,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<boolean> {
  const stored = await readRecord(counted.meta, countPosition, countPositionKey(counted.projection));
  if (stored === undefined) return true;
  if (now < since + SETTLE_MS || stored.value.applying !== undefined) return false;
  const { differences } = await gatherBatches(counted, {
    since: EARLIEST,
    activeFrom: stored.value.activeFrom,
    most: Infinity,
  });
  return differences.oldestAt === undefined || differences.oldestAt > since;
}

/** The count function does not follow the Jobs. */
export class CountsBehindError extends Error {
  override readonly name = "CountsBehindError";

  constructor() {
    super(
      "The counts of Jobs have not followed for 15 minutes. Find the reason in the log of the count function, and " +
        "repeat the command: it continues.",
    );
  }
}
