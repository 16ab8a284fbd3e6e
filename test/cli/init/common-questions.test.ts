import { describe, expect, it } from "vitest";
import { clusterProblem, IMAGE, ISSUER } from "../../../cli/init/common-questions.ts";

describe("an answer of outlive init", () => {
  it.each(["registry.example.org/outlive", "localhost:5000/team/outlive", "outlive"])("names the image %s", (image) => {
    expect(IMAGE.problem?.(image, {})).toBeUndefined();
  });

  it.each(["registry.example.org/outlive:1.0", "r/outlive@sha256:abc", "R/outlive", "", "-x/outlive"])(
    "names no image with a tag, a digest or other characters: %j",
    (image) => {
      expect(IMAGE.problem?.(image, {})).toContain("without tag or digest");
    },
  );

  it.each([
    ["https://login.example.org/realms/a", true],
    ["https://x?y", false],
    ["https://x#y", false],
    ["http://x", false],
  ])("names an issuer as the construct takes it: %s", (issuer, isValid) => {
    expect(ISSUER.problem?.(issuer, {}) === undefined).toBe(isValid);
  });

  it.each([
    ["prod-eu", undefined],
    ["outlive-doctor", "reserved"],
    ["prod eu", "cannot be a cluster's name"],
  ])("names a cluster that can be registered: %s", (name, problem) => {
    expect(clusterProblem(name)).toEqual(problem === undefined ? undefined : expect.stringContaining(problem));
  });
});
