import { describe, expect, it } from "vitest";
import { fillIn } from "../../../tools/release/fill-in.ts";

describe("a template", () => {
  it("gets a value in each of its places", () => {
    expect(fillIn("v${version} of ${name} ${version} $5", { version: "1.2.3", name: "$&" })).toBe(
      "v1.2.3 of $& 1.2.3 $5",
    );
  });

  it("must have a value for each place", () => {
    expect(() => fillIn("${version} ${hash}", { version: "1" })).toThrow("a place without a value: hash.");
  });

  it("must have a place for each value", () => {
    expect(() => fillIn("${version}", { version: "1", hash: "2" })).toThrow("no place for: hash.");
  });
});
