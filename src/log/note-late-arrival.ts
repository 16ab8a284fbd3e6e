import type { Instant } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { lateKey } from "../ports/meta-key.ts";
import { MARKER } from "../ports/records/marker-record.ts";
import { isLate } from "../segment/late.ts";
import { type SegmentName, segmentKey } from "../segment/segment-key.ts";

/** Records that a segment arrived late. Call it after the append, so that readers of the record find the segment. */
export async function noteLateArrival(meta: MetaStore, name: SegmentName, arrivedAt: Instant): Promise<void> {
  if (!isLate(name.sealedAt, arrivedAt)) return;
  await meta.write("late", lateKey(name.cluster, arrivedAt, segmentKey(name).sk), { value: MARKER, expected: 0 });
}
