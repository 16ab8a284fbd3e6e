import { randomUUID } from "node:crypto";
import { readArchiveErasures } from "../archive/read/archive-erasures.ts";
import type { ErasurePorts, ErasureStep } from "../erasure/erase-data.ts";
import { finishErasure } from "../erasure/erase-data.ts";
import type { ErasureRecord } from "../erasure/erasure-record.ts";
import { adoptErasures } from "../erasure/adopt-erasures.ts";
import { KNOWN_FOR_MS } from "../erasure/stored-erasures.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { Embedded } from "./embedded-tracker.ts";

export interface EraseEmbeddedOptions {
  /** The archive of the database. @default there is none */
  readonly archive?: ObjectStore | undefined;
  readonly onStep?: (step: ErasureStep) => void;
  /** How long another process that uses the database may not know of an erasure yet. @default 2 s */
  readonly settleMillis?: number;
}

/** The stores of a database for an erasure. */
export function erasurePorts(embedded: Embedded, options: EraseEmbeddedOptions = {}): ErasurePorts {
  const { log, meta, projections, eraser } = embedded;
  const { archive, onStep, settleMillis = 2 * KNOWN_FOR_MS } = options;
  return {
    log,
    meta,
    projections,
    eraser,
    ...(archive && { archive }),
    ...(onStep && { onStep }),
    newId: randomUUID,
    now: Date.now,
    settle: () => new Promise((resolve) => setTimeout(resolve, settleMillis)),
  };
}

/**
 * Applies the erasures of an archive that a database does not know: it was restored from a backup that is older than
 * they are. Returns them.
 */
export async function applyArchivedErasures(
  embedded: Embedded,
  options: EraseEmbeddedOptions & { readonly archive: ObjectStore },
): Promise<readonly ErasureRecord[]> {
  const { files } = await readArchiveErasures(options.archive);
  const applied: ErasureRecord[] = [];
  for (const adopted of await adoptErasures(embedded.meta, files)) {
    const finished = await finishErasure(erasurePorts(embedded, options), adopted);
    if (finished.outcome === "erased") applied.push(finished.record);
  }
  return applied;
}
