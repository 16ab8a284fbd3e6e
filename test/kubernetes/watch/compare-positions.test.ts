import { describe, expect, it } from "vitest";
import { fillPosition, reachesPosition } from "../../../src/kubernetes/watch/compare-positions.ts";
import { decodePosition, type Position } from "../../../src/kubernetes/watch/position.ts";

const uid = "11111111-0000-4000-8000-000000000001";

/** The position of one resource. 0 stands for the middle of a list, which has no resourceVersion yet. */
function resourcePosition(number: number | undefined) {
  if (number === undefined) return undefined;
  return { seenAt: 1, ...(number > 0 && { resourceVersion: String(number) }) };
}

function at(
  jobs: number | undefined,
  pods: number | undefined,
  more: { epoch?: number; clusterUid?: string } = {},
): Position {
  const position = decodePosition({
    clusterUid: uid,
    epoch: 0,
    lastSeenAt: 1,
    resources: { jobs: resourcePosition(jobs), pods: resourcePosition(pods) },
    ...more,
  });
  if (position === undefined) throw new Error("The position of the test is invalid.");
  return position;
}

describe("a position", () => {
  it.each<[string, Position, Position, boolean]>([
    ["the same", at(5, 7), at(5, 7), true],
    ["one further in one resource", at(6, 7), at(5, 7), true],
    ["one behind in one resource", at(9, 6), at(5, 7), false],
    ["one that has not seen a resource", at(9, undefined), at(5, 7), false],
    ["one that has seen more resources", at(5, 7), at(5, undefined), true],
    ["one before a list of which another is in the middle", at(9, 7), at(5, 0), false],
    ["one in the middle of a list", at(9, 0), at(5, 7), false],
    ["one in the middle of a list, and so is the other", at(9, 0), at(5, 0), false],
    ["one in the middle of the first list of a later epoch", at(1, 0, { epoch: 1 }), at(5, 7), false],
    ["one of a later epoch, whatever its numbers", at(1, 1, { epoch: 1 }), at(5, 7), true],
    ["one of an earlier epoch", at(9, 9), at(5, 7, { epoch: 1 }), false],
    ["one of another cluster", at(9, 9, { clusterUid: "other" }), at(5, 7), false],
  ])("covers another one or not: %s", (_, later, earlier, reaches) => {
    expect(reachesPosition(later, earlier)).toBe(reaches);
  });

  it("is filled with the resources that it lacks", () => {
    expect(fillPosition(at(5, undefined), at(8, 9))).toEqual(at(5, 9));
    expect(fillPosition(undefined, at(8, 9))).toEqual(at(8, 9));
  });

  it("is filled with the namespaces that it lacks", () => {
    const [floor, position] = [
      { ...at(5, 7), namespaces: { a: "x" } },
      { ...at(8, 9), namespaces: { b: "y" } },
    ];
    expect(fillPosition(floor, position).namespaces).toEqual({ a: "x", b: "y" });
  });
});
