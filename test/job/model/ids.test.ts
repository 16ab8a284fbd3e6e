import { describe, expect, it } from "vitest";
import { decodeClusterName, decodeJobUid, decodePodUid } from "../../../src/job/model/ids.ts";

describe("a uid", () => {
  it.each([
    ["in the format of the API server", "de9552cf-fc8a-4ce7-bbfb-f8e3ae4fcf9e"],
    ["in the format of a virtual kubelet", "pod_1"],
    ["of 128 characters", "u".repeat(128)],
  ])("is valid %s", (_, text) => {
    expect(decodeJobUid(text)).toBe(text);
    expect(decodePodUid(text)).toBe(text);
  });

  it.each([
    ["an empty text", ""],
    ["a text with a space", "a b"],
    ["a control character", "a\u0007"],
    ["a text of 129 characters", "u".repeat(129)],
    ["a number", 7],
    ["nothing", undefined],
  ])("is never %s", (_, value) => {
    expect(decodeJobUid(value)).toBeUndefined();
    expect(decodePodUid(value)).toBeUndefined();
  });
});

describe("a cluster's name", () => {
  it.each(["a", "prod-eu.1", "recording", "C".repeat(63)])("may be %s", (name) => {
    expect(decodeClusterName(name)).toBe(name);
  });

  it.each(["", "-a", "a b", "a#b", "a/b", "C".repeat(64)])("cannot be %j", (name) => {
    expect(decodeClusterName(name)).toBeUndefined();
  });
});
