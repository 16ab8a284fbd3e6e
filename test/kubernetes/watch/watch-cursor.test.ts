import { describe, expect, it } from "vitest";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { ReflectorStart } from "../../../src/kubernetes/watch/reflector-context.ts";
import { WatchCursor } from "../../../src/kubernetes/watch/watch-cursor.ts";
import type { WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";

const SEEN_AT: Instant = 1_800_000_000_000;
const version = (number: number) => decodeResourceVersion(String(number)) ?? expect.fail("no resourceVersion");

/** A cursor that watches Pods from resourceVersion 7. */
function watching(start: Partial<ReflectorStart> = {}): WatchCursor {
  return new WatchCursor("pods", 0, { seenAt: SEEN_AT, resourceVersion: version(7), ...start });
}

function listedAt(cursor: WatchCursor, resourceVersion: number, at: Instant) {
  return cursor.listed(version(resourceVersion), { asOf: at, until: at });
}

/** The gap that a list closes this many milliseconds after the stream was lost. */
function windowOf(resource: WatchedResource, millis: number) {
  const cursor = new WatchCursor(resource, 0, { seenAt: SEEN_AT, resourceVersion: version(7) });
  cursor.lose("expired");
  return listedAt(cursor, 7, SEEN_AT + millis);
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

  it("has a gap from the second in which it was last complete, because instants of objects are whole seconds", () => {
    const cursor = watching({ seenAt: SEEN_AT + 999 });
    cursor.lose("expired");
    expect(listedAt(cursor, 9, SEEN_AT + 5_000)).toMatchObject({ from: SEEN_AT, to: SEEN_AT + 5_000 });
  });

  it.each([
    ["expired", "no longer had the changes since resourceVersion 7"],
    ["restored", "etcd was restored"],
    ["refused", "failed repeatedly to continue from resourceVersion 7"],
  ] as const)("names the cause %s", (cause, reason) => {
    const cursor = watching();
    expect(cursor.lose(cause)).toBe(true);
    expect(cursor.hasGap).toBe(true);
    expect(cursor.resourceVersion).toBeUndefined();
    expect(listedAt(cursor, 9, SEEN_AT)?.reason).toContain(reason);
  });

  it("keeps its first cause when the list after it fails, too", () => {
    const cursor = watching();
    cursor.lose("restored");
    expect(cursor.lose("expired")).toBe(true);
    expect(listedAt(cursor, 9, SEEN_AT)?.reason).toContain("restored");
  });

  it("has nothing to miss before its first list", () => {
    const cursor = new WatchCursor("pods", 0, { seenAt: SEEN_AT });
    expect(cursor.lose("expired")).toBe(false);
    expect(cursor.hasGap).toBe(false);
    expect(listedAt(cursor, 9, SEEN_AT + 1)).toBeUndefined();
  });

  it("has a gap if it begins with one, and no resourceVersion to name", () => {
    const cursor = new WatchCursor("pods", 0, { seenAt: SEEN_AT, gapReason: "The exporter was away." });
    expect(cursor.hasGap).toBe(true);
    expect(cursor.lose("refused")).toBe(true);
    expect(listedAt(cursor, 9, SEEN_AT + 1)?.reason).toBe("The exporter was away.");
  });
});

describe("a list", () => {
  it("is where the watch continues, complete as of its beginning, and closes the gap once", () => {
    const cursor = watching();
    cursor.lose("expired");
    cursor.listed(version(9), { asOf: SEEN_AT + 100, until: SEEN_AT + 400 });
    expect(cursor.hasGap).toBe(false);
    expect(cursor.step({ kind: "moved" }).position).toEqual({ seenAt: SEEN_AT + 100, resourceVersion: 9 });
    expect(listedAt(cursor, 10, SEEN_AT + 500)).toBeUndefined();
  });

  it("of an earlier state does not lower the highest resourceVersion of the epoch", () => {
    const cursor = watching({ resourceVersion: version(20) });
    cursor.lose("expired");
    listedAt(cursor, 15, SEEN_AT);
    expect([cursor.resourceVersion, cursor.highest]).toEqual([15, 20]);
  });
});

