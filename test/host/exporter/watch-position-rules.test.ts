import { describe, expect, it } from "vitest";
import { positionRules } from "../../../src/host/exporter/watch-position-rules.ts";
import { decodePosition } from "../../../src/kubernetes/watch/position.ts";

const position = decodePosition({
  clusterUid: "11111111-0000-4000-8000-000000000001",
  epoch: 0,
  lastSeenAt: 1,
  resources: { jobs: { seenAt: 1, resourceVersion: "5" } },
});
if (position === undefined) throw new Error("The position of the test is invalid.");

describe("a stored position", () => {
  it("decodes to what was encoded", () => {
    expect(positionRules.decode(positionRules.encode(position))).toEqual(position);
  });

  it.each(["{", '"17"', ""])("is not decoded from other text: '%s'", (text) => {
    expect(positionRules.decode(text)).toBeUndefined();
  });
});
