import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  floorAt,
  formatPosition,
  parsePosition,
  positionAt,
  segmentMark,
  startIn,
} from "../../../src/query/changes/log-position.ts";
import { keyIn } from "../../../src/segment/segment-key.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const INSTANT = Date.parse("2026-01-01T23:59:00Z");
const cluster = clusterNamed("east");

describe("a position in a log", () => {
  it("is read from its text as it was written", () => {
    const position = fc.record({
      floor: fc.integer({ min: 0, max: INSTANT }).map(floorAt),
      given: fc.array(fc.string().map(segmentMark), { maxLength: 4 }),
      lateUntil: fc.integer({ min: 0, max: INSTANT }),
    });
    fc.assert(
      fc.property(position, (written) => {
        expect(parsePosition(formatPosition(written))).toEqual(written);
      }),
    );
  });

  it("may have the key of a segment as its floor", () => {
    const position = { ...positionAt(INSTANT), floor: `${floorAt(INSTANT)}#session#000000000001` };
    expect(parsePosition(formatPosition(position))).toEqual(position);
  });

  it.each([
    "",
    "2026-01-01T23:59:00.000Z",
    "2026-01-01T23:59:00.000Z|1",
    "yesterday|1|",
    "2026-01-01T23:59:00.000Z|x|",
  ])("is not read from %j", (text) => {
    expect(parsePosition(text)).toBeUndefined();
  });

  it("begins at its floor on the day of the floor, and at the first item of other days", () => {
    const floor = floorAt(INSTANT);
    expect(startIn(cluster, "20260101", floor)).toEqual(keyIn(cluster, floor));
    expect(startIn(cluster, "20260102", floor)).toBeUndefined();
  });
});
