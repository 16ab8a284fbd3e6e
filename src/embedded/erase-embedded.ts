import { randomUUID } from "node:crypto";
import type { ErasurePorts, ErasureStep } from "../erase/erase-data.ts";
import { KNOWN_FOR_MS } from "../erasure/stored-erasures.ts";
import type { ObjectStore } from "../ports/object-store.ts";
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
    ...(archive && { archive }),
    ...(onStep && { onStep }),
    newId: randomUUID,
    now: Date.now,
    settle: () => new Promise((resolve) => setTimeout(resolve, settleMillis)),
  };
}
