import { randomUUID } from "node:crypto";
import { erasableArchive } from "../../archive/write/erase-archive.ts";
import type { ErasurePorts, ErasureStep } from "../../log/erasure/command/erase-data.ts";
import { KNOWN_FOR_MS } from "../../log/erasure/stored-erasures.ts";
import { HOLD_SOURCES } from "../optional/hold-sources.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { erasableViews } from "../../projection/erasable-views.ts";
import type { Embedded } from "./embedded-tracker.ts";

export interface EraseEmbeddedOptions {
  /** The archive of the database. @default there is none */
  readonly archive?: ObjectStore | undefined;
  readonly onStep?: (step: ErasureStep) => void;
  /** How long another process that uses the database may take to notice an erasure. @default 2 s */
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
    holds: HOLD_SOURCES,
    views: erasableViews,
    archive: archive && erasableArchive(archive),
    ...(onStep && { onStep }),
    newId: randomUUID,
    now: Date.now,
    settle: () => new Promise((resolve) => setTimeout(resolve, settleMillis)),
  };
}
