import { findErasedData } from "../archive/erase/erased-data.ts";
import { readArchiveErasures } from "../archive/read/archive-erasures.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { type Hold, readRetentionRules } from "../retention/retention-rules.ts";
import { adoptErasures } from "./adopt-erasures.ts";
import { type ErasurePorts, finishErasure } from "./erase-data.ts";
import { Erasure } from "../erasure/erasure.ts";
import type { ErasureRecord, ErasureScope } from "../erasure/erasure-record.ts";
import { holdOnErasure } from "./erasure-target.ts";
import { listErasures } from "../erasure/stored-erasures.ts";

/**
 * Applies the erasures of an archive that a store lacks, because the store was restored from an older backup. Returns
 * them. Throws ErasureHeldError before anything is recorded.
 */
export async function applyArchivedErasures(
  ports: ErasurePorts,
  archive: ObjectStore,
): Promise<readonly ErasureRecord[]> {
  const { files } = await readArchiveErasures(archive);
  const done = new Set(
    (await listErasures(ports.meta)).flatMap(({ record }) => (record.stage === "done" ? record.id : [])),
  );
  await requireNotHeld(ports, { scopes: files.map(({ file }) => file.erasure), isDone: (id) => done.has(id) });
  const applied: ErasureRecord[] = [];
  for (const adopted of await adoptErasures(ports.meta, files)) {
    const finished = await finishErasure({ ...ports, archive }, adopted);
    if (finished.outcome === "erased") applied.push(finished.record);
  }
  return applied;
}

/**
 * Repeats the erasures whose data the archive still has, because an archiver was killed during an erasure. Reads the
 * whole archive. Returns the repeated erasures. Throws ErasureHeldError before anything is removed.
 */
export async function repeatErasures(ports: ErasurePorts, archive: ObjectStore): Promise<readonly ErasureRecord[]> {
  const repeated: ErasureRecord[] = [];
  for (;;) {
    const stored = await listErasures(ports.meta);
    const ids = new Set<string>();
    const erasures = stored.map(({ erasure }) => erasure);
    for await (const { erasureId } of findErasedData(archive, erasures)) ids.add(erasureId);
    // An object with data of several erasures is reported for one of them only, so the archive is searched again.
    if (ids.size === 0) return repeated;
    const left = stored.filter(({ record }) => ids.has(record.id));
    await requireNotHeld(ports, { scopes: left.map(({ record }) => record), isDone: () => false });
    for (const erasure of left) {
      const finished = await finishErasure({ ...ports, archive }, erasure);
      if (finished.outcome === "erased") repeated.push(finished.record);
    }
  }
}

interface HeldBack {
  readonly scopes: readonly ErasureScope[];
  /** Whether there is nothing left to remove. */
  readonly isDone: (id: string) => boolean;
}

/**
 * A legal hold of this database also protects data from erasures that come from an archive: anyone who can write to the
 * archive could add one.
 */
async function requireNotHeld({ meta }: ErasurePorts, { scopes, isDone }: HeldBack): Promise<void> {
  const { holds } = await readRetentionRules(meta, undefined);
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
