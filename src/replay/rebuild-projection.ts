import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName, Projections } from "../ports/projections.ts";
import { moveLivePointer, readLivePointer } from "../projection/live-projection.ts";
import { projectSegments, type Refold } from "../projection/project-segments.ts";
import type { Retry } from "../projection/retry.ts";
import { logDays, readWholeDay } from "./read-log.ts";

export interface ReplayPorts {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Makes all that `work` writes durable at once, where the store can. */
  readonly atOnce?: (work: () => Promise<void>) => Promise<void>;
}

export type Rebuilt =
  | { readonly outcome: "switched"; readonly live: ProjectionName; readonly segments: number }
  /** Segments that cannot be folded: the old projection stays live. */
  | { readonly outcome: "incomplete"; readonly refold: readonly Refold[]; readonly segments: number }
  /** Another replay began meanwhile; it goes on, this one gave way. */
  | { readonly outcome: "overtaken" };

/**
 * Rebuilds the projection that does not answer from the log, then lets it answer. Reads and new segments go on meanwhile.
 *
 * The order is what makes it safe without a barrier: first every projector is told to fold into both, then the idle one is emptied, then the
 * log is read. A segment is in the log before it is folded; so one that a projector folded into the old projection only is still met here.
 * Killed anywhere, it is begun again from the start.
 */
export async function rebuildProjection(
  { log, meta, projections, atOnce = (work) => work() }: ReplayPorts,
  retry: Retry,
  onProgress: (segments: number) => void = () => undefined,
): Promise<Rebuilt> {
  const before = await readLivePointer(meta);
  const idle = before.live === "A" ? "B" : "A";
  const marked = await moveLivePointer(meta, before, { live: before.live, building: idle });
  if (marked === "conflict") return { outcome: "overtaken" };
  await projections.clear(idle);
  const refold: Refold[] = [];
  let segments = 0;
  for await (const day of logDays(meta)) {
    for await (const items of readWholeDay(log, day)) {
      await atOnce(async () => {
        refold.push(...(await projectSegments({ jobs: projections.open(idle), meta }, items, retry)).refold);
      });
      segments += items.length;
      onProgress(segments);
    }
  }
  if (refold.length > 0) return { outcome: "incomplete", refold, segments };
  const switched = await moveLivePointer(meta, marked, { live: idle });
  return switched === "conflict" ? { outcome: "overtaken" } : { outcome: "switched", live: idle, segments };
}
