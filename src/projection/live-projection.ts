import type { JobStore } from "../ports/jobs.ts";
import type { MetaStore } from "../ports/meta.ts";
import { LIVE_KEY } from "../ports/meta-key.ts";
import type { ProjectionName, Projections } from "../ports/projections.ts";

/** Which projection answers, and which one is being rebuilt behind it. */
export interface LivePointer {
  readonly live: ProjectionName;
  /** Every segment that comes now is folded into this one as well. */
  readonly building?: ProjectionName;
}

export interface StoredPointer extends LivePointer {
  readonly version: number;
}

/** Before anything was ever rebuilt, A answers. */
export async function readLivePointer(meta: MetaStore): Promise<StoredPointer> {
  const record = await meta.read("live", LIVE_KEY);
  if (record === undefined) return { live: "A", version: 0 };
  return { ...(JSON.parse(record.value) as LivePointer), version: record.version };
}

/** Moves the pointer unless somebody else moved it since it was read. */
export async function moveLivePointer(
  meta: MetaStore,
  from: StoredPointer,
  to: LivePointer,
): Promise<StoredPointer | "conflict"> {
  const written = await meta.write("live", LIVE_KEY, JSON.stringify(to), from.version);
  return written.outcome === "conflict" ? "conflict" : { ...to, version: written.version };
}

/** The projection that answers now. Ask for each question: a replay switches it. */
export async function liveJobs(projections: Projections, meta: MetaStore): Promise<JobStore> {
  return projections.open((await readLivePointer(meta)).live);
}
