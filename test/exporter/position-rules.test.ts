import { describe, expect, it } from "vitest";
import { positionRules } from "../../exporter/position-rules.ts";
import { decodePosition, type Position } from "../../src/kubernetes/position.ts";

const uid = "11111111-0000-4000-8000-000000000001";

function place(number: number | undefined) {
  return number === undefined ? undefined : { resourceVersion: String(number), seenAt: 1 };
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
    resources: { jobs: place(jobs), pods: place(pods) },
    ...more,
  });
  if (position === undefined) throw new Error("The test's position is none.");
  return position;
}

describe("positions", () => {
  it.each<[string, Position, Position, boolean]>([
    ["the same", at(5, 7), at(5, 7), true],
    ["one further in one resource", at(6, 7), at(5, 7), true],
    ["one behind in one resource", at(9, 6), at(5, 7), false],
    ["one that has not seen a resource", at(9, undefined), at(5, 7), false],
    ["one that has seen more resources", at(5, 7), at(5, undefined), true],
    ["one of a later epoch, whatever its numbers", at(1, 1, { epoch: 1 }), at(5, 7), true],
    ["one of an earlier epoch", at(9, 9), at(5, 7, { epoch: 1 }), false],
    ["one of another cluster", at(9, 9, { clusterUid: "other" }), at(5, 7), false],
  ])("reach: %s", (_, later, earlier, reaches) => {
    expect(positionRules.reaches(later, earlier)).toBe(reaches);
  });

  it("are filled with the resources that they do not name", () => {
    expect(positionRules.fill(at(5, undefined), at(8, 9))).toEqual(at(5, 9));
    expect(positionRules.fill(undefined, at(8, 9))).toEqual(at(8, 9));
  });

  it("come back from text as they were, and none from what is no position", () => {
    expect(positionRules.decode(positionRules.encode(at(5, 7)))).toEqual(at(5, 7));
    expect(positionRules.decode("{")).toBeUndefined();
    expect(positionRules.decode('"17"')).toBeUndefined();
  });
});
