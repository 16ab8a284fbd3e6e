import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { type AppendRestoredPorts, appendRestored } from "../../src/upkeep/restore/append-restored.ts";
import type { RestoreRequest, RestoreResponse } from "../../src/upkeep/restore/restore-request.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";
import type { Journal } from "../../src/ports/runtime/journal.ts";
import { UnsupportedEventError } from "../lambda/unsupported-event.ts";

export interface RestoreDependencies extends Omit<AppendRestoredPorts, "packer"> {
  /** Absent where segments are not packed: then nothing can be restored. */
  readonly packer?: AppendRestoredPorts["packer"];
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
  readonly logger: Journal;
}

/** Whether a caller of the ingest function sends segments of another log. */
export function isRestore(event: object): event is RestoreRequest {
  return "restore" in event && Array.isArray(event.restore);
}

/** Segments of an archive or of a restored table, which `outlive restore` sends. */
export async function onRestore(
  dependencies: RestoreDependencies,
  { restore }: RestoreRequest,
): Promise<RestoreResponse> {
  const { packer, clock, count, logger } = dependencies;
  if (packer === undefined) throw new UnsupportedEventError("a deployment whose log has packs");
  const outcomes = await appendRestored({ ...dependencies, packer }, restore, clock.now());
  count("Segments", outcomes.filter(({ outcome }) => outcome === "appended").length);
  for (const outcome of outcomes) {
    if (outcome.outcome === "failed") logger.warn("A segment could not be restored.", { reason: outcome.reason });
  }
  return { outcomes };
}
