import { describe, expect, it } from "vitest";
import { Backlog } from "../../../src/kubernetes/delivery/backlog.ts";
import type { PositionRules } from "../../../src/kubernetes/delivery/position-rules.ts";
import type { SealedSegment } from "../../../src/segment/segment.ts";

/** Positions are numbers: a larger one covers a smaller one. */
const RULES: PositionRules<number> = {
  reaches: (later, earlier) => later >= earlier,
  fill: (floor, position) => floor ?? position,
  encode: String,
  decode: Number,
};

function segments(...sizes: readonly number[]): readonly SealedSegment[] {
  return sizes.map((size) => ({ key: { pk: "", sk: "" }, bytes: new Uint8Array(size), sha256: "", factCount: 1 }));
}

/** Segments whose facts go as far as they lead. */
function at(position: number) {
  return { position, through: position };
}

function backlogFrom(position: number | undefined): Backlog<number> {
  const backlog = new Backlog<number>(RULES);
  backlog.begin(position);
  return backlog;
}

describe("a backlog", () => {
  it("counts its segments and their bytes", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(10, 20), 0, at(2));
    expect([backlog.size, backlog.bytes]).toEqual([2, 30]);
    backlog.drop(1);
    expect([backlog.size, backlog.bytes]).toEqual([1, 20]);
  });

  it("reaches a position only with the last segment of its event", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1, 1), 0, {});
    backlog.add(segments(1), 0, at(5));
    expect(backlog.drop(2)).toBeUndefined();
    expect(backlog.drop(1)).toBe(5);
  });

  it("moves the position of its newest segment with events that have no new facts", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1), 0, at(5));
    backlog.advance(7);
    expect(backlog.drop(1)).toBe(7);
  });

  it("drops nothing for a segment that was already dropped", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1, 1), 0, at(5));
    const [first] = backlog.peek(1);
    backlog.drop(1);
    expect(backlog.dropThrough(first)).toBeUndefined();
    expect(backlog.size).toBe(1);
  });

  it("covers a position from which it has everything, and no earlier one", () => {
    const backlog = backlogFrom(3);
    backlog.add(segments(1), 0, at(5));
    expect([2, 3, 4].map((position) => backlog.covers(position))).toEqual([false, true, true]);
    backlog.drop(1);
    expect([4, 5].map((position) => backlog.covers(position))).toEqual([false, true]);
  });

  it("covers the start of a first list until it drops a segment", () => {
    const backlog = backlogFrom(undefined);
    backlog.add(segments(1), 0, at(5));
    expect(backlog.covers(undefined)).toBe(true);
    backlog.drop(1);
    expect(backlog.covers(undefined)).toBe(false);
  });

  it("is passed only by a position that covers all facts of a segment, also while it leads less far", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1), 0, { position: 3, through: 6 });
    expect([3, 5, 6].map((position) => backlog.isPassed(position))).toEqual([false, false, true]);
    expect(backlog.drop(1)).toBe(3);
    expect([3, 5, 6].map((position) => backlog.covers(position))).toEqual([false, false, true]);
  });

  it("leads to no position with segments from before a new start, because there may be a gap", () => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1), 0, at(5));
    backlog.begin(9);
    expect(backlog.drop(1)).toBeUndefined();
  });

  it.each([
    [4, false],
    [5, true],
    [6, true],
  ])("is passed by position %d: %s", (position, expected) => {
    const backlog = backlogFrom(1);
    backlog.add(segments(1), 0, at(5));
    expect(backlog.isPassed(position)).toBe(expected);
  });

  it("is passed by no position while none of its segments leads to one", () => {
    const backlog = backlogFrom(1);
    expect(backlog.isPassed(5)).toBe(false);
    backlog.add(segments(1), 0, {});
    expect(backlog.isPassed(5)).toBe(false);
    backlog.add(segments(1), 0, at(5));
    expect(backlog.isPassed(4)).toBe(false);
    expect(backlog.isPassed(5)).toBe(true);
  });
});
