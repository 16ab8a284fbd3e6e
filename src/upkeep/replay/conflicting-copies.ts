import pLimit from "p-limit";
import type { Log, LogKey } from "../../ports/log.ts";
import type { LaterCopy } from "./audit-segments.ts";

/** Two segments with one key and different content. */
export interface ConflictingCopy extends LaterCopy {
  readonly reason: string;
}

/** Copies that are read concurrently. */
const MAX_CONCURRENT = 16;

/** Finds segments that are in the log twice with different content. Reads both copies of each. */
export async function conflictingCopies(
  log: Pick<Log, "read">,
  copies: readonly LaterCopy[],
): Promise<readonly ConflictingCopy[]> {
  const compared = await pLimit(MAX_CONCURRENT).map(copies, async (copy) => {
    const [first, later] = [await hashOf(log, copy.first), await hashOf(log, copy.key)];
    if (first === undefined || later === undefined || first === later) return [];
    return [{ ...copy, reason: `Its hash is ${later}. The segment that arrived first has ${first}.` }];
  });
  return compared.flat();
}

/** `undefined` if the item has expired since. */
async function hashOf(log: Pick<Log, "read">, key: LogKey): Promise<string | undefined> {
  return (await log.read(key))?.sha256;
}