describe("a watch cursor", () => {
  it("moves forward only, and remembers the highest resourceVersion", () => {
    const cursor = watching();
    const moves = [9, 8, 12, undefined].map((to) => {
      cursor.moveTo(to === undefined ? undefined : version(to));
      return [cursor.resourceVersion, cursor.highest];
    });
    expect(moves).toEqual([
      [9, 9],
      [9, 9],
      [12, 12],
      [12, 12],
    ]);
  });

  it("does not move within a list: a restart would miss the rest of it", () => {
    const cursor = new WatchCursor("pods", 0, { seenAt: SEEN_AT });
    cursor.moveTo(version(9));
    cursor.seenUntil(SEEN_AT + 5);
    expect(cursor.step({ kind: "moved" }).position).toEqual({ seenAt: SEEN_AT });
    expect(cursor.highest).toBeUndefined();
  });

  it("is complete up to the latest instant", () => {
    const cursor = watching();
    cursor.seenUntil(SEEN_AT + 5);
    cursor.seenUntil(SEEN_AT + 3);
    const { seenAt } = cursor.step({ kind: "moved" }).position;
    expect(seenAt).toBe(SEEN_AT + 5);
  });

  it("begins an epoch without a highest resourceVersion", () => {
    const cursor = watching();
    cursor.lose("restored");
    cursor.beginEpoch(1);
    expect([cursor.epoch, cursor.highest]).toEqual([1, undefined]);
    expect(cursor.step({ kind: "moved" })).toEqual({
      resource: "pods",
      epoch: 1,
      position: { seenAt: SEEN_AT },
      kind: "moved",
    });
    listedAt(cursor, 3, SEEN_AT);
    expect(cursor.highest).toBe(3);
  });
});

describe("a stream that is forbidden", () => {
  it("has a gap in pieces, the first after a minute, and each later one after twice the time", () => {
    const cursor = new WatchCursor("pods", 0, { seenAt: SEEN_AT });
    const minutes = [0, 0.99, 1, 2.99, 3, 6.99, 7].map((minute) => SEEN_AT + minute * 60_000);
    const pieces = minutes.flatMap((now) => cursor.forbidden("Access denied.", now) ?? []);
    expect(pieces.map(({ from, to }) => [(from - SEEN_AT) / 60_000, (to - SEEN_AT) / 60_000])).toEqual([
      [0, 1],
      [1, 3],
      [3, 7],
    ]);
    expect(pieces.map(({ reason }) => reason)).toEqual(["Access denied.", "Access denied.", "Access denied."]);
  });

  it("has the rest of the gap when it is listed at last, and begins again with a minute", () => {
    const cursor = new WatchCursor("pods", 0, { seenAt: SEEN_AT });
    cursor.forbidden("Access denied.", SEEN_AT + 60_000);
    expect(listedAt(cursor, 9, SEEN_AT + 90_000)).toMatchObject({ from: SEEN_AT + 60_000, reason: "Access denied." });
    cursor.lose("expired");
    expect(cursor.forbidden("Access denied.", SEEN_AT + 149_999)).toBeUndefined();
    expect(cursor.forbidden("Access denied.", SEEN_AT + 150_000)).toMatchObject({ from: SEEN_AT + 90_000 });
  });

  it("has no gap if only the latest state counts", () => {
    const cursor = new WatchCursor("namespaces", 0, { seenAt: SEEN_AT, gapReason: "Nothing was watched." });
    expect(cursor.forbidden("Access denied.", SEEN_AT + 600_000)).toBeUndefined();
    expect(listedAt(cursor, 9, SEEN_AT + 36_000_000)).toBeUndefined();
  });

  it("has no gap while its watch can continue", () => {
    expect(watching().forbidden("Access denied.", SEEN_AT + 600_000)).toBeUndefined();
  });
});
