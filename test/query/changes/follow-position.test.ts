import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterName } from "../../../src/job/model/ids.ts";
import {
  decodeFollow,
  encodeFollow,
  followFrom,
  type FollowPosition,
  givenOf,
  givenSegment,
  MAX_GIVEN,
  passAfter,
} from "../../../src/query/changes/follow-position.ts";
import { floorAt, formatPosition, positionAt, segmentMark } from "../../../src/query/changes/log-position.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { encodeCursor } from "../../../src/query/list/cursor.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const AT = Date.parse("2026-01-01T23:59:00Z");
const [east, west, north] = [clusterNamed("east"), clusterNamed("west"), clusterNamed("north")];
const ofNorth: Scope = { grants: [{ cluster: "north", namespaces: ["batch"] }] };

function given(cluster: ClusterName, count: number) {
  return Array.from({ length: count }, (_, n) => givenSegment(cluster, segmentMark(`${cluster} ${n}`)));
}

function reread(position: FollowPosition, scope: Scope = "everything"): FollowPosition {
  const decoded = decodeFollow(encodeFollow(position, scope));
  if (decoded.outcome === "refused") throw new Error(decoded.problem);
  return decoded.position;
}

describe("a position in the logs of many clusters", () => {
  it("is read from its cursor as it was written", () => {
    const positions = fc.record(
      {
        from: fc.integer({ min: 0, max: AT }),
        pass: fc.record({
          until: fc.integer({ min: 0, max: AT }),
          cluster: fc.constantFrom(east, west),
          floor: fc.integer({ min: 0, max: AT }).map((at) => `${floorAt(at)}#0123456789abcdef#0000000007`),
          lateUntil: fc.integer({ min: 0, max: AT }),
        }),
        given: fc
          .array(fc.string().map(segmentMark), { maxLength: MAX_GIVEN })
          .map((marks) => marks.map((mark) => ({ group: givenSegment(east, mark).group, mark }))),
      },
      { requiredKeys: ["from", "given"] },
    );
    fc.assert(
      fc.property(positions, (position) => {
        expect(reread(position)).toEqual(position);
      }),
    );
  });

  it("has a cursor of at most 1,024 bytes with the longest name and 2,000 segments", () => {
    const cluster = clusterNamed("c".repeat(63));
    const floor = `${floorAt(AT)}#0123456789abcdef#0000000007`;
    const pass = { until: AT, cluster, floor, lateUntil: AT };
    const cursor = encodeFollow({ from: AT, pass, given: given(cluster, 2_000) }, "everything");
    expect(cursor.length).toBeLessThanOrEqual(1_024);
  });

  it("lists the segments that were given last if there are more than fit", () => {
    const all = given(east, MAX_GIVEN + 10);
    const listed = reread({ ...followFrom(AT), given: all });
    expect(givenOf(listed.given, east)).toEqual(all.slice(10).map(({ mark }) => mark));
  });

  it("has the given segments of each cluster", () => {
    const position = { ...followFrom(AT), given: [...given(east, 2), ...given(west, 1)] };
    expect(givenOf(position.given, east)).toEqual(given(east, 2).map(({ mark }) => mark));
    expect(givenOf(position.given, north)).toEqual([]);
  });
});

describe("the cursor of a reader who may see one cluster", () => {
  it("has no segment of another one", () => {
    const position = { ...followFrom(AT), given: [...given(east, 2), ...given(north, 1)] };
    expect(reread(position, ofNorth).given).toEqual(reread({ ...position, given: given(north, 1) }).given);
  });

  it.each([
    ["is before the only one", east, undefined],
    ["is the only one", north, north],
    ["is after the only one", west, north],
  ])("names no other cluster if the one in progress %s", (_, cluster, named) => {
    const position = reread({ ...followFrom(AT), pass: passAfter(cluster, AT + 1) }, ofNorth);
    expect(position.pass).toEqual(named && passAfter(named, AT + 1));
  });
});

describe("a cursor of an earlier version", () => {
  it("is refused with the time from which nothing is missed", () => {
    const floor = { ...positionAt(AT - 60_000), floor: `${floorAt(AT - 90_000)}#0123456789abcdef#0000000007` };
    const fields = [`east|${formatPosition(positionAt(AT))}`, `west|${formatPosition(floor)}`];
    const problem = expect.stringContaining("since=2026-01-01T23:57:30Z") as unknown;
    expect(decodeFollow(encodeCursor("changes", [AT, ...fields]))).toEqual({ outcome: "refused", problem });
  });

  it("without clusters is refused with the time before it was made", () => {
    const problem = expect.stringContaining("since=2026-01-01T23:58:45Z") as unknown;
    expect(decodeFollow(encodeCursor("changes", [AT]))).toEqual({ outcome: "refused", problem });
  });
});

describe("a cursor of something else", () => {
  it.each([
    ["another query", encodeCursor("jobs", ["pass", AT, ""])],
    ["no instant", encodeCursor("changes", ["pass", "now", ""])],
    ["half a mark", encodeCursor("changes", ["pass", AT, "abc"])],
    ["no cluster", encodeCursor("changes", ["pass", AT, "", AT, "?", `${floorAt(AT)}|1|`])],
    ["no place in the pass", encodeCursor("changes", ["pass", AT, "", AT, "east", "1"])],
    ["an earlier version with a forged position", encodeCursor("changes", [AT, "east|x"])],
  ])("is refused: %s", (_, cursor) => {
    const decoded = decodeFollow(cursor);
    expect(decoded).toMatchObject({ outcome: "refused", problem: expect.not.stringContaining("since=") as unknown });
  });
});
