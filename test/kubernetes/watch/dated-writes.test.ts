import { describe, expect, it } from "vitest";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";
import { DatedWrites } from "../../../src/kubernetes/watch/dated-writes.ts";

const DATED = { metadata: { managedFields: [{ time: "2026-11-21T08:00:00Z" }] } };
const UNDATED = { metadata: { managedFields: [] } };

/** Whether writes are undated after each time between two heartbeats. */
function undatedAfter(...times: readonly (readonly (readonly [WatchedResource, object])[])[]): readonly boolean[] {
  const writes = new DatedWrites();
  return times.map((objects) => {
    for (const [resource, object] of objects) writes.note(resource, { ...object });
    return writes.takeUndated();
  });
}

describe("writes", () => {
  it("are undated while no Job and no Pod has managedFields", () => {
    expect(undatedAfter([["jobs", UNDATED]], [["pods", {}]])).toEqual([true, true]);
  });

  it("are dated if one of the objects has them, because any client can clear those of another", () => {
    expect(
      undatedAfter([
        ["jobs", UNDATED],
        ["pods", DATED],
        ["pods", UNDATED],
      ]),
    ).toEqual([false]);
  });

  it("stay as they were while nothing changes, and change with the next objects", () => {
    expect(undatedAfter([], [["jobs", UNDATED]], [], [["pods", DATED]], [])).toEqual([false, true, true, false, false]);
  });

  it("do not depend on other resources", () => {
    expect(
      undatedAfter([
        ["nodes", UNDATED],
        ["events", UNDATED],
      ]),
    ).toEqual([false]);
  });
});
