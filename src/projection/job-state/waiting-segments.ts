import type { JobKey } from "../../ports/jobs.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { waitingKey } from "../../ports/meta-key.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { SegmentName } from "./log-keys.ts";

/** Segments that hold news of a large Job and were not folded into it when they came (pace.ts). A few hundred bytes: one write unit where the state takes thirty. */
export interface WaitingSegments {
  /** When the last call to fold them was sent, by the clock of the segments. */
  readonly calledAt: Instant;
  readonly names: readonly SegmentName[];
}

export interface StoredWaiting extends WaitingSegments {
  readonly version: number;
}

export async function readWaiting(
  meta: MetaStore,
  job: JobKey,
  projection: ProjectionName,
): Promise<StoredWaiting | undefined> {
  const record = await meta.read("waiting", waitingKey(job, projection));
  return record && { ...(JSON.parse(record.value) as WaitingSegments), version: record.version };
}

/** Writes it unless somebody else did since it was read. */
export async function writeWaiting(
  meta: MetaStore,
  {
    job,
    projection,
    waiting,
  }: { readonly job: JobKey; readonly projection: ProjectionName; readonly waiting: WaitingSegments },
  read: StoredWaiting | undefined,
): Promise<"written" | "conflict"> {
  const { calledAt, names } = waiting;
  const value = JSON.stringify({ calledAt, names });
  return (await meta.write("waiting", waitingKey(job, projection), value, read?.version ?? 0)).outcome;
}
