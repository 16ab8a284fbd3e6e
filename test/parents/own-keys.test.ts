import { describe, expect, it } from "vitest";
import { isOwnKey, ownKeysOf } from "../../src/parents/own-keys.ts";

describe("the keys that are for Outlive", () => {
  it.each([
    ["outlive.dev/notify", true],
    ["notify", false],
    ["my-outlive.dev/notify", false],
    ["outlive.dev.example.org/notify", false],
  ])("include %s: %s", (key, expected) => {
    expect(isOwnKey(key)).toBe(expected);
  });

  it("are taken from others, if there are any", () => {
    expect(ownKeysOf({ "outlive.dev/notify": "a", dag_id: "b" })).toEqual({ "outlive.dev/notify": "a" });
    expect(ownKeysOf({ dag_id: "b" })).toBeUndefined();
    expect(ownKeysOf(undefined)).toBeUndefined();
  });
});
