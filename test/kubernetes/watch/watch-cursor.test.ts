import { describe, expect, it } from "vitest";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { WatchCursor } from "../../../src/kubernetes/watch/watch-cursor.ts";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";

const SEEN_AT: Instant = 1_800_000_000_000;

/** The window that a list closes so many milliseconds after the stream was lost. */
function windowOf(resource: WatchedResource, millis: number) {
  const resourceVersion = decodeResourceVersion("7");
  if (resourceVersion === undefined) throw new Error("7 is a resourceVersion.");
  const place = new WatchCursor(resource, 0, { seenAt: SEEN_AT, resourceVersion });
  place.lose("expired");
  return place.listed(resourceVersion, { asOf: SEEN_AT + millis, until: SEEN_AT + millis });
}

describe("the place of a stream that was lost", () => {
  it.each<readonly [string, WatchedResource, number, boolean]>([
    ["has a blind window until the list", "pods", 500, true],
    ["has one in no time at all", "pods", 0, true],
    ["has one though the cluster's clock was set back", "pods", -5_000, true],
    ["has none of Events that the list tells again", "events", 3_599_999, false],
    ["has one of Events that are forgotten by then", "events", 3_600_000, true],
  ])("%s", (_, resource, millis, hasGap) => {
    const window = windowOf(resource, millis);
    expect(window !== undefined).toBe(hasGap);
    if (window !== undefined) expect(window.from).toBeLessThanOrEqual(window.to);
  });
});
