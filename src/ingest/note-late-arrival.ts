import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { lateKey } from "../ports/meta-key.ts";
import { isLate } from "../segment/late.ts";
import { type SegmentName, segmentKey } from "../segment/segment-key.ts";

/** Writes down that a segment came late, once it is in the log: whoever reads of it finds it there. */
export async function noteLateArrival(meta: MetaStore, name: SegmentName, arrivedAt: Instant): Promise<void> {
  if (!isLate(name.sealedAt, arrivedAt)) return;
  await meta.write("late", lateKey(name.cluster, arrivedAt, segmentKey(name).sk), "{}", 0);
}
