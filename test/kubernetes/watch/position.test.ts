import { describe, expect, it } from "vitest";
import { decodePosition } from "../../../src/kubernetes/watch/position.ts";

const position = {
  clusterUid: "c1",
  epoch: 1,
  lastSeenAt: 1000,
  resources: { jobs: { seenAt: 900, resourceVersion: 7 }, pods: { seenAt: 1000 } },
};

describe("a stored position", () => {
  it("decodes to what was encoded", () => {
    expect(decodePosition(JSON.parse(JSON.stringify(position)))).toEqual(position);
  });

  it("decodes to the names of namespaces, without those that are none", () => {
    const namespaces = { "uid-1": "team-a" };
    expect(decodePosition({ ...position, namespaces: { ...namespaces, other: 7 } })).toEqual({
      ...position,
      namespaces,
    });
  });

  it("is valid without a cluster, whose identity may be unreadable", () => {
    const { clusterUid: _, ...anonymous } = position;
    expect(decodePosition(anonymous)).toEqual(anonymous);
  });

  it.each([
    ["no object", "7"],
    ["nothing", undefined],
    ["no epoch", { ...position, epoch: undefined }],
    ["a negative epoch", { ...position, epoch: -1 }],
    ["no time", { ...position, lastSeenAt: "yesterday" }],
  ])("is invalid as %s", (_, kept) => {
    expect(decodePosition(kept)).toBeUndefined();
  });

  it.each([
    ["of a resource that is not watched", { secrets: { seenAt: 1, resourceVersion: 2 } }, {}],
    ["without a time", { jobs: { resourceVersion: 2 } }, {}],
    ["with a number that is none", { jobs: { seenAt: 1, resourceVersion: "x" } }, { jobs: { seenAt: 1 } }],
  ])("leaves out a resource that is %s", (_, resources, read) => {
    expect(decodePosition({ ...position, resources })?.resources).toEqual(read);
  });
});
