import { type Hold, readHolds } from "../../../ports/expiry/holds.ts";
import { adoptErasures } from "../adopt-erasures.ts";
import type { ErasableArchive } from "../erasable-archive.ts";
import { Erasure } from "../erasure.ts";
import type { ErasureRecord, ErasureScope } from "../erasure-record.ts";
import { holdOnErasure } from "../erasure-target.ts";
import { listErasures } from "../stored-erasures.ts";
import { type ErasurePorts, finishErasure } from "./erase-data.ts";

/** The ports of an erasure of what has an archive. */
export type ArchivedErasurePorts = ErasurePorts & { readonly archive: ErasableArchive };

/**
 * Applies the erasures of an archive that a store lacks, because the store was restored from an older backup. Returns
 * them. Throws ErasureHeldError before anything is recorded.
 */
export async function applyArchivedErasures(ports: ArchivedErasurePorts): Promise<readonly ErasureRecord[]> {
  const recorded = await ports.archive.recorded();
  const done = new Set(
    (await listErasures(ports.meta)).flatMap(({ record }) => (record.stage === "done" ? record.id : [])),
  );
  await requireNotHeld(ports, { scopes: recorded.map(({ file }) => file.erasure), isDone: (id) => done.has(id) });
  const applied: ErasureRecord[] = [];
  for (const adopted of await adoptErasures(ports.meta, recorded)) {
    const finished = await finishErasure(ports, adopted);
    if (finished.outcome === "erased") applied.push(finished.record);
  }
  return applied;
}

/**
 * Repeats the erasures whose data the archive still has, because an archiver was killed during an erasure. Reads the
 * whole archive. Returns the repeated erasures. Throws ErasureHeldError before anything is removed.
 */
export async function repeatErasures(ports: ArchivedErasurePorts): Promise<readonly ErasureRecord[]> {
  const repeated: ErasureRecord[] = [];
  for (;;) {
    const stored = await listErasures(ports.meta);
    const ids = new Set<string>();
    const erasures = stored.map(({ erasure }) => erasure);
    for await (const { erasureId } of ports.archive.findErased(erasures)) ids.add(erasureId);
    // An object with data of several erasures is found for one of them.
    if (ids.size === 0) return repeated;
    const left = stored.filter(({ record }) => ids.has(record.id));
    await requireNotHeld(ports, { scopes: left.map(({ record }) => record), isDone: () => false });
    for (const erasure of left) {
      const finished = await finishErasure(ports, erasure);
      if (finished.outcome === "erased") repeated.push(finished.record);
    }
  }
}

interface HeldBack {
  readonly scopes: readonly ErasureScope[];
  /** Whether there is nothing left to remove. */
  readonly isDone: (id: string) => boolean;
}

/** An archive is only as trustworthy as those who may write to it: a hold of this database is in force all the same. */
async function requireNotHeld(ports: ErasurePorts, { scopes, isDone }: HeldBack): Promise<void> {
  const holds = await readHolds(ports);
  if (holds.length === 0) return;
  for (const scope of scopes) {
    const hold = isDone(scope.id) ? undefined : holdOnErasure(holds, new Erasure(scope));
    if (hold !== undefined) throw new ErasureHeldError(scope, hold);
  }
}

/** A legal hold covers data of an erasure that the archive has and the database has not applied. */
export class ErasureHeldError extends Error {
  override readonly name = "ErasureHeldError";
  readonly scope: ErasureScope;
  readonly hold: Hold;

  constructor(scope: ErasureScope, hold: Hold) {
    super(`Cannot apply erasure ${scope.id} of the archive: a legal hold covers its data (${hold.reason}).`);
    this.scope = scope;
    this.hold = hold;
  }
}
