import { describe, expect, it } from "vitest";
import { knownValues } from "../../../cli/completion/known-values.ts";

describe("the values for the last word of a line", () => {
  it.each([
    [["jobs", "--state", ""]],
    [["jobs", "--"]],
    [["jobs", "--limit", ""]],
    [["get", "-n", ""]],
    [["get", "--cluster=pr"]],
    [["why", ""]],
    [["cronjobs", ""]],
    [[""]],
    [[]],
  ])("are none, without an error, where no source answers: %j", async (words) => {
    expect(await knownValues({ words, environment: { OUTLIVE_DATABASE: "/absent/outlive.sqlite" } })).toEqual([]);
  });

  it("are none for a server whose address is no address", async () => {
    const environment = { OUTLIVE_SERVER: "not an address" };
    expect(await knownValues({ words: ["get", ""], environment })).toEqual([]);
  });
});
