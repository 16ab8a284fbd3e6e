import { describe, expect, it } from "vitest";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { WatchCursor } from "../../../src/kubernetes/watch/watch-cursor.ts";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";

const SEEN_AT: Instant = 1_800_000_000_000;

/** The gap that a list closes so many milliseconds after the stream was lost. */
function windowOf(resource: WatchedResource, millis: number) {
  const resourceVersion = decodeResourceVersion("7");
  if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
  const cursor = new WatchCursor(resource, 0, { seenAt: SEEN_AT, resourceVersion });
  cursor.lose("expired");
  return cursor.listed(resourceVersion, { asOf: SEEN_AT + millis, until: SEEN_AT + millis });
}

describe("a watch cursor that was lost", () => {
  it.each<readonly [string, WatchedResource, number, boolean]>([
    ["has a gap until the list", "pods", 500, true],
    ["has a gap even without a delay", "pods", 0, true],
    ["has a gap although the cluster's clock was set back", "pods", -5_000, true],
    ["has no gap of Events that the list contains again", "events", 3_599_999, false],
    ["has a gap of Events that have expired since", "events", 3_600_000, true],
  ])("%s", (_, resource, millis, hasGap) => {
    const window = windowOf(resource, millis);
    expect(window !== undefined).toBe(hasGap);
    if (window !== undefined) expect(window.from).toBeLessThanOrEqual(window.to);
  });
});
