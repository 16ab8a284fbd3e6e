import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../../src/http/kubectl/kube-object.ts";
import { listingOf } from "../../../../src/http/kubectl/listing.ts";
import { RelistedWatch } from "../../../../src/http/kubectl/watch/relisted-watch.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;

/** A list of objects, each with a name and a value. */
function list(...named: readonly (readonly [name: string, schedule: string, resourceVersion?: number])[]) {
  const objects = named.map(([name, schedule, version]): KubeObject => ({
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name, creationTimestamp: null, ...(version !== undefined && { resourceVersion: String(version) }) },
    spec: { schedule },
  }));
  return listingOf(objects, { columns: [], show: (object) => object });
}

function told(watch: RelistedWatch, listing: ReturnType<typeof list>): readonly string[] {
  return [...watch.compare(listing, NOW)].map(({ type, listing: one }) => `${type} ${one.objects[0]?.metadata.name}`);
}

describe("a watch by lists", () => {
  it("that began with the existing objects sends additions, changes and deletions", () => {
    const watch = new RelistedWatch(0);
    watch.begin(list(["a", "1"], ["b", "1"]));
    expect(told(watch, list(["a", "1"], ["b", "1"]))).toEqual([]);
    expect(told(watch, list(["a", "2"], ["c", "1"]))).toEqual(["MODIFIED a", "ADDED c", "DELETED b"]);
    expect(told(watch, list(["a", "2"], ["c", "1"]))).toEqual([]);
  });

  it("from a recent resourceVersion sends newer objects only", () => {
    const watch = new RelistedWatch(NOW);
    expect(told(watch, list(["old", "1", NOW - MINUTE], ["new", "1", NOW]))).toEqual(["MODIFIED new"]);
    expect(told(watch, list(["old", "2", NOW - MINUTE], ["new", "1", NOW]))).toEqual(["MODIFIED old"]);
  });

  it("from an old version sends everything again, because the changes since are unknown", () => {
    const watch = new RelistedWatch(NOW - MINUTE);
    expect(told(watch, list(["a", "1", NOW - 2 * MINUTE]))).toEqual(["MODIFIED a"]);
    expect(told(watch, list(["a", "1", NOW - 2 * MINUTE]))).toEqual([]);
  });
});
