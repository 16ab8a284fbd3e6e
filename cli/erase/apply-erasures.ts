import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import {
  applyArchivedErasures,
  type ArchivedErasurePorts,
  ErasureHeldError,
  repeatErasures,
} from "../../src/log/erasure/command/apply-archived-erasures.ts";
import type { ErasureRecord } from "../../src/log/erasure/erasure-record.ts";
import type { Hold } from "../../src/ports/expiry/holds.ts";

/** Applies the erasures of an archive to what was restored. Throws CommandFailure if a legal hold forbids one. */
export async function applyErasuresOf(ports: ArchivedErasurePorts): Promise<readonly ErasureRecord[]> {
  return namingHolds(() => applyArchivedErasures(ports));
}

/** The same, and removes what an archiver that was killed during an erasure has left in the archive. */
export async function applyThoroughly(ports: ArchivedErasurePorts): Promise<readonly ErasureRecord[]> {
  const applied = await applyErasuresOf(ports);
  return [...applied, ...(await namingHolds(() => repeatErasures(ports)))];
}

async function namingHolds<Result>(apply: () => Promise<Result>): Promise<Result> {
  try {
    return await apply();
  } catch (cause) {
    if (!(cause instanceof ErasureHeldError)) throw cause;
    const { id, reason, by } = cause.scope;
    throw new CommandFailure(
      1,
      `Nothing was erased: the archive has erasure ${id} (${reason}, by ${by}), and ${holdText(cause.hold)}. If the ` +
        'erasure is genuine, release the hold with "outlive hold release" first.',
      { cause },
    );
  }
}

/** Which hold is in force. */
export function holdText({ reason, held }: Hold): string {
  const place = [held.cluster, held.namespace, held.name].filter((name) => name !== undefined).join("/");
  return `${place} is under a legal hold (${reason})`;
}
